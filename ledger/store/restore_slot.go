package store

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// restoredReason is the reason that restored slots have.
const restoredReason = "restored from its file"

// restoreSlot restores a slot's row and what its files list. A passing answer that does not list a
// claim does not confirm it: another slot may have reported it too, or the claim may have been made
// after that answer.
//
// Rule: A file does not prove a pass.
func (r *restorer) restoreSlot(ctx context.Context, files []SlotRecord, gate ledger.GateStatus) error {
	first := files[0]
	if err := r.restoreGate(ctx, ledger.Gate{
		Job: first.Document.Job, Kind: ledger.KindReview, EntryPoint: first.EntryPoint, Name: first.Gate, Status: gate,
	}, first.NumReviews); err != nil {
		return err
	}
	slot, err := r.insertSlot(ctx, files)
	if err != nil {
		return err
	}
	listed := map[*restored]bool{}
	position := 0
	for _, file := range files {
		for _, entry := range file.Document.Violations {
			position++
			if err := r.restoreEntry(ctx, slot, position, file.Document, entry, listed); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *restorer) insertSlot(ctx context.Context, files []SlotRecord) (row int64, err error) {
	first := files[0]
	job, err := r.JobID(ctx, first.Document.Job)
	if err != nil {
		return 0, err
	}
	params := db.InsertSlotParams{
		IterationID: r.iteration, JobID: job, ReviewIndex: int64(first.Document.Slot), Adapter: first.Document.Adapter,
		Status: string(slotsStatus(files)), Reason: restoredReason, Reviewed: optional(first.Reviewed), FinishedAt: &r.at,
	}
	status := ledger.SlotStatus(params.Status)
	if status == ledger.SlotSkipped {
		params.PassIteration = number(first.Document.PassIteration)
	}
	if row, err = r.InsertSlot(ctx, params); err != nil {
		return 0, err
	}
	if err := r.noteSlot(ctx, r.run, row, status, ledger.CauseRestored); err != nil {
		return 0, err
	}
	var answers []string
	for _, file := range files {
		answers = append(answers, file.Document.RawOutput)
	}
	return row, r.putCall(ctx, row, ledger.SlotCall{Raw: strings.Join(answers, "\n")})
}

// restoreEntry restores one entry of a slot's file: its violation, its report if the file shows a new
// one, and what the agent said about it.
//
// Rule: Only an answer confirms.
// Rule: A duplicate has the fate of what it was joined to.
func (r *restorer) restoreEntry(ctx context.Context, slot int64, position int, document ledger.SlotDocument, entry ledger.SlotEntry, listed map[*restored]bool) error {
	v, known := r.find(document, entry, listed)
	if known && listed[v] {
		return nil // the same entry twice
	}
	if !known {
		var err error
		if v, err = r.insert(ctx, document, entry); err != nil {
			return err
		}
	}
	listed[v] = true
	first := !slices.Contains(v.slots, document.Slot) // this slot reported it, too
	if first {
		v.slots = append(v.slots, document.Slot)
	}
	if first || !sameReport(v.entry, entry) {
		if err := r.restoreReport(ctx, slot, position, v, entry); err != nil {
			return err
		}
	}
	if !known {
		if err := r.InsertEvent(ctx, db.InsertEventParams{
			ViolationID: v.row, IterationID: r.iteration, Status: string(ledger.StatusNew), Actor: string(ledger.ActorReviewer), At: r.at,
		}); err != nil {
			return err
		}
	}
	word, _ := ledger.AgentWord(entry, "") // the reader of the files has already warned
	if word == ledger.StatusDuplicate {
		word, entry.Result = ledger.StatusNew, nil
	}
	if err := r.restoreWord(ctx, v, word, entry); err != nil {
		return err
	}
	return r.InsertSlotEntry(ctx, db.InsertSlotEntryParams{
		SlotID: slot, Position: int64(position), ViolationID: v.row, ReportID: v.report, Status: string(word), Result: entry.Result,
	})
}

// restoreWord applies what a file says about a violation that it lists. The first file of an
// iteration that lists the violation reports it again. If several files list it, the order of
// precedence is "fixed", "disputed", "new", "skipped", as in [ledger.MergeEdits].
func (r *restorer) restoreWord(ctx context.Context, v *restored, word ledger.Status, entry ledger.SlotEntry) error {
	if v.answered == r.number {
		if word.Facts().Rank >= v.word.Facts().Rank {
			return nil
		}
	} else if !v.status.Open() {
		if err := r.setStatus(ctx, v, ledger.StatusReopened, ledger.SlotEntry{}); err != nil {
			return err
		}
	}
	v.word, v.answered = word, r.number
	if word == ledger.StatusNew && v.status.ForAuthor() || word == ledger.StatusDisputed && v.status == word {
		return nil
	}
	return r.setStatus(ctx, v, word, entry)
}

// sameReport reports whether two entries show the same report: the later one was carried, not
// reported again.
func sameReport(a, b ledger.SlotEntry) bool {
	return a.File == b.File && a.Line == b.Line && a.EndLine == b.EndLine &&
		a.Issue == b.Issue && a.Fix == b.Fix && restoredPriority(a) == restoredPriority(b)
}

func (r *restorer) restoreReport(ctx context.Context, slot int64, position int, v *restored, entry ledger.SlotEntry) error {
	row := reportRow{of: &v.row, report: &ledger.Evaluated{
		Entry:       ledger.Entry{Position: position, Place: entry.Place(), Issue: entry.Issue, Fix: entry.Fix, Priority: restoredPriority(entry)},
		Disposition: ledger.Accepted, Reason: "restored from its file",
	}}
	if err := r.insertReport(ctx, slot, &row); err != nil {
		return err
	}
	if err := r.showReports(ctx); err != nil {
		return err
	}
	v.report, v.entry = row.row, entry
	return r.TouchViolation(ctx, db.TouchViolationParams{LastIteration: int64(r.number), LastSeen: r.at, ID: v.row})
}

// shortIDForm matches a short id. An agent may have written anything as the id in a file.
var shortIDForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{8,26}$`)
})

func (r *restorer) insert(ctx context.Context, document ledger.SlotDocument, entry ledger.SlotEntry) (*restored, error) {
	drawn, err := r.newViolationIDs(ctx, 1)
	if err != nil {
		return nil, err
	}
	id, shortID := drawn[0].ulid, drawn[0].short
	if shortIDForm().MatchString(entry.ID) {
		taken, err := r.ShortIDsTaken(ctx, asJSON([]string{entry.ID}))
		if err != nil {
			return nil, err
		}
		if len(taken) == 0 {
			shortID = entry.ID
		}
	}
	job, err := r.JobID(ctx, document.Job)
	if err != nil {
		return nil, err
	}
	row, err := r.InsertViolation(ctx, db.InsertViolationParams{
		Ulid: id, ShortID: shortID, RunID: r.run, JobID: job, Slot: int64(document.Slot), Adapter: document.Adapter, File: entry.File,
		Priority: string(restoredPriority(entry)), Iteration: int64(r.number), Fingerprint: fingerprintOf(entry), At: r.at,
	})
	if err != nil {
		return nil, err
	}
	v := &restored{row: row, status: ledger.StatusNew}
	r.index(v, document, entry)
	return v, nil
}

// fingerprintForm matches a fingerprint.
var fingerprintForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{32}$`) })

