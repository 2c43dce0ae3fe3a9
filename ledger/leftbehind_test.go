package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// What an abandoned run left open or claimed is named until it is skipped, or a later run has the
// same words on the same line.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	of := func(id, run, line, issue string, runStatus ledger.RunStatus, status ledger.Status) ledger.ListedViolation {
		v := listed(id, status, at("a.go", 3))
		v.Run, v.RunStatus, v.RunOpen, v.Fingerprint, v.Issue = run, runStatus, false, line, issue
		return v
	}
	abandoned, passed := ledger.StatusAbandoned, ledger.StatusPassed
	left := of("a", "1", "x", "Bad", abandoned, ledger.StatusNew)
	for name, test := range map[string]struct {
		newestFirst []ledger.ListedViolation
		want        string
	}{
		"nothing":                  {nil, ""},
		"open":                     {[]ledger.ListedViolation{left}, "a"},
		"claimed, reopened":        {[]ledger.ListedViolation{of("b", "1", "x", "Bad", abandoned, ledger.StatusFixed), of("c", "1", "x", "Bad", abandoned, ledger.StatusReopened)}, "b c"},
		"settled":                  {[]ledger.ListedViolation{of("b", "1", "x", "Bad", abandoned, ledger.StatusSkipped), of("c", "1", "x", "Bad", abandoned, ledger.StatusVerified)}, ""},
		"of a run that passed":     {[]ledger.ListedViolation{of("b", "1", "x", "Bad", passed, ledger.StatusNew)}, ""},
		"again, and skipped":       {[]ledger.ListedViolation{of("b", "2", "x", "bad.", passed, ledger.StatusSkipped), left}, ""},
		"again, and left again":    {[]ledger.ListedViolation{of("b", "2", "x", "Bad", abandoned, ledger.StatusNew), left}, "b"},
		"skipped before":           {[]ledger.ListedViolation{left, of("b", "0", "x", "Bad", passed, ledger.StatusSkipped)}, "a"},
		"another finding there":    {[]ledger.ListedViolation{of("b", "2", "x", "Odd", passed, ledger.StatusSkipped), left}, "a"},
		"the same words elsewhere": {[]ledger.ListedViolation{of("b", "2", "y", "Bad", passed, ledger.StatusSkipped), left}, "a"},
	} {
		var ids []string
		found := ledger.LeftBehind(test.newestFirst)
		for _, v := range found {
			ids = append(ids, v.ShortID)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if said := ledger.SayLeftBehind(found); (said == "") != (test.want == "") || test.want != "" && !strings.Contains(said, "("+strings.Join(ids, ", ")+")") {
			t.Errorf("%s: %q", name, said)
		}
	}
	for n, want := range map[int]string{10: "a)", 11: "a, and 1 more)", 12: "a, and 2 more)"} {
		if said := ledger.SayLeftBehind(slices.Repeat([]ledger.ListedViolation{left}, n)); !strings.Contains(said, fmt.Sprintf("left %d violations", n)) || !strings.Contains(said, want) {
			t.Error(said)
		}
	}
}
