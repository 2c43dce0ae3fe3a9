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
		want := ledger.ActorSystem
		if slices.Contains(users, cause) {
			want = ledger.ActorUser
		}
		if got := cause.By(); got != want {
			t.Errorf("%s: %s", cause, got)
		}
	}
}

// Only a skip is taken back, by whatever comes after it but another skip.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		events []ledger.Status
		want   bool
	}{
		{[]ledger.Status{ledger.StatusSkipped}, false},
		{[]ledger.Status{ledger.StatusSkipped, ledger.StatusSkipped}, false},
		{[]ledger.Status{ledger.StatusSkipped, ledger.StatusSkipped, ledger.StatusNew}, true},
		{[]ledger.Status{ledger.StatusFixed, ledger.StatusVerified}, false},
	} {
		var events []ledger.Event
		for _, status := range test.events {
			events = append(events, ledger.Event{Status: status})
		}
		if got := ledger.TakenBack(events); got != test.want {
			t.Errorf("%s: %t", test.events, got)
		}
	}
}
