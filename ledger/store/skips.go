package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxSkipsOfLine limits how many skips of one line a report is compared with, the latest first. The
// others filter nothing.
const maxSkipsOfLine = 64

// addRemembered adds to the facts the fingerprints of the entries, and the remembered skips of
// earlier runs on their lines.
func (w *answerWriter) addRemembered(ctx context.Context) error {
	if len(w.a.Facts.Entries) < len(w.a.Answer.Entries) {
		return nil
	}
	entries := w.a.Facts.Entries
	var prints []string
	for i, entry := range w.a.Answer.Entries {
		entries[i].Fingerprint = ledger.Fingerprint(w.a.Job, entry.Place.File, entries[i].Line)
		prints = append(prints, entries[i].Fingerprint)
		for n := range min(len(entries[i].Also), len(entry.Also)) {
			also := &entries[i].Also[n]
			also.Fingerprint = ledger.Fingerprint(w.a.Job, entry.Also[n].File, also.Line)
			prints = append(prints, also.Fingerprint)
		}
	}
	prints = slices.DeleteFunc(prints, func(print string) bool { return print == "" })
	if len(prints) == 0 {
		return nil
	}
	slices.Sort(prints)
	remembered, err := rememberedOnLines.All(ctx, w.Queries,
		sql.Named("run", w.run), sql.Named("fingerprints", asJSON(slices.Compact(prints))), sql.Named("at_most", maxSkipsOfLine))
	w.a.Facts.Remembered = append(w.a.Facts.Remembered, remembered...)
	return err
}

// addSkippedBefore adds to each report that begins a violation an earlier run's skip of the same
// problem, if there is one.
func (w *answerWriter) addSkippedBefore(ctx context.Context, reports []ledger.Evaluated) error {
	made := map[string][]*ledger.Evaluated{} // by fingerprint
	for i := range reports {
		if r := &reports[i]; r.ShortID != "" && r.Match == "" {
			if print := ledger.Fingerprint(w.a.Job, r.Place.File, r.Line); print != "" {
				made[print] = append(made[print], r)
			}
		}
	}
	if len(made) == 0 {
		return nil
	}
	skipped, err := skippedOnLines.All(ctx, w.Queries,
		sql.Named("run", w.run), sql.Named("fingerprints", asJSON(slices.Sorted(maps.Keys(made)))), sql.Named("at_most", maxSkipsOfLine))
	for i := range skipped {
		for _, r := range made[skipped[i].Fingerprint] {
			if r.SkippedBefore == nil && ledger.SameText(skipped[i].Issue, r.Issue) {
				r.SkippedBefore = &skipped[i]
			}
		}
	}
	return err
}

// RememberedSkips lists the skips that are remembered beyond their runs, latest first: those of the
// repository, or of all repositories if it is nil.
func (l *Store) RememberedSkips(ctx context.Context, repository *ledger.Repository) ([]ledger.Skip, error) {
	return answer(ctx, l, "list remembered skips", func(t *tx) ([]ledger.Skip, error) {
		params := db.RememberedSkipsParams{}
		if repository != nil {
			params.Kind, params.Key = string(repository.Kind), repository.Key
		}
		rows, err := t.RememberedSkips(ctx, params)
		if err != nil {
			return nil, err
		}
		found, err := t.details(ctx, rows)
		if err != nil {
			return nil, err
		}
		return t.skipsOf(ctx, found)
	})
}

// SkipsOf returns the skips of the skipped violations in found, in that order, with whether and how
// they are remembered.
func (l *Store) SkipsOf(ctx context.Context, found []ledger.ListedViolation) ([]ledger.Skip, error) {
	return answer(ctx, l, "read what is remembered", func(t *tx) ([]ledger.Skip, error) { return t.skipsOf(ctx, found) })
}

func (t *tx) skipsOf(ctx context.Context, found []ledger.ListedViolation) ([]ledger.Skip, error) {
	ids := make([]string, 0, len(found))
	for _, v := range found {
		ids = append(ids, v.ID)
	}
	byID := make(map[string]ledger.Skip, len(found))
	err := skipsOf.Each(ctx, t.Queries, func(s *skip) { byID[s.Of] = s.Skip }, sql.Named("violations", asJSON(ids)))
	skips := make([]ledger.Skip, 0, len(byID))
	for _, v := range found {
		if s, is := byID[v.ID]; is {
			s.ListedViolation = v
			skips = append(skips, s)
		}
	}
	return skips, err
}

// ForgetSkip ends the memory of a violation's skip. id is the violation's id or a unique prefix.
// The error is [ledger.ErrNotFound] if the skip is not remembered.
func (l *Store) ForgetSkip(ctx context.Context, id string, by ledger.Actor) (skip ledger.Skip, err error) {
	err = l.write(ctx, fmt.Sprintf("forget the skip of violation %q", id), func(t *tx) error {
		row, err := t.violationByPrefix(ctx, id)
		if err != nil {
			return err
		}
		found, err := t.details(ctx, []int64{row})
		if err != nil {
			return err
		}
		skips, err := t.skipsOf(ctx, found)
		if err != nil {
			return err
		}
		if len(skips) == 0 || !skips[0].Remembered {
			return fmt.Errorf("nothing of violation %s is remembered: %w", found[0].ShortID, ledger.ErrNotFound)
		}
		skip = skips[0]
		run, err := t.runByULID(ctx, skip.Run)
		if err != nil {
			return err
		}
		t.touch(run.Row) // the team store shows it with its run
		return t.Queries.ForgetSkip(ctx, db.ForgetSkipParams{
			Violation: skip.ID, Event: int64(skip.Event), Actor: string(by), At: &t.at,
		})
	})
	return skip, err
}
