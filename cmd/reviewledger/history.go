package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newHistoryCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "history VIOLATION",
		Short: "Show what happened to a violation",
		Long: `Show every status change of a violation from the first report on, and every
report of it. A violation is named by its ID or a unique prefix. For a report that
was filtered, show its text.

` + queryExitCodes,
		Example:           "  reviewledger history 8f3kq2",
		Args:              oneArg("a violation ID"),
		ValidArgsFunction: completeArgs(global, completeViolations(), 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runHistory(cmd.Context(), global, f, args[0])
		},
	}
	addFormat(global, cmd, &f)
	addTeam(global, cmd)
	return cmd
}

func runHistory(ctx context.Context, global *globalOptions, f format, id string) error {
	return withQuestions(ctx, global, nil, func(l *store.Store) error {
		h, err := l.History(ctx, id)
		if errors.Is(err, ledger.ErrNotFound) {
			if r, unknown := l.FindReport(ctx, id); unknown == nil {
				return printReport(global, f, r)
			}
		}
		if err != nil {
			return explainUnknown(err, global)
		}
		return printOne(global, f, listings.History(h), func(p *text.Page) error {
			v := h.Violation
			p.Words("Violation %s (%s) of run %s\n%s:%s, %s, %s: %s", v.ShortID, v.Shown(), v.Run,
				text.EscapeLine(v.EntryPoint), text.EscapeLine(v.Gate), v.Priority, text.EscapeLine(v.Place.String()), text.EscapeLine(v.Issue))
			if joined := v.JoinedToIt(); joined != "" {
				p.Words("Joined to it: %s", text.EscapeLine(joined))
			}
			if v.SeenBefore != "" {
				p.Line("Seen before as %s", text.EscapeLine(v.SeenBefore))
			}
			if v.SaidGone() {
				p.Words("Said to be gone, but not marked: %s", text.EscapeLine(v.Gone.String()))
			}
			showCode(p, h.Latest())
			p.Below(listings.HistoryTables(h))
			return nil
		})
	})
}

// printReport shows a filtered report that nobody has taken up.
func printReport(global *globalOptions, f format, r ledger.Report) error {
	return printOne(global, f, listings.History(ledger.History{Reports: []ledger.Report{r}}), func(p *text.Page) error {
		p.Words("Report %s (%s) of run %s\n%s:%s, %s, %s: %s\n%s: nobody has taken it up (see: reviewledger why %s)", r.ID, r.Disposition, r.Run,
			text.EscapeLine(r.EntryPoint), text.EscapeLine(r.Gate), r.Priority, text.EscapeLine(r.Place.String()), text.EscapeLine(r.Issue), text.EscapeLine(r.Reason), r.ID)
		showCode(p, r)
		return nil
	})
}

// showCode shows the proposed fix and the code that the report is about.
func showCode(p *text.Page, r ledger.Report) {
	listings.WriteCode(p, r.Place, r.Fix, ledger.Excerpt{}, "")
	if r.Excerpt.Text != "" {
		p.Line("The code as it was in iteration %d:", r.Iteration)
		listings.WriteCode(p, r.Place, "", r.Excerpt, "")
	}
}

// explainUnknown adds to the error about an unknown ID how to list the known ones.
func explainUnknown(err error, global *globalOptions) error {
	if errors.Is(err, ledger.ErrNotFound) {
		return fmt.Errorf("%w (see: %s)", err, global.asking("reviewledger violations"))
	}
	return err
}
