package clients

import (
	"cmp"
	"maps"
	"slices"
)

// Usage is what a client reported of the tokens and the cost of a call. A nil
// pointer means that it reported nothing.
type Usage struct {
	// Model is the one that the client reported, else the one asked for.
	Model string
	// InputTokens counts all input, CachedTokens the part of it that was read
	// from a cache.
	InputTokens, CachedTokens *int64
	// OutputTokens includes what the model spent on thinking.
	OutputTokens *int64
	CostUSD      *float64
}

// Add returns the usage of two calls together, of which one may have reported
// less than the other. The model is that of the first call that names one.
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

// tokens are one model's counts, in the meaning of [Usage].
type tokens struct{ input, cached, output int64 }

// usageOf adds up what a client reported per model. The model named is the one
// that wrote most: clients use small models for side jobs.
func usageOf(models map[string]tokens) Usage {
	if len(models) == 0 {
		return Usage{}
	}
	var sum tokens
	for _, t := range models {
		sum.input += t.input
		sum.cached += t.cached
		sum.output += t.output
	}
	names := slices.Sorted(maps.Keys(models))
	model := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(models[a].output, models[b].output) })
	return Usage{Model: model, InputTokens: &sum.input, CachedTokens: &sum.cached, OutputTokens: &sum.output}
}
