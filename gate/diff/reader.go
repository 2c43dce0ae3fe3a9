package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrGone is wrapped by the error of [Repo.Diff] when one of the trees, or an object in it, no
// longer exists in the repository. Nothing refers to snapshots, so git prunes them after two weeks,
// or when it is told to.
var ErrGone = errors.New("the tree is not in the repository any more")

// HasTree reports whether id is the full id of a tree that the repository holds, or of a commit
// that it holds together with its tree.
func (r *Repo) HasTree(ctx context.Context, id string) (bool, error) {
	if !r.isObjectID(id) {
		return false, nil
	}
	if id == r.EmptyTree() {
		return true, nil
	}
	return r.has(ctx, fmt.Sprintf("look up tree %q", id), id+"^{tree}\n", "tree\n")
}

// has reports whether the repository holds the objects with these names, and they have these types;
// both are given one a line. It does not fetch any. An error begins with what, which names the
// purpose.
func (r *Repo) has(ctx context.Context, what, names, types string) (bool, error) {
	out, err := r.git.run(ctx, call{
		args: []string{"cat-file", "--batch-check=%(objecttype)"}, env: []string{"GIT_NO_LAZY_FETCH=1"}, stdin: names,
	})
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	return string(out.stdout) == types, nil
}

// compare returns the difference of two trees as git prints it: the list of files and, with
// patchArgs among the options, their lines.
func (r *Repo) compare(ctx context.Context, from, to string, options, paths []string) ([]byte, error) {
	g, err := r.reader()
	if err != nil {
		return nil, err
	}
	text, err := toFile(ctx, g, call{args: slices.Concat(listArgs, options, []string{from, to, "--"}, paths)})
	return text, r.explainGone(ctx, err, from, to)
}

// toFile has git write to a file and returns the text, so that a large text is in memory only once.
func toFile(ctx context.Context, g git, c call) ([]byte, error) {
	file, err := os.CreateTemp(g.dir, "diff-")
	if err != nil {
		return nil, err
	}
	// Once it is open it needs no name, if the system allows that.
	unlinked := os.Remove(file.Name()) == nil
	defer func() {
		_ = file.Close()
		if !unlinked {
			_ = os.Remove(file.Name())
		}
	}()
	c.stdout = file
	if _, err := g.run(ctx, c); err != nil {
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

// explainGone wraps [ErrGone] around err if git failed because a tree no longer exists.
func (r *Repo) explainGone(ctx context.Context, err error, ids ...string) error {
	var failed *gitError
	if !errors.As(err, &failed) || failed.ExitCode != 128 {
		return err
	}
	for _, id := range ids {
		if exists, lookup := r.HasTree(ctx, id); lookup == nil && !exists {
			return fmt.Errorf("%w: %s: %w", ErrGone, id, err)
		}
	}
	if strings.Contains(failed.Stderr, "unable to read") {
		return fmt.Errorf("%w: a part of %q: %w", ErrGone, ids, err)
	}
	return err
}

// listArgs are the options for listing the files that differ between two trees, and patchArgs those
// for the lines of these files. Plumbing reads few of the diff.* settings; whatever has an option is
// set nevertheless.
var (
	listArgs = []string{
		"diff-tree", "-r", "--raw", "-z", "--full-index",
		"-M50%", "-l1000", "--ignore-submodules=none",
	}
	patchArgs = []string{
		"-p", "-U3", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic",
		"--no-color", "--no-ext-diff", "--no-textconv",
		"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short",
	}
)

// reader returns git for comparing trees. It works in a repository of its own, which has the
// objects of this one and nothing else: no configuration, attributes, refs or grafts. So only the
// two trees decide what is in a diff.
func (r *Repo) reader() (git, error) {
	folder, err := r.temporary()
	if err != nil {
		return git{}, err
	}
	r.shared.mu.Lock()
	defer r.shared.mu.Unlock()
	partial := r.isPartial()
	if !r.shared.reader {
		if err := r.makeReader(folder, partial); err != nil {
			return git{}, fmt.Errorf("make a place to compare trees in: %w", err)
		}
		r.shared.reader = true
	}
	env := slices.Clone(r.environ)
	if !partial { // else the user's configuration may be needed to fetch what is missing
		env = slices.DeleteFunc(env, func(variable string) bool { return strings.HasPrefix(variable, "GIT_CONFIG_") })
		env = append(env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	}
	env = append(env, "GIT_ATTR_NOSYSTEM=1", "GIT_DIR="+folder, "GIT_OBJECT_DIRECTORY="+filepath.Join(r.CommonDir, "objects"))
	env = append(env, r.apart...)
	return git{dir: folder, env: env, config: []string{"core.attributesFile=" + os.DevNull}}, nil
}

// makeReader makes a minimal bare repository in the folder of temporary files.
func (r *Repo) makeReader(dir string, partial bool) error {
	if err := os.Mkdir(filepath.Join(dir, "refs"), 0o700); err != nil {
		return err
	}
	config := "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = " + r.objectFormat + "\n"
	if partial {
		config = "[include]\n\tpath = " + quoted(filepath.Join(r.CommonDir, "config")) + "\n" + config
	}
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/none\n"), 0o600)
}

// isPartial reports whether the repository fetches objects on demand.
func (r *Repo) isPartial() bool {
	packs, err := os.ReadDir(filepath.Join(r.CommonDir, "objects", "pack"))
	return err == nil && slices.ContainsFunc(packs, func(pack os.DirEntry) bool { return strings.HasSuffix(pack.Name(), ".promisor") })
}
