package statistics

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Run holds what figures need to know about a run.
type Run struct {
	Repository string // its key
	// Own distinguishes an unknown repository from others with the same key; empty: the key
	// suffices.
	Own        string
	Kind       ledger.RunKind
	Branch     string // empty: HEAD was detached
	Status     ledger.RunStatus
	Iterations int
	Started    time.Time
	Finished   time.Time // zero: it is open
	Gates      []Gate
	Slots      []Slot
	Violations []Violation
}

// Gate is a check or a review in an iteration.
type Gate struct {
	Job    Job
	Status ledger.GateStatus
	Tree   string    // of the iteration; empty: not known
	Began  time.Time // when the iteration began
	Took   time.Duration
}

// Slot is a reviewer's place in one iteration.
type Slot struct {
	Job           Job
	Iteration     int
	Index         int
	Adapter       string
	Model         string // empty: not known
	Status        ledger.SlotStatus
	PassIteration int       // where a skipped slot passed
	Ended         time.Time // zero: it runs
	Took          time.Duration
	Counts        ledger.SlotCounts
	Repairs       int
	Calls         int // of its reviewer
	// Tokens and the cost in US dollars; nil: not known.
	InputTokens, OutputTokens *int64
	CostUSD                   *float64
}

// Violation is a violation as it is now.
type Violation struct {
	Job            Job
	Slot           int // that reported it first
	Adapter        string
	FirstIteration int
	FirstSeen      time.Time
	File           string
	Priority       ledger.Priority
	Status         ledger.Status
	Reason         string
	Fingerprint    string // empty: not known
	Shared         bool   // another adapter reported it, or a duplicate of it, too
	InFixLines     bool
	Events         []Event // in their order
}

// Event is a change of a violation's status.
type Event struct {
	Status    ledger.Status
	Actor     ledger.Actor
	Iteration int // whose report it answers
	At        time.Time
}

// takenUp reports whether the violation was a report that a filter had left out: its first event is
// not a reviewer's.
func (v *Violation) takenUp() bool {
	return len(v.Events) > 0 && (v.Events[0].Actor == ledger.ActorAgent || v.Events[0].Actor == ledger.ActorHuman)
}

// Contribution is what a run adds to all figures. recurs reports whether another run of
// the repository has a violation with the same fingerprint.
func Contribution(r *Run, recurs func(fingerprint string) bool) Counts {
	c := counter{run: r, numbers: map[Count]int64{}}
	c.countRun()
	for _, g := range r.Gates {
		c.countCheck(g)
	}
	slots := r.slots()
	stand := r.stand(slots)
	for _, s := range r.Slots {
		c.addTo(Reviewers, "", Of{Adapter: s.Adapter, Model: s.model(), Labels: []string{reviewerSlots}})
		c.countSlot(s, slots, stand[s.place()])
	}
	for i := range r.Violations {
		v := &r.Violations[i]
		c.countViolation(v, slots.reviewer(v).Model, v.Fingerprint != "" && recurs(v.Fingerprint))
	}
	return c.counts()
}

func (r *Run) own() string { return cmp.Or(r.Own, r.Repository) }

// Fingerprints counts the violations of a run by their fingerprints.
func (r *Run) Fingerprints() map[string]int64 {
	lines := map[string]int64{}
	for _, v := range r.Violations {
		if v.Fingerprint != "" {
			lines[v.Fingerprint]++
		}
	}
	return lines
}

type slotPlace struct {
	job              Job
	iteration, index int
}

// slotsOf returns the slots of a run by place.
type slotsOf map[slotPlace]*Slot

func (r *Run) slots() slotsOf {
	slots := slotsOf{}
	for i := range r.Slots {
		s := &r.Slots[i]
		slots[s.place()] = s
	}
	return slots
}

func (s *Slot) place() slotPlace { return slotPlace{s.Job, s.Iteration, s.Index} }

