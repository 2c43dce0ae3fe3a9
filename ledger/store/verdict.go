package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

const (
	codeReview db.Rows[verdict.CodeReview] = "CodeReview"
	verdicts   db.Rows[verdict.Computed]   = "Verdicts"
	findings   db.Rows[verdict.Finding]    = "Findings"
)

// Review returns the verdict of the newest code review in the scope's worktree, or of the newest with
// the review id if it is not empty. The error is [ledger.ErrNotFound] if there is none.
func (l *Store) Review(ctx context.Context, scope ledger.Scope, reviewID string) (verdict.Verdict, error) {
	return answer(ctx, l, "find the code review", func(t *tx) (v verdict.Verdict, err error) {
		repository, err := t.knownRepository(ctx, scope.Repository)
		if err != nil {
			return v, err
		}
		row, err := t.runRow(ctx, runOfReview,
			sql.Named("review_id", reviewID), sql.Named("worktree", scope.Worktree), sql.Named("worktree_name", scope.WorktreeName), sql.Named("repository", repository))
		if err != nil {
			return v, err
		}
		return t.verdict(ctx, row)
	})
}

// Verdict returns the verdict of a recorded run. A run of gates has none of its own, so its state
// is shown as one: its mode is full after the first iteration and verify after later ones, and its
// review id is computed from the run's id. The error is [ledger.ErrNotFound] if there is no such
// run, or if it is a code review without a verdict.
func (l *Store) Verdict(ctx context.Context, run string) (verdict.Verdict, error) {
	return ofRun(ctx, l, "read the verdict", run, func(t *tx, row runRow) (verdict.Verdict, error) { return t.verdict(ctx, row) })
}

func (t *tx) verdict(ctx context.Context, row runRow) (verdict.Verdict, error) {
	if row.Kind != ledger.KindCodeReview {
		return t.gatesVerdict(ctx, row)
	}
	all, err := t.verdicts(ctx, row.Row)
	if err == nil && len(all) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	v, err := t.unjudged(ctx, row.Row, row.ID)
	v.Earlier, v.Computed = all[:len(all)-1], all[len(all)-1]
	return v, err
}

// verdicts returns all verdicts that were computed for a code review, the oldest first.
func (t *tx) verdicts(ctx context.Context, run int64) ([]verdict.Computed, error) {
	return verdicts.All(ctx, t.Queries, sql.Named("run", run))
}

// unjudged returns what a verdict of the code review says, but for what is computed.
func (t *tx) unjudged(ctx context.Context, run int64, id string) (v verdict.Verdict, err error) {
	v.Run = id
	if v.CodeReview, err = codeReview.One(ctx, t.Queries, sql.Named("run", run)); err != nil {
		return v, err
	}
	if v.Findings, err = t.findings(ctx, run); err != nil {
		return v, err
	}
	v.Filtered, err = listed(t.leftOut(ctx, run, 0, 0))
	return v, err
}

// findings returns the violations of the run as findings, which have no IDs in a run of gates.
func (t *tx) findings(ctx context.Context, run int64) (found []verdict.Finding, err error) {
	err = findings.Each(ctx, t.Queries, func(f *verdict.Finding) { found = append(found, f.Shown()) }, sql.Named("run", run))
	return found, err
}

// gatesVerdict returns the state of a run of gates as a verdict.
func (t *tx) gatesVerdict(ctx context.Context, row runRow) (verdict.Verdict, error) {
	state, err := t.state(ctx, row)
	if err != nil {
		return verdict.Verdict{}, err
	}
	findings, err := t.findings(ctx, row.Row)
	verdict.Identify(findings)
	sum := sha256.Sum256([]byte(row.ID))
	info := verdict.CodeReview{ReviewID: hex.EncodeToString(sum[:4]), Scope: ledger.ScopeChangeset, Target: state.Run.BaseRef + "..HEAD"}
	computed := verdict.Computed{Iteration: state.LastIteration(), Mode: verdict.Full, At: runTime(state), Word: verdict.Judge(findings)}
	if computed.Iteration > 1 {
		computed.Mode = verdict.Verify
	}
	return verdict.Verdict{CodeReview: info, Computed: computed, Run: row.ID, Findings: findings}, err
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
	return l.writeRun(ctx, "record what the verdict file shows", run, func(t *tx, row runRow) error { return t.Queries.NoteFindings(ctx, row.Row) })
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
		if err := r.restoreFindings(ctx, t, d); err != nil {
			return err
		}
		v := verdict.Verdict{Computed: verdict.Computed{At: at, Mode: verdict.Mode(d.Mode), Word: ledger.VerdictWord(d.Verdict)}}
		if v.Findings, err = t.findings(ctx, row); err != nil {
			return err
		}
		return r.close(ctx, t, v, "restored from its file")
	})
	return run, err
}

// restoredFinding is the reason of what is restored from a verdict file.
const restoredFinding = "restored from the verdict"

// restoreFindings writes the rows behind the findings of a file: their reports, as if they had been
// handed in, and the statuses that the file shows.
func (r *Recorder) restoreFindings(ctx context.Context, t *tx, d verdict.Document) error {
	var answers []SlotAnswer
	var results []SlotResult
	for _, slot := range d.Reports(restoredFinding) {
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
	var order []string
	for _, f := range d.Findings {
		order = append(order, f.ID)
	}
	rows, err := r.recordReports(ctx, t, answers, results, order)
	if err != nil {
		return err
	}
	for _, a := range answers {
		if err := r.finishReview(ctx, t, a.Job, ledger.GateFailed, restoredFinding, 0); err != nil {
			return err
		}
	}
	later := map[ledger.Status][]int64{}
	for _, f := range d.Findings {
		if status, _ := verdict.ParseFindingStatus(f.Status); status != ledger.StatusNew {
			later[status] = append(later[status], rows[f.ID].Row)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(later)) {
		if err := t.insertEvents(ctx, later[status], db.InsertEventParams{IterationID: r.iteration, Status: string(status), Actor: string(ledger.ActorSystem), At: t.at}); err != nil {
			return err
		}
	}
	return t.Queries.NoteFindings(ctx, r.run)
}
