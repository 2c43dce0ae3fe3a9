package store

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// A run only ever grows. Iterations, gates, slots, violations, reports, events,
// verdicts and findings are added in an order that a dump keeps; a row changes
// while it is running, and when a marked file is written or read. So of two states
// of a run the older one is contained in the newer one, and where neither is, they
// have gone different ways.

// comparison says how the state of a run that was dumped is to the one that is
// here.
type comparison struct {
	// ahead says that what is here is contained in what was dumped, and behind the
	// reverse.
	ahead, behind bool
	// equal says that both are the same, row by row.
	equal bool
	// shown is by how many more rows the dump agrees with the violations on what
	// files show.
	shown int64
}

// later reports whether the dump has a later state. Where each state contains the
// other, they differ only in what files show. A file is written after a violation
// was marked, so the one that agrees with the violations is later.
func (c comparison) later() bool { return c.ahead && (!c.behind || c.shown > 0) }

// earlier reports whether the dump has an earlier state.
func (c comparison) earlier() bool { return c.behind && (!c.ahead || c.shown < 0) }

// endKnownRun brings the run forward if the dump has a later state of it. A run of
// gates that is closed stays as it is; a code review is opened again to be verified.
func (o *loader) endKnownRun(ctx context.Context) error {
	here, err := o.DumpRun(ctx, o.run.row)
	if err != nil {
		return err
	}
	c := comparison{
		ahead: runGrows(here, o.run.dumped), behind: runGrows(o.run.dumped, here), equal: reflect.DeepEqual(here, o.run.dumped),
	}
	for _, kind := range rowKindOrder {
		if err := o.kinds[kind].compare(ctx, &c); err != nil {
			return err
		}
	}
	if c.later() && !c.equal && (here.FinishedAt == nil || ledger.RunKind(here.Kind) == ledger.KindCodeReview) {
		forwarded, err := o.forwardRun(ctx)
		if err != nil {
			return err
		}
		if forwarded {
			o.loaded.Forwarded++
			return o.reconstruct(ctx, o.run.row)
		}
	}
	o.loaded.Known++
	if !c.equal && !c.earlier() {
		o.loaded.Different = append(o.loaded.Different, o.run.id)
	}
	return nil
}

// forwardRun makes of the run what was dumped. The result is held against the dump
// as a whole: a run that comes out different, or that the rules of the ledger do
// not let go on so, stays exactly as it was.
func (o *loader) forwardRun(ctx context.Context) (forwarded bool, err error) {
	if err := o.Savepoint(ctx); err != nil {
		return false, err
	}
	same, err := o.tryForward(ctx)
	if err != nil && !refused(err) {
		return false, err
	}
	if err == nil && same {
		return true, o.KeepSavepoint(ctx)
	}
	return false, o.UndoSavepoint(ctx)
}

// refused reports whether an error is about the rows, and not about the database.
func refused(err error) bool {
	return db.IsConstraint(err) || errors.Is(err, errNotBefore) || errors.Is(err, ErrConflict)
}

func (o *loader) tryForward(ctx context.Context) (same bool, err error) {
	r := o.run.dumped
	if err := expectOne(o.ForwardRun(ctx, db.ForwardRunParams{
		ID: o.run.row, SessionRef: r.SessionRef, Status: r.Status, FinishedAt: r.FinishedAt,
		Iterations: r.Iterations, Fixed: r.Fixed, Skipped: r.Skipped, Open: r.Open,
	})); err != nil {
		return false, err
	}
	for _, kind := range rowKindOrder {
		if err := o.kinds[kind].forward(ctx); err != nil {
			return false, err
		}
	}
	here, err := o.DumpRun(ctx, o.run.row)
	same = reflect.DeepEqual(here, r)
	for _, kind := range rowKindOrder {
		if err != nil || !same {
			return false, err
		}
		same, err = o.kinds[kind].same(ctx)
	}
	return same, err
}

// compare implements [rowKind].
func (k *runRows[R]) compare(ctx context.Context, c *comparison) error {
	here, err := k.there(ctx, k.run.row)
	if err != nil {
		return err
	}
	c.equal = c.equal && equalRows(here, k.held)
	c.ahead = c.ahead && k.contains(k.held, here)
	c.behind = c.behind && k.contains(here, k.held)
	if k.shows == nil || !c.ahead || !c.behind {
		return nil
	}
	for _, row := range k.held {
		c.shown += boolean(k.shows(row))
	}
	for _, row := range here {
		c.shown -= boolean(k.shows(row))
	}
	return nil
}

