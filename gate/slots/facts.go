package slots

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// Given is the answer as the rules read it.
func (a *Answer) Given() ledger.Answer { return ledger.Answer{Fail: a.Fail, Entries: a.Entries} }

// Facts tells what the places of an answer mean, where since is what changed since the
// slot's last answer, or nil.
func (a *Answer) Facts(since *diff.Diff) ledger.Facts {
	return ledger.Facts{InDiff: in(a.Slot.Diff), InFixLines: in(since)}
}

func in(d *diff.Diff) func(ledger.Place) bool {
	return func(p ledger.Place) bool { return d != nil && d.Contains(p.File, p.Start, p.End) }
}

// Shown holds the ids of the claims that the slot was asked to verify.
func (a *Answer) Shown() map[string]bool {
	shown := map[string]bool{}
	for _, v := range a.Slot.Claims {
		shown[v.ID] = true
	}
	return shown
}

// Carry carries places through diffs that were made when the slot was planned, so that
// no process runs while the ledger is being written.
func (a *Answer) Carry(ctx context.Context, diffs *worktree.Diffs) func(string, ledger.Place) ledger.Place {
	return func(tree string, place ledger.Place) ledger.Place {
		carried, err := diffs.Carry(ctx, tree, a.Slot.To, place)
		if err != nil {
			return ledger.Place{File: place.File} // the whole file: nothing slips past
		}
		return carried
	}
}

// Line is the text of a place's first line, and how many lines above it have the same
// text.
func (a *Answer) Line() func(ledger.Place) (text string, occurrence int, ok bool) {
	return NewLines(a.asker.Worktree.Repo.Root).At
}
