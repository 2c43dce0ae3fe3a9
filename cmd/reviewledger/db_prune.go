package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newDBPruneCommand(global *globalOptions) *cobra.Command {
	before := filters.When{At: new(time.Time)}
	var o pruning
	cmd := &cobra.Command{
		Use:   "prune {--before TIME | --content-only [--before TIME]}",
		Short: "Remove old runs, or only their prompts, answers and logs",
		Long: `Remove runs that ended before a time, with their violations and history, and give
the space back to the file system. To be able to undo it, run "db backup" first.
Reports count only what is left. Without --yes, you are asked first; --dry-run only
says what would go.

These runs stay, however old they are:

  - those that are open
  - those with a skip that is remembered: see "skips" and "skips forget"
  - the latest of each worktree and log directory
  - those that failed on a tree on which an older run passed, if that one stays
  - those on whose pass a run rests that stays

With --content-only all runs and their history stay, and only the prompts, answers,
logs and code excerpts of runs that have ended go. To do this regularly, set
keep_content in the configuration.

To import a dump that holds a removed run brings the run back.`,
		Example: `  reviewledger db prune --before 365d --yes
  reviewledger db prune --content-only --yes
  reviewledger db prune --before 90d --dry-run`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case before.Text == "" && !o.contentOnly:
				return usageError("missing --before or --content-only: --before TIME removes runs that ended before then, " +
					"and --content-only only their prompts, answers, logs and excerpts")
			case before.Text == "":
				*before.At = time.Now()
			}
			return runDBPrune(cmd.Context(), global, *before.At, o)
		},
	}
	cmd.Flags().BoolVar(&o.contentOnly, "content-only", false, "remove prompts, answers, logs and excerpts, and nothing else")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.MarkFlagsMutuallyExclusive("yes", "dry-run")
	addAnswer(global, cmd, &o.format)
	cmd.Flags().Var(&before, "before", "only of runs that ended before this time: 90d (ago), 2026-01-31, or RFC 3339")
	return cmd
}

// pruning describes what db prune removes, and whether it asks before.
type pruning struct {
	contentOnly, yes, dryRun bool
	format                   format
}

// prunedJSON says what was removed, or would be.
type prunedJSON struct {
	DryRun bool `json:"dry_run"`
	Runs   int  `json:"runs"`
	// Violations are 0 with --content-only, and Texts without. Texts are null in a dry run, where they
	// are not counted.
	Violations  int           `json:"violations"`
	Texts       *int          `json:"texts"`
	Kept        keptJSON      `json:"kept"`
	Skips       []skippedJSON `json:"skips"`
	Bytes       int64         `json:"bytes"`
	BytesBefore int64         `json:"bytes_before"`
}

// keptJSON counts old runs that stay, by the reason.
type keptJSON struct {
	Remembering   int `json:"remembering"`
	Latest        int `json:"latest"`
	Contradicting int `json:"contradicting"`
	Rested        int `json:"rested"`
}

// skippedJSON is a skip that goes with its run.
type skippedJSON struct {
	ID string `json:"id"`
	ledger.Place
	Issue  string `json:"issue"`
	Reason string `json:"reason"`
}

// take takes over what was removed with whole runs.
func (p *prunedJSON) take(r store.RemovedRuns) {
	p.Runs, p.Violations, p.Texts = r.Runs, r.Violations, new(int)
	p.Kept = keptJSON{r.Remembering, r.Latest, r.Contradicting, r.Rested}
	for _, v := range r.Skips {
		p.Skips = append(p.Skips, skippedJSON{v.ShortID, v.Place, v.Issue, v.SkipInFull()})
	}
}

// what names what was removed, or would be.
func (p prunedJSON) what(contentOnly bool) string {
	switch {
	case !contentOnly:
		return ledger.Plural(p.Runs, "run") + " with " + ledger.Plural(p.Violations, "violation")
	case p.Texts == nil:
		return "the prompts, answers, logs and excerpts of " + ledger.Plural(p.Runs, "run")
	}
	return fmt.Sprintf("%s of %s", ledger.Plural(*p.Texts, "text"), ledger.Plural(p.Runs, "run"))
}