// contains reports whether each row of the older state is in the newer one, as it
// was or grown.
func (k *runRows[R]) contains(newer, older []R) bool {
	at := k.index(newer)
	for i, was := range older {
		n, there := at(i, was)
		if !there {
			return false
		}
		if is := newer[n]; !reflect.DeepEqual(was, is) && (k.grows == nil || !k.grows(was, is)) {
			return false
		}
	}
	return true
}

// index returns what finds the row that is at the place of the given one.
func (k *runRows[R]) index(rows []R) func(i int, row R) (int, bool) {
	if k.place == nil {
		return func(i int, _ R) (int, bool) { return i, i < len(rows) }
	}
	places := make(map[any]int, len(rows))
	for i, row := range rows {
		places[k.place(row)] = i
	}
	return func(_ int, row R) (int, bool) {
		i, there := places[k.place(row)]
		return i, there
	}
}

// forward implements [rowKind].
func (k *runRows[R]) forward(ctx context.Context) error {
	here, err := k.there(ctx, k.run.row)
	if err != nil {
		return err
	}
	at := k.index(here)
	for i, row := range k.held {
		n, there := at(i, row)
		switch {
		case !there:
			err = k.add(ctx, row)
		case k.change != nil && !reflect.DeepEqual(here[n], row):
			err = k.change(ctx, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// same implements [rowKind].
func (k *runRows[R]) same(ctx context.Context) (bool, error) {
	here, err := k.there(ctx, k.run.row)
	return equalRows(here, k.held), err
}

// forget implements [rowKind].
func (k *runRows[R]) forget() { k.held = nil }

func equalRows[R any](a, b []R) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// runGrows says what of a run may change while it is open. A closed run of gates
// stays as it is; that of a code review is opened again to be verified, and may be
// marked in between.
func runGrows(was, is db.DumpRunRow) bool {
	closed := was.FinishedAt != nil
	switch {
	case closed && ledger.RunKind(was.Kind) != ledger.KindCodeReview:
		return reflect.DeepEqual(was, is)
	case !closed && is.FinishedAt != nil && reopened(was) && is.Iterations == was.Iterations && ledger.RunStatus(is.Status) != ledger.StatusAbandoned:
		return false // it is how the run was before it was opened again
	case was.SessionRef == nil:
		was.SessionRef = is.SessionRef
	}
	was.Status, was.FinishedAt = is.Status, is.FinishedAt
	was.Iterations, was.Fixed, was.Skipped, was.Open = is.Iterations, is.Fixed, is.Skipped, is.Open
	return reflect.DeepEqual(was, is)
}

// reopened reports whether a code review was opened again: its first iteration is
// counted only when it is closed.
func reopened(r db.DumpRunRow) bool {
	return ledger.RunKind(r.Kind) == ledger.KindCodeReview && ledger.RunStatus(r.Status) == ledger.StatusRunning && r.Iterations > 0
}

// iterationGrows says what of an iteration changes while it runs, and what agents
// change later by what they mark.
func iterationGrows(was, is db.DumpIterationsRow) bool {
	if was.FinishedAt == nil {
		was.Status, was.FinishedAt = is.Status, is.FinishedAt
		was.New, was.Reopened, was.Verified, was.Carried, was.InFixLines = is.New, is.Reopened, is.Verified, is.Carried, is.InFixLines
	}
	was.Claimed, was.Skipped = is.Claimed, is.Skipped
	return reflect.DeepEqual(was, is)
}

func (o *loader) forwardIteration(ctx context.Context, r db.DumpIterationsRow) error {
	return expectOne(o.ForwardIteration(ctx, db.ForwardIterationParams{
		RunID: o.run.row, Number: r.Number, Status: r.Status, FinishedAt: r.FinishedAt, New: r.New, Reopened: r.Reopened,
		Verified: r.Verified, Claimed: r.Claimed, Skipped: r.Skipped, Carried: r.Carried, InFixLines: r.InFixLines,
	}))
}

func gateGrows(was, is db.DumpGatesRow) bool {
	if ledger.GateStatus(was.Status) != ledger.GateRunning {
		return false
	}
	was.Status, was.Reason, was.ExitCode, was.Problems, was.DurationMs = is.Status, is.Reason, is.ExitCode, is.Problems, is.DurationMs
	return reflect.DeepEqual(was, is)
}

func (o *loader) forwardGate(ctx context.Context, r db.DumpGatesRow) error {
	iteration, err := o.iterationID(ctx, r.Iteration)
	if err != nil {
		return err
	}
	job, err := o.jobID(ctx, r.Job)
	if err != nil {
		return err
	}
	return expectOne(o.ForwardGate(ctx, db.ForwardGateParams{
		IterationID: iteration, JobID: job, Status: r.Status, Reason: r.Reason, ExitCode: r.ExitCode, Problems: r.Problems, DurationMs: r.DurationMs,
	}))
}

func slotGrows(was, is db.DumpSlotsRow) bool {
	same := was.Run == is.Run && was.Iteration == is.Iteration && was.Job == is.Job && was.Slot == is.Slot
	return same && was.FinishedAt == nil && reflect.DeepEqual(was.Reviewed, is.Reviewed) && reflect.DeepEqual(was.PassIteration, is.PassIteration)
}

func (o *loader) forwardSlot(ctx context.Context, r db.DumpSlotsRow) error {
	slot, err := o.slotID(ctx, r.Iteration, r.Job, r.Slot)
	if err != nil {
		return err
	}
	return expectOne(o.ForwardSlot(ctx, db.ForwardSlotParams{
		ID: slot, Adapter: r.Adapter, Status: r.Status, Reason: r.Reason, Model: r.Model, InputTokens: r.InputTokens,
		CachedTokens: r.CachedTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD, Calls: r.Calls,
		DurationMs: r.DurationMs, FinishedAt: r.FinishedAt, Accepted: r.Accepted, OutOfDiff: r.OutOfDiff,
		BelowThreshold: r.BelowThreshold, PreviouslySkipped: r.PreviouslySkipped, Malformed: r.Malformed, Merged: r.Merged,
		OutsideVerify: r.OutsideVerify, New: r.New, Reopened: r.Reopened, Verified: r.Verified, Carried: r.Carried,
	}))
}

// violationGrows compares what a violation is from its beginning. The rest comes of
// its reports and events.
func violationGrows(was, is db.DumpViolationsRow) bool {
	if was.LastIteration > is.LastIteration || time.Time(was.LastSeen).After(time.Time(is.LastSeen)) {
		return false
	}
	return reflect.DeepEqual(begun(was), begun(is))
}

func begun(r db.DumpViolationsRow) db.DumpViolationsRow {
	return db.DumpViolationsRow{
		Violation: r.Violation, Run: r.Run, Job: r.Job, ShortID: r.ShortID, Slot: r.Slot, Adapter: r.Adapter,
		FirstIteration: r.FirstIteration, Fingerprint: r.Fingerprint, FingerprintVersion: r.FingerprintVersion, FirstSeen: r.FirstSeen,
	}
}

// forwardViolation changes what no trigger does.
func (o *loader) forwardViolation(ctx context.Context, r db.DumpViolationsRow) error {
	violation, err := o.violationID(ctx, r.Violation)
	if err != nil {
		return err
	}
	return o.TouchViolation(ctx, db.TouchViolationParams{LastIteration: r.LastIteration, LastSeen: r.LastSeen, ID: violation})
}

func slotEntryPlace(r db.DumpSlotEntriesRow) any {
	return [2]any{slotPlace{r.Iteration, r.Job, r.Slot}, r.Position}
}

func slotEntryGrows(was, is db.DumpSlotEntriesRow) bool {
	was.Status, was.Result = is.Status, is.Result
	return reflect.DeepEqual(was, is)
}

func (o *loader) forwardSlotEntry(ctx context.Context, r db.DumpSlotEntriesRow) error {
	slot, err := o.slotID(ctx, r.Iteration, r.Job, r.Slot)
	if err != nil {
		return err
	}
	violation, err := o.violationID(ctx, r.Violation)
	if err != nil {
		return err
	}
	return expectOne(o.UpdateSlotEntry(ctx, db.UpdateSlotEntryParams{
		Status: r.Status, Result: r.Result, SlotID: slot, ViolationID: violation,
	}))
}

func (o *loader) entryShows(r db.DumpSlotEntriesRow) bool {
	v := o.run.violations[r.Violation]
	status := ledger.Status(v.Status)
	return r.Status == string(status.Exported()) && (status.Open() || text(r.Result) == text(v.Result))
}

func slotBlobPlace(r db.DumpSlotBlobsRow) any {
	return [3]any{slotPlace{r.Iteration, r.Job, r.Slot}, r.Kind, r.Call}
}

func gateBlobPlace(r db.DumpGateBlobsRow) any { return [2]any{r.Iteration, r.Job} }

func findingGrows(was, is db.DumpFindingsRow) bool {
	was.Exported = is.Exported
	return reflect.DeepEqual(was, is)
}

func (o *loader) forwardFinding(ctx context.Context, r db.DumpFindingsRow) error {
	violation, err := o.violationID(ctx, r.Violation)
	if err != nil {
		return err
	}
	list, err := asJSON([]int64{violation})
	if err != nil {
		return err
	}
	return o.SetExported(ctx, db.SetExportedParams{Exported: r.Exported, Violations: list})
}

func (o *loader) findingShows(r db.DumpFindingsRow) bool {
	return r.Exported == string(ledger.FindingStatusOf(ledger.Status(o.run.violations[r.Violation].Status)))
}
