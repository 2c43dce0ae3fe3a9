package ledger_test

import (
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// An age has the largest unit of which there are enough to tell it from the next age.
func TestAge(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0 seconds", time.Second: "1 second", 59 * time.Minute: "59 minutes", 61 * time.Minute: "1 hour", 47 * time.Hour: "47 hours", 49 * time.Hour: "2 days",
	} {
		if got := ledger.Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
