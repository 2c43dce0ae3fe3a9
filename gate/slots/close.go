package slots

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rows records the slots of an iteration in the ledger.
type Rows interface {
	// CountCall records that the slot's reviewer is called.
	CountCall(ctx context.Context, job string, slot int) error
	// RecordSlotError records that a slot has no answer, and why.
	RecordSlotError(ctx context.Context, call ledger.SlotCall, status ledger.SlotStatus, reason string) error
	// KeepLog keeps the log of a slot, and closes it.
	KeepLog(job string, slot int, log io.ReadCloser) error
}

// Settled is what became of an answer that was recorded.
type Settled struct {
	Status ledger.SlotStatus
	Reason string
	// Document has the part of the answer that counts; InFile means that it becomes the slot's JSON
	// file.
	Document ledger.SlotDocument
	InFile   bool
	// LeftOut says how many reports were discarded, for each reason.
	LeftOut []string
	// Warnings are for the log, Notes for the log and the console, and Remarks for the console
	// alone.
	Warnings, Notes, Remarks []string
	// Filtered are filtered reports, out of FilteredInAll.
	Filtered      []ledger.FilteredEntry
	FilteredInAll int
}

// Settle ends a slot whose answer was recorded: it writes the slot's file, and shows what became of
// the answer on the console and in the log.
func (a *Answer) Settle(s Settled) error {
	reasons := slices.Concat(s.LeftOut, s.Remarks)
	if s.Reason != "" {
		reasons = append([]string{s.Reason}, reasons...)
	}
	outcome := a.outcome(s.Status, strings.Join(reasons, ", "))
	outcome.Violations, outcome.Notes = s.Document.Violations, a.first(s.Notes, "note")
	outcome.Filtered, outcome.LeftOut = s.Filtered, s.FilteredInAll
	if s.InFile {
		path, err := a.asker.Logs.WriteSlot(s.Document)
		if err != nil {
			return err
		}
		if outcome.InReview() {
			outcome.Path = path
		}
	}
	if err := a.end(s.Document, s.Status, s.Reason, slices.Concat(s.Warnings, s.LeftOut, s.Notes)); err != nil {
		return err
	}
	a.asker.Progress.SlotDone(outcome)
	return nil
}

// maxShown is how many warnings, and how many notes, about an answer are shown on the console. Its
// log has all of them.
const maxShown = 20

// first returns the first lines if there are many, and where the others are: a tool may report a
// hundred thousand results in files that do not exist.
func (a *Answer) first(lines []string, kind string) []string {
	if more := len(lines) - maxShown; more > 0 {
		return append(slices.Clone(lines[:maxShown]), fmt.Sprintf("and %s: see %s", ledger.Plural(more, "more "+kind), a.path))
	}
	return lines
}

// Warn shows warnings about the answer.
func (a *Answer) Warn(warnings []string) {
	for _, text := range a.first(warnings, "warning") {
		a.asker.Progress.Warn(fmt.Sprintf("%s (%s@%d): %s", a.Job.ID, a.Slot.Adapter, a.Slot.Index, text))
	}
}

// Unanswered ends a slot that has no answer. Its log gets what the reviewer wrote to stderr. The
// results of other slots stay.
func (a *Answer) Unanswered(ctx context.Context) error {
	if err := a.asker.Rows.RecordSlotError(ctx, a.Call, a.Status, a.Reason); err != nil {
		return err
	}
	var notes []string
	if stderr := strings.TrimSpace(string(a.Call.Stderr)); stderr != "" {
		notes = append(append(notes, "--- Stderr ---"), strings.Split(stderr, "\n")...)
	}
	if err := a.end(ledger.SlotDocument{}, a.Status, a.Reason, notes); err != nil {
		return err
	}
	a.asker.Progress.SlotDone(a.outcome(a.Status, a.Reason))
	return nil
}

// SetAside ends a slot whose answer is not used, for the given reason.
func (a *Answer) SetAside(ctx context.Context, reason string) error {
	if err := a.asker.Rows.RecordSlotError(ctx, a.Call, ledger.SlotInterrupted, reason); err != nil {
		return err
	}
	return a.end(ledger.SlotDocument{}, ledger.SlotInterrupted, reason, nil)
}

// Unrecorded ends the log of a slot whose answer the ledger refused, and gives the reason: the log
// keeps what the reviewer said.
func (a *Answer) Unrecorded(why error) error {
	log, err := a.asker.Logs.EndSlotLog(a.header, a.lastPart(ledger.SlotDocument{}, ledger.SlotError, "the answer was not recorded: "+why.Error(), nil))
	if err == nil {
		err = log.Close()
	}
	return err
}

// end ends the slot's log with what became of the answer. The document of a slot without an answer
// is empty.
func (a *Answer) end(document ledger.SlotDocument, status ledger.SlotStatus, reason string, notes []string) error {
	return a.asker.endLog(a.header, a.lastPart(document, status, reason, notes))
}

func (a *Answer) lastPart(document ledger.SlotDocument, status ledger.SlotStatus, reason string, notes []string) ledger.SlotLogEnd {
	if reason == "" {
		reason = ledger.Plural(len(document.Violations), "violation")
	}
	if line := a.outcome(status, reason).SuppressedLine(); line != "" {
		notes = append([]string{line}, notes...)
	}
	return ledger.SlotLogEnd{Asked: true, Raw: a.Call.Raw, Document: document, Notes: append(a.notes, notes...), Status: status, Reason: reason}
}

func (a *Asker) endLog(header ledger.SlotLogHeader, end ledger.SlotLogEnd) error {
	log, err := a.Logs.EndSlotLog(header, end)
	if err != nil {
		return err
	}
	return a.Rows.KeepLog(header.Job, header.Slot, log)
}

// outcome returns how the slot ended, with the path of its log.
func (a *Answer) outcome(status ledger.SlotStatus, reason string) ledger.SlotOutcome {
	return ledger.SlotOutcome{
		Job: a.Job.ID, Adapter: a.Slot.Adapter, Slot: a.Slot.Index,
		Status: status, Reason: reason, Path: a.path, Duration: a.Call.Duration, Suppressed: a.suppressed,
	}
}

// Skip writes the files of a slot that is not asked.
//
// Rule: A passed slot is skipped while another runs.
func (a *Asker) Skip(job Job, slot Slot, at time.Time) error {
	header := a.Header(job, slot)
	if _, err := a.Logs.StartSlotLog(header); err != nil {
		return err
	}
	document := ledger.SlotDocument{
		Job: job.ID, Slot: slot.Index, Adapter: slot.Adapter, Iteration: a.Iteration, At: at,
		Status: ledger.SlotSkipped, PassIteration: slot.PassIteration,
	}
	path, err := a.Logs.WriteSlot(document)
	if err != nil {
		return err
	}
	a.Progress.SlotDone(ledger.SlotOutcome{
		Job: job.ID, Adapter: slot.Adapter, Slot: slot.Index, Status: ledger.SlotSkipped,
		PassIteration: slot.PassIteration, Path: path,
	})
	return a.endLog(header, ledger.SlotLogEnd{
		Document: document, Status: document.Status, Reason: fmt.Sprintf("passed in iteration %d", slot.PassIteration),
	})
}
