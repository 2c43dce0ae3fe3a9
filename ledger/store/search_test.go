package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
)

// Whichever index a listing is read from, it has exactly the violations that the
// filter keeps, newest first, and with a limit the first of them.
func TestListingsAreWhatTheFilterKeeps(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 60, Iterations: 2, Violations: 40}, now); err != nil {
		t.Fatal(err)
	}
	l, err := store.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Violations(t.Context(), ledger.ViolationFilter{})
	if err != nil || len(all) != 2400 {
		t.Fatalf("%d violations, %v", len(all), err)
	}
	runs, err := l.Runs(t.Context(), ledger.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	branches, worktrees := map[string]string{}, map[string]string{}
	for _, run := range runs {
		branches[run.ID], worktrees[run.ID] = run.Branch, run.Worktree
	}
	oldest := all[len(all)-1]
	for name, f := range map[string]ledger.ViolationFilter{
		"open":                  {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusReopened}},
		"run":                   {Run: all[1000].Run},
		"one file":              {File: all[1000].Place.File},
		"all files":             {File: "src/**"},
		"folder":                {File: "src/module3/*.go"},
		"many folders":          {File: "src/module[1-4]*/*.go"},
		"files of old runs":     {File: "src/module*/*.go", Run: oldest.Run},
		"rare in many files":    {File: "src/**/*.go", Priorities: []ledger.Priority{oldest.Priority}, Reported: ledger.Period{Until: oldest.FirstSeen.Add(time.Hour)}},
		"open in a folder":      {File: "src/module1*/*.go", Statuses: []ledger.Status{ledger.StatusReopened}},
		"fingerprint":           {Fingerprint: all[7].Fingerprint},
		"changed":               {Changed: ledger.Period{Since: now.Add(-30 * 24 * time.Hour)}},
		"changed and reported":  {Changed: ledger.Period{Since: all[900].StatusAt, Until: all[100].StatusAt}, Reported: ledger.Period{Since: all[800].FirstSeen}},
		"reported":              {Reported: ledger.Period{Since: all[1500].FirstSeen, Until: all[300].FirstSeen}},
		"adapter and iteration": {Adapter: "codex", Iteration: 2},
		"adapter and priority":  {Adapter: "gemini", Priorities: []ledger.Priority{ledger.High, ledger.Info}},
		"skipped without":       {Reasons: []ledger.SkipReason{ledger.NoReason}, Iteration: 1},
		"statuses":              {Statuses: []ledger.Status{ledger.StatusVerified, ledger.StatusReopened}},
		"gate":                  {Gate: "quality", EntryPoint: "src", Alone: true},
		"branch":                {Branch: "feature-3"},
		"worktree and pattern":  {Worktree: "/work/tree7", File: "src/**"},
		"skipped by the agent":  {Actors: []ledger.Actor{ledger.ActorAgent}},
		"by agent or reviewer":  {Actors: []ledger.Actor{ledger.ActorAgent, ledger.ActorReviewer}, Adapter: "codex"},
		"no human":              {Actors: []ledger.Actor{ledger.ActorHuman}},
		"no such gate":          {Gate: "nosuch"},
		"no such branch":        {Branch: "nosuch", Statuses: []ledger.Status{ledger.StatusReopened}},
		"not yet marked":        {Statuses: []ledger.Status{ledger.StatusFixed}},
		"none in a fix":         {InFixLines: true},
		"none for this reason":  {Reasons: []ledger.SkipReason{ledger.Deferred}},
	} {
		var kept []ledger.ListedViolation
		for _, v := range all {
			if store.Matches(f, v) && (f.Branch == "" || branches[v.Run] == f.Branch) && (f.Worktree == "" || worktrees[v.Run] == f.Worktree) {
				kept = append(kept, v)
			}
		}
		if empty := strings.HasPrefix(name, "no"); empty != (len(kept) == 0) {
			t.Errorf("%s: the filter keeps %d", name, len(kept))
		}
		for _, f.Sort = range ledger.Sorts() {
			sorted := slices.Clone(kept)
			ledger.SortListed(sorted, f.Sort)
			want := shortIDs(sorted)
			for _, f.Limit = range []int{0, 1, 250, 2400} {
				found, err := l.Violations(t.Context(), f)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if diff := cmp.Diff(want[:limited(len(want), f.Limit)], shortIDs(found)); diff != "" {
					t.Errorf("%s, %s, limit %d (-want +got):\n%s", name, f.Sort, f.Limit, diff)
				}
			}
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
