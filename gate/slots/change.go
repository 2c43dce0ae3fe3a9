package slots

import (
	"context"
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/worktree"
)

// maxSubjects is how many commits a prompt lists.
const maxSubjects = 20

// ChangeSince starts to collect, in the background, what a prompt says about the change since a
// commit, without what further commits brought. If git does not know the commits, as in a shallow
// clone, it leaves them out.
func ChangeSince(ctx context.Context, w *worktree.Worktree, base string, jobs []Job, brought ...string) func() prompt.Change {
	change := prompt.Change{Branch: w.Repo.Branch}
	for _, job := range jobs {
		if job.Kind != config.KindReview {
			continue
		}
		at := slices.IndexFunc(change.Gates, func(g prompt.Gate) bool { return g.Name == job.Name })
		if at < 0 {
			at, change.Gates = len(change.Gates), append(change.Gates, prompt.Gate{Name: job.Name})
		}
		change.Gates[at].Covers = append(change.Gates[at].Covers, job.Entry)
	}
	if base == "" || base == w.Repo.Head || w.Repo.Head == "" || len(change.Gates) == 0 {
		return func() prompt.Change { return change }
	}
	find := sync.OnceValue(func() prompt.Change {
		change.Subjects, _ = w.Repo.Subjects(ctx, w.Repo.Head, maxSubjects, append(brought, base)...)
		return change
	})
	go find()
	return find
}
