package figures

import (
	"math"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Statistics are counts across iterations and runs. Only the sections that its filter asks for are
// filled in.
type Statistics struct {
	Filter Filter
	// Runs is the number of runs of gates that began in the period, and Passed how many of them
	// passed. IterationsToPass has how many of these took how many iterations, and TimeToPass how
	// long they took from start to end.
	Runs, Passed     int
	IterationsToPass map[int]int
	TimeToPass       Durations
	// The outcomes are those of the violations first reported in the period. Violations that were
	// joined because they report one problem count once, also by iteration, gate, priority, file
	// and line. By adapter and model each of them counts.
	Outcomes
	SkippedBy map[ledger.SkipReason]ledger.Count
	// Confirmed and Contradicted are the numbers of claims that reviewers confirmed and
	// contradicted in the period.
	Confirmed, Contradicted int
	// InFixLines are violations on lines that the previous fix changed.
	InFixLines ledger.Count
	// Cost is the cost of all slots that were asked in the period.
	Cost       ledger.Cost
	Iterations []Iteration
	Adapters   []Reviewer
	// Models are the same figures by model, which may be [ledger.UnknownModel].
	Models       []Reviewer
	Overlaps     []Overlap
	Gates        []Gate
	Priorities   []Priority
	Files        []File
	Recurring    []Recurrence
	Checks       []Check      // those that failed most often first
	Flaky        []FlakyCheck // newest first
	Weeks        []Week       // without gaps; the oldest comes first
	Verdicts     []Verdict    // newest first
	VerdictWeeks []VerdictWeek
	Saved        Saved
}

// Outcomes are numbers of violations by what became of them. Abandoned are those that were open when
// their run was abandoned.
type Outcomes struct {
	Violations, Open, Abandoned, Claimed, Verified, Skipped, Withdrawn ledger.Count
}

// outcomes returns counts of what the filter selects, which are all still 0.
func outcomes(f ledger.ViolationFilter) Outcomes {
	var o Outcomes
	o.Violations.Filter = f
	for _, status := range ledger.ShownStatuses() {
		if count := o.of(status.Tally()); count != nil {
			count.Filter = with(f, status.Tally().Statuses()...)
		}
	}
	return o
}

// of returns the count of a tally, or nil for duplicates, which are counted with their originals.
func (o *Outcomes) of(tally ledger.Tally) *ledger.Count {
	switch tally {
	case ledger.TallyOpen:
		return &o.Open
	case ledger.TallyAbandoned:
		return &o.Abandoned
	case ledger.TallyClaimed:
		return &o.Claimed
	case ledger.TallyVerified:
		return &o.Verified
	case ledger.TallySkipped:
		return &o.Skipped
	case ledger.TallyWithdrawn:
		return &o.Withdrawn
	}
	return nil
}

// count adds n violations with a status, as shown.
func (o *Outcomes) count(status ledger.Status, n int) {
	o.Violations.Violations += n
	if count := o.of(status.Tally()); count != nil {
		count.Violations += n
	}
}

// Iteration has the figures of all iterations with the same number.
type Iteration struct {
	Number int
	// New are the violations first reported in these iterations, and Skipped those of them that are
	// skipped now.
	New, Skipped ledger.Count
	// Carried, Verified and Reopened count what slots' answers did: violations that they did not
	// name, claims that they confirmed, and claims and disputes that they contradicted.
	Carried, Verified, Reopened int
}

// Reviewer has the figures of the slots that one adapter (or one model) filled, and of the
// violations that it was the first to report.
type Reviewer struct {
	// Adapter is empty in the figures of a model, and Model in those of an adapter.
	Adapter, Model string
	// Runs counts its answers and errors, and Skips the slots that were not asked. An interrupted
	// slot counts as neither.
	Runs, Errors, Skips, Interrupted int
	Repairs                          int // calls that asked for the answer again, in the right form
	WithoutWord                      int // claims that its passes confirmed without a word on them
	Reports                          int // everything that it reported, whatever became of it
	// Discarded are its discarded reports, by disposition; the filters list reports.
	Discarded map[ledger.Disposition]ledger.Count
	TakenUp   int // how many of these were made violations
	// The outcomes are those of the violations that it was the first to report.
	Outcomes
	SkippedBy map[ledger.SkipReason]ledger.Count
	// Duplicates are those of them that were joined to another violation.
	Duplicates ledger.Count
	// Alone are those that no other adapter reported, and AloneConfirmed those of them whose fix
	// was confirmed.
	Alone, AloneConfirmed     ledger.Count
	InputTokens, OutputTokens int64
	WithTokens                int // slots whose tokens are known
	Cost                      ledger.Cost
	// Took is how long its answers took.
	Took Durations
}

// Confirmed returns the violations whose fix was confirmed.
func (r Reviewer) Confirmed() ledger.Count { return r.Verified }

// Repeats returns how many accepted reports were of violations that had been reported before.
func (r Reviewer) Repeats() int { return max(0, r.Reports-r.Violations.Violations-r.Dropped()) }

// Dropped returns how many reports were discarded for good. A report that was taken up afterwards
// counts among the violations.
func (r Reviewer) Dropped() int {
	n := -r.TakenUp
	for _, count := range r.Discarded {
		n += count.Violations
	}
	return max(0, n)
}

// Precision returns the share of confirmed violations among those that were confirmed, skipped or
// withdrawn. It shows how often a reviewer was right, not how often it was followed: a skip as a
// duplicate, out of scope, deferred or an accepted risk does not count against it.
func (r Reviewer) Precision() Share {
	denied := r.Skipped.Violations + r.Withdrawn.Violations
	for _, reason := range []ledger.SkipReason{ledger.Duplicate, ledger.OutOfScope, ledger.Deferred, ledger.AcceptedRisk} {
		denied -= r.SkippedBy[reason].Violations
	}
	return Share{r.Verified.Violations, r.Verified.Violations + denied}
}

// ErrorRate returns the share of errors among answers and errors.
func (r Reviewer) ErrorRate() Share { return Share{r.Errors, r.Runs} }

// CostPerConfirmed returns the cost of a confirmed violation in US dollars, which is a lower bound
// if the cost of some calls is not known. ok is false if nothing is confirmed or no cost is known.
func (r Reviewer) CostPerConfirmed() (cost float64, ok bool) {
	if r.Verified.Violations == 0 || r.Cost.Known == 0 {
		return 0, false
	}
	return r.Cost.USD / float64(r.Verified.Violations), true
}

// Gate has the figures of the violations of one review gate.
type Gate struct {
	EntryPoint, Gate string
	Violations, Open ledger.Count
}

// Priority has the figures of the violations of one priority.
type Priority struct {
	Priority ledger.Priority
	Outcomes
}

// File has the figures of the violations of one file.
type File struct {
	File       string
	Repository string // as in [Recurrence]
	Outcomes
	// Reopened are the violations whose claim or dispute was contradicted at some time. InFixLines
	// are those first reported on lines that the previous fix changed.
	Reopened, InFixLines ledger.Count
	Runs                 int
	// Weeks has the numbers of violations that were first reported in each of the 12 weeks up to
	// the end of the period, oldest first.
	Weeks []int
}

// FileOf returns a file with the filters that list its counts, which are all still 0.
func (f Filter) FileOf(name, repository string) File {
	filter := f.problems()
	filter.File = ledger.EscapePattern(name)
	if repository != "" {
		filter.Repository = repository
	}
	file := File{File: name, Repository: repository, Outcomes: outcomes(filter), Weeks: make([]int, ShownWeeks)}
	file.Reopened.Filter, file.InFixLines.Filter = filter, filter
	file.Reopened.Filter.Events.Statuses = []ledger.Status{ledger.StatusReopened}
	file.InFixLines.Filter.InFixLines = true
	return file
}

// Recurrence is a fingerprint that occurs in several runs of a repository.
type Recurrence struct {
	Fingerprint string
	// Repository is the key of the repository, if the ledger has several.
	Repository       string
	Violations, Open ledger.Count
	Runs             int
	// Latest is the short id of the newest violation, which the text and the place are from.
	Latest, Job, File, Issue string
	Line                     int
}

// RecurrenceOf returns a recurring line with its counts.
func (f Filter) RecurrenceOf(fingerprint, repository string, runs, violations, open int64) Recurrence {
	filter := f.problems()
	filter.Fingerprint = fingerprint
	if repository != "" {
		filter.Repository = repository
	}
	return Recurrence{
		Fingerprint: fingerprint, Repository: repository, Runs: int(runs),
		Violations: ledger.Count{Violations: int(violations), Filter: filter},
		Open:       ledger.Count{Violations: int(open), Filter: with(filter, ledger.OpenStatuses()...)},
	}
}

// OverlapRuns is how many of the newest runs the overlap is computed from, because it compares
// violations one by one.
const OverlapRuns = 25

// Overlap is how much of what one adapter reported another one found too, if both were asked in the
// same run and gate. It covers the newest [OverlapRuns] runs.
type Overlap struct {
	Adapter, Other string
	// Shared.Whole is the number of violations of Adapter in runs and gates where Other was asked
	// too, and Shared.Part the number of those that Other found.
	Shared Share
}

// Check has the figures of one check. Interrupted executions do not count.
type Check struct {
	Job, EntryPoint, Check string
	Command                string // of the latest execution
	// Executions is the number of executions that passed, failed or were in error, and Failures the
	// number that failed or were in error.
	Executions, Failures int
	// Last are the latest 30 executions, oldest first.
	Last  []Execution
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

// Execution is one execution of a check.
type Execution struct {
	Run       string // ULID
	Iteration int
	Status    ledger.GateStatus
	At        time.Time // when its iteration began
}

// FlakyCheck is a check that both passed and failed on the same tree.
type FlakyCheck struct {
	Job, Tree string
	Branch    string
	// First is its earliest execution on the tree, and Then the earliest one with another outcome.
	First, Then Execution
}

// Verdict is one verdict of a code review.
type Verdict struct {
	Run, Review string
	Iteration   int
	Scope       string
	Target      string
	Mode        string
	Verdict     ledger.VerdictWord
	At          time.Time
	Findings    map[ledger.Priority]int `column:"-"`
}

// Saved is what was not spent because slots had passed before: what these slots spent when they
// passed.
type Saved struct {
	Slots   int
	Tokens  int64
	CostUSD float64
}

// Durations are the median and the 90th percentile (nearest rank) of N durations. They are unknown
// if N is 0.
type Durations struct {
	N        int
	P50, P90 time.Duration
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
