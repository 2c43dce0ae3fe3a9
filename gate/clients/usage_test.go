package clients

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestUsageOf(t *testing.T) {
	t.Parallel()
	got := usageOf(map[string]tokens{"side": {100, 0, 1}, "b": {10, 4, 9}, "a": {1, 0, 9}})
	input, cached, output := int64(111), int64(4), int64(19)
	want := ledger.Usage{Model: "a", InputTokens: &input, CachedTokens: &cached, OutputTokens: &output}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ledger.Usage{}, usageOf(nil)); diff != "" {
		t.Errorf("usage of nothing (-want +got):\n%s", diff)
	}
}

// A figure that cannot be true counts as not reported.
func TestPlausible(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cost                  float64
		input, cached, output int64
		want                  string
	}{
		{0, 0, 0, 0, "cached cost input output"},
		{maxCost, maxTokens, maxTokens, maxTokens, "cached cost input output"},
		{-0.01, 1, 1, 1, "cached input output"},
		{maxCost + 1, -1, 1, 1, "cached output"},
		{1, maxTokens + 1, -1, 1, "cost output"},
		{1, 1, maxTokens + 1, -1, "cost input"},
		{1, 1, 1, maxTokens + 1, "cached cost input"},
	} {
		u := plausible(ledger.Usage{CostUSD: &test.cost, InputTokens: &test.input, CachedTokens: &test.cached, OutputTokens: &test.output})
		var left []string
		for name, is := range map[string]bool{"cost": u.CostUSD != nil, "input": u.InputTokens != nil, "cached": u.CachedTokens != nil, "output": u.OutputTokens != nil} {
			if is {
				left = append(left, name)
			}
		}
		slices.Sort(left)
		if strings.Join(left, " ") != test.want {
			t.Errorf("%+v leaves %q", test, left)
		}
	}
	if diff := cmp.Diff(ledger.Usage{Model: "m"}, plausible(ledger.Usage{Model: "m"})); diff != "" {
		t.Errorf("without figures (-want +got):\n%s", diff)
	}
}
