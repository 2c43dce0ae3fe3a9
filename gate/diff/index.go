package diff

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// indexFacts are facts about the index that git status does not report and that are needed before
// files are staged.
type indexFacts struct {
	// assumed and skipped are tracked files whose changes git was told to ignore: assume-unchanged,
	// and skip-worktree.
	assumed, skipped []string
	// gitlinks are folders that the index has as a commit of another repository.
	gitlinks []string
	// excluded are the tracked files in excluded folders.
	excluded []string
}

// readIndex reads the facts about the stage's index. It asks git only about an index of another form
// than git usually writes.
func (st *stage) readIndex(ctx context.Context) (*indexFacts, error) {
	facts := &indexFacts{}
	if entries, ok := readEntries(st.index, len(st.repo.EmptyTree())/2); ok {
		for _, e := range entries {
			facts.addEntry(e, st.exclude)
		}
		return facts, nil
	}
	out, err := st.git.run(ctx, call{args: []string{"ls-files", "-z", "-v", "--stage"}})
	if err != nil {
		return nil, err
	}
	for _, line := range out.list() {
		facts.add(line, st.exclude)
	}
	return facts, nil
}

// add adds git's line about an entry: a letter, mode, object id, stage; a tab; the path. The letter
// is lower case if the file is marked assume-unchanged, and S if skip-worktree. A path in a
// conflict has several entries.
func (f *indexFacts) add(line string, exclude []string) {
	about, path, _ := strings.Cut(line, "\t")
	tag, rest, _ := strings.Cut(about, " ")
	f.addEntry(indexEntry{path, strings.ToUpper(tag) != tag, strings.EqualFold(tag, "S"), strings.HasPrefix(rest, submoduleMode)}, exclude)
}

func (f *indexFacts) addEntry(e indexEntry, exclude []string) {
	if n := len(f.excluded); isWithin(e.path, exclude) && (n == 0 || f.excluded[n-1] != e.path) {
		f.excluded = append(f.excluded, e.path)
	}
	if e.assumed {
		f.assumed = append(f.assumed, e.path)
	}
	if e.skipped {
		f.skipped = append(f.skipped, e.path)
	}
	if e.gitlink {
		f.gitlinks = append(f.gitlinks, e.path)
	}
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
			continue // saves a call of git
		}
		args := []string{"update-index", mark.option, "-z", "--stdin"}
		if _, err := st.git.run(ctx, call{args: args, stdin: strings.Join(mark.paths, "\x00")}); err != nil {
			return err
		}
	}
	return nil
}

// takeFound removes from st.absent the files that exist in the working tree, and returns them.
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
