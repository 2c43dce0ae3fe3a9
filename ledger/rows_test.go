package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Two places meet where they have a line in common; the whole file is everywhere in it.
//
// Rule: A place moves with its lines.
func TestPlaces(t *testing.T) {
	t.Parallel()
	file, one, some, later := at("f"), at("f", 12), at("f", 12, 14), at("f", 20, 22)
	for _, test := range []struct {
		p           ledger.Place
		lines, text string
	}{{file, "", "f"}, {one, "12", "f:12"}, {some, "12-14", "f:12-14"}, {ledger.Place{File: "f", Start: 12, End: 11}, "12", "f:12"}, {ledger.Place{File: "f", Start: -1, End: 4}, "", "f"}} {
		if lines, text := test.p.Lines(), test.p.String(); lines != test.lines || text != test.text || test.p.WholeFile() != (lines == "") {
			t.Errorf("%+v: %q, %q", test.p, lines, text)
		}
	}
	for _, test := range []struct {
		p, q  ledger.Place
		meets bool
		apart int
	}{
		{one, one, true, 0}, {one, some, true, 0}, {some, at("f", 14, 20), true, 0}, {some, at("f", 15), false, 1}, {some, later, false, 6}, {file, later, true, 0}, {file, file, true, 0},
		{ledger.Place{File: "f", Start: 15, End: 14}, at("f", 17), false, 2}, {at("f", 1, 90), some, true, 0},
	} {
		for _, pair := range [][2]ledger.Place{{test.p, test.q}, {test.q, test.p}} {
			if meets, apart := pair[0].Meets(pair[1]), pair[0].Distance(pair[1]); meets != test.meets || apart != test.apart {
				t.Errorf("%v and %v meet: %t, %d apart", pair[0], pair[1], meets, apart)
			}
			other := pair[1]
			other.File = "g"
			if pair[0].Meets(other) {
				t.Errorf("%v meets %v", pair[0], other)
			}
		}
	}
}

// What is open in a run that was abandoned is not open any more.
func TestOpenOfRuns(t *testing.T) {
	t.Parallel()
	for _, status := range ledger.RunStatuses() {
		r := ledger.Run{Status: status, Open: 3}
		if abandoned := status == ledger.StatusAbandoned; abandoned != (r.Abandoned() == 3) || r.StillOpen()+r.Abandoned() != 3 {
			t.Errorf("%s: %d open, %d abandoned", status, r.StillOpen(), r.Abandoned())
		}
	}
	if open := (ledger.Run{}); open.Closed() || !(ledger.Run{FinishedAt: time.Unix(1, 0)}).Closed() {
		t.Error("whether a run has ended")
	}
}

// What was killed has ended when that was noticed.
func TestEnds(t *testing.T) {
	t.Parallel()
	finished, noticed := time.Unix(1, 0), time.Unix(2, 0)
	for _, test := range []struct{ finished, noticed, want time.Time }{{want: time.Time{}}, {finished, time.Time{}, finished}, {time.Time{}, noticed, noticed}, {finished, noticed, finished}} {
		i, s := ledger.Iteration{FinishedAt: test.finished, NoticedAt: test.noticed}, ledger.Slot{FinishedAt: test.finished, NoticedAt: test.noticed}
		if !i.Ended().Equal(test.want) || !s.Ended().Equal(test.want) {
			t.Errorf("%+v: %v, %v", test, i.Ended(), s.Ended())
		}
	}
}

