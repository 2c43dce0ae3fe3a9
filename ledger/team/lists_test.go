package team_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
	"github.com/reviewledger/reviewledger/ledger/team/ask"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// pushed returns a team store that has all runs of a ledger.
func pushed(t testing.TB, url string, l *store.Store) *ask.Store {
	t.Helper()
	s := opened(t, url)
	outline := must(l.Outline(t.Context(), time.Time{}))(t)
	p := must(s.NewPusher(t.Context(), push.Source{Database: outline.Database, Content: exchange.ContentWords}))(t)
	defer p.Close()
	for _, run := range outline.Runs {
		record := must(l.Run(t.Context(), run.Run))(t)
		if got := must(p.Push(t.Context(), must(p.Prepare(record, outline.Jobs, nil))(t)))(t); got != push.Pushed {
			t.Fatalf("run %s: %s", run.Run, got)
		}
	}
	return asked(t, url)
}

// local ignores what never leaves a machine.
var local = gocmp.Options{
	cmpopts.IgnoreFields(ledger.Run{}, "Worktree", "WorktreeName", "LogDir"), cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(ledger.RunCount{}, "Worktree"), cmpopts.IgnoreFields(ledger.ListedViolation{}, "Worktree"), cmpopts.IgnoreFields(ledger.SearchHit{}, "Cursor"),
}

// questions are the questions about all runs.
type questions interface {
	FindRunByPrefix(ctx context.Context, prefix string) (ledger.Run, error)
	Runs(ctx context.Context, f ledger.RunFilter) ([]ledger.Run, error)
	OpenRuns(ctx context.Context) ([]ledger.Run, error)
	RunsByStatus(ctx context.Context) (map[ledger.RunStatus]ledger.RunsByStatus, error)
	CountRuns(ctx context.Context, f ledger.RunFilter) ([]ledger.RunCount, error)
	RunOutcomes(ctx context.Context, runs []ledger.Run) (map[string]ledger.RunOutcome, error)
	CountViolations(ctx context.Context) (int, error)
	CountOpen(ctx context.Context) (int, error)
	OpenByPriority(ctx context.Context) (map[ledger.Priority]int, error)
	Violations(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error)
	Discarded(ctx context.Context, f ledger.ViolationFilter, dispositions []ledger.Disposition) ([]ledger.Report, error)
	Facets(ctx context.Context, f ledger.ViolationFilter) (ledger.Facets, error)
	Search(ctx context.Context, q ledger.SearchQuery, f ledger.ViolationFilter) ([]ledger.SearchHit, error)
	Names(ctx context.Context) (ledger.Names, error)
	Branches(ctx context.Context) ([]string, error)
	Files(ctx context.Context, prefix string, limit int) ([]string, error)
}

// answers compares the answers of both stores.
func answers[T any](t *testing.T, asked string, ask func(questions) (T, error), stores ...questions) T {
	t.Helper()
	want := must(ask(stores[0]))(t)
	if d := gocmp.Diff(want, must(ask(stores[1]))(t), local); d != "" {
		t.Errorf("%s (-ledger +team):\n%s", asked, d)
	}
	return want
}

