package ledger

import (
	"slices"
	"time"
)

// StatisticsFilter selects what is counted. Fields that are zero do not restrict it.
type StatisticsFilter struct {
	// Period is the time in which slots answered, violations were first reported and runs began.
	Period           Period
	Run              string // ULID
	Branch, Worktree string
	Gate, EntryPoint string
	Adapter, Model   string
	// Repository is the key of a repository, or "unknown".
	Repository string
	// Top limits how many files, gates, recurring lines and verdicts are listed; 0 means no limit.
	Top int
	// LatestWeeks is how many weeks at the end of the period have figures; the others are listed
	// without. 0 means all.
	LatestWeeks int
	// Newest is how many of the newest violations are searched for files and recurring lines if the
	// totals do not have them; 0 means all. What is found is counted over all violations.
	Newest int
	// Detailed is the number of files with all figures: in addition to the outcomes of their
	// violations also runs, weeks and reopened violations. 0 means all.
	Detailed int
	// CountsOnly is set if no file needs all figures.
	CountsOnly bool
	// Sections are the wanted sections; none means those that [Sections] returns.
	Sections []Section
}

// Wants reports whether the filter asks for the section.
func (f StatisticsFilter) Wants(s Section) bool {
	sections := f.Sections
	if len(sections) == 0 {
		sections = Sections()
	}
	return slices.Contains(sections, s)
}

// violations returns the filter that lists the counted violations.
func (f StatisticsFilter) violations() ViolationFilter {
	return ViolationFilter{
		Run: f.Run, Branch: f.Branch, Worktree: f.Worktree, Gate: f.Gate, EntryPoint: f.EntryPoint,
		Adapter: f.Adapter, Model: f.Model, Repository: f.Repository, Reported: f.Period,
	}
}

// problems returns the filter that lists each counted problem once.
func (f StatisticsFilter) problems() ViolationFilter {
	filter := f.violations()
	filter.NoDuplicates = true
	return filter
}

// UnknownModel stands for slots whose reviewer did not report its model.
const UnknownModel = "unknown"

// UnknownRepository stands, in filters, for runs that did not record their repository.
const UnknownRepository = "unknown"

// SlotTotals are the figures of the slots of a period with one gate, adapter, model and iteration
// number.
type SlotTotals struct {
	EntryPoint, Gate, Adapter string
	Model                     string
	Iteration                 int
	Figures                   map[SlotFigure]int64
}

// SlotFigure is what is counted for slots. Reports are counted by their [Disposition].
type SlotFigure string

// The other figures of slots.
const (
	FigureAnswered     SlotFigure = "answered"
	FigureErrors       SlotFigure = "errors"
	FigureInterrupted  SlotFigure = "interrupted"
	FigureSkipped      SlotFigure = "skipped"
	FigureReopened     SlotFigure = "reopened"
	FigureContradicted SlotFigure = "contradicted" // reopened claims; the other reopened violations were disputes
	FigureVerified     SlotFigure = "verified"
	FigureCarried      SlotFigure = "carried"
	FigureRepairs      SlotFigure = "repairs"
	FigureWithoutWord  SlotFigure = "without_word" // claims that a pass confirmed without a word
	FigureInputTokens  SlotFigure = "input_tokens"
	FigureOutputTokens SlotFigure = "output_tokens"
	FigureWithTokens   SlotFigure = "with_tokens" // slots whose tokens are known
	FigureCostNano     SlotFigure = "cost_nano"   // billionths of a US dollar, so that sums are exact
	FigureWithCost     SlotFigure = "with_cost"   // model calls whose cost is known
	FigureCalls        SlotFigure = "calls"       // model calls
	// What skipped slots spent when they passed.
	FigureSavedTokens SlotFigure = "saved_tokens"
	FigureSavedNano   SlotFigure = "saved_nano"
)

// number returns a figure that does not count tokens or costs.
func (t SlotTotals) number(f SlotFigure) int { return int(t.Figures[f]) }

