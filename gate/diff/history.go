package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Commit is a commit with its tree.
type Commit struct{ ID, Tree string }

// Descends reports whether a commit is another one, or a descendant of it. Both are given by their
// full ids. It is not if git does not have the other one.
func (r *Repo) Descends(ctx context.Context, commit, from string) (bool, error) {
	if commit == from {
		return true, nil
	}
	if there, err := r.HasCommit(ctx, from); err != nil || !there {
		return false, err
	}
	_, err := r.git.run(ctx, call{args: []string{"merge-base", "--is-ancestor", from, commit}})
	if exitedWith1(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for %q in the history of %q: %w", from, commit, err)
	}
	return true, nil
}

// CommitsSince returns the commits that the heads have and base does not, the newest first. All are given
// by their full ids; heads that git does not have are left out.
func (r *Repo) CommitsSince(ctx context.Context, base string, heads ...string) (commits []Commit, err error) {
	args := []string{"log", "--no-show-signature", "--no-mailmap", "--ignore-missing", "--format=%H %T", "^" + base}
	for _, id := range append([]string{base}, heads...) {
		if !r.isObjectID(id) {
			return nil, fmt.Errorf("list the commits since %q: %q is not a full object id", base, id)
		}
	}
	if len(heads) == 0 {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: append(append(args, heads...), "--")})
	if err != nil {
		return nil, fmt.Errorf("list the commits since %s: %w", base, err)
	}
	for line := range strings.Lines(string(out.stdout)) {
		id, tree, _ := strings.Cut(strings.TrimSpace(line), " ")
		commits = append(commits, Commit{id, tree})
	}
	return commits, nil
}

// Underway returns in words what git has not finished in this working tree and for which it has
// detached HEAD, or "".
func (r *Repo) Underway() string {
	for _, state := range []struct{ file, words string }{
		{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase"}, {"BISECT_LOG", "a bisection"},
	} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, state.file)); err == nil {
			return state.words
		}
	}
	return ""
}