// filters returns the filters that tests use for lists of the violations of a generated ledger.
func filters(all []ledger.ListedViolation, now time.Time) map[string]ledger.ViolationFilter {
	oldest := all[len(all)-1]
	return map[string]ledger.ViolationFilter{
		"all":                   {},
		"open":                  {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.ShownAbandoned}},
		"not abandoned":         {Statuses: ledger.OpenStatuses()},
		"abandoned":             {Statuses: []ledger.Status{ledger.ShownAbandoned}},
		"abandoned or skipped":  {Statuses: []ledger.Status{ledger.ShownAbandoned, ledger.StatusSkipped}},
		"run":                   {Run: all[len(all)/3].Run},
		"one file":              {File: all[len(all)/3].Place.File},
		"no file":               {File: "nosuch"},
		"all files":             {File: "src/**"},
		"deep folder":           {File: "src/module3/**"},
		"files of a folder":     {File: "src/module3/*.go"},
		"many folders":          {File: "src/module[1-4]*/*.go"},
		"rare in many files":    {File: "src/**/*.go", Priorities: []ledger.Priority{oldest.Priority}, Reported: ledger.Period{Until: oldest.FirstSeen.Add(time.Hour)}},
		"fingerprint":           {Fingerprint: all[7].Fingerprint},
		"changed":               {Changed: ledger.Period{Since: now.Add(-30 * 24 * time.Hour)}},
		"changed and reported":  {Changed: ledger.Period{Since: all[len(all)/2].StatusAt, Until: all[10].StatusAt}, Reported: ledger.Period{Since: all[len(all)/3].FirstSeen}},
		"reported":              {Reported: ledger.Period{Since: all[len(all)/2].FirstSeen, Until: all[30].FirstSeen}},
		"adapter and iteration": {Adapter: "codex", Iteration: 2},
		"adapter and priority":  {Adapter: "gemini", Priorities: []ledger.Priority{ledger.High, ledger.Info}},
		"model":                 {Model: "model-1", Slot: 2},
		"no model":              {Model: "unknown"},
		"repository":            {Repository: ledger.UnknownRepository, Priorities: []ledger.Priority{ledger.Low}},
		"no repository":         {Repository: "nosuch"},
		"skipped without":       {Reasons: []ledger.SkipReason{ledger.NoReason}, Iteration: 1},
		"deferred":              {Reasons: []ledger.SkipReason{ledger.Deferred}},
		"statuses":              {Statuses: []ledger.Status{ledger.StatusVerified, ledger.StatusReopened}},
		"gate":                  {Gate: "quality", EntryPoint: "src", Alone: true},
		"no gate":               {Gate: "nosuch"},
		"branch":                {Branch: "feature-3"},
		"recurring":             {Recurring: true},
		"in a fix":              {InFixLines: true},
		"claimed":               {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusFixed}}},
		"events of a period":    {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusFixed, ledger.StatusVerified}, At: ledger.Period{Since: all[len(all)/2].FirstSeen, Until: all[10].FirstSeen}}},
		"events of an answer":   {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusNew}, Iteration: 2, At: ledger.Period{Until: all[10].FirstSeen}}},
	}
}

// A list of the team store has the same violations as the ledger's, in the same order, and its
// pages make up the whole list.
func TestListsAreThoseOfTheLedger(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := generated(t, storetest.Size{Runs: 42, Iterations: 2, Violations: 12})
	s := pushed(t, migrated(t), l)
	all := must(l.Violations(t.Context(), ledger.ViolationFilter{}))(t)
	for name, f := range filters(all, now) {
		for _, f.Sort = range append(ledger.Sorts(), "") {
			list := func(limit int) func(questions) ([]ledger.ListedViolation, error) {
				f := f
				f.Limit = limit
				return func(q questions) ([]ledger.ListedViolation, error) { return q.Violations(t.Context(), f) }
			}
			whole := answers(t, fmt.Sprintf("%s, %s", name, f.Sort), list(0), l, s)
			answers(t, fmt.Sprintf("%s, %s, a few", name, f.Sort), list(7), l, s)
			paged := pages(t, s, f, max(1, len(whole)/3))
			if d := gocmp.Diff(whole, paged, local); d != "" {
				t.Errorf("%s, %s (-whole +pages):\n%s", name, f.Sort, d)
			}
		}
		f.Sort = ""
		facets := func(q questions) (ledger.Facets, error) { return q.Facets(t.Context(), f) }
		answers(t, name+", facets", facets, l, s)
	}
	last := lists.Cursor(ledger.SortFile, all[3])
	strange := all[3]
	strange.ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	for name, f := range map[string]ledger.ViolationFilter{
		"of another order": {After: last}, "no cursor": {After: "zzz", Sort: ledger.SortFile}, "no base64": {After: "?"},
		"cut off": {After: last[:len(last)-3], Sort: ledger.SortFile}, "of no violation": {After: lists.Cursor("", strange)},
		"of no violation in an empty list": {After: lists.Cursor("", strange), Gate: "nosuch"},
	} {
		for which, q := range map[string]questions{"ledger": l, "team": s} {
			if found, err := q.Violations(t.Context(), f); !errors.Is(err, ledger.ErrCursor) {
				t.Errorf("%s, %s: %d violations, %v", which, name, len(found), err)
			}
		}
	}
	if _, err := s.Violations(t.Context(), ledger.ViolationFilter{Worktree: "/w"}); !errors.Is(err, ledger.ErrLocal) {
		t.Errorf("by worktree: %v", err)
	}
}

