package loop

// This file finds the facts with which [ledger.RestFacts.Refuse] and [ledger.RestFacts.RefuseGate]
// decide whether a review may rest on an earlier pass: its reviewers are then shown only what
// changed since.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// passedAlready reports whether an earlier run has passed on exactly the present state, which is in
// the snapshot, so that there is nothing to do. If the user asks for more nevertheless, everything
// is reviewed again.
//
// Rule: Done means passed as it is now.
func (i *iteration) passedAlready(ctx context.Context, take func() (diff.Snapshot, error)) (passed bool, outcome Outcome, err error) {
	if i.rerun || i.options.explicit() || i.options.Command == CommandCheck {
		return false, Outcome{}, nil
	}
	base := i.options.BaseBranch
	if base == "" {
		base = i.Config.BaseBranch
	}
	glance := func() (diff.Snapshot, error) {
		snapshot, err := take()
		return diff.Snapshot{Tree: snapshot.Tree, Unchanged: true}, err // the caller prints the warnings
	}
	p, err := i.Progress(ctx, i.Repo.Ancestor(ctx, base), glance, false)
	if err != nil || p.State != ledger.ProgressPassed {
		return false, Outcome{}, nil // if there is an error, the iteration reports it
	}
	if i.options.Again || !i.options.plain() {
		i.options.Again, i.options.Whole = true, true // nothing has changed since
		return false, Outcome{}, nil
	}
	state, err := i.Ledger.State(ctx, p.Run.ID)
	if err != nil {
		return false, Outcome{}, err
	}
	reason := fmt.Sprintf("Passed already: run %s, %s, on exactly this code. To review it again: `reviewledger run --again`; checks alone: `reviewledger check`",
		p.Run.ID, ledger.Ago(i.Now().Sub(p.Run.FinishedAt)))
	summary := ledger.Summarize(state, ledger.Assess(state))
	summary.LookedAt = p.LookedAt
	return true, Outcome{Run: p.Run.ID, Status: p.Run.Status, NothingToDo: true, Reason: reason, Summary: summary}, nil
}

// plain reports whether no flag restricts or widens what runs. Such a flag is obeyed even if
// everything has passed.
func (o Options) plain() bool {
	return o.Command == CommandRun && len(o.Gates) == 0 && !o.explicit()
}

// findRests finds out which of the review jobs that this run has not executed yet rest on an
// earlier pass, and says why the others do not.
func (i *iteration) findRests(ctx context.Context, jobs []config.Job) error {
	if !i.Config.AfterPassChanges || i.Ledger == nil || i.options.explicit() {
		return nil
	}
	var asked []config.Job
	for _, job := range jobs {
		if job.Kind == config.KindReview && i.state.LatestGate(job.ID()) == nil {
			asked = append(asked, job)
		}
	}
	whole := len(i.state.Iterations) == 0 || i.state.Iterations[0].Source == ledger.SourceBase
	if len(asked) == 0 || !whole {
		return nil
	}
	facts := ledger.RestFacts{Whole: i.options.Whole, Again: i.options.Again, Branch: i.Repo.Branch, Base: i.state.Run.Base}
	var err error
	if !facts.Whole && facts.Branch != "" {
		if facts.Preceding, err = i.Ledger.PrecedingRun(ctx, i.place(), i.Repo.Branch); err != nil {
			return err
		}
	}
	if facts.Refuse() == ledger.RestGranted {
		there, err := i.Repo.HasTree(ctx, facts.Preceding.Tree())
		if err != nil {
			return err
		}
		if facts.TreeGone = !there; facts.TreeGone {
			i.Console.Warn(fmt.Sprintf("git no longer has the tree %s, on which run %s passed", facts.Preceding.Tree(), facts.Preceding.Run.ID))
		}
	}
	i.restJobs(asked, facts)
	return nil
}

// sincePass is what changed since a run passed.
type sincePass struct {
	diff *diff.Diff
	// passedAt is zero if the run was removed since.
	passedAt time.Time
}

