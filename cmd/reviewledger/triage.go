package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/triage"
	"github.com/reviewledger/reviewledger/ledger"
)

func newTriageCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "triage",
		Short: "Go through the open violations, one block after another",
		Long: `Show one open violation of the open run after another, the most important first,
with the proposed fix and the code, and what is perhaps the same, and ask what to do
with them:
  f  mark them fixed
  s  skip them, with words or a reason
  d  dispute them, with words: who reported them withdraws them or insists
  n  leave them as they are
  b  go back to the ones before
  u  take the last answer back
  q  quit; what was answered stays
  ?  help
What a person skips is remembered in later runs (see "skips").

It needs a terminal. Without one, use "violations --open --wide" and "mark".

Exit codes: 0 done, 2 error, 130 interrupted.`,
		Example: "  reviewledger triage",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTriage(cmd.Context(), global) },
	}
}

func runTriage(ctx context.Context, global *globalOptions) error {
	terminal, ok := global.stdin.(*os.File)
	if !ok || !isTerminal(terminal) {
		return errors.New("triage asks on a terminal, and standard input is not a terminal: list what is open with `reviewledger violations --open --wide`, and mark it with `reviewledger mark VIOLATION fixed|skipped`")
	}
	found, code, err := openFindings(ctx, global)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(global.stdout, "No open violations.")
		return err
	}
	session := &triage.Session{
		Input: &keyboard{terminal, bufio.NewReader(terminal)}, Out: global.stdout, Style: global.style(),
		Mark: func(ctx context.Context, v ledger.ListedViolation, m ledger.Mark) (ledger.Marked, error) {
			return markBlock(ctx, global, v, m)
		},
		Restore: func(ctx context.Context, before []ledger.ListedViolation) error { return restore(ctx, global, before) },
	}
	done, err := session.Run(ctx, found, code)
	if errors.Is(err, context.Canceled) {
		_, _ = fmt.Fprintln(global.stdout)
		return exitStatus(exitInterrupted)
	}
	if err != nil {
		return err
	}
	disputed := ""
	if done.Disputed > 0 {
		disputed = fmt.Sprintf("%d disputed, ", done.Disputed)
	}
	if _, err = fmt.Fprintf(global.stdout, "%d fixed, %d skipped, %s%d left open\n", done.Fixed, done.Skipped, disputed, done.Remaining); err != nil {
		return err
	}
	p, err := findProgress(ctx, global)
	if step := p.Step(); step != "" && err == nil {
		return console.WriteNext(global.stdout, step)
	}
	return err
}

// openFindings returns the open violations of the open run, with the code at their places. It
// releases the lock, so that none is held while a person thinks.
func openFindings(ctx context.Context, global *globalOptions) (found []ledger.ListedViolation, code map[string]ledger.Excerpt, err error) {
	err = withWorkspace(ctx, global, openWorkspace, (*workspace).lockToMark, func(w *workspace) (err error) {
		if found, err = w.loop().Open(ctx); err == nil {
			code, err = w.ledger.Excerpts(ctx, found)
		}
		return err
	})
	return found, code, err
}

// markBlock marks the block of a violation of the open run.
func markBlock(ctx context.Context, global *globalOptions, v ledger.ListedViolation, m ledger.Mark) (done ledger.Marked, err error) {
	err = withWorkspace(ctx, global, openWorkspace, (*workspace).lockAndOpen, func(w *workspace) (err error) {
		done, err = w.loop().Mark(ctx, ledger.MarkRequest{IDs: []string{v.ID}, Group: true, Mark: m})
		return explainMark(err)
	})
	return done, err
}

// restore gives violations that were marked the status back that they had, and the words of those that
// were claimed or disputed.
func restore(ctx context.Context, global *globalOptions, before []ledger.ListedViolation) error {
	requests := []ledger.MarkRequest{{Mark: ledger.Mark{Actor: ledger.ActorHuman, Status: ledger.StatusNew}, Once: true}}
	for _, v := range before {
		requests[0].IDs = append(requests[0].IDs, v.ID)
		if v.Status == ledger.StatusFixed || v.Status == ledger.StatusDisputed {
			requests = append(requests, ledger.MarkRequest{IDs: []string{v.ID}, Mark: ledger.Mark{Actor: ledger.ActorHuman, Status: v.Status, Result: v.Result}})
		}
	}
	return withWorkspace(ctx, global, openWorkspace, (*workspace).lockAndOpen, func(w *workspace) error {
		for _, request := range requests {
			if _, err := w.loop().Mark(ctx, request); err != nil {
				return explainMark(err)
			}
		}
		return nil
	})
}
