package ledger

import (
	"cmp"
	"slices"
)

// Count is a number of violations, with the filter that lists exactly these. If the filter has
// Discards, it is a number of reports.
type Count struct {
	Violations int
	Filter     ViolationFilter
}

// Statistics are counts across iterations and runs. Only the sections that its filter asks for are
// filled in.
type Statistics struct {
	Filter StatisticsFilter
	// Runs is the number of runs of gates that began in the period, and Passed how many of them
	// passed. IterationsToPass has how many of these took how many iterations, and TimeToPass how
	// long they took from start to end.
	Runs, Passed     int
	IterationsToPass map[int]int
	TimeToPass       Durations
	// The outcomes are those of the violations first reported in the period. Violations that were
	// joined because they report one problem count once, also by iteration, gate, priority, file
	// and line. By adapter and model each of them counts.
	OutcomeStatistics
	SkippedBy map[SkipReason]Count
	// Confirmed and Contradicted are the numbers of claims that reviewers confirmed and
	// contradicted in the period.
	Confirmed, Contradicted int
	// InFixLines are violations on lines that the previous fix changed.
	InFixLines Count
	// Cost is the cost of all slots that were asked in the period.
	Cost       Cost
	Iterations []IterationStatistics
	Adapters   []AdapterStatistics
	// Models are the same figures by model, which may be [UnknownModel].
	Models     []AdapterStatistics
	Overlaps   []Overlap
	Gates      []GateStatistics
	Priorities []PriorityStatistics
	Files      []FileStatistics
	Recurring  []Recurrence
	Checks     []CheckStatistics
	Flaky      []FlakyCheck // newest first
	// Weeks have no gaps; the oldest comes first.
	Weeks        []PeriodStatistics
	Verdicts     []ListedVerdict // newest first
	VerdictWeeks []VerdictStatistics
	Saved        Saved
	// Newest is set if only this many of the newest violations of the period were searched for
	// Files and Recurring; 0 means all.
	Newest int
}

// IterationStatistics are the figures of all iterations with the same number.
type IterationStatistics struct {
	Number int
	// New are the violations first reported in these iterations, and Skipped those of them that are
	// skipped now.
	New, Skipped Count
	// Carried, Verified and Reopened count what slots' answers did: violations that they did not
	// name, claims that they confirmed, and claims and disputes that they contradicted.
	Carried, Verified, Reopened int
}

// AdapterStatistics are the figures of the slots that one adapter (or one model) filled, and of the
// violations that it was the first to report.
type AdapterStatistics struct {
	// Adapter is empty in the statistics of a model, and Model in those of an adapter.
	Adapter, Model string
	// Runs counts its answers and errors, and Skips the slots that were not asked. An interrupted
	// slot counts as neither.
	Runs, Errors, Skips, Interrupted int
	Repairs                          int // calls that asked for the answer again, in the right form
	WithoutWord                      int // claims that its passes confirmed without a word on them
	Reports                          int // everything that it reported, whatever became of it
	// Discarded are its discarded reports, by disposition; the filters list reports.
	Discarded map[Disposition]Count
	TakenUp   int // how many of these were made violations
	// The outcomes are those of the violations that it was the first to report.
	OutcomeStatistics
	SkippedBy map[SkipReason]Count
	// Duplicates are those of them that were joined to another violation.
	Duplicates Count
	// Alone are those that no other adapter reported, and AloneConfirmed those of them whose fix
	// was confirmed.
	Alone, AloneConfirmed     Count
	InputTokens, OutputTokens int64
	WithTokens                int // slots whose tokens are known
	Cost                      Cost
	// Took is how long its answers took.
	Took Durations
}

// Confirmed returns the violations whose fix was confirmed.
func (a AdapterStatistics) Confirmed() Count { return a.Verified }

// Repeats returns how many accepted reports were of violations that had been reported before.
func (a AdapterStatistics) Repeats() int {
	return max(0, a.Reports-a.Violations.Violations-a.Dropped())
}

// Dropped returns how many reports were discarded for good. A report that was taken up afterwards
// counts among the violations.
func (a AdapterStatistics) Dropped() int {
	n := -a.TakenUp
	for _, count := range a.Discarded {
		n += count.Violations
	}
	return max(0, n)
}

