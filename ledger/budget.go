package ledger

import (
	"cmp"
	"fmt"
)

// Spent is the cost of model calls, if reviewers reported it.
type Spent struct {
	// Calls counts the calls of models, and Known those with a known cost.
	Calls   int     `json:"calls"`
	Known   int     `json:"known_calls"`
	CostUSD float64 `json:"cost_usd"`
	// Tokens counts input and output tokens, without cached ones.
	Tokens int64 `json:"tokens"`
	// Priced is whether a call said what it cost, its tokens or its model. A command of the user's own
	// says none of them, and may cost nothing.
	Priced bool `json:"-"`
	// Silent lists the adapters that reported no cost, in order of their first call.
	Silent []string `json:"-"`
}

// Add returns the usage of two calls together, one of which may have reported less than the other.
// The model is that of the first call that names one.
func (u Usage) Add(other Usage) Usage {
	return Usage{
		Model:        cmp.Or(u.Model, other.Model),
		InputTokens:  addReported(u.InputTokens, other.InputTokens),
		CachedTokens: addReported(u.CachedTokens, other.CachedTokens),
		OutputTokens: addReported(u.OutputTokens, other.OutputTokens),
		CostUSD:      addReported(u.CostUSD, other.CostUSD),
	}
}

func addReported[N int64 | float64](a, b *N) *N {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := *a + *b
	return &sum
}

// SpentIn adds up the cost of all iterations of the run.
func SpentIn(state *State) (spent Spent) {
	for _, gate := range state.Gates {
		for _, slot := range gate.Slots {
			spent.Add(slot.Adapter, slot.Calls, slot.Usage)
		}
	}
	return spent
}

// Add adds calls of an adapter, and adds the adapter to Silent if they have no cost.
func (s *Spent) Add(adapter string, calls int, usage Usage) {
	if calls == 0 || usage.Free() {
		return
	}
	s.Calls += calls
	s.Priced = s.Priced || usage != Usage{}
	for _, tokens := range []*int64{usage.InputTokens, usage.OutputTokens} {
		if tokens != nil {
			s.Tokens += *tokens
		}
	}
	if usage.CachedTokens != nil && usage.InputTokens != nil {
		s.Tokens -= min(*usage.CachedTokens, *usage.InputTokens)
	}
	if usage.CostUSD != nil {
		s.Known += calls
		s.CostUSD += *usage.CostUSD
		return
	}
	for _, silent := range s.Silent {
		if silent == adapter {
			return
		}
	}
	s.Silent = append(s.Silent, adapter)
}

// Free reports whether no model was called: tools and the built-in reviewer report a cost of 0 and
// no tokens.
func (u Usage) Free() bool {
	return u.CostUSD != nil && *u.CostUSD == 0 && u.InputTokens == nil && u.OutputTokens == nil
}

// Budget is what a run may spend. A limit of 0 means no limit.
type Budget struct {
	CostUSD float64
	Tokens  int64
}

// Dollars formats an amount with two decimals, or four if it is below one cent, so that small
// amounts can be compared.
func Dollars(usd float64) string {
	if usd > 0 && usd < 0.01 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// Reached returns why no further reviewer may be called, or "" if one may.
//
// Rule: Slots are filled round-robin.
func (b Budget) Reached(spent Spent) string {
	const remedy = "raise budget in .gauntlet/config.yml, or `reviewledger clean`"
	switch {
	case b.CostUSD > 0 && spent.CostUSD >= b.CostUSD:
		return fmt.Sprintf("budget of %s reached: %s spent; %s", Dollars(b.CostUSD), Dollars(spent.CostUSD), remedy)
	case b.Tokens > 0 && spent.Tokens >= b.Tokens:
		return fmt.Sprintf("budget of %d tokens reached: %d used; %s", b.Tokens, spent.Tokens, remedy)
	}
	return ""
}
