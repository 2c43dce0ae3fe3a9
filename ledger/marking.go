package ledger

import (
	"fmt"
	"strings"
)

// Mark is what an agent or a human says of violations.
type Mark struct {
	Status Status // fixed, skipped or new
	Result string
	// Reason may be given for a skip.
	Reason SkipReason
	Actor  Actor
}

// MarkRequest says which violations to mark, and as what.
type MarkRequest struct {
	Mark
	// IDs are short ids, ULIDs or unique prefixes of violations.
	IDs []string
	// Filter finds the violations if there are no IDs. Without statuses it
	// finds the open ones.
	Filter *ViolationFilter
}

// Marked says what was marked.
type Marked struct {
	Violations []ListedViolation // as they were before
	Files      []string          // the files that say so now
	// Verdict is what the marked code review comes to, as it did before; empty for
	// a run of gates.
	Verdict VerdictWord
}

// MarkError says why violations cannot be marked, one line for each, with what
// would work instead.
type MarkError struct{ Lines []string }

func (e *MarkError) Error() string { return strings.Join(e.Lines, "\n") }

// Refuse says why the violation of a run of gates cannot be marked so, or "" if
// it can.
func (m Mark) Refuse(v ListedViolation) string {
	if !v.RunOpen {
		return fmt.Sprintf("violation %s belongs to run %s, which is closed (%s): only violations of an open run can be marked; if reviewers still see it, the next `reviewledger run` reports it with a new ID", v.ShortID, v.Run, v.RunStatus)
	}
	return m.refuseStatus(v)
}

// refuseStatus says why the violation's status rules the mark out.
func (m Mark) refuseStatus(v ListedViolation) string {
	switch {
	case v.Status == StatusVerified:
		return fmt.Sprintf("violation %s is verified: a reviewer confirmed the fix, so it cannot be marked", v.ShortID)
	case m.Status == StatusNew && v.Status.Open():
		return fmt.Sprintf("violation %s is already open (%s): mark it fixed or skipped", v.ShortID, v.Status)
	case !MayChange(m.Actor, v.Status, m.Status):
		return fmt.Sprintf("violation %s is %s, and an %s cannot mark it %s", v.ShortID, v.Status, m.Actor, m.Status)
	}
	return ""
}

// Check returns a [MarkError] if any of the violations of a run of gates cannot
// be marked so.
func (m Mark) Check(found []ListedViolation) error { return check(found, m.Refuse) }

// CheckFindings is [Mark.Check] for findings of the current code review, whose
// run is closed between its review and a verification.
func (m Mark) CheckFindings(found []ListedViolation) error { return check(found, m.refuseStatus) }

func check(found []ListedViolation, refuse func(ListedViolation) string) error {
	var lines []string
	for _, v := range found {
		if line := refuse(v); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		return &MarkError{Lines: lines}
	}
	return nil
}
