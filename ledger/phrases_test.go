package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// At most forty names are listed, with the number of the others.
func TestSome(t *testing.T) {
	t.Parallel()
	names := slices.Repeat([]string{"a"}, 42)
	forty := "a" + strings.Repeat(", a", 39)
	for n, want := range map[int]string{0: "", 1: "a", 40: forty, 41: forty + " and 1 more", 42: forty + " and 2 more"} {
		if got := ledger.Some(names[:n]); got != want {
			t.Errorf("%d names: %q", n, got)
		}
	}
}

// An age is in the largest unit that distinguishes it from the next age.
func TestAge(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0 seconds", time.Second: "1 second", 59 * time.Minute: "59 minutes", time.Minute: "1 minute", time.Hour: "1 hour", 61 * time.Minute: "1 hour", 47 * time.Hour: "47 hours", 49 * time.Hour: "2 days",
	} {
		if got := ledger.Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
