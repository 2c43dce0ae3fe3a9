package loop

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
)

// part is what a job is to be shown of the diff from one tree to another. If the gate looks
// at more files now than the configuration in the first tree says, then what the run changed
// in these is new to it, although they may be as they were in that tree.
//
// Rule: What comes into a gate's part is new to it.
func (i *iteration) part(ctx context.Context, from, to string, job config.Job) (*diff.Diff, error) {
	looks := func(file string) bool { return i.Config.Looks(job, file) }
	if from == i.state.Run.Base || to != i.snapshot.Tree {
		return i.scope.diffs.Part(ctx, from, to, job.Covers, looks)
	}
	looked, changed, err := i.looked(ctx, from, job)
	if err != nil {
		return nil, err
	}
	if !changed {
		return i.scope.diffs.Part(ctx, from, to, job.Covers, looks)
	}
	part, err := i.scope.diffs.Part(ctx, from, to, job.Covers, looked)
	if err != nil {
		return nil, err
	}
	added := func(file string) bool { return job.Covers(file) && !looked(file) }
	more, err := i.scope.diffs.Part(ctx, i.state.Run.Base, to, added, looks)
	if err != nil {
		return nil, err
	}
	return part.With(more), nil
}

// looked is what the job's gate looked at by the configuration in a tree, if that is not the
// present one.
func (i *iteration) looked(ctx context.Context, tree string, job config.Job) (looked func(file string) bool, changed bool, err error) {
	between, err := i.scope.diffs.Between(ctx, tree, i.snapshot.Tree)
	if err != nil || between.Filter(func(file string) bool { return file == config.File }).Empty() {
		return nil, false, err
	}
	text, there, err := i.Repo.FileIn(ctx, tree, config.File)
	if err != nil || !there {
		return nil, false, err
	}
	looked, changed = config.Looked(text, job)
	return looked, changed, nil
}