// An agent reads of an open violation what the reviewer said last, and of a dispute or a duplicate
// what its author said.
func TestEntryOfAViolation(t *testing.T) {
	t.Parallel()
	base := ledger.Violation{
		ID: "V", ShortID: "v", Place: at("f", 3, 5), Issue: "Bad", Fix: "Do", Priority: ledger.High, Adapter: "claude", Slot: 2, Status: ledger.StatusNew,
		Evidence: "look", Answers: "no", Result: "because", Also: []ledger.Place{at("g")},
	}
	for name, test := range map[string]struct {
		change   func(*ledger.Violation)
		status   string
		said     string
		reopened bool
		result   string // "-": none
	}{
		"new":       {func(*ledger.Violation) {}, "new", "look", false, "-"},
		"reopened":  {func(v *ledger.Violation) { v.Status = ledger.StatusReopened }, "new", "look", true, "-"},
		"fixed":     {func(v *ledger.Violation) { v.Status = ledger.StatusFixed }, "fixed", "", false, "-"},
		"verified":  {func(v *ledger.Violation) { v.Status = ledger.StatusVerified }, "fixed", "", false, "-"},
		"disputed":  {func(v *ledger.Violation) { v.Status = ledger.StatusDisputed }, "disputed", "look", false, "because"},
		"withdrawn": {func(v *ledger.Violation) { v.Status = ledger.StatusWithdrawn }, "disputed", "", false, "-"},
		"duplicate of one that is open": {func(v *ledger.Violation) {
			v.Status, v.DuplicateOf, v.Original = ledger.StatusDuplicate, "o", &ledger.Original{ID: "O", Status: ledger.StatusReopened}
		}, "duplicate", "look", true, "o"},
		"duplicate of a claim": {func(v *ledger.Violation) {
			v.Status, v.DuplicateOf, v.Original = ledger.StatusDuplicate, "o", &ledger.Original{ID: "O", Status: ledger.StatusFixed}
		}, "duplicate", "", false, "o"},
	} {
		v := base
		test.change(&v)
		e := v.Entry()
		result := "-"
		if e.Result != nil {
			result = *e.Result
		}
		answers := map[bool]string{true: "no"}[test.said != ""]
		if e.Status != test.status || e.Said != test.said || e.Reopened != test.reopened || result != test.result || e.Answers != answers {
			t.Errorf("%s: %+v, result %q", name, e, result)
		}
		if e.ID != "v" || e.Place() != v.Place || e.Issue != "Bad" || e.Fix != "Do" || e.Priority != "high" || e.Reporter != "claude@2" || len(e.Also) != 1 {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A report has been taken up once a violation has its short ID.
func TestTakenUpReports(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id, short string
		want      bool
	}{{"a", "a", true}, {"a", "", false}, {"a", "b", false}, {"", "", false}, {"", "b", false}} {
		if got := (ledger.Report{ID: test.id, ShortID: test.short}).TakenUp(); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
	for want, e := range map[ledger.Place]ledger.FilteredEntry{at("f", 3, 5): {File: "f", Line: 3, EndLine: 5}, at("f", 3): {File: "f", Line: 3}, at("f"): {File: "f"}} {
		if got := e.Place(); got != want {
			t.Errorf("%+v lies at %v", e, got)
		}
	}
}

// Filtered are the reports that may be taken up. Every other one counts, or has met a skip, another
// report or the end of what is verified.
func TestFilteredBySlots(t *testing.T) {
	t.Parallel()
	each := ledger.SlotCounts{Accepted: 1, OutOfDiff: 2, BelowThreshold: 4, PreviouslySkipped: 8, RememberedSkip: 16, Malformed: 32, Merged: 64, OutsideVerify: 128, New: 256, Carried: 512, Elsewhere: 1024}
	if got, want := each.Filtered(), 2+4+32; got != want {
		t.Errorf("%d of %+v, want %d", got, each, want)
	}
}

// What a slot's file lists, else what it reported and what it left without a word.
func TestFoundBySlots(t *testing.T) {
	t.Parallel()
	counts := ledger.SlotCounts{Accepted: 2, Carried: 3, OutOfDiff: 4}
	for listed, want := range map[int]int{0: 5, 7: 7} {
		if got := (ledger.Slot{Listed: listed, Counts: counts}).Found(); got != want {
			t.Errorf("%d are listed: %d", listed, got)
		}
	}
	for _, test := range []struct {
		o    ledger.SlotOutcome
		want bool
	}{{ledger.SlotOutcome{Status: ledger.SlotFail}, true}, {ledger.SlotOutcome{Status: ledger.SlotError}, false}, {ledger.SlotOutcome{Status: ledger.SlotError, Violations: make([]ledger.SlotEntry, 1)}, true}, {ledger.SlotOutcome{Status: ledger.SlotPass}, false}} {
		if got := test.o.InReview(); got != test.want {
			t.Errorf("%+v: %t", test.o, got)
		}
	}
	if none, some := (ledger.SlotOutcome{}).SuppressedLine(), (ledger.SlotOutcome{Suppressed: 1}).SuppressedLine(); none != "" || !strings.Contains(some, "1 suppressed") {
		t.Errorf("suppressed: %q, %q", none, some)
	}
}

// The last slot that reported a violation is that of its latest report.
func TestLastSlot(t *testing.T) {
	t.Parallel()
	h := ledger.History{}
	h.Violation.Run, h.Violation.First, h.Violation.Job, h.Violation.Slot = "R", 1, quality, 2
	if got := h.LastSlot(); got != (ledger.Address{Run: "R", Iteration: 1, Job: quality, Slot: 2}) {
		t.Errorf("without reports: %+v", got)
	}
	h.Reports = []ledger.Report{{Iteration: 1, Slot: 2}, {Iteration: 3, Slot: 1}}
	got := h.LastSlot()
	if got != (ledger.Address{Run: "R", Iteration: 3, Job: quality, Slot: 1}) {
		t.Errorf("%+v", got)
	}
	if check := (ledger.Address{Job: lint}); !got.OfReview() || check.OfReview() {
		t.Error("which of the two is a review")
	}
}

// A search finds three kinds of things, each with the time at which it was made.
func TestSearchHits(t *testing.T) {
	t.Parallel()
	v := &ledger.ListedViolation{}
	v.FirstSeen = time.Unix(1, 0)
	discard, notes := &ledger.Report{At: time.Unix(2, 0), Disposition: ledger.OutOfDiff}, &ledger.SlotNotes{At: time.Unix(3, 0)}
	for _, test := range []struct {
		hit         ledger.SearchHit
		kind        string
		disposition ledger.Disposition
		at          int64
	}{
		{ledger.SearchHit{Violation: v}, ledger.HitViolation, ledger.Accepted, 1}, {ledger.SearchHit{Discard: discard}, ledger.HitReport, ledger.OutOfDiff, 2},
		{ledger.SearchHit{Notes: notes}, ledger.HitNotes, "", 3},
	} {
		if h := test.hit; h.Kind() != test.kind || h.Disposition() != test.disposition || h.At().Unix() != test.at {
			t.Errorf("%s: %s, %q, %v", test.kind, h.Kind(), h.Disposition(), h.At())
		}
	}
}

func TestViolationsOfAJob(t *testing.T) {
	t.Parallel()
	s := &ledger.State{Violations: []ledger.Violation{{ID: "a", Job: quality}, {ID: "b", Job: security}, {ID: "c", Job: quality}}}
	var got []string
	for _, v := range s.ViolationsOf(quality) {
		got = append(got, v.ID)
	}
	if !slices.Equal(got, []string{"a", "c"}) || s.ViolationsOf(lint) != nil {
		t.Errorf("%q", got)
	}
	for _, test := range []struct {
		word ledger.ClaimVerdict
		want bool
	}{{ledger.ClaimFixed, true}, {ledger.DisputeWithdrawn, true}, {ledger.ClaimNotFixed, false}, {ledger.ClaimCannotTell, false}, {ledger.DisputeStands, false}, {"", false}} {
		if got := test.word.Confirms(); got != test.want {
			t.Errorf("%q confirms: %t", test.word, got)
		}
	}
	gone := ledger.Gone{By: "claude@1", Evidence: "the file is deleted"}
	if text, err := gone.MarshalText(); err != nil || string(text) != "claude@1: the file is deleted" || (ledger.Gone{}).String() != "" {
		t.Errorf("gone: %q, %v", text, err)
	}
}
