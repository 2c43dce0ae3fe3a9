package ledger_test

import (
	"slices"
	"testing"

	"github.com/reviewledger/reviewledger/internal/testing/ledgertest"
	"github.com/reviewledger/reviewledger/ledger"
)

// A user starts, verifies, extends, interrupts and abandons; everything else is caused by the program.
func TestWhoCauses(t *testing.T) {
	t.Parallel()
	users := []ledger.Cause{ledger.CauseStarted, ledger.CauseVerification, ledger.CauseInterrupted, ledger.CauseClean, ledger.CauseExtended}
	for _, cause := range ledgertest.Words[ledger.Cause](t, ".") {
		want := ledger.MoverSystem
		if slices.Contains(users, cause) {
			want = ledger.MoverUser
		}
		if got := cause.By(); got != want {
			t.Errorf("%s: %s", cause, got)
		}
	}
}
