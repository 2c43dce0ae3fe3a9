package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/gate/loop"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newDetectCommand(global *globalOptions) *cobra.Command {
	o := loop.Options{Command: loop.CommandRun}
	var f format
	cmd := &cobra.Command{
		Use:   "detect",
		Short: "Show what the next run would do, and why",
		Long: `Show the next iteration: what it would compare, which gates would run and why,
and which adapter fills each slot. Nothing is run or recorded. If a run has passed
on exactly this code, the next one does nothing, and detect says so.

Exit codes: 0 done, 1 the open loop is about another branch, 2 error.`,
		Example: `  reviewledger detect
  reviewledger detect --uncommitted --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDetect(cmd.Context(), global, o, f)
		},
	}
	addScopeFlags(global, cmd, &o)
	addFormat(global, cmd, &f)
	return cmd
}

func runDetect(ctx context.Context, global *globalOptions, o loop.Options, f format) error {
	if err := expectNamedLedger(global); err != nil {
		return err
	}
	return withWorkspace(ctx, global, openWithBase, (*workspace).openToRead, func(w *workspace) error {
		running, err := w.isRunning()
		if err != nil {
			return err
		}
		d, err := w.loop().Detect(ctx, o)
		var left *ledger.OtherBranch
		if errors.As(err, &left) {
			return w.otherBranch(left, f)
		}
		if err != nil {
			return err
		}
		if f != formatTable {
			for i, job := range d.Jobs {
				d.Jobs[i].Slots = append([]string{}, job.Slots...) // so that no slots are an empty array, not null
			}
			return printItems(global.stdout, f, d.Jobs)
		}
		page := global.newPage()
		if running {
			page.Words("A run is in progress: until it has ended, no other can begin.")
			d.Owed = nil // perhaps that is executed just now
		}
		if showDetection(page, d); !d.LimitReached && d.Passed == "" {
			page.Below(detectionTable(d.Jobs))
		}
		return global.print(page)
	})
}

// otherBranch says that the open loop is about another branch, so that no run would begin.
func (w *workspace) otherBranch(left *ledger.OtherBranch, f format) error {
	w.console.Warn(left.Error())
	if f != formatTable {
		if err := printItems(w.global.stdout, f, []loop.DetectedJob{}); err != nil {
			return err
		}
	}
	return exitStatus(exitFailed)
}

func showDetection(p *text.Page, d loop.Detection) {
	mode := "first run"
	if d.Rerun {
		mode = "rerun"
	}
	closes := fmt.Sprintf("Everything is confirmed or skipped: the run would end with the status %s.", console.StatusText(d.Closes))
	if d.Passed != "" {
		p.Words("%s", d.Passed)
		return
	}
	if d.LimitReached && d.Closes != "" {
		p.Words("%s", closes)
		return
	}
	if d.LimitReached {
		p.Words("Retry limit exceeded: nothing would run.")
		p.Line("Next: %s", d.AtLimit)
		return
	}
	p.Words("Iteration %d (%s): %s", d.Iteration, mode, d.Changes)
	for _, why := range d.Everything {
		p.Words("%s", text.EscapeLine(why))
	}
	if d.Marks > 0 {
		p.Words("The review files contain %s, which would be recorded first.", ledger.Plural(d.Marks, "new mark"))
	}
	if d.Unknown {
		p.Words("The ledger does not have this loop: it would be restored from its files first.")
	}
	for _, owed := range d.Owed {
		p.Words("%s", text.EscapeLine(loop.Sentence(owed)))
	}
	if len(d.Jobs) == 0 {
		if len(d.Changed) == 0 {
			p.Words("No changes detected")
		} else {
			p.Words("No gate applies to these changes")
		}
	}
	if d.Closes != "" {
		p.Words("%s", closes)
	}
	if d.Calls > 0 {
		p.Words("%s, more if a prompt has to be split", ledger.Plural(d.Calls, "model call"))
	}
}

func detectionTable(jobs []loop.DetectedJob) text.Table {
	t := text.Table{Columns: []text.Column{{Title: "JOB", Cut: true, End: true, Late: true}, {Title: "RUNS"}, {Title: "WHY", Cut: true}}}
	for _, job := range jobs {
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{{Text: job.ID}, {Text: yesNo(job.Runs)}, {Text: job.Why}}})
		for _, slot := range job.Slots {
			t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{{}, {}, {Text: slot}}})
		}
	}
	return t
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
