package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/loop"
)

func newRunCommand(global *globalOptions) *cobra.Command {
	return newGateCommand(global, loop.CommandRun, &cobra.Command{
		Use:   "run",
		Short: "Run all gates on the changes",
		Long: `Run the check gates and review gates of every entry point that has changes. With
an empty log directory, this starts a run and compares with the base branch.
After that it verifies: reviewers see what changed since they reported, and
confirm or contradict what was marked as fixed. The run passes when everything
that was reported is confirmed as fixed or deliberately skipped, and every gate
that it has run has passed.`,
		Example: `  reviewledger run
  reviewledger run --gate lint
  reviewledger run --uncommitted
  reviewledger run --commit HEAD~2`,
	})
}

func newCheckCommand(global *globalOptions) *cobra.Command {
	return newGateCommand(global, loop.CommandCheck, &cobra.Command{
		Use:   "check",
		Short: "Run check gates only",
		Long: `Run the check gates as "reviewledger run" does. Outstanding reviews stay
outstanding: with open violations, the result is Failed.`,
		Example: `  reviewledger check
  reviewledger check --gate lint`,
	})
}

func newReviewCommand(global *globalOptions) *cobra.Command {
	return newGateCommand(global, loop.CommandReview, &cobra.Command{
		Use:   "review",
		Short: "Run review gates only",
		Long: `Run the review gates as "reviewledger run" does. Failed checks stay failed: the
result is Failed until they pass.`,
		Example: `  reviewledger review
  reviewledger review --gate security`,
	})
}

// newGateCommand adds to the command what run, check and review share.
func newGateCommand(global *globalOptions, command loop.Command, cmd *cobra.Command) *cobra.Command {
	o := loop.Options{Command: command}
	cmd.Args = noArgs
	cmd.Long += "\n\n" + exitCodes
	addScopeFlags(global, cmd, &o)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return runGates(cmd.Context(), global, o)
	}
	return cmd
}

func addScopeFlags(global *globalOptions, cmd *cobra.Command, o *loop.Options) {
	flags := cmd.Flags()
	flags.VarP(textFlag{&o.BaseBranch}, "base-branch", "b", "compare with this branch or revision (default: base_branch in the configuration)")
	flags.VarP(textFlag{&o.Gate}, "gate", "g", "run only this gate")
	completeConfigured(global, cmd, o.Command)
	flags.VarP(textFlag{&o.Commit}, "commit", "c", "review this commit instead")
	flags.BoolVarP(&o.Uncommitted, "uncommitted", "u", false, "review the uncommitted changes instead")
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("unexpected argument %q: `%s` does not take arguments", args[0], cmd.CommandPath())
	}
	return nil
}

func runGates(ctx context.Context, global *globalOptions, o loop.Options) (err error) {
	w, err := openWorkspace(ctx, global)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.takeLock(ctx); err != nil {
		return err
	}
	if w.needLedger() != nil { // it may be made in the worktree, and is not reviewed there
		if err := w.openLedger(ctx); err != nil {
			return err
		}
	}
	ahead := w.worktree().SnapshotAhead(ctx)
	defer ahead.Stop()
	if w.ledger == nil {
		if err := w.openLedger(ctx); err != nil {
			return err
		}
	}
	runner := w.loop()
	runner.Ahead = ahead
	outcome, err := runner.Run(ctx, o)
	if err := errors.Join(err, w.logs.Close()); err != nil {
		return err
	}
	if code := outcome.ExitCode(); code != exitPassed {
		return exitStatus(code)
	}
	return nil
}
