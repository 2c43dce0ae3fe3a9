package ledger_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: A mark is not a fix.
func TestBlank(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " \t\n\u00a0\u2028", "\u200b\u200d\ufeff\u2060", "\u0000\u0007\u001b\u0085", "\u3164\uffa0\u115f\u2800", "\u00ad\u202e\u2066", "\ufe0f\U000e0100\U000e0041", "\ufffd"} {
		if !ledger.Blank(text) {
			t.Errorf("%q has words", text)
		}
	}
	for _, text := range []string{"x", "\u200b.", "é", "\U0001f600", "\u4e00", "…"} {
		if ledger.Blank(text) {
			t.Errorf("%q has no words", text)
		}
	}
}
