package clients

import (
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
