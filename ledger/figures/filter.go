// Package figures has the figures of `report` and of the pages: numbers about many runs, each with
// the filter that lists what it counts.
//
// Each figure is a statement in queries/statistics.sql, which says what it counts. The package has
// their types, and divides the two statements that several figures share: [Statistics.AddReported]
// and [Statistics.AddSlots]. It imports only package ledger.
package figures

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Section is a part of statistics. Each section needs its own statements, so callers ask only for
// those that they show.
type Section string

// The sections of [Statistics], with the fields that they fill.
const (
	// SectionTotals: Violations, Open, Abandoned, Claimed, Verified, Skipped, SkippedBy, InFixLines,
	// Iterations, Gates, Priorities, and those of SectionSlots.
	SectionTotals    Section = "totals"
	SectionSlots     Section = "slots"     // Confirmed, Contradicted, Saved and Cost
	SectionRuns      Section = "runs"      // Runs, Passed, IterationsToPass and TimeToPass
	SectionWeeks     Section = "weeks"     // Weeks
	SectionReviewers Section = "reviewers" // Adapters, Models and Overlaps
	SectionFiles     Section = "files"
	SectionRecurring Section = "recurring"
	SectionChecks    Section = "checks"   // Checks and Flaky
	SectionVerdicts  Section = "verdicts" // Verdicts and VerdictWeeks
)

// Filter selects what is counted. Fields that are zero do not restrict it.
type Filter struct {
	// Period is the time in which slots answered, violations were first reported and runs began.
	Period           ledger.Period
	Run              string // ULID
	Branch, Worktree string
	Gate, EntryPoint string
	Adapter, Model   string
	// Repository is the key of a repository, or "unknown".
	Repository string
	// Top limits how many files, gates, checks, recurring lines and verdicts are listed; 0 means no
	// limit.
	Top int
	// Sections are the wanted sections; none means all.
	Sections []Section
}

// Wants reports whether the filter asks for one of the sections.
func (f Filter) Wants(sections ...Section) bool {
	return len(f.Sections) == 0 || slices.ContainsFunc(sections, func(s Section) bool { return slices.Contains(f.Sections, s) })
}

// violations returns the filter that lists the counted violations.
func (f Filter) violations() ledger.ViolationFilter {
	return ledger.ViolationFilter{
		Run: f.Run, Branch: f.Branch, Worktree: f.Worktree, Gate: f.Gate, EntryPoint: f.EntryPoint,
		Adapter: f.Adapter, Model: f.Model, Repository: f.Repository, Reported: f.Period,
	}
}

// problems returns the filter that lists each counted problem once.
func (f Filter) problems() ledger.ViolationFilter {
	filter := f.violations()
	filter.NoDuplicates = true
	return filter
}

// with narrows a filter to violations with one of the statuses, which duplicates do not have.
func with(f ledger.ViolationFilter, statuses ...ledger.Status) ledger.ViolationFilter {
	f.Statuses = statuses
	f.NoDuplicates = false
	return f
}

// top returns the first of a list, as many as the filter asks for.
func top[T any](f Filter, list []T) []T {
	if f.Top > 0 && len(list) > f.Top {
		return list[:f.Top]
	}
	return list
}
