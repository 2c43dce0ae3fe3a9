package store

import (
	"context"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// countedFacets is how many violations are counted one by one, where totals do not know
// what a filter asks for.
const countedFacets = 2000

// Facets are what a list of violations can be narrowed to.
func (l *Store) Facets(ctx context.Context, f ledger.ViolationFilter) (facets ledger.Facets, err error) {
	f.Limit, f.After, f.Sort = 0, "", ""
	err = l.read(ctx, "count violations by what they have", func(t *tx) (err error) {
		folder, known := totalsKnow(f)
		if !known {
			facets, err = t.facetsOfRows(ctx, f)
			return err
		}
		q, err := t.statisticsQuery(ctx, ledger.StatisticsFilter{
			Period: f.Reported, EntryPoint: f.EntryPoint, Model: f.Model, Repository: f.Repository,
		}, l.now())
		if err != nil {
			return err
		}
		if folder != "" {
			q.buckets = jsonList([]string{ledger.FolderBucket(folder)})
		}
		var rows ledger.Rows
		if err := q.ViolationTotals(ctx, &rows); err != nil {
			return err
		}
		totals := make([]ledger.FacetTotals, 0, len(rows.Violations))
		for _, row := range rows.Violations {
			totals = append(totals, ledger.FacetTotals{ViolationTotals: row})
		}
		facets = ledger.FacetsOf(f, totals)
		return q.addFolders(ctx, &facets)
	})
	return facets, err
}

// totalsKnow reports whether the totals tell all that the filter asks for. Of a first
// folder of paths they do if that is all time.
func totalsKnow(f ledger.ViolationFilter) (folder string, known bool) {
	folder, first := firstFolder(f.File)
	if f.File != "" && (!first || f.Reported != (ledger.Period{})) {
		return "", false
	}
	return folder, f.Run == "" && f.Branch == "" && f.Worktree == "" && f.Slot == 0 && f.Fingerprint == "" && len(f.Actors) == 0 &&
		len(f.Events.Statuses) == 0 && f.Changed == ledger.Period{} && len(f.Discards) == 0
}

// firstFolder is the folder of which the pattern keeps all, if it is the first of a path.
func firstFolder(pattern string) (folder string, ok bool) {
	folder, ok = folderOf(pattern)
	return folder, ok && !strings.Contains(folder, "/")
}

// addFolders adds the folders: from totals of all time, else from few violations.
func (q *statisticsQuery) addFolders(ctx context.Context, facets *ledger.Facets) error {
	f := facets.Violations.Filter
	if f.Reported != (ledger.Period{}) {
		if facets.Violations.Violations > countedFacets {
			return nil
		}
		counted, err := q.facetsOfRows(ctx, f)
		facets.Folders, facets.Others.Folders, facets.FoldersUnknown = counted.Folders, counted.Others.Folders, counted.FoldersUnknown
		return err
	}
	var jobs []int64
	for id, job := range q.names {
		if oneOf(f.Gate, job.Name) && oneOf(f.EntryPoint, job.EntryPoint) {
			jobs = append(jobs, id)
		}
	}
	chosen, err := asJSON(jobs)
	if err != nil {
		return err
	}
	rows, err := q.FoldersOfTotals(ctx, db.FoldersOfTotalsParams{
		Repositories: q.repositories, Jobs: chosen, Adapter: f.Adapter, Model: f.Model, Statuses: jsonList(f.Statuses),
		Priorities: jsonList(f.Priorities), Reasons: jsonList(f.Reasons), Iteration: int64(f.Iteration),
		Alone: boolean(f.Alone), InFixLines: boolean(f.InFixLines), Recurring: boolean(f.Recurring),
	})
	folders := map[string]int{}
	for _, r := range rows {
		folders[ledger.BucketFolder(r.Bucket)] = int(r.Violations)
	}
	facets.SetFolders(folders)
	return err
}

// facetsOfRows counts the violations one by one, if they are not too many.
func (t *tx) facetsOfRows(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error) {
	f.Limit = countedFacets + 1
	ids, err := t.listedIDs(ctx, f)
	f.Limit = 0
	if err != nil {
		return ledger.Facets{}, err
	}
	if len(ids) > countedFacets {
		return ledger.Facets{Violations: ledger.Count{Violations: len(ids), Filter: f}, Unknown: true, FoldersUnknown: true}, nil
	}
	list, err := asJSON(ids)
	if err != nil {
		return ledger.Facets{}, err
	}
	jobs, err := t.JobNames(ctx)
	if err != nil {
		return ledger.Facets{}, err
	}
	names := map[int64]db.Job{}
	for _, job := range jobs {
		names[job.ID] = job
	}
	rows, err := t.TotalsOfList(ctx, list)
	totals := make([]ledger.FacetTotals, 0, len(rows))
	for _, r := range rows {
		total := ledger.FacetTotals{Folder: r.Folder, ViolationTotals: ledger.ViolationTotals{
			EntryPoint: names[r.JobID].EntryPoint, Gate: names[r.JobID].Name, Adapter: r.Adapter, Priority: ledger.Priority(r.Priority),
			Status: ledger.Status(r.Shown), Shared: r.Shared != 0, InFixLines: r.InFixLines != 0, Recurring: r.Recurring != 0,
			Violations: int(r.Violations), Iteration: f.Iteration, // the list has no other
		}}
		if len(f.Reasons) > 0 { // nor other reasons
			total.Reason = string(f.Reasons[0])
		}
		totals = append(totals, total)
	}
	facets := ledger.FacetsOf(f, totals)
	folders := map[string]int{}
	if _, first := firstFolder(f.File); first || f.File == "" { // else a folder would be wider than the filter
		folders = ledger.FoldersOf(f, totals)
	}
	facets.SetFolders(folders)
	return facets, err
}
