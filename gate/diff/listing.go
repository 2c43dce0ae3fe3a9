package diff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MaxUntracked is the size in bytes up to which untracked files are part of a
// snapshot.
const MaxUntracked = 50 << 20

// listing is what has to be known of the files before they are staged.
type listing struct {
	// assumed and skipped are tracked files whose changes git was told not to
	// look for: assume-unchanged, and skip-worktree though the file is there.
	assumed, skipped []string
	// excludesTracked reports that there are tracked files in excluded folders.
	excludesTracked bool
	// leftOut are untracked files that cannot or should not be staged, and
	// warnings say so.
	leftOut, warnings []string
}

// list goes over all tracked and untracked files.
func (st *stage) list(ctx context.Context, exclude []string) (*listing, error) {
	args := []string{"ls-files", "-z", "-v", "--cached", "--others", "--exclude-standard"}
	out, err := st.git.run(ctx, call{args: args})
	if err != nil {
		return nil, err
	}
	l := &listing{warnings: gitWarnings(out.stderr)}
	for entry := range strings.SplitSeq(string(out.stdout), "\x00") {
		// A letter, a blank, the path.
		if len(entry) < 3 {
			continue
		}
		tag, path := entry[0], entry[2:]
		excluded := isWithin(path, exclude)
		switch {
		case tag == '?' && !excluded:
			l.untracked(st.repo.Root, path)
		case tag != '?' && excluded:
			l.excludesTracked = true
		case tag != '?':
			l.tracked(st.repo.Root, tag, path)
		}
	}
	return l, nil
}

// tracked takes in a tracked file. Git's letter for it is small if it is marked
// assume-unchanged, and S if skip-worktree.
func (l *listing) tracked(root string, tag byte, path string) {
	if tag >= 'a' && tag <= 'z' {
		l.assumed = append(l.assumed, path)
	}
	if tag == 'S' || tag == 's' {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path))); err == nil {
			l.skipped = append(l.skipped, path)
		}
	}
}

func (l *listing) untracked(root, path string) {
	reason := ""
	if folder, ok := strings.CutSuffix(path, "/"); ok {
		// Git lists a folder only if it does not look into it.
		path, reason = folder, "is a git repository of its own"
	} else {
		reason = whyNotStaged(filepath.Join(root, filepath.FromSlash(path)))
	}
	if reason != "" {
		l.leftOut = append(l.leftOut, path)
		l.warnings = append(l.warnings, fmt.Sprintf("left out of the snapshot: %q %s", path, reason))
	}
}

// whyNotStaged says what is wrong with an untracked file, or nothing.
func whyNotStaged(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "" // gone by now, or a symbolic link, of which only the target's name counts
	}
	if info.Size() > MaxUntracked {
		return fmt.Sprintf("is untracked and larger than %d MB", MaxUntracked>>20)
	}
	file, err := os.Open(path)
	if err == nil {
		err = file.Close()
	}
	if reason := (*fs.PathError)(nil); errors.As(err, &reason) {
		return fmt.Sprintf("cannot be read: %v", reason.Err)
	}
	return ""
}

// unmark makes git look for changes in all files again.
func (st *stage) unmark(ctx context.Context, l *listing) error {
	for _, mark := range []struct {
		option string
		paths  []string
	}{
		{"--no-assume-unchanged", l.assumed},
		{"--no-skip-worktree", l.skipped},
	} {
		if len(mark.paths) == 0 {
			continue
		}
		args := []string{"update-index", mark.option, "-z", "--stdin"}
		if _, err := st.git.run(ctx, call{args: args, stdin: strings.Join(mark.paths, "\x00")}); err != nil {
			return err
		}
	}
	return nil
}

// isWithin reports whether path is one of folders or lies in one of them.
func isWithin(path string, folders []string) bool {
	for _, folder := range folders {
		if rest, ok := strings.CutPrefix(path, folder); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}
