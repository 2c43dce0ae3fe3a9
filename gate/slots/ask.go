package slots

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/paths"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// Answer is the result of asking one slot: an answer, or the reason why there is none.
type Answer struct {
	Job  Job
	Slot Slot
	Call ledger.SlotCall
	// Status is empty if Given must be recorded. Else it is [ledger.SlotError] or
	// [ledger.SlotInterrupted], and Reason says why there is no answer.
	Status ledger.SlotStatus
	Reason string
	// Given is the answer in the types of package ledger.
	Given ledger.Answer
	// Warnings say what in the answer was not understood literally.
	Warnings []string

	asker  *Asker
	header ledger.SlotLogHeader
	path   string
	// Facts and Content are about the places of the entries of Given.
	Facts   ledger.Facts
	Content ledger.Content
	listed  map[string]bool // short ids that a prompt listed
	calls   []ledger.Call
	reply   clients.Reply  // of the last call
	given   []ledger.Place // the places of the entries, with the file names of the answer
	names   *paths.Resolver
	notes   []string // for the log
	remarks []string // notes that are for the console, too
	// handedIn means that nobody was asked.
	handedIn bool
	// suppressed counts the results in all calls that are suppressed in the tool.
	suppressed int
	// failed is why a call could not be recorded.
	failed error
	// cooldown is how long the adapter must not be asked from now on because it reached a limit,
	// else 0.
	cooldown time.Duration
}

// Ask begins the slot's log and, when it is the slot's turn, puts its prompts to its reviewer. It
// returns an error only if it could not do its work: if a reviewer gives no answer, it returns an
// Answer with a status.
func (a *Asker) Ask(ctx context.Context, job Job, slot Slot) (*Answer, error) {
	defer a.wait()()
	answer, err := a.begin(job, slot)
	if err != nil {
		return nil, err
	}
	running := slot.running(job)
	running.Log = answer.path
	a.Progress.Running(running)
	defer a.Progress.Ended(job.ID, slot.Index)
	form, err := answer.ask(ctx)
	if answer.failed != nil { // the log keeps what the reviewer said before
		return nil, errors.Join(answer.failed, answer.Unrecorded(answer.failed))
	}
	answer.Call.Made = answer.calls
	if err == nil {
		err = answer.cannotReview(ctx, form)
	}
	if err == nil || countsInError(form) && !a.CodeReview {
		answer.read(ctx, form)
	}
	if err != nil {
		answer.fail(err, form)
	}
	if answer.cooldown > 0 { // also if something that it said before counts
		if err := a.Cool(ctx, slot.Adapter, err.Error(), answer.cooldown); err != nil {
			return nil, err
		}
	}
	if answer.Status != "" {
		return answer, nil
	}
	return answer, answer.findFacts(slot.Since)
}

// begin begins the slot's log.
func (a *Asker) begin(job Job, slot Slot) (answer *Answer, err error) {
	answer = &Answer{
		Job: job, Slot: slot, asker: a, header: a.Header(job, slot), listed: map[string]bool{},
		Call: ledger.SlotCall{Job: job.ID, Slot: slot.Index, Adapter: slot.Adapter},
	}
	answer.path, err = a.Logs.StartSlotLog(answer.header)
	return answer, err
}

// HandedIn returns the answer of a slot whose entries were handed in by an outside reviewer. It
// begins the slot's log.
func (a *Asker) HandedIn(job Job, slot Slot, entries []ledger.Entry) (*Answer, error) {
	answer, err := a.begin(job, slot)
	answer.Given.Entries, answer.handedIn = entries, true
	for _, entry := range entries {
		answer.given = append(answer.given, entry.Place)
	}
	return answer, errors.Join(err, answer.findFacts(nil))
}

