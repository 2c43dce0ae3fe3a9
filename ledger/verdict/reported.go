package verdict

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// CheckReported returns why the findings cannot be the result of a verification, or "" if they can.
// They must be findings that are still in the code, in one of the domains if any are given.
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

// ReportedEntries returns the reports that follow from a finding that a verification reports again.
// Each is about the claim that the finding's id names, at its current place, or has no ID if the id
// names none. The id contains lines. It may have been computed from the current lines, and so name
// another claim than the one that is meant. If the lines have moved, the id is therefore read in
// both ways, and whichever claim is meant is reopened.
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
