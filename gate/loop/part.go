package loop

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
)

// part returns the part of a diff between two trees that a job must be shown. Files of the base
// count as reviewed by the job's gate wherever that gate looks, but what the run changed was
// reviewed only by jobs that covered it. So if the job covers more files now than in the first
// tree's configuration, everything that the run changed in these files is new to the job, even if
// they have not changed since that tree.
//
// Rule: No slot passes what it was not shown.
func (i *iteration) part(ctx context.Context, from, to string, job config.Job) (*diff.Diff, error) {
	if from == i.state.Run.Base || to != i.snapshot.Tree {
		return i.scope.diffs.Part(ctx, from, to, job.Covers, func(file string) bool { return i.Config.Looks(job, file) })
	}
	covered, err := i.coveredAt(ctx, from, job)
	if err != nil {
		return nil, err
	}
	part, err := i.scope.diffs.Part(ctx, from, to, job.Covers, covered)
	if err != nil {
		return nil, err
	}
	added := func(file string) bool { return job.Covers(file) && !covered(file) }
	whole, err := i.scope.diffs.List(ctx, i.state.Run.Base, to)
	if err != nil || len(whole.Filter(added)) == 0 { // as usual; the lines of the whole diff are not needed
		return part, err
	}
	more, err := i.scope.diffs.Part(ctx, i.state.Run.Base, to, added, func(file string) bool { return i.Config.Looks(job, file) })
	if err != nil {
		return nil, err
	}
	return part.With(more), nil
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
