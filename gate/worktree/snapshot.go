package worktree

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/gate/diff"
)

// maxNamed is how many files a warning names.
const maxNamed = 10

// SnapshotOptions say what a snapshot of the worktree leaves out.
func (w *Worktree) SnapshotOptions() diff.SnapshotOptions {
	return diff.SnapshotOptions{Exclude: w.Exclude(), IncludeSecrets: w.Config.IncludeSecrets}
}

// Snapshot records the working tree as it is now. Its warnings name what nobody will
// review.
func (w *Worktree) Snapshot(ctx context.Context) (diff.Snapshot, error) {
	snapshot, err := w.Repo.Snapshot(ctx, w.SnapshotOptions())
	for name, adapter := range w.Config.Adapters {
		if adapter.File != "" && slices.ContainsFunc(snapshot.Unreviewed, func(path string) bool {
			return path == adapter.File || strings.HasPrefix(path, adapter.File+"/")
		}) {
			return snapshot, Usage("git tracks %q, which cli.adapters.%s.file names: the tool would replace it, and nobody would review it; name another file, or remove it from git", adapter.File, name)
		}
	}
	if warning := unreviewed(w.Config.LogDir, snapshot.Unreviewed); err == nil && warning != "" {
		snapshot.Warnings = append(snapshot.Warnings, warning)
	}
	return snapshot, err
}

// Ahead is a snapshot that is being taken.
type Ahead struct {
	cancel context.CancelFunc
	done   func() (diff.Snapshot, error)
}

// SnapshotAhead begins to take the snapshot, which needs nothing but git, while the
// ledger is opened and asked. It has to be stopped.
func (w *Worktree) SnapshotAhead(ctx context.Context) *Ahead {
	type result struct {
		snapshot diff.Snapshot
		err      error
	}
	ctx, cancel := context.WithCancel(ctx)
	taken := make(chan result, 1)
	go func() {
		snapshot, err := w.Snapshot(ctx)
		taken <- result{snapshot, err}
	}()
	return &Ahead{cancel, sync.OnceValues(func() (diff.Snapshot, error) {
		r := <-taken
		return r.snapshot, r.err
	})}
}

// Take waits for the snapshot.
func (a *Ahead) Take() (diff.Snapshot, error) { return a.done() }

// Stop ends what is not done yet, and waits until it has ended.
func (a *Ahead) Stop() {
	a.cancel()
	_, _ = a.done()
}

// ownFile is the name that a file of a loop has in the log directory.
var ownFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(previous/)?((check_.+|review_.+|console)\.[0-9]+\.(log|json)|\.session_ref|\.run|\.gauntlet-run\.lock|\.gitignore|\.gitkeep)$`)
})

// unreviewed names the tracked files in the log directory that are not of a loop: the
// directory is in no diff, so that a change to them would pass unseen. It is empty if
// there are none.
func unreviewed(logDir string, tracked []string) string {
	var names []string
	for _, path := range tracked {
		if name, inside := strings.CutPrefix(path, logDir+"/"); inside && !ownFile().MatchString(name) {
			names = append(names, fmt.Sprintf("%q", path))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("git tracks files in the log directory %q, which nobody reviews: %s; move them elsewhere", logDir, Named(names))
}
