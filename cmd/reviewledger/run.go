package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/gate/loop"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
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
that it has run has passed.

If a run has passed on exactly this code, this does nothing and says so; --again
reviews everything again, and --force runs the checks.`,
		Example: `  reviewledger run
  reviewledger run --gate lint --gate security
  reviewledger run --force --quiet
  reviewledger run --again
  reviewledger run --whole
  reviewledger run --format json
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

// gateOptions are the flags of run, check and review.
type gateOptions struct {
	loop.Options
	format format
	quiet  bool
	// verbose also lists in each summary what was fixed and skipped before.
	verbose bool
	// as is who extends the run.
	as ledger.Actor
}

// newGateCommand adds to the command what run, check and review have in common.
func newGateCommand(global *globalOptions, command loop.Command, cmd *cobra.Command) *cobra.Command {
	o := gateOptions{Options: loop.Options{Command: command}}
	cmd.Args = noArgs
	cmd.Long += `

With --format json, progress goes to stderr, and one object with the result to stdout,
even if gates fail, nothing runs, or there is an error.

` + exitCodes
	addScopeFlags(global, cmd, &o.Options)
	addFormats(global, cmd, &o.format, formatTable, formatJSON)
	flags := cmd.Flags()
	flags.BoolVar(&o.Force, "force", false, "also run gates that do not have to run again")
	if command == loop.CommandRun {
		flags.IntVar(&o.Extend, "extend", 0, "allow the open run `N` more iterations that fail, which only a person may (--as human)")
		addChoice(global, cmd, &o.as, "as", "who extends the run", []ledger.Actor{ledger.ActorHuman})
		flags.BoolVar(&o.Again, "again", false, "review everything again even if it has passed already")
	}
	if command != loop.CommandCheck {
		flags.BoolVar(&o.Whole, "whole", false, "show reviewers everything that changed, not only what changed since a run that passed")
	}
	flags.BoolVar(&o.Strict, "strict", false, "exit with 0 only if the change has passed as it is now, even if nothing runs")
	if command != loop.CommandReview {
		flags.BoolVar(&o.Baseline, "baseline", false, "run failed checks on the base, too, and say whether they fail there")
	}
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print only the summary, warnings and what to do next")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "also list in the summary what was fixed and skipped before, with its whole words")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("extend") {
			switch {
			case o.as != ledger.ActorHuman:
				return usageError("only a person allows more iterations than max_retries: --extend needs --as human")
			case o.Extend < 1 || o.Extend > maxExtend:
				return usageError("--extend %d: give a number from 1 to %d", o.Extend, maxExtend)
			}
		}
		return runGates(cmd.Context(), global, o)
	}
	return cmd
}

// maxExtend is the largest number of iterations that one command allows.
const maxExtend = 100

func addScopeFlags(global *globalOptions, cmd *cobra.Command, o *loop.Options) {
	flags := cmd.Flags()
	flags.VarP(filters.Text(&o.BaseBranch), "base-branch", "b", "compare with this branch or revision (default: base_branch in the configuration)")
	flags.VarP(filters.Texts(&o.Gates), "gate", "g", "run only this gate (repeatable)")
	complete(global, cmd, "base-branch", completeGitBranches(global))
	complete(global, cmd, "gate", completeConfigured(global, o.Command))
	flags.VarP(filters.Text(&o.Commit), "commit", "c", "review this commit instead")
	flags.BoolVarP(&o.Uncommitted, "uncommitted", "u", false, "review the uncommitted changes instead")
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("unexpected argument %q: `%s` does not take arguments", args[0], cmd.CommandPath())
	}
	return nil
}

func runGates(ctx context.Context, global *globalOptions, o gateOptions) error {
	result, err := gatesResult(ctx, global, o)
	if o.format == formatJSON {
		result.ExitCode = exitCodeOf(ctx, result.ExitCode, err)
		if err != nil {
			result.Error = advised(err).Error()
		}
		err = errors.Join(err, printJSON(global.stdout, listings.RunResult(result)))
	}
	if err == nil && result.ExitCode != exitPassed {
		return exitStatus(result.ExitCode)
	}
	return err
}

// exitCodeOf returns the exit code of the process.
//
// Rule: The exit code says what happened.
func exitCodeOf(ctx context.Context, code int, err error) int {
	switch {
	case err == nil:
		return code
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitError
}

// gatesResult runs gates and returns the result, as far as there is one.
func gatesResult(ctx context.Context, global *globalOptions, o gateOptions) (result ledger.RunResult, err error) {
	w, err := openWithBase(ctx, global)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, w.closeAndPush(ctx)) }()
	if o.format == formatJSON {
		w.console = console.NewConsole(global.stderr, global.stderr, text.Style{})
	}
	if o.quiet {
		w.console.Quiet()
	}
	if o.verbose {
		w.console.Verbose()
	}
	ahead, err := w.openAhead(ctx)
	if err != nil {
		return result, err
	}
	defer ahead.Stop()
	defer w.animate(ctx, o.quiet || o.format == formatJSON)()
	runner := w.loop()
	runner.Ahead = ahead
	outcome, err := runner.Run(ctx, o.Options)
	err = errors.Join(err, w.logs.Close())
	if o.format != formatJSON {
		return ledger.RunResult{ExitCode: outcome.ExitCode()}, err
	}
	result, failed := runner.Result(context.WithoutCancel(ctx), outcome)
	return result, errors.Join(err, failed)
}

// openAhead takes the worktree's lock, and opens the ledger while the snapshot is taken.
func (w *workspace) openAhead(ctx context.Context) (*worktree.Ahead, error) {
	if err := w.takeLock(ctx); err != nil {
		return nil, err
	}
	if w.needLedger() != nil { // a new ledger may be in the worktree, where it must not be part of the snapshot
		if err := w.openLedger(ctx); err != nil {
			return nil, err
		}
	}
	ahead := w.worktree().SnapshotAhead(ctx)
	if w.ledger == nil {
		if err := w.openLedger(ctx); err != nil {
			ahead.Stop()
			return nil, err
		}
	}
	return ahead, nil
}
