package store

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Violations lists violations in the filter's order. The error is [ledger.ErrCursor] if the cursor
// is not one of that order.
func (l *Store) Violations(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	return lists.Collect(l.EachViolation(ctx, f))
}

// EachViolation yields what [Store.Violations] lists as it is read, for lists that may be long. An
// error is yielded last. Nothing else can be read from the ledger until the list has ended.
func (l *Store) EachViolation(ctx context.Context, f ledger.ViolationFilter) iter.Seq2[ledger.ListedViolation, error] {
	return lists.Within(func(each func(iter.Seq2[ledger.ListedViolation, error]) error) error {
		return l.read(ctx, "list violations", func(t *tx) error { return each(t.each(ctx, f)) })
	})
}

// FindViolations finds the violations with these ids. Each is a short id, a ULID, or a unique
// prefix of either. The error names the id that is unknown or ambiguous.
func (l *Store) FindViolations(ctx context.Context, ids []string) ([]ledger.ListedViolation, error) {
	return answer(ctx, l, "find violations", func(t *tx) ([]ledger.ListedViolation, error) {
		var rows []int64
		for _, id := range ids {
			row, err := t.violationByPrefix(ctx, id)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
		return t.details(ctx, rows)
	})
}

func (t *tx) violationByPrefix(ctx context.Context, prefix string) (int64, error) {
	if prefix == "" {
		return 0, &ledger.IDError{Kind: "violation", ID: prefix}
	}
	short, long := strings.ToLower(prefix), strings.ToUpper(prefix)
	whole, begins, ulid := db.List{AtMost: 2}, db.List{AtMost: 2}, db.List{AtMost: 2}
	whole.KeepColumn("short_id", "is", short) // it may be a prefix of another one that was imported
	begins.KeepColumn("short_id", "from", short)
	begins.KeepColumn("short_id", "until", lists.PrefixEnd(short))
	ulid.KeepColumn("ulid", "from", long)
	ulid.KeepColumn("ulid", "until", lists.PrefixEnd(long))
	var rows []int64
	var err error
	for _, list := range []db.List{whole, begins, ulid} {
		if rows, err = lists.Collect(t.ListIDs(ctx, list)); err != nil || len(rows) > 0 {
			break
		}
	}
	switch {
	case err != nil:
		return 0, err
	case len(rows) == 0:
		return 0, &ledger.IDError{Kind: "violation", ID: prefix}
	case len(rows) == 1:
		return rows[0], nil
	}
	several, err := t.details(ctx, rows)
	if err != nil {
		return 0, err
	}
	matches := []string{several[0].ShortID, several[1].ShortID}
	if matches[0] == matches[1] || !strings.HasPrefix(matches[0], short) { // two ledgers have given it, or the ULID was typed
		matches = []string{several[0].ID, several[1].ID}
	}
	return 0, &ledger.IDError{Kind: "violation", ID: prefix, Matches: matches}
}
