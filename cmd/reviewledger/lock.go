package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// lockPatience is how long to wait for a lock, and lockPause the time between two attempts. A mark
// holds the lock for less time, and so does a child that a killed run was starting, until it
// executes its program.
const (
	lockPatience = time.Second
	lockPause    = 30 * time.Millisecond
)

// errRunning means that another process holds the lock. A mark on a large run may hold it for longer
// than [lockPatience], too.
var errRunning = errors.New("a run or a mark is already in progress")

// takeLock takes the lock of the log directory, and another one beside the ledger in git's folder:
// the one in the log directory is easily deleted, and then a second run could start beside the
// first.
//
// Rule: Every worktree has its own loop.
func (w *workspace) takeLock(ctx context.Context) error {
	if err := w.logs.Create(); err != nil {
		return err
	}
	if err := w.lockFile(ctx, filepath.Join(w.logs.Path(), slotfiles.LockName), w.logs.Shown(slotfiles.LockName)); err != nil {
		return err
	}
	name := w.gitLock()
	// Without the folder there cannot be a ledger. Opening the ledger reports that, unless the user
	// chose another place for it.
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err == nil {
		if err := w.lockFile(ctx, name, name); err != nil {
			return err
		}
	}
	w.sweep()
	return nil
}

// gitLock returns the path of the lock in git's folder for this worktree and log directory. It
// stays the same if the worktree is moved.
func (w *workspace) gitLock() string {
	return gitLockOf(w.repo.CommonDir, w.repo.WorktreeName, w.logs.Name())
}

func gitLockOf(commonDir, worktree, logDir string) string {
	place := sha256.Sum256([]byte(worktree + "\x00" + logDir))
	return filepath.Join(commonDir, "reviewledger", fmt.Sprintf("run-%x.lock", place[:8]))
}

// isLocked reports whether a process holds the lock. A file that is missing, or cannot be opened, is
// no lock.
func isLocked(name string) (bool, error) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false, nil //nolint:nilerr // see above
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return false, nil
	}
	if err := errors.Join(err, lock.Close()); err != nil {
		return false, fmt.Errorf("look at the lock %q: %w", name, err)
	}
	return !free, nil
}

// warnOfKilled warns of runs that the ledger calls running, because nobody has noticed yet that
// their process was killed: commands that only read do not change that.
func warnOfKilled(ctx context.Context, global *globalOptions, runs []ledger.Run) error {
	if namedDatabase(global) != "" { // these may have runs of other repositories
		return nil
	}
	for _, run := range runs {
		if run.Status != ledger.StatusRunning || run.Kind != ledger.KindGates {
			continue
		}
		if _, err := os.Stat(run.Worktree); err != nil { // imported, or nobody can continue it
			continue
		}
		common, err := diff.CommonDir(ctx, global.dir)
		if err != nil {
			return err
		}
		running, err := isLocked(gitLockOf(common, run.WorktreeName, run.LogDir))
		if err != nil {
			return err
		}
		if !running {
			warn := console.NewConsole(global.stdout, global.stderr, global.style()).Warn
			warn(fmt.Sprintf("run %s is recorded as running, but its process was killed: the next `reviewledger run` in %q continues it", run.ID, run.Worktree))
		}
	}
	return nil
}

// lockFile takes a lock. shown is its name in messages.
func (w *workspace) lockFile(ctx context.Context, name, shown string) error {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		// A link would create a file elsewhere, and opening a FIFO would never end.
		return fmt.Errorf("lock %q: not a regular file: remove it", shown)
	}
	lock := flock.New(name, flock.SetPermissions(0o600))
	patient, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	locked, err := lock.TryLockContext(patient, lockPause)
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), lock.Close())
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("lock %q: %w", shown, err)
	}
	if !locked {
		return fmt.Errorf("%w in this worktree (lock %q): wait for it to end", errRunning, shown)
	}
	w.locks = append(w.locks, lock)
	return nil
}
