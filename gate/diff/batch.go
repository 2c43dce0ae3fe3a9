package diff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pair names two trees to compare, by their full ids. Commit says that From is the id
// of a commit instead.
type Pair struct {
	From, To string
	Commit   bool
}

// errSingly means that pairs cannot be compared together here, and have to be one by
// one.
var errSingly = errors.New("compare one by one")

// DiffAll is [Repo.Diff] for several pairs with one git process instead of one for
// each: its start takes longer than a comparison. An error says nothing about the
// single pairs; Diff does.
func (r *Repo) DiffAll(ctx context.Context, pairs []Pair, exclude []string) ([]*Diff, error) {
	if err := checkExclude(exclude); err != nil {
		return nil, fmt.Errorf("compare %d pairs of trees: %w", len(pairs), err)
	}
	diffs, err := r.diffAll(ctx, pairs, append([]string{topPathspec}, excludePathspecs(exclude)...))
	if err != nil {
		return nil, fmt.Errorf("compare %d pairs of trees: %w", len(pairs), err)
	}
	return diffs, nil
}

func (r *Repo) diffAll(ctx context.Context, pairs []Pair, paths []string) ([]*Diff, error) {
	g, err := r.reader()
	if err != nil {
		return nil, err
	}
	if r.isPartial() { // what is fetched must not get lost with the temporary folder
		return nil, errSingly
	}
	var input strings.Builder
	marks := make([]string, len(pairs))
	for n, pair := range pairs {
		if !r.isObjectID(pair.From) || !r.isObjectID(pair.To) {
			return nil, fmt.Errorf("%q and %q are not full object ids", pair.From, pair.To)
		}
		line := pair.From + " " + pair.To
		marks[n] = line
		if pair.Commit {
			// In this list git takes a pair of commits or of trees, but not one of each.
			// So both are put into commits of which nobody but this git knows: where it
			// looks for a tree, it takes a commit for the commit's tree. Each has a
			// number in its text, and so an id of its own.
			from, err := r.looseCommit(g.dir, pair.From, 2*n)
			if err != nil {
				return nil, err
			}
			to, err := r.looseCommit(g.dir, pair.To, 2*n+1)
			if err != nil {
				return nil, err
			}
			line, marks[n] = to+" "+from, to
		}
		input.WriteString(line + "\n")
	}
	if slices.ContainsFunc(pairs, func(pair Pair) bool { return pair.Commit }) {
		// Nothing is written; what most objects are in is looked through first.
		g.env = append(g.env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoted(g.dir))
	}
	text, err := toFile(ctx, g, call{args: slices.Concat(diffArgs, []string{"--stdin", "--"}, paths), stdin: input.String()})
	if err != nil {
		return nil, err
	}
	diffs := make([]*Diff, len(pairs))
	for n, part := range splitBatch(text, marks) {
		if part == nil && !pairs[n].Commit {
			return nil, fmt.Errorf("git says nothing about %q and %q", pairs[n].From, pairs[n].To)
		}
		if diffs[n], err = parseShown(part); err == nil {
			err = r.showText(ctx, diffs[n], pairs[n].From, pairs[n].To)
		}
		if err != nil {
			return nil, err
		}
	}
	return diffs, nil
}

// splitBatch cuts what git wrote into the parts of the pairs, in whose order they
// come. Before each stands its mark as a line, but for an empty one of commits, which
// is nil; within a diff no line begins with an object's id.
func splitBatch(text []byte, marks []string) [][]byte {
	parts := make([][]byte, len(marks))
	next := len(text)
	for n := len(marks) - 1; n >= 0; n-- {
		mark := []byte(marks[n] + "\n")
		at := -1
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

// looseCommit writes a commit of the tree into the folder of objects, and returns its
// id.
func (r *Repo) looseCommit(objects, tree string, number int) (string, error) {
	text := fmt.Sprintf("tree %s\nauthor %s\ncommitter %s\n\n%d\n", tree, identity, identity, number)
	object := fmt.Appendf(nil, "commit %d\x00%s", len(text), text)
	id := r.hash(object)
	return id, storeLoose(objects, id, object)
}
