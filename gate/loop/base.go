package loop

// This file finds the facts from which [ledger.State.MoveBase] decides whether the base of the run
// moves, and those from which [ledger.State.LeftBranch] decides whether the loop was left.

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// followBase sets the base of the run to where it is now, in memory: begin records it.
//
// Rule: The base moves forward with the branch.
func (i *iteration) followBase(ctx context.Context) error {
	run := &i.state.Run
	switch {
	case !i.rerun, i.Repo.Head == "", run.Base == i.Repo.EmptyTree():
		return nil
	case !i.state.BaseCanMove():
		return i.findFork(ctx)
	}
	ref, facts, err := i.findBaseBranch(ctx)
	if err != nil {
		return err
	}
	base, lost := i.Repo.MergeBase(ctx, ref, "HEAD")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	facts.Now, facts.Head = base, i.Repo.Head
	if lost == nil && base != run.Base {
		if err := i.findGained(ctx, run.Base, &facts); err != nil {
			return err
		}
	}
	name, was := text.EscapeLine(ref), short(run.Base)
	switch move := i.state.MoveBase(facts); move {
	case ledger.BaseLost:
		i.Console.Warn(fmt.Sprintf("the loop goes on comparing with %s: %v", was, lost))
	case ledger.BaseLanded:
		i.baseLine = fmt.Sprintf("%s has commits of this change: the loop goes on comparing with %s", name, was)
	case ledger.BaseStays:
		run.BaseRef = ref
	case ledger.BaseForward:
		run.BaseRef, run.Base = ref, base
		i.baseLine = fmt.Sprintf("%s moved by %s: the loop compares with %s from now on", name, ledger.Plural(len(facts.Gained), "commit"), short(base))
	case ledger.BaseElsewhere:
		why := "the history before the change was rewritten"
		if facts.OtherBranch {
			why = fmt.Sprintf("the base branch is %s now", name)
		}
		i.baseLine = fmt.Sprintf("%s: the loop compares with %s instead of %s, and every reviewer is shown the whole change", why, short(base), was)
		run.BaseRef, run.Base = ref, base
		i.state.Anew, i.state.Rests = i.number, nil
		if facts.OtherBranch {
			return i.warnNarrowBase(ctx, base)
		}
	}
	return nil
}

// anew reports whether no answer from before this iteration counts.
func (i *iteration) anew() bool { return i.number > 0 && i.state.Anew == i.number }

func short(commit string) string { return fmt.Sprintf("%.7s", commit) }

// findBaseBranch returns the base branch of the run: the one that it began with, or the one that the
// configuration names now, if the configuration of the latest iteration named the former.
func (i *iteration) findBaseBranch(ctx context.Context) (ref string, facts ledger.BaseFacts, err error) {
	ref = i.state.Run.BaseRef
	last := i.state.Iteration(i.state.LastIteration())
	if i.Config.BaseBranch == ref || last.Tree == "" {
		return ref, facts, nil
	}
	former, there, err := i.Repo.FileIn(ctx, last.Tree, config.File)
	if err != nil || !there {
		return ref, facts, err
	}
	if named, ok := config.BaseBranchOf(former); ok && named == ref {
		facts.OtherBranch = true
		return i.Config.BaseBranch, facts, nil
	}
	return ref, facts, nil
}

// findFork finds out where the base branch was left, if the user chose the base of the run and the
// branch has gained commits of the base branch since.
//
// Rule: The base moves forward with the branch.
func (i *iteration) findFork(ctx context.Context) error {
	branch := i.Config.BaseBranch
	now, err := i.Repo.MergeBase(ctx, branch, "HEAD")
	if err != nil {
		return ctx.Err() // without it, nobody knows what the base branch brought
	}
	fork := ledger.Fork{Now: now, At: map[int]string{i.number: now}}
	if fork.Base, err = i.Repo.MergeBase(ctx, branch, i.state.Run.Base); err != nil || fork.Base == now {
		return ctx.Err()
	}
	facts := ledger.BaseFacts{Now: now, Head: i.Repo.Head}
	if err := i.findGained(ctx, fork.Base, &facts); err != nil {
		return err
	}
	if !i.state.Brought(branch, fork.Base, facts) {
		return nil
	}
	for _, it := range i.state.Iterations {
		at, err := i.Repo.MergeBase(ctx, branch, it.Head)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if fork.At[it.Number] = at; err != nil {
			fork.At[it.Number] = fork.Base // git no longer has that commit
		}
	}
	i.state.Fork = fork
	if last := i.state.LastIteration(); fork.At[last] != now {
		i.baseLine = fmt.Sprintf("%s moved by %s: what is as there is not shown", text.EscapeLine(branch), ledger.Plural(len(facts.Gained), "commit"))
	}
	return nil
}

// findGained finds out how the merge base and the commits of the iterations relate to a base.
func (i *iteration) findGained(ctx context.Context, base string, facts *ledger.BaseFacts) (err error) {
	if facts.Descends, err = i.Repo.Descends(ctx, facts.Now, base); err != nil || !facts.Descends {
		return err
	}
	gained, err := i.Repo.CommitsSince(ctx, base, facts.Now)
	if err != nil {
		return err
	}
	for _, commit := range gained {
		facts.Gained = append(facts.Gained, ledger.BaseCommit{ID: commit.ID, Tree: commit.Tree})
	}
	var heads []string
	for _, it := range i.state.Iterations {
		if it.Head != "" {
			heads = append(heads, it.Head)
		}
	}
	own, err := i.Repo.CommitsSince(ctx, base, heads...)
	for _, commit := range own {
		facts.Own = append(facts.Own, commit.ID)
	}
	return err
}

// leftBranch returns an error if the loop was left when another branch was checked out.
//
// Rule: Every worktree has its own loop.
func (r *Runner) leftBranch(ctx context.Context, state *ledger.State) (*ledger.OtherBranch, error) {
	left, err := state.LeftBranch(r.Repo.Branch, r.Repo.Head, func(commit string) (bool, error) {
		return r.Repo.Descends(ctx, r.Repo.Head, commit)
	})
	if left != nil {
		left.Underway = r.Repo.Underway()
	}
	return left, err
}

// checkBranch returns what leftBranch finds as an error.
func (r *Runner) checkBranch(ctx context.Context, state *ledger.State) error {
	left, err := r.leftBranch(ctx, state)
	if err != nil || left == nil {
		return err
	}
	return left
}

// filesOf returns a state with what a log directory says about the latest iteration of a loop that
// the ledger does not know.
func filesOf(named *ledger.RunFile) *ledger.State {
	if named == nil {
		return &ledger.State{}
	}
	return &ledger.State{Iterations: []ledger.Iteration{{Number: named.Iteration, Head: named.Head, Branch: named.Branch}}}
}
