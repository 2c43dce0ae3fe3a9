package diff

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// indexFacts are what has to be known of the index before files are staged, and what
// git status does not tell.
type indexFacts struct {
	// assumed and skipped are tracked files whose changes git was told not to
	// look for: assume-unchanged, and skip-worktree.
	assumed, skipped []string
	// gitlinks are the commits of other repositories that stand for folders.
	gitlinks []string
	// excluded are the tracked files in excluded folders.
	excluded []string
}

// indexEntry is what git lists of a file in the index.
type indexEntry struct {
	path                      string
	assumed, skipped, gitlink bool
}

// add takes in an entry. A path in a conflict has several.
func (f *indexFacts) add(entry indexEntry, exclude []string) {
	if n := len(f.excluded); isWithin(entry.path, exclude) && (n == 0 || f.excluded[n-1] != entry.path) {
		f.excluded = append(f.excluded, entry.path)
	}
	if entry.assumed {
		f.assumed = append(f.assumed, entry.path)
	}
	if entry.gitlink {
		f.gitlinks = append(f.gitlinks, entry.path)
	}
	if entry.skipped {
		f.skipped = append(f.skipped, entry.path)
	}
}

// readIndex finds out the facts of the stage's index.
func (st *stage) readIndex(ctx context.Context) (*indexFacts, error) {
	out, err := st.git.run(ctx, call{args: []string{"ls-files", "-z", "-v", "--stage"}})
	if err != nil {
		return nil, err
	}
	facts := &indexFacts{}
	for line := range slices.Values(out.list()) {
		if entry, ok := listedEntry(line); ok {
			facts.add(entry, st.exclude)
		}
	}
	return facts, nil
}

// listedEntry reads what git lists of an entry: a letter, mode, object id, stage; a tab; the
// path. The letter is small if the file is marked assume-unchanged, and S if skip-worktree.
func listedEntry(line string) (entry indexEntry, ok bool) {
	about, path, ok := strings.Cut(line, "\t")
	tag, rest, _ := strings.Cut(about, " ")
	return indexEntry{
		path: path, assumed: strings.ToUpper(tag) != tag, skipped: strings.EqualFold(tag, "S"), gitlink: strings.HasPrefix(rest, submoduleMode),
	}, ok
}

// unmark makes git look for changes in marked files again.
func (st *stage) unmark(ctx context.Context, assumed, skipped []string) error {
	for _, mark := range []struct {
		option string
		paths  []string
	}{
		{"--no-assume-unchanged", assumed},
		{"--no-skip-worktree", skipped},
	} {
		if len(mark.paths) == 0 {
			continue // it would start git for nothing
		}
		args := []string{"update-index", mark.option, "-z", "--stdin"}
		if _, err := st.git.run(ctx, call{args: args, stdin: strings.Join(mark.paths, "\x00")}); err != nil {
			return err
		}
	}
	return nil
}

// takeFound takes those files out of st.absent that are in the working tree, and returns
// them.
func (st *stage) takeFound() (found []string) {
	st.absent = slices.DeleteFunc(st.absent, func(path string) bool {
		_, err := os.Lstat(filepath.Join(st.repo.Root, filepath.FromSlash(path)))
		if err == nil {
			found = append(found, path)
		}
		return err == nil
	})
	return found
}
