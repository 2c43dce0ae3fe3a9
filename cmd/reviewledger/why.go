package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/export/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newWhyCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "why VIOLATION|SLOT|RUN",
		Short: "Explain a decision",
		Long: `Explain in plain sentences why a violation has its status, why a slot was
skipped, passed or failed, or why a run passed or not, and show the ledger rows
behind the explanation. A slot is RUN/ITERATION/JOB@INDEX.

` + queryExitCodes,
		Example: `  reviewledger why 8f3kq2
  reviewledger why 01KB3/2/review:src:quality@1
  reviewledger why 01KB3`,
		Args:              oneArg("a violation ID, a run ID or a slot"),
		ValidArgsFunction: completeArgs(global, completeWhy, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runWhy(cmd.Context(), global, f, args[0])
		},
	}
	addFormat(global, cmd, &f)
	return cmd
}

func runWhy(ctx context.Context, global *globalOptions, f format, subject string) error {
	return withLedger(ctx, global, func(l *store.Store) error {
		e, err := explain(ctx, l, subject)
		if err != nil {
			return err
		}
		return printOne(global, f, listings.NewWhyJSON(e), func(w io.Writer) error {
			for _, sentence := range e.Sentences {
				if _, err := fmt.Fprintln(w, text.EscapeLine(sentence)); err != nil {
					return err
				}
			}
			if r := e.Report; r != nil {
				if err := writeCode(global, w, *r); err != nil {
					return err
				}
			}
			if len(e.Rows) == 0 {
				return nil
			}
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
			return listings.WhyTable(e).Write(w, global.style(), global.width())
		})
	})
}

// slotForm is a slot on the command line. The job may hold anything, also @.
var slotForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9A-Za-z]{1,26})/([1-9][0-9]{0,8})/(.+)@([1-9][0-9]{0,8})$`)
})

// parseSlot reads a slot's name.
func parseSlot(text string) (run string, ref ledger.SlotRef, ok bool) {
	m := slotForm().FindStringSubmatch(text)
	if m == nil {
		return "", ref, false
	}
	ref.Job = m[3]
	ref.Iteration, _ = strconv.Atoi(m[2])
	ref.Slot, _ = strconv.Atoi(m[4])
	return m[1], ref, true
}

func explain(ctx context.Context, l *store.Store, subject string) (ledger.Explanation, error) {
	if prefix, ref, ok := parseSlot(subject); ok {
		return explainSlot(ctx, l, prefix, ref)
	}
	run, runErr := l.FindRunByPrefix(ctx, subject)
	if runErr == nil && run.ID == strings.ToUpper(subject) {
		return explainRun(ctx, l, run.ID) // a whole id names nothing else
	}
	history, violationErr := l.History(ctx, subject)
	switch {
	case violationErr == nil && runErr == nil:
		return ledger.Explanation{}, fmt.Errorf("%w %q: matches violation %s and run %s; use more characters", ledger.ErrAmbiguous, subject, history.Violation.ShortID, run.ID)
	case violationErr == nil:
		return ledger.ExplainViolation(history), nil
	case runErr == nil:
		return explainRun(ctx, l, run.ID)
	case !errors.Is(violationErr, ledger.ErrNotFound):
		return ledger.Explanation{}, violationErr
	case !errors.Is(runErr, ledger.ErrNotFound):
		return ledger.Explanation{}, runErr
	}
	return ledger.Explanation{}, fmt.Errorf("no violation, run or slot matches %q (see: reviewledger violations, reviewledger runs; a slot is RUN/ITERATION/JOB@INDEX)", subject)
}

func explainRun(ctx context.Context, l *store.Store, run string) (ledger.Explanation, error) {
	state, err := l.State(ctx, run)
	if err != nil {
		return ledger.Explanation{}, err
	}
	if state.Run.Verdict == "" {
		return ledger.ExplainRun(state), nil
	}
	v, err := l.Verdict(ctx, run)
	if err != nil {
		return ledger.Explanation{}, err
	}
	computed, err := l.Verdicts(ctx, run)
	return ledger.ExplainReview(state, v, computed), err
}

func explainSlot(ctx context.Context, l *store.Store, prefix string, ref ledger.SlotRef) (ledger.Explanation, error) {
	run, err := findRun(ctx, l, prefix)
	if err != nil {
		return ledger.Explanation{}, err
	}
	state, err := l.RunDetail(ctx, run.ID)
	if err != nil {
		return ledger.Explanation{}, err
	}
	reports, err := l.SlotReports(ctx, run.ID, ref)
	if err == nil {
		var e ledger.Explanation
		if e, err = ledger.ExplainSlot(state, ref, reports); err == nil {
			return e, nil
		}
	}
	if errors.Is(err, ledger.ErrNotFound) {
		return ledger.Explanation{}, fmt.Errorf("run %s does not have a slot %s@%d in iteration %d (see: reviewledger show %s)", run.ID, ref.Job, ref.Slot, ref.Iteration, run.ID)
	}
	return ledger.Explanation{}, err
}
