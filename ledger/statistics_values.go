package ledger

import (
	"math"
	"time"
)

// Section is a part of statistics. Each section needs its own queries, so callers ask only for
// those that they show.
type Section string

// The sections of [Statistics], with the fields that they fill.
const (
	// SectionTotals: Violations, Open, Abandoned, Claimed, Verified, Skipped, SkippedBy, InFixLines,
	// Confirmed, Contradicted, Iterations, Gates, Priorities, Saved and Cost.
	SectionTotals Section = "totals"
	// SectionSlots: Confirmed, Contradicted, Saved and Cost, which need far fewer rows.
	SectionSlots Section = "slots"
	// SectionRuns: Runs, Passed, IterationsToPass and TimeToPass.
	SectionRuns      Section = "runs"
	SectionWeeks     Section = "weeks"
	SectionReviewers Section = "reviewers" // Adapters, Models and Overlaps
	SectionFiles     Section = "files"
	SectionRecurring Section = "recurring"
	SectionChecks    Section = "checks" // Checks and Flaky
	SectionVerdicts  Section = "verdicts"
)

// Sections lists the sections that are computed if a filter does not ask for particular ones.
func Sections() []Section {
	return []Section{
		SectionTotals, SectionRuns, SectionWeeks, SectionReviewers, SectionFiles, SectionRecurring, SectionChecks, SectionVerdicts,
	}
}

// Share is a part of a whole.
type Share struct{ Part, Whole int }

// Value returns the share, from 0 to 1. ok is false if the whole is 0.
func (s Share) Value() (value float64, ok bool) {
	if s.Whole == 0 {
		return 0, false
	}
	return float64(s.Part) / float64(s.Whole), true
}

// Interval returns the 95 % confidence interval of the share by Wilson's method. If the intervals
// of two shares overlap, their difference is not significant. ok is false if the whole is 0.
func (s Share) Interval() (low, high float64, ok bool) {
	p, ok := s.Value()
	if !ok {
		return 0, 0, false
	}
	const z = 1.959963984540054 // of the normal distribution, 97.5 %
	n := float64(s.Whole)
	center := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(center-half, 0), min(center+half, 1), true
}

// Cost is what model calls cost in US dollars. Known is how many of all Calls have a known cost. If
// it is less than Calls, the cost is a lower bound; if it is 0, the cost is unknown.
type Cost struct {
	USD          float64
	Known, Calls int
}

// Durations are the median and the 90th percentile (nearest rank) of N durations, each rounded to
// three significant digits. They are unknown if N is 0.
type Durations struct {
	N        int
	P50, P90 time.Duration
}

// PeriodStatistics are the figures of one week, which begins on Monday at 00:00 UTC. Each counts
// the violations that had such an event in the week, by the time of the event, so that figures of
// the past never change.
type PeriodStatistics struct {
	Start time.Time
	// Within is the part of the week that the statistics cover.
	Within Period
	// Partial is set if the statistics do not cover the whole week, because their period begins or
	// ends in it or because it is not over.
	Partial bool
	// New and Reopened violations are opened, Verified, Skipped and Withdrawn ones are closed, and
	// the others are neither. A duplicate is closed with its original.
	New, Reopened, Verified, Skipped, Withdrawn, Claimed, Disputed, Duplicate Count
	// Runs is the number of runs of gates that began in the week, RunsBy their number by current
	// status, and Passed how many of them passed.
	Runs, Passed int
	RunsBy       map[RunStatus]int
	Cost         Cost
}

// OutcomeStatistics are numbers of violations by what became of them. Abandoned are those that were
// open when their run was abandoned.
type OutcomeStatistics struct {
	Violations, Open, Abandoned, Claimed, Verified, Skipped, Withdrawn Count
}

// PriorityStatistics are the figures of the violations of one priority.
type PriorityStatistics struct {
	Priority Priority
	OutcomeStatistics
}

// Overlap is how much of what one adapter reported another one found too, if both were asked in the
// same run and gate: it reported the same problem, or one on the same line. It covers the newest
// [OverlapRuns] runs, because violations are compared one by one.
type Overlap struct {
	Adapter, Other string
	// Shared.Whole is the number of violations of Adapter in runs and gates where Other was asked
	// too, and Shared.Part the number of those that Other found.
	Shared Share
}

// CheckStatistics are the figures of one check. Interrupted executions do not count.
type CheckStatistics struct {
	Job, EntryPoint, Check string
	Command                string // of the latest execution
	// Executions is the number of executions that passed, failed or were in error, and Failures the
	// number that failed or were in error.
	Executions, Failures int
	// Last are the latest 30 executions, oldest first.
	Last  []CheckExecution
	Took  Durations
	Flaky int // trees on which it both passed and failed
	// Weeks are the 12 weeks up to the end of the period, oldest first.
	Weeks []CheckWeek
}

// CheckWeek has the figures of the executions of a check in one week.
type CheckWeek struct {
	Start                time.Time
	Executions, Failures int
	Took                 Durations
}

// CheckExecution is one execution of a check.
type CheckExecution struct {
	Run       string // ULID
	Iteration int
	Status    GateStatus
	At        time.Time // when its iteration began
}

// FlakyCheck is a check that both passed and failed on the same tree.
type FlakyCheck struct {
	Job, Tree string
	Branch    string
	// First is its earliest execution on the tree, and Then the earliest one with another outcome.
	First, Then CheckExecution
}

// VerdictStatistics are the figures of the verdicts of one week.
type VerdictStatistics struct {
	Start   time.Time
	Partial bool
	By      map[VerdictWord]int
	// Findings has the numbers of the findings of these verdicts by severity, whatever their
	// status.
	Findings map[Priority]int
}

// ListedVerdict is one verdict of a code review.
type ListedVerdict struct {
	Run, Review string
	Iteration   int
	Scope       string
	Target      string
	Mode        string
	Verdict     VerdictWord
	At          time.Time
	Findings    map[Priority]int
}
