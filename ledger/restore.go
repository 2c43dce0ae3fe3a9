package ledger

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
)

// Restoration is an open run as its files tell it.
type Restoration struct {
	Run    Run
	Checks []Gate       // any order; Iteration says which
	Slots  []SlotRecord // any order
}

// SlotRecord is a slot's file of a run that is restored.
type SlotRecord struct {
	EntryPoint string
	Gate       string
	NumReviews int
	// Reviewed is the commit whose tree the slot reviewed, if it is known.
	Reviewed string
	Document SlotDocument
}

// RestoreRun opens a run with everything that its files tell, in one
// transaction, because the ledger does not know it. A run that is still open in
// the same scope is abandoned. Every violation of any file is restored. A claim
// counts as verified only if a later answer of its slot does not list it; what is
// open stays open until somebody addresses it.
func (l *Ledger) RestoreRun(ctx context.Context, restoration Restoration) (Run, error) {
	run := restoration.Run
	err := l.write(ctx, "restore the run from its files", func(t *tx) (err error) {
		if err := t.abandonOpen(ctx, run); err != nil {
			return err
		}
		if run, err = t.insertRun(ctx, run); err != nil {
			return err
		}
		row, err := t.RunByULID(ctx, run.ID)
		if err != nil {
			return err
		}
		if run.SessionRef != "" {
			if err := expectOne(t.SetSessionRef(ctx, db.SetSessionRefParams{SessionRef: &run.SessionRef, ID: row.ID})); err != nil {
				return err
			}
		}
		r := &restorer{tx: t, run: row.ID, restoration: restoration, violations: map[string]*restored{}}
		if err := r.restore(ctx); err != nil {
			return err
		}
		if err := t.count(ctx, row.ID); err != nil {
			return err
		}
		return expectOne(t.SetRunStatus(ctx, db.SetRunStatusParams{Status: string(StatusFailed), ID: row.ID}))
	})
	return run, err
}

// restored is a violation while its run is restored.
type restored struct {
	row, report int64
	job         string
	slot        int
	entry       SlotEntry
	status      Status
}

type restorer struct {
	*tx
	run         int64
	restoration Restoration
	// violations by short id, and by place and issue, each within its job.
	violations map[string]*restored
	order      []*restored
	iteration  int64
	number     int
	gates      map[string]int64
}

func (r *restorer) restore(ctx context.Context) error {
	for _, number := range r.iterations() {
		r.number, r.gates = number, map[string]int64{}
		var err error
		r.iteration, err = r.insertIteration(ctx, r.run, Iteration{
			Number: number, Mode: ModeRebuilt, Source: "files", Status: r.iterationStatus(number),
		}, &r.at)
		if err != nil {
			return err
		}
		for _, check := range r.restoration.Checks {
			if check.Iteration == number {
				if err := r.restoreGate(ctx, check, 0); err != nil {
					return err
				}
			}
		}
		if err := r.restoreSlots(ctx); err != nil {
			return err
		}
		if err := r.CountIteration(ctx, r.iteration); err != nil {
			return err
		}
	}
	return nil
}

