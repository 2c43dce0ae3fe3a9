package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Original is the state that decides about a violation: that of its original if it is a duplicate,
// or its own.
type Original struct {
	ID       string // ULID
	Status   Status
	Result   string
	Reason   string
	Answered int
	StatusAt time.Time
}

// decides returns the state that decides about the violation: that of its original, or its own. A
// duplicate whose original is unknown is open.
//
// Rule: A duplicate has the fate of what it was joined to.
func (v Violation) decides() Original {
	switch {
	case v.Original != nil:
		return *v.Original
	case v.lost():
		return Original{ID: v.ID, Status: StatusNew, Answered: v.Answered, StatusAt: v.StatusAt}
	}
	return Original{ID: v.ID, Status: v.Status, Result: v.Result, Reason: v.Reason, Answered: v.Answered, StatusAt: v.StatusAt}
}

// Fate returns the status of the original, or the violation's own status if it is not a duplicate.
func (v Violation) Fate() Status { return v.decides().Status }

// FateAt returns when the violation got the status of [Violation.Fate].
func (v Violation) FateAt() time.Time { return v.decides().StatusAt }

// ReportedIn reports whether the slot reported the violation.
func (v Violation) ReportedIn(slot int) bool {
	return v.Slot == slot || slices.Contains(v.MoreSlots, slot)
}

// JoinedAsReported reports whether it is a duplicate because of its words and place, or of what its
// reviewer named: no mark joined it.
func (v Violation) JoinedAsReported() bool {
	return v.Status == StatusDuplicate && (v.Reason == ReasonSameWords || v.Reason == ReasonSameAs)
}

// Group returns the short id of the first of its block, which is its own if it is alone.
func (v Violation) Group() string { return cmp.Or(v.Block, v.ShortID) }

// lost reports whether the original of a duplicate is unknown.
func (v Violation) lost() bool { return v.Status == StatusDuplicate && v.Original == nil }

// Author returns the author's explanation of a fix, skip or dispute.
func (v Violation) Author() string { return v.decides().Result }

// WhySkipped returns the explanation of a skip or, if there is none, its reason.
func (v Violation) WhySkipped() string {
	decides := v.decides()
	return cmp.Or(decides.Result, decides.Reason)
}

// SkipInFull returns the explanation of a skip and its reason, or whichever of the two it has.
func (v Violation) SkipInFull() string {
	if decides := v.decides(); decides.Result != "" && decides.Reason != "" {
		return decides.Result + " (" + decides.Reason + ")"
	}
	return v.WhySkipped()
}

// Problem returns the ULID of the violation's original, or its own. It is the same for all reports
// of one problem.
func (v Violation) Problem() string { return v.decides().ID }

// problems counts violations without duplicates.
//
// Rule: A duplicate has the fate of what it was joined to.
func problems(list []*Violation) (n int) {
	for _, v := range list {
		if v.Status != StatusDuplicate {
			n++
		}
	}
	return n
}

// SameProblem lists the other violations of the run that report the same problem, the original
// first.
//
// Rule: A duplicate has the fate of what it was joined to.
func (v Violation) SameProblem(run []ListedViolation) (list []ListedViolation) {
	original := cmp.Or(v.DuplicateOf, v.ShortID)
	for _, other := range run {
		switch {
		case other.ShortID == v.ShortID:
		case other.ShortID == original:
			list = slices.Insert(list, 0, other)
		case other.DuplicateOf == original:
			list = append(list, other)
		}
	}
	return list
}

// JoinedToIt names the violation's duplicates, if they are known, or returns "".
func (v ListedViolation) JoinedToIt() string {
	var names []string
	for _, d := range v.Duplicates {
		names = append(names, fmt.Sprintf("%s (%s@%d, %s)", d.ShortID, d.Adapter, d.Slot, d.Place))
	}
	return strings.Join(names, ", ")
}

// AsInSummaries puts a list that is sorted by priority, and newest first among equals, into the order
// of a summary: by priority, and in the order in which they were found among equals.
func AsInSummaries(list []ListedViolation) {
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b ListedViolation) int { return a.Priority.Rank() - b.Priority.Rank() })
}

// WithDuplicates adds their duplicates to the violations of a list.
//
// Rule: A duplicate has the fate of what it was joined to.
func WithDuplicates(found []ListedViolation) []ListedViolation {
	joined := map[string][]ListedViolation{}
	for _, v := range found {
		if v.DuplicateOf != "" {
			joined[v.DuplicateOf] = append(joined[v.DuplicateOf], v)
		}
	}
	if len(joined) == 0 {
		return found
	}
	found = slices.Clone(found)
	for i := range found {
		found[i].Duplicates = joined[found[i].ShortID]
	}
	return found
}

// RefuseJoin returns why the violation cannot be joined to the original, or "" if it can be. For a
// violation that is already a duplicate, the caller passes its original.
//
// Rule: A duplicate has the fate of what it was joined to.
func (m Mark) RefuseJoin(v, original Violation) string {
	switch {
	case v.ID == original.ID:
		return fmt.Sprintf("violation %s cannot be a duplicate of itself, nor of what was joined to it", v.ShortID)
	case v.Status == StatusDisputed || original.Status == StatusDisputed:
		return fmt.Sprintf("violation %s or %s is disputed: mark the disputed one new, join the two, then dispute them together", v.ShortID, original.ShortID)
	case !v.Status.Outstanding():
		return fmt.Sprintf("violation %s is %s: only what is open or marked fixed can be joined", v.ShortID, v.Status)
	case !original.Status.Outstanding():
		return fmt.Sprintf("violation %s is %s: violations can be joined only to what is open or marked fixed", original.ShortID, original.Status)
	case m.Actor != ActorHuman && (v.Block == "" || v.Block != original.Block):
		return fmt.Sprintf("violations %s and %s are not listed as perhaps the same: fix or skip each, or let a person join them with --as human", v.ShortID, original.ShortID)
	}
	return ""
}

