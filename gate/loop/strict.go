package loop

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// strictly says what keeps a strict invocation from succeeding that would succeed otherwise, such as
// one in which nothing ran.
//
// Rule: The exit code says what happened.
func (i *iteration) strictly(ctx context.Context, o Outcome) (Outcome, error) {
	if !i.options.Strict || o.ExitCode() != 0 {
		return o, nil
	}
	var now ledger.Progress
	if i.options.plain() {
		base := i.options.BaseBranch
		if base == "" {
			base = i.Config.BaseBranch
		}
		i.Repo.LookAgain() // the base branch may have moved since
		var err error
		if now, err = i.Progress(ctx, i.Repo.Ancestor(ctx, base), i.taken, false); err != nil {
			return o, err
		}
	}
	if o.Lacking = strictLack(i.options.plain(), i.rerun, o, now); o.Lacking == "" {
		return o, nil
	}
	i.Console.Conclude("Not passed as it is now: " + o.Lacking)
	if now.Next != "" {
		o.Next = now.Next
	}
	return o, nil
}

// strictLack says what keeps a strict invocation from succeeding, or "". An invocation of everything
// succeeds where status says that nothing is left to do; another one fails where something of the
// open run is outstanding, although nothing ran.
func strictLack(everything, rerun bool, o Outcome, now ledger.Progress) string {
	switch {
	case everything && !now.Done():
		return now.Sentence()
	case !everything && rerun && !o.Status.Passes():
		return "Something of the open run is still outstanding."
	}
	return ""
}

// taken returns the snapshot that the iteration took, as [Runner.Progress] needs it.
func (i *iteration) taken() (diff.Snapshot, error) {
	return diff.Snapshot{Tree: i.snapshot.Tree, Unchanged: true}, nil // the warnings were printed
}