// stand counts, by slot, the disputes that stand among the violations that the slot reopened. That
// is the slot that reported the finding, or, if it reopened nothing, another one of its gate that was
// faster.
func (r *Run) stand(slots slotsOf) map[slotPlace]int {
	stand := map[slotPlace]int{}
	for _, v := range r.Violations {
		for i, e := range v.Events {
			if i == 0 || e.Status != ledger.StatusReopened || v.Events[i-1].Status != ledger.StatusDisputed {
				continue
			}
			at := slotPlace{v.Job, e.Iteration, v.Slot}
			reopened := func() bool { return slots[at] != nil && slots[at].Counts.Reopened > stand[at] }
			for index := 1; !reopened() && index <= len(r.Slots); index++ {
				at.index = index
			}
			if reopened() {
				stand[at]++
			}
		}
	}
	return stand
}

// reviewer returns who reported a violation first, with the job.
func (s slotsOf) reviewer(v *Violation) Of {
	of := Of{Job: v.Job, Adapter: v.Adapter, Model: ledger.UnknownModel}
	if slot := s[slotPlace{v.Job, v.FirstIteration, v.Slot}]; slot != nil {
		of.Model = slot.model()
	}
	return of
}

// Reviewers returns who reported each violation of the run first, in the order of the violations.
func (r *Run) Reviewers() []Of {
	slots, list := r.slots(), make([]Of, len(r.Violations))
	for i := range r.Violations {
		list[i] = slots.reviewer(&r.Violations[i])
	}
	return list
}

func (s *Slot) model() string {
	if s.Model == "" {
		return ledger.UnknownModel
	}
	return s.Model
}

// counter adds up counts with the same measure, moment, bucket and key.
type counter struct {
	run     *Run
	numbers map[Count]int64
}

func (c *counter) add(m Measure, at time.Time, of Of, n int64) {
	of.Repository = c.run.Repository
	moment := int64(0)
	if !at.IsZero() {
		moment = At(at)
	}
	c.numbers[Count{Measure: m, At: moment, Key: of.Key()}] += n
}

func (c *counter) addTo(m Measure, bucket string, of Of) {
	c.numbers[Count{Measure: m, Bucket: bucket, Key: of.Key()}]++
}

// counts returns the counts in an order that does not depend on how they were added up.
func (c *counter) counts() Counts {
	list := make(Counts, 0, len(c.numbers))
	for count, n := range c.numbers {
		count.N = n
		list = append(list, count)
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(strings.Compare(string(a.Measure), string(b.Measure)), cmp.Compare(a.At, b.At), strings.Compare(a.Bucket, b.Bucket), strings.Compare(a.Key, b.Key))
	})
	return list
}

// Parts of runs.
const (
	gatePart    = "gate:"
	entryPart   = "entry:"
	adapterPart = "adapter:"
)

func jobPart(entryPoint, gate string) string { return "job:" + entryPoint + ":" + gate }

