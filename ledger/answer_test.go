package ledger

import (
	"fmt"
	"testing"
)

// Letter case, blanks, quotes and the end of the sentence do not make other words; other
// punctuation may be what an issue is about.
func TestSameText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"No bounds check", "no  Bounds\tcheck.", true}, {"No bounds check!", "No bounds check…", true}, {"`get` has \"no\" check", "get has no check", true},
		{"It’s ‘wrong’", "Its wrong", true}, {"«f» is “odd”", "f is odd", true}, {"a = b", "a == b", false}, {"f()", "f", false}, {"f?", "f", false},
		{"...", "...", true}, {"...", "!", false}, {"", "", true}, {"a.b", "ab", false}, {"end。", "end", true},
	} {
		if got := SameText(test.a, test.b); got != test.same {
			t.Errorf("SameText(%q, %q) = %t", test.a, test.b, got)
		}
	}
}

// Open violations that nobody addressed fail a slot that passes, and change no other status.
//
// Rule: A run passes only if nothing is outstanding.
func TestEnded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status  SlotStatus
		carried int
		want    SlotStatus
	}{{SlotPass, 0, SlotPass}, {SlotPass, 1, SlotFail}, {SlotFail, 0, SlotFail}, {SlotError, 2, SlotError}} {
		if got := (Evaluation{Status: test.status}).Ended(test.carried); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
	for name, test := range map[string]struct {
		e    Evaluation
		want bool
	}{
		"nothing": {Evaluation{Reports: []Evaluated{{Disposition: OutOfDiff}}}, false}, "a report": {Evaluation{Reports: []Evaluated{{Disposition: Accepted}}}, true},
		"reopened": {Evaluation{Reopened: []string{"V"}}, true},
	} {
		if got := test.e.Stands(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Who has to confirm a claim are all slots that reported it and are there.
//
// Rule: Only an answer confirms.
func TestReporters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		slot, num int
		more      []int
		want      string
	}{
		{1, 1, nil, "[1]"}, {2, 3, []int{3, 1}, "[2 3 1]"}, {3, 2, nil, "[1]"}, {3, 2, []int{1}, "[1]"}, {2, 2, []int{3, 4}, "[2 1]"}, {1, 2, []int{2, 2}, "[1 2]"},
	} {
		if got := fmt.Sprint(Violation{Slot: test.slot, MoreSlots: test.more}.Reporters(test.num)); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestPlaceDistance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b Place
		want int
	}{
		{Place{"f", 1, 3}, Place{"f", 3, 9}, 0}, {Place{"f", 1, 3}, Place{"f", 5, 9}, 2}, {Place{"f", 5, 9}, Place{"f", 1, 3}, 2}, {Place{File: "f"}, Place{"f", 5, 9}, 0},
		{Place{"f", 5, 9}, Place{File: "f"}, 0}, {Place{"f", 5, 0}, Place{"f", 9, 0}, 4}, {Place{"f", 9, 0}, Place{"f", 5, 0}, 4},
	} {
		if got := test.a.Distance(test.b); got != test.want {
			t.Errorf("%v to %v: %d", test.a, test.b, got)
		}
	}
}
