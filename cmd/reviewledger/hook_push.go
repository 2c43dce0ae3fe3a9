package main

import (
	"bytes"
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
	var said bytes.Buffer
	asking := *global
	asking.stderr = &said
	refused, runs, err := askAboutPush(ctx, &asking, refs, remote)
	if err == nil && len(refused) == 0 && runs { // which repeats what was said
		return runGates(ctx, global, gateOptions{Options: loop.Options{Command: loop.CommandRun, Strict: true}, format: formatTable})
	}
	if _, err := said.WriteTo(global.stderr); err != nil {
		return err
	}
	if err != nil || len(refused) == 0 {
		return err
	}
	return refusePush(global, refused)
}

// askAboutPush returns which of the commits that are pushed are refused, and whether the gates have to
// run to decide. A checked-out tree that has passed already is said to have; that needs no gates, and
// can be said in a read-only checkout.
func askAboutPush(ctx context.Context, global *globalOptions, refs []githook.Ref, remote string) (refused []githook.Tip, runs bool, err error) {
	err = withWorkspace(ctx, global, openWithBase, (*workspace).openToRead, func(w *workspace) error {
		tips, err := w.loop().Tips(ctx, refs, remote)
		if err != nil {
			return err
		}
		for _, tip := range tips {
			switch githook.Decide(tip) {
			case githook.Refuse:
				refused = append(refused, tip)
			case githook.RunFirst:
				runs = true
			}
		}
		if len(refused) > 0 || !runs {
			return nil
		}
		p, unknown := w.progress(ctx)
		if unknown != nil || p.State != ledger.ProgressPassed {
			return nil //nolint:nilerr // the gates find the error, too
		}
		runs = false
		return printProgress(global, formatTable, p)
	})
	return refused, runs, err
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
