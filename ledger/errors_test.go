package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// An ID that names nothing is told apart from one that names several rows, all of which are listed.
func TestIDError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		matches       []string
		is, isNot     error
		says, saysNot []string
	}{
		{nil, ledger.ErrNotFound, ledger.ErrAmbiguous, []string{"run", `"01AB"`}, []string{"more characters"}},
		{[]string{"01ABC", "01ABD"}, ledger.ErrAmbiguous, ledger.ErrNotFound, []string{`"01AB"`, "01ABC", "01ABD", "more characters"}, nil},
	} {
		err := error(&ledger.IDError{Kind: "run", ID: "01AB", Matches: test.matches})
		if !errors.Is(err, test.is) || errors.Is(err, test.isNot) {
			t.Errorf("%q: %v", test.matches, err)
		}
		for _, text := range test.says {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v, want %q", test.matches, err, text)
			}
		}
		for _, text := range test.saysNot {
			if strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v, with %q", test.matches, err, text)
			}
		}
	}
}
