package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Matches reports whether the filter keeps the violation. Limit and Sort do not
// matter.
func Matches(f ledger.ViolationFilter, v ledger.ListedViolation) bool {
	return oneOf(f.Run, v.Run) &&
		anyOf(f.Statuses, v.Status) && anyOf(f.Priorities, v.Priority) &&
		matchesFile(f, v.Place.File) &&
		oneOf(f.Gate, v.Gate) && oneOf(f.EntryPoint, v.EntryPoint) && oneOf(f.Adapter, v.Adapter) &&
		matchesReason(f, v) && anyOf(f.Actors, v.StatusBy) &&
		(f.Iteration == 0 || f.Iteration == v.First) &&
		f.Changed.Holds(v.StatusAt) && f.Reported.Holds(v.FirstSeen) &&
		oneOf(f.Fingerprint, v.Fingerprint) &&
		(!f.Recurring || v.Recurring) && (!f.Alone || !v.Shared) && (!f.InFixLines || v.InFixLines)
}

func oneOf(want, is string) bool { return want == "" || want == is }

func anyOf[T comparable](want []T, is T) bool { return len(want) == 0 || slices.Contains(want, is) }

func matchesReason(f ledger.ViolationFilter, v ledger.ListedViolation) bool {
	if len(f.Reasons) == 0 {
		return true
	}
	reason := ledger.SkipReason(v.Reason)
	if reason == "" {
		reason = ledger.NoReason
	}
	return v.Status == ledger.StatusSkipped && slices.Contains(f.Reasons, reason)
}

func matchesFile(f ledger.ViolationFilter, file string) bool {
	return f.File == "" || f.File == file || doublestar.MatchUnvalidated(f.File, file)
}

// literalPrefix is the part of a pattern before its first wildcard.
func literalPrefix(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{\\"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

func exactFile(f ledger.ViolationFilter) bool { return f.File != "" && literalPrefix(f.File) == f.File }

func onlyOpen(f ledger.ViolationFilter) bool {
	return len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(s ledger.Status) bool { return !s.Open() })
}

// streams reports whether the first matches in the newest order are all that is
// wanted.
func streams(f ledger.ViolationFilter) bool {
	return f.Limit > 0 && (f.Sort == "" || f.Sort == ledger.SortNewest)
}

// CheckPattern says what is wrong with a pattern of [ViolationFilter.File].
func CheckPattern(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%q is no valid pattern", pattern)
	}
	return nil
}

// Violations lists violations, newest first unless the filter says otherwise.
func (l *Store) Violations(ctx context.Context, f ledger.ViolationFilter) (found []ledger.ListedViolation, err error) {
	err = l.read(ctx, "list violations", func(t *tx) error {
		run := int64(0)
		if f.Run != "" {
			row, err := t.RunByULID(ctx, f.Run)
			if err != nil {
				return err
			}
			run = row.ID
		}
		found, err = t.listed(ctx, f, run)
		return err
	})
	if err != nil {
		return nil, err
	}
	ledger.SortListed(found, f.Sort)
	if f.Limit > 0 && len(found) > f.Limit {
		found = found[:f.Limit]
	}
	return found, nil
}

func (t *tx) details(ctx context.Context, ids []int64) ([]ledger.ListedViolation, error) {
	list, err := asJSON(ids)
	if err != nil {
		return nil, err
	}
	rows, err := t.ViolationDetails(ctx, list)
	if err != nil {
		return nil, err
	}
	found := make([]ledger.ListedViolation, 0, len(rows))
	for _, row := range rows {
		found = append(found, listedFrom(row))
	}
	return found, nil
}

func listedFrom(row db.ViolationDetailsRow) ledger.ListedViolation {
	v := row.Violation
	return ledger.ListedViolation{
		Violation: violationFrom(violationRow{
			Violation: v, Job: row.Job, LineStart: row.LineStart, LineEnd: row.LineEnd, Issue: row.Issue, Fix: row.Fix,
		}),
		Run: row.Run, RunStatus: ledger.RunStatus(row.RunStatus), RunOpen: row.RunOpen,
		EntryPoint: row.EntryPoint, Gate: row.Name, Fingerprint: text(v.Fingerprint),
		Recurring: row.Recurring, Shared: v.Shared != 0, InFixLines: v.InFixLines != 0, StatusBy: ledger.Actor(row.Actor),
	}
}

// FindViolations finds the violations with these ids: a short id, a ULID, or a
// prefix of either that is unique. The error names the id that is unknown or
// ambiguous.
func (l *Store) FindViolations(ctx context.Context, ids []string) (found []ledger.ListedViolation, err error) {
	err = l.read(ctx, "find violations", func(t *tx) error {
		var rows []int64
		for _, id := range ids {
			row, err := t.violationByPrefix(ctx, id)
			if err != nil {
				return fmt.Errorf("violation %q: %w", id, err)
			}
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
		found, err = t.details(ctx, rows)
		return err
	})
	return found, err
}

func (t *tx) violationByPrefix(ctx context.Context, prefix string) (int64, error) {
	if prefix == "" {
		return 0, ledger.ErrNotFound
	}
	short := strings.ToLower(prefix)
	rows, err := t.ViolationsWithShortPrefix(ctx, db.ViolationsWithShortPrefixParams{First: short, Last: prefixEnd(short)})
	if err == nil && len(rows) == 0 {
		long := strings.ToUpper(prefix)
		rows, err = t.ViolationsWithPrefix(ctx, db.ViolationsWithPrefixParams{First: long, Last: prefixEnd(long)})
	}
	switch {
	case err != nil:
		return 0, err
	case len(rows) == 0:
		return 0, ledger.ErrNotFound
	case len(rows) == 1:
		return rows[0], nil
	}
	several, err := t.details(ctx, rows)
	if err != nil {
		return 0, err
	}
	// A whole short id may begin another one of a foreign ledger.
	if several[0].ShortID == short {
		return rows[0], nil
	}
	return 0, fmt.Errorf("%w %q: matches %s and %s; use more characters", ledger.ErrAmbiguous, prefix, several[0].ShortID, several[1].ShortID)
}
