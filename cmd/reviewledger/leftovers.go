package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/scratch"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// leftovers is the register of what killed processes may leave behind. Code that writes temporary
// files, folders or worktrees in a new place must add a function here that removes them.
func (w *workspace) leftovers() []func(now time.Time) error {
	all := []func(now time.Time) error{
		clients.SweepScratch, // the user's temporary folders, in which reviewers start and bases are checked out
		w.repo.Sweep,         // copies of the index, diffs and, after their folders, git's records of base worktrees
		func(time.Time) error { return files.Sweep(w.logs.Path()) },
		func(time.Time) error { return files.Sweep(filepath.Join(w.logs.Path(), "previous")) },
		func(now time.Time) error { return sweepBeside(w.databasePath(), now) },
		func(time.Time) error { return sweepDead(w.repo.GitDir, ".") }, // the file that names the open run
		func(time.Time) error { return sweepDead(w.repo.Root, writtenByInit...) },
	}
	if w.logs.Name() == verdict.Dir {
		all = append(all, func(time.Time) error { return files.Sweep(filepath.Join(w.repo.Root, "docs", "code-reviews")) })
	}
	return all
}

// writtenByInit are the folders of a repository where a killed init may leave temporary files.
var writtenByInit = []string{".", config.Dir, config.ChecksDir, config.ReviewsDir}

// sweep removes what killed processes left behind. A file that cannot be removed does not stop the
// command.
func (w *workspace) sweep() {
	now := time.Now()
	var errs []error
	for _, remove := range w.leftovers() {
		errs = append(errs, remove(now))
	}
	if err := errors.Join(errs...); err != nil {
		w.console.Warn(leftBehind(err))
	}
}

// leftBehind returns the warning about files that could not be swept.
func leftBehind(err error) string {
	return fmt.Sprintf("cannot remove what a killed process left behind: %v", err)
}

// sweepBeside removes what killed processes left beside the ledger, where a new one is built.
func sweepBeside(database string, now time.Time) error {
	var errs []error
	for folder := range map[string]bool{filepath.Dir(database): true, filepath.Dir(filepath.Dir(database)): true} {
		errs = append(errs, scratch.Sweep(folder, now))
	}
	return errors.Join(errs...)
}

// sweepDead removes what killed processes left in folders of root, where others may be writing now.
// If root cannot be opened, other code reports that better.
func sweepDead(root string, folders ...string) error {
	opened, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	files.SweepDead(opened, folders...)
	return opened.Close()
}
