package exchange

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Relation is how two states of a run compare.
type Relation int

// A run only ever grows: rows are added, and a row changes while it is running and
// when a marked file is written or read. So of two states of a run the older one is
// contained in the newer one, and where neither is, they have gone different ways.
const (
	// Same: both have the same rows.
	Same Relation = iota
	// Later: the other state contains this one, and more.
	Later
	// Earlier: this state contains the other one, and more.
	Earlier
	// Diverged: each has rows that the other does not have.
	Diverged
)

// Compare returns how another state of the same run relates to the present one. Content
// that was removed from either is not compared.
func Compare(here, other *Run) Relation {
	a, b := alike(here, other)
	ahead, behind := headGrows(a.Head, b.Head), headGrows(b.Head, a.Head)
	same := reflect.DeepEqual(a.Head, b.Head)
	for _, t := range tables {
		if !ahead && !behind {
			return Diverged
		}
		contained, equal := t.contains(&b, &a)
		contains := equal
		if !equal && behind {
			contains, _ = t.contains(&a, &b)
		}
		ahead, behind, same = ahead && contained, behind && contains, same && equal
	}
	closed := a.Head.FinishedAt != nil && ledger.RunKind(a.Head.Kind) == ledger.KindGates
	newer := other.Head.Revision - here.Head.Revision
	switch {
	case !ahead && !behind:
		return Diverged
	case !behind:
		return Later
	case !ahead:
		return Earlier
	case closed && same:
		return Same
	case newer > 0: // they differ only in what files show
		return Later
	case newer < 0:
		return Earlier
	case same:
		return Same
	}
	return Diverged
}

// Missing returns the rows to add and to change to bring the earlier state of a run to the later
// one.
func Missing(earlier, later *Run) (added, changed *Run) {
	added, changed = &Run{Head: later.Head}, &Run{Head: later.Head}
	for _, t := range tables {
		t.missing(earlier, later, added, changed)
	}
	return added, changed
}

// Sound returns an error if a row refers to what is not before it, or if the
// transitions of something do not end with its status.
func (r *Run) Sound() error {
	if r.dangling != nil {
		return r.dangling
	}
	last := map[Place]string{}
	for i := range r.Transitions {
		last[r.Transitions[i].subject()] = r.Transitions[i].Status
	}
	check := func(what Place, status string) error {
		if last[what] == status {
			return nil
		}
		return fmt.Errorf("the last transition of %s has the status %q, and its record %q", what, last[what], status)
	}
	err := check(Place{Kind: "run"}, r.Head.Status)
	for i := 0; i < len(r.Iterations) && err == nil; i++ {
		err = check(iterationAt(r.Iterations[i].Number), r.Iterations[i].Status)
	}
	for i := 0; i < len(r.Gates) && err == nil; i++ {
		err = check(gateAt(r.Gates[i].Iteration, r.Gates[i].Job), r.Gates[i].Status)
	}
	for i := 0; i < len(r.Slots) && err == nil; i++ {
		err = check(r.Slots[i].slot(), r.Slots[i].Status)
	}
	return err
}

// alike are copies of both that have only what can be compared.
func alike(here, other *Run) (a, b Run) {
	a, b = *here, *other
	unknown := string(ledger.RepositoryUnknown)
	for _, r := range []*Run{&a, &b} {
		r.Head.Revision = 0
		if here.Head.ContentRemovedAt != nil || other.Head.ContentRemovedAt != nil {
			r.Head.ContentRemovedAt, r.SlotBlobs, r.GateBlobs, r.Excerpts, r.Hunks = nil, nil, nil, nil, nil
			r.Gates = slices.Clone(r.Gates)
			for i := range r.Gates {
				r.Gates[i].Excerpt = nil
			}
		}
		if here.Head.RepositoryKind == unknown || other.Head.RepositoryKind == unknown {
			r.Head.RepositoryKind, r.Head.Repository = unknown, ""
		}
	}
	return a, b
}

