package ledger_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// A gate that was not run because nothing in its part had changed counts as it was before.
func TestLatestGate(t *testing.T) {
	t.Parallel()
	gate := func(iteration int, job string, why ledger.NotRunReason) ledger.Gate {
		return ledger.Gate{Iteration: iteration, Job: job, NotRun: why}
	}
	s := &ledger.State{Gates: []ledger.Gate{
		gate(1, quality, ""), gate(1, lint, ""), gate(1, security, ledger.NotRunUnchanged), gate(2, quality, ""), gate(2, security, ledger.NotRunUnchanged),
		gate(3, quality, ledger.NotRunUnchanged), gate(3, lint, ""), gate(4, quality, ledger.NotRunUnchanged),
	}}
	for job, want := range map[string]int{quality: 2, lint: 3, security: 2} {
		if got := s.LatestGate(job); got == nil || got.Job != job || got.Iteration != want {
			t.Errorf("%s: %+v", job, got)
		}
	}
	if got := s.LatestGate("check:src:none"); got != nil {
		t.Errorf("never executed: %+v", got)
	}
	var got []string
	for _, gate := range s.LatestGates() {
		got = append(got, gate.Job)
	}
	if d := cmp.Diff([]string{quality, lint, security}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestIterations(t *testing.T) {
	t.Parallel()
	s := &ledger.State{Iterations: []ledger.Iteration{{Number: 1}, {Number: 3}}}
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	s.Iterations[0].StartedAt, s.Iterations[1].StartedAt = at, at.Add(time.Hour)
	for after, want := range map[time.Duration]*ledger.Iteration{-1: nil, 0: &s.Iterations[0], time.Hour - 1: &s.Iterations[0], time.Hour: &s.Iterations[1]} {
		if got := s.IterationAt(at.Add(after)); got != want {
			t.Errorf("%v after the first: %+v", after, got)
		}
	}
	if s.LastIteration() != 3 || s.Iteration(3) != &s.Iterations[1] || s.Iteration(2) != nil || (&ledger.State{}).LastIteration() != 0 {
		t.Errorf("%+v", s)
	}
	if s.Restored() || (&ledger.State{}).Restored() {
		t.Error("it was not restored")
	}
	if s.Iterations[0].Mode = ledger.ModeRebuilt; !s.Restored() {
		t.Error("it was restored")
	}
}

// Where a violation was reported last is where its first report was, until another one is known.
func TestReportedPlaces(t *testing.T) {
	t.Parallel()
	first, also, later := ledger.Place{File: "a", Start: 1, End: 2}, ledger.Place{File: "b"}, ledger.Place{File: "c", Start: 3, End: 3}
	for _, test := range []struct {
		v    ledger.Violation
		want []ledger.Place
	}{
		{ledger.Violation{Place: first}, []ledger.Place{first}},
		{ledger.Violation{Place: first, Also: []ledger.Place{also}}, []ledger.Place{first, also}},
		{ledger.Violation{Place: first, Also: []ledger.Place{also}, Reported: []ledger.Place{later}}, []ledger.Place{later}},
		{ledger.Violation{Place: first, Reported: []ledger.Place{later, first}}, []ledger.Place{later, first}},
	} {
		if d := cmp.Diff(test.want, test.v.ReportedPlaces()); d != "" {
			t.Errorf("%+v (-want +got):\n%s", test.v, d)
		}
		if got := test.v.ReportedAt(); got != test.want[0] {
			t.Errorf("%+v: %v", test.v, got)
		}
	}
}

// An answer that rests on a forgotten skip does not count until the slot has answered again.
func TestAnyForgotten(t *testing.T) {
	t.Parallel()
	slot := func(index int, status ledger.SlotStatus, forgotten bool) ledger.Slot {
		return ledger.Slot{Job: quality, Index: index, Status: status, Forgotten: forgotten}
	}
	for name, test := range map[string]struct {
		slots []ledger.Slot // of an iteration each
		want  bool
	}{
		"none":                          {nil, false},
		"it counts":                     {[]ledger.Slot{slot(1, ledger.SlotPass, false)}, false},
		"it is forgotten":               {[]ledger.Slot{slot(1, ledger.SlotPass, true)}, true},
		"an earlier one is":             {[]ledger.Slot{slot(1, ledger.SlotFail, true), slot(1, ledger.SlotPass, false)}, false},
		"the later one is":              {[]ledger.Slot{slot(1, ledger.SlotFail, false), slot(1, ledger.SlotPass, true)}, true},
		"that of another slot is":       {[]ledger.Slot{slot(1, ledger.SlotPass, false), slot(2, ledger.SlotPass, true)}, true},
		"another slot answered after":   {[]ledger.Slot{slot(1, ledger.SlotPass, true), slot(2, ledger.SlotPass, false)}, true},
		"an error came after it":        {[]ledger.Slot{slot(1, ledger.SlotPass, true), slot(1, ledger.SlotError, false)}, true},
		"an error is no answer":         {[]ledger.Slot{slot(1, ledger.SlotPass, false), slot(1, ledger.SlotError, true)}, false},
		"a slot that was skipped after": {[]ledger.Slot{slot(1, ledger.SlotPass, true), slot(1, ledger.SlotSkipped, false)}, true},
	} {
		s := &ledger.State{}
		for n, slot := range test.slots {
			s.Gates = append(s.Gates, ledger.Gate{Job: quality, Iteration: n + 1, Slots: []ledger.Slot{slot}})
		}
		if got := s.AnyForgotten(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
