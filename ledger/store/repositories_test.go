package store

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// The open run of a scope is found by the name of the worktree, or else by its path.
func TestOpenIn(t *testing.T) {
	t.Parallel()
	const repository, other = 2, 3
	origin := ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "host/a"}
	scope := ledger.Scope{Kind: ledger.KindGates, Worktree: "/w", LogDir: "logs", Repository: origin, Begun: "begun"}
	soleScope := scope
	soleScope.Repository.Sole = true
	unidentified := scope
	unidentified.Repository = ledger.Repository{}
	run := func(id string, repository int64, change func(*runRow)) runRow {
		r := runRow{RepositoryRow: repository, WorktreeKnown: true, Run: ledger.Run{ID: id, Kind: ledger.KindGates, Worktree: "/w", LogDir: "logs"}}
		if change != nil {
			change(&r)
		}
		return r
	}
	moved := func(r *runRow) { r.Worktree = "/elsewhere" }
	nameless := func(r *runRow) { r.WorktreeKnown = false }
	otherName := func(r *runRow) { r.WorktreeName = "tree" }
	otherLogs := func(r *runRow) { r.LogDir = "other" }
	review := func(r *runRow) { r.Kind = ledger.KindCodeReview }
	for name, test := range map[string]struct {
		scope         ledger.Scope
		sole          bool
		open          []runRow // the oldest first
		want, another string
	}{
		"none":                                 {scope, false, nil, "", ""},
		"its own":                              {scope, false, []runRow{run("A", repository, nil)}, "A", ""},
		"another worktree of that name":        {scope, false, []runRow{run("A", other, moved)}, "", ""},
		"another kind":                         {scope, false, []runRow{run("A", repository, review)}, "", ""},
		"the worktree was moved":               {scope, false, []runRow{run("A", repository, moved)}, "A", ""},
		"another worktree at the path":         {scope, false, []runRow{run("A", repository, otherName)}, "", ""},
		"before worktrees had names":           {scope, false, []runRow{run("A", repository, nameless)}, "A", ""},
		"another repository at the path":       {scope, false, []runRow{run("A", other, nil)}, "", ""},
		"before the repository was known":      {scope, false, []runRow{run("A", unknownRepository, nameless)}, "A", ""},
		"this checkout began it":               {scope, false, []runRow{run("begun", other, nil)}, "begun", ""},
		"the only repository":                  {scope, true, []runRow{run("A", other, nil)}, "A", ""},
		"the only one, unknown and moved":      {soleScope, true, []runRow{run("A", unknownRepository, moved)}, "A", ""},
		"unknown and moved, beside others":     {scope, false, []runRow{run("A", unknownRepository, moved)}, "", ""},
		"a place without a repository":         {unidentified, true, []runRow{run("A", repository, otherName)}, "A", ""},
		"by name before by path":               {scope, true, []runRow{run("A", repository, moved), run("B", other, nil)}, "A", ""},
		"the newest at the path":               {scope, true, []runRow{run("A", other, nameless), run("B", other, nil)}, "B", ""},
		"another log directory":                {scope, false, []runRow{run("A", repository, otherLogs), run("B", repository, otherLogs)}, "", "B"},
		"another log directory besides":        {scope, false, []runRow{run("A", repository, otherLogs), run("B", repository, nil)}, "B", "A"},
		"another log directory of another one": {scope, false, []runRow{run("A", other, otherLogs)}, "", ""},
	} {
		for i := range test.open {
			test.open[i].Row = int64(i + 1)
		}
		found, elsewhere := openIn(test.scope, repository, test.sole, test.open)
		for _, got := range []struct {
			run  *runRow
			want string
		}{{found, test.want}, {elsewhere, test.another}} {
			if id := idOf(got.run); id != got.want {
				t.Errorf("%s: run %q, want %q", name, id, got.want)
			}
		}
	}
}

func idOf(r *runRow) string {
	if r == nil {
		return ""
	}
	return r.ID
}
