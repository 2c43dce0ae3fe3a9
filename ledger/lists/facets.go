package lists

import (
	"context"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Counted is how many violations are counted one by one, where totals do not know what a
// filter asks for.
const Counted = 2000

// TotalsKnow reports whether the totals tell all that the filter asks for. Of a first folder
// of paths they do if that is all time.
func TotalsKnow(f ledger.ViolationFilter) (folder string, known bool) {
	folder, first := FirstFolder(f.File)
	if f.File != "" && (!first || f.Reported != (ledger.Period{})) {
		return "", false
	}
	return folder, f.Run == "" && f.Branch == "" && f.Worktree == "" && f.Slot == 0 && f.Fingerprint == "" && len(f.Actors) == 0 &&
		len(f.Events.Statuses) == 0 && f.Changed == ledger.Period{} && len(f.Discards) == 0
}

// totals are what sums tell of violations.
type totals interface {
	ViolationTotals(ctx context.Context, into *ledger.Rows) error
	// InFolder are those of all time below the first folder of their path.
	InFolder(ctx context.Context, folder string) ([]ledger.ViolationTotals, error)
	Folders(ctx context.Context, keeps func(ledger.ViolationTotals) bool) (map[string]int, error)
}

// FacetsOfTotals makes the facets of a list of which the totals tell all. Those of folders come
// from totals of all time, else they are counted one by one, where violations are few.
func FacetsOfTotals(ctx context.Context, f ledger.ViolationFilter, folder string, of totals, byRow func(context.Context, ledger.ViolationFilter) (ledger.Facets, error)) (facets ledger.Facets, err error) {
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

// FirstFolder is the folder of which the pattern keeps all, if it is the first of a path.
func FirstFolder(pattern string) (folder string, ok bool) {
	folder, ok = FolderOf(pattern)
	return folder, ok && !strings.Contains(folder, "/")
}

// FirstOf is the first folder of a path; empty: none.
func FirstOf(file string) string {
	folder, _, below := strings.Cut(file, "/")
	if !below {
		return ""
	}
	return folder
}

// TooMany are the facets of a list that is too long to count its violations one by one.
func TooMany(f ledger.ViolationFilter, violations int) ledger.Facets {
	return ledger.Facets{Violations: ledger.Count{Violations: violations, Filter: f}, Unknown: true, FoldersUnknown: true}
}

// FacetsOf makes the facets of a list whose violations were counted one by one. It has no
// other iteration and reason than those of the filter.
func FacetsOf(f ledger.ViolationFilter, totals []ledger.FacetTotals) ledger.Facets {
	for i := range totals {
		totals[i].Iteration = f.Iteration
		if len(f.Reasons) > 0 {
			totals[i].Reason = string(f.Reasons[0])
		}
	}
	facets := ledger.FacetsOf(f, totals)
	folders := map[string]int{}
	if _, first := FirstFolder(f.File); first || f.File == "" { // else a folder would be wider than the filter
		folders = ledger.FoldersOf(f, totals)
	}
	facets.SetFolders(folders)
	return facets
}
