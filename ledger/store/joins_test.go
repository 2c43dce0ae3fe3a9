package store_test

import (
	stdcmp "cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// compared records the answer of a slot, compared with what others said.
func (r *round) compared(slot int, entries ...ledger.Entry) {
	r.Helper()
	a := r.answer(slot, entries...)
	places := map[string][]ledger.Place{}
	for _, v := range r.before.Violations {
		places[v.ID] = v.Places()
	}
	a.Near = &ledger.Nearby{
		Iteration: r.number, Places: places, Hunk: func(ledger.Place) string { return "" },
		Names: func(string) map[string]ledger.NameUse { return nil }, Tool: func(string, string) string { return "" },
	}
	must(r.RecordAnswer(r.Context(), a))(r.T)
}

// told lists the run's violations: their words, status, fate, and what else is said about them.
func (x *loop) told() (list []string) {
	x.Helper()
	words := map[string]string{"": ""}
	state := x.state()
	for _, v := range state.Violations {
		words[v.ShortID] = fmt.Sprintf("%s@%d", v.Issue, v.Slot)
	}
	for _, v := range state.Violations {
		var related []string
		for _, id := range v.Related {
			related = append(related, words[id])
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s of=%s block=%s with=%s", words[v.ShortID], v.Status, v.Fate(), words[v.DuplicateOf], words[v.Block], strings.Join(related, ","))))
	}
	return list
}

// What two slots say in the same words of the same line is joined when the second of them answers,
// and is so after a kill. It is one problem, which both have to confirm.
//
// Rule: A duplicate has the fate of what it was joined to.
// Rule: Only an answer confirms.
func TestSameWordsAreJoined(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	expect := func(when string, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, x.told()); d != "" {
			t.Errorf("%s (-want +got):\n%s", when, d)
		}
	}
	r := x.begin(2)
	r.compared(2, entry(at("a.go", 5), "Leaks", ledger.Low), entry(at("a.go", 7), "slow", ledger.High))
	r.compared(1, entry(at("a.go", 4, 5), "`leaks`.", ledger.High), entry(at("a.go", 7), "wrong", ledger.Low))
	// The more important one is the original, though it came later. Nothing has ended the iteration.
	expect("two answers",
		"Leaks@2 duplicate new of=`leaks`.@1 block=`leaks`.@1 with=`leaks`.@1", "slow@2 new new of= block=slow@2 with=wrong@1",
		"`leaks`.@1 new new of= block=`leaks`.@1 with=Leaks@2", "wrong@1 new new of= block=slow@2 with=slow@2")
	original := x.find("`leaks`.")
	r.end()
	ref := ledger.SlotRef{Job: quality, Slot: 2, Iteration: 1}
	entries := func() (list []string) {
		for _, e := range must(x.Current(t.Context(), x.run.ID, ref))(t).Violations {
			list = append(list, fmt.Sprintf("%s %s %t", e.Status, *stdcmp.Or(e.Result, new(string)), e.DuplicateOf == original.ShortID))
		}
		return list
	}
	if d := cmp.Diff([]string{"new  true", "new  false"}, entries()); d != "" {
		t.Errorf("the file of the second slot (-want +got):\n%s", d)
	}
	mark := func(status ledger.Status, v ledger.Violation) {
		t.Helper()
		must(x.MarkViolations(t.Context(), x.run.ID, []string{v.ID}, nil, ledger.Mark{Status: status, Result: "done", Actor: ledger.ActorAgent}))(t)
	}
	mark(ledger.StatusFixed, original)
	mark(ledger.StatusFixed, x.find("slow"))
	mark(ledger.StatusFixed, x.find("wrong"))
	if d := cmp.Diff([]string{"fixed done true", "fixed done false"}, entries()); d != "" {
		t.Errorf("the file of the second slot (-want +got):\n%s", d)
	}

	// A claim that one of the two confirms stays a claim.
	r = x.begin(2)
	r.compared(1)
	if v := x.find("`leaks`."); v.Status != ledger.StatusFixed {
		t.Errorf("one of two reporters has confirmed it: %s", v.Status)
	}
	r.compared(2)
	if v := x.find("`leaks`."); v.Status != ledger.StatusVerified {
		t.Errorf("both have confirmed it: %s", v.Status)
	}
	if v := x.find("Leaks"); v.Fate() != ledger.StatusVerified {
		t.Errorf("the duplicate is %s", v.Fate())
	}
}

// A claim that a fresh report repeats in another slot is open again, whatever its own reporter says
// then. What was taken out of a join is not joined again.
//
// Rule: A duplicate has the fate of what it was joined to.
// Rule: Only an answer confirms.
func TestSameWordsReopenAClaim(t *testing.T) {
	t.Parallel()
	for _, order := range [][2]int{{1, 2}, {2, 1}} {
		x := newLoop(t)
		r := x.begin(2)
		r.compared(1, entry(at("a.go", 5), "leaks", ledger.High))
		r.compared(2, entry(at("a.go", 5), "leaks", ledger.High))
		r.end()
		taken := x.find("leaks")
		for _, v := range x.state().Violations {
			if v.DuplicateOf != "" {
				taken = v
			}
		}
		must(x.MarkViolations(t.Context(), x.run.ID, []string{taken.ID}, nil, ledger.Mark{Status: ledger.StatusNew, Actor: ledger.ActorAgent}))(t)
		for _, v := range x.state().Violations {
			must(x.MarkViolations(t.Context(), x.run.ID, []string{v.ID}, nil, ledger.Mark{Status: ledger.StatusFixed, Result: "done", Actor: ledger.ActorAgent}))(t)
		}
		r = x.begin(2)
		for _, slot := range order {
			if slot == 1 {
				r.compared(1)
			} else {
				r.compared(2, entry(at("a.go", 5), "leaks", ledger.High))
			}
		}
		open := 0
		for _, v := range x.state().Violations {
			if v.DuplicateOf != "" {
				t.Errorf("%v: %s was joined again", order, v.ShortID)
			}
			if v.Status.Open() {
				open++
			}
		}
		if open != 1 || r.end() == ledger.StatusPassed {
			t.Errorf("%v: %d open", order, open)
		}
	}
}
