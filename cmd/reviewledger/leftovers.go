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
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// leftovers is the register of what a killed process may leave behind: whoever writes a
// temporary file, folder or worktree in a new place adds what removes it there.
func (w *workspace) leftovers() []func(now time.Time) error {
	all := []func(now time.Time) error{
		clients.SweepScratch, // the user's folders for temporary files: where reviewers start, and bases are checked out
		w.repo.Sweep,         // copies of the index, diffs, and, after their folders, what git notes about bases
		func(time.Time) error { return files.Sweep(w.logs.Path()) },
		func(time.Time) error { return files.Sweep(filepath.Join(w.logs.Path(), "previous")) },
		func(now time.Time) error { return sweepBeside(w.databasePath(), now) },
		func(time.Time) error { return sweepConfigurationOf(w.repo.Root) },
	}
	if w.logs.Name() == verdict.Dir {
		all = append(all, func(time.Time) error { return files.Sweep(filepath.Join(w.repo.Root, "docs", "code-reviews")) })
	}
	return all
}

// sweep removes what killed processes left behind. A file that cannot be removed does
// not stop the command.
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

// leftBehind warns of what sweeping could not remove.
func leftBehind(err error) string {
	return fmt.Sprintf("cannot remove what a killed process left behind: %v", err)
}

// sweepBeside removes what killed processes left beside the ledger: an import makes the new
// ledger there.
func sweepBeside(database string, now time.Time) error {
	errs := []error{store.Sweep(database)}
	for folder := range map[string]bool{filepath.Dir(database): true, filepath.Dir(filepath.Dir(database)): true} {
		errs = append(errs, scratch.Sweep(folder, now))
	}
	return errors.Join(errs...)
}

// sweepConfigurationOf removes what a killed init left in a repository. One that cannot be
// opened fails elsewhere, with better words.
func sweepConfigurationOf(repo string) error {
	if root, err := os.OpenRoot(repo); err == nil {
		sweepConfiguration(root)
		return root.Close()
	}
	return nil
}

// sweepConfiguration leaves alone what another init is writing.
func sweepConfiguration(root *os.Root) {
	files.SweepDead(root, ".", config.Dir, config.ChecksDir, config.ReviewsDir)
}