// ViolationTotals is the number of violations with one priority and status that slots of one gate
// with one adapter and model first reported in iterations with one number.
type ViolationTotals struct {
	EntryPoint, Gate, Adapter string
	Model                     string
	Iteration                 int
	Priority                  Priority
	Status                    Status // as shown
	Reason                    string
	Shared, InFixLines        bool
	Recurring, TakenUp        bool
	Violations                int
}

// Saved is what was not spent because slots had passed before: what these slots spent when they
// passed.
type Saved struct {
	Slots   int
	Tokens  int64
	CostUSD float64
}

// Recurrence is a fingerprint that occurs in several runs of a repository.
type Recurrence struct {
	Fingerprint string
	// Repository is the key of the repository, if the ledger has several.
	Repository       string
	Violations, Open Count
	Runs             int
	// Latest is the short id of the newest violation, which the text and the place are from.
	Latest, Job, File, Issue string
	Line                     int
}

// RunRows has the numbers of the runs of gates of a period.
type RunRows struct {
	// Totals has the numbers by status and number of iterations.
	Totals map[RunStatus]map[int]int
	// Times has the numbers of runs that passed, by how long they took.
	Times map[time.Duration]int
	// Days has the numbers by the day on which the runs began, and by status.
	Days map[time.Time]map[RunStatus]int
}

// AddTotals adds runs with a status and a number of iterations.
func (r *RunRows) AddTotals(status RunStatus, iterations, runs int) {
	countIn(&r.Totals, status, iterations, runs)
}

// AddTimes adds runs that passed and took this long.
func (r *RunRows) AddTimes(took time.Duration, runs int) {
	if r.Times == nil {
		r.Times = map[time.Duration]int{}
	}
	r.Times[ThreeDigits(took)] += runs
}

// AddDay adds runs with a status that began on the day of at.
func (r *RunRows) AddDay(at time.Time, status RunStatus, runs int) {
	countIn(&r.Days, ByDay.Start(at), status, runs)
}

// countIn adds n to a number in a table, which may be nil.
func countIn[Row, Column comparable, N int | int64](table *map[Row]map[Column]N, row Row, column Column, n N) {
	if *table == nil {
		*table = map[Row]map[Column]N{}
	}
	if (*table)[row] == nil {
		(*table)[row] = map[Column]N{}
	}
	(*table)[row][column] += n
}

// TimeTotals is the number of answers of one adapter and model that took the same time.
type TimeTotals struct {
	Adapter, Model string
	Took           time.Duration
	Slots          int
}

// CheckTotals is the number of executions of a check that had one outcome and took the same time.
type CheckTotals struct {
	// Start is the beginning of the week, if executions are counted by week.
	Start                  time.Time
	Job, EntryPoint, Check string
	Passed                 bool
	Took                   time.Duration
	Executions             int
}

// OverlapTotals has the numbers of violations of an adapter in runs and gates where another adapter
// was asked too.
type OverlapTotals struct {
	Adapter, Other     string
	Violations, Shared int
}

// PeriodRows has the numbers of events and costs by week.
type PeriodRows struct {
	First  time.Time // the first event, if any
	Events map[time.Time]map[Status]int
	Costs  map[time.Time]map[SlotFigure]int64
}

// Rows are what [Statistics] are computed from.
type Rows struct {
	Now        time.Time
	Slots      []SlotTotals
	Violations []ViolationTotals
	Times      []TimeTotals
	Runs       RunRows
	Files      []FileStatistics
	Recurring  []Recurrence
	Overlaps   []OverlapTotals
	Checks     []CheckTotals
	// CheckDetails has the command and the latest executions of each check, by job.
	CheckDetails map[string]CheckStatistics
	Flaky        []FlakyCheck
	Verdicts     []ListedVerdict
	// Newest is set if only this many of the newest violations were searched for files and lines; 0
	// means all.
	Newest int
	// CheckWeeks has the numbers of executions of checks by week.
	CheckWeeks []CheckTotals
	Weeks      PeriodRows
}
