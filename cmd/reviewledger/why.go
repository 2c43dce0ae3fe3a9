package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newWhyCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "why [VIOLATION|ADDRESS|RUN]",
		Short: "Explain a decision",
		Long: `Explain in plain sentences why a violation has its status, why a report was
filtered, why a check or a slot of a review was skipped, passed or failed, or why a
run passed or not, and show the ledger rows behind the explanation. Without an argument,
or with last, it is about the latest run. The address of a slot is
RUN/ITERATION/JOB@INDEX; that of a check or of a whole review has no @INDEX. Run
and iteration can be omitted if the latest are meant.

` + queryExitCodes,
		Example: `  reviewledger why 8f3kq2
  reviewledger why 01KB3/2/review:src:quality@1
  reviewledger why check:src:lint
  reviewledger why last
  reviewledger why 01KB3`,
		Args:              optionalArg,
		ValidArgsFunction: completeArgs(global, inTurn(completeViolations(), completeRuns(global)), 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runWhy(cmd.Context(), global, f, first(args))
		},
	}
	addFormat(global, cmd, &f)
	addTeam(global, cmd)
	return cmd
}

func runWhy(ctx context.Context, global *globalOptions, f format, subject string) error {
	return withQuestions(ctx, global, nil, func(l *store.Store) error {
		e, err := explain(ctx, l, subject)
		if err != nil {
			return err
		}
		return printOne(global, f, listings.Why(e), func(p *text.Page) error {
			for _, sentence := range listings.WhySentences(e) {
				p.Words("%s", text.EscapeLine(sentence))
			}
			if e.Report != nil {
				showCode(p, *e.Report)
			}
			p.Below(listings.WhyTable(e))
			return nil
		})
	})
}

func explain(ctx context.Context, l *store.Store, subject string) (ledger.Explanation, error) {
	if a, ok := ledger.ParseAddress(subject); ok {
		return explainGate(ctx, l, a)
	}
	run, runErr := filters.FindRun(ctx, l, subject)
	switch {
	case runErr == nil:
		return l.ExplainRun(ctx, run.ID) // run IDs are long, and people type only their beginning
	case errors.Is(runErr, ledger.ErrAmbiguous):
		return ledger.Explanation{}, runErr
	}
	history, violationErr := l.History(ctx, subject)
	switch {
	case violationErr == nil:
		return ledger.ExplainViolation(history), nil
	case !errors.Is(violationErr, ledger.ErrNotFound):
		return ledger.Explanation{}, violationErr
	}
	report, run, err := findReport(ctx, l, subject)
	switch {
	case err == nil:
		return ledger.ExplainReport(report, run), nil
	case !errors.Is(err, ledger.ErrNotFound):
		return ledger.Explanation{}, err
	case !errors.Is(runErr, ledger.ErrNotFound):
		return ledger.Explanation{}, runErr
	}
	return ledger.Explanation{}, fmt.Errorf("no violation, run or address matches %q (see: reviewledger violations, reviewledger runs; an address is RUN/ITERATION/JOB@INDEX)", subject)
}

// findReport returns a filtered report and its run.
func findReport(ctx context.Context, l *store.Store, id string) (report ledger.Report, run ledger.Run, err error) {
	if report, err = l.FindReport(ctx, id); err != nil {
		return report, run, err
	}
	run, err = l.FindRun(ctx, report.Run)
	return report, run, err
}

func explainGate(ctx context.Context, l *store.Store, a ledger.Address) (ledger.Explanation, error) {
	run, err := filters.FindRun(ctx, l, a.Run)
	if err != nil {
		return ledger.Explanation{}, err
	}
	state, err := l.RunDetail(ctx, run.ID)
	if err != nil {
		return ledger.Explanation{}, err
	}
	gate := state.Gate(a)
	if gate == nil || a.Slot > 0 && gate.Slot(a.Slot) == nil {
		return ledger.Explanation{}, unknownGate(run, a)
	}
	if a.Slot == 0 {
		return ledger.ExplainGate(state, gate), nil
	}
	ref := ledger.SlotRef{Job: a.Job, Slot: a.Slot, Iteration: gate.Iteration}
	reports, err := l.SlotReports(ctx, run.ID, ref)
	if err != nil {
		return ledger.Explanation{}, err
	}
	return ledger.ExplainSlot(state, ref, reports)
}
