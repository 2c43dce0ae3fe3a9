package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newSkipsCommand(global *globalOptions) *cobra.Command {
	var f format
	var limit int
	cmd := &cobra.Command{
		Use:   "skips",
		Short: "List the skips that later runs remember",
		Long: `List the skips of this repository that later runs remember, with how often
reviewers have reported the same again.

A violation that a person marks skipped is remembered, unless the reason is
deferred or out_of_scope: a later report by the same gate, on the same line, in the
same words and with no higher priority is filtered, and the console names the skip.
"mark --remember" and "mark --no-remember" decide otherwise. A skip has expired when
its line is no longer in the file.

` + queryExitCodes,
		Example: `  reviewledger skips
  reviewledger skips forget 8f3kq2`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := filters.Positive("limit", limit); err != nil {
				return err
			}
			return runSkips(cmd.Context(), global, f, limit, global.cutOnTerminal(cmd, f))
		},
	}
	filters.AddLimit(cmd.Flags(), &limit, 0)
	addFormat(global, cmd, &f)
	cmd.AddCommand(newSkipsForgetCommand(global))
	return cmd
}

func runSkips(ctx context.Context, global *globalOptions, f format, limit, shown int) error {
	return withWorkspace(ctx, global, openForQuestion, withoutLedger, func(w *workspace) error {
		found, err := w.rememberedSkips(ctx)
		if err != nil {
			return err
		}
		all := len(found)
		if limit > 0 {
			found = found[:min(limit, all)]
		}
		lines := slots.NewLines(w.repo.Root)
		for i, skip := range found {
			found[i].Expired = new(lines.Expired(skip))
		}
		return printListing(global, f, listing[ledger.Skip]{
			rows: text.All(found), nothing: "No remembered skips.", columns: listings.Skips, table: listings.SkipsTable,
			cut: cut{rows: shown, which: "first", all: func() (string, error) { return strconv.Itoa(all), nil }},
		})
	})
}

// rememberedSkips returns the remembered skips of this repository. A ledger in the repository's own
// place has no others.
func (w *workspace) rememberedSkips(ctx context.Context) (found []ledger.Skip, err error) {
	w.ledger, err = store.OpenReadOnly(ctx, w.databasePath(), store.Options{})
	if noLedgerYet(w.global, err) {
		w.ledger = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	of := &w.repository
	if namedDatabase(w.global) == "" {
		of = nil
	}
	return w.ledger.RememberedSkips(ctx, of)
}

func newSkipsForgetCommand(global *globalOptions) *cobra.Command {
	var as ledger.Actor
	var f format
	cmd := &cobra.Command{
		Use:   "forget VIOLATION",
		Short: "Stop remembering a skip",
		Long: `Stop remembering the skip of a violation: the next run reports it again if a
reviewer does. The violation itself stays skipped. In an open run, a slot of which a
report was filtered because of it is asked again.`,
		Example:           "  reviewledger skips forget 8f3kq2",
		Args:              oneArg("a violation ID"),
		ValidArgsFunction: completeArgs(global, completeViolations(ledger.StatusSkipped), 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSkipsForget(cmd.Context(), global, f, args[0], markActor(global, as))
		},
	}
	addActor(global, cmd, &as)
	addAnswer(global, cmd, &f)
	return cmd
}

func runSkipsForget(ctx context.Context, global *globalOptions, f format, id string, by ledger.Actor) error {
	return withWorkspace(ctx, global, openForQuestion, (*workspace).openNeededLedger, func(w *workspace) error {
		skip, err := w.ledger.ForgetSkip(ctx, id, by)
		if err != nil {
			return fmt.Errorf("%w (see: reviewledger skips)", err)
		}
		skip.Remembered = false
		return printOne(global, f, listings.Skips.Object(skip), func(p *text.Page) error {
			p.Words("%s: forgotten - %s %s", skip.ShortID, text.EscapeLine(skip.Place.String()), text.EscapeLine(skip.Issue))
			return nil
		})
	})
}
