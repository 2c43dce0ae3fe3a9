package lists

// A facet is a value (a gate, a priority, a folder) that a list can be narrowed to, with its number
// of violations. This file computes facets from totals or by counting rows.

import (
	"context"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Counted is the largest number of violations that are counted row by row, for filters that totals
// cannot answer.
const Counted = 2000

// TotalsKnow reports whether totals are enough to answer the filter. They have folders only for all
// time, and only the first folder of a path, which is returned.
func TotalsKnow(f ledger.ViolationFilter) (folder string, known bool) {
	folder, first := firstFolder(f.File)
	if f.File != "" && (!first || f.Reported != (ledger.Period{})) {
		return "", false
	}
	return folder, f.Run == "" && f.Branch == "" && f.Worktree == "" && f.Slot == 0 && f.Fingerprint == "" &&
		len(f.Events.Statuses) == 0 && f.Changed == ledger.Period{} && len(f.Discards) == 0
}

// totals reads the totals of violations.
type totals interface {
	ViolationTotals(ctx context.Context, into *ledger.Rows) error
	// InFolder returns the totals of all time for paths that begin with the folder.
	InFolder(ctx context.Context, folder string) ([]ledger.ViolationTotals, error)
	Folders(ctx context.Context, keeps func(ledger.ViolationTotals) bool) (map[string]int, error)
}

// FacetsOfTotals computes the facets of a list whose filter totals can answer, as [TotalsKnow]
// reports. For a period, the facets of folders are counted row by row, unless there are too many
// violations.
func FacetsOfTotals(
	ctx context.Context, f ledger.ViolationFilter, folder string, of totals,
	byRow func(context.Context, ledger.ViolationFilter) (ledger.Facets, error),
) (facets ledger.Facets, err error) {
	var rows ledger.Rows
	if folder != "" {
		rows.Violations, err = of.InFolder(ctx, folder)
	} else {
		err = of.ViolationTotals(ctx, &rows)
	}
	if err != nil {
		return facets, err
	}
	counted := make([]ledger.FacetTotals, 0, len(rows.Violations))
	for _, row := range rows.Violations {
		counted = append(counted, ledger.FacetTotals{ViolationTotals: row})
	}
	facets = ledger.FacetsOf(f, counted)
	switch {
	case f.Reported == ledger.Period{}:
		folders, err := of.Folders(ctx, func(v ledger.ViolationTotals) bool { return f.KeepsTotals(ledger.FacetTotals{ViolationTotals: v}) })
		facets.SetFolders(folders)
		return facets, err
	case facets.Violations.Violations > Counted:
		return facets, nil
	}
	one, err := byRow(ctx, f)
	facets.Folders, facets.Others.Folders, facets.FoldersUnknown = one.Folders, one.Others.Folders, one.FoldersUnknown
	return facets, err
}

// firstFolder returns the folder that the pattern matches as a whole. ok is set if it is the first
// folder of a path.
func firstFolder(pattern string) (folder string, ok bool) {
	folder, ok = FolderOf(pattern)
	return folder, ok && !strings.Contains(folder, "/")
}

// FirstOf returns the first folder of a path, or "" for a file in the root.
func FirstOf(file string) string {
	folder, _, below := strings.Cut(file, "/")
	if !below {
		return ""
	}
	return folder
}

// TooMany returns the facets of a list with too many violations to count them row by row.
func TooMany(f ledger.ViolationFilter, violations int) ledger.Facets {
	return ledger.Facets{Violations: ledger.Count{Violations: violations, Filter: f}, Unknown: true, FoldersUnknown: true}
}

// FacetsOf computes the facets of a list whose violations were counted row by row. All of them have
// the iteration and the reason of the filter.
func FacetsOf(f ledger.ViolationFilter, totals []ledger.FacetTotals) ledger.Facets {
	for i := range totals {
		totals[i].Iteration = f.Iteration
		if len(f.Reasons) > 0 {
			totals[i].Reason = string(f.Reasons[0])
		}
	}
	facets := ledger.FacetsOf(f, totals)
	folders := map[string]int{}
	if _, first := firstFolder(f.File); first || f.File == "" { // else a folder would be wider than the filter
		folders = ledger.FoldersOf(f, totals)
	}
	facets.SetFolders(folders)
	return facets
}
