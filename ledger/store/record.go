package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// A Recorder records one iteration while it runs. It is safe for concurrent use, because slots
// answer in parallel.
type Recorder struct {
	ledger    *Store
	review    bool // of a code review
	run       int64
	iteration int64
	number    int
	began     time.Time
	gates     map[string]int64
	slots     map[slotKey]int64

	mu   sync.Mutex
	logs map[slotKey]packedText // of slots that have ended, until the iteration ends
}

type slotKey struct {
	job   string
	index int
}

// Began returns when the iteration began, which is also when its skipped slots were recorded.
func (r *Recorder) Began() time.Time { return r.began }

// PrepareRecording prepares the statements that record an iteration, in the background. The caller
// must call the returned function before the ledger is closed.
func (l *Store) PrepareRecording(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { db.PrepareRecording(ctx, l.handle) })
	return func() {
		cancel()
		work.Wait()
	}
}

// BeginIteration records that an iteration starts, with everything that it plans, so that a killed
// process leaves a trace of what it had started. Skipped slots are recorded as skipped at once.
// The base of the iteration becomes that of the run. The run of a code review is opened again.
func (l *Store) BeginIteration(ctx context.Context, run string, i ledger.Iteration, gates []ledger.GatePlan) (*Recorder, error) {
	r := &Recorder{ledger: l, number: i.Number, gates: map[string]int64{}, slots: map[slotKey]int64{}, logs: map[slotKey]packedText{}}
	err := l.write(ctx, "begin iteration", func(t *tx) error {
		row, err := t.runByULID(ctx, run)
		if err != nil {
			return err
		}
		r.run, r.review, r.began = row.Row, row.Kind == ledger.KindCodeReview, t.time()
		switch {
		case r.review:
			err = t.reopenReview(ctx, row)
		case !row.FinishedAt.IsZero():
			err = fmt.Errorf("run %s is closed: %w", run, ErrConflict)
		}
		if err != nil {
			return err
		}
		i.Status = ledger.StatusRunning
		if i.Base != "" && (i.Base != row.Base || i.BaseRef != row.BaseRef) {
			if err := expectOne(t.MoveBase(ctx, db.MoveBaseParams{Base: i.Base, BaseRef: cmp.Or(i.BaseRef, row.BaseRef), ID: row.Row})); err != nil {
				return err
			}
		}
		if r.iteration, err = t.insertIteration(ctx, row.Row, i, nil); err != nil {
			return err
		}
		for _, gate := range gates {
			if err := r.insertGate(ctx, t, gate); err != nil {
				return err
			}
		}
		return t.moveRun(ctx, row.Row, ledger.StatusRunning, ledger.CauseStarted)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// insertIteration inserts an iteration. finished is set for one that was read back from files.
func (t *tx) insertIteration(ctx context.Context, run int64, i ledger.Iteration, finished *db.Time) (int64, error) {
	row, err := t.InsertIteration(ctx, db.InsertIterationParams{
		RunID: run, Number: int64(i.Number), Mode: string(i.Mode), Source: string(i.Source),
		FromTree: optional(i.From), ToTree: optional(i.To), Snapshot: optional(i.Snapshot), Tree: optional(i.Tree),
		Head: optional(i.Head), Branch: optional(i.Branch), Base: optional(i.Base), Anew: boolean(i.Anew), ConfigHash: optional(i.ConfigHash),
		Status: string(i.Status), StartedAt: t.at, FinishedAt: finished,
	})
	if err != nil {
		return 0, err
	}
	return row, t.noteIteration(ctx, run, row, i.Status, begins(i.Mode))
}

// begins returns the cause of the first status of an iteration and of everything in it.
func begins(mode ledger.Mode) ledger.Cause {
	if mode == ledger.ModeRebuilt {
		return ledger.CauseRestored
	}
	return ledger.CauseStarted
}

func (r *Recorder) insertGate(ctx context.Context, t *tx, plan ledger.GatePlan) error {
	status, cause := ledger.GateRunning, ledger.CauseStarted
	params := db.InsertGateParams{IterationID: r.iteration, Command: optional(plan.Command), NumReviews: number(plan.NumReviews), ConfigHash: optional(plan.ConfigHash), RestsOn: optional(plan.RestsOn)}
	switch {
	case plan.Error != "":
		status, cause = ledger.GateError, ledger.CauseFinished
		params.Reason, params.FinishedAt = plan.Error, &t.at
	case plan.NotRun != "":
		status, cause = ledger.GateNotRun, ledger.CauseNotRun
		params.Reason, params.NotRunReason = plan.NotRunText, optional(string(plan.NotRun))
	}
	params.Status = string(status)
	var err error
	if params.JobID, err = t.jobRow(ctx, plan.Job, plan.Kind, plan.EntryPoint, plan.Name); err != nil {
		return err
	}
	gate, err := t.InsertGate(ctx, params)
	if err != nil {
		return err
	}
	r.gates[plan.Job] = gate
	if err := t.noteGate(ctx, r.run, gate, status, cause); err != nil {
		return err
	}
	for _, slot := range plan.Slots {
		if err := r.insertSlot(ctx, t, plan.Job, params.JobID, slot); err != nil {
			return err
		}
	}
	return nil
}

func (r *Recorder) insertSlot(ctx context.Context, t *tx, job string, jobID int64, slot ledger.PlannedSlot) error {
	status, cause := ledger.SlotRunning, ledger.CauseStarted
	params := db.InsertSlotParams{
		IterationID: r.iteration, JobID: jobID, ReviewIndex: int64(slot.Index), Adapter: slot.Adapter,
		Reviewed: optional(slot.Reviewed), Latch: boolean(slot.Latch), Reason: slot.Log(),
	}
	if slot.Skip {
		status, cause = ledger.SlotSkipped, ledger.CausePriorPass
		params.PassIteration, params.FinishedAt = number(slot.PassIteration), &t.at
	}
	params.Status = string(status)
	row, err := t.InsertSlot(ctx, params)
	if err != nil {
		return err
	}
	r.slots[slotKey{job, slot.Index}] = row
	return t.noteSlot(ctx, r.run, row, status, cause)
}

func (t *tx) jobRow(ctx context.Context, job string, kind ledger.GateKind, entryPoint, name string) (int64, error) {
	if id, err := t.JobID(ctx, job); !errors.Is(err, sql.ErrNoRows) { // usually it ran before
		return id, err
	}
	if _, err := t.ensureRow(ctx, exchange.NewRow("job", job, string(kind), entryPoint, name)); err != nil {
		return 0, err
	}
	return t.JobID(ctx, job)
}

// FinishCheck records how a check ended, and the end of its output. If started is zero, it is
// computed from the duration.
func (r *Recorder) FinishCheck(ctx context.Context, job string, result ledger.CheckResult, started time.Time, log []byte) error {
	return r.ledger.write(ctx, "record check "+job, func(t *tx) error {
		gate := r.gates[job]
		params := db.FinishGateParams{
			ID: gate, Reason: result.Reason, StartedAt: startOf(started, result.Duration, t),
			Problems: int64(result.Problems), Excerpt: optional(result.Excerpt), DurationMs: result.Duration.Milliseconds(),
		}
		if result.ExitCode >= 0 {
			code := int64(result.ExitCode)
			params.ExitCode = &code
		}
		if err := expectOne(t.FinishGate(ctx, params)); err != nil {
			return err
		}
		if err := t.noteGate(ctx, r.run, gate, result.Status, endCause(result.Status == ledger.GateInterrupted)); err != nil {
			return err
		}
		if len(log) == 0 {
			return nil
		}
		blob, err := t.putBlob(ctx, log)
		if err != nil {
			return err
		}
		return t.InsertGateBlob(ctx, db.InsertGateBlobParams{GateID: gate, BlobID: blob})
	})
}

// FinishReview records how a review gate ended, which follows from its slots.
func (r *Recorder) FinishReview(ctx context.Context, job string, status ledger.GateStatus, reason string, d time.Duration) error {
	return r.ledger.write(ctx, "record review "+job, func(t *tx) error {
		return r.finishReview(ctx, t, job, status, reason, d)
	})
}

func (r *Recorder) finishReview(ctx context.Context, t *tx, job string, status ledger.GateStatus, reason string, d time.Duration) error {
	if err := expectOne(t.FinishGate(ctx, db.FinishGateParams{
		ID: r.gates[job], Reason: reason, DurationMs: d.Milliseconds(), StartedAt: startOf(time.Time{}, d, t),
	})); err != nil {
		return err
	}
	return t.noteGate(ctx, r.run, r.gates[job], status, endCause(status == ledger.GateInterrupted))
}

// startOf returns when something that ends now started: the given time, or else computed from its
// duration.
func startOf(started time.Time, took time.Duration, t *tx) *db.Time {
	if started.IsZero() && took > 0 {
		started = t.time().Add(-took)
	}
	return orNil(started)
}

// endCause returns why a gate or slot has ended.
func endCause(interrupted bool) ledger.Cause {
	if interrupted {
		return ledger.CauseInterrupted
	}
	return ledger.CauseFinished
}

// SlotAnswer is a slot's parsed answer, with everything that is needed to decide what becomes of
// it.
type SlotAnswer struct {
	ledger.SlotCall
	// Domain is the name of the gate. It matters only in a code review.
	Domain string
	Answer ledger.Answer
	Rules  ledger.Rules
	Facts  ledger.Facts
	// Fillers has, by job, the fillers of the slots of each review that the iteration executes.
	Fillers map[string][]ledger.Filler
	// Near is what is known about the places of the run's violations, to compare the reports with
	// what others said. If it is nil, they are not compared.
	Near *ledger.Nearby
	// Before is the state of the run when the iteration began.
	Before *ledger.State
	// Asked has the ULIDs of the claims that the slot was asked to verify, and Listed those of all
	// violations that its prompt names.
	Asked, Listed map[string]bool
	// Content is the code that the reports and claims are about, kept for when git no longer has
	// the trees.
	Content ledger.Content
}

// SlotResult is the result of recording a slot's answer.
type SlotResult struct {
	ledger.Evaluation
	// Verified has the ULIDs of the claims that the answer verifies.
	Verified []string
	// Withdrawn has the ULIDs of the disputed violations that the answer withdraws.
	Withdrawn []string
	// Carried is how many open violations of the slot the answer does not name.
	Carried int
	// Document is the content of the slot's JSON file. It is empty if the slot is in error and no
	// part of its answer counts.
	Document ledger.SlotDocument
	// Filtered are filtered reports, the most important first, out of LeftOut in all.
	Filtered []ledger.FilteredEntry
	LeftOut  int
}

// RecordAnswer decides what becomes of a slot's answer and records it in one transaction: reports,
// violations, status changes, and what the slot's file lists.
func (r *Recorder) RecordAnswer(ctx context.Context, a SlotAnswer) (SlotResult, error) {
	var result SlotResult
	err := r.ledger.write(ctx, fmt.Sprintf("record slot %s@%d", a.Job, a.Slot), func(t *tx) error {
		w, err := r.answerWriter(ctx, t, a)
		if err != nil {
			return err
		}
		a = SlotAnswer{} // so that the writer can free what it no longer needs
		result, err = w.write(ctx)
		return err
	})
	return result, err
}

func (r *Recorder) answerWriter(ctx context.Context, t *tx, a SlotAnswer) (*answerWriter, error) {
	all, err := t.violationsOf(ctx, r.run)
	if err != nil {
		return nil, err
	}
	w := &answerWriter{
		tx: t, Recorder: r, a: a, slot: r.slots[slotKey{a.Job, a.Slot}],
		known: make(map[string]*violation, len(all)), confirmed: map[string]ledger.Confirmation{}, began: byID(a.Before.Violations),
	}
	for _, v := range all {
		w.known[v.ID] = v
		if v.Job == a.Job {
			w.own = append(w.own, v)
		}
	}
	return w, nil
}

// CountCall records that the slot's reviewer is called. What the call said and cost is recorded when
// the slot ends.
func (r *Recorder) CountCall(ctx context.Context, job string, slot int) error {
	return r.ledger.write(ctx, fmt.Sprintf("count a call of slot %s@%d", job, slot), func(t *tx) error {
		t.touch(r.run)
		return expectOne(t.Queries.CountCall(ctx, r.slots[slotKey{job, slot}]))
	})
}

// RecordSlotError records that a slot has no answer.
func (r *Recorder) RecordSlotError(ctx context.Context, call ledger.SlotCall, status ledger.SlotStatus, reason string) error {
	return r.ledger.write(ctx, fmt.Sprintf("record slot %s@%d", call.Job, call.Slot), func(t *tx) error {
		slot := r.slots[slotKey{call.Job, call.Slot}]
		if err := t.putCall(ctx, slot, call); err != nil {
			return err
		}
		return r.finishSlot(ctx, t, slot, status, call, finishSlot(t, slot, call, reason))
	})
}

// finishSlot records how a slot ended.
func (r *Recorder) finishSlot(ctx context.Context, t *tx, slot int64, status ledger.SlotStatus, call ledger.SlotCall, params db.FinishSlotParams) error {
	switch status {
	case ledger.SlotInterrupted:
		params.ErrorKind = new(string(ledger.ErrorInterrupted))
	case ledger.SlotError:
		params.ErrorKind = optional(string(call.ErrorKind))
	}
	if err := expectOne(t.FinishSlot(ctx, params)); err != nil {
		return err
	}
	return t.noteSlot(ctx, r.run, slot, status, endCause(status == ledger.SlotInterrupted))
}

func (t *tx) putCall(ctx context.Context, slot int64, call ledger.SlotCall) error {
	put := func(kind string, number int, data []byte) error {
		if len(data) == 0 {
			return nil
		}
		blob, err := t.putBlob(ctx, data)
		if err != nil {
			return err
		}
		return t.InsertSlotBlob(ctx, db.InsertSlotBlobParams{SlotID: slot, Kind: kind, Call: int64(number), BlobID: blob})
	}
	for i, prompt := range call.Prompts {
		if err := put("prompt", i+1, prompt); err != nil {
			return err
		}
	}
	if err := put("answer", 0, []byte(call.Raw)); err != nil {
		return err
	}
	return errors.Join(t.putCalls(ctx, slot, call.Made), put("stderr", 0, call.Stderr))
}

func finishSlot(t *tx, slot int64, call ledger.SlotCall, reason string) db.FinishSlotParams {
	repairs := int64(0)
	for _, made := range call.Made {
		repairs += boolean(made.Repair)
	}
	return db.FinishSlotParams{
		ID: slot, Reason: reason, StartedAt: startOf(call.Started, call.Duration, t), Model: optional(call.Usage.Model),
		InputTokens: call.Usage.InputTokens, CachedTokens: call.Usage.CachedTokens,
		OutputTokens: call.Usage.OutputTokens, CostUSD: call.Usage.CostUSD,
		Calls: int64(call.Calls), DurationMs: call.Duration.Milliseconds(), Elsewhere: int64(call.Elsewhere),
		Unseen: optional(call.Unseen), Denied: optional(call.Denied), Repairs: repairs,
	}
}

// Finish ends the iteration with the status, and updates the run's counts. Whatever is still running
// is marked as interrupted with the reason. The run of a code review, which then has no new verdict, is
// closed with the status of its latest verdict if it has one.
func (r *Recorder) Finish(ctx context.Context, status ledger.RunStatus, reason string) error {
	return r.ledger.write(ctx, "finish iteration", func(t *tx) error {
		cause := endCause(status == ledger.StatusInterrupted)
		if err := errors.Join(r.putLogs(ctx, t), t.endIteration(ctx, r.run, r.iteration, status, cause, reason)); err != nil {
			return err
		}
		if r.review {
			all, err := t.verdicts(ctx, r.run)
			if err != nil {
				return err
			}
			if n := len(all); n > 0 {
				status = all[n-1].Word.RunStatus()
			}
			return t.closeRun(ctx, r.run, status, cause)
		}
		if status.Passes() {
			return nil // the status of the run is set when it is closed
		}
		if status == ledger.StatusRetryLimitExceeded {
			cause = ledger.CauseRetryLimit
		}
		return t.moveRun(ctx, r.run, status, cause)
	})
}

// KeepLog reads the log of a slot, which is recorded when the iteration ends, and closes it. Until
// then only the packed text is in memory, because the log of a tool is as large as its report.
func (r *Recorder) KeepLog(job string, slot int, log io.ReadCloser) error {
	text, err := pack(log)
	if err := errors.Join(err, log.Close()); err != nil {
		return fmt.Errorf("keep the log of slot %s@%d: %w", job, slot, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logs[slotKey{job, slot}] = text
	return nil
}

func (r *Recorder) putLogs(ctx context.Context, t *tx) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, log := range r.logs {
		slot, planned := r.slots[key]
		if !planned || log.size == 0 {
			continue
		}
		blob, err := t.putPacked(ctx, log)
		if err != nil {
			return err
		}
		if err := t.InsertSlotBlob(ctx, db.InsertSlotBlobParams{SlotID: slot, Kind: string(ledger.TextLog), BlobID: blob}); err != nil {
			return err
		}
	}
	return nil
}

// ForgetTree records that the tree that the iteration's gates ran on is unknown, because it changed
// meanwhile: they are stale, whatever the working tree is afterwards.
func (r *Recorder) ForgetTree(ctx context.Context) error {
	return r.ledger.write(ctx, "record that the tree changed", func(t *tx) error {
		t.touch(r.run)
		return expectOne(t.Queries.ForgetTree(ctx, r.iteration))
	})
}

// NotRun records that a planned gate was not started because an earlier check failed.
func (r *Recorder) NotRun(ctx context.Context, job, reason string) error {
	return r.ledger.write(ctx, "record gate "+job, func(t *tx) error {
		gate := r.gates[job]
		if err := expectOne(t.FinishGate(ctx, db.FinishGateParams{ID: gate, Reason: reason, NotRunReason: optional(string(ledger.NotRunFailFast))})); err != nil {
			return err
		}
		return t.noteGate(ctx, r.run, gate, ledger.GateNotRun, ledger.CauseNotRun)
	})
}

func byID(violations []ledger.Violation) map[string]ledger.Violation {
	m := make(map[string]ledger.Violation, len(violations))
	for _, v := range violations {
		m[v.ID] = v
	}
	return m
}
