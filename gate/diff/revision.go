package diff

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// ErrCutOff is wrapped by errors about commits that a shallow clone lacks. Its text is a remedy.
var ErrCutOff = errors.New("run: git fetch --unshallow")

func unknownRevision(rev string) error {
	return fmt.Errorf("revision %q does not name a commit in this repository; fetch it or give another", rev)
}

// isRevision reports whether rev can be given to git as a revision: git must not take it for an
// option, and it must be one line.
func isRevision(rev string) bool {
	return rev != "" && rev[0] != '-' && !strings.ContainsFunc(rev, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// Ancestor is where the change of a working tree begins: the merge base of a base branch and HEAD.
type Ancestor struct {
	// Of is how the base branch is named.
	Of string
	// Commit is its full id, or the empty tree before the first commit, and Tree is its tree.
	Commit, Tree string
	// Err is the reason why there is none, an error of [Repo.MergeBase].
	Err error
}

// Ancestor returns the merge base of HEAD and a revision.
func (r *Repo) Ancestor(ctx context.Context, base string) Ancestor {
	if r.Head == "" {
		return Ancestor{Of: base, Commit: r.EmptyTree(), Tree: r.EmptyTree()}
	}
	f, err := r.findFork(ctx, base, "HEAD")
	if err == nil && f.tree == "" {
		f.tree, err = r.TreeOf(ctx, f.commit)
	}
	return Ancestor{Of: base, Commit: f.commit, Tree: f.tree, Err: err}
}

// MergeBase returns the best common ancestor of two revisions, which are resolved as in
// [Repo.ResolveCommit]. An error that wraps [ErrCutOff] means that a complete clone may have one.
func (r *Repo) MergeBase(ctx context.Context, base, head string) (string, error) {
	f, err := r.findFork(ctx, base, head)
	return f.commit, err
}

// fork is the best common ancestor of two revisions. tree is empty if the ancestor is neither of
// them.
type fork struct{ commit, tree string }

// findFork asks git for the fork of base and head, or for HEAD knows it: see [Repo.LookAgain].
func (r *Repo) findFork(ctx context.Context, base, head string) (f fork, err error) {
	r.shared.mu.Lock()
	f, known := r.shared.forks[base]
	r.shared.mu.Unlock()
	if !known || head != "HEAD" {
		if f, err = r.askForkOf(ctx, base, head); err != nil {
			return f, err
		}
	}
	if f.commit == "" {
		shallow, err := r.Shallow(ctx)
		switch {
		case err != nil:
			return fork{}, err
		case shallow:
			return fork{}, fmt.Errorf("no merge base of %q and %q in this shallow clone; %w", base, head, ErrCutOff)
		}
		return fork{}, fmt.Errorf("no merge base of %q and %q: they share no history; give another base", base, head)
	}
	if head == "HEAD" {
		r.shared.mu.Lock()
		r.shared.forks[base] = f
		r.shared.mu.Unlock()
	}
	return f, nil
}

// LookAgain makes the next [Repo.Ancestor] and [Repo.MergeBase] ask git, because time has passed:
// until then, where HEAD left a branch is asked once.
func (r *Repo) LookAgain() {
	r.shared.mu.Lock()
	defer r.shared.mu.Unlock()
	clear(r.shared.forks)
}

func (r *Repo) askForkOf(ctx context.Context, base, head string) (fork, error) {
	f, ok, err := r.askFork(ctx, base, head)
	if err != nil || !ok {
		// Several refs, or none, may have the name; ResolveCommit sorts that out.
		var ids [2]string
		for n, rev := range []string{base, head} {
			if ids[n], err = r.ResolveCommit(ctx, rev); err != nil {
				return fork{}, err
			}
		}
		if f, ok, err = r.askFork(ctx, ids[0], ids[1]); err == nil && !ok {
			err = errors.New("git does not answer")
		}
	}
	if err != nil {
		return fork{}, fmt.Errorf("find the merge base of %q and %q: %w", base, head, err)
	}
	return f, nil
}

// askFork asks git for the best common ancestor, which is empty if there is none. ok is false if
// git finds no commit or several for a name.
func (r *Repo) askFork(ctx context.Context, base, head string) (f fork, ok bool, err error) {
	if !isPlainRevision(base) || !isPlainRevision(head) {
		return fork{}, false, nil
	}
	out, err := r.git.run(ctx, call{
		args:   slices.Concat([]string{"rev-parse", "--revs-only"}, forkArgs(base, head)),
		config: []string{"core.warnAmbiguousRefs=true"},
	})
	// A full id means its object even if a ref has that name, too.
	if ids := r.isObjectID(base) && r.isObjectID(head); err != nil || !ids && strings.Contains(out.stderr, "is ambiguous") {
		return fork{}, false, err
	}
	f, ok = readFork(strings.Split(out.line(), "\n"))
	return f, ok && (f.commit == "" || r.isObjectID(f.commit)), nil
}

// forkArgs ask for the two commits, their trees, the commits again, and the merge bases, each after a
// "^": for forkLines or more.
func forkArgs(base, head string) []string {
	return []string{base + "^{commit}", head + "^{commit}", base + "^{tree}", head + "^{tree}", base + "^{commit}..." + head + "^{commit}"}
}

const forkLines = 6

// readFork reads what git prints for forkArgs. ok is false if it found no commit for a name.
func readFork(lines []string) (f fork, ok bool) {
	if len(lines) <= forkLines {
		return f, len(lines) == forkLines
	}
	f.commit = strings.TrimPrefix(lines[forkLines], "^")
	switch f.commit {
	case lines[0]:
		f.tree = lines[2]
	case lines[1]:
		f.tree = lines[3]
	}
	return f, true
}

// isPlainRevision reports whether rev is a name or an id, followed at most by steps to parents, so
// that a suffix such as "^{tree}" can be added to it.
func isPlainRevision(rev string) bool {
	name, suffix := cutRevision(rev)
	return isRevision(rev) && (name == "HEAD" || isRefName(name)) && strings.Trim(suffix, "~^0123456789") == ""
}

// FirstParent returns the first parent of the commit that rev names, or the empty tree for a commit
// without parents. In a shallow clone the parent may be missing. That is an [ErrCutOff], because
// the commit would otherwise seem to add everything.
func (r *Repo) FirstParent(ctx context.Context, rev string) (string, error) {
	commit, err := r.ResolveCommit(ctx, rev)
	if err != nil {
		return "", err
	}
	// Read the commit object itself: rev^ does not show that the history is cut off.
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "commit", commit}})
	if err != nil {
		return "", fmt.Errorf("read commit %q: %w", rev, err)
	}
	parent, ok := parentOf(string(out.stdout))
	if !ok {
		return r.EmptyTree(), nil
	}
	if shallow, err := r.Shallow(ctx); err != nil || !shallow {
		return parent, err
	}
	exists, err := r.HasCommit(ctx, parent)
	if err == nil && !exists {
		err = fmt.Errorf("the parent %s of commit %s is not in this shallow clone; %w", parent, rev, ErrCutOff)
	}
	if err != nil {
		return "", err
	}
	return parent, nil
}

