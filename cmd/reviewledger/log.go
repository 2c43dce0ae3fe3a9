package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

type logOptions struct {
	prompt, answer, stderr, log bool
	call                        int
	format                      format
}

// kind returns the kind of text that was asked for, or "" if none was.
func (o logOptions) kind() ledger.TextKind {
	switch {
	case o.prompt:
		return ledger.TextPrompt
	case o.answer:
		return ledger.TextAnswer
	case o.stderr:
		return ledger.TextStderr
	case o.log:
		return ledger.TextLog
	}
	return ""
}

func newLogCommand(global *globalOptions) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log [ADDRESS|VIOLATION|RUN]",
		Short: "Print a check's log, or what a reviewer was asked and answered",
		Long: `Print the log of a check, or the answer of a reviewer, from the ledger. An
address is RUN/ITERATION/JOB@INDEX, as other commands print it. Run and
iteration can be omitted if the latest are meant; the run may also be a prefix
of its ID, last, last~1 or a branch. A review without @INDEX is slot 1. A violation
means the slot that reported it last, a filtered report its own slot. A run, by default
the latest (last), means what failed in it last, or else what ran last.

If a reviewer was called several times or wrote notes, a line for each call is
printed before the answer and the notes after it; --answer prints only the answer.
--call N prints the prompt or the answer of one call.

On a terminal control characters are escaped; elsewhere the text is printed byte for
byte.

` + queryExitCodes,
		Example: `  reviewledger log check:src:lint
  reviewledger log last/2/review:src:quality@1 --prompt
  reviewledger log 8f3kq2`,
		Args:              optionalArg,
		ValidArgsFunction: completeArgs(global, completeViolations(), 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLog(cmd.Context(), global, o, first(args))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.prompt, "prompt", false, "print what the reviewer was asked")
	flags.BoolVar(&o.answer, "answer", false, "print only the answer that counts")
	flags.BoolVar(&o.stderr, "stderr", false, "print what the reviewer wrote to stderr")
	flags.Var(filters.Number(&o.call), "call", "print only this call of the reviewer")
	cmd.MarkFlagsMutuallyExclusive("prompt", "answer", "stderr")
	addAnswer(global, cmd, &o.format)
	return cmd
}

// logJSON is a text of a check or slot, with what people see before and after it.
type logJSON struct {
	Run       string  `json:"run"`
	Iteration int     `json:"iteration"`
	Job       string  `json:"job"`
	Slot      *int    `json:"slot"`
	Adapter   *string `json:"adapter"`
	Kind      string  `json:"kind"`
	Call      *int    `json:"call"`
	Text      string  `json:"text"`
	// Calls describes each call of a reviewer, and Notes are what it wrote besides. They stand with an
	// answer if no kind or call was asked for.
	Calls []string `json:"calls"`
	Notes *string  `json:"notes"`
}

func newLogJSON(a ledger.Address, kind ledger.TextKind, content string) logJSON {
	return logJSON{Run: a.Run, Iteration: a.Iteration, Job: a.Job, Kind: string(kind), Text: content, Calls: []string{}}
}

func runLog(ctx context.Context, global *globalOptions, o logOptions, subject string) error {
	var content logJSON
	err := withLedger(ctx, global, func(l *store.Store) error {
		run, a, err := logAddress(ctx, l, subject)
		if err != nil {
			return err
		}
		content, err = logText(ctx, l, run, a, o)
		return err
	})
	switch {
	case err != nil:
		return err
	case o.format == formatJSON:
		return printJSON(global.stdout, content)
	}
	return global.printLong(content.forPeople())
}

// logAddress returns the run and the address of what the user names.
func logAddress(ctx context.Context, l *store.Store, subject string) (ledger.Run, ledger.Address, error) {
	if a, ok := ledger.ParseAddress(subject); ok {
		run, err := filters.FindRun(ctx, l, a.Run)
		return run, a, err
	}
	switch run, err := filters.FindRun(ctx, l, subject); {
	case err == nil:
		a, err := logOfRun(ctx, l, run)
		return run, a, err
	case subject == "", errors.Is(err, ledger.ErrAmbiguous):
		return ledger.Run{}, ledger.Address{}, err
	}
	history, err := l.History(ctx, subject)
	if errors.Is(err, ledger.ErrNotFound) {
		if r, run, err := findReport(ctx, l, subject); err == nil {
			return run, ledger.Address{Run: r.Run, Iteration: r.Iteration, Job: r.Job, Slot: r.Slot}, nil
		}
		return ledger.Run{}, ledger.Address{}, missing("no violation or address matches %q (see: reviewledger violations, reviewledger show; an address is RUN/ITERATION/JOB@INDEX)", subject)
	}
	if err != nil {
		return ledger.Run{}, ledger.Address{}, err
	}
	run, err := l.FindRunByPrefix(ctx, history.Violation.Run)
	return run, history.LastSlot(), err
}

// logOfRun returns the address of what failed last in a run, or else of what ran last.
func logOfRun(ctx context.Context, l *store.Store, run ledger.Run) (ledger.Address, error) {
	state, err := l.RunDetail(ctx, run.ID)
	if err != nil {
		return ledger.Address{}, err
	}
	a, failed := ledger.Address{}, false
	for _, gate := range state.Gates {
		fails := gate.Status == ledger.GateFailed || gate.Status == ledger.GateError
		if gate.Status == ledger.GateNotRun || failed && !fails {
			continue
		}
		a, failed = ledger.Address{Run: run.ID, Iteration: gate.Iteration, Job: gate.Job}, fails
		for _, slot := range gate.Slots {
			if a.Slot == 0 || slot.Status == ledger.SlotFail || slot.Status == ledger.SlotError {
				a.Slot = slot.Index
			}
		}
	}
	if a.Job == "" {
		return a, missing("nothing ran in run %s", run.ID)
	}
	return a, nil
}

