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