// Shallow reports whether the repository is a shallow clone, whose history is cut off.
func (r *Repo) Shallow(ctx context.Context) (bool, error) {
	out, err := r.git.run(ctx, call{args: []string{"rev-parse", "--is-shallow-repository"}})
	if err != nil {
		return false, fmt.Errorf("ask git whether the clone is shallow: %w", err)
	}
	return out.line() == "true", nil
}

// parentOf returns the first parent named in the text of a commit object.
func parentOf(commit string) (string, bool) {
	headers, _, _ := strings.Cut(commit, "\n\n")
	for line := range strings.SplitSeq(headers, "\n") {
		if parent, ok := strings.CutPrefix(line, "parent "); ok {
			return parent, true
		}
	}
	return "", false
}

// HasCommit reports whether sha is the full id of a commit that the repository holds together with
// its root tree. For anything else, such as the name of a branch, it returns false.
func (r *Repo) HasCommit(ctx context.Context, sha string) (bool, error) {
	if !r.isObjectID(sha) {
		return false, nil
	}
	return r.has(ctx, fmt.Sprintf("look up commit %q", sha), sha+"\n"+sha+"^{tree}\n", "commit\ntree\n")
}

// Subjects returns the first lines of the messages of at most that many commits that head has and
// none of the bases has, the newest first. A negative number is no limit.
func (r *Repo) Subjects(ctx context.Context, head string, most int, bases ...string) ([]string, error) {
	args := []string{"log", "-z", "--no-show-signature", "--no-mailmap", "--encoding=UTF-8", "--format=%s",
		fmt.Sprintf("--max-count=%d", most), head}
	for _, base := range bases {
		args = append(args, "^"+base)
	}
	if slices.ContainsFunc(append(bases, head), func(id string) bool { return !r.isObjectID(id) }) {
		return nil, fmt.Errorf("list the commits since %q: not full object ids", bases)
	}
	out, err := r.git.run(ctx, call{args: append(args, "--")})
	if err != nil {
		return nil, fmt.Errorf("list the commits since %q: %w", bases, err)
	}
	text := strings.TrimSuffix(string(out.stdout), "\x00")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\x00"), nil
}

