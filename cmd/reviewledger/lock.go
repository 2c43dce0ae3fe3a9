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

	"github.com/reviewledger/reviewledger/export/slotfiles"
)

// lockPatience is how long to wait for a lock, and lockPause the time between two attempts. A mark
// holds the lock for less time, and so does a child that a killed run was starting, until it
// executes its program.
const (
	lockPatience = time.Second
	lockPause    = 30 * time.Millisecond
)

// errRunning means that another process holds the lock.
var errRunning = errors.New("a run is already in progress")

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
	place := sha256.Sum256([]byte(w.repo.WorktreeName + "\x00" + w.logs.Name()))
	return filepath.Join(w.repo.CommonDir, "reviewledger", fmt.Sprintf("run-%x.lock", place[:8]))
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
