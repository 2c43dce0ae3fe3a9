package filters

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// runWord matches last, and last~N for the Nth run before the last.
var runWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^last(?:~([0-9]{1,6}))?$`) })

// ErrNoRuns means that the ledger has no run.
var ErrNoRuns = errors.New("no runs yet: start one with `reviewledger run`")

// FindRun finds the run that the user names: by its ID or a prefix of it, as last or last~1, or by
// a branch, which stands for its newest run. An empty name means the last run.
func FindRun(ctx context.Context, find Finder, name string) (ledger.Run, error) {
	if m := runWord().FindStringSubmatch(name); m != nil || name == "" {
		before := 0
		if m != nil && m[1] != "" {
			before, _ = strconv.Atoi(m[1])
		}
		return latest(ctx, find, name, before)
	}
	run, err := find.FindRunByPrefix(ctx, name)
	if !errors.Is(err, ledger.ErrNotFound) {
		return run, err
	}
	runs, branchErr := find.Runs(ctx, ledger.RunFilter{Branch: name, Limit: 1})
	if branchErr != nil || len(runs) == 0 {
		return run, errors.Join(branchErr, fmt.Errorf("%w (see: reviewledger runs)", err))
	}
	return runs[0], nil
}

// latest returns the last run, or the one that many before it: of this worktree, if it has runs.
// Rule: Every worktree has its own loop.
func latest(ctx context.Context, find Finder, name string, before int) (ledger.Run, error) {
	here, whose := find.Here(ctx), "this worktree"
	runs, err := find.Runs(ctx, ledger.RunFilter{Worktree: here, Limit: before + 1})
	if err == nil && len(runs) == 0 && here != "" {
		here = ""
		runs, err = find.Runs(ctx, ledger.RunFilter{Limit: before + 1})
	}
	if here == "" {
		whose = "the ledger"
	}
	switch {
	case err != nil:
		return ledger.Run{}, err
	case len(runs) == 0:
		return ledger.Run{}, ErrNoRuns
	case len(runs) <= before:
		return ledger.Run{}, fmt.Errorf("no run %s: %s has only %s (see: reviewledger runs)", name, whose, ledger.Plural(len(runs), "run"))
	}
	return runs[before], nil
}