// headGrows reports which fields of a run may change while it is open. A closed run of gates
// stays as it is; that of a code review is opened again to be verified, and may be
// marked in between.
func headGrows(was, is Head) bool {
	closed := was.FinishedAt != nil
	switch {
	case closed && ledger.RunKind(was.Kind) != ledger.KindCodeReview:
		return reflect.DeepEqual(was, is)
	case !closed && is.FinishedAt != nil && reopened(was) && is.Iterations == was.Iterations && ledger.RunStatus(is.Status) != ledger.StatusAbandoned:
		return false // it is how the run was before it was opened again
	case was.SessionRef == nil:
		was.SessionRef = is.SessionRef
	}
	was.Status, was.FinishedAt = is.Status, is.FinishedAt
	was.Iterations, was.Fixed, was.Skipped, was.Open, was.Claimed, was.Withdrawn = is.Iterations, is.Fixed, is.Skipped, is.Open, is.Claimed, is.Withdrawn
	return reflect.DeepEqual(was, is)
}

// reopened reports whether a code review was opened again: its first iteration is
// counted only when it is closed.
func reopened(r Head) bool {
	return ledger.RunKind(r.Kind) == ledger.KindCodeReview && ledger.RunStatus(r.Status) == ledger.StatusRunning && r.Iterations > 0
}

// iterationGrows says what of an iteration changes while it runs, and what agents
// change later by what they mark.
func iterationGrows(was, is Iteration) bool {
	if was.FinishedAt == nil && was.NoticedAt == nil {
		was.Status, was.FinishedAt, was.NoticedAt = is.Status, is.FinishedAt, is.NoticedAt
		was.New, was.Reopened, was.Verified, was.Carried, was.InFixLines = is.New, is.Reopened, is.Verified, is.Carried, is.InFixLines
	}
	was.Claimed, was.Skipped = is.Claimed, is.Skipped
	return reflect.DeepEqual(was, is)
}

func gateGrows(was, is Gate) bool {
	if ledger.GateStatus(was.Status) != ledger.GateRunning {
		return false
	}
	was.Status, was.Reason, was.ExitCode, was.Problems, was.Excerpt, was.DurationMs = is.Status, is.Reason, is.ExitCode, is.Problems, is.Excerpt, is.DurationMs
	was.NotRunReason, was.FinishedAt, was.NoticedAt = is.NotRunReason, is.FinishedAt, is.NoticedAt
	if was.StartedAt == nil {
		was.StartedAt = is.StartedAt
	}
	return reflect.DeepEqual(was, is)
}

func slotGrows(was, is Slot) bool {
	return ledger.SlotStatus(was.Status) == ledger.SlotRunning && was.Latch == is.Latch &&
		reflect.DeepEqual(was.Reviewed, is.Reviewed) && reflect.DeepEqual(was.PassIteration, is.PassIteration)
}

// violationGrows compares what a violation is from its beginning. The rest comes of
// its reports and events.
func violationGrows(was, is Violation) bool {
	return was.LastIteration <= is.LastIteration && was.LastSeen <= is.LastSeen && reflect.DeepEqual(begun(was), begun(is))
}

func begun(r Violation) Violation {
	return Violation{
		Violation: r.Violation, Run: r.Run, Job: r.Job, ShortID: r.ShortID, Slot: r.Slot, Adapter: r.Adapter,
		FirstIteration: r.FirstIteration, Fingerprint: r.Fingerprint, FirstSeen: r.FirstSeen,
		SeenBefore: r.SeenBefore,
	}
}

// reportGrows says what of a report changes: one that a filter left out gets a violation when it
// is taken up.
func reportGrows(was, is Report) bool {
	if was.Violation == nil && ledger.Disposition(was.Disposition).Filtered() {
		was.Violation = is.Violation
	}
	return reflect.DeepEqual(was, is)
}

func slotEntryGrows(was, is SlotEntry) bool {
	was.Status, was.Result = is.Status, is.Result
	return reflect.DeepEqual(was, is)
}

func findingGrows(was, is Finding) bool {
	was.Exported = is.Exported
	return reflect.DeepEqual(was, is)
}
