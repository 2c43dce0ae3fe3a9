package verdict

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// CheckReported says why the findings cannot be the outcome of a verification, or "" if they can.
// They must be findings that are still there, in the domains that were named, if any were.
//
// Rule: The verdict counts what is open.
func CheckReported(findings []FindingEntry, domains []string) string {
	for n, f := range findings {
		status, _ := ParseFindingStatus(f.Status)
		switch {
		case f.Status != "" && !status.Open():
			return Problem{n, "status", fmt.Sprintf("is %q, but a verification lists only what is still there: omit what is fixed, and set the others to open or reopened", f.Status)}.String()
		case len(domains) > 0 && !slices.Contains(domains, f.Domain):
			return Problem{n, "domain", fmt.Sprintf("is %q, which is not among --domains", cut(f.Domain))}.String()
		}
	}
	return ""
}

// ReportedEntries returns the reports that follow from a finding which a verification reports again.
// Each is about the claim that the finding's id names, at its present place, or has no ID if it names
// none. The id contains lines, and may have been made from the lines as they are now, so that it
// names another claim than is meant. If the lines have moved, it is therefore read in both ways:
// whatever is meant is reopened.
func ReportedEntries(f FindingEntry, claim ledger.Violation) []ledger.Entry {
	byPlace := f.entry()
	if claim.ID == "" {
		return []ledger.Entry{byPlace}
	}
	named := byPlace
	named.SameAs = claim.ShortID
	if claim.Place == f.Place() {
		return []ledger.Entry{named}
	}
	return []ledger.Entry{named, byPlace}
}
