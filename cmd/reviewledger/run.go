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
		Short: "Run all gates over what changed",
		Long: `Run runs the check gates and review gates of every entry point that changes
touch. In an empty log directory it starts a run and compares with the base
branch. After that it verifies: reviewers see what changed since they reported,
and confirm or contradict what was marked as fixed. The run passes when
everything that was reported is confirmed as fixed or deliberately skipped, and
every gate that it ever executed has passed.`,
		Example: `  reviewledger run
  reviewledger run --gate lint
  reviewledger run --uncommitted
  reviewledger run --commit HEAD~2`,
	})
}

func newCheckCommand(global *globalOptions) *cobra.Command {
	return newGateCommand(global, loop.CommandCheck, &cobra.Command{
		Use:   "check",
		Short: "Run the check gates only",
		Long: `Check runs the check gates as run does. Reviews that are outstanding stay so:
over open violations the result is Failed.`,
		Example: `  reviewledger check
  reviewledger check --gate lint`,
	})
}

func newReviewCommand(global *globalOptions) *cobra.Command {
	return newGateCommand(global, loop.CommandReview, &cobra.Command{
		Use:   "review",
		Short: "Run the review gates only",
		Long: `Review runs the review gates as run does. Checks that failed stay so: the
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
	flags.VarP(textFlag{&o.BaseBranch}, "base-branch", "b", "compare with this branch or revision (default: base_branch of the configuration)")
	flags.VarP(textFlag{&o.Gate}, "gate", "g", "run only the gate of this name")
	completeConfigured(global, cmd, o.Command)
	flags.VarP(textFlag{&o.Commit}, "commit", "c", "review this commit instead")
	flags.BoolVarP(&o.Uncommitted, "uncommitted", "u", false, "review the uncommitted changes instead")
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("%s takes no arguments, and got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

func runGates(ctx context.Context, global *globalOptions, o loop.Options) (err error) {
	w, err := openWorkspace(ctx, global)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.lockAndOpen(ctx); err != nil {
		return err
	}
	outcome, err := w.loop().Run(ctx, o)
	if err := errors.Join(err, w.logs.Close()); err != nil {
		return err
	}
	if code := outcome.ExitCode(); code != exitPassed {
		return exitStatus(code)
	}
	return nil
}