// parts lists the parts that the run is counted in: all runs, and those with a gate, an entry point,
// a gate on an entry point, or an adapter.
func (r *Run) parts() []string {
	parts := []string{""}
	for _, g := range r.Gates {
		parts = append(parts, gatePart+g.Job.Gate, entryPart+g.Job.EntryPoint, jobPart(g.Job.EntryPoint, g.Job.Gate))
	}
	for _, s := range r.Slots {
		parts = append(parts, adapterPart+s.Adapter)
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

func (c *counter) countRun() {
	r := c.run
	if r.Kind != ledger.KindGates {
		return
	}
	iterations := strconv.Itoa(r.Iterations)
	for _, part := range r.parts() {
		c.add(Runs, r.Started, Of{Labels: []string{string(r.Status), iterations, part}}, 1)
		if r.Status.Passes() && !r.Finished.IsZero() {
			c.add(RunTimes, r.Started, Of{Labels: []string{millis(r.Finished.Sub(r.Started)), part}}, 1)
		}
	}
}

// millis returns a duration in milliseconds, rounded to three digits.
func millis(d time.Duration) string {
	return strconv.FormatInt(ledger.ThreeDigits(d).Milliseconds(), 10)
}

// The outcomes of checks.
const (
	CheckPassed = "passed"
	CheckFailed = "failed"
)

func (c *counter) countCheck(g Gate) {
	if g.Job.Kind != string(ledger.KindCheck) {
		return
	}
	outcome := CheckFailed
	switch g.Status {
	case ledger.GatePassed:
		outcome = CheckPassed
	case ledger.GateFailed, ledger.GateError:
	default:
		return // it was not executed
	}
	c.add(Checks, g.Began, Of{Job: g.Job, Labels: []string{outcome, millis(g.Took)}}, 1)
	if g.Tree != "" && g.Status != ledger.GateError {
		c.addTo(Trees, outcome, Of{Job: g.Job, Labels: []string{g.Tree}})
	}
}

// countSlot counts a slot that ended, with what a skipped one spent when it passed. Of what it
// reopened, stands were disputes; the others are claims that it contradicted.
func (c *counter) countSlot(s Slot, slots slotsOf, stand int) {
	if s.Ended.IsZero() {
		return
	}
	of := Of{Job: s.Job, Adapter: s.Adapter, Model: s.model(), Iteration: s.Iteration}
	figure := func(f ledger.SlotFigure, n int64) {
		if n != 0 {
			of.Labels = []string{string(f)}
			c.add(Slots, s.Ended, of, n)
		}
	}
	switch s.Status {
	case ledger.SlotPass, ledger.SlotFail:
		figure(ledger.FigureAnswered, 1)
		c.add(AnswerTimes, s.Ended, Of{Job: s.Job, Adapter: s.Adapter, Model: s.model(), Labels: []string{millis(s.Took)}}, 1)
	case ledger.SlotError:
		figure(ledger.FigureErrors, 1)
	case ledger.SlotInterrupted:
		figure(ledger.FigureInterrupted, 1)
	case ledger.SlotSkipped:
		figure(ledger.FigureSkipped, 1)
		if p := slots[slotPlace{s.Job, s.PassIteration, s.Index}]; p != nil {
			if p.InputTokens != nil && p.OutputTokens != nil {
				figure(ledger.FigureSavedTokens, *p.InputTokens+*p.OutputTokens)
			}
			figure(ledger.FigureSavedNano, nano(p.CostUSD))
		}
	}
	for disposition, n := range s.Counts.Reports() {
		figure(ledger.SlotFigure(disposition), int64(n))
	}
	figure(ledger.FigureReopened, int64(s.Counts.Reopened))
	figure(ledger.FigureContradicted, int64(s.Counts.Reopened-stand))
	figure(ledger.FigureVerified, int64(s.Counts.Verified))
	figure(ledger.FigureCarried, int64(s.Counts.Carried))
	figure(ledger.FigureRepairs, int64(s.Repairs))
	figure(ledger.FigureInputTokens, known(s.InputTokens))
	figure(ledger.FigureOutputTokens, known(s.OutputTokens))
	if s.InputTokens != nil || s.OutputTokens != nil {
		figure(ledger.FigureWithTokens, 1)
	}
	for f, n := range s.costs() {
		figure(f, n)
		if n != 0 {
			c.add(Costs, s.Ended, Of{Job: s.Job, Adapter: s.Adapter, Model: s.model(), Labels: []string{string(f)}}, n)
		}
	}
}

// costs counts what the slot's calls of a model cost, in the same way as [ledger.Spent].
func (s Slot) costs() map[ledger.SlotFigure]int64 {
	costs := map[ledger.SlotFigure]int64{ledger.FigureCostNano: nano(s.CostUSD)}
	usage := ledger.Usage{InputTokens: s.InputTokens, OutputTokens: s.OutputTokens, CostUSD: s.CostUSD}
	if usage.Free() {
		return costs
	}
	costs[ledger.FigureCalls] = int64(s.Calls)
	if s.CostUSD != nil {
		costs[ledger.FigureWithCost] = int64(s.Calls)
	}
	return costs
}

func known(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// nano returns a cost in billionths of a US dollar, or 0 if it is not known.
func nano(usd *float64) int64 {
	if usd == nil {
		return 0
	}
	return int64(math.Round(*usd * 1e9))
}

// What is counted by reviewer.
const (
	reviewerSlots      = "slots"
	reviewerViolations = "violations"
)

// Flags of violations.
const (
	flagShared    = "shared"
	flagFixLines  = "fix_lines"
	flagRecurring = "recurring"
	flagTakenUp   = "taken_up"
)

// shown returns the status of a violation as it is shown.
func (r *Run) shown(v *Violation) ledger.Status {
	if v.Status.Open() && r.Status == ledger.StatusAbandoned {
		return ledger.ShownAbandoned
	}
	return v.Status
}

func (c *counter) countViolation(v *Violation, model string, recurring bool) {
	status := c.run.shown(v)
	var flags []string
	for _, flag := range []struct {
		name string
		set  bool
	}{{flagShared, v.Shared}, {flagFixLines, v.InFixLines}, {flagRecurring, recurring}, {flagTakenUp, v.takenUp()}} {
		if flag.set {
			flags = append(flags, flag.name)
		}
	}
	c.addTo(Reviewers, "", Of{Adapter: v.Adapter, Model: model, Labels: []string{reviewerViolations}})
	of := Of{
		Job: v.Job, Adapter: v.Adapter, Model: model, Iteration: v.FirstIteration,
		Labels: []string{string(v.Priority), string(status), v.Reason, strings.Join(flags, ",")},
	}
	c.add(Violations, v.FirstSeen, of, 1)
	of.Repository = c.run.Repository
	c.addTo(Folders, folderBucket(firstFolder(v.File)), of)
	c.countFile(v)
	if v.Fingerprint != "" {
		c.addTo(Lines, "", LineOf(c.run.own(), v.Fingerprint))
	}
	c.countEvents(v, model)
}

// LineOf returns the key of the counts of one line of code.
func LineOf(repository, fingerprint string) Of { return Of{Labels: []string{fingerprint, repository}} }

// FileOf returns the key of the counts of one file. Keys sort by file first.
func FileOf(repository, file string) Of { return Of{Labels: []string{file, repository}} }

// firstFolder returns the first folder of a path, or "" for a file in the root.
func firstFolder(file string) string {
	folder, _, below := strings.Cut(file, "/")
	if !below {
		return ""
	}
	return folder
}

func (c *counter) countFile(v *Violation) {
	outcome := c.run.OutcomeOf(v)
	if outcome.Bucket == notCounted {
		return
	}
	of := FileOf(c.run.own(), v.File)
	c.addTo(Files, FileViolations, of)
	c.addTo(Files, outcome.Bucket, of)
	if outcome.InFixLines {
		c.addTo(Files, FileInFixLines, of)
	}
	if slices.ContainsFunc(v.Events, func(e Event) bool { return e.Status == ledger.StatusReopened }) {
		c.addTo(Files, FileReopened, of)
	}
	c.numbers[Count{Measure: Files, Bucket: FileRuns, Key: of.Key()}] = 1
}

// countEvents counts a violation once for each status that it got on a day, and in a week. For a
// duplicate only joins count: everything else that happened to it is part of another problem.
func (c *counter) countEvents(v *Violation, model string) {
	type once struct {
		start  time.Time
		status ledger.Status
		unit   ledger.PeriodUnit
	}
	seen := map[once]bool{}
	for _, e := range v.Events {
		if v.Status == ledger.StatusDuplicate && e.Status != ledger.StatusDuplicate {
			continue
		}
		of := Of{Job: v.Job, Adapter: v.Adapter, Model: model, Labels: []string{string(e.Status)}}
		for m, unit := range map[Measure]ledger.PeriodUnit{DayEvents: ledger.ByDay, WeekEvents: ledger.ByWeek} {
			o := once{unit.Start(e.At), e.Status, unit}
			if !seen[o] {
				seen[o] = true
				c.add(m, o.start, of, 1)
			}
		}
	}
}
