package worktree

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// A run is recorded with the worktree's present state and scope.
func TestNewRun(t *testing.T) {
	t.Parallel()
	own := ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "example.org/a"}
	w := &Worktree{Repo: &diff.Repo{Root: "/r", WorktreeName: "linked", Branch: "topic", Head: "head"}, Config: &config.Config{}, Repository: own}
	want := ledger.Run{
		Kind: ledger.KindGates, Worktree: "/r", LogDir: "logs", Repository: own, WorktreeName: "linked", Branch: "topic", BaseRef: "main", Base: "base", Head: "head",
	}
	if d := cmp.Diff(want, w.NewRun(ledger.KindGates, "logs", "main", "base")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := w.HeadTree(); got != "head" {
		t.Error(got)
	}
}

// What the program and the tools write is not in any diff.
func TestExclude(t *testing.T) {
	t.Parallel()
	var tool config.Adapter
	tool.File = "out/a.sarif"
	w := &Worktree{Own: []string{"my.db"}, Config: &config.Config{LogDir: "logs", Adapters: map[string]config.Adapter{"tool": tool, "other": {}}}}
	if got := w.Exclude(); !slices.Equal(got, []string{"logs", ".code-review", "docs/code-reviews", "my.db", "out/a.sarif"}) {
		t.Errorf("%q", got)
	}
}

// Gates that do not run here are not part of the configuration that must pass.
//
// Rule: Done means passed as it is now.
func TestConfigHash(t *testing.T) {
	t.Parallel()
	hash := func(ci bool, command string) string {
		return (&Worktree{CI: ci, Config: &config.Config{
			EntryPoints: []config.EntryPoint{{Path: ".", Checks: []string{"remote", "both"}}},
			Checks:      map[string]config.Check{"remote": {Gate: config.Gate{RunInCI: true}, Command: command}, "both": {Gate: config.Gate{RunInCI: true, RunLocally: true}, Command: "true"}},
		}}).ConfigHash()
	}
	if hash(false, "a") != hash(false, "b") || hash(true, "a") == hash(true, "b") || hash(true, "a") == hash(false, "a") {
		t.Error("of which gates it is")
	}
}

func TestBudgetWarning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		budget float64
		silent []string
		want   string
	}{
		{0, []string{"a"}, ""}, {2, nil, ""}, {2, []string{"a", "b"}, "the budget of $2.00 does not count calls of a, b, which did not say what they cost"},
	} {
		w := &Worktree{Config: &config.Config{Budget: ledger.Budget{CostUSD: test.budget}}}
		if got := w.BudgetWarning(ledger.Spent{Silent: test.silent}); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
