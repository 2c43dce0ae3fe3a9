package loop

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Result returns the rows of an invocation's run, for --format json.
func (r *Runner) Result(ctx context.Context, o Outcome) (ledger.RunResult, error) {
	result := ledger.RunResult{
		Run: o.Run, Iteration: o.Iteration, Status: o.Status, Reason: o.Reason, ExitCode: o.ExitCode(),
		ChangedFiles: o.Changed, Summary: o.Summary, Next: o.Next,
	}
	if o.Run == "" {
		return result, nil
	}
	state, err := r.Ledger.State(ctx, o.Run)
	if err != nil {
		return result, err
	}
	result.State = state
	if o.Status == "" {
		result.Status = state.Run.Status
	}
	if o.Iteration == 0 {
		result.Summary = ledger.Summarize(state, ledger.Assess(state))
		result.Summary.LookedAt = o.Summary.LookedAt
	}
	if !state.Run.Closed() {
		result.Summary.Left = new(ledger.IterationsLeft(state, r.Config.MaxRetries))
	}
	for _, gate := range state.Gates {
		if gate.Iteration == o.Iteration {
			of := r.gateResult(gate)
			if fails, known := o.FailsOnBase[gate.Job]; known {
				of.FailsOnBase = &fails
			}
			result.Gates = append(result.Gates, of)
		}
	}
	listed, err := r.Ledger.Violations(ctx, ledger.ViolationFilter{Run: o.Run, Sort: ledger.SortPriority})
	ledger.AsInSummaries(listed)
	for _, v := range ledger.WithDuplicates(listed) {
		switch {
		case v.Status.Open():
			result.Open = append(result.Open, v)
		case v.Claim():
			result.Unverified = append(result.Unverified, v)
		}
	}
	return result, err
}

// gateResult adds the paths of a gate's files. Those of a run that has passed are archived.
func (r *Runner) gateResult(gate ledger.Gate) ledger.RunGate {
	result := ledger.RunGate{Gate: gate}
	if gate.Kind == ledger.KindCheck {
		result.Log = present(r.Files.CheckLog(gate.Job, gate.Iteration))
	}
	for _, slot := range gate.Slots {
		file := present(r.Files.SlotJSON(gate.Job, slot.Adapter, slot.Index, gate.Iteration))
		if file == "" {
			file = present(r.Files.SlotLog(gate.Job, slot.Adapter, slot.Index, gate.Iteration))
		}
		result.Paths = append(result.Paths, file)
	}
	return result
}

// present returns the path of the file as it is shown, or that of its archived copy, or "" if there
// is neither.
func present(absolute, shown string) string {
	if _, err := os.Lstat(absolute); err == nil {
		return shown
	}
	const archive = "previous"
	if _, err := os.Lstat(filepath.Join(filepath.Dir(absolute), archive, filepath.Base(absolute))); err == nil {
		return path.Join(path.Dir(shown), archive, path.Base(shown))
	}
	return ""
}

// strictly says what keeps a strict invocation from succeeding that would succeed otherwise, such as
// one in which nothing ran.
//
// Rule: The exit code says what happened.
func (i *iteration) strictly(ctx context.Context, o Outcome) (Outcome, error) {
	if !i.options.Strict || o.ExitCode() != 0 {
		return o, nil
	}
	var now ledger.Progress
	if i.options.plain() {
		base := i.options.BaseBranch
		if base == "" {
			base = i.Config.BaseBranch
		}
		i.Repo.LookAgain() // the base branch may have moved since
		var err error
		if now, err = i.Progress(ctx, i.Repo.Ancestor(ctx, base), i.taken, false); err != nil {
			return o, err
		}
	}
	if o.Lacking = strictLack(i.options.plain(), i.rerun, o, now); o.Lacking == "" {
		return o, nil
	}
	i.Console.Conclude("Not passed as it is now: " + o.Lacking)
	if now.Next != "" {
		o.Next, o.LackStep = now.Next, now.Step()
	}
	return o, nil
}

// strictLack says what keeps a strict invocation from succeeding, or "". An invocation of everything
// succeeds where status says that nothing is left to do; another one fails where something of the
// open run is outstanding, although nothing ran.
func strictLack(everything, rerun bool, o Outcome, now ledger.Progress) string {
	switch {
	case everything && !now.Done():
		return now.Sentence()
	case !everything && rerun && !o.Status.Passes():
		return "Something of the open run is still outstanding."
	}
	return ""
}

// taken returns the snapshot that the iteration took, as [Runner.Progress] needs it.
func (i *iteration) taken() (diff.Snapshot, error) {
	return diff.Snapshot{Tree: i.snapshot.Tree, Unchanged: true}, nil // the warnings were printed
}
