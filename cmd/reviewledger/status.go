package main

// This file determines the state of the worktree's loop. ledger.AssessProgress decides it from the
// facts that loop.Runner.Progress collects.

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newStatusCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show whether anything is left to do",
		Long: `Show whether the loop of this worktree has passed with exactly the present code, and
otherwise what is left to do. Marks in the review files count even before a run has
recorded them. Nothing is run, recorded or written.

The state is the first of these that holds:
  running               a run is in progress
  other_branch          the open run is about another branch than the one that is
                        checked out
  retry_limit_exceeded  the open run has used up its iterations
  open                  the open run has findings, claims to verify, failing checks
                        or gates in error
  unreviewed            there are changes that no passing run covers
  passed                a run passed on exactly this tree, merge base and
                        configuration, with every gate that applies
  no_changes            nothing differs from the base
  no_gate               no gate applies to what changed, neither by this
                        configuration nor by that of the base

Exit codes:
  0  nothing is left to do: passed, no_changes or no_gate
  1  something is left to do
  2  error`,
		Example: `  reviewledger status
  reviewledger status --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), global, f) },
	}
	addFormats(global, cmd, &f, formatTable, formatJSON)
	return cmd
}

func runStatus(ctx context.Context, global *globalOptions, f format) error {
	if err := expectNamedLedger(global); err != nil {
		return err
	}
	p, err := findProgress(ctx, global)
	if err != nil {
		return err
	}
	err = printProgress(global, f, p)
	if err == nil && !p.Done() {
		return exitStatus(exitFailed)
	}
	return err
}

func printProgress(global *globalOptions, f format, p ledger.Progress) error {
	return printOne(global, f, listings.Status(p), func(page *text.Page) error {
		return console.WriteProgress(page, p, page.Style)
	})
}

// findProgress returns the state of the loop of this worktree.
func findProgress(ctx context.Context, global *globalOptions) (p ledger.Progress, err error) {
	err = withWorkspace(ctx, global, openWithBase, withoutLedger, func(w *workspace) (err error) {
		p, err = w.progress(ctx)
		return err
	})
	return p, err
}

// progress returns the state of the loop. git and the ledger are queried in parallel.
func (w *workspace) progress(ctx context.Context) (p ledger.Progress, err error) {
	asking, cancel := context.WithCancel(ctx)
	glance := ahead(func() (diff.Snapshot, error) { return w.repo.Glance(asking, w.worktree().SnapshotOptions()) })
	base := ahead(func() (diff.Ancestor, error) { return w.repo.Ancestor(asking, w.config.BaseBranch), nil })
	defer func() { // they must not outlive this call
		cancel()
		_, _ = glance()
		_, _ = base()
	}()
	if w.ledger == nil {
		if err := w.openToRead(ctx); err != nil {
			return p, err
		}
	}
	running, err := w.isRunning()
	if err != nil {
		return p, err
	}
	from, _ := base()
	p, err = w.loop().Progress(ctx, from, glance, running)
	p.Warnings = w.console.Warnings()
	return p, err
}

// ahead starts do in the background. The returned function waits for its result.
func ahead[T any](do func() (T, error)) func() (T, error) {
	once := sync.OnceValues(do)
	go once()
	return once
}

// isRunning reports whether another process holds a lock of the loop.
func (w *workspace) isRunning() (bool, error) {
	for _, name := range []string{filepath.Join(w.logs.Path(), slotfiles.LockName), w.gitLock()} {
		if locked, err := isLocked(name); locked || err != nil {
			return locked, err
		}
	}
	return false, nil
}
