package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestSpentIn(t *testing.T) {
	t.Parallel()
	n := func(n int64) *int64 { return &n }
	cost := func(c float64) *float64 { return &c }
	slot := func(adapter string, calls int, usage ledger.Usage) ledger.Slot {
		return ledger.Slot{Adapter: adapter, Calls: calls, Usage: usage}
	}
	state := &ledger.State{Gates: []ledger.Gate{
		{Iteration: 1, Slots: []ledger.Slot{
			slot("claude", 2, ledger.Usage{InputTokens: n(100), CachedTokens: n(30), OutputTokens: n(7), CostUSD: cost(1.5)}),
			slot("codex", 1, ledger.Usage{InputTokens: n(10), OutputTokens: n(1)}),
			slot("gemini", 0, ledger.Usage{}),                    // it was not asked
			slot("cursor", 1, ledger.Usage{CachedTokens: n(40)}), // the cost is not known
		}},
		{Iteration: 2, Slots: []ledger.Slot{slot("codex", 1, ledger.Usage{}), slot("claude", 1, ledger.Usage{CostUSD: cost(0.25)})}},
		{Iteration: 3, Slots: []ledger.Slot{slot("eslint", 2, ledger.Usage{CostUSD: cost(0)}), slot("local", 1, ledger.Usage{InputTokens: n(1), CostUSD: cost(0)}), slot("local", 1, ledger.Usage{OutputTokens: n(2), CostUSD: cost(0)})}},
	}}
	want := ledger.Spent{Calls: 8, Known: 5, CostUSD: 1.75, Tokens: 91, Priced: true, Silent: []string{"codex", "cursor"}}
	if diff := cmp.Diff(want, ledger.SpentIn(state)); diff != "" {
		t.Errorf("spent (-want +got):\n%s", diff)
	}
}

// Rule: Slots are filled round-robin.
func TestBudget(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		budget ledger.Budget
		spent  ledger.Spent
		want   string
	}{
		{ledger.Budget{}, ledger.Spent{CostUSD: 1e6, Tokens: 1e9}, ""},
		{ledger.Budget{CostUSD: 5}, ledger.Spent{CostUSD: 4.99}, ""},
		{ledger.Budget{CostUSD: 5}, ledger.Spent{CostUSD: 5.12}, "budget of $5.00 reached: $5.12 spent; raise budget in .gauntlet/config.yml, or `reviewledger clean`"},
		{ledger.Budget{CostUSD: 5}, ledger.Spent{CostUSD: 5}, "budget of $5.00 reached: $5.00 spent; raise budget in .gauntlet/config.yml, or `reviewledger clean`"},
		{ledger.Budget{CostUSD: 5, Tokens: 10}, ledger.Spent{Tokens: 9}, ""},
		{ledger.Budget{Tokens: 1}, ledger.Spent{Tokens: 1}, "budget of 1 tokens reached: 1 used; raise budget in .gauntlet/config.yml, or `reviewledger clean`"},
		{ledger.Budget{CostUSD: 0.001}, ledger.Spent{CostUSD: 0.004}, "budget of $0.0010 reached: $0.0040 spent; raise budget in .gauntlet/config.yml, or `reviewledger clean`"},
		{ledger.Budget{CostUSD: 5, Tokens: 10}, ledger.Spent{Tokens: 12}, "budget of 10 tokens reached: 12 used; raise budget in .gauntlet/config.yml, or `reviewledger clean`"},
	} {
		if got := test.budget.Reached(test.spent); got != test.want {
			t.Errorf("%+v of %+v: %q", test.spent, test.budget, got)
		}
	}
}

func TestDollars(t *testing.T) {
	t.Parallel()
	for usd, want := range map[float64]string{0: "$0.00", 0.0004: "$0.0004", 0.0099: "$0.0099", 0.01: "$0.01", 1.5: "$1.50", 12.345: "$12.35"} {
		if got := ledger.Dollars(usd); got != want {
			t.Errorf("%v: %s", usd, got)
		}
	}
}

func TestUsageAdd(t *testing.T) {
	t.Parallel()
	one, two, three := int64(1), int64(2), int64(3)
	cost := 0.5
	a := ledger.Usage{InputTokens: &one, OutputTokens: &two}
	b := ledger.Usage{Model: "m", InputTokens: &two, CostUSD: &cost}
	want := ledger.Usage{Model: "m", InputTokens: &three, OutputTokens: &two, CostUSD: &cost}
	for _, got := range []ledger.Usage{a.Add(b), b.Add(a)} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("sum (-want +got):\n%s", diff)
		}
	}
	if one != 1 || two != 2 {
		t.Error("Add changes its operands")
	}
}
