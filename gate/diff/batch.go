package diff

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// DiffAll is [Repo.Diff] from several trees to one, with one git process: its start takes
// longer than a comparison. None of them may be a commit. An error says nothing about the
// single trees; Diff does.
func (r *Repo) DiffAll(ctx context.Context, from []string, to string, exclude []string) ([]*Diff, error) {
	if err := checkExclude(exclude); err != nil {
		return nil, fmt.Errorf("compare %d trees with %q: %w", len(from), to, err)
	}
	diffs, err := r.diffAll(ctx, from, to, append([]string{topPathspec}, excludePathspecs(exclude)...))
	if err != nil {
		return nil, fmt.Errorf("compare %d trees with %q: %w", len(from), to, err)
	}
	return diffs, nil
}

func (r *Repo) diffAll(ctx context.Context, from []string, to string, paths []string) ([]*Diff, error) {
	g, err := r.reader()
	if err != nil {
		return nil, err
	}
	marks := make([]string, len(from))
	for n, tree := range from {
		if !r.isObjectID(tree) || !r.isObjectID(to) {
			return nil, fmt.Errorf("%q and %q are not full object ids", tree, to)
		}
		marks[n] = tree + " " + to + "\n"
	}
	text, err := toFile(ctx, g, call{args: slices.Concat(diffArgs, []string{"--stdin", "--"}, paths), stdin: strings.Join(marks, "")})
	if err != nil {
		return nil, err
	}
	diffs := make([]*Diff, len(from))
	for n, part := range splitBatch(text, marks) {
		if part == nil {
			return nil, fmt.Errorf("git says nothing about %q and %q", from[n], to)
		}
		if diffs[n], err = parseShown(part); err == nil {
			err = r.showText(ctx, diffs[n], from[n], to)
		}
		if err != nil {
			return nil, err
		}
	}
	return diffs, nil
}

// splitBatch cuts what git wrote into the parts of the trees, in whose order they come.
// Before each stands its mark, which is a line; within a diff no line begins with an
// object's id. A part whose mark is missing is nil.
func splitBatch(text []byte, marks []string) [][]byte {
	parts := make([][]byte, len(marks))
	next := len(text)
	for n := len(marks) - 1; n >= 0; n-- {
		mark, at := []byte(marks[n]), -1
		if i := bytes.LastIndex(text[:next], append([]byte("\n"), mark...)); i >= 0 {
			at = i + 1
		} else if bytes.HasPrefix(text[:next], mark) {
			at = 0
		}
		if at < 0 {
			continue
		}
		// Between the mark and the diff may stand an empty line.
		parts[n] = bytes.TrimPrefix(text[at+len(mark):next:next], []byte("\n"))
		next = at
	}
	return parts
}