// pages returns the pages of a list, joined together.
func pages(t *testing.T, q questions, f ledger.ViolationFilter, limit int) (all []ledger.ListedViolation) {
	t.Helper()
	for f.Limit = limit; ; {
		page := must(q.Violations(t.Context(), f))(t)
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
		f.After = lists.Cursor(f.Sort, page[len(page)-1])
	}
}

// Lists of runs and names are the same too.
func TestRunsAndNamesAreThoseOfTheLedger(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := generated(t, storetest.Size{Runs: 42, Iterations: 2, Violations: 4})
	s := pushed(t, migrated(t), l)
	runs := must(l.Runs(ctx, ledger.RunFilter{}))(t)
	for name, f := range map[string]ledger.RunFilter{
		"all": {}, "a few": {Limit: 5}, "after one": {Before: runs[3].ID, Limit: 4}, "abandoned": {Statuses: []ledger.RunStatus{ledger.StatusAbandoned}},
		"kind": {Kind: ledger.KindGates}, "no kind": {Kind: ledger.KindCodeReview}, "branch": {Branch: runs[5].Branch},
		"gate": {Gate: "quality", Adapter: "codex"}, "no gate": {Gate: "lint"}, "no adapter": {Adapter: "nosuch"},
		"period": {Started: ledger.Period{Since: runs[20].StartedAt, Until: runs[2].StartedAt}}, "repository": {Repository: ledger.UnknownRepository},
		"no repository": {Repository: "nosuch"},
	} {
		found := answers(t, name, func(q questions) ([]ledger.Run, error) { return q.Runs(ctx, f) }, l, s)
		answers(t, name+", outcomes", func(q questions) (map[string]ledger.RunOutcome, error) { return q.RunOutcomes(ctx, found) }, l, s)
		answers(t, name+", counts", func(q questions) ([]ledger.RunCount, error) {
			counts, err := q.CountRuns(ctx, f)
			return merged(counts), err
		}, l, s)
	}
	for _, q := range []questions{l, s} {
		if _, err := q.Runs(ctx, ledger.RunFilter{Before: "01ARZ3NDEKTSV4RRFFQ69G5FAV"}); !errors.Is(err, ledger.ErrCursor) {
			t.Errorf("after no run: %v", err)
		}
	}
	for _, id := range []string{runs[4].ID, runs[4].ID[:24], "0", "zzz", "", "01ARZ"} {
		errorsOf := [2]string{}
		var found [2]ledger.Run
		for i, q := range []questions{l, s} {
			run, err := q.FindRunByPrefix(ctx, id)
			if found[i] = run; err != nil {
				errorsOf[i] = err.Error()
			}
		}
		if d := gocmp.Diff(errorsOf[0], errorsOf[1]); d != "" {
			t.Errorf("run %q (-ledger +team):\n%s", id, d)
		}
		if d := gocmp.Diff(found[0], found[1], local); d != "" {
			t.Errorf("run %q (-ledger +team):\n%s", id, d)
		}
	}
	// The generated ledger has a job that never ran, which is not pushed.
	const idle = "check:src:lint"
	answers(t, "names", func(q questions) (ledger.Names, error) {
		names, err := q.Names(ctx)
		names.Gates = slices.DeleteFunc(names.Gates, func(name string) bool { return strings.HasSuffix(idle, ":"+name) })
		names.EntryPoints = slices.Compact(names.EntryPoints)
		return names, err
	}, l, s)
	answers(t, "branches", func(q questions) ([]string, error) { return q.Branches(ctx) }, l, s)
	answers(t, "open runs", func(q questions) ([]ledger.Run, error) { return q.OpenRuns(ctx) }, l, s)
	answers(t, "by status", func(q questions) (map[ledger.RunStatus]ledger.RunsByStatus, error) { return q.RunsByStatus(ctx) }, l, s)
	answers(t, "violations", func(q questions) (int, error) { return q.CountViolations(ctx) }, l, s)
	answers(t, "open", func(q questions) (int, error) { return q.CountOpen(ctx) }, l, s)
	answers(t, "open by priority", func(q questions) (map[ledger.Priority]int, error) { return q.OpenByPriority(ctx) }, l, s)
	for _, prefix := range []string{"", "src/module1", "nosuch", "src/module1/file1"} {
		for _, limit := range []int{0, 3} {
			answers(t, prefix, func(q questions) ([]string, error) { return q.Files(ctx, prefix, limit) }, l, s)
		}
	}
}

