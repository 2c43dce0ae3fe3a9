package text_test

import (
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/text"
)

// Widths are those of a terminal, whatever the locale, and cutting keeps what a
// reader sees as one letter in one piece.
func TestWidthAndCut(t *testing.T) {
	t.Parallel()
	const family = "👨‍👩‍👧"
	for _, test := range []struct {
		in    string
		width int
		cut   string // to 5 columns
	}{
		{"plain", 5, "plain"},
		{"longer", 6, "long…"},
		{"ünïc–", 5, "ünïc–"},
		{"e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", 6, "e\u0301e\u0301e\u0301e\u0301…"},
		{"日本語", 6, "日本…"},
		{"a日本", 5, "a日本"},
		{family + family + family, 6, family + family + "…"},
		{"abc" + family + "d", 6, "abc…"},
	} {
		if got := text.Width(test.in); got != test.width {
			t.Errorf("Width(%q) = %d, want %d", test.in, got, test.width)
		}
		if got := text.Cut(test.in, 5); got != test.cut {
			t.Errorf("Cut(%q) = %q, want %q", test.in, got, test.cut)
		}
	}
	long := strings.Repeat("日", 1000)
	if got := text.Cut(long, 0); got != long {
		t.Errorf("a width of 0 cut to %q", got)
	}
}
