package ledger_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]ledger.Address{
		"01KB3/2/review:src:quality@1":   {Run: "01KB3", Iteration: 2, Job: "review:src:quality", Slot: 1},
		"01KB3/2/review:src:quality@1#3": {Run: "01KB3", Iteration: 2, Job: "review:src:quality", Slot: 1},
		"01KB3/2/review:src:quality":     {Run: "01KB3", Iteration: 2, Job: "review:src:quality"},
		"01KB3/review:src:quality@2":     {Run: "01KB3", Job: "review:src:quality", Slot: 2},
		"last/3/check:.:go-test":         {Run: "last", Iteration: 3, Job: "check:.:go-test"},
		"last~1/check:.:go-test":         {Run: "last~1", Job: "check:.:go-test"},
		"feature/x/2/check:.:a":          {Run: "feature/x", Iteration: 2, Job: "check:.:a"},
		"2/check:packages/api:test":      {Iteration: 2, Job: "check:packages/api:test"},
		"check:.:lint":                   {Job: "check:.:lint"},
		"check:.:odd@2":                  {Job: "check:.:odd@2"}, // a check has no slots
		"review:packages/check:b:c@10":   {Job: "review:packages/check:b:c", Slot: 10},
		"01/review:a@b:c@1":              {Run: "01", Job: "review:a@b:c", Slot: 1},
		"review:src:quality@0":           {Job: "review:src:quality@0"},
		"01KB3/1/check:.:a":              {Run: "01KB3", Iteration: 1, Job: "check:.:a"},
		"01KB3/-1/check:.:a":             {Run: "01KB3/-1", Job: "check:.:a"},
		"01KB3/0/check:.:a":              {Run: "01KB3/0", Job: "check:.:a"},
		"01KB3/02/check:.:a":             {Run: "01KB3/02", Job: "check:.:a"},
	} {
		if got, ok := ledger.ParseAddress(text); !ok || got != want {
			t.Errorf("%q: %+v, %t, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "8f3kq2", "01KB3", "01KB3/2", "recheck:a:b", "src:quality@1", "last"} {
		if got, ok := ledger.ParseAddress(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestParseReportAddress(t *testing.T) {
	t.Parallel()
	const slot = "01KB3/2/review:src:quality@1"
	want, _ := ledger.ParseAddress(slot)
	if got, position, ok := ledger.ParseReportAddress(slot + "#3"); !ok || got != want || position != 3 {
		t.Errorf("%+v, %d, %t", got, position, ok)
	}
	for _, text := range []string{"", "8f3kq2", slot, slot + "#", slot + "#x", "01KB3/2/review:src:quality#3", "#3"} {
		if got, position, ok := ledger.ParseReportAddress(text); ok {
			t.Errorf("%q: %+v, %d", text, got, position)
		}
	}
}

func TestGateOfAnAddress(t *testing.T) {
	t.Parallel()
	const job, check = "review:src:quality", "check:src:lint"
	slots := func(statuses ...ledger.SlotStatus) (list []ledger.Slot) {
		for i, status := range statuses {
			list = append(list, ledger.Slot{Index: i + 1, Status: status})
		}
		return list
	}
	state := &ledger.State{Gates: []ledger.Gate{
		{Iteration: 1, Job: check, Status: ledger.GateFailed},
		{Iteration: 1, Job: job, Status: ledger.GateFailed, Slots: slots(ledger.SlotFail, ledger.SlotPass)},
		{Iteration: 2, Job: check, Status: ledger.GateNotRun},
		{Iteration: 2, Job: job, Status: ledger.GateFailed, Slots: slots(ledger.SlotFail, ledger.SlotSkipped)},
		{Iteration: 3, Job: "check:src:new", Status: ledger.GateNotRun},
		{Iteration: 3, Job: "review:src:left", Status: ledger.GateNotRun},
		{Iteration: 4, Job: "review:src:left", Status: ledger.GateNotRun},
	}}
	for name, test := range map[string]struct {
		address   ledger.Address
		iteration int // 0 if there is none
	}{
		"latest":            {ledger.Address{Job: job}, 2},
		"slot asked":        {ledger.Address{Job: job, Slot: 2}, 1},
		"slot 1":            {ledger.Address{Job: job, Slot: 1}, 2},
		"iteration":         {ledger.Address{Job: job, Iteration: 1}, 1},
		"skipped":           {ledger.Address{Job: job, Iteration: 2, Slot: 2}, 2},
		"executed":          {ledger.Address{Job: check}, 1},
		"left alone":        {ledger.Address{Job: check, Iteration: 2}, 2},
		"never executed":    {ledger.Address{Job: "check:src:new"}, 3},
		"left alone twice":  {ledger.Address{Job: "review:src:left"}, 4},
		"no such slot":      {ledger.Address{Job: job, Slot: 3}, 2},
		"no such job":       {ledger.Address{Job: "check:src:nosuch"}, 0},
		"no such iteration": {ledger.Address{Job: job, Iteration: 3}, 0},
	} {
		iteration := 0
		if g := state.Gate(test.address); g != nil {
			iteration = g.Iteration
		}
		if iteration != test.iteration {
			t.Errorf("%s: iteration %d, want %d", name, iteration, test.iteration)
		}
	}
}

// An address that is printed can be pasted.
func FuzzParseAddress(f *testing.F) {
	f.Add("01KB/2/review:src:q@1")
	f.Add("feature/x/check:.:a@1")
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := ledger.ParseAddress(text)
		if !ok || a.Run == "" || a.Iteration == 0 || a.Slot == 0 {
			return
		}
		printed := ledger.SlotName(a.Run, ledger.SlotRef{Job: a.Job, Slot: a.Slot, Iteration: a.Iteration})
		if again, _ := ledger.ParseAddress(printed); again != a {
			t.Errorf("%q: %+v, printed as %q: %+v", text, a, printed, again)
		}
	})
}