// merged returns the counts without their worktrees, sorted.
func merged(counts []ledger.RunCount) (all []ledger.RunCount) {
	for _, c := range counts {
		c.Worktree = ""
		i := slices.IndexFunc(all, func(o ledger.RunCount) bool {
			return o.Status == c.Status && o.Kind == c.Kind && o.Branch == c.Branch && o.Repository == c.Repository
		})
		if i < 0 {
			all = append(all, c)
			continue
		}
		all[i].Runs += c.Runs
	}
	slices.SortFunc(all, func(a, b ledger.RunCount) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Branch, b.Branch), cmp.Compare(a.Repository, b.Repository))
	})
	return all
}

// A search finds the same in both stores, with the same marks.
func TestSearchIsThatOfTheLedger(t *testing.T) {
	t.Parallel()
	l := generated(t, storetest.Size{Runs: 30, Iterations: 2, Violations: 20})
	s := pushed(t, migrated(t), l)
	all := must(l.Violations(t.Context(), ledger.ViolationFilter{}))(t)
	for _, query := range []string{
		"error", "error -handled", `"ERROR of call"`, `"of error"`, "unnoticed 123", "call 12*", "error -1* -2*", "nosuch", "done handle error",
		"of_call", "handled,", "12* 13*", "-x call", "is-not", `"not handled" so`,
	} {
		q := must(ledger.ParseSearch(query, nil))(t)
		for name, f := range map[string]ledger.ViolationFilter{
			"all": {}, "run": {Run: all[100].Run}, "file": {File: all[100].Place.File}, "folder": {File: "src/module1*/*.go"},
			"no file": {File: "nosuch"}, "skipped": {Statuses: []ledger.Status{ledger.StatusSkipped}},
			"high": {Priorities: []ledger.Priority{ledger.High}}, "old": {Reported: ledger.Period{Until: all[400].FirstSeen}},
			"gate": {Gate: "quality", Adapter: "codex"}, "no gate": {Gate: "nosuch"},
			"events": {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusFixed}, At: ledger.Period{Since: all[200].FirstSeen}}},
		} {
			for _, f.Limit = range []int{0, 20} {
				want, got := must(l.Search(t.Context(), q, f))(t), must(s.Search(t.Context(), q, f))(t)
				if d := gocmp.Diff(scores(t, want), scores(t, got), cmpopts.EquateEmpty()); d != "" {
					t.Errorf("%s, %s, limit %d: scores (-ledger +team):\n%s", query, name, f.Limit, d)
				}
				// If scores are equal, a ledger returns first what was recorded last.
				if d := gocmp.Diff(byID(want), byID(got), local); d != "" && f.Limit == 0 {
					t.Errorf("%s, %s (-ledger +team):\n%s", query, name, d)
				}
				if !slices.IsSortedFunc(got, func(a, b ledger.SearchHit) int {
					return cmp.Or(-cmp.Compare(score(t, a), score(t, b)), b.Violation.FirstSeen.Compare(a.Violation.FirstSeen))
				}) {
					t.Errorf("%s, %s: not the best first, and the newest of equals", query, name)
				}
			}
		}
	}
	q := must(ledger.ParseSearch("call 1* error", nil))(t)
	whole := must(s.Search(t.Context(), q, ledger.ViolationFilter{}))(t)
	var paged []ledger.SearchHit
	for f := (ledger.ViolationFilter{Limit: 30}); ; f.After = paged[len(paged)-1].Cursor {
		page := must(s.Search(t.Context(), q, f))(t)
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
	}
	if d := gocmp.Diff(whole, paged); d != "" || len(whole) < 100 {
		t.Errorf("of %d (-whole +pages):\n%s", len(whole), d)
	}
	for _, cursor := range []string{"zzz", "?", lists.Cursor(ledger.SortNewest, ledger.ListedViolation{})} {
		if _, err := s.Search(t.Context(), q, ledger.ViolationFilter{After: cursor}); !errors.Is(err, ledger.ErrCursor) {
			t.Errorf("cursor %q: %v", cursor, err)
		}
	}
}

// score returns how well a hit fits, from its cursor.
func score(t *testing.T, hit ledger.SearchHit) float64 {
	t.Helper()
	var key struct{ Score float64 }
	data := must(base64.RawURLEncoding.DecodeString(hit.Cursor))(t)
	if err := json.Unmarshal(data, &key); err != nil {
		t.Fatal(err)
	}
	return key.Score
}