func (r *restorer) iterations() []int {
	var numbers []int
	for _, c := range r.restoration.Checks {
		numbers = append(numbers, c.Iteration)
	}
	for _, s := range r.restoration.Slots {
		numbers = append(numbers, s.Document.Iteration)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// iterationStatus counts an iteration as failed if anything in it did: the
// retry limit goes on where it was.
func (r *restorer) iterationStatus(number int) RunStatus {
	status := StatusInterrupted
	for _, c := range r.restoration.Checks {
		if c.Iteration == number && c.Status == GateFailed {
			return StatusFailed
		}
	}
	for _, s := range r.restoration.Slots {
		if s.Document.Iteration == number && s.Document.Status == SlotFail {
			return StatusFailed
		}
	}
	return status
}

func (r *restorer) restoreGate(ctx context.Context, gate Gate, numReviews int) error {
	if _, done := r.gates[gate.Job]; done {
		return nil
	}
	job, err := r.jobRow(ctx, gate.Job, gate.Kind, gate.EntryPoint, gate.Name)
	if err != nil {
		return err
	}
	row, err := r.InsertGate(ctx, db.InsertGateParams{
		IterationID: r.iteration, JobID: job, Status: string(gate.Status), Reason: gate.Reason, NumReviews: number(numReviews),
	})
	if err != nil {
		return err
	}
	r.gates[gate.Job] = row
	if gate.Kind == KindReview {
		return nil
	}
	return expectOne(r.FinishGate(ctx, db.FinishGateParams{
		ID: row, Status: string(gate.Status), Reason: gate.Reason, Problems: int64(gate.Problems),
	}))
}

func (r *restorer) restoreSlots(ctx context.Context) error {
	var slots []SlotRecord
	for _, s := range r.restoration.Slots {
		if s.Document.Iteration == r.number {
			slots = append(slots, s)
		}
	}
	slices.SortStableFunc(slots, func(a, b SlotRecord) int {
		return cmp.Or(cmp.Compare(a.Document.Job, b.Document.Job), cmp.Compare(a.Document.Slot, b.Document.Slot))
	})
	for _, s := range slots {
		if err := r.restoreSlot(ctx, s, r.gateStatus(slots, s.Document.Job)); err != nil {
			return fmt.Errorf("slot %s@%d of iteration %d: %w", s.Document.Job, s.Document.Slot, r.number, err)
		}
	}
	return nil
}

func (r *restorer) gateStatus(slots []SlotRecord, job string) GateStatus {
	var of []Slot
	for _, s := range slots {
		if s.Document.Job == job {
			of = append(of, Slot{Status: s.Document.Status})
		}
	}
	return GateResult(of)
}

func (r *restorer) restoreSlot(ctx context.Context, s SlotRecord, status GateStatus) error {
	document := s.Document
	gate := Gate{Job: document.Job, Kind: KindReview, EntryPoint: s.EntryPoint, Name: s.Gate, Status: status}
	if err := r.restoreGate(ctx, gate, s.NumReviews); err != nil {
		return err
	}
	slot, err := r.InsertSlot(ctx, db.InsertSlotParams{
		GateID: r.gates[document.Job], ReviewIndex: int64(document.Slot), Adapter: document.Adapter,
		Status: string(document.Status), PassIteration: number(document.PassIteration),
		Reason: "restored from its file", Reviewed: optional(s.Reviewed), FinishedAt: &r.at,
	})
	if err != nil {
		return err
	}
	if err := r.putCall(ctx, slot, SlotCall{Raw: document.RawOutput}); err != nil {
		return err
	}
	listed := map[*restored]bool{}
	for i, entry := range document.Violations {
		v, err := r.restoreEntry(ctx, slot, i+1, document, entry)
		if err != nil {
			return err
		}
		if listed[v] {
			continue
		}
		listed[v] = true
		if err := r.InsertSlotEntry(ctx, db.InsertSlotEntryParams{
			SlotID: slot, Position: int64(i + 1), ViolationID: v.row, ReportID: v.report,
			Status: string(v.status.Exported()), Result: entry.Result,
		}); err != nil {
			return err
		}
	}
	if !document.Status.Answered() {
		return nil
	}
	return r.confirm(ctx, document, listed)
}

// confirm verifies the slot's claims that its answer does not list.
func (r *restorer) confirm(ctx context.Context, document SlotDocument, listed map[*restored]bool) error {
	for _, v := range r.order {
		if v.job == document.Job && v.slot == document.Slot && v.status == StatusFixed && !listed[v] {
			if err := r.setStatus(ctx, v, StatusVerified, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *restorer) restoreEntry(ctx context.Context, slot int64, position int, document SlotDocument, entry SlotEntry) (*restored, error) {
	v := r.find(document.Job, entry)
	reported := v == nil
	if v == nil {
		var err error
		if v, err = r.insert(ctx, document, entry); err != nil {
			return nil, err
		}
	} else if !v.status.Open() {
		if err := r.setStatus(ctx, v, StatusReopened, nil); err != nil {
			return nil, err
		}
	}
	if reported {
		report, err := r.InsertReport(ctx, db.InsertReportParams{
			SlotID: slot, Position: int64(position), File: entry.File, LineStart: int64(entry.Line),
			LineEnd: int64(max(entry.Line, entry.EndLine)), Issue: entry.Issue, Fix: entry.Fix,
			Priority: string(restoredPriority(entry)), Disposition: string(Accepted),
			Reason: "restored from its file", ViolationID: &v.row,
		})
		if err != nil {
			return nil, err
		}
		v.report = report
		if err := r.InsertEvent(ctx, db.InsertEventParams{
			ViolationID: v.row, IterationID: r.iteration, Status: string(StatusNew), Actor: string(ActorReviewer), At: r.at,
		}); err != nil {
			return nil, err
		}
	}
	status := Status(strings.ToLower(strings.TrimSpace(entry.Status)))
	if status == StatusFixed || status == StatusSkipped {
		return v, r.setStatus(ctx, v, status, entry.Result)
	}
	return v, nil
}

// shortIDForm is what a short id looks like: a file's id is the agent's text.
var shortIDForm = regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{8,26}$`)

func (r *restorer) insert(ctx context.Context, document SlotDocument, entry SlotEntry) (*restored, error) {
	id, shortID, err := r.newViolationID(ctx)
	if err != nil {
		return nil, err
	}
	if shortIDForm.MatchString(entry.ID) {
		taken, err := r.ShortIDTaken(ctx, entry.ID)
		if err != nil {
			return nil, err
		}
		if !taken {
			shortID = entry.ID
		}
	}
	job, err := r.JobID(ctx, document.Job)
	if err != nil {
		return nil, err
	}
	row, err := r.InsertViolation(ctx, db.InsertViolationParams{
		Ulid: id, ShortID: shortID, RunID: r.run, JobID: job, Slot: int64(document.Slot), Adapter: document.Adapter,
		File: entry.File, Priority: string(restoredPriority(entry)), Status: string(StatusNew),
		FirstIteration: int64(r.number), LastIteration: int64(r.number),
		FirstSeen: r.at, LastSeen: r.at, StatusAt: r.at,
	})
	if err != nil {
		return nil, err
	}
	v := &restored{row: row, job: document.Job, slot: document.Slot, entry: entry, status: StatusNew}
	r.order = append(r.order, v)
	for _, key := range restoredKeys(document.Job, entry) {
		if r.violations[key] == nil {
			r.violations[key] = v
		}
	}
	return v, nil
}

func (r *restorer) find(job string, entry SlotEntry) *restored {
	for _, key := range restoredKeys(job, entry) {
		if v := r.violations[key]; v != nil {
			return v
		}
	}
	return nil
}

// restoredKeys are what an entry is found by: its id where it has one, else its
// place and issue.
func restoredKeys(job string, entry SlotEntry) []string {
	if entry.ID != "" {
		return []string{job + "\x00id\x00" + entry.ID}
	}
	return []string{job + "\x00place\x00" + placeKey(entry)}
}

func (r *restorer) setStatus(ctx context.Context, v *restored, status Status, result *string) error {
	if v.status == status {
		return nil
	}
	v.status = status
	return r.InsertEvent(ctx, db.InsertEventParams{
		ViolationID: v.row, IterationID: r.iteration, Status: string(status), Actor: string(ActorSystem), Result: result, At: r.at,
	})
}

// restoredPriority is the entry's priority; legacy entries have none and are
// high.
func restoredPriority(entry SlotEntry) Priority {
	p, _ := ParsePriority(entry.Priority)
	return p
}
