package loop

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// span returns what to compare with a tree, which is the working tree's unless the user chose a commit.
// A chosen commit is compared as it is, wherever the base has gone.
func (i *iteration) span(from ledger.Seen, to string) worktree.Span {
	span := worktree.Span{From: from.Tree, To: to}
	if now := i.state.BaseNow(); from.Base != "" && from.Base != now && to == i.snapshot.Tree {
		span.Was, span.Now = from.Base, now
	}
	return span
}

// wholeSpan returns what the run's whole diff compares.
func (i *iteration) wholeSpan() worktree.Span { return i.span(i.state.Whole(), i.snapshot.Tree) }

// part returns the part of a diff between two trees that a job must be shown. Files of the base
// count as reviewed by the job's gate wherever that gate looks, but what the run changed was
// reviewed only by jobs that covered it. So if the job covers more files now than in the first
// tree's configuration, everything that the run changed in these files is new to the job, even if
// they have not changed since that tree.
//
// Rule: No slot passes what it was not shown.
func (i *iteration) part(ctx context.Context, from ledger.Seen, to string, job config.Job) (*diff.Diff, error) {
	span := i.span(from, to)
	if from.Tree == i.state.Run.Base || to != i.snapshot.Tree {
		return i.scope.diffs.Part(ctx, span, job.Covers, func(file string) bool { return i.Config.Looks(job, file) })
	}
	covered, err := i.coveredAt(ctx, from.Tree, job)
	if err != nil {
		return nil, err
	}
	part, err := i.scope.diffs.Part(ctx, span, job.Covers, covered)
	if err != nil {
		return nil, err
	}
	added := func(file string) bool { return job.Covers(file) && !covered(file) }
	whole, err := i.scope.diffs.ListOver(ctx, i.wholeSpan())
	if err != nil || len(whole.Filter(added)) == 0 { // as usual; the lines of the whole diff are not needed
		return part, err
	}
	more, err := i.scope.diffs.Part(ctx, i.wholeSpan(), added, func(file string) bool { return i.Config.Looks(job, file) })
	if err != nil {
		return nil, err
	}
	return part.Replace(more), nil
}

// coveredAt returns which files the job covered in the configuration of a tree. If that cannot be
// read, it returns what the job covers now.
func (i *iteration) coveredAt(ctx context.Context, tree string, job config.Job) (covered func(file string) bool, err error) {
	between, err := i.scope.diffs.Between(ctx, tree, i.snapshot.Tree)
	gate := job.GateFile()
	if err != nil || between.Filter(func(file string) bool { return file == config.File || file == gate }).Empty() {
		return job.Covers, err
	}
	text, _, err := i.Repo.FileIn(ctx, tree, config.File)
	if err != nil {
		return nil, err
	}
	own, _, err := i.Repo.FileIn(ctx, tree, gate)
	if covered, ok := config.Covered(text, own, job); ok {
		return covered, err
	}
	return job.Covers, err
}
