package codereview

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// reviewScope is what a code review reviews: a range of commits, or files in their present state.
type reviewScope struct {
	scope  ledger.VerdictScope
	target string
	// revisions are the ends of a changeset's range. from is the merge base, and to the commit or
	// tree that is reviewed.
	revisions [2]string
	from, to  string
	// paths are what the other scopes cover.
	paths []string
	// diff is what reviewers are shown. For whole files it has their content.
	diff *diff.Diff
}

func (s reviewScope) wholeFiles() bool { return s.scope != ledger.ScopeChangeset }

// findTarget checks scope and target before anything is written.
func (r *Runner) findTarget(o Options) (reviewScope, error) {
	s := reviewScope{scope: o.Scope, target: o.Target}
	if s.scope == "" {
		s.scope = ledger.ScopeChangeset
	}
	if s.scope != ledger.ScopeChangeset && s.target == "" {
		return s, worktree.Usage("--scope %s needs --target: %s", s.scope, map[ledger.VerdictScope]string{
			ledger.ScopePackage: "a folder", ledger.ScopeTeam: "a name under teams: in .gauntlet/config.yml", ledger.ScopeFile: "a file",
		}[s.scope])
	}
	switch s.scope {
	case ledger.ScopeChangeset:
		return s, s.findRange(r.Config.BaseBranch)
	case ledger.ScopeTeam:
		paths, known := r.Config.Teams[s.target]
		if !known {
			return s, worktree.Usage("no team is called %q: .gauntlet/config.yml lists the teams and their paths under teams:", s.target)
		}
		s.paths = paths
		return s, nil
	}
	return s, s.findPath(r.Repo.Root)
}

// findRange parses a range of revisions. With two dots as with three, the review begins at the
// merge base.
func (s *reviewScope) findRange(base string) error {
	if s.target == "" {
		s.target = base + "..HEAD"
	}
	from, to, isRange := strings.Cut(s.target, "..")
	to = strings.TrimPrefix(to, ".")
	if !isRange || from == "" {
		return worktree.Usage("the target %q is not a range of revisions such as %q", s.target, base+"..HEAD")
	}
	if to == "" {
		to = "HEAD"
	}
	s.revisions = [2]string{from, to}
	return nil
}

// findPath checks that the target exists and is inside the repository.
func (s *reviewScope) findPath(root string) error {
	given := s.target
	if relative, err := filepath.Rel(root, given); err == nil { // it was absolute
		given = relative
	}
	s.target = path.Clean(filepath.ToSlash(given))
	if s.target == ".." || strings.HasPrefix(s.target, "../") {
		return worktree.Usage("the target %q is outside the repository; give a path relative to its root", given)
	}
	inside, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer inside.Close()
	info, err := inside.Stat(s.target)
	switch {
	case err != nil:
		return worktree.Usage("the target %q does not exist in the repository, or leads out of it; give a path relative to its root", given)
	case s.scope == ledger.ScopePackage && !info.IsDir():
		return worktree.Usage("the target %q is not a folder; --scope file reviews a file", given)
	case s.scope == ledger.ScopeFile && !info.Mode().IsRegular():
		return worktree.Usage("the target %q is not a file; --scope package reviews a folder", given)
	}
	s.paths = []string{s.target}
	return nil
}

// covers reports whether the file belongs to the scope.
func (s *reviewScope) covers(file string) bool {
	return slices.ContainsFunc(s.paths, func(p string) bool {
		return p == "." || p == file || strings.HasPrefix(file, p+"/") || doublestar.MatchUnvalidated(p, file)
	})
}

// resolve finds the trees of the scope and computes the diff that reviewers are shown.
func (c *codeReview) resolve(ctx context.Context) (err error) {
	s := &c.scope
	exclude := c.Exclude()
	if s.wholeFiles() {
		s.from, s.to = c.Repo.EmptyTree(), c.snapshot.Tree
		files, err := c.Repo.TreeFiles(ctx, s.to, exclude)
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(f diff.TreeFile) bool { return !s.covers(f.Path) })
		s.diff, err = c.Repo.Contents(ctx, files)
		return err
	}
	if c.Repo.Head == "" {
		return fmt.Errorf("nothing to review: there are no commits yet; to review files as they are, use --scope package or file")
	}
	if s.to, err = c.Repo.ResolveCommit(ctx, s.revisions[1]); err != nil {
		return err
	}
	if s.from, err = c.Repo.MergeBase(ctx, s.revisions[0], s.revisions[1]); err != nil {
		return err
	}
	if err := c.warnUncommitted(ctx); err != nil {
		return err
	}
	s.diff, err = c.diffs.Between(ctx, s.from, s.to)
	return err
}

// warnUncommitted names the uncommitted files, which are not part of a changeset.
func (c *codeReview) warnUncommitted(ctx context.Context) error {
	d, err := c.diffs.Between(ctx, c.Repo.Head, c.snapshot.Tree)
	if err != nil || d.Empty() {
		return err
	}
	c.Console.Warn(fmt.Sprintf("%s not committed, so not part of the changeset: %s", ledger.PluralVerb(len(d.Paths()), "file", "is", "are"), worktree.Named(d.Paths())))
	return nil
}
