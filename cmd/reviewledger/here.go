package main

import (
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/loop"
	"github.com/reviewledger/reviewledger/ledger"
)

// here restricts a list of open violations to this worktree, because what is open in another
// worktree is not left to do here. It does not do so if the user names a worktree, or something
// that several worktrees have. It warns about review files whose marks cannot be read, and reports
// whether there are runs of other worktrees.
func here(ctx context.Context, global *globalOptions, l filters.Finder, o *filters.Violations) (others bool, err error) {
	if !o.Open || o.Worktree != "" || o.Run != "" || o.Branch != "" || o.Repository != "" {
		return false, nil
	}
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return false, nil //nolint:nilerr // outside of a repository there is no worktree
	}
	runs, err := l.Runs(ctx, ledger.RunFilter{})
	if err != nil {
		return false, err
	}
	folder, known := folderOf(runs, repo, namedDatabase(global) != "")
	if !known && namedDatabase(global) != "" {
		return false, nil // a ledger of other repositories
	}
	o.Worktree = folder
	if conf, err := config.Load(repo.Root); err == nil {
		warn := console.NewConsole(global.stdout, global.stderr, global.style()).Warn
		broken, err := brokenFiles(repo.Root, conf)
		for _, file := range broken {
			warn(loop.Unread(file.Path, file.Err))
		}
		if err != nil {
			warn(err.Error())
		}
	}
	return slices.ContainsFunc(runs, func(run ledger.Run) bool { return run.Worktree != folder }), nil
}

// folderOf returns the folder of this worktree in the runs. A worktree that was moved keeps its
// name, and its runs keep the old folder. In a ledger of several repositories, names of worktrees
// are not unique.
func folderOf(runs []ledger.Run, repo *diff.Repo, several bool) (folder string, known bool) {
	folder = repo.Root
	for _, run := range runs { // newest first
		if run.Worktree == repo.Root {
			return repo.Root, true
		}
		if !known && !several && run.WorktreeName == repo.WorktreeName {
			folder, known = run.Worktree, true
		}
	}
	return folder, known
}
