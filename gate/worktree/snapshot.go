package worktree

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// maxNamed is how many files a warning names.
const maxNamed = 10

// SnapshotOptions returns the options for a snapshot of the worktree.
func (w *Worktree) SnapshotOptions() diff.SnapshotOptions {
	return diff.SnapshotOptions{Exclude: w.Exclude(), IncludeSecrets: w.Config.IncludeSecrets}
}

// Snapshot records the working tree as it is now. Its warnings name what nobody will review.
func (w *Worktree) Snapshot(ctx context.Context) (diff.Snapshot, error) {
	snapshot, err := w.Repo.Snapshot(ctx, w.SnapshotOptions())
	for name, adapter := range w.Config.Adapters {
		if slices.ContainsFunc(snapshot.Unreviewed, func(path string) bool {
			return path == adapter.File || strings.HasPrefix(path, adapter.File+"/")
		}) {
			return snapshot, Usage("git tracks %q, which cli.adapters.%s.file names: the tool would replace it, and nobody would review it; name another file, or remove it from git", adapter.File, name)
		}
	}
	if err == nil {
		for _, folder := range w.ownFolders() {
			snapshot.Warnings = append(snapshot.Warnings, folder.unreviewed("git tracks files", snapshot.Unreviewed)...)
			if folder.path != w.Config.LogDir { // untracked files in the log directory are logs
				snapshot.Warnings = append(snapshot.Warnings, folder.unreviewed("there are new files", snapshot.Beside)...)
			}
		}
	}
	return snapshot, err
}

// Altered returns, for those of the paths that git stores with other bytes than they have on disk, by more
// than line endings, what does that, and one warning for each cause, which names the files.
//
// Rule: Nothing is left out without a word.
func (w *Worktree) Altered(ctx context.Context, paths []string) (by map[string]string, warnings []string, err error) {
	files, err := w.Repo.Altered(ctx, paths)
	by, named := map[string]string{}, map[string][]string{}
	for _, file := range files {
		by[file.Path] = file.By
		named[file.By] = append(named[file.By], fmt.Sprintf("%q", file.Path))
	}
	for _, cause := range slices.Sorted(maps.Keys(named)) {
		warnings = append(warnings, fmt.Sprintf("reviewers are shown what %s makes of files, not their text: %s", cause, Named(named[cause])))
	}
	return by, warnings, err
}

// ClosedFolders returns the folders that no reviewer must read: the logs, and the folder of git in which
// the ledger is, relative to the root if it is in it.
func (w *Worktree) ClosedFolders() (folders []string) {
	if w.Config.LogDir != "" {
		folders = append(folders, w.Config.LogDir)
	}
	ledgers := filepath.Join(w.Repo.CommonDir, "reviewledger")
	if inside, err := filepath.Rel(w.Repo.Root, ledgers); err == nil && filepath.IsLocal(inside) {
		ledgers = inside
	}
	return append(folders, filepath.ToSlash(ledgers))
}

// Ahead is a snapshot that is taken in the background.
type Ahead struct {
	cancel context.CancelFunc
	done   func() (diff.Snapshot, error)
}

// SnapshotAhead begins to take the snapshot, which needs only git, while the caller opens and
// queries the ledger. The caller must call Stop.
func (w *Worktree) SnapshotAhead(ctx context.Context) *Ahead {
	ctx, cancel := context.WithCancel(ctx)
	take := sync.OnceValues(func() (diff.Snapshot, error) { return w.Snapshot(ctx) })
	go take()
	return &Ahead{cancel, take}
}

// Take waits for the snapshot.
func (a *Ahead) Take() (diff.Snapshot, error) { return a.done() }

// Stop cancels the snapshot if it has not been taken, and waits until git has ended.
func (a *Ahead) Stop() {
	a.cancel()
	_, _ = a.done()
}

// ownFolder is a folder that is not in any diff, with the names of the files that belong there.
type ownFolder struct {
	what, path string
	names      func() *regexp.Regexp
}

func (w *Worktree) ownFolders() []ownFolder {
	return []ownFolder{
		{"the log directory", w.Config.LogDir, loopFiles},
		{"the folder of code reviews", verdict.Dir, verdictFiles},
		{"the folder of review documents", verdict.ReviewDocumentFolder, documents},
	}
}

var (
	loopFiles = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(previous(\.[0-9]+)?/)?((check_.+|review_.+|console)\.[0-9]+\.(log|json)|\.session_ref|\.run|\.gauntlet-run\.lock|\.gitignore|\.gitkeep)$`)
	})
	verdictFiles = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((review_.+|console)\.[0-9]+\.(log|json)|review-[^/]+\.json|abort-reason\.md|\.gauntlet-run\.lock|\.gitignore|\.gitkeep)$`)
	})
	documents = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2}-[^/]+|README)\.md$|^\.gitkeep$`)
	})
)

// unreviewed returns a warning about files in the folder that do not belong there: no diff shows
// the folder, so nobody would see a change to them.
//
// Rule: Nothing is left out without a word.
func (f ownFolder) unreviewed(what string, files []string) (warnings []string) {
	var names []string
	for _, path := range files {
		if name, inside := strings.CutPrefix(path, f.path+"/"); inside && !f.names().MatchString(name) {
			names = append(names, fmt.Sprintf("%q", path))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s in %s %q, which nobody reviews: %s; move them elsewhere", what, f.what, f.path, Named(names))}
}