// compareWithRest returns what changed since the pass that reviews rest on, or nil if none does or
// they are shown what changed since an iteration of this run.
func (i *iteration) compareWithRest(ctx context.Context, jobs []config.Job) (*sincePass, error) {
	if i.Ledger == nil || i.options.explicit() || i.scope.source == ledger.SourceSession {
		return nil, nil
	}
	for _, job := range jobs {
		rest := i.restOf(job)
		if rest.Run == "" {
			continue
		}
		run, err := i.Ledger.FindRun(ctx, rest.Run)
		if err != nil && !errors.Is(err, ledger.ErrNotFound) { // it may have been removed since
			return nil, err
		}
		changed, err := i.scope.diffs.Over(ctx, i.span(ledger.Seen{Tree: rest.Tree, Base: rest.Base}, i.snapshot.Tree))
		return &sincePass{changed, run.FinishedAt}, err
	}
	return nil, nil
}

// restJobs records which jobs rest on the pass.
func (i *iteration) restJobs(jobs []config.Job, facts ledger.RestFacts) {
	if i.state.Rests == nil {
		i.state.Rests = map[string]ledger.Rest{}
	}
	var changed []string
	why := ledger.RestGranted
	for _, job := range jobs {
		reason := facts.RefuseGate(job.ID(), i.gateHash(job))
		switch reason {
		case ledger.RestGranted:
			i.state.Rests[job.ID()] = ledger.Rest{Run: facts.Preceding.Run.ID, Tree: facts.Preceding.Tree(), Base: facts.Preceding.Run.Base}
		case ledger.RestConfig:
			changed = append(changed, job.ID())
			why = reason
		default:
			why = reason
		}
	}
	if why != ledger.RestGranted && why != ledger.RestNoRun { // a first run needs no explanation
		i.everything = fmt.Sprintf("reviewing everything since %s: %s", i.state.Run.BaseRef, strings.Replace(restRefusals[why], "%s", strings.Join(changed, ", "), 1))
	}
}

// sayRestEnded says so if a pass on which the run rests was taken back while the run was open.
//
// Rule: Done means passed as it is now.
func (i *iteration) sayRestEnded(ctx context.Context, state *ledger.State) error {
	if len(state.RestsOn()) == 0 {
		return nil
	}
	stands, err := i.Ledger.RestsStand(ctx, state.Run.ID)
	if err == nil && !stands {
		i.Console.Conclude("The pass that this run rests on no longer counts: to review the whole change, `reviewledger run`")
	}
	return err
}

// gateHash returns a hash of the configuration of the job's gate.
func (r *Runner) gateHash(job config.Job) string { return r.Config.Hash([]config.Job{job}) }

// restOf returns the pass that the job rests on, if it does in this iteration.
func (i *iteration) restOf(job config.Job) ledger.Rest {
	if i.whole() {
		return ledger.Rest{}
	}
	return i.state.RestOf(i.planned(job))
}

// restRefusals say why reviewers are shown everything again. %s is replaced by the names of the
// jobs.
var restRefusals = map[ledger.RestReason]string{
	ledger.RestWhole:     "--whole was given",
	ledger.RestAgain:     "this code has passed already",
	ledger.RestDetached:  "HEAD is detached",
	ledger.RestRestored:  "the latest run was restored from its files",
	ledger.RestNotPassed: "the latest run was abandoned before it passed",
	ledger.RestInPart:    "the latest run passed, but not with every gate over the whole change",
	ledger.RestBaseMoved: "the latest run compared with another commit",
	ledger.RestTakenBack: "the pass of the latest run no longer counts",
	ledger.RestSkips:     "an agent skipped a finding in the latest run",
	ledger.RestWithdrawn: "a reviewer withdrew a finding in the latest run",
	ledger.RestDropped:   "a report of high or critical priority was filtered in the latest run",
	ledger.RestTreeGone:  "git no longer has the tree that passed",
	ledger.RestConfig:    "%s did not run in the latest run, or is configured differently now",
}