func scores(t *testing.T, hits []ledger.SearchHit) (list []float64) {
	t.Helper()
	for _, hit := range hits {
		list = append(list, score(t, hit))
	}
	return list
}

func byID(hits []ledger.SearchHit) map[string]ledger.SearchHit {
	all := make(map[string]ledger.SearchHit, len(hits))
	for _, hit := range hits {
		all[hit.Violation.ID] = hit
	}
	return all
}

// Two ledgers may have drawn the same short id: then the error names the ULIDs.
func TestShortIDsOfTwoLedgers(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	l := generated(t, storetest.Size{Runs: 2, Iterations: 2, Violations: 4})
	s := pushed(t, url, l)
	all := must(l.Violations(t.Context(), ledger.ViolationFilter{}))(t)
	for _, id := range []string{all[2].ShortID, all[0].ID, strings.ToLower(all[5].ID)} {
		if d := gocmp.Diff(must(l.History(t.Context(), id))(t), must(s.History(t.Context(), id))(t), local); d != "" {
			t.Errorf("%s (-ledger +team):\n%s", id, d)
		}
	}
	twin(t, url, all[2].ShortID, all[1].ID)
	_, err := s.History(t.Context(), all[2].ShortID)
	var several *ledger.IDError
	if !errors.As(err, &several) || !slices.Equal(several.Matches, slices.Sorted(slices.Values([]string{all[1].ID, all[2].ID}))) {
		t.Errorf("twins: %v", err)
	}
	if _, err := s.History(t.Context(), "nosuch"); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
}

func twin(t *testing.T, url, shortID, id string) {
	t.Helper()
	teamtest.Exec(t, url, fmt.Sprintf("UPDATE violation SET short_id = '%s' WHERE id = '%s'", shortID, id))
}

// A search starts with the latest days. It finds everything, however old it is, and for a frequent
// word the newest.
func TestSearchOfAYear(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	sending(t, url, generated(t, storetest.Size{Runs: 200, Iterations: 2, Violations: 100, Varied: true}), exchange.ContentWords)
	// Some reports have no time, some are from a day long ago, and some days have none.
	teamtest.Exec(t, url, "UPDATE report SET at = NULL WHERE run = (SELECT max(r.id) FROM run AS r)",
		"UPDATE report SET at = '1969-12-30T12:00:00Z' WHERE run = (SELECT min(r.id) FROM run AS r)",
		"UPDATE report SET at = '2199-01-01T00:00:00Z' WHERE run = (SELECT r.id FROM run AS r ORDER BY r.id OFFSET 50 LIMIT 1)")
	s := asked(t, url)
	for query, words := range map[string]string{
		"lock": "'lock'", "handler": "'handler'", "network call*": "'network' & 'call':*", "panic": "'panic'", "handle1*": "'handle1':*", "without -lock": "'without' & !'lock'",
		`"of the user"`: "'of' <-> 'the' <-> 'user'", "handle123*": "'handle123':*", "nosuch": "'nosuch'",
	} {
		q := must(ledger.ParseSearch(query, nil))(t)
		f := ledger.ViolationFilter{Repository: "github.com/example/api"}
		matching := func(newest int) map[string]bool {
			all := map[string]bool{}
			for _, id := range teamtest.Ask[[]string](t, url, `
				SELECT coalesce(array_agg(DISTINCT m.violation), '{}') FROM (
					SELECT r.violation, r.disposition FROM report AS r WHERE r.words @@ $1::text::tsquery
					ORDER BY r.at DESC, r.run DESC, r.iteration DESC, r.job DESC, r.slot DESC, r.position DESC LIMIT $2
				) AS m JOIN violation AS v ON v.id = m.violation JOIN repository AS p ON p.id = v.repository
				WHERE m.disposition = 'accepted' AND p.key = $3`, words, newest, f.Repository) {
				all[id] = true
			}
			return all
		}
		found := func(limit int) map[string]bool {
			f.Limit = limit
			all := map[string]bool{}
			for _, hit := range must(s.Search(t.Context(), q, f))(t) {
				if hit.Violation != nil {
					all[hit.Violation.ID] = true
				}
			}
			return all
		}
		if d := gocmp.Diff(matching(1_000_000), found(0)); d != "" {
			t.Errorf("%s (-matching +found):\n%.2000s", query, d)
		}
		newest := matching(16_000)
		for id := range found(20) {
			if !newest[id] {
				t.Errorf("%s: %s is not among the newest", query, id)
			}
		}
	}
}
