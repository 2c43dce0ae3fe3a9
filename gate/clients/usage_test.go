package clients

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUsageAdd(t *testing.T) {
	t.Parallel()
	one, two, three := int64(1), int64(2), int64(3)
	cost := 0.5
	a := Usage{InputTokens: &one, OutputTokens: &two}
	b := Usage{Model: "m", InputTokens: &two, CostUSD: &cost}
	want := Usage{Model: "m", InputTokens: &three, OutputTokens: &two, CostUSD: &cost}
	for _, got := range []Usage{a.Add(b), b.Add(a)} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("sum (-want +got):\n%s", diff)
		}
	}
	if one != 1 || two != 2 {
		t.Error("Add changes its operands")
	}
}

func TestUsageOf(t *testing.T) {
	t.Parallel()
	got := usageOf(map[string]tokens{"side": {100, 0, 1}, "b": {10, 4, 9}, "a": {1, 0, 9}})
	input, cached, output := int64(111), int64(4), int64(19)
	want := Usage{Model: "a", InputTokens: &input, CachedTokens: &cached, OutputTokens: &output}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Usage{}, usageOf(nil)); diff != "" {
		t.Errorf("usage of nothing (-want +got):\n%s", diff)
	}
}
