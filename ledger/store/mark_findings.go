package store

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// MarkFindings records the mark on findings of a code review, all of them or none. The verdict, its
// mode and its time stay, as they do when the team edits the file; the next verification computes
// them again. After the file is written, [Store.NoteFindings] records what it says, so that a crash
// in between leaves no edit that nobody made.
//
// Rule: A mark is not a fix.
func (l *Store) MarkFindings(ctx context.Context, run string, ids []string, m ledger.Mark) error {
	return l.writeRun(ctx, "mark findings", run, func(t *tx, row db.Run) error {
		if ledger.RunKind(row.Kind) != ledger.KindCodeReview {
			return fmt.Errorf("run %s is not a code review: %w", run, ErrConflict)
		}
		iterations, err := t.iterationRows(ctx, row.ID)
		if err != nil {
			return err
		}
		latest, err := t.latestListings(ctx, row.ID, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, _, err := t.markViolation(ctx, row.ID, latest, iterations, id, m, m.CheckFindings); err != nil {
				return err
			}
		}
		return nil
	})
}

// NoteFindings records that the verdict file shows the current statuses of the code review's
// findings, so that they do not count as edits when the file is read again.
func (l *Store) NoteFindings(ctx context.Context, run string) error {
	return l.write(ctx, "record what the verdict file shows", func(t *tx) error {
		row, err := t.RunByULID(ctx, run)
		if err != nil {
			return err
		}
		rows, err := t.FindingsOfRun(ctx, row.ID)
		if err != nil {
			return err
		}
		return t.noteExported(ctx, rows, findingsFrom(rows))
	})
}
