package exchange

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Relation is how two states of a run compare.
type Relation int

// A run only ever grows: each change adds rows, if only a transition, or changes what files show.
// So the newer of two states of a run contains the older one, and if neither contains the other,
// they have diverged.
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

// Compare returns how another state of the same run relates to the one that is here. The rows that
// are only ever added show which state contains the other; if they are the same, the revision shows
// which state is later. Content that was removed from either is not compared.
func Compare(here, other *Run) Relation {
	a, b := alike(here, other)
	ahead, behind, same := true, true, reflect.DeepEqual(a.Head, b.Head)
	for _, t := range tables {
		contained, equal := t.contains(&b, &a)
		contains := equal
		if !equal && behind {
			contains, _ = t.contains(&a, &b)
		}
		ahead, behind, same = ahead && contained, behind && contains, same && equal
		if !ahead && !behind {
			return Diverged
		}
	}
	closed := a.Head.FinishedAt != nil && ledger.RunKind(a.Head.Kind) == ledger.KindGates
	newer := other.Head.Revision - here.Head.Revision
	switch {
	case !behind:
		return Later
	case !ahead:
		return Earlier
	case closed && same:
		return Same
	case newer > 0:
		return Later
	case newer < 0:
		return Earlier
	case same:
		return Same
	}
	return Diverged
}

// Missing returns the rows to add and the rows to change to get from the earlier state of a run to
// the later one.
func Missing(earlier, later *Run) (added, changed *Run) {
	added, changed = &Run{Head: later.Head}, &Run{Head: later.Head}
	for _, t := range tables {
		t.missing(earlier, later, added, changed)
	}
	return added, changed
}

// Sound returns an error if a row refers to something that does not come before it, or if the last
// transition of a row does not have the row's status.
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

// alike returns copies of both states without what cannot be compared.
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
