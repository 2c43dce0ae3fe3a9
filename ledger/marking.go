package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Mark is a status that an agent or a human sets on violations, with an explanation.
type Mark struct {
	Status Status // fixed, skipped, disputed, new or duplicate
	// Result is the explanation or, for a duplicate, the id of the original.
	Result string
	// Reason is optional, for a skip.
	Reason SkipReason
	Actor  Actor
	// Memory is whether a skip or a withdrawal is remembered beyond its run.
	Memory Memory
	// Silent lists the adapters that cannot answer a dispute.
	Silent []string
	// Originals are the ULIDs of the originals to which duplicates were or will be joined. If a
	// join begins or ends, their priorities change.
	Originals []string
}

// MarkRequest describes which violations to mark, and how.
type MarkRequest struct {
	Mark
	// IDs are short ids, ULIDs or unique prefixes of violations, or places of open ones. Group marks
	// the whole block of each.
	IDs   []string
	Group bool
	// Like is the id of another skip. Its result and reason are used if the mark has none.
	Like string
	// Filter selects the violations if there are no IDs. If it has no statuses, it selects open
	// violations.
	Filter *ViolationFilter
	// Version is the [ListedViolation.Version] that whoever marks the violation has seen. If it is
	// another one now, the mark is refused. It is empty if that does not matter.
	Version string
	// Once leaves the violations alone that have this mark already. Otherwise a second mark is
	// another event, or an error if the violation is open already.
	Once bool
}

// Done reports whether the violation needs no mark, because it has the mark already.
func (r MarkRequest) Done(v ListedViolation) bool { return r.Once && r.Repeats(v) }

// Version returns a text that changes with every report of the violation and with every change of
// its status.
func (v ListedViolation) Version() string {
	return fmt.Sprintf("%s %d %s", v.Status, v.Last, v.StatusAt.UTC().Format(time.RFC3339Nano))
}

// refuseChanged returns why the violation cannot be marked if it is not as it was seen, or "".
//
// Rule: A mark is not a fix.
func (r MarkRequest) refuseChanged(v ListedViolation) string {
	if r.Version == "" || r.Version == v.Version() {
		return ""
	}
	return fmt.Sprintf("violation %s has changed since you saw it, and is %s now: look at it again before you mark it", v.ShortID, v.Shown())
}

// Check is [Mark.Check]. It also refuses what has changed since it was seen.
func (r MarkRequest) Check(found []ListedViolation) error {
	return check(found, func(v ListedViolation) string { return cmp.Or(r.refuseChanged(v), r.Refuse(v)) })
}

// CheckFindings is [Mark.CheckFindings]. It also refuses what has changed since it was seen.
func (r MarkRequest) CheckFindings(found []ListedViolation) error {
	return check(found, func(v ListedViolation) string { return cmp.Or(r.refuseChanged(v), r.refuseStatus(v)) })
}

// shortestID is the smallest number of characters of an id that a mark accepts. A shorter one may
// be a number in a list, or a typing error, and would mark whatever begins with it.
const shortestID = 4

// CheckIDs returns a [MarkError] if an ID of the request is too short.
//
// Rule: A mark is not a fix.
func (r MarkRequest) CheckIDs() error {
	var lines []string
	ids := append(slices.Clone(r.IDs), r.Like)
	if r.Status == StatusDuplicate {
		ids = append(ids, r.Result)
	}
	for _, id := range ids {
		if _, place := ParsePlace(id); !place && id != "" && len(id) < shortestID {
			lines = append(lines, fmt.Sprintf("%q is too short for an ID: give at least %d characters of it", id, shortestID))
		}
	}
	if len(lines) > 0 {
		return &MarkError{Lines: lines}
	}
	return nil
}

// Marked is the result of a mark.
type Marked struct {
	Violations []ListedViolation // as they were before
	// TakenUp are the filtered reports that the mark made violations, as they were before.
	// Unchanged are violations that had already been taken up, and those that [MarkRequest.Once]
	// leaves alone. Related has the short ids of what may be the same problem as a report that was
	// taken up, by the report's short id.
	TakenUp   []Report
	Unchanged []ListedViolation
	Related   map[string][]string
	// Mark is what was recorded. Remembered has the ULIDs of the violations whose skip is
	// remembered beyond the run.
	Mark       Mark
	Remembered map[string]bool
	// Instead has the duplicates that the request named, by the ULID of their original, which is
	// marked instead of them.
	Instead map[string][]string
	// Verdict is the verdict of the marked code review, which a mark does not change. It is empty
	// for a run of gates.
	Verdict VerdictWord
}

