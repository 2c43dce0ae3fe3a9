package slots

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// Answer is what came of asking one slot.
type Answer struct {
	Job  Job
	Slot Slot
	Call ledger.SlotCall
	// Status is empty if the reviewer answered. Else it is [ledger.SlotError] or
	// [ledger.SlotInterrupted], and Reason says why there is no answer.
	Status ledger.SlotStatus
	Reason string
	// Cooldown is how long the adapter is to be left alone from now on, because it
	// reached a limit; else 0.
	Cooldown time.Duration
	// Fail reports whether the answer's own status was "fail".
	Fail    bool
	Entries []ledger.Entry
	// Claims are its words on claims.
	Claims []ledger.ClaimWord
	// Warnings say what in the answer was understood otherwise than it stands.
	Warnings []string

	asker   *Asker
	header  ledger.SlotLogHeader
	path    string
	facts   *ledger.Facts
	claimed []string // the words of the code at the claims
	content Content
	notes   []string // for the log
	remarks []string // those that are for the console, too
}

// Ask puts the slot's prompts to its reviewer, when it is its turn, and begins its log.
// It returns an error only if it could not do its work: a reviewer that gives no answer
// is an answer with a status.
func (a *Asker) Ask(ctx context.Context, job Job, slot Slot) (*Answer, error) {
	defer a.wait()()
	answer := &Answer{
		Job: job, Slot: slot, asker: a, header: a.Header(job, slot),
		Call: ledger.SlotCall{Job: job.ID, Slot: slot.Index, Adapter: slot.Adapter},
	}
	var err error
	if answer.path, err = a.Logs.StartSlotLog(answer.header); err != nil {
		return nil, err
	}
	a.Progress.Running(ledger.Running{Job: job.ID, Slot: slot.Index, Log: answer.path})
	given, err := answer.ask(ctx)
	if err != nil {
		answer.refuse(err)
		return answer, nil
	}
	answer.read(ctx, given)
	return answer, nil
}

// Header is what the slot's log begins with.
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
	return header
}

// ask builds the prompts and puts them to the reviewer.
func (a *Answer) ask(ctx context.Context) (clients.Answer, error) {
	prompts, err := clients.BuildPrompts(a.promptInput())
	if err != nil {
		return clients.Answer{}, err
	}
	for _, prompt := range prompts {
		if !clients.ReadsPrompts(a.Slot.Reviewer) {
			break
		}
		preamble := a.Slot.Reviewer.Preamble(a.asker.Worktree.Repo.Root)
		a.Call.Prompts = append(a.Call.Prompts, append([]byte(preamble), prompt.Text...))
	}
	a.Call.Started = a.asker.Now()
	paid := 0
	outcome, err := clients.Ask(ctx, a.Slot.Reviewer, prompts, clients.Call{
		Dir: a.asker.Worktree.Repo.Root, Model: a.Job.Review.Model, Timeout: a.timeout(),
		Before: func(sofar []clients.Reply) error {
			a.asker.pay(a.Slot.Adapter, sofar[paid:])
			paid = len(sofar)
			return a.asker.afford()
		},
	})
	a.asker.pay(a.Slot.Adapter, outcome.Replies[paid:])
	for _, reply := range outcome.Replies {
		a.addReply(reply)
	}
	a.Call.Usage, a.Call.Duration = ledger.Usage(outcome.Usage()), outcome.Duration()
	return outcome.Answer, err
}

// timeout is the review's, else the adapter's; 0 leaves it to package review.
func (a *Answer) timeout() time.Duration {
	if a.Job.Review.Timeout > 0 {
		return a.Job.Review.Timeout
	}
	return a.asker.Worktree.Config.Adapters[a.Slot.Adapter].Timeout
}

func (a *Answer) addReply(reply clients.Reply) {
	text := reply.Text
	if text == "" {
		text = string(reply.Stdout)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if a.Call.Raw != "" {
		a.Call.Raw += "\n"
	}
	a.Call.Raw += text
	if reply.Waited > 0 {
		a.notes = append(a.notes, fmt.Sprintf("Waited %s for a rate limit to end", reply.Waited.Round(time.Millisecond)))
	}
	a.notes, a.remarks = append(a.notes, reply.Notes...), append(a.remarks, reply.Notes...)
	a.Call.Elsewhere += reply.Elsewhere
	a.Call.Stderr = append(a.Call.Stderr, reply.Stderr...)
	a.Call.Calls++
}

// Remarks say what the reviewer found and is not in its answer, as in files that the change
// does not touch.
func (a *Answer) Remarks() []string { return a.remarks }

// refuse notes why there is no answer.
func (a *Answer) refuse(cause error) {
	a.Status, a.Reason = ledger.SlotError, cause.Error()
	if errors.As(cause, new(*budgetError)) {
		a.Call.ErrorKind = ledger.ErrorBudget
		return
	}
	var call *clients.CallError
	if !errors.As(cause, &call) {
		return
	}
	a.Call.ErrorKind = ledger.ErrorKind(call.Kind)
	if call.Kind == clients.KindInterrupted {
		a.Status, a.Reason = ledger.SlotInterrupted, "interrupted"
	}
	a.Cooldown = call.Cooldown(a.asker.Now())
}

// Outcome is how the slot ended, for the console. It leads to the slot's log.
func (a *Answer) Outcome(status ledger.SlotStatus, reason string) ledger.SlotOutcome {
	return ledger.SlotOutcome{
		Job: a.Job.ID, Adapter: a.Slot.Adapter, Slot: a.Slot.Index,
		Status: status, Reason: reason, Path: a.path, Duration: a.Call.Duration,
	}
}

// Warning is a warning about the slot, as the console shows it.
func (a *Answer) Warning(text string) string {
	return fmt.Sprintf("%s (%s@%d): %s", a.Job.ID, a.Slot.Adapter, a.Slot.Index, text)
}

// End ends the slot's log with what became of the answer, and returns all of it. A slot
// without an answer has an empty document.
func (a *Answer) End(document ledger.SlotDocument, status ledger.SlotStatus, reason string, notes []string) (log []byte, err error) {
	if reason == "" {
		reason = ledger.Plural(len(document.Violations), "violation")
	}
	return a.asker.Logs.EndSlotLog(a.header, ledger.SlotLogEnd{
		Asked: true, Raw: a.Call.Raw, Document: document, Notes: append(a.notes, notes...), Status: status, Reason: reason,
	})
}

// EndUnanswered ends the log of a slot that has no answer, with what its reviewer wrote
// to stderr, and returns all of it.
func (a *Answer) EndUnanswered() (log []byte, err error) {
	var notes []string
	if stderr := strings.TrimSpace(string(a.Call.Stderr)); stderr != "" {
		notes = append(append(notes, "--- Stderr ---"), strings.Split(stderr, "\n")...)
	}
	return a.End(ledger.SlotDocument{}, a.Status, a.Reason, notes)
}

// Reviews says how the slots of a gate ended.
func Reviews(ended []ledger.Slot) string {
	n := map[ledger.SlotStatus]int{}
	for _, slot := range ended {
		n[slot.Status]++
	}
	return fmt.Sprintf("%d passed, %d failed, %d in error, %d skipped",
		n[ledger.SlotPass], n[ledger.SlotFail], n[ledger.SlotError]+n[ledger.SlotInterrupted], n[ledger.SlotSkipped])
}
