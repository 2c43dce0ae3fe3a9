package lists

// A facet is a value (a gate, a priority, a folder) that a list can be narrowed to, with its number
// of violations.

import (
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// BeforeFacets returns the filter without what [FacetsOf] applies itself, because the numbers of a
// facet ignore the filter of that facet.
func BeforeFacets(f ledger.ViolationFilter) ledger.ViolationFilter {
	f.Statuses, f.Priorities, f.Reasons, f.Gate, f.Adapter, f.Iteration = nil, nil, nil, "", "", 0
	f.Alone, f.InFixLines, f.Recurring, f.NoDuplicates = false, false, false, false
	if _, first := firstFolder(f.File); first {
		f.File = ""
	}
	return f
}

// FacetsOf computes the facets of a list, from the totals of the violations that [BeforeFacets]
// keeps.
func FacetsOf(f ledger.ViolationFilter, totals []ledger.FacetTotals) ledger.Facets {
	folder, first := firstFolder(f.File)
	folders := map[string]int{}
	if first || f.File == "" { // else a folder would be wider than the filter
		folders = ledger.FoldersOf(f, totals)
	}
	if first {
		totals = slices.DeleteFunc(totals, func(t ledger.FacetTotals) bool { return t.Folder != folder })
	}
	facets := ledger.FacetsOf(f, totals)
	facets.SetFolders(folders)
	return facets
}

// firstFolder returns the folder that the pattern matches as a whole. ok is set if it is the first
// folder of a path.
func firstFolder(pattern string) (folder string, ok bool) {
	folder, ok = FolderOf(pattern)
	return folder, ok && !strings.Contains(folder, "/")
}