// Precision returns the share of confirmed violations among those that were confirmed, skipped or
// withdrawn. It shows how often a reviewer was right, not how often it was followed: a skip as a
// duplicate, out of scope, deferred or an accepted risk does not count against it.
func (a AdapterStatistics) Precision() Share {
	denied := a.Skipped.Violations + a.Withdrawn.Violations
	for _, reason := range []SkipReason{Duplicate, OutOfScope, Deferred, AcceptedRisk} {
		denied -= a.SkippedBy[reason].Violations
	}
	return Share{a.Verified.Violations, a.Verified.Violations + denied}
}

// ErrorRate returns the share of errors among answers and errors.
func (a AdapterStatistics) ErrorRate() Share { return Share{a.Errors, a.Runs} }

// CostPerConfirmed returns the cost of a confirmed violation in US dollars, which is a lower bound
// if the cost of some calls is not known. ok is false if nothing is confirmed or no cost is known.
func (a AdapterStatistics) CostPerConfirmed() (cost float64, ok bool) {
	if a.Verified.Violations == 0 || a.Cost.Known == 0 {
		return 0, false
	}
	return a.Cost.USD / float64(a.Verified.Violations), true
}

// GateStatistics are the figures of the violations of one review gate.
type GateStatistics struct {
	EntryPoint, Gate string
	Violations, Open Count
}

// FileStatistics are the figures of the violations of one file.
type FileStatistics struct {
	File       string
	Repository string // as in [Recurrence]
	OutcomeStatistics
	// Reopened are the violations whose claim or dispute was contradicted at some time. InFixLines
	// are those first reported on lines that the previous fix changed.
	Reopened, InFixLines Count
	Runs                 int
	// Weeks has the numbers of violations that were first reported in each of the 12 weeks up to
	// the end of the period, oldest first.
	Weeks []int
}

// Compute computes statistics from rows.
func Compute(rows Rows, f StatisticsFilter) Statistics {
	base := f.problems()
	s := Statistics{
		Filter: f, IterationsToPass: map[int]int{}, SkippedBy: map[SkipReason]Count{},
		OutcomeStatistics: outcomes(base), InFixLines: Count{Filter: base},
		Files: rows.Files, Recurring: rows.Recurring, Flaky: rows.Flaky, Newest: rows.Newest,
	}
	s.InFixLines.Filter.InFixLines = true
	s.countRuns(rows.Runs)
	g := s.counters()
	totals := f.Wants(SectionTotals)
	for _, v := range rows.Violations {
		g.adapters.at(v.Adapter).countOutcome(v)
		g.models.at(v.Model).countOutcome(v)
		if !totals || v.Status == StatusDuplicate {
			continue // a problem counts once, except for each reviewer that found it
		}
		s.countViolations(v)
		g.iterations.at(v.Iteration).count(v)
		g.gates.at(gateKey{v.EntryPoint, v.Gate}).count(v)
		g.priorities.at(v.Priority).OutcomeStatistics.count(v)
	}
	slices.SortFunc(rows.Slots, compareSlots) // sums of floating-point costs depend on their order
	for _, t := range rows.Slots {
		s.countSlots(t)
		g.iterations.at(t.Iteration).add(t)
		g.adapters.at(t.Adapter).add(t)
		g.models.at(t.Model).add(t)
	}
	g.list(&s)
	s.addTimes(rows.Times)
	s.Overlaps = overlaps(rows.Overlaps)
	s.Checks = checksOf(rows.Checks, rows.CheckWeeks, f.FirstShownWeek(rows.Now), rows.CheckDetails, f.Top)
	s.listVerdicts(rows)
	s.Weeks = rows.Weeks.statistics(f, rows.Runs, rows.Now)
	return s
}

func compareSlots(a, b SlotTotals) int {
	return cmp.Or(cmp.Compare(a.EntryPoint, b.EntryPoint), cmp.Compare(a.Gate, b.Gate), cmp.Compare(a.Adapter, b.Adapter),
		cmp.Compare(a.Model, b.Model), cmp.Compare(a.Iteration, b.Iteration))
}

