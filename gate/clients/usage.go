package clients

import (
	"cmp"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// tokens are one model's counts, with the meaning that they have in [ledger.Usage].
type tokens struct{ input, cached, output int64 }

// usageOf adds up the counts of all models. It names the model with the most output: clients use
// small models for side jobs.
func usageOf(models map[string]tokens) ledger.Usage {
	if len(models) == 0 {
		return ledger.Usage{}
	}
	var sum tokens
	for _, t := range models {
		sum.input += t.input
		sum.cached += t.cached
		sum.output += t.output
	}
	names := slices.Sorted(maps.Keys(models))
	model := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(models[a].output, models[b].output) })
	return ledger.Usage{Model: model, InputTokens: &sum.input, CachedTokens: &sum.cached, OutputTokens: &sum.output}
}

// maxCost, in US dollars, and maxTokens are more than any call can need.
const (
	maxCost   = 1e6
	maxTokens = 1e12
)

// plausible leaves out figures that cannot be true: a negative one would give back what a budget
// has counted.
func plausible(u ledger.Usage) ledger.Usage {
	if u.CostUSD != nil && (*u.CostUSD < 0 || *u.CostUSD > maxCost) {
		u.CostUSD = nil
	}
	for _, count := range []**int64{&u.InputTokens, &u.CachedTokens, &u.OutputTokens} {
		if *count != nil && (**count < 0 || **count > maxTokens) {
			*count = nil
		}
	}
	return u
}
