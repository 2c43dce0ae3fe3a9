package diff

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// Diff compares two commits or trees, given by their full ids, and leaves out the
// files and folders in exclude, which are paths relative to the root. The diff has
// three lines of context, and a file that kept half its content is seen as renamed.
func (r *Repo) Diff(ctx context.Context, from, to string, exclude []string) (*Diff, error) {
	for _, id := range []string{from, to} {
		if !r.isObjectID(id) {
			return nil, fmt.Errorf("compare %q and %q: %q is not a full object id", from, to, id)
		}
	}
	if err := checkExclude(exclude); err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	if from == to {
		return &Diff{}, nil
	}
	text, err := r.diffText(ctx, from, to, exclude)
	if err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	d, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	return d, nil
}

// diffText has git write to a file, so that a large diff is in memory only once.
func (r *Repo) diffText(ctx context.Context, from, to string, exclude []string) ([]byte, error) {
	file, err := os.CreateTemp("", "reviewledger-diff-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := r.git.run(ctx, call{
		args:   diffArgs(from, to, exclude),
		config: []string{"core.attributesFile=" + os.DevNull},
		env:    []string{"GIT_ATTR_NOSYSTEM=1"},
		stdout: file,
	}); err != nil {
		return nil, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	text := make([]byte, size)
	_, err = io.ReadFull(io.NewSectionReader(file, 0, size), text)
	return text, err
}

// diffArgs returns the one way in which trees are compared. Plumbing reads few of
// the diff.* settings; what has an option is set all the same.
func diffArgs(from, to string, exclude []string) []string {
	args := []string{
		"diff-tree", "-r", "-p", "--full-index",
		"-U3", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic",
		"-M50%", "-l1000",
		"--no-color", "--no-ext-diff", "--no-textconv",
		"--src-prefix=a/", "--dst-prefix=b/",
		"--submodule=short", "--ignore-submodules=none",
		from, to, "--", topPathspec,
	}
	return append(args, excludePathspecs(exclude)...)
}

// topPathspec matches the whole working tree.
const topPathspec = ":(top)"

// excludePathspecs returns pathspecs that leave out paths and all that is in them.
//
// They are glob patterns rather than literal ones, with a backslash before the
// first character: git add fails if an excluded path is also ignored, as a log
// folder usually is, unless it takes the pathspec for a pattern from the start.
func excludePathspecs(paths []string) []string {
	specs := make([]string, 0, 2*len(paths))
	for _, path := range paths {
		pattern := ":(top,exclude,glob)" + escapeGlob(path)
		specs = append(specs, pattern, pattern+"/**")
	}
	return specs
}

func escapeGlob(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if i == 0 || strings.IndexByte(`*?[]\`, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// checkExclude refuses what would leave out everything, or nothing by mistake.
func checkExclude(paths []string) error {
	for _, path := range paths {
		if !isRepoPath(path) {
			return fmt.Errorf("cannot exclude %q: not a path relative to the root of the working tree", path)
		}
	}
	return nil
}