// fingerprintOf returns the fingerprint that a file gives to an entry. It only shows later runs that the
// line still stands: a skip that was restored filters nothing.
func fingerprintOf(entry ledger.SlotEntry) *string {
	if !fingerprintForm().MatchString(entry.Fingerprint) {
		return nil
	}
	return &entry.Fingerprint
}

// remember makes a violation of the ledger known, so that entries can refer to it.
func (r *restorer) remember(v *violation) {
	entry := v.Entry()
	r.index(&restored{row: v.Row, report: v.ReportRow, slots: append([]int{v.Slot}, v.MoreSlots...), entry: entry, status: v.Status}, ledger.SlotDocument{Job: v.Job, Slot: v.Slot}, entry)
}

// index makes the violation findable by the keys of the entry.
func (r *restorer) index(v *restored, document ledger.SlotDocument, entry ledger.SlotEntry) {
	for _, key := range restoredKeys(document, entry) {
		if r.violations[key] == nil {
			r.violations[key] = v
		}
	}
}

// find returns the violation that an entry is about. An id that the same file already uses for
// another entry proves nothing: a copied id must not merge two findings. An id that no earlier file
// uses is a violation of its own, even if its text equals that of another one.
func (r *restorer) find(document ledger.SlotDocument, entry ledger.SlotEntry, listed map[*restored]bool) (v *restored, known bool) {
	keys := restoredKeys(document, entry)
	for _, key := range keys {
		v := r.violations[key]
		if v == nil || listed[v] && !sameReport(v.entry, entry) {
			continue
		}
		if named := entry.ID != "" && r.violations[keys[0]] == nil; named && v.entry.ID != "" && v.entry.ID != entry.ID {
			continue
		}
		return v, true
	}
	return nil, false
}

// restoredKeys returns the keys by which an entry is found: its id if it has one, and its place and
// issue.
func restoredKeys(document ledger.SlotDocument, entry ledger.SlotEntry) []string {
	place := fmt.Sprintf("%q@%d %s", document.Job, document.Slot, ledger.PlaceKey(entry))
	if entry.ID == "" {
		return []string{place}
	}
	return []string{fmt.Sprintf("%q id %q", document.Job, entry.ID), place}
}

// setStatus records a status with the words of a file and, for a skip, with its reason.
func (r *restorer) setStatus(ctx context.Context, v *restored, status ledger.Status, entry ledger.SlotEntry) error {
	if v.status == status {
		return nil
	}
	v.status = status
	event := db.InsertEventParams{
		ViolationID: v.row, IterationID: r.iteration, Status: string(status), Actor: string(ledger.ActorSystem), Result: entry.Result, At: r.at,
	}
	if status == ledger.StatusSkipped && slices.Contains(ledger.SkipReasons(), ledger.SkipReason(entry.Reason)) {
		if event.Reason = &entry.Reason; text(entry.Result) == entry.Reason { // the file had no other words
			event.Result = nil
		}
	}
	return r.InsertEvent(ctx, event)
}

// restoredPriority returns the entry's priority. Legacy entries have none, which counts as high.
func restoredPriority(entry ledger.SlotEntry) ledger.Priority {
	p, _ := ledger.ParsePriority(entry.Priority)
	return p
}
