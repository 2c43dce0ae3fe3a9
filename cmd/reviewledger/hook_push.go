package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/githook"
	"github.com/reviewledger/reviewledger/gate/loop"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newHookPrePushCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "pre-push [REMOTE [URL]]",
		Short: "Decide whether commits may be pushed",
		Long: `Read from stdin what git is about to push, or from the environment what pre-commit
says about it. Each branch may be pushed if exactly its latest commit has passed,
in any worktree, compared with its merge base with base_branch. If it is checked
out, and the working tree is as it was committed, the gates run first. Git calls
this after "reviewledger hook install --git".

What is deleted may always be pushed, and so may tags, the base branch itself, and
changes to which no gate applies.

Exit codes: 0 it may be pushed, 1 not, 2 error.`,
		Example: "  reviewledger hook pre-push origin </dev/null",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			remote := ""
			if len(args) > 0 {
				remote = args[0]
			}
			return runHookPrePush(cmd.Context(), global, remote)
		},
	}
}

func runHookPrePush(ctx context.Context, global *globalOptions, remote string) error {
	refs, called := githook.FromPreCommit(global.getenv)
	if called && len(refs) == 0 {
		_, err := fmt.Fprintln(global.stdout, "Nothing is pushed, so there is nothing to ask: `reviewledger run` runs the gates.")
		return err
	}
	if !called {
		var err error
		if refs, err = githook.Read(global.stdin); err != nil {
			return err
		}
	}
	tips, err := findTips(ctx, global, refs, remote)
	if err != nil {
		return err
	}
	var refused []githook.Tip
	runs := false
	for _, tip := range tips {
		switch githook.Decide(tip) {
		case githook.Refuse:
			refused = append(refused, tip)
		case githook.RunFirst:
			runs = true
		}
	}
	switch {
	case len(refused) > 0:
		return refusePush(global, refused)
	case runs:
		if p, err := findProgress(ctx, global); err == nil && p.State == ledger.ProgressPassed { // a read-only checkout can say that, too
			return printProgress(global, formatTable, p)
		}
		return runGates(ctx, global, gateOptions{Options: loop.Options{Command: loop.CommandRun, Strict: true}, format: formatTable})
	}
	return nil
}

// findTips returns what is known about the commits that are pushed.
func findTips(ctx context.Context, global *globalOptions, refs []githook.Ref, remote string) (tips []githook.Tip, err error) {
	err = withWorkspace(ctx, global, openWorkspace, (*workspace).openToRead, func(w *workspace) (err error) {
		tips, err = w.loop().Tips(ctx, refs, remote)
		return err
	})
	return tips, err
}

// maxRefusedShown is how many refused refs are named.
const maxRefusedShown = 20

func refusePush(global *globalOptions, refused []githook.Tip) error {
	quote := func(names []string) string {
		quoted := make([]string, 0, len(names))
		for _, name := range names {
			quoted = append(quoted, text.ShellWord(name))
		}
		return text.EscapeLine(worktree.Named(quoted))
	}
	for n, tip := range refused {
		if n == maxRefusedShown {
			_, _ = fmt.Fprintf(global.stderr, "error: not pushed: %s more\n", fmt.Sprint(len(refused)-n))
			break
		}
		_, _ = fmt.Fprintf(global.stderr, "error: not pushed: %s (%.12s): %s\n", text.EscapeLine(tip.Name()), tip.Commit, tip.Step(quote))
	}
	return exitStatus(exitFailed)
}
