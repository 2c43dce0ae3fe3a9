package store

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// NewReviewID draws a review id that no review in the ledger has.
func (l *Store) NewReviewID(ctx context.Context) (id string, err error) {
	err = l.read(ctx, "draw a review id", func(t *tx) error {
		for {
			var random [4]byte
			if _, err := io.ReadFull(t.entropy, random[:]); err != nil {
				return err
			}
			id = hex.EncodeToString(random[:])
			taken, err := t.ReviewIDTaken(ctx, id)
			if err != nil || !taken {
				return err
			}
		}
	})
	return id, err
}

// StartReview opens the run of a code review. One that is still open in the same worktree, because
// its process was killed, is abandoned.
func (l *Store) StartReview(ctx context.Context, run ledger.Run, review verdict.CodeReview) (ledger.Run, error) {
	run.Kind = ledger.KindCodeReview
	err := l.write(ctx, "start code review", func(t *tx) (err error) {
		run, _, err = t.startReview(ctx, run, review)
		return err
	})
	return run, err
}

func (t *tx) startReview(ctx context.Context, run ledger.Run, review verdict.CodeReview) (ledger.Run, int64, error) {
	if err := t.abandonOpen(ctx, run, ledger.CauseNewerRun); err != nil {
		return run, 0, err
	}
	run, err := t.insertRun(ctx, run)
	if err != nil {
		return run, 0, err
	}
	row, err := t.runByULID(ctx, run.ID)
	if err != nil {
		return run, 0, err
	}
	return run, row.Row, t.addRow(ctx, "code_reviews", map[string]any{
		"run_id": row.Row, "review_id": review.ReviewID, "scope": string(review.Scope), "target": review.Target, "report_path": review.ReviewDocument,
	})
}

// reopenReview opens the finished run of a code review again, for a verification.
func (t *tx) reopenReview(ctx context.Context, row runRow) error {
	if row.FinishedAt.IsZero() { // it is new, or a killed verification left it open
		return t.interruptRunning(ctx, row.Row)
	}
	if err := t.abandonOpen(ctx, row.Run, ledger.CauseNewerRun); err != nil {
		return err
	}
	if err := t.noteRun(ctx, row.Row, ledger.StatusRunning, ledger.CauseVerification); err != nil {
		return err
	}
	return expectOne(t.Queries.ReopenReview(ctx, row.Row))
}

// FindingsAdapter is recorded as the adapter of findings that were handed in.
const FindingsAdapter = "findings"