func logText(ctx context.Context, l *store.Store, run ledger.Run, a ledger.Address, o logOptions) (content logJSON, err error) {
	state, err := l.RunDetail(ctx, run.ID)
	if err != nil {
		return content, err
	}
	if a.OfReview() && a.Slot == 0 {
		a.Slot = 1
	}
	gate := state.Gate(a)
	if gate == nil {
		return content, unknownGate(run, a)
	}
	a.Run, a.Iteration = run.ID, gate.Iteration
	if !a.OfReview() {
		if o.kind() != "" && !o.log || o.call > 0 {
			return content, usageError("%s is a check: --prompt, --answer, --stderr and --call are for the slots of reviews", a.Job)
		}
		log, err := l.CheckLog(ctx, run.ID, a.Iteration, a.Job)
		if errors.Is(err, ledger.ErrNotFound) {
			return content, noText(run, fmt.Sprintf("%s/%d/%s", run.ID, a.Iteration, a.Job), "a log", string(gate.Status), gate.Reason)
		}
		return newLogJSON(a, ledger.TextLog, log), err
	}
	return slotText(ctx, l, run, gate, a, o)
}

func slotText(ctx context.Context, l *store.Store, run ledger.Run, gate *ledger.Gate, a ledger.Address, o logOptions) (content logJSON, err error) {
	slot := gate.Slot(a.Slot)
	if slot == nil {
		return content, unknownGate(run, a)
	}
	kind := o.kind()
	if kind == "" {
		kind = ledger.TextAnswer
	}
	ref := ledger.SlotRef{Job: a.Job, Slot: a.Slot, Iteration: a.Iteration}
	texts, err := l.SlotTexts(ctx, run.ID, ref, kind)
	if err != nil {
		return content, err
	}
	if len(texts) == 0 {
		what := map[ledger.TextKind]string{ledger.TextPrompt: "a prompt", ledger.TextAnswer: "an answer", ledger.TextStderr: "anything on stderr", ledger.TextLog: "a log in the ledger"}[kind]
		return content, noText(run, ledger.SlotName(run.ID, ref), what, string(slot.Status), slot.Reason)
	}
	calls := max(slot.Calls, 1)
	for _, t := range texts {
		calls = max(calls, t.Call)
	}
	if o.call > calls {
		return content, fmt.Errorf("%s has %s, so there is no call %d", ledger.SlotName(run.ID, ref), ledger.Plural(calls, "call"), o.call)
	}
	chosen, err := chosenCall(texts, o.call, calls)
	content = newLogJSON(a, kind, chosen)
	content.Slot, content.Adapter = &slot.Index, &slot.Adapter
	if o.call > 0 {
		content.Call = &o.call
	}
	if err != nil || o.kind() != "" || o.call > 0 {
		return content, err
	}
	list, err := l.SlotCalls(ctx, run.ID, ref)
	return content.with(list, slot.Notes), err
}

// with adds the calls, and the notes if there are any.
func (c logJSON) with(calls []ledger.Call, notes string) logJSON {
	for _, call := range calls {
		c.Calls = append(c.Calls, call.Words())
	}
	if notes != "" {
		c.Notes = &notes
	}
	return c
}

// forPeople returns the text, preceded by a line for each call if there were several, and followed by
// the reviewer's notes if there are any.
func (c logJSON) forPeople() string {
	var all strings.Builder
	if len(c.Calls) > 1 {
		for _, call := range c.Calls {
			fmt.Fprintf(&all, "--- %s\n", call)
		}
	}
	all.WriteString(c.Text)
	if c.Notes != nil {
		if !strings.HasSuffix(c.Text, "\n") {
			all.WriteByte('\n')
		}
		fmt.Fprintf(&all, "--- notes\n%s\n", strings.TrimSuffix(*c.Notes, "\n"))
	}
	return all.String()
}

// chosenCall returns the text of one call. Without a number it returns the combined text, which is
// the one that counts, or if the ledger has only separate texts, all of them in order.
func chosenCall(texts []ledger.SlotText, call, calls int) (string, error) {
	if call == 0 && texts[0].Call == 0 {
		return texts[0].Text, nil
	}
	var all strings.Builder
	for _, t := range texts {
		if call > 0 && t.Call == call || call > 0 && t.Call == 0 && calls == 1 {
			return t.Text, nil
		}
		if len(texts) > 1 {
			fmt.Fprintf(&all, "--- Call %d ---\n", t.Call)
		}
		all.WriteString(t.Text)
		if len(texts) > 1 && !strings.HasSuffix(t.Text, "\n") {
			all.WriteByte('\n')
		}
	}
	if call > 0 {
		return "", fmt.Errorf("the ledger keeps this text of all %d calls as one: omit --call", calls)
	}
	return all.String(), nil
}

// unknownGate returns the error for an address that the run does not have.
func unknownGate(run ledger.Run, a ledger.Address) error {
	what := a.Job
	if a.Slot > 0 {
		what = fmt.Sprintf("a slot %s@%d", a.Job, a.Slot)
	}
	where := ""
	if a.Iteration > 0 {
		where = fmt.Sprintf(" in iteration %d", a.Iteration)
	}
	return missing("run %s does not have %s%s (see: reviewledger show %s)", run.ID, what, where, run.ID)
}

// noText returns the error that says why there is nothing to print.
func noText(run ledger.Run, address, what, status, reason string) error {
	if !run.ContentRemovedAt.IsZero() {
		return missing("%s: prompts, answers and logs of this run were removed on %s", address, text.LocalDay(run.ContentRemovedAt))
	}
	if reason != "" {
		status += ": " + reason
	}
	return missing("%s does not have %s (%s)", address, what, status)
}
