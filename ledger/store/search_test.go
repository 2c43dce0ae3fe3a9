package store_test

import (
	"cmp"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Whichever index SQLite chooses, a list has exactly the violations that the filter keeps, newest
// first, and with a limit the first of them.
func TestListingsAreWhatTheFilterKeeps(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 60, Iterations: 2, Violations: 12}, now); err != nil {
		t.Fatal(err)
	}
	handle, err := db.Open(t.Context(), path, nil)
	if err == nil {
		_, err = handle.ExecContext(t.Context(), "UPDATE violations SET status = 'duplicate', result = 'x' WHERE id % 9 = 4; UPDATE runs SET kind = 'code_review' WHERE id = 5")
		err = errors.Join(err, handle.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Violations(t.Context(), ledger.ViolationFilter{})
	if err != nil || len(all) != 720 {
		t.Fatalf("%d violations, %v", len(all), err)
	}
	runs, err := l.Runs(t.Context(), ledger.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	branches, worktrees, kinds := map[string]string{}, map[string]string{}, map[string]ledger.RunKind{}
	for _, run := range runs {
		branches[run.ID], worktrees[run.ID], kinds[run.ID] = run.Branch, run.Worktree, run.Kind
	}
	oldest := all[len(all)-1]
	for name, f := range map[string]ledger.ViolationFilter{
		"open":                  {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.ShownAbandoned}},
		"not abandoned":         {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusReopened}},
		"abandoned":             {Statuses: []ledger.Status{ledger.ShownAbandoned}},
		"abandoned or skipped":  {Statuses: []ledger.Status{ledger.ShownAbandoned, ledger.StatusSkipped}},
		"run":                   {Run: all[300].Run},
		"one file":              {File: all[300].Place.File},
		"all files":             {File: "src/**"},
		"folder":                {File: "src/module3/*.go"},
		"many folders":          {File: "src/module[1-4]*/*.go"},
		"files of old runs":     {File: "src/module*/*.go", Run: oldest.Run},
		"rare in many files":    {File: "src/**/*.go", Priorities: []ledger.Priority{oldest.Priority}, Reported: ledger.Period{Until: oldest.FirstSeen.Add(time.Hour)}},
		"open in a folder":      {File: "src/module[1-4]*/*.go", Statuses: []ledger.Status{ledger.ShownAbandoned}},
		"fingerprint":           {Fingerprint: all[2].Fingerprint},
		"changed":               {Changed: ledger.Period{Since: now.Add(-30 * 24 * time.Hour)}},
		"changed and reported":  {Changed: ledger.Period{Since: all[270].StatusAt, Until: all[30].StatusAt}, Reported: ledger.Period{Since: all[240].FirstSeen}},
		"reported":              {Reported: ledger.Period{Since: all[450].FirstSeen, Until: all[90].FirstSeen}},
		"adapter and iteration": {Adapter: "codex", Iteration: 2},
		"adapter and priority":  {Adapter: "gemini", Priorities: []ledger.Priority{ledger.High, ledger.Info}},
		"skipped without":       {Reasons: []ledger.SkipReason{ledger.NoReason}, Iteration: 1},
		"statuses":              {Statuses: []ledger.Status{ledger.StatusVerified, ledger.StatusReopened}},
		"gate":                  {Gate: "quality", EntryPoint: "src", Alone: true},
		"each problem once":     {NoDuplicates: true},
		"once of these":         {NoDuplicates: true, Statuses: []ledger.Status{ledger.StatusDuplicate, ledger.StatusVerified}},
		"once of an adapter":    {NoDuplicates: true, Adapter: "codex", File: "src/**"},
		"duplicates":            {Statuses: []ledger.Status{ledger.StatusDuplicate}},
		"branch":                {Branch: "feature-3"},
		"code review":           {Kind: ledger.KindCodeReview},
		"gates":                 {Kind: ledger.KindGates, File: "src/module3/*.go"},
		"worktree and pattern":  {Worktree: "/work/tree7", File: "src/**"},
		"no such gate":          {Gate: "nosuch"},
		"no such branch":        {Branch: "nosuch", Statuses: []ledger.Status{ledger.StatusReopened}},
		"not yet marked":        {Statuses: []ledger.Status{ledger.StatusFixed}},
		"none in a fix":         {InFixLines: true},
		"none for this reason":  {Reasons: []ledger.SkipReason{ledger.Deferred}},
	} {
		var kept []ledger.ListedViolation
		for _, v := range all {
			if keeps(f, v) && (f.Kind == "" || kinds[v.Run] == f.Kind) && (f.Branch == "" || branches[v.Run] == f.Branch) && (f.Worktree == "" || worktrees[v.Run] == f.Worktree) {
				kept = append(kept, v)
			}
		}
		if empty := strings.HasPrefix(name, "no"); empty != (len(kept) == 0) {
			t.Errorf("%s: the filter keeps %d", name, len(kept))
		}
		for n, sort := range append(ledger.Sorts(), "") {
			f.Sort = sort
			want := shortIDs(sortedBy(kept, f.Sort))
			limits := []int{[]int{0, 720}[n%2], []int{1, 90}[n%2]} // as many, or fewer
			for _, f.Limit = range limits {
				found, err := l.Violations(t.Context(), f)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if diff := gocmp.Diff(want[:limited(len(want), f.Limit)], shortIDs(found)); diff != "" {
					t.Errorf("%s, %s, limit %d (-want +got):\n%s", name, f.Sort, f.Limit, diff)
				}
			}
		}
	}
}

