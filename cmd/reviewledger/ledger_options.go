package main

import (
	"context"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// ledgerOptions makes the store report long work: upgrading a ledger of an older schema, or
// counting all its rows. On a terminal a line shows the progress, and disappears afterwards.
func ledgerOptions(global *globalOptions, path string) store.Options {
	line := newLiveLine(global)
	var began time.Time
	here := func(ctx context.Context) string {
		root, err := diff.Root(ctx, global.dir)
		if err != nil {
			return "" // outside of a repository there is no worktree
		}
		return root
	}
	return store.Options{Here: here, Upgrading: func(p store.Progress) {
		if p.Done == 0 {
			began = time.Now()
			fmt.Fprintf(global.stderr, "Upgrading the ledger %q from schema %d to %d. This can take a minute for a large ledger.\n", path, p.From, p.To)
		}
		line.show("Step %d of %d (%s)", min(p.Done+1, p.Steps), p.Steps, time.Since(began).Round(time.Second))
		if p.Done == p.Steps {
			line.clear()
		}
	}, Counting: func(p store.Progress) {
		line.show("Counting, step %d of %d", min(p.Done+1, p.Steps), p.Steps)
		if p.Done == p.Steps {
			line.clear()
		}
	}}
}
