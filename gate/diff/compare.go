package diff

import (
	"context"
	"fmt"
)

// Diff compares two commits or trees, given by their full ids. It leaves out the files and folders
// in exclude, which are paths relative to the root. The diff has three lines of context, and a file
// that keeps half of its content counts as renamed. Attributes and settings have no effect: each
// text file is shown as text. An error that wraps [ErrGone] means that one of the trees no longer
// exists.
func (r *Repo) Diff(ctx context.Context, from, to string, exclude []string) (*Diff, error) {
	return r.diff(ctx, from, to, nil, exclude)
}

// DiffUnrenamed is [Repo.Diff] without detection of renames: a moved file is one deleted file and
// one added file.
func (r *Repo) DiffUnrenamed(ctx context.Context, from, to string, exclude []string) (*Diff, error) {
	return r.diff(ctx, from, to, []string{"--no-renames"}, exclude)
}

func (r *Repo) diff(ctx context.Context, from, to string, options, exclude []string) (*Diff, error) {
	for _, id := range []string{from, to} {
		if !r.isObjectID(id) {
			return nil, fmt.Errorf("compare %q and %q: %q is not a full object id", from, to, id)
		}
	}
	if from == to {
		return &Diff{}, nil
	}
	text, err := r.compare(ctx, from, to, options, append([]string{topPathspec}, excludePathspecs(exclude)...))
	if err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	d, err := parse(text)
	if err == nil {
		err = r.showText(ctx, d, from, to)
	}
	if err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	return d, nil
}

// topPathspec matches the whole working tree.
const topPathspec = ":(top)"

// excludePathspecs returns pathspecs that leave out the paths and everything in them.
func excludePathspecs(paths []string) []string {
	specs := make([]string, len(paths))
	for i, path := range paths {
		specs[i] = ":(top,exclude,literal)" + path
	}
	return specs
}
