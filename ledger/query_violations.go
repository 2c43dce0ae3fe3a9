package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/db"
)

// Matches reports whether the filter keeps the violation. Limit and Sort do not
// matter.
func Matches(f ViolationFilter, v ListedViolation) bool {
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

func matchesReason(f ViolationFilter, v ListedViolation) bool {
	if len(f.Reasons) == 0 {
		return true
	}
	reason := SkipReason(v.Reason)
	if reason == "" {
		reason = NoReason
	}
	return v.Status == StatusSkipped && slices.Contains(f.Reasons, reason)
}

func matchesFile(f ViolationFilter, file string) bool {
	return f.File == "" || f.File == file || doublestar.MatchUnvalidated(f.File, file)
}

// literalPrefix is the part of a pattern before its first wildcard.
func literalPrefix(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{\\"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

func exactFile(f ViolationFilter) bool { return f.File != "" && literalPrefix(f.File) == f.File }

func onlyOpen(f ViolationFilter) bool {
	return len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(s Status) bool { return !s.Open() })
}

// streams reports whether the first matches in the newest order are all that is
// wanted.
func streams(f ViolationFilter) bool { return f.Limit > 0 && (f.Sort == "" || f.Sort == SortNewest) }

// CheckPattern says what is wrong with a pattern of [ViolationFilter.File].
func CheckPattern(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%q is no valid pattern", pattern)
	}
	return nil
}

// Violations lists violations, newest first unless the filter says otherwise.
func (l *Ledger) Violations(ctx context.Context, f ViolationFilter) (found []ListedViolation, err error) {
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
	SortListed(found, f.Sort)
	if f.Limit > 0 && len(found) > f.Limit {
		found = found[:f.Limit]
	}
	return found, nil
}

func (t *tx) details(ctx context.Context, ids []int64) ([]ListedViolation, error) {
	list, err := asJSON(ids)
	if err != nil {
		return nil, err
	}
	rows, err := t.ViolationDetails(ctx, list)
	if err != nil {
		return nil, err
	}
	found := make([]ListedViolation, 0, len(rows))
	for _, row := range rows {
		found = append(found, listedFrom(row))
	}
	return found, nil
}

func listedFrom(row db.ViolationDetailsRow) ListedViolation {
	v := row.Violation
	return ListedViolation{
		Violation: violationFrom(violationRow{
			Violation: v, Job: row.Job, LineStart: row.LineStart, LineEnd: row.LineEnd, Issue: row.Issue, Fix: row.Fix,
		}),
		Run: row.Run, RunStatus: RunStatus(row.RunStatus), RunOpen: row.RunOpen,
		EntryPoint: row.EntryPoint, Gate: row.Name, Fingerprint: text(v.Fingerprint),
		Recurring: row.Recurring, Shared: v.Shared != 0, InFixLines: v.InFixLines != 0, StatusBy: Actor(row.Actor),
	}
}

// FindViolations finds the violations with these ids: a short id, a ULID, or a
// prefix of either that is unique. The error names the id that is unknown or
// ambiguous.
func (l *Ledger) FindViolations(ctx context.Context, ids []string) (found []ListedViolation, err error) {
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
		return 0, ErrNotFound
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
		return 0, ErrNotFound
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
	var names []string
	for _, v := range several[:2] {
		names = append(names, v.ShortID)
	}
	return 0, fmt.Errorf("%w: %s; write more of it", ErrAmbiguous, strings.Join(names, " and "))
}
