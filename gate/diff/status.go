package diff

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// worktreeStatus is how the working tree differs from the stage's index, and whether the index
// differs from HEAD in excluded folders.
type worktreeStatus struct {
	// removed and changed are tracked files, and untracked those that the index lacks. A folder in
	// untracked, which ends in a slash, is a repository of its own.
	removed, changed, untracked []string
	// beside are untracked files in excluded folders.
	beside []string
	// resets reports that the index does not have excluded folders as they are in HEAD.
	resets bool
	// dirty are submodules with changes that are not committed there, and edited those of them
	// whose tracked files changed: untracked files may be left by builds.
	dirty, edited []string
	// head is the commit that is checked out, and branch its branch, as in [Repo].
	head, branch string
	warnings     []string
}

// isEmpty reports whether there is nothing to stage.
func (s *worktreeStatus) isEmpty() bool {
	return !s.resets && len(s.removed)+len(s.changed)+len(s.untracked) == 0
}

// status asks git for the status of the whole working tree.
func (st *stage) status(ctx context.Context) (*worktreeStatus, error) {
	out, err := st.git.run(ctx, call{args: []string{"status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind",
		"--untracked-files=all", "--ignored=no", "--ignore-submodules=none", "--no-renames"}})
	if err != nil {
		return nil, err
	}
	s := &worktreeStatus{warnings: gitWarnings(out.stderr)}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out.stdout), "\x00"), "\x00") {
		if err := s.add(entry, st.exclude); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// statusFields is the number of fields before the path, by the first letter of an entry.
var statusFields = map[byte]int{'1': 8, 'u': 10, '?': 1}

func (s *worktreeStatus) add(entry string, exclude []string) error {
	switch {
	case entry == "":
		return errors.New("git status gives nothing")
	case entry[0] == '#':
		s.header(entry)
		return nil
	}
	n := statusFields[entry[0]]
	fields := strings.SplitN(entry, " ", n+1)
	if n == 0 || len(fields) != n+1 || n > 1 && (len(fields[1]) != 2 || len(fields[2]) != 4) {
		return fmt.Errorf("git status gives %q", entry)
	}
	path := fields[n]
	excluded := isWithin(path, exclude)
	if fields[0] == "?" {
		if excluded {
			s.beside = append(s.beside, path)
		} else {
			s.untracked = append(s.untracked, path)
		}
		return nil
	}
	s.tracked(fields[0], fields[1], fields[2], path, excluded)
	return nil
}

// tracked adds a tracked file: whether it is in a conflict ("u"), how the index differs from HEAD
// and the working tree from the index, and what is known about it as a submodule: "S", then a
// letter or a dot each for its commit, its files and its untracked files.
func (s *worktreeStatus) tracked(kind, xy, submodule, path string, excluded bool) {
	if excluded {
		s.resets = s.resets || kind == "u" || xy[0] != '.'
		return
	}
	if submodule[0] == 'S' && submodule[2:] != ".." {
		s.dirty = append(s.dirty, path)
		if submodule[2] == 'M' {
			s.edited = append(s.edited, path)
		}
	}
	switch {
	case kind == "u":
		s.changed = append(s.changed, path)
	case submodule[0] == 'S' && submodule[1] == '.' && xy[1] == 'M':
		// Only what is not committed there has changed.
	case xy[1] == 'D':
		s.removed = append(s.removed, path)
	case xy[1] != '.':
		s.changed = append(s.changed, path)
	}
}

// header parses a line "# branch.oid <commit>" or "# branch.head <branch>".
func (s *worktreeStatus) header(line string) {
	if commit, ok := strings.CutPrefix(line, "# branch.oid "); ok && commit != "(initial)" {
		s.head = commit
	}
	if branch, ok := strings.CutPrefix(line, "# branch.head "); ok && branch != "(detached)" {
		s.branch = branch
	}
}
