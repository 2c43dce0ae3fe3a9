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