// with narrows the filter to violations with one of the statuses, which duplicates do not have.
func (f ViolationFilter) with(statuses ...Status) ViolationFilter {
	f.Statuses = statuses
	f.NoDuplicates = false
	return f
}

func top(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

func (s *Statistics) countRuns(runs RunRows) {
	for status, byIterations := range runs.Totals {
		for iterations, n := range byIterations {
			s.Runs += n
			if status.Passes() {
				s.Passed += n
				s.IterationsToPass[iterations] += n
			}
		}
	}
	s.TimeToPass = durationsOf(runs.Times)
}

func (s *Statistics) countViolations(v ViolationTotals) {
	s.OutcomeStatistics.count(v)
	if v.Status == StatusSkipped {
		countReason(s.SkippedBy, s.Violations.Filter, v)
	}
	if v.InFixLines {
		s.InFixLines.Violations += v.Violations
	}
}

func (s *Statistics) countSlots(t SlotTotals) {
	s.Confirmed += t.number(FigureVerified)
	s.Contradicted += t.number(FigureContradicted)
	s.Cost.add(t.Figures)
	s.Saved.Slots += t.number(FigureSkipped)
	s.Saved.Tokens += t.Figures[FigureSavedTokens]
	s.Saved.CostUSD += dollars(t.Figures[FigureSavedNano])
}

// dollars converts from billionths of a US dollar.
func dollars(nano int64) float64 { return float64(nano) / 1e9 }

func (c *Cost) add(figures map[SlotFigure]int64) {
	c.USD += dollars(figures[FigureCostNano])
	c.Known += int(figures[FigureWithCost])
	c.Calls += int(figures[FigureCalls])
}

func countReason(by map[SkipReason]Count, base ViolationFilter, v ViolationTotals) {
	reason := SkipReason(v.Reason)
	if reason == "" {
		reason = NoReason
	}
	count := by[reason]
	count.Filter = base.with(StatusSkipped)
	count.Filter.Reasons = []SkipReason{reason}
	count.Violations += v.Violations
	by[reason] = count
}

// grouped keeps one value for each key, in the order in which the keys were first used.
type grouped[K comparable, V any] struct {
	make   func(K) V
	values map[K]*V
	order  []K
}

func (g *grouped[K, V]) at(key K) *V {
	if v := g.values[key]; v != nil {
		return v
	}
	v := g.make(key)
	g.values[key] = &v
	g.order = append(g.order, key)
	return &v
}

func (g *grouped[K, V]) list() []V {
	list := make([]V, 0, len(g.order))
	for _, key := range g.order {
		list = append(list, *g.values[key])
	}
	return list
}

func group[K comparable, V any](make func(K) V) *grouped[K, V] {
	return &grouped[K, V]{make: make, values: map[K]*V{}}
}

type gateKey struct{ entryPoint, gate string }

// counters has the statistics that are counted by a key.
type counters struct {
	iterations       *grouped[int, IterationStatistics]
	adapters, models *grouped[string, AdapterStatistics]
	gates            *grouped[gateKey, GateStatistics]
	priorities       *grouped[Priority, PriorityStatistics]
}

func (s *Statistics) counters() counters {
	base, finds := s.Violations.Filter, s.Filter.violations()
	return counters{
		iterations: group(func(number int) IterationStatistics {
			f := base
			f.Iteration = number
			return IterationStatistics{Number: number, New: Count{Filter: f}, Skipped: Count{Filter: f.with(StatusSkipped)}}
		}),
		adapters: group(func(adapter string) AdapterStatistics {
			f := finds
			f.Adapter = adapter
			a := adapterStatistics(f)
			a.Adapter = adapter
			return a
		}),
		models: group(func(model string) AdapterStatistics {
			f := finds
			f.Model = model
			a := adapterStatistics(f)
			a.Model = model
			return a
		}),
		gates: group(func(key gateKey) GateStatistics {
			f := base
			f.EntryPoint, f.Gate = key.entryPoint, key.gate
			return GateStatistics{
				EntryPoint: key.entryPoint, Gate: key.gate,
				Violations: Count{Filter: f}, Open: Count{Filter: f.with(OpenStatuses()...)},
			}
		}),
		priorities: group(func(p Priority) PriorityStatistics {
			f := base
			f.Priorities = []Priority{p}
			return PriorityStatistics{p, outcomes(f)}
		}),
	}
}

func adapterStatistics(f ViolationFilter) AdapterStatistics {
	alone := f
	alone.Alone = true
	return AdapterStatistics{
		Discarded: map[Disposition]Count{}, SkippedBy: map[SkipReason]Count{}, OutcomeStatistics: outcomes(f),
		Duplicates: Count{Filter: f.with(StatusDuplicate)}, Alone: Count{Filter: alone}, AloneConfirmed: Count{Filter: alone.with(StatusVerified)},
	}
}

// list puts what was counted into the statistics, sorted.
func (g counters) list(s *Statistics) {
	s.Iterations, s.Adapters, s.Models = g.iterations.list(), g.adapters.list(), g.models.list()
	s.Gates, s.Priorities = g.gates.list(), g.priorities.list()
	slices.SortFunc(s.Iterations, func(a, b IterationStatistics) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(s.Adapters, func(a, b AdapterStatistics) int { return cmp.Compare(a.Adapter, b.Adapter) })
	slices.SortFunc(s.Models, func(a, b AdapterStatistics) int { return cmp.Compare(a.Model, b.Model) })
	slices.SortFunc(s.Priorities, func(a, b PriorityStatistics) int { return cmp.Compare(a.Priority.Rank(), b.Priority.Rank()) })
	slices.SortFunc(s.Gates, func(a, b GateStatistics) int {
		return cmp.Or(-cmp.Compare(a.Violations.Violations, b.Violations.Violations), cmp.Compare(a.EntryPoint, b.EntryPoint), cmp.Compare(a.Gate, b.Gate))
	})
	s.Gates = s.Gates[:top(len(s.Gates), s.Filter.Top)]
}

func (i *IterationStatistics) count(v ViolationTotals) {
	i.New.Violations += v.Violations
	if v.Status == StatusSkipped {
		i.Skipped.Violations += v.Violations
	}
}

func (i *IterationStatistics) add(t SlotTotals) {
	i.Carried += t.number(FigureCarried)
	i.Verified += t.number(FigureVerified)
	i.Reopened += t.number(FigureReopened)
}

func (g *GateStatistics) count(v ViolationTotals) {
	g.Violations.Violations += v.Violations
	if v.Status.Open() {
		g.Open.Violations += v.Violations
	}
}

func (a *AdapterStatistics) countOutcome(v ViolationTotals) {
	a.OutcomeStatistics.count(v)
	switch v.Status {
	case StatusSkipped:
		countReason(a.SkippedBy, a.Violations.Filter, v)
	case StatusDuplicate:
		a.Duplicates.Violations += v.Violations
	}
	if v.TakenUp {
		a.TakenUp += v.Violations
	}
	if !v.Shared {
		a.Alone.Violations += v.Violations
		if v.Status == StatusVerified {
			a.AloneConfirmed.Violations += v.Violations
		}
	}
}

func (a *AdapterStatistics) add(t SlotTotals) {
	a.Runs += t.number(FigureAnswered) + t.number(FigureErrors)
	a.Errors += t.number(FigureErrors)
	a.Skips += t.number(FigureSkipped)
	a.Interrupted += t.number(FigureInterrupted)
	a.Repairs += t.number(FigureRepairs)
	a.WithoutWord += t.number(FigureWithoutWord)
	for _, disposition := range Dispositions() {
		n := t.number(SlotFigure(disposition))
		a.Reports += n
		if n > 0 && disposition != Accepted {
			filter := a.Violations.Filter
			filter.Discards = []Disposition{disposition}
			a.Discarded[disposition] = Count{a.Discarded[disposition].Violations + n, filter}
		}
	}
	a.InputTokens += t.Figures[FigureInputTokens]
	a.OutputTokens += t.Figures[FigureOutputTokens]
	a.WithTokens += t.number(FigureWithTokens)
	a.Cost.add(t.Figures)
}