// RecordReview decides what becomes of the answers of all slots of a code review and records it in
// one transaction: reports, violations and findings. A finding that several slots report is one
// violation. The results are in the order of the answers.
func (r *Recorder) RecordReview(ctx context.Context, answers []SlotAnswer) (results []SlotResult, err error) {
	slots := make([]verdict.DomainReports, 0, len(answers))
	for _, a := range answers {
		e := verdict.AsGiven(a.Answer.Entries, a.Facts)
		if a.Adapter != FindingsAdapter {
			e = match.Evaluate(a.Answer, nil, a.Facts, a.Rules)
		}
		results = append(results, SlotResult{Evaluation: e})
		slots = append(slots, verdict.DomainReports{Domain: a.Domain, Reports: e.Reports})
	}
	var order []string
	for _, f := range verdict.MergeReports(slots) {
		order = append(order, f.ID)
	}
	err = r.ledger.write(ctx, "record the review", func(t *tx) error {
		_, err := r.recordReports(ctx, t, answers, results, order)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// RecordVerification decides what becomes of the answers to a verification and records it in one
// transaction. If an answer is in error, nothing is decided: only those in error are recorded, and
// the results of the others are empty.
func (r *Recorder) RecordVerification(ctx context.Context, answers []SlotAnswer) (results []SlotResult, err error) {
	err = r.ledger.write(ctx, "record the verification", func(t *tx) error {
		results = make([]SlotResult, len(answers))
		erred := map[int]bool{}
		for n, a := range answers {
			w, err := r.answerWriter(ctx, t, a)
			if err != nil {
				return err
			}
			if match.Evaluate(a.Answer, w.earlier(), a.Facts, a.Rules).Status == ledger.SlotError {
				erred[n] = true
			}
		}
		for n, a := range answers {
			if len(erred) > 0 && !erred[n] {
				continue
			}
			w, err := r.answerWriter(ctx, t, a) // anew, because the one before has changed what is known
			if err != nil {
				return err
			}
			if results[n], err = w.write(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return results, err
}

// recordReports writes the answers and the findings, whose ids are given in the order of the file, and
// returns the violations by finding id. A report is written after the one of another slot that it is
// merged into.
func (r *Recorder) recordReports(ctx context.Context, t *tx, answers []SlotAnswer, results []SlotResult, order []string) (map[string]*violation, error) {
	found := make(map[string]*violation, len(order))
	writers := make([]*answerWriter, len(answers))
	for s, a := range answers {
		w := &answerWriter{tx: t, Recorder: r, a: a, slot: r.slots[slotKey{a.Job, a.Slot}], known: found, listed: map[string]bool{}, unlisted: true}
		if err := w.beginFindings(ctx, results[s].Reports); err != nil {
			return nil, err
		}
		writers[s] = w
	}
	for s, w := range writers {
		if err := w.writeThose(ctx, results[s].Reports, intoFinding); err != nil {
			return nil, err
		}
		w.entries = nil // in the order of the answer
		for _, report := range results[s].Reports {
			if report.Disposition == ledger.Accepted || intoFinding(&report) {
				w.entries = append(w.entries, reportEntry(found[report.Match].ShortID, report))
			}
		}
		results[s].Document = w.document(results[s])
		if err := w.finish(ctx, results[s]); err != nil {
			return nil, err
		}
	}
	for i, id := range order {
		if err := t.addRow(ctx, "findings", map[string]any{
			"run_id": r.run, "violation_id": found[id].Row, "position": i + 1, "finding_id": id, "exported": string(ledger.StatusNew),
		}); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// beginFindings writes the reports that begin findings, and those that are left out.
func (w *answerWriter) beginFindings(ctx context.Context, reports []ledger.Evaluated) error {
	if err := w.putCall(ctx, w.slot, w.a.SlotCall); err != nil {
		return err
	}
	if err := w.prepareReports(ctx, reports); err != nil {
		return err
	}
	if err := w.writeThose(ctx, reports, func(r *ledger.Evaluated) bool { return !intoFinding(r) }); err != nil {
		return err
	}
	n := 0
	for _, r := range reports {
		if r.Disposition == ledger.Accepted {
			v := &violation{Row: w.shown[n].violation}
			v.ID, v.ShortID, v.Job = w.shown[n].id, w.entries[n].ID, w.a.Job
			w.known[r.Match] = v
			n++
		}
	}
	return nil
}

// intoFinding reports whether the report was merged into a finding of another slot. One that only
// repeats another entry of its answer has no finding.
func intoFinding(r *ledger.Evaluated) bool { return r.Disposition == ledger.Merged && r.Match != "" }

// Conclude computes the verdict of the iteration from the rows, records it, and closes the run with
// it, in one transaction. It returns the verdict that the file must show.
//
// Rule: The verdict counts what is open.
func (r *Recorder) Conclude(ctx context.Context, mode verdict.Mode) (v verdict.Verdict, err error) {
	err = r.ledger.write(ctx, "record the verdict", func(t *tx) error {
		if v, err = t.unjudged(ctx, r.run, ""); err != nil {
			return err
		}
		if v.Earlier, err = t.verdicts(ctx, r.run); err != nil {
			return err
		}
		var before time.Time
		if n := len(v.Earlier); n > 0 {
			before = v.Earlier[n-1].At
		}
		v.Computed = verdict.Computed{Iteration: r.number, Mode: mode, At: verdict.NextTime(t.time(), before), Word: verdict.Judge(v.Findings)}
		return errors.Join(t.Queries.NoteFindings(ctx, r.run), r.putLogs(ctx, t), r.close(ctx, t, v, ""))
	})
	return v, err
}

// close records the verdict of the iteration, and closes the run with it.
func (r *Recorder) close(ctx context.Context, t *tx, v verdict.Verdict, reason string) error {
	if err := t.insertVerdict(ctx, r.iteration, r.run, v); err != nil {
		return err
	}
	if err := t.endIteration(ctx, r.run, r.iteration, v.Word.RunStatus(), ledger.CauseVerdict, reason); err != nil {
		return err
	}
	return t.closeRun(ctx, r.run, v.Word.RunStatus(), ledger.CauseVerdict)
}

func (t *tx) insertVerdict(ctx context.Context, iteration, run int64, v verdict.Verdict) error {
	n := v.Summary()
	return t.addRow(ctx, "verdicts", map[string]any{
		"run_id": run, "iteration_id": iteration, "mode": string(v.Mode), "verdict": string(v.Word), "at": db.Time(v.At),
		"blocker": n.Blocker, "high": n.High, "medium": n.Medium, "low": n.Low, "info": n.Info,
	})
}