// Header returns the beginning of the slot's log.
func (a *Asker) Header(job Job, slot Slot) ledger.SlotLogHeader {
	header := ledger.SlotLogHeader{
		Job: job.ID, EntryPoint: job.Entry, Adapter: slot.Adapter, Slot: slot.Index, Iteration: a.Iteration,
		Base: a.Base, Plan: slot.SlotPlan,
	}
	if slot.Diff != nil {
		what, size := "changed file", "bytes of diff"
		if a.WholeFiles {
			what, size = "file", "bytes"
		}
		header.Notes = append(header.Notes, fmt.Sprintf("Reviewing %s, %d %s", ledger.Plural(len(slot.Diff.Files), what), slot.Diff.Size(), size))
	}
	if n := len(slot.Claims); n > 0 {
		header.Notes = append(header.Notes, "To verify: "+ledger.Plural(n, "claim"))
	}
	if n := len(slot.Disputed); n > 0 {
		header.Notes = append(header.Notes, "To answer: "+ledger.Plural(n, "dispute"))
	}
	return header
}

// ask builds the prompts and puts them to the reviewer. If one part has no answer, the slot has
// none; the form then holds the answers to the other parts.
func (a *Answer) ask(ctx context.Context) (answer.Form, error) {
	prompts, err := prompt.Build(a.promptInput())
	if err != nil {
		return answer.Form{}, err
	}
	a.Call.Started = a.asker.Now()
	var parts []answer.Form
	var raw []string
	for n, p := range prompts {
		if err := a.asker.afford(); err != nil {
			return answer.Merge(parts), err
		}
		a.list(p)
		form, err := a.askPart(ctx, p, n+1)
		if len(a.calls) > 0 {
			raw = append(raw, a.calls[len(a.calls)-1].Answer)
		}
		a.Call.Raw = strings.Join(raw, "\n")
		parts = append(parts, form)
		if err != nil && len(prompts) > 1 {
			err = fmt.Errorf("part %d of %d: %w", n+1, len(prompts), err)
		}
		if err != nil {
			return answer.Merge(parts), err
		}
	}
	return answer.Merge(parts), nil
}

// list records the ids that a prompt listed, because an answer may name only these.
func (a *Answer) list(p prompt.Prompt) {
	for _, ids := range [][]string{p.Claims, p.Disputed, p.Known} {
		for _, id := range ids {
			a.listed[id] = true
		}
	}
}

// cannotReview returns an error if an answer in the form says that the reviewer has not reviewed
// everything that it was shown, else nil.
//
// Rule: What is not an answer is an error.
func (a *Answer) cannotReview(ctx context.Context, form answer.Form) error {
	if form.Status == answer.Error {
		return fmt.Errorf("the reviewer could not review: %s", clients.OneLine(form.Reason))
	}
	return a.unreviewed(ctx, form.NotReviewed)
}

// fail sets the reason why the slot is in error. What could be read of its answer is recorded
// nevertheless, except in a code review, where nothing is decided then.
func (a *Answer) fail(cause error, form answer.Form) {
	a.Call.ErrorKind = kindOf(cause)
	var call *clients.CallError
	if errors.As(cause, &call) {
		a.cooldown = call.Cooldown(a.asker.Now())
		if call.Kind == ledger.ErrorInterrupted {
			a.Status, a.Reason = ledger.SlotInterrupted, "interrupted"
			return
		}
	}
	if countsInError(form) && !a.asker.CodeReview {
		a.Given.Error = cause.Error()
		return
	}
	a.Status, a.Reason = ledger.SlotError, cause.Error()
}

// Remarks returns what the reviewer found that is not in its answer, such as the number of results
// in files that the change does not touch.
func (a *Answer) Remarks() []string { return a.remarks }

// Reviews returns a summary of how the slots of a gate ended.
func Reviews(ended []ledger.Slot) string {
	n := map[ledger.SlotStatus]int{}
	for _, slot := range ended {
		n[slot.Status]++
	}
	return fmt.Sprintf("%d passed, %d failed, %d in error, %d skipped",
		n[ledger.SlotPass], n[ledger.SlotFail], n[ledger.SlotError]+n[ledger.SlotInterrupted], n[ledger.SlotSkipped])
}
