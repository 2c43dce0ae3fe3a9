package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newExportSlotCommand(global *globalOptions) *cobra.Command {
	e := &runExport{global: global}
	log, marked := false, false
	cmd := &cobra.Command{
		Use:   "slot RUN/ITERATION/JOB[@INDEX]",
		Short: "Write the JSON file or the log of a slot, or the log of a check",
		Long: `Write the JSON file of a recorded slot as its iteration wrote it, without later
marks; what it had carried over from an earlier iteration is at its present
place. With --marked, write it as the ledger last wrote it, to restore a file that
was broken; with --log, its log. For a check, which has no @INDEX, write its log;
the ledger keeps only the end of a long one.

` + exportExitCodes,
		Example: `  reviewledger export slot 01KB3/2/review:src:quality@1
  reviewledger export slot 01KB3/2/review:src:quality@1 --log
  reviewledger export slot 01KB3/2/review:src:quality@1 --marked
  reviewledger export slot 01KB3/2/check:src:lint`,
		Args: oneArg("a slot, RUN/ITERATION/JOB@INDEX, or a check, RUN/ITERATION/JOB"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withLedger(cmd.Context(), global, func(l *store.Store) error {
				data, err := slotFile(cmd.Context(), l, args[0], log, marked)
				if err != nil {
					return err
				}
				return global.writeTo(e.output, data)
			})
		},
	}
	addOutput(cmd, &e.output)
	cmd.Flags().BoolVar(&log, "log", false, "the slot's log instead of its JSON file")
	cmd.Flags().BoolVar(&marked, "marked", false, "the JSON file with what was marked since")
	cmd.MarkFlagsMutuallyExclusive("log", "marked")
	return cmd
}

func slotFile(ctx context.Context, l *store.Store, address string, log, marked bool) ([]byte, error) {
	a, ok := ledger.ParseAddress(address)
	if !ok {
		return nil, usageError("%q is not a slot: use RUN/ITERATION/JOB@INDEX, or RUN/ITERATION/JOB for a check (see: reviewledger show)", address)
	}
	run, err := filters.FindRun(ctx, l, a.Run)
	if err != nil {
		return nil, err
	}
	if log || !a.OfReview() {
		content, err := logText(ctx, l, run, a, logOptions{log: log})
		return []byte(content.Text), err
	}
	state, err := l.RunDetail(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	a.Slot = max(a.Slot, 1)
	gate := state.Gate(a)
	if gate == nil || gate.Slot(a.Slot) == nil {
		return nil, unknownGate(run, a)
	}
	ref := ledger.SlotRef{Job: a.Job, Slot: a.Slot, Iteration: gate.Iteration}
	document, err := l.Written(ctx, state, ref)
	switch slot := gate.Slot(a.Slot); {
	case err != nil:
		return nil, err
	case document.Status.Unanswered() && len(document.Violations) == 0, document.Status.Answered() && document.RawOutput == "":
		return nil, noText(run, ledger.SlotName(run.ID, ref), "a JSON file", string(slot.Status), slot.Reason)
	}
	if marked {
		written, err := l.Exported(ctx, run.ID, ref)
		if err != nil {
			return nil, err
		}
		document = written.Document
	}
	return slotfiles.MarshalSlot(document)
}
