package main

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestAnswerWithItsCalls(t *testing.T) {
	t.Parallel()
	in, out := int64(7), int64(3)
	calls := []ledger.Call{
		{Number: 1, Usage: ledger.Usage{InputTokens: &in}, Misfit: "text after the object at byte 812"},
		{Number: 2, Repair: true, Usage: ledger.Usage{InputTokens: &in, OutputTokens: &out}},
	}
	const lines = "--- call 1; 7 tokens in, 0 out; text after the object at byte 812\n" +
		"--- call 2; asked once more; 7 tokens in, 3 out; fits the form\n"
	for name, test := range map[string]struct {
		calls       []ledger.Call
		notes, want string
	}{
		"one call":       {calls[:1], "", "{}"},
		"none recorded":  {nil, "", "{}"},
		"several":        {calls, "", lines + "{}"},
		"notes":          {calls[:1], "was short of time\n", "{}\n--- notes\nwas short of time\n"},
		"several, notes": {calls, "was short", lines + "{}\n--- notes\nwas short\n"},
	} {
		if got := newLogJSON(ledger.Address{}, ledger.TextAnswer, "{}").with(test.calls, test.notes).forPeople(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// If there are several answers, the one that counts is printed, and each of them by its number.
func TestChosenCall(t *testing.T) {
	t.Parallel()
	several := []ledger.SlotText{{Call: 0, Text: "counts"}, {Call: 1, Text: "first"}, {Call: 2, Text: "second"}}
	split := []ledger.SlotText{{Call: 1, Text: "first"}, {Call: 2, Text: "second"}}
	for name, test := range map[string]struct {
		texts []ledger.SlotText
		call  int
		want  string
	}{
		"all":            {several, 0, "counts"},
		"the first":      {several, 1, "first"},
		"the second":     {several, 2, "second"},
		"a split prompt": {split, 0, "--- Call 1 ---\nfirst\n--- Call 2 ---\nsecond\n"},
		"a part of it":   {split, 2, "second"},
	} {
		got, err := chosenCall(test.texts, test.call, 2)
		if got != test.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, test.want)
		}
	}
	if _, err := chosenCall(several[:1], 2, 2); err == nil {
		t.Error("one call of what is only kept together")
	}
}