// keeps is what each condition of a filter means, except for the kind, branch and worktree of runs
// and for events.
func keeps(f ledger.ViolationFilter, v ledger.ListedViolation) bool {
	reason := cmp.Or(ledger.SkipReason(v.Reason), ledger.NoReason)
	return (f.Run == "" || f.Run == v.Run) && among(f.Statuses, v.Shown()) && among(f.Priorities, v.Priority) &&
		(f.File == "" || doublestar.MatchUnvalidated(f.File, v.Place.File)) &&
		(f.Gate == "" || f.Gate == v.Gate) && (f.EntryPoint == "" || f.EntryPoint == v.EntryPoint) &&
		(f.Adapter == "" || f.Adapter == v.Adapter) && (f.Slot == 0 || f.Slot == v.Slot) &&
		(len(f.Reasons) == 0 || v.Status == ledger.StatusSkipped && among(f.Reasons, reason)) &&
		(f.Iteration == 0 || f.Iteration == v.First) && f.Changed.Holds(v.StatusAt) && f.Reported.Holds(v.FirstSeen) &&
		(f.Fingerprint == "" || f.Fingerprint == v.Fingerprint) &&
		(!f.Recurring || v.Recurring) && (!f.Alone || !v.Shared) && (!f.InFixLines || v.InFixLines) && (!f.NoDuplicates || v.Status != ledger.StatusDuplicate)
}

func among[T comparable](want []T, is T) bool { return len(want) == 0 || slices.Contains(want, is) }

// sortedBy returns the list, which is newest first, in another order.
func sortedBy(list []ledger.ListedViolation, order ledger.Sort) []ledger.ListedViolation {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b ledger.ListedViolation) int {
		switch order {
		case ledger.SortPriority:
			return cmp.Compare(a.Priority.Rank(), b.Priority.Rank())
		case ledger.SortFile:
			return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Start, b.Place.Start))
		case ledger.SortStatus:
			return cmp.Compare(slices.Index(ledger.ShownStatuses(), a.Shown()), slices.Index(ledger.ShownStatuses(), b.Shown()))
		case ledger.SortChanged:
			return b.StatusAt.Compare(a.StatusAt)
		}
		return 0
	})
	if order == ledger.SortOldest {
		slices.Reverse(sorted)
	}
	return sorted
}

// Pages that follow each other by their cursors make up the whole list, in every order and from
// whichever index it is read.
func TestPagesAreTheWholeList(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 21, Iterations: 2, Violations: 12}, now); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Violations(t.Context(), ledger.ViolationFilter{})
	if err != nil || len(all) != 252 {
		t.Fatalf("%d violations, %v", len(all), err)
	}
	for name, f := range map[string]ledger.ViolationFilter{
		"all": {}, "few of all": {Slot: 2, Iteration: 1, Priorities: []ledger.Priority{ledger.Low, ledger.Info}}, "folder": {File: "src/**"}, "open": {Statuses: []ledger.Status{ledger.ShownAbandoned}}, "run": {Run: all[70].Run}, "files": {File: "src/module1*/*.go"},
		"changed": {Changed: ledger.Period{Since: all[120].StatusAt}},
		"events":  {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusFixed}, At: ledger.Period{Since: all[150].FirstSeen}}},
	} {
		for _, f.Sort = range append(ledger.Sorts(), "") {
			f.Limit, f.After = 0, ""
			whole, err := l.Violations(t.Context(), f)
			if err != nil || len(whole) == 0 {
				t.Fatalf("%s, %s: %d violations, %v", name, f.Sort, len(whole), err)
			}
			f.Limit = max(1, len(whole)/4)
			var paged []ledger.ListedViolation
			for range len(whole) + 1 {
				page, err := l.Violations(t.Context(), f)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, f.Sort, err)
				}
				if len(page) == 0 {
					break
				}
				paged = append(paged, page...)
				f.After = lists.Cursor(f.Sort, page[len(page)-1])
			}
			if diff := gocmp.Diff(shortIDs(whole), shortIDs(paged)); diff != "" {
				t.Errorf("%s, %s (-whole +pages):\n%s", name, f.Sort, diff)
			}
		}
	}
	last := lists.Cursor(ledger.SortFile, all[3])
	for name, f := range map[string]ledger.ViolationFilter{
		"of another order": {After: last}, "no cursor": {After: "zzz", Sort: ledger.SortFile}, "no base64": {After: "?"}, "cut off": {After: last[:len(last)-3], Sort: ledger.SortFile},
	} {
		if found, err := l.Violations(t.Context(), f); !errors.Is(err, ledger.ErrCursor) {
			t.Errorf("%s: %d violations, %v", name, len(found), err)
		}
	}
}

func shortIDs(list []ledger.ListedViolation) []string {
	ids := make([]string, len(list))
	for i, v := range list {
		ids[i] = v.ShortID
	}
	return ids
}

func limited(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

// The first violations with a mark are in every order the first of all that have it.
func TestFirstOfManyMarked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 6, Iterations: 1, Violations: 50}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	handle, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = handle.ExecContext(t.Context(), "UPDATE violations SET in_fix_lines = 1 WHERE id % 7 > 0")
	if err := errors.Join(err, handle.Close()); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, sort := range ledger.Sorts() {
		all, err := l.Violations(t.Context(), ledger.ViolationFilter{Sort: sort})
		if err != nil {
			t.Fatal(err)
		}
		marked := slices.DeleteFunc(all, func(v ledger.ListedViolation) bool { return !v.InFixLines })
		if len(marked) <= 100 {
			t.Fatalf("only %d violations have the mark", len(marked))
		}
		found, err := l.Violations(t.Context(), ledger.ViolationFilter{InFixLines: true, Sort: sort, Limit: 50})
		if err != nil || !slices.Equal(shortIDs(found), shortIDs(marked[:50])) {
			t.Errorf("sorted by %s: %q, %v, want %q", sort, shortIDs(found), err, shortIDs(marked[:50]))
		}
	}
}
