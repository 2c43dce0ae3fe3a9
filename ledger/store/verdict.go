package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// FindReview returns the id of the run in the scope's worktree whose verdict has the review id. The
// error is [ledger.ErrNotFound] if there is none.
func (l *Store) FindReview(ctx context.Context, scope ledger.Scope, reviewID string) (run string, err error) {
	return l.reviewRun(ctx, "find the code review", scope, db.RunOfReviewParams{ReviewID: &reviewID})
}

// LatestReview returns the id of the scope's newest run that has a verdict. The error is
// [ledger.ErrNotFound] if there is none.
func (l *Store) LatestReview(ctx context.Context, scope ledger.Scope) (run string, err error) {
	return l.reviewRun(ctx, "find the latest code review", scope, db.RunOfReviewParams{LogDir: &scope.LogDir})
}

func (l *Store) reviewRun(ctx context.Context, doing string, scope ledger.Scope, p db.RunOfReviewParams) (string, error) {
	return answer(ctx, l, doing, func(t *tx) (run string, err error) {
		p.Worktree, p.WorktreeName = scope.Worktree, scope.WorktreeName
		if p.RepositoryID, err = t.knownRepository(ctx, scope.Repository); err != nil {
			return "", err
		}
		return t.RunOfReview(ctx, p)
	})
}

// Verdict returns the verdict of a recorded run. A run of gates has none of its own, so its state
// is shown as one: its mode is full after the first iteration and verify after later ones, and its
// review id is computed from the run's id. The error is [ledger.ErrNotFound] if there is no such
// run, or if it is a code review without a verdict.
func (l *Store) Verdict(ctx context.Context, run string) (verdict.Verdict, error) {
	return ofRun(ctx, l, "read the verdict", run, func(t *tx, row db.Run) (verdict.Verdict, error) {
		if ledger.RunKind(row.Kind) == ledger.KindCodeReview {
			v, _, err := t.reviewVerdict(ctx, row)
			return v, err
		}
		return t.gatesVerdict(ctx, row)
	})
}

// reviewVerdict returns the verdict and the rows of its findings, in the same order.
func (t *tx) reviewVerdict(ctx context.Context, row db.Run) (v verdict.Verdict, rows []db.FindingsOfRunRow, err error) {
	latest, err := t.LatestVerdict(ctx, row.ID)
	if err != nil {
		return v, nil, err
	}
	v, rows, err = t.unjudged(ctx, row.ID, row.Ulid)
	v.At, v.Mode, v.Word = time.Time(latest.At), verdict.Mode(latest.Mode), ledger.VerdictWord(latest.Verdict)
	return v, rows, err
}

// unjudged returns what a verdict of the code review says, but for when, how and with which word.
func (t *tx) unjudged(ctx context.Context, run int64, id string) (v verdict.Verdict, rows []db.FindingsOfRunRow, err error) {
	review, err := t.CodeReviewOfRun(ctx, run)
	if err != nil {
		return v, nil, err
	}
	if rows, err = t.FindingsOfRun(ctx, run); err != nil {
		return v, nil, err
	}
	left, err := t.leftOut(ctx, run, id)
	info := verdict.CodeReview{ReviewID: review.ReviewID, Scope: ledger.VerdictScope(review.Scope), Target: review.Target, ReviewDocument: review.ReportPath}
	return verdict.Verdict{CodeReview: info, Run: id, Findings: findingsFrom(rows), Filtered: left}, rows, err
}

func findingsFrom(rows []db.FindingsOfRunRow) []verdict.Finding {
	findings := make([]verdict.Finding, 0, len(rows))
	for _, row := range rows {
		f := row.Finding
		findings = append(findings, verdict.Finding{
			ID: f.FindingID, Domain: f.Domain, Priority: ledger.Priority(f.Severity), SystemBreaking: f.SystemBreaking == 1,
			Confidence: f.Confidence, File: f.File, LineRange: f.LineRange, Title: f.Title, Recommendation: f.Recommendation,
			Status: ledger.Status(row.Status), Actor: ledger.Actor(row.Actor), Exported: verdict.FindingStatus(f.Exported), Violation: row.Ulid, ShortID: row.ShortID, Last: int(row.LastIteration),
		})
	}
	return findings
}

// gatesVerdict returns the state of a run of gates as a verdict.
func (t *tx) gatesVerdict(ctx context.Context, row db.Run) (verdict.Verdict, error) {
	state, err := t.state(ctx, row)
	if err != nil {
		return verdict.Verdict{}, err
	}
	words, err := t.WordsOfRun(ctx, row.ID)
	if err != nil {
		return verdict.Verdict{}, err
	}
	// All violations of a domain count as reports of one slot, so that none are merged: their statuses
	// may differ.
	var slots []verdict.DomainReports
	violations := map[string][]int{} // of each domain, by index
	for i, v := range state.Violations {
		domain := words[i].Name
		if violations[domain] == nil {
			slots = append(slots, verdict.DomainReports{Domain: domain})
		}
		violations[domain] = append(violations[domain], i)
		slot := &slots[slices.IndexFunc(slots, func(s verdict.DomainReports) bool { return s.Domain == domain })]
		slot.Reports = append(slot.Reports, ledger.Evaluated{Disposition: ledger.Accepted, Entry: ledger.Entry{
			Place: v.Place, Issue: v.Issue, Fix: v.Fix, Priority: v.Priority, Title: text(words[i].Title),
			Confidence: words[i].Confidence, SystemBreaking: words[i].SystemBreaking == 1,
		}})
	}
	findings, behind := verdict.MergeReports(slots), map[string]int{}
	for _, slot := range slots {
		for i, r := range slot.Reports {
			behind[r.Match] = violations[slot.Domain][i]
		}
	}
	for i := range findings {
		f := &findings[i]
		at := behind[f.ID]
		v := state.Violations[at]
		f.Status, f.Exported, f.Last = v.Status, verdict.FindingStatusOf(v.Status), v.Last
		f.Violation, f.ShortID, f.Actor = v.ID, v.ShortID, ledger.Actor(words[at].Actor)
	}
	sum := sha256.Sum256([]byte(row.Ulid))
	info := verdict.CodeReview{ReviewID: hex.EncodeToString(sum[:4]), Scope: ledger.ScopeChangeset, Target: state.Run.BaseRef + "..HEAD"}
	return verdict.Verdict{CodeReview: info, Run: row.Ulid, At: runTime(state), Mode: gatesMode(state), Word: verdict.Judge(findings), Findings: findings}, nil
}

