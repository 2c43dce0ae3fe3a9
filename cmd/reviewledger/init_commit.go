package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/internal/text"
)

// setupMessage is the subject of the commit that init offers.
const setupMessage = "Configure reviewledger"

// offerCommit offers to commit the written files before there is a change to review, because
// otherwise they would be part of that change. If changes are compared with a branch of the remote,
// they are part of one until they are merged there, which only who may push can do.
func (i *initializer) offerCommit(ctx context.Context, base string, o initOptions) error {
	paths, err := i.committable(ctx)
	if err != nil || len(paths) == 0 {
		return err
	}
	local, remote := strings.CutPrefix(base, "origin/")
	onBase := i.repo.Branch == local
	if onBase != remote && i.repo.Branch != "" && !o.yes && isTerminal(i.global.stdin) {
		if !confirmed(i.out, i.stdin, fmt.Sprintf("Commit them on %s now?", text.EscapeLine(i.repo.Branch))) {
			return nil
		}
		if err := i.repo.CommitPaths(ctx, paths, setupMessage); err != nil {
			return fmt.Errorf("commit what was written: %w", err)
		}
		i.done.Committed = true
		i.print("committed  %s", strings.Join(paths, " "))
		return nil
	}
	commit := fmt.Sprintf("  git add %s\n  git commit -m %s", strings.Join(paths, " "), text.ShellWord(setupMessage))
	branch := text.EscapeLine(text.ShellWord(local))
	switch {
	case remote && onBase:
		i.print("\nCommit them on a branch; until it is merged into %s, they belong to the change under review:", text.EscapeLine(base))
		i.print("  git switch --create configure-reviewledger\n%s", commit)
	case remote:
		i.print("\nCommit them; until they are merged into %s, they belong to the change under review:\n%s", text.EscapeLine(base), commit)
	case onBase:
		i.print("\nCommit them on %s, so that they do not belong to the change under review:\n%s", text.EscapeLine(local), commit)
	default:
		i.print("\nCommit them on %s, so that they do not belong to the change under review:", text.EscapeLine(local))
		i.print("  git switch %s\n%s\n  git switch -\n  git merge %s", branch, commit, branch)
	}
	return nil
}

// committable returns the written paths to commit, without those that git ignores. The folder of
// the configuration is one path.
func (i *initializer) committable(ctx context.Context) (paths []string, err error) {
	for _, name := range i.wrote {
		if strings.HasPrefix(name, config.Dir+"/") {
			name = config.Dir
		}
		ignored, err := i.repo.Ignores(ctx, name)
		if err != nil {
			return nil, err
		}
		if !ignored && !slices.Contains(paths, name) {
			paths = append(paths, name)
		}
	}
	return paths, nil
}
