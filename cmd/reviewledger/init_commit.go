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
// otherwise they would be part of that change.
func (i *initializer) offerCommit(ctx context.Context, base string, o initOptions) error {
	paths, err := i.committable(ctx)
	if err != nil || len(paths) == 0 {
		return err
	}
	local := strings.TrimPrefix(base, "origin/")
	onBase := i.repo.Branch == local
	if onBase && !o.yes && isTerminal(i.global.stdin) {
		if !confirmed(i.global.stdout, i.stdin, fmt.Sprintf("Commit them on %s now?", local)) {
			return nil
		}
		if err := i.repo.CommitPaths(ctx, paths, setupMessage); err != nil {
			return fmt.Errorf("commit what was written: %w", err)
		}
		i.print("committed  %s", strings.Join(paths, " "))
		return nil
	}
	i.print("\nCommit them on %s, so that they do not belong to the change under review:", text.EscapeLine(local))
	if !onBase {
		i.print("  git switch %s", text.EscapeLine(text.ShellWord(local)))
	}
	i.print("  git add %s\n  git commit -m %s", strings.Join(paths, " "), text.ShellWord(setupMessage))
	if base != local { // changes are compared with what was pushed
		i.print("  git push origin %s", text.EscapeLine(text.ShellWord(local)))
	}
	if !onBase {
		i.print("  git switch -\n  git merge %s", text.EscapeLine(text.ShellWord(local)))
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