func gatesMode(state *ledger.State) verdict.Mode {
	if state.LastIteration() > 1 {
		return verdict.Verify
	}
	return verdict.Full
}

// runTime returns when the run's last iteration ended, or when it began if it has not ended.
func runTime(state *ledger.State) time.Time {
	if len(state.Iterations) == 0 {
		return state.Run.StartedAt
	}
	last := state.Iterations[len(state.Iterations)-1]
	if last.FinishedAt.IsZero() {
		return last.StartedAt
	}
	return last.FinishedAt
}

// NoteFindings records that the verdict file shows the current statuses of the code review's
// findings, so that they do not count as edits when the file is read again.
func (l *Store) NoteFindings(ctx context.Context, run string) error {
	return l.write(ctx, "record what the verdict file shows", func(t *tx) error {
		row, err := t.RunByULID(ctx, run)
		if err != nil {
			return err
		}
		rows, err := t.FindingsOfRun(ctx, row.ID)
		if err != nil {
			return err
		}
		return t.setExported(ctx, rows, findingsFrom(rows))
	})
}

// RestoreReview records a code review that is not in the ledger from its verdict file. The caller
// has checked the document with [verdict.CheckFinding]. A Blocker of a verdict ABORT counts as
// system-breaking: the file does not say which one is.
func (l *Store) RestoreReview(ctx context.Context, run ledger.Run, d verdict.Document, at time.Time) (ledger.Run, error) {
	run.Kind = ledger.KindCodeReview
	err := l.write(ctx, "restore the code review from its verdict", func(t *tx) error {
		started, row, err := t.startReview(ctx, run, verdict.CodeReview{
			ReviewID: d.ReviewID, Scope: ledger.VerdictScope(d.Scope), Target: d.Target, ReviewDocument: d.ReviewDocument,
		})
		if err != nil {
			return err
		}
		run = started
		r := &Recorder{ledger: l, run: row, number: 1, gates: map[string]int64{}, slots: map[slotKey]int64{}}
		if r.iteration, err = t.insertIteration(ctx, row, ledger.Iteration{Number: 1, Mode: ledger.ModeRebuilt, Source: ledger.SourceFiles, Status: ledger.StatusRunning}, nil); err != nil {
			return err
		}
		findings, slots := d.Restore(restoredFinding)
		if err := r.restoreFindings(ctx, t, findings, slots); err != nil {
			return err
		}
		v := verdict.Verdict{At: at, Mode: verdict.Mode(d.Mode), Word: ledger.VerdictWord(d.Verdict), Findings: findings}
		if err := t.insertVerdict(ctx, r.iteration, row, v); err != nil {
			return err
		}
		if err := t.endIteration(ctx, row, r.iteration, v.Word.RunStatus(), ledger.CauseVerdict, "restored from its file"); err != nil {
			return err
		}
		return t.closeRun(ctx, row, v.Word.RunStatus(), ledger.CauseVerdict)
	})
	return run, err
}

// restoredFinding is the reason of what is restored from a verdict file.
const restoredFinding = "restored from the verdict"

// restoreFindings writes the rows behind the findings of a file: their reports, as if they had been
// handed in, and the statuses that the file shows.
func (r *Recorder) restoreFindings(ctx context.Context, t *tx, findings []verdict.Finding, slots []verdict.DomainReports) error {
	var answers []SlotAnswer
	var results []SlotResult
	for _, slot := range slots {
		call := ledger.SlotCall{Job: verdict.FindingsJob(slot.Domain), Slot: 1, Adapter: FindingsAdapter}
		if err := r.insertGate(ctx, t, ledger.GatePlan{
			Job: call.Job, Kind: ledger.KindReview, EntryPoint: ".", Name: slot.Domain, NumReviews: 1,
			Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: call.Slot}, Adapter: call.Adapter}},
		}); err != nil {
			return err
		}
		answers = append(answers, SlotAnswer{SlotCall: call})
		results = append(results, SlotResult{Evaluation: ledger.Evaluation{Status: ledger.SlotFail, Reason: restoredFinding, Reports: slot.Reports}})
	}
	rows, err := r.recordReports(ctx, t, answers, results, findings)
	if err != nil {
		return err
	}
	for _, a := range answers {
		if err := r.finishReview(ctx, t, a.Job, ledger.GateFailed, restoredFinding, 0); err != nil {
			return err
		}
	}
	var later batches[ledger.Status]
	for _, f := range findings {
		if f.Status != ledger.StatusNew {
			later.add(f.Status, rows[f.ID].row)
		}
	}
	return later.each(func(status ledger.Status, violations []int64) error {
		return t.insertEvents(ctx, violations, db.InsertEventsParams{IterationID: r.iteration, Status: string(status), Actor: string(ledger.ActorSystem), At: t.at})
	})
}