// lines has a line for each reason for which runs are kept, and one for each skip that goes.
func (p prunedJSON) lines() (lines string) {
	for _, reason := range []struct {
		runs         int
		one, several string
	}{
		{p.Kept.Remembering, "has a skip that is remembered", "have skips that are remembered"},
		{p.Kept.Latest, "is the latest of its worktree", "are the latest of their worktrees"},
		{p.Kept.Contradicting, "failed on a tree that an older run passed", "failed on trees that older runs passed"},
		{p.Kept.Rested, "passed, and a later run rests on that", "passed, and later runs rest on that"},
	} {
		if reason.runs > 0 {
			lines += "Kept: " + ledger.PluralVerb(reason.runs, "run", reason.one, reason.several) + ".\n"
		}
	}
	label := "Removed a skip"
	if p.DryRun {
		label = "Would remove a skip"
	}
	for _, skip := range p.Skips {
		lines += fmt.Sprintf("%s: %s %s %s: %s\n", label, skip.ID, text.EscapeLine(skip.Place.String()), text.OnOneLine(skip.Issue), text.OnOneLine(skip.Reason))
	}
	return lines
}

// removable says what would be removed.
func (o pruning) removable(ctx context.Context, l *store.Store, before time.Time) (p prunedJSON, err error) {
	p = prunedJSON{DryRun: true, Skips: []skippedJSON{}}
	if o.contentOnly {
		p.Runs, err = l.RunsWithContent(ctx, before)
		return p, err
	}
	removable, err := l.RemovableRuns(ctx, before)
	p.take(removable)
	return p, err
}

func (o pruning) remove(ctx context.Context, l *store.Store, before time.Time, progress func(done, all int)) (p prunedJSON, err error) {
	p.Skips = []skippedJSON{}
	if o.contentOnly {
		removed, err := l.RemoveContent(ctx, before, progress)
		p.Runs, p.Texts = removed.Runs, &removed.Texts
		return p, err
	}
	removed, err := l.RemoveRuns(ctx, before, progress)
	p.take(removed)
	return p, err
}

func runDBPrune(ctx context.Context, global *globalOptions, before time.Time, o pruning) (err error) {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	if err := expectLedger(path); err != nil {
		return err
	}
	l, err := openLedger(ctx, global, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	size := ledgerSize(path)
	if !o.yes {
		would, err := o.removable(ctx, l, before)
		would.Bytes, would.BytesBefore = size, size
		what := would.what(o.contentOnly)
		switch {
		case err != nil:
			return err
		case o.dryRun:
			return printOne(global, o.format, would, func(p *text.Page) error {
				p.Words("Would remove %s.", what)
				p.WriteString(would.lines())
				return nil
			})
		}
		if err := confirm(global, "remove", what, would.lines(), ", --dry-run removes nothing"); err != nil {
			return err
		}
	}
	line := newLiveLine(global)
	defer line.clear()
	removed, err := o.remove(ctx, l, before, func(done, all int) { line.show("Run %d of %d", done, all) })
	if err != nil {
		return err
	}
	line.show("Giving the space back")
	if err := l.Compact(ctx); err != nil {
		return err
	}
	line.clear()
	removed.Bytes, removed.BytesBefore = ledgerSize(path), size
	return printOne(global, o.format, removed, func(p *text.Page) error {
		p.Words("Removed %s. The ledger takes up %d bytes (before: %d).", removed.what(o.contentOnly), removed.Bytes, removed.BytesBefore)
		p.WriteString(removed.lines())
		return nil
	})
}

// ledgerSize returns the size in bytes of the ledger and its -wal.
func ledgerSize(path string) int64 {
	size := int64(0)
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}
