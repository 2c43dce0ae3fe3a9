package ledger

import (
	"slices"
	"strings"
	"time"
)

// Period is the time from Since until before Until. If one of them is zero, the period has no bound
// on that side.
type Period struct {
	Since, Until time.Time
}

// Holds reports whether the time is in the period.
func (p Period) Holds(t time.Time) bool {
	return !t.Before(p.Since) && (p.Until.IsZero() || t.Before(p.Until))
}

// RunFilter selects the runs to list. Fields that are zero do not restrict the list.
type RunFilter struct {
	Statuses         []RunStatus
	Kind             RunKind
	Branch, Worktree string
	// Repository is the key of a repository.
	Repository string
	// Gate and EntryPoint keep runs in which such a job took part, and Adapter keeps runs in which
	// the adapter did.
	Gate, EntryPoint, Adapter string
	// Started is the period in which the runs started.
	Started Period
	Limit   int
	// Before is the ULID of the run after which the list begins.
	Before string
}

// Sort is an order of violations.
type Sort string

// The orders of violations. Within the same value, newer violations come first.
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

// ViolationFilter selects the violations to list. Fields that are zero do not restrict the list.
type ViolationFilter struct {
	Run              string // ULID
	Kind             RunKind
	Branch, Worktree string
	Statuses         []Status
	Priorities       []Priority
	// File is a path, or a pattern with the wildcards *, **, ?, [] and {}.
	File       string
	Gate       string
	EntryPoint string
	Adapter    string
	// Model is the model of the slot that first reported the violation.
	Model string
	// Repository is the key of a repository, or "unknown" for runs that did not record one.
	Repository string
	Reasons    []SkipReason
	// Iteration is the iteration in which the violation was first reported.
	Iteration int
	// Slot is the review index of the slot that first reported the violation.
	Slot int
	// Events keeps violations whose history has such an event.
	Events EventFilter
	// Changed is the period in which the status last changed, and Reported the period in which the
	// violation was first reported.
	Changed, Reported Period
	Fingerprint       string
	Recurring         bool
	// Alone keeps violations that no other adapter reported.
	Alone      bool
	InFixLines bool
	// NoDuplicates excludes duplicates, so that each problem is listed once.
	NoDuplicates bool
	// Discards, if not empty, selects discarded reports with these dispositions instead of
	// violations. Reported is then the period in which their slots answered.
	Discards []Disposition
	Limit    int
	Sort     Sort
	// After is the cursor of the violation after which the list begins. It must be from a list in
	// the same order.
	After string
}

// OnlyViolations reports whether the filter uses a field that discarded reports do not have, such as
// a status.
func (f ViolationFilter) OnlyViolations() bool {
	return len(f.Statuses) > 0 || len(f.Reasons) > 0 || len(f.Events.Statuses) > 0 ||
		f.Recurring || f.Fingerprint != "" || f.Alone || f.InFixLines || f.NoDuplicates
}

// Shown returns the statuses that the filter keeps; nil means all.
func (f ViolationFilter) Shown() []Status {
	statuses := f.Statuses
	if len(statuses) == 0 && len(f.Reasons) > 0 {
		return []Status{StatusSkipped}
	}
	if !f.NoDuplicates {
		return statuses
	}
	if len(statuses) == 0 {
		statuses = ShownStatuses()
	}
	return slices.DeleteFunc(slices.Clone(statuses), func(s Status) bool { return s == StatusDuplicate })
}

// OnlyReports reports whether the filter uses a field that the notes of a slot do not have, such as a
// status or a file.
func (f ViolationFilter) OnlyReports() bool {
	return f.OnlyViolations() || len(f.Priorities) > 0 || f.File != "" && f.File != "**"
}

// EventFilter selects events of violations. Without statuses it selects all violations.
type EventFilter struct {
	Statuses []Status
	At       Period
	// Iteration is the iteration whose report the event answers; 0 means any.
	Iteration int
}

// SkipReason is the reason that a mark gives for a skip.
type SkipReason string

// The reasons of a skip.
const (
	FalsePositive SkipReason = "false_positive"
	AcceptedRisk  SkipReason = "accepted_risk"
	Duplicate     SkipReason = "duplicate"
	OutOfScope    SkipReason = "out_of_scope"
	Deferred      SkipReason = "deferred"
	StyleOnly     SkipReason = "style"
	// NoReason stands for a skip without a reason, in filters.
	NoReason SkipReason = "none"
)

// SkipReasons lists the reasons that a mark may give.
func SkipReasons() []SkipReason {
	return []SkipReason{FalsePositive, AcceptedRisk, Duplicate, OutOfScope, Deferred, StyleOnly}
}

// EscapePattern returns the pattern that matches only this file.
func EscapePattern(file string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`, `\`, `\\`).Replace(file)
}
