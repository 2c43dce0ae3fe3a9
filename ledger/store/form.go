package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// This file stores the parts of an answer other than its reports. These rows never change.

// putCalls stores the calls of a slot's reviewer. If there are several, it stores the texts of each
// too; the texts of a single call are those of the slot.
func (t *tx) putCalls(ctx context.Context, slot int64, calls []ledger.Call) error {
	for _, call := range calls {
		if err := t.addRow(ctx, "slot_calls", map[string]any{
			"slot_id": slot, "call": call.Number, "part": max(call.Part, 1), "repair": boolean(call.Repair),
			"input_tokens": call.Usage.InputTokens, "cached_tokens": call.Usage.CachedTokens, "output_tokens": call.Usage.OutputTokens,
			"cost_usd": call.Usage.CostUSD, "duration_ms": call.Duration.Milliseconds(), "misfit": optional(call.Misfit),
		}); err != nil {
			return err
		}
		if err := t.putCallTexts(ctx, slot, call, len(calls)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) putCallTexts(ctx context.Context, slot int64, call ledger.Call, of int) error {
	for _, kept := range []struct {
		kind ledger.TextKind
		data []byte
	}{{ledger.TextPrompt, call.Prompt}, {ledger.TextAnswer, []byte(call.Answer)}} {
		if len(kept.data) == 0 || of < 2 {
			continue
		}
		blob, err := t.putBlob(ctx, kept.data)
		if err != nil {
			return err
		}
		if err := t.InsertSlotBlob(ctx, db.InsertSlotBlobParams{
			SlotID: slot, Kind: string(kept.kind), Call: int64(call.Number), BlobID: blob,
		}); err != nil {
			return err
		}
	}
	return nil
}

// putWords stores a slot's words, by the row of their violation.
func (t *tx) putWords(ctx context.Context, slot int64, words map[int64]ledger.ReviewerWord) error {
	for _, violation := range sortedKeys(words) {
		w := words[violation]
		if err := t.addRow(ctx, "slot_words", map[string]any{
			"slot_id": slot, "violation_id": violation, "verdict": string(w.Verdict), "evidence": w.Evidence, "confirmed": optional(string(w.Confirmed)),
		}); err != nil {
			return err
		}
	}
	return nil
}

// claimWordsOf returns the slots' words on claims in the iteration, and how they confirm them.
func (t *tx) claimWordsOf(ctx context.Context, run, iteration int64) (words map[match.Asked]ledger.ClaimVerdict, confirmed map[match.Asked]ledger.Confirmation, err error) {
	all, err := wordsOfIteration.All(ctx, t.Queries, sql.Named("run", run), sql.Named("iteration", iteration))
	words, confirmed = make(map[match.Asked]ledger.ClaimVerdict, len(all)), make(map[match.Asked]ledger.Confirmation, len(all))
	for _, w := range all {
		asked := match.Asked{Violation: w.Violation, Slot: w.Slot}
		words[asked], confirmed[asked] = w.Verdict, w.Confirmed
	}
	return words, confirmed, err
}

// putPlaces stores the further places of a report's problem.
func (t *tx) putPlaces(ctx context.Context, report int64, also []ledger.Place) error {
	for i, place := range also {
		if err := t.addRow(ctx, "report_places", map[string]any{
			"report_id": report, "position": i + 1, "file": place.File, "line_start": place.Start, "line_end": max(place.Start, place.End),
		}); err != nil {
			return err
		}
	}
	return nil
}

// moveViolation records where the lines of a violation are in the tree of the iteration.
func (t *tx) moveViolation(ctx context.Context, violation int64, iteration int, places []ledger.Place) error {
	for i, place := range places {
		if err := t.addRow(ctx, "violation_places", map[string]any{
			"violation_id": violation, "iteration": iteration, "position": i + 1, "file": place.File, "line_start": place.Start, "line_end": max(place.Start, place.End),
		}); err != nil {
			return err
		}
	}
	return t.MoveViolation(ctx, db.MoveViolationParams{File: places[0].File, MovedIn: number(iteration), ID: violation})
}

func sortedKeys[V any](m map[int64]V) []int64 {
	keys := make([]int64, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// SlotCalls returns the calls of a slot's reviewer in order, without their texts. It returns none
// if they were not recorded one by one. The error is [ledger.ErrNotFound] if the run has no such
// slot.
func (l *Store) SlotCalls(ctx context.Context, run string, ref ledger.SlotRef) ([]ledger.Call, error) {
	return ofSlot(ctx, l, "read the calls of a slot", run, ref, func(t *tx, _ runRow, slot slot) ([]ledger.Call, error) {
		return callsOfSlot.All(ctx, t.Queries, sql.Named("slot", slot.Row))
	})
}

// WordsOnClaims returns what slots said about the claims of a run and about their duplicates, in order.
func (l *Store) WordsOnClaims(ctx context.Context, run string) (said []ledger.ReviewerWord, err error) {
	return ofRun(ctx, l, "read what was said about claims", run, func(t *tx, row runRow) ([]ledger.ReviewerWord, error) {
		return wordsOnClaims.All(ctx, t.Queries, sql.Named("run", row.Row))
	})
}

// SaidBefore returns what the adapter reported before in these files, in slots of the job in the run:
// words, places, and the trees that these are of.
func (l *Store) SaidBefore(ctx context.Context, run, job, adapter string, files []string) (said []ledger.Violation, err error) {
	return ofRun(ctx, l, "read what "+adapter+" said before", run, func(t *tx, row runRow) (said []ledger.Violation, err error) {
		reports, err := t.SaidInFiles(ctx, db.SaidInFilesParams{RunID: row.Row, Job: job, Adapter: adapter, Files: asJSON(files)})
		for _, r := range reports {
			said = append(said, ledger.Violation{
				Place: ledger.Place{File: r.File, Start: int(r.LineStart), End: int(r.LineEnd)}, Issue: r.Issue, Reviewed: r.Reviewed,
			})
		}
		return said, err
	})
}

// maxEarlier limits the result of [Store.EarlierAt].
const maxEarlier = 200

// EarlierAt returns what earlier runs of gates in the repository of this run left in these files,
// for the job, latest first: violations that were skipped or open, and filtered reports, also those of
// this run from before the iteration. It leaves out what is not the latest of its kind, and returns at
// most maxEarlier.
func (l *Store) EarlierAt(ctx context.Context, run, job string, iteration int, files []string) (found []ledger.EarlierViolation, err error) {
	if len(files) == 0 {
		return nil, nil
	}
	list := asJSON(files)
	var named []string
	found, err = ofRun(ctx, l, "read what earlier runs left of "+job, run, func(t *tx, row runRow) ([]ledger.EarlierViolation, error) {
		params := []any{
			sql.Named("run", row.Row), sql.Named("job", job), sql.Named("iteration", iteration), sql.Named("files", list), sql.Named("at_most", maxEarlier),
		}
		left, err := leftInFiles.All(ctx, t.Queries, params...)
		if err != nil {
			return nil, err
		}
		reports, err := filteredInFiles.All(ctx, t.Queries, params...)
		if err != nil {
			return nil, err
		}
		names, err := t.NamedInFiles(ctx, db.NamedInFilesParams{Files: list, Job: job})
		for _, name := range names {
			named = append(named, text(name))
		}
		return append(left, reports...), err
	})
	slices.SortStableFunc(found, func(a, b ledger.EarlierViolation) int { return b.At.Compare(a.At) })
	found = ledger.LatestOfChains(found, named)
	return found[:min(len(found), maxEarlier)], err
}
