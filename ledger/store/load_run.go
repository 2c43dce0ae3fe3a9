package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// errNotSo means that a run that was written is not what its record says.
var errNotSo = errors.New("what was written is not what the record says")

// references are the rows in this ledger that a row of a record refers to.
type references struct {
	RunID        int64  `json:"run_id"`
	RepositoryID int64  `json:"repository_id"`
	JobID        int64  `json:"job_id"`
	IterationID  *int64 `json:"iteration_id"`
	GateID       *int64 `json:"gate_id"`
	SlotID       *int64 `json:"slot_id"`
	ViolationID  *int64 `json:"violation_id"`
	ReportSlotID *int64 `json:"report_slot_id"`
}

// runWriter writes the rows of one run.
type runWriter struct {
	*loader
	run int64
	// Rows of the run by what others refer to them by.
	iterations map[int64]int64
	gates      map[slotPlace]int64 // slot 0
	slots      map[slotPlace]int64
	violations map[string]int64
}

type slotPlace struct {
	iteration int64
	job       string
	slot      int64
}

// addRun adds a run with all its rows.
func (o *loader) addRun(ctx context.Context, r *exchange.Run) error {
	if err := r.Sound(); err != nil {
		return err
	}
	repository, err := o.repositoryOf(ctx, r.Head.RepositoryKind, r.Head.Repository)
	if err != nil {
		return err
	}
	result, err := o.WriteRecord(ctx, "AddHead", r.Head, references{RepositoryID: repository})
	if err != nil {
		return named("run", err)
	}
	w := &runWriter{loader: o}
	if w.run, err = result.LastInsertId(); err != nil {
		return err
	}
	if r.Old() { // an old program wrote any word
		if err := all(ctx, w, "AddSource", r.Iterations, nil)(); err != nil {
			return err
		}
	}
	if err := w.add(ctx, r); err != nil {
		return err
	}
	if err := w.head(ctx, "EndHead", r); err != nil {
		return err
	}
	violations, err := db.ReadRecord[exchange.Violation](ctx, o.Queries, "ReadViolations", w.run)
	for i, v := range violations {
		if !reflect.DeepEqual(v, r.Violations[i]) {
			return fmt.Errorf("the events and reports of violation %s do not lead to what the dump says of it", v.ShortID)
		}
	}
	return err
}