// Likewise copies the result and reason of another skip to a mark that has none.
func (m Mark) Likewise(other ListedViolation) (Mark, error) {
	if other.Status != StatusSkipped {
		return m, &MarkError{Lines: []string{
			fmt.Sprintf("violation %s is %s: --like takes the reason and result of one that is skipped", other.ShortID, other.Status),
		}}
	}
	if m.Result == "" {
		m.Result = other.Result
	}
	if m.Reason == "" {
		m.Reason = SkipReason(other.Reason)
	}
	return m, nil
}

// Over completes a second mark with the same status: if it has no explanation, it keeps the
// violation's.
//
// Rule: A mark is not a fix.
func (m Mark) Over(v ListedViolation) Mark {
	if m.Status != v.Status {
		return m
	}
	if Blank(m.Result) {
		m.Result = v.Result
	}
	if m.Reason == "" {
		m.Reason = SkipReason(v.Reason)
	}
	return m
}

// Repeats reports whether the violation already has this mark. A mark without an explanation
// repeats a mark with any.
func (m Mark) Repeats(v ListedViolation) bool {
	if m.Status == StatusNew {
		return v.Status.ForAuthor()
	}
	return m.Status == v.Status && (m.Result == "" || m.Result == v.Result) && (m.Reason == "" || string(m.Reason) == v.Reason)
}

// MarkError is why violations cannot be marked, one line for each, with what would work instead.
type MarkError struct{ Lines []string }

func (e *MarkError) Error() string { return strings.Join(e.Lines, "\n") }

// Refuse returns why the violation of a run of gates cannot get this mark, or "" if it can.
func (m Mark) Refuse(v ListedViolation) string {
	if v.LeftBehind() && m.Status == StatusSkipped {
		return m.refuseSkip(v)
	}
	if v.Shown() == ShownAbandoned {
		return fmt.Sprintf("violation %s belongs to run %s, which was abandoned: nothing waits for it; if reviewers still see it, the next `reviewledger run` reports it with a new ID", v.ShortID, v.Run)
	}
	if !v.RunOpen {
		return fmt.Sprintf("violation %s belongs to run %s, which is closed (%s): only violations of an open run can be marked; if reviewers still see it, the next `reviewledger run` reports it with a new ID", v.ShortID, v.Run, v.RunStatus)
	}
	if why := m.refuseStatus(v); why != "" {
		return why
	}
	return m.refuseSkip(v)
}

// refuseSkip returns why the violation cannot be skipped, if the mark is a skip, or "".
func (m Mark) refuseSkip(v ListedViolation) string {
	if m.Status == StatusSkipped && v.Status != StatusSkipped && Blank(m.Result) && m.Reason == "" {
		return fmt.Sprintf("violation %s cannot be skipped without words: say why with --result or --reason", v.ShortID)
	}
	return ""
}

// refuseStatus returns why the violation's status does not allow the mark, or "".
func (m Mark) refuseStatus(v ListedViolation) string {
	switch {
	case v.DuplicateOf != "" && m.Status != StatusNew: // its original is marked instead
		return ""
	case v.Status == StatusVerified:
		return fmt.Sprintf("violation %s is verified: a reviewer confirmed the fix, so it cannot be marked", v.ShortID)
	case v.Status == StatusWithdrawn && m.Actor != ActorHuman:
		return fmt.Sprintf("violation %s is withdrawn: its reporter took it back, so there is nothing to mark", v.ShortID)
	case v.Status == StatusDisputed && m.Status == StatusDisputed:
		return fmt.Sprintf("violation %s is disputed already, and its reporter has not answered yet: to dispute it in other words, mark it new first", v.ShortID)
	case m.Status == StatusDisputed && !MayChange(m.Actor, v.Status, m.Status):
		return fmt.Sprintf("violation %s is %s: mark it new first, for only what is open can be disputed", v.ShortID, v.Status)
	case m.Status == StatusNew && v.Status.ForAuthor():
		return fmt.Sprintf("violation %s is already open (%s): mark it fixed or skipped", v.ShortID, v.Status)
	case !MayChange(m.Actor, v.Status, m.Status) && MayChange(m.Actor, v.Status, StatusNew):
		return fmt.Sprintf("violation %s is %s: mark it new first, then %s", v.ShortID, v.Status, m.Status)
	case !MayChange(m.Actor, v.Status, m.Status):
		return fmt.Sprintf("violation %s is %s, and the %s cannot mark it %s", v.ShortID, v.Status, m.Actor, m.Status)
	}
	return ""
}

// Check returns a [MarkError] if any of the violations of a run of gates cannot get this mark.
func (m Mark) Check(found []ListedViolation) error { return check(found, m.Refuse) }

// CheckFindings is like [Mark.Check], for findings of the current code review, whose run is closed
// between the review and a verification.
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