// RefuseJoinOf is like [Mark.RefuseJoin], for violations that may belong to different runs.
func (m Mark) RefuseJoinOf(v, original ListedViolation) string {
	if v.Run != original.Run {
		return fmt.Sprintf("violation %s belongs to run %s, and %s to run %s: only violations of one run can be joined", v.ShortID, v.Run, original.ShortID, original.Run)
	}
	return m.RefuseJoin(v.Violation, original.Violation)
}

// SettleEdits applies joins to edits of files: a mark on a duplicate becomes a mark on its
// original. Joins come first, because another file may skip one of the two violations. Joins that
// are not allowed are left out, each with a warning.
//
// Rule: A duplicate has the fate of what it was joined to.
func SettleEdits(state *State, actor Actor, edits []Edit) (settled []Edit, warnings []string) {
	as := &State{Violations: slices.Clone(state.Violations)}
	warn := func(warning string) {
		if warning != "" {
			warnings = append(warnings, warning)
		}
	}
	for _, edit := range edits {
		if edit.Status != StatusDuplicate {
			continue
		}
		edit, warning := as.settleJoin(actor, edit)
		if warn(warning); warning == "" {
			ApplyEdits(as, actor, []Edit{edit})
			settled = append(settled, edit)
		}
	}
	for _, edit := range edits {
		if edit.Status == StatusDuplicate {
			continue
		}
		if v := as.violation(edit.Violation); v != nil && v.Original != nil && edit.Status != StatusNew {
			if !v.JoinedAsReported() { // its entry looks like any other: a mark on either marks both
				warn(fmt.Sprintf("violation %s was joined to %s, which is marked %s instead", v.ShortID, v.DuplicateOf, edit.Status))
			}
			said := edit
			edit.Said, edit.Violation, edit.ShortID = &said, v.Original.ID, v.DuplicateOf
		}
		settled = append(settled, edit)
	}
	return settled, warnings
}

// settleJoin returns the edit for the two violations that it joins, each replaced by its original.
func (s *State) settleJoin(actor Actor, edit Edit) (settled Edit, warning string) {
	v, original := s.violation(edit.Violation), s.shortID(edit.Result)
	if v == nil {
		return edit, ""
	}
	if original == nil {
		return edit, fmt.Sprintf("violation %s is called a duplicate of %q, which this run does not have; it stays %s: give the ID of the other violation as \"result\"", v.ShortID, edit.Result, v.Status)
	}
	v, original = s.violation(v.Problem()), s.violation(original.Problem())
	said := edit
	edit.Said, edit.Result = &said, original.ShortID
	if edit.Violation != v.ID && v.ID == original.ID { // the two are already joined
		return edit, ""
	}
	edit.Violation, edit.ShortID = v.ID, v.ShortID
	return edit, Mark{Status: StatusDuplicate, Actor: actor}.RefuseJoin(*v, *original)
}

func (s *State) violation(id string) *Violation {
	i := slices.IndexFunc(s.Violations, func(v Violation) bool { return v.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Violations[i]
}

// shortID returns the violation with this short id, ignoring letter case and surrounding white
// space.
func (s *State) shortID(id string) *Violation {
	id = strings.ToLower(strings.TrimSpace(id))
	i := slices.IndexFunc(s.Violations, func(v Violation) bool { return v.ShortID == id })
	if i < 0 {
		return nil
	}
	return &s.Violations[i]
}

// join makes the violation and its own duplicates duplicates of the original.
func (s *State) join(v *Violation, original string) {
	for i := range s.Violations {
		if d := &s.Violations[i]; d.ID == v.ID || d.DuplicateOf == v.ShortID {
			d.Status, d.DuplicateOf, d.Result, d.Reason, d.Gone = StatusDuplicate, original, original, "", Gone{}
		}
	}
}

// LookUpOriginals calls [LookUpOriginals] for the violations of the state, which are those of the whole run.
func (s *State) LookUpOriginals() {
	LookUpOriginals(s.violations(func(*Violation) bool { return true }))
}

// LookUpOriginals sets Original of every duplicate among the violations of a run, and what reviewers and
// author said about it.
//
// Rule: A duplicate has the fate of what it was joined to.
func LookUpOriginals(run []*Violation) {
	byShortID := make(map[string]*Violation, len(run))
	for _, v := range run {
		byShortID[v.ShortID] = v
	}
	for _, v := range run {
		v.Original = nil
		if o := byShortID[strings.ToLower(strings.TrimSpace(v.DuplicateOf))]; o != nil {
			v.Original = &Original{ID: o.ID, Status: o.Status, Result: o.Result, Reason: o.Reason, Answered: o.Answered, StatusAt: o.StatusAt}
			v.Evidence, v.Answers = o.Evidence, o.Answers
		}
	}
}
