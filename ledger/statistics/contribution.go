package statistics

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// A Run is the record of a run, with what figures need in addition to it.
type Run struct {
	*exchange.Run
	// Jobs are the jobs of its ledger, by their ids.
	Jobs map[string]Job
	// Repository is the key of the run's repository. Own distinguishes an unknown repository from
	// others with the same key; it is empty if the key is enough.
	Repository, Own string
}

// Contribution returns what a run adds to all figures. recurs reports whether another run of the
// repository has a violation with the same fingerprint.
func Contribution(r *Run, recurs func(fingerprint string) bool) Counts {
	c := counter{run: r, numbers: map[Count]int64{}, slots: r.slots(), events: make(map[string][]*exchange.Event, len(r.Violations))}
	for i := range r.Events {
		e := &r.Events[i]
		c.events[e.Violation] = append(c.events[e.Violation], e)
	}
	c.countRun()
	c.countChecks()
	stand := c.stand()
	for i := range r.Slots {
		s := &r.Slots[i]
		c.addTo(Reviewers, "", Of{Adapter: s.Adapter, Model: model(s), Labels: []string{reviewerSlots}})
		c.countSlot(s, stand[s.InSlot])
	}
	for i := range r.Violations {
		c.countViolation(&r.Violations[i], recurs)
	}
	return c.counts()
}

func (r *Run) own() string { return cmp.Or(r.Own, r.Repository) }

// Fingerprints returns the fingerprints of the run's violations.
func (r *Run) Fingerprints() map[string]bool {
	lines := map[string]bool{}
	for i := range r.Violations {
		if fingerprint := r.Violations[i].Fingerprint; fingerprint != nil {
			lines[*fingerprint] = true
		}
	}
	return lines
}

// slotsOf has the slots of a run, by place.
type slotsOf map[exchange.InSlot]*exchange.Slot

func (r *Run) slots() slotsOf {
	slots := make(slotsOf, len(r.Slots))
	for i := range r.Slots {
		slots[r.Slots[i].InSlot] = &r.Slots[i]
	}
	return slots
}

// place returns the place, in an iteration, of the slot that reported the violation first.
func place(v *exchange.Violation, iteration int64) exchange.InSlot {
	return exchange.InSlot{Run: v.Run, Iteration: iteration, Job: v.Job, Slot: v.Slot}
}

// stand returns how many disputes each slot reopened by standing by its finding. A reopened dispute
// is counted for the slot that reported the finding or, if the counts of that slot leave no room
// for it, for another slot of its gate, which answered earlier.
func (c *counter) stand() map[exchange.InSlot]int64 {
	stand := map[exchange.InSlot]int64{}
	for i := range c.run.Violations {
		v := &c.run.Violations[i]
		before := ledger.StatusNew
		for _, e := range c.events[v.Violation] {
			disputed := before == ledger.StatusDisputed
			if before = ledger.Status(e.Status); before != ledger.StatusReopened || !disputed {
				continue
			}
			at := place(v, e.Iteration)
			reopened := func() bool { return c.slots[at] != nil && c.slots[at].Reopened > stand[at] }
			for index := 1; !reopened() && index <= len(c.run.Slots); index++ {
				at.Slot = int64(index)
			}
			if reopened() {
				stand[at]++
			}
		}
	}
	return stand
}

// reviewer returns the reviewer that reported a violation first, and the job.
func (r *Run) reviewer(v *exchange.Violation, slots slotsOf) Of {
	of := Of{Job: r.Jobs[v.Job], Adapter: v.Adapter, Model: ledger.UnknownModel}
	if slot := slots[place(v, v.FirstIteration)]; slot != nil {
		of.Model = model(slot)
	}
	return of
}

// Reviewers returns the reviewer that reported each violation of the run first, in the order of the
// violations.
func (r *Run) Reviewers() []Of {
	slots, list := r.slots(), make([]Of, len(r.Violations))
	for i := range r.Violations {
		list[i] = r.reviewer(&r.Violations[i], slots)
	}
	return list
}

func model(s *exchange.Slot) string { return cmp.Or(rows.Value(s.Model), ledger.UnknownModel) }

