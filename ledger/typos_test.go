package ledger

import (
	"slices"
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	t.Parallel()
	names := []string{"check", "clean", "demo", "detect", "doctor", "init", "run", "review", "validate", "version", "timeOut"}
	tests := []struct {
		word string
		want []string
	}{
		{"rnu", []string{"run"}},
		{"chekc", []string{"check"}},
		{"Doctor", []string{"doctor"}},
		{"val", []string{"validate"}},
		{"reviews", []string{"review"}},
		{"dection", nil},
		{"xyzzy", nil},
		{strings.Repeat("run", 100_000), nil},
		{"time_out", []string{"timeOut"}},
		{"", nil},
	}
	for _, test := range tests {
		if got := Closest(test.word, names); !slices.Equal(got, test.want) {
			t.Errorf("Closest(%.20q) = %q, want %q", test.word, got, test.want)
		}
	}
}

// Words that differ by one typing error are one edit apart.
func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"run", "run", 0}, {"", "run", 3}, {"run", "ran", 1}, {"run", "runs", 1}, {"run", "un", 1}, {"status", "sattus", 1}, {"run", "rnu", 1}, {"run", "urn", 1},
		{"kitten", "sitting", 3}, {"abc", "cba", 2}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {"a", "b", 1}, {"ca", "abc", 3}, {"aab", "aba", 1}, {"flaw", "lawn", 2}, {"xaby", "xbay", 1},
	} {
		if there, back := editDistance(test.a, test.b), editDistance(test.b, test.a); there != test.want || back != test.want {
			t.Errorf("%q and %q: %d, and back %d", test.a, test.b, there, back)
		}
	}
}
