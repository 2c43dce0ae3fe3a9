package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FindBase proposes the branch that changes are counted from: the default branch of the remote
// "origin", else a branch with one of the usual names, remote before local, else the branch that is
// checked out. It returns "" if there is no branch.
func (r *Repo) FindBase(ctx context.Context) (string, error) {
	const format = "--format=%(refname) %(symref)"
	out, err := r.git.run(ctx, call{args: []string{"for-each-ref", format, "refs/remotes/origin", "refs/heads"}})
	if err != nil {
		return "", fmt.Errorf("find the base branch: %w", err)
	}
	return chooseBase(string(out.stdout), r.Branch), nil
}

// chooseBase chooses from lines of the form "<ref> [<the ref that it points to>]".
func chooseBase(refs, branch string) string {
	const remote, local = "refs/remotes/", "refs/heads/"
	var known []string
	for line := range strings.Lines(refs) {
		ref, target, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if base, ok := strings.CutPrefix(target, remote); ok && ref == remote+"origin/HEAD" {
			return base
		}
		known = append(known, ref)
	}
	for _, prefix := range []string{remote + "origin/", local} {
		for _, name := range []string{"main", "master", "trunk", "develop"} {
			if slices.Contains(known, prefix+name) {
				return strings.TrimPrefix(strings.TrimPrefix(prefix, remote), local) + name
			}
		}
	}
	return branch
}

// Files returns the paths of all tracked files and of all untracked files that are not ignored,
// sorted.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	// A file in a conflict is listed once for each side.
	return r.git.list(ctx, "list the files", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
}

// Staged returns the paths of the files in the folder, relative to the root, that the base lacks or
// that differ in the index, sorted.
func (r *Repo) Staged(ctx context.Context, base, folder string) ([]string, error) {
	args := []string{"diff-index", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=d", base, "--"}
	return r.git.list(ctx, fmt.Sprintf("list what is new in %q", folder), append(args, literalPathspecs([]string{folder})...)...)
}

// Ignores reports whether git ignores the folder, relative to the root.
func (r *Repo) Ignores(ctx context.Context, folder string) (bool, error) {
	_, err := r.git.run(ctx, call{args: []string{"check-ignore", "-q", "--no-index", "--", folder + "/"}})
	if exitedWith1(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ask git whether it ignores %q: %w", folder, err)
	}
	return true, nil
}

// NotCheckedOut returns an error if git tracks files in the folder, relative to the root, that a
// sparse checkout leaves out of the working tree. It asks git only if there is a sparse checkout.
//
// Rule: Nothing is left out without a word.
func (r *Repo) NotCheckedOut(ctx context.Context, folder string) error {
	if _, err := os.Stat(filepath.Join(r.GitDir, "info", "sparse-checkout")); err != nil {
		return nil //nolint:nilerr // there is none
	}
	files, err := r.git.list(ctx, fmt.Sprintf("list the files in %q", folder), append([]string{"ls-files", "-z", "-t", "--"}, literalPathspecs([]string{folder})...)...)
	if err != nil {
		return err
	}
	for _, file := range files {
		path, left := strings.CutPrefix(file, "S ")
		if left && Gone(r.Root, path) {
			return fmt.Errorf("open %q: git tracks it, and the sparse checkout leaves it out of the working tree: get it with `git sparse-checkout add %s`", path, folder)
		}
	}
	return nil
}

// Branches returns the names of the repository's branches, including those of remotes, the one with
// the latest commit first.
func (r *Repo) Branches(ctx context.Context) (names []string, err error) {
	out, err := r.git.run(ctx, call{args: []string{"for-each-ref", "--sort=-committerdate", "--format=%(refname:short)", "refs/heads", "refs/remotes"}})
	if err != nil {
		return nil, fmt.Errorf("list branches: %w", err)
	}
	return strings.Fields(string(out.stdout)), nil
}
