package figures

import (
	"cmp"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Reported is a number of violations that have everything in common that figures divide them by: a
// row of the statement ReportedViolations.
type Reported struct {
	EntryPoint string
	Gate       string
	Adapter    string
	Model      string
	Iteration  int64
	Priority   string
	Status     string // as shown
	Reason     string
	Shared     int64 // 0 or 1
	InFixLines int64
	TakenUp    bool
	Violations int64
}

// Slots are the figures of slots with the same gate, reviewer and iteration: a row of the statement
// EndedSlots, which says what each counts.
type Slots struct {
	EntryPoint        string
	Gate              string
	Adapter           string
	Model             string
	Iteration         int64
	Answered          int64
	Errors            int64
	Interrupted       int64
	Skipped           int64
	Verified          int64
	Carried           int64
	Reopened          int64
	Contradicted      int64
	Repairs           int64
	WithoutWord       int64
	Accepted          int64
	OutOfDiff         int64
	BelowThreshold    int64
	PreviouslySkipped int64
	RememberedSkip    int64
	Malformed         int64
	Merged            int64
	OutsideVerify     int64
	InputTokens       int64
	OutputTokens      int64
	WithTokens        int64
	Cost              ledger.Cost
	SavedTokens       int64
	SavedUSD          float64
}

// reports returns the numbers of the reports in the slots' answers by disposition.
func (t Slots) reports() map[ledger.Disposition]int64 {
	return map[ledger.Disposition]int64{
		ledger.Accepted: t.Accepted, ledger.OutOfDiff: t.OutOfDiff, ledger.BelowThreshold: t.BelowThreshold, ledger.Malformed: t.Malformed,
		ledger.PreviouslySkipped: t.PreviouslySkipped, ledger.RememberedSkip: t.RememberedSkip, ledger.Merged: t.Merged, ledger.OutsideVerify: t.OutsideVerify,
	}
}

// New returns statistics for the filter whose figures are all still 0.
func New(f Filter) Statistics {
	s := Statistics{
		Filter: f, IterationsToPass: map[int]int{}, SkippedBy: map[ledger.SkipReason]ledger.Count{},
		Outcomes: outcomes(f.problems()), InFixLines: ledger.Count{Filter: f.problems()},
	}
	s.InFixLines.Filter.InFixLines = true
	return s
}

// AddReported counts violations. A problem that several of them report counts once, except for each
// reviewer that found it.
func (s *Statistics) AddReported(list []Reported) {
	reviewers, totals := s.Filter.Wants(SectionReviewers), s.Filter.Wants(SectionTotals)
	for _, r := range list {
		status, n := ledger.Status(r.Status), int(r.Violations)
		if reviewers {
			s.adapter(r.Adapter).addReported(r)
			s.model(r.Model).addReported(r)
		}
		if !totals || status == ledger.StatusDuplicate {
			continue
		}
		s.Outcomes.count(status, n)
		if status == ledger.StatusSkipped {
			countReason(s.SkippedBy, s.Violations.Filter, r)
		}
		s.InFixLines.Violations += int(r.InFixLines) * n
		i := s.iteration(r.Iteration)
		i.New.Violations += n
		if status == ledger.StatusSkipped {
			i.Skipped.Violations += n
		}
		g := s.gate(r.EntryPoint, r.Gate)
		g.Violations.Violations += n
		if status.Open() {
			g.Open.Violations += n
		}
		s.priority(ledger.Priority(r.Priority)).count(status, n)
	}
}

// AddSlots counts slots.
func (s *Statistics) AddSlots(list []Slots) {
	for _, t := range list {
		s.Confirmed += int(t.Verified)
		s.Contradicted += int(t.Contradicted)
		addCost(&s.Cost, t)
		s.Saved.Slots += int(t.Skipped)
		s.Saved.Tokens += t.SavedTokens
		s.Saved.CostUSD += t.SavedUSD
		if s.Filter.Wants(SectionTotals) {
			i := s.iteration(t.Iteration)
			i.Carried += int(t.Carried)
			i.Verified += int(t.Verified)
			i.Reopened += int(t.Reopened)
		}
		if s.Filter.Wants(SectionReviewers) {
			s.adapter(t.Adapter).addSlots(t)
			s.model(t.Model).addSlots(t)
		}
	}
}

// Sort sorts what was counted, and limits the lists.
func (s *Statistics) Sort() {
	slices.SortFunc(s.Iterations, func(a, b Iteration) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(s.Adapters, func(a, b Reviewer) int { return cmp.Compare(a.Adapter, b.Adapter) })
	slices.SortFunc(s.Models, func(a, b Reviewer) int { return cmp.Compare(a.Model, b.Model) })
	slices.SortFunc(s.Priorities, func(a, b Priority) int { return cmp.Compare(a.Priority.Rank(), b.Priority.Rank()) })
	slices.SortFunc(s.Gates, func(a, b Gate) int {
		return cmp.Or(-cmp.Compare(a.Violations.Violations, b.Violations.Violations), cmp.Compare(a.EntryPoint, b.EntryPoint), cmp.Compare(a.Gate, b.Gate))
	})
	s.Gates = top(s.Filter, s.Gates)
}

func addCost(c *ledger.Cost, t Slots) {
	c.USD += t.Cost.USD
	c.Known += t.Cost.Known
	c.Calls += t.Cost.Calls
}

func countReason(by map[ledger.SkipReason]ledger.Count, base ledger.ViolationFilter, r Reported) {
	reason := cmp.Or(ledger.SkipReason(r.Reason), ledger.NoReason)
	count := by[reason]
	count.Filter = with(base, ledger.StatusSkipped)
	count.Filter.Reasons = []ledger.SkipReason{reason}
	count.Violations += int(r.Violations)
	by[reason] = count
}

// one returns the element that is, which is added as made if the list does not have it.
func one[T any](list *[]T, is func(T) bool, made func() T) *T {
	i := slices.IndexFunc(*list, is)
	if i < 0 {
		i, *list = len(*list), append(*list, made())
	}
	return &(*list)[i]
}

func (s *Statistics) iteration(number int64) *Iteration {
	return one(&s.Iterations, func(i Iteration) bool { return i.Number == int(number) }, func() Iteration {
		f := s.Violations.Filter
		f.Iteration = int(number)
		return Iteration{Number: int(number), New: ledger.Count{Filter: f}, Skipped: ledger.Count{Filter: with(f, ledger.StatusSkipped)}}
	})
}

func (s *Statistics) gate(entryPoint, gate string) *Gate {
	return one(&s.Gates, func(g Gate) bool { return g.EntryPoint == entryPoint && g.Gate == gate }, func() Gate {
		f := s.Violations.Filter
		f.EntryPoint, f.Gate = entryPoint, gate
		return Gate{EntryPoint: entryPoint, Gate: gate, Violations: ledger.Count{Filter: f}, Open: ledger.Count{Filter: with(f, ledger.OpenStatuses()...)}}
	})
}

func (s *Statistics) priority(p ledger.Priority) *Priority {
	return one(&s.Priorities, func(x Priority) bool { return x.Priority == p }, func() Priority {
		f := s.Violations.Filter
		f.Priorities = []ledger.Priority{p}
		return Priority{p, outcomes(f)}
	})
}

func (s *Statistics) adapter(name string) *Reviewer {
	return one(&s.Adapters, func(r Reviewer) bool { return r.Adapter == name }, func() Reviewer {
		f := s.Filter.violations()
		f.Adapter = name
		r := newReviewer(f)
		r.Adapter = name
		return r
	})
}

func (s *Statistics) model(name string) *Reviewer {
	return one(&s.Models, func(r Reviewer) bool { return r.Model == name }, func() Reviewer {
		f := s.Filter.violations()
		f.Model = name
		r := newReviewer(f)
		r.Model = name
		return r
	})
}

func newReviewer(f ledger.ViolationFilter) Reviewer {
	alone := f
	alone.Alone = true
	return Reviewer{
		Discarded: map[ledger.Disposition]ledger.Count{}, SkippedBy: map[ledger.SkipReason]ledger.Count{}, Outcomes: outcomes(f),
		Duplicates: ledger.Count{Filter: with(f, ledger.StatusDuplicate)}, Alone: ledger.Count{Filter: alone},
		AloneConfirmed: ledger.Count{Filter: with(alone, ledger.StatusVerified)},
	}
}

func (r *Reviewer) addReported(v Reported) {
	status, n := ledger.Status(v.Status), int(v.Violations)
	r.Outcomes.count(status, n)
	switch status {
	case ledger.StatusSkipped:
		countReason(r.SkippedBy, r.Violations.Filter, v)
	case ledger.StatusDuplicate:
		r.Duplicates.Violations += n
	}
	if v.TakenUp {
		r.TakenUp += n
	}
	if v.Shared == 0 {
		r.Alone.Violations += n
		if status == ledger.StatusVerified {
			r.AloneConfirmed.Violations += n
		}
	}
}

func (r *Reviewer) addSlots(t Slots) {
	r.Runs += int(t.Answered + t.Errors)
	r.Errors += int(t.Errors)
	r.Skips += int(t.Skipped)
	r.Interrupted += int(t.Interrupted)
	r.Repairs += int(t.Repairs)
	r.WithoutWord += int(t.WithoutWord)
	for disposition, n := range t.reports() {
		r.Reports += int(n)
		if n > 0 && disposition != ledger.Accepted {
			filter := r.Violations.Filter
			filter.Discards = []ledger.Disposition{disposition}
			r.Discarded[disposition] = ledger.Count{Violations: r.Discarded[disposition].Violations + int(n), Filter: filter}
		}
	}
	r.InputTokens += t.InputTokens
	r.OutputTokens += t.OutputTokens
	r.WithTokens += int(t.WithTokens)
	addCost(&r.Cost, t)
}
