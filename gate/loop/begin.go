package loop

import (
	"context"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// begun is what an iteration that has begun is recorded with.
type begun struct {
	recorder *store.Recorder // nil: nothing is recorded yet
	asker    *slots.Asker
	ended    *endedChecks // so far
}

// begin records the iteration and opens its console log.
func (i *iteration) begin(ctx context.Context) error {
	if !i.rerun {
		if err := i.startRun(ctx); err != nil {
			return err
		}
	}
	mode := ledger.ModeFirst
	if i.rerun {
		mode = ledger.ModeRerun
	}
	plans := make([]ledger.GatePlan, 0, len(i.jobs))
	for _, job := range i.jobs {
		plans = append(plans, i.gatePlan(job))
	}
	for _, job := range i.coveredJobs {
		plan := i.gatePlan(slots.Job{Job: job.Job, ID: job.ID()})
		plan.NotRun, plan.NotRunText = ledger.NotRunUnchanged, job.reason()
		plans = append(plans, plan)
	}
	change := slots.ChangeSince(ctx, i.Worktree, i.state.Run.Base, i.jobs, i.state.BaseNow()) // while the ledger records
	source, from := i.scope.source, i.scope.from
	if i.comparesAll() {
		source, from = ledger.SourceBase, i.state.Run.Base
	}
	row := ledger.Iteration{
		Number: i.number, Mode: mode, Source: source,
		From: from, To: i.scope.to,
		Tree: i.snapshot.Tree, Head: i.Repo.Head, Branch: i.Repo.Branch,
		Base: i.state.Run.Base, BaseRef: i.state.Run.BaseRef, Anew: i.anew(),
	}
	if hash := i.ConfigHash(); hash != i.state.Run.ConfigHash {
		row.ConfigHash = hash
	}
	recorder, err := i.Ledger.BeginIteration(ctx, i.state.Run.ID, row, plans)
	if err != nil {
		return err
	}
	i.begun = begun{recorder: recorder, ended: &endedChecks{}, asker: &slots.Asker{
		Worktree: i.Worktree, Logs: i.Files, Rows: recorder, Cool: i.Ledger.SetCooldown, Iteration: i.number, Base: i.state.Run.BaseRef, Now: i.Now, Spent: ledger.SpentIn(i.state), Progress: i.Console,
		Change: change, Finished: i.checksSoFar, Altered: i.scope.altered,
	}}
	if err := i.Files.WriteRun(runFile(i.state, row)); err != nil {
		return err
	}
	if err := i.asker.Start(i.headline()); err != nil {
		return err
	}
	outside := ""
	if len(i.scope.outside) > 0 {
		outside = outsideLine(i.scope.outside)
	}
	for _, line := range []string{i.baseLine, outside, i.everything} {
		if line != "" {
			i.Console.Line(line)
		}
	}
	i.Console.Cost(i.asker.Spent)
	return nil
}

// startRun opens the run of a first iteration. It abandons a run that another checkout left open.
//
// Rule: The log directory decides between first run and rerun.
func (i *iteration) startRun(ctx context.Context) error {
	former, err := i.openState(ctx)
	if err != nil {
		return err
	}
	i.state.Run.ConfigHash, i.state.Run.Subject = i.ConfigHash(), i.FirstSubject(ctx, i.state.Run.Base)
	if i.state.Run, err = i.Ledger.StartRun(ctx, i.state.Run); err != nil || former == nil {
		return err
	}
	i.Console.Warn(fmt.Sprintf("run %s, which another checkout left open, was abandoned%s", former.Run.ID, ledger.Assess(former).Abandoned()))
	return nil
}

// runFile returns the content of .run, which says that the log directory's files belong to the
// iteration.
func runFile(state *ledger.State, it ledger.Iteration) ledger.RunFile {
	file := ledger.RunFile{
		Run: state.Run.ID, Iteration: it.Number, BaseRef: state.Run.BaseRef, Base: state.Run.Base, Rests: len(state.Rests) > 0,
		Branch: it.Branch, Head: it.Head, Source: it.Source, Failed: state.FailedIterations(),
		Moved: slices.ContainsFunc(state.Iterations, func(before ledger.Iteration) bool { return before.Base != state.Run.Base }),
	}
	for _, extension := range state.Extensions() {
		file.Extended += extension.Iterations
	}
	if len(state.Iterations) > 0 {
		file.Source = state.Iterations[0].Source
	}
	return file
}

// headline returns a line that names the run and the iteration, and says what it reviews.
func (i *iteration) headline() string {
	began := ""
	if branch := i.state.BeganOn(i.Repo.Branch); branch != "" {
		began = " (began on " + text.EscapeLine(branch) + ")"
	}
	return fmt.Sprintf("Run %s, iteration %d: %s%s", i.state.Run.ID, i.number, i.changes(), began)
}

// outsideLine returns a line that names untracked files that only settings outside of the tree
// ignore.
//
// Rule: Nothing is left out without a word.
func outsideLine(files []string) string {
	quoted := make([]string, 0, len(files))
	for _, file := range files {
		quoted = append(quoted, fmt.Sprintf("%q", file))
	}
	return fmt.Sprintf("not reviewed: %s that only settings outside of the tree ignore (info/exclude, core.excludesFile, an ignored .gitignore): %s",
		ledger.Plural(len(files), "untracked file"), worktree.Named(quoted))
}

// changes returns how much the iteration compares, and with what, in words.
func (i *iteration) changes() string {
	source, files := i.scope.source, len(i.scope.narrowed.Files)
	if i.comparesAll() {
		source, files = ledger.SourceBase, len(i.scope.whole)
	}
	what := map[ledger.Source]string{
		ledger.SourceBase:            "since " + i.state.Run.BaseRef,
		ledger.SourceUncommitted:     "uncommitted",
		ledger.SourceUncommittedOnly: "uncommitted",
		ledger.SourceCommit:          "in commit " + i.options.Commit,
		ledger.SourceSession:         "since the reviewed snapshot",
	}[source]
	all := ledger.Plural(files, "changed file") + " " + what
	if source != ledger.SourceBase || i.since == nil {
		return all
	}
	ago := ""
	if !i.since.passedAt.IsZero() {
		ago = " " + ledger.Ago(i.Now().Sub(i.since.passedAt))
	}
	return fmt.Sprintf("%s since the run that passed%s (%s)", ledger.Plural(len(i.since.diff.Files), "changed file"), ago, all)
}

// comparesAll reports whether a rerun compares with the base all the same: every slot that is asked is
// shown everything that the run changed, or, without a session reference, a gate rests on a pass.
func (i *iteration) comparesAll() bool {
	switch {
	case i.options.explicit():
		return false
	case i.scope.source == ledger.SourceSession:
		return i.asks() && i.showsAll()
	}
	return i.scope.source == ledger.SourceUncommitted && len(i.jobs) > 0 && (i.showsAll() || i.since != nil)
}

// asks reports whether a slot is asked, and showsAll whether each that is asked is shown everything that the
// run changed. Of one that has answered, that means more than what the iteration compares anyway.
func (i *iteration) asks() bool {
	return i.anySlot(func(slot slots.Slot) bool { return !slot.Skip })
}

func (i *iteration) showsAll() bool {
	anyway := i.scope.from == i.state.Run.Base
	return !i.anySlot(func(slot slots.Slot) bool { return !slot.Skip && (!slot.Everything || slot.Answered && anyway) })
}

func (i *iteration) anySlot(is func(slots.Slot) bool) bool {
	return slices.ContainsFunc(i.jobs, func(job slots.Job) bool { return slices.ContainsFunc(job.Slots, is) })
}
