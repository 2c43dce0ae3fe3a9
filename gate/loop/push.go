package loop

import (
	"context"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/githook"
)

// Tips returns what is known about the branches that are pushed, as far as it decides. It executes and
// records nothing. The Runner's ledger may be nil if there is none. remote is the remote that is
// pushed to.
//
// Rule: Done means passed as it is now.
func (r *Runner) Tips(ctx context.Context, refs []githook.Ref, remote string) (tips []githook.Tip, err error) {
	var commits []string
	for _, ref := range refs {
		if !ref.Exempt() && !ref.IsBase(r.Config.BaseBranch, remote, r.Repo.Branch) {
			if !ref.HasID() { // pre-commit gives a name
				if ref.Commit, err = r.Repo.ResolveCommit(ctx, ref.Commit); err != nil {
					return nil, err
				}
			}
			tips, commits = append(tips, githook.Tip{Ref: ref}), append(commits, ref.Commit)
		}
	}
	if len(tips) == 0 {
		return nil, nil
	}
	if commits, err = r.Repo.Commits(ctx, commits); err != nil {
		return nil, err
	}
	beyond, gone := r.Repo.Beyond(ctx, r.Config.BaseBranch, commits)
	refused, known := 0, map[string]githook.Tip{}
	for n := range tips {
		tip := &tips[n]
		tip.Commit = commits[n]
		if same, examined := known[tip.Commit]; examined {
			same.Ref = tip.Ref
			*tip = same
			continue
		}
		if tip.Contained = gone == nil && !beyond[tip.Commit]; tip.Contained || refused == maxRefused {
			continue
		}
		if err := r.examineTip(ctx, tip); err != nil {
			return nil, err
		}
		known[tip.Commit] = *tip
		if githook.Decide(*tip) == githook.Refuse {
			refused++
		}
	}
	return tips, nil
}

// maxRefused is how many tips that are refused are examined: the others are refused without.
const maxRefused = 20

// examineTip finds out whether a commit has passed.
func (r *Runner) examineTip(ctx context.Context, tip *githook.Tip) error {
	tree, err := r.Repo.TreeOf(ctx, tip.Commit)
	if err != nil {
		return err
	}
	if tip.CheckedOut = tip.Commit == r.Repo.Head; tip.CheckedOut {
		now, err := r.Repo.Glance(ctx, r.SnapshotOptions())
		if err != nil {
			return err
		}
		if tip.AsCommitted = now.Tree == tree; tip.AsCommitted {
			return nil // the gates find out
		}
		if tip.Differs, _, err = r.Repo.ChangedSince(ctx, tree, now, nil); err != nil {
			return err
		}
	}
	base := diff.Ancestor{Of: r.Config.BaseBranch}
	base.Commit, base.Err = r.Repo.MergeBase(ctx, base.Of, tip.Commit)
	_, configured, err := r.Repo.FileIn(ctx, tip.Commit, config.File)
	if err != nil {
		return err
	}
	if r.Ledger != nil && configured { // without it, the tree does not say which gates passed
		passes, err := r.Ledger.PassesOn(ctx, tree)
		for n := 0; err == nil && n < len(passes) && !tip.Passed; n++ {
			tip.Passed, err = r.passCounts(ctx, passes[n], base, tree)
		}
		if err != nil || tip.Passed {
			return err
		}
	}
	if base.Err != nil {
		return base.Err
	}
	changed, err := r.Diffs().List(ctx, base.Commit, tip.Commit)
	if err != nil {
		return err
	}
	paths := changed.Paths()
	if !slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(path, config.Dir+"/") }) {
		// The configuration of the commit is that of the base.
		ungated, former, err := r.ungated(ctx, base.Commit, paths)
		if err != nil {
			return err
		}
		tip.Ungated = ungated && former == ""
	}
	return nil
}