// bringForward makes of the run what its later record says.
func (o *loader) bringForward(ctx context.Context, run int64, here, later *exchange.Run) error {
	w := &runWriter{loader: o, run: run}
	added, changed := exchange.Missing(here, later)
	for _, write := range []func() error{
		func() error { return w.head(ctx, "ChangeHead", later) },
		func() error { return w.add(ctx, added) },
		func() error { return w.change(ctx, changed) },
		func() error { return w.head(ctx, "EndHead", later) },
		func() error { return o.reconstruct(ctx, run) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	is, err := o.recordOf(ctx, run)
	if err != nil {
		return err
	}
	if is.Head.Revision = later.Head.Revision; exchange.Compare(is, later) != exchange.Same {
		return errNotSo
	}
	return nil
}

func (w *runWriter) head(ctx context.Context, statement string, r *exchange.Run) error {
	result, err := w.WriteRecord(ctx, statement, r.Head, references{RunID: w.run})
	if err != nil {
		return named("run", err)
	}
	return expectOne(result.RowsAffected())
}

// add adds the rows, in an order in which none refers to a later one.
func (w *runWriter) add(ctx context.Context, r *exchange.Run) error {
	job := func(job string) references { return references{JobID: w.jobs[job]} }
	for _, add := range []func() error{
		all(ctx, w, "AddIteration", r.Iterations, nil),
		all(ctx, w, "AddGate", r.Gates, func(r *exchange.Gate) references { return job(r.Job) }),
		all(ctx, w, "AddSlot", r.Slots, func(r *exchange.Slot) references { return job(r.Job) }),
		func() error { return w.findPlaces(ctx) },
		all(ctx, w, "AddViolation", r.Violations, func(r *exchange.Violation) references { return job(r.Job) }),
		func() error { return w.findViolations(ctx) },
		all(ctx, w, "AddReport", r.Reports, func(r *exchange.Report) references {
			refers := w.slot(r.Iteration, r.Job, r.Slot)
			if r.Violation != nil {
				refers.ViolationID = find(w.violations, *r.Violation)
			}
			return refers
		}),
		all(ctx, w, "AddEvent", r.Events, func(r *exchange.Event) references {
			return references{ViolationID: find(w.violations, r.Violation), IterationID: find(w.iterations, r.Iteration)}
		}),
		all(ctx, w, "AddSlotEntry", r.SlotEntries, w.entry),
		all(ctx, w, "AddSlotBlob", r.SlotBlobs, func(r *exchange.SlotBlob) references { return w.slot(r.Iteration, r.Job, r.Slot) }),
		all(ctx, w, "AddGateBlob", r.GateBlobs, func(r *exchange.GateBlob) references { return w.gate(r.Iteration, r.Job) }),
		all(ctx, w, "AddReview", r.Reviews, nil),
		all(ctx, w, "AddVerdict", r.Verdicts, func(r *exchange.Verdict) references {
			return references{IterationID: find(w.iterations, r.Iteration)}
		}),
		all(ctx, w, "AddFinding", r.Findings, w.finding),
		all(ctx, w, "AddTransition", r.Transitions, w.transition),
		all(ctx, w, "AddExcerpt", r.Excerpts, func(r *exchange.Excerpt) references { return w.slot(r.Iteration, r.Job, r.Slot) }),
		all(ctx, w, "AddHunk", r.Hunks, func(r *exchange.Hunk) references {
			return references{ViolationID: find(w.violations, r.Violation)}
		}),
		// The transitions set each status in turn. What they do not know comes last.
		func() error {
			return w.change(ctx, &exchange.Run{Iterations: r.Iterations, Gates: r.Gates, Slots: r.Slots})
		},
	} {
		if err := add(); err != nil {
			return err
		}
	}
	return nil
}

// change gives rows that are there what the record says. Which may change, and what of
// them, [exchange.Compare] knows.
func (w *runWriter) change(ctx context.Context, r *exchange.Run) error {
	for _, change := range []func() error{
		all(ctx, w, "ChangeIteration", r.Iterations, func(r *exchange.Iteration) references {
			return references{IterationID: find(w.iterations, r.Number)}
		}),
		all(ctx, w, "ChangeGate", r.Gates, func(r *exchange.Gate) references { return w.gate(r.Iteration, r.Job) }),
		all(ctx, w, "ChangeSlot", r.Slots, func(r *exchange.Slot) references { return w.slot(r.Iteration, r.Job, r.Slot) }),
		all(ctx, w, "ChangeViolation", r.Violations, func(r *exchange.Violation) references {
			return references{ViolationID: find(w.violations, r.Violation)}
		}),
		all(ctx, w, "ChangeSlotEntry", r.SlotEntries, w.entry),
		all(ctx, w, "ChangeFinding", r.Findings, w.finding),
	} {
		if err := change(); err != nil {
			return err
		}
	}
	return nil
}

func all[R any](ctx context.Context, w *runWriter, statement string, rows []R, refers func(*R) references) func() error {
	return func() error {
		for i := range rows {
			refer := references{}
			if refers != nil {
				refer = refers(&rows[i])
			}
			refer.RunID = w.run
			if _, err := w.WriteRecord(ctx, statement, &rows[i], &refer); err != nil {
				return explain(statement, rows[i], err)
			}
		}
		return nil
	}
}

// explain says which row could not be written.
func explain(statement string, row any, err error) error {
	if v, is := row.(exchange.Violation); is && db.IsUnique(err) {
		return fmt.Errorf("violation %s has the id of one of another run in the ledger: one of the two was restored from its files when its ledger was lost, so import them into different ledgers (%w)", v.ShortID, err)
	}
	return fmt.Errorf("%s: %w", statement, err)
}

func find[K comparable](rows map[K]int64, key K) *int64 {
	if id, known := rows[key]; known {
		return &id
	}
	return nil
}

func (w *runWriter) gate(iteration int64, job string) references {
	return references{GateID: find(w.gates, slotPlace{iteration, job, 0})}
}

func (w *runWriter) slot(iteration int64, job string, slot int64) references {
	return references{SlotID: find(w.slots, slotPlace{iteration, job, slot})}
}

func (w *runWriter) entry(r *exchange.SlotEntry) references {
	refers := w.slot(r.Iteration, r.Job, r.Slot)
	refers.ViolationID = find(w.violations, r.Violation)
	refers.ReportSlotID = find(w.slots, slotPlace{r.ReportIteration, r.ReportJob, r.ReportSlot})
	return refers
}

func (w *runWriter) finding(r *exchange.Finding) references {
	return references{ViolationID: find(w.violations, r.Violation)}
}

func (w *runWriter) transition(r *exchange.Transition) references {
	switch ledger.Subject(r.Subject) {
	case ledger.SubjectIteration:
		return references{IterationID: find(w.iterations, *r.Iteration)}
	case ledger.SubjectGate:
		return w.gate(*r.Iteration, *r.Job)
	case ledger.SubjectSlot:
		return w.slot(*r.Iteration, *r.Job, *r.Slot)
	}
	return references{}
}

// findPlaces looks up the iterations, gates and slots of the run.
func (w *runWriter) findPlaces(ctx context.Context) error {
	rows, err := w.PlacesOfRun(ctx, w.run)
	w.iterations, w.gates, w.slots = map[int64]int64{}, map[slotPlace]int64{}, map[slotPlace]int64{}
	for _, r := range rows {
		w.iterations[r.Iteration] = r.IterationID
		if r.GateID != nil {
			w.gates[slotPlace{r.Iteration, text(r.Job), 0}] = *r.GateID
		}
		if r.SlotID != nil {
			w.slots[slotPlace{r.Iteration, text(r.Job), *r.Slot}] = *r.SlotID
		}
	}
	return err
}

func (w *runWriter) findViolations(ctx context.Context) error {
	rows, err := w.ViolationIDs(ctx, w.run)
	w.violations = make(map[string]int64, len(rows))
	for _, r := range rows {
		w.violations[r.Ulid] = r.ID
	}
	return err
}

// repositoryOf is the row of a repository, which is made where there is none.
func (t *tx) repositoryOf(ctx context.Context, kind, key string) (int64, error) {
	if kind == "" || ledger.RepositoryKind(kind) == ledger.RepositoryUnknown {
		return unknownRepository, nil
	}
	if err := t.EnsureRepository(ctx, db.EnsureRepositoryParams{Kind: kind, Key: key}); err != nil {
		return 0, fmt.Errorf("repository %q: %w", kind, err)
	}
	return t.knownRepository(ctx, ledger.Repository{Kind: ledger.RepositoryKind(kind), Key: key})
}