// A counter adds up counts that have the same measure, moment, bucket and key.
type counter struct {
	run     *Run
	numbers map[Count]int64
	slots   slotsOf
	// events are the events of each violation, in their order.
	events map[string][]*exchange.Event
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

// counts returns the counts in an order that does not depend on how they were added.
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

// Prefixes of the parts of runs.
const (
	gatePart    = "gate:"
	entryPart   = "entry:"
	adapterPart = "adapter:"
)

func jobPart(entryPoint, gate string) string { return "job:" + entryPoint + ":" + gate }

// parts lists the parts that the run is counted in: all runs, and the runs with each of its gates,
// entry points, gates on an entry point, and adapters.
func (r *Run) parts() []string {
	parts := []string{""}
	for i := range r.Gates {
		job := r.Jobs[r.Gates[i].Job]
		parts = append(parts, gatePart+job.Gate, entryPart+job.EntryPoint, jobPart(job.EntryPoint, job.Gate))
	}
	for i := range r.Slots {
		parts = append(parts, adapterPart+r.Slots[i].Adapter)
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

func (c *counter) countRun() {
	r, h := c.run, &c.run.Head
	if ledger.RunKind(h.Kind) != ledger.KindGates {
		return
	}
	started, iterations := h.StartedAt.Moment(), strconv.FormatInt(h.Iterations, 10)
	for _, part := range r.parts() {
		c.add(Runs, started, Of{Labels: []string{h.Status, iterations, part}}, 1)
		if ledger.RunStatus(h.Status).Passes() && h.FinishedAt != nil {
			c.add(RunTimes, started, Of{Labels: []string{millis(h.FinishedAt.Moment().Sub(started)), part}}, 1)
		}
	}
}

// millis returns a duration in milliseconds, rounded to three significant digits.
func millis(d time.Duration) string {
	return strconv.FormatInt(ledger.ThreeDigits(d).Milliseconds(), 10)
}

// took returns a number of milliseconds, rounded in the same way.
func took(ms int64) string { return millis(time.Duration(ms) * time.Millisecond) }

// The outcomes of checks.
const (
	CheckPassed = "passed"
	CheckFailed = "failed"
)

func (c *counter) countChecks() {
	iterations := make(map[int64]*exchange.Iteration, len(c.run.Iterations))
	for i := range c.run.Iterations {
		iterations[c.run.Iterations[i].Number] = &c.run.Iterations[i]
	}
	for i := range c.run.Gates {
		g := &c.run.Gates[i]
		job, in := c.run.Jobs[g.Job], iterations[g.Iteration]
		if in == nil || job.Kind != string(ledger.KindCheck) {
			continue
		}
		outcome, status := CheckFailed, ledger.GateStatus(g.Status)
		switch status {
		case ledger.GatePassed:
			outcome = CheckPassed
		case ledger.GateFailed, ledger.GateError:
		default:
			continue // the check was not executed
		}
		c.add(Checks, in.StartedAt.Moment(), Of{Job: job, Labels: []string{outcome, took(g.DurationMs)}}, 1)
		if in.Tree != nil && status != ledger.GateError {
			c.addTo(Trees, outcome, Of{Job: job, Labels: []string{*in.Tree}})
		}
	}
}

// countSlot counts a slot that ended, and for a skipped slot what it spent when it passed. stand is
// how many of the violations that it reopened were disputes; the others are claims that it
// contradicted.
func (c *counter) countSlot(s *exchange.Slot, stand int64) {
	ended := cmp.Or(s.FinishedAt, s.NoticedAt).Moment()
	if ended.IsZero() {
		return
	}
	of := Of{Job: c.run.Jobs[s.Job], Adapter: s.Adapter, Model: model(s)}
	figure := func(f ledger.SlotFigure, n int64) {
		if n != 0 {
			of := of
			of.Iteration, of.Labels = int(s.Iteration), []string{string(f)}
			c.add(Slots, ended, of, n)
		}
	}
	switch ledger.SlotStatus(s.Status) {
	case ledger.SlotPass, ledger.SlotFail:
		figure(ledger.FigureAnswered, 1)
		of.Labels = []string{took(s.DurationMs)}
		c.add(AnswerTimes, ended, of, 1)
	case ledger.SlotError:
		figure(ledger.FigureErrors, 1)
	case ledger.SlotInterrupted:
		figure(ledger.FigureInterrupted, 1)
	case ledger.SlotSkipped:
		figure(ledger.FigureSkipped, 1)
		passed := s.InSlot
		passed.Iteration = rows.Value(s.PassIteration)
		if p := c.slots[passed]; p != nil {
			if p.InputTokens != nil && p.OutputTokens != nil {
				figure(ledger.FigureSavedTokens, *p.InputTokens+*p.OutputTokens)
			}
			figure(ledger.FigureSavedNano, nano(p.CostUSD))
		}
	}
	for f, n := range figuresOf(s) {
		figure(f, n)
	}
	figure(ledger.FigureContradicted, s.Reopened-stand)
	for f, n := range costs(s) {
		figure(f, n)
		if n != 0 {
			of.Labels = []string{string(f)}
			c.add(Costs, ended, of, n)
		}
	}
}

// figuresOf returns the figures in the slot's row.
func figuresOf(s *exchange.Slot) map[ledger.SlotFigure]int64 {
	figures := map[ledger.SlotFigure]int64{
		ledger.FigureReopened: s.Reopened, ledger.FigureVerified: s.Verified, ledger.FigureCarried: s.Carried, ledger.FigureRepairs: s.Repairs, ledger.FigureWithoutWord: s.WithoutWord,
		ledger.FigureInputTokens: rows.Value(s.InputTokens), ledger.FigureOutputTokens: rows.Value(s.OutputTokens),
	}
	for disposition, n := range map[ledger.Disposition]int64{
		ledger.Accepted: s.Accepted, ledger.OutOfDiff: s.OutOfDiff, ledger.BelowThreshold: s.BelowThreshold,
		ledger.PreviouslySkipped: s.PreviouslySkipped, ledger.RememberedSkip: s.RememberedSkip, ledger.Malformed: s.Malformed,
		ledger.Merged: s.Merged, ledger.OutsideVerify: s.OutsideVerify,
	} {
		figures[ledger.SlotFigure(disposition)] = n
	}
	if s.InputTokens != nil || s.OutputTokens != nil {
		figures[ledger.FigureWithTokens] = 1
	}
	return figures
}

// costs returns what the slot's model calls cost, counted in the same way as [ledger.Spent].
func costs(s *exchange.Slot) map[ledger.SlotFigure]int64 {
	costs := map[ledger.SlotFigure]int64{ledger.FigureCostNano: nano(s.CostUSD)}
	usage := ledger.Usage{InputTokens: s.InputTokens, OutputTokens: s.OutputTokens, CostUSD: s.CostUSD}
	if usage.Free() {
		return costs
	}
	costs[ledger.FigureCalls] = s.Calls
	if s.CostUSD != nil {
		costs[ledger.FigureWithCost] = s.Calls
	}
	return costs
}

// nano returns a cost in billionths of a US dollar, or 0 if it is unknown.
func nano(usd *float64) int64 {
	if usd == nil {
		return 0
	}
	return int64(math.Round(*usd * 1e9))
}

// What [Reviewers] counts.
const (
	reviewerSlots      = "slots"
	reviewerViolations = "violations"
)

// The flags of violations.
const (
	flagShared    = "shared"
	flagFixLines  = "fix_lines"
	flagRecurring = "recurring"
	flagTakenUp   = "taken_up"
)

// shown returns the status that a violation is shown with.
func (r *Run) shown(v *exchange.Violation) ledger.Status {
	status := ledger.Status(v.Status)
	if status.Open() && ledger.RunStatus(r.Head.Status) == ledger.StatusAbandoned {
		return ledger.ShownAbandoned
	}
	return status
}

// takenUp reports whether a violation with these events was taken up from a filtered report: then
// its first event is not a reviewer's.
func takenUp(events []*exchange.Event) bool {
	return len(events) > 0 && (events[0].Actor == string(ledger.ActorAgent) || events[0].Actor == string(ledger.ActorHuman))
}

func (c *counter) countViolation(v *exchange.Violation, recurs func(fingerprint string) bool) {
	var flags []string
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{flagShared, v.Shared != 0}, {flagFixLines, v.InFixLines != 0},
		{flagRecurring, v.Fingerprint != nil && recurs(*v.Fingerprint)}, {flagTakenUp, takenUp(c.events[v.Violation])},
	} {
		if flag.set {
			flags = append(flags, flag.name)
		}
	}
	reviewer := c.run.reviewer(v, c.slots)
	c.addTo(Reviewers, "", Of{Adapter: v.Adapter, Model: reviewer.Model, Labels: []string{reviewerViolations}})
	of := reviewer
	of.Iteration = int(v.FirstIteration)
	of.Labels = []string{v.Priority, string(c.run.shown(v)), rows.Value(v.Reason), strings.Join(flags, ",")}
	c.add(Violations, v.FirstSeen.Moment(), of, 1)
	of.Repository = c.run.Repository
	c.addTo(Folders, folderBucket(firstFolder(v.File)), of)
	c.countFile(v)
	if v.Fingerprint != nil {
		c.addTo(Lines, "", LineOf(c.run.own(), *v.Fingerprint))
	}
	c.countEvents(v, reviewer)
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

func (c *counter) countFile(v *exchange.Violation) {
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
	if slices.ContainsFunc(c.events[v.Violation], func(e *exchange.Event) bool { return e.Status == string(ledger.StatusReopened) }) {
		c.addTo(Files, FileReopened, of)
	}
	c.numbers[Count{Measure: Files, Bucket: FileRuns, Key: of.Key()}] = 1
}

// countEvents counts a violation once for each status that it got on a day, and once for each that
// it got in a week. For a duplicate only joins count: everything else that happened to it is part
// of another problem.
func (c *counter) countEvents(v *exchange.Violation, reviewer Of) {
	type once struct {
		start  time.Time
		status string
		unit   ledger.PeriodUnit
	}
	seen, joined := map[once]bool{}, string(ledger.StatusDuplicate)
	for _, e := range c.events[v.Violation] {
		if v.Status == joined && e.Status != joined {
			continue
		}
		of := reviewer
		of.Labels = []string{e.Status}
		for m, unit := range map[Measure]ledger.PeriodUnit{DayEvents: ledger.ByDay, WeekEvents: ledger.ByWeek} {
			o := once{unit.Start(e.At.Moment()), e.Status, unit}
			if !seen[o] {
				seen[o] = true
				c.add(m, o.start, of, 1)
			}
		}
	}
}
