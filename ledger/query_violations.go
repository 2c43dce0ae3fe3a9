package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/db"
)

// ListedViolation is a violation with the run and gate that it belongs to.
type ListedViolation struct {
	Violation
	Run        string // ULID
	RunStatus  RunStatus
	RunOpen    bool
	EntryPoint string
	Gate       string
	// Fingerprint is empty when it was not computed.
	Fingerprint string
	// Recurring reports whether another run has a violation of the same
	// fingerprint.
	Recurring bool
	// Shared reports whether another adapter reported it too.
	Shared bool
	// InFixLines reports whether it was first reported in lines that the fix
	// before it touched.
	InFixLines bool
	// StatusBy is who gave it its status.
	StatusBy Actor
}

// Sort is an order of violations.
type Sort string

// The orders of violations. Those that are equal come newest first.
const (
	SortNewest   Sort = "newest"
	SortOldest   Sort = "oldest"
	SortPriority Sort = "priority"
	SortFile     Sort = "file"
	SortStatus   Sort = "status"
	SortChanged  Sort = "changed" // latest change of status first
)

// Sorts lists every order.
func Sorts() []Sort {
	return []Sort{SortNewest, SortOldest, SortPriority, SortFile, SortStatus, SortChanged}
}

// ViolationFilter says which violations to list. What is zero leaves nothing
// out.
type ViolationFilter struct {
	Run              string // ULID
	Branch, Worktree string
	Statuses         []Status
	Priorities       []Priority
	// File is a path, or a pattern with the wildcards *, **, ?, [] and {}.
	File       string
	Gate       string
	EntryPoint string
	Adapter    string
	Reasons    []SkipReason
	// Actors are those who gave it its status.
	Actors []Actor
	// Iteration is the one that first reported it.
	Iteration int
	// Changed is when the status last changed, Reported when it was first
	// reported.
	Changed, Reported Period
	Fingerprint       string
	Recurring         bool
	// Alone keeps those that no other adapter reported.
	Alone      bool
	InFixLines bool
	Limit      int
	Sort       Sort
}

// SkipReason is why a violation was skipped, in the vocabulary of mark.
type SkipReason string

// The reasons of a skip.
const (
	FalsePositive SkipReason = "false_positive"
	AcceptedRisk  SkipReason = "accepted_risk"
	Duplicate     SkipReason = "duplicate"
	OutOfScope    SkipReason = "out_of_scope"
	Deferred      SkipReason = "deferred"
	StyleOnly     SkipReason = "style"
	// NoReason stands for a skip without one, in filters.
	NoReason SkipReason = "none"
)

// SkipReasons lists the reasons that may be given.
func SkipReasons() []SkipReason {
	return []SkipReason{FalsePositive, AcceptedRisk, Duplicate, OutOfScope, Deferred, StyleOnly}
}

// Matches reports whether the filter keeps the violation. Limit and Sort do not
// matter.
func (f ViolationFilter) Matches(v ListedViolation) bool {
	return oneOf(f.Run, v.Run) &&
		anyOf(f.Statuses, v.Status) && anyOf(f.Priorities, v.Priority) &&
		f.matchesFile(v.Place.File) &&
		oneOf(f.Gate, v.Gate) && oneOf(f.EntryPoint, v.EntryPoint) && oneOf(f.Adapter, v.Adapter) &&
		f.matchesReason(v) && anyOf(f.Actors, v.StatusBy) &&
		(f.Iteration == 0 || f.Iteration == v.First) &&
		f.Changed.Holds(v.StatusAt) && f.Reported.Holds(v.FirstSeen) &&
		oneOf(f.Fingerprint, v.Fingerprint) &&
		(!f.Recurring || v.Recurring) && (!f.Alone || !v.Shared) && (!f.InFixLines || v.InFixLines)
}

func oneOf(want, is string) bool { return want == "" || want == is }

func anyOf[T comparable](want []T, is T) bool { return len(want) == 0 || slices.Contains(want, is) }

func (f ViolationFilter) matchesReason(v ListedViolation) bool {
	if len(f.Reasons) == 0 {
		return true
	}
	reason := SkipReason(v.Reason)
	if reason == "" {
		reason = NoReason
	}
	return v.Status == StatusSkipped && slices.Contains(f.Reasons, reason)
}

func (f ViolationFilter) matchesFile(file string) bool {
	return f.File == "" || f.File == file || doublestar.MatchUnvalidated(f.File, file)
}

// literalPrefix is the part of a pattern before its first wildcard.
func literalPrefix(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{\\"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// EscapePattern is the pattern that only this file matches.
func EscapePattern(file string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`, `\`, `\\`).Replace(file)
}

func (f ViolationFilter) exactFile() bool { return f.File != "" && literalPrefix(f.File) == f.File }

func (f ViolationFilter) onlyOpen() bool {
	return len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(s Status) bool { return !s.Open() })
}

// streams reports whether the first matches in the newest order are all that is
// wanted.
func (f ViolationFilter) streams() bool { return f.Limit > 0 && (f.Sort == "" || f.Sort == SortNewest) }

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

// SortListed sorts violations; those that are equal stay as they were, newest
// first.
func SortListed(found []ListedViolation, order Sort) {
	slices.SortStableFunc(found, func(a, b ListedViolation) int {
		switch order {
		case SortPriority:
			return cmp.Compare(a.Priority.Rank(), b.Priority.Rank())
		case SortFile:
			return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Start, b.Place.Start))
		case SortStatus:
			return cmp.Compare(slices.Index(Statuses(), a.Status), slices.Index(Statuses(), b.Status))
		case SortChanged:
			return compareTimes(b.StatusAt, a.StatusAt)
		}
		return 0
	})
	if order == SortOldest {
		slices.Reverse(found)
	}
}

func compareTimes(a, b time.Time) int { return a.Compare(b) }

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