// TreeOf returns the id of a commit's tree.
func (r *Repo) TreeOf(ctx context.Context, commit string) (string, error) {
	out, err := r.git.run(ctx, call{args: []string{"rev-parse", "--verify", "--quiet", commit + "^{tree}"}})
	if err != nil {
		return "", fmt.Errorf("find the tree of %q: %w", commit, err)
	}
	return out.line(), nil
}

// Commits returns the commits that the full ids name, which may be those of tags, in one call.
func (r *Repo) Commits(ctx context.Context, ids []string) ([]string, error) {
	var names strings.Builder
	for _, id := range ids {
		if !r.isObjectID(id) {
			return nil, unknownRevision(id)
		}
		names.WriteString(id + "^{commit}\n")
	}
	if len(ids) == 0 {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch-check=%(objectname) %(objecttype)"}, stdin: names.String()})
	if err != nil {
		return nil, fmt.Errorf("look for commits: %w", err)
	}
	lines := strings.Split(out.line(), "\n")
	commits := make([]string, 0, len(ids))
	for n, id := range ids {
		commit := ""
		if n < len(lines) {
			commit, _ = strings.CutSuffix(lines[n], " commit")
		}
		if !r.isObjectID(commit) {
			return nil, unknownRevision(id)
		}
		commits = append(commits, commit)
	}
	return commits, nil
}

// Beyond returns which of the commits, given by their full ids, the base does not have, in one call.
func (r *Repo) Beyond(ctx context.Context, base string, commits []string) (map[string]bool, error) {
	base, err := r.ResolveCommit(ctx, base)
	if err != nil {
		return nil, err
	}
	out, err := r.git.run(ctx, call{args: []string{"rev-list", "--stdin"}, stdin: "^" + base + "\n" + strings.Join(commits, "\n") + "\n"})
	if err != nil {
		return nil, fmt.Errorf("look for what is pushed in %q: %w", base, err)
	}
	beyond := map[string]bool{}
	for line := range strings.Lines(string(out.stdout)) {
		beyond[strings.TrimSpace(line)] = true
	}
	return beyond, nil
}

// HooksFolder returns the folder with the repository's hooks, and the setting that names it, or "".
func (r *Repo) HooksFolder(ctx context.Context) (folder, setting string, err error) {
	out, err := r.git.run(ctx, call{args: []string{"config", "--get-all", "-z", "--type=path", "core.hooksPath"}})
	if err != nil {
		return "", "", fmt.Errorf("find the folder of the hooks: %w", err)
	}
	named := out.list()
	if len(named) < 2 { // the last one is the setting for git's own calls here
		return filepath.Join(r.CommonDir, "hooks"), "", nil
	}
	setting = named[len(named)-2]
	if folder = filepath.FromSlash(setting); !filepath.IsAbs(folder) {
		folder = filepath.Join(r.Root, folder)
	}
	return folder, setting, nil
}
