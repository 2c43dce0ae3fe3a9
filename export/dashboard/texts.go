package dashboard

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

// logParameters says which text of an execution is wanted.
type logParameters struct {
	kind string
	call int
	raw  bool
}

// Add implements [parameters].
func (p *logParameters) Add(flags *pflag.FlagSet) {
	flags.StringVar(&p.kind, "kind", "", "")
	flags.Var(filters.Number(&p.call), "call", "")
	flags.BoolVar(&p.raw, "raw", false, "")
}

func logView() view {
	return view{
		parameters: func(*visit) parameters { return &logParameters{} },
		page:       func(v *visit) (pages.Page, error) { return v.log() },
		raw: func(v *visit) (answer, error) {
			if !v.given.(*logParameters).raw {
				return nil, nil
			}
			p, err := v.wholeLog()
			return func(w io.Writer) error {
				_, err := io.WriteString(w, p.Text.Value)
				return err
			}, err
		},
		json: func(v *visit) (answer, error) {
			p, err := v.wholeLog()
			return inJSON(logJSON{Kind: p.Kind, Call: p.Call, Calls: p.Calls, Text: p.Text.Value}), err
		},
	}
}

// logJSON is a text that an execution left behind.
type logJSON struct {
	Kind  string `json:"kind"` // empty for a check
	Call  int    `json:"call"`
	Calls int    `json:"calls"`
	Text  string `json:"text"`
}

// wholeLog is [visit.log] for programs: a missing text is an error instead of a page that says why.
func (v *visit) wholeLog() (pages.Log, error) {
	p, err := v.log()
	if err == nil && p.Text.Problem != "" {
		err = errors.New(p.Text.Problem)
	}
	return p, err
}

// log returns the text that the URL names.
func (v *visit) log() (pages.Log, error) {
	given := v.given.(*logParameters)
	address := v.request.PathValue("address")
	a, ok := ledger.ParseAddress(address)
	if !ok || a.Run == "" || a.Iteration == 0 {
		return pages.Log{}, missing(fmt.Errorf("%q is not the address of a log: use RUN/ITERATION/JOB@INDEX", address))
	}
	run, err := v.findRun(a.Run)
	if err != nil {
		return pages.Log{}, err
	}
	state, err := try(v, func() (*ledger.State, error) { return v.ledger.RunDetail(v.ctx, run.ID) })
	if err != nil {
		return pages.Log{}, err
	}
	p := pages.Log{Run: run, Ref: ledger.SlotRef{Job: a.Job, Slot: a.Slot, Iteration: a.Iteration}}
	gate := state.Gate(a)
	if gate == nil || a.OfReview() && gate.Slot(a.Slot) == nil {
		return p, missing(fmt.Errorf("run %s does not have %q", run.ID, address), pages.Suggestion{Words: "The run", Path: "/runs/" + run.ID})
	}
	if !a.OfReview() {
		if given.kind != "" || given.call > 0 {
			return p, filters.Errorf("%s and %s are for the slots of reviews, and %s is a check", filters.Flag("kind"), filters.Flag("call"), a.Job)
		}
		p.Text = ask(v, func() (string, error) {
			log, err := v.ledger.CheckLog(v.ctx, run.ID, a.Iteration, a.Job)
			if errors.Is(err, ledger.ErrNotFound) {
				return "", nil // nothing was kept, which the page says
			}
			return log, err
		})
		return p, nil
	}
	return v.slotLog(p, gate.Slot(a.Slot).Calls)
}

// slotLog adds the text of a slot. Texts of one call have its number. A text of all calls has the
// number 0, and is shown for the first call.
func (v *visit) slotLog(p pages.Log, calls int) (pages.Log, error) {
	given := v.given.(*logParameters)
	kinds := []ledger.TextKind{ledger.TextPrompt, ledger.TextAnswer, ledger.TextStderr}
	p.Kind, p.Call, p.Calls = given.kind, given.call, max(calls, 1)
	if p.Kind == "" {
		p.Kind = string(ledger.TextAnswer)
	}
	if p.Call < 1 && (p.Calls == 1 || p.Kind != string(ledger.TextAnswer)) {
		p.Call = 1 // of several answers, the one that counts is shown first
	}
	if !slices.Contains(kinds, ledger.TextKind(p.Kind)) {
		return p, filters.Errorf("invalid %s %q: use %s", filters.Flag("kind"), p.Kind, ledger.OneOf(kinds))
	}
	if p.Call > p.Calls {
		return p, missing(fmt.Errorf("the reviewer was called %d times, so there is no call %d", p.Calls, p.Call))
	}
	p.Text = ask(v, func() (string, error) {
		texts, err := v.ledger.SlotTexts(v.ctx, p.Run.ID, p.Ref, ledger.TextKind(p.Kind))
		of := func(call int) int {
			return slices.IndexFunc(texts, func(t ledger.SlotText) bool { return t.Call == call })
		}
		for _, call := range []int{p.Call, 0, 1} {
			if i := of(call); i >= 0 && (call != 1 || p.Call < 2) {
				return texts[i].Text, err
			}
		}
		return "", err
	})
	return p, nil
}
