package diff

import (
	"context"
	"fmt"
	"slices"
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

// List returns only the names of the files of [Repo.Diff], which takes git less than half the time.
func (r *Repo) List(ctx context.Context, from, to string, exclude []string) (Listing, error) {
	text, err := r.compared(ctx, from, to, nil, exclude)
	var files []File
	if err == nil {
		files, text, err = cutFiles(text)
	}
	if err == nil && len(text) > 0 {
		err = fmt.Errorf("found %q after the list of files", shorten(text))
	}
	if err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	return (&Diff{Files: files}).Listing(), nil
}

func (r *Repo) diff(ctx context.Context, from, to string, options, exclude []string) (*Diff, error) {
	text, err := r.compared(ctx, from, to, slices.Concat(patchArgs, options), exclude)
	var d *Diff
	if err == nil {
		d, err = parse(text)
	}
	if err == nil {
		err = r.showText(ctx, d, from, to)
	}
	if err != nil {
		return nil, fmt.Errorf("compare %q and %q: %w", from, to, err)
	}
	return d, nil
}

// compared returns the difference of two commits or trees without the files and folders in exclude,
// as git prints it.
func (r *Repo) compared(ctx context.Context, from, to string, options, exclude []string) ([]byte, error) {
	for _, id := range []string{from, to} {
		if !r.isObjectID(id) {
			return nil, fmt.Errorf("%q is not a full object id", id)
		}
	}
	if from == to {
		return nil, nil
	}
	return r.compare(ctx, from, to, options, append([]string{topPathspec}, excludePathspecs(exclude)...))
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
