package team

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// sent is a run on its way: what of its record is sent, and what the rows need of each
// other.
type sent struct {
	*exchange.Run
	from    source
	jobs    []exchange.Job
	digest  string
	content exchange.Content
	// repository is the key of its repository here.
	repository string
	record     []byte
	figures    *statistics.Run
	tables     []encoded
	rows       int    // of all tables
	ahead      bool   // its times are ahead of the server's clock
	refusal    string // why the server does not take its rows

	slots   map[place]*exchange.Slot
	reports map[place]*exchange.Report // position 0 is not one
	results map[place]*string          // of violations, by their latest reports
	actors  map[string]string          // of the last event of a violation

	notes     map[place]string   // of slots
	also      map[place][][3]any // more places of reports
	reporters map[string][]int64 // further slots that reported a violation
	words     map[string][]*exchange.GoneWord
}

// place is where a slot or a report is in its run.
type place struct {
	iteration      int64
	job            string
	slot, position int64
}

// connect fills in what rows need of each other.
func (s *sent) connect() {
	s.slots = make(map[place]*exchange.Slot, len(s.Slots))
	s.reports = make(map[place]*exchange.Report, len(s.Reports))
	s.actors = make(map[string]string, len(s.Violations))
	for i := range s.Slots {
		r := &s.Slots[i]
		s.slots[place{r.Iteration, r.Job, r.Slot, 0}] = r
	}
	for i := range s.Reports {
		r := &s.Reports[i]
		s.reports[place{r.Iteration, r.Job, r.Slot, r.Position}] = r
	}
	s.results = make(map[place]*string, len(s.Violations))
	for i := range s.Violations {
		if at, known := latestReport(&s.Violations[i]); known {
			s.results[at] = s.Violations[i].Result
		}
	}
	for i := range s.Events {
		s.actors[s.Events[i].Violation] = s.Events[i].Actor
	}
	s.connectForm()
}

// connectForm does the same for what the form of an answer says.
func (s *sent) connectForm() {
	s.notes, s.also = make(map[place]string, len(s.Notes)), make(map[place][][3]any, len(s.Places))
	s.reporters, s.words = make(map[string][]int64, len(s.Reporters)), make(map[string][]*exchange.GoneWord, len(s.GoneWords))
	for i := range s.Notes {
		n := &s.Notes[i]
		s.notes[place{n.Iteration, n.Job, n.Slot, 0}] = n.Notes
	}
	for i := range s.Places {
		p := &s.Places[i]
		at := place{p.Iteration, p.Job, p.Slot, p.Report}
		s.also[at] = append(s.also[at], [3]any{clean(p.File), p.LineStart, p.LineEnd})
	}
	for i := range s.Reporters {
		r := &s.Reporters[i]
		s.reporters[r.Violation] = append(s.reporters[r.Violation], r.Slot)
	}
	for i := range s.GoneWords {
		w := &s.GoneWords[i]
		s.words[w.Violation] = append(s.words[w.Violation], w)
	}
}

// gone is who says that the violation is gone, and why, as a ledger has it: while it is open
// and nothing has happened to it since.
func (s *sent) gone(v *exchange.Violation) (said string) {
	var latest exchange.Time
	if !ledger.Status(v.Status).Open() {
		return ""
	}
	for _, w := range s.words[v.Violation] {
		slot := s.slots[place{w.Iteration, w.Job, w.Slot, 0}]
		if slot == nil {
			continue
		}
		at := cmp.Or(slot.FinishedAt, slot.NoticedAt)
		if at != nil && *at >= max(v.StatusAt, v.LastSeen, latest) {
			latest, said = *at, fmt.Sprintf("%s@%d: %s", slot.Adapter, w.Slot, w.Evidence)
		}
	}
	return said
}

// jsonText is a list as JSON; an empty one is [].
func jsonText[T any](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	data, err := json.Marshal(list)
	if err != nil { // texts and numbers can always be written
		panic(err)
	}
	return string(data)
}

// encode fills in the rows of all tables.
func (s *sent) encode() {
	s.connect()
	for _, table := range rowTables {
		var rows copier
		if n := table.write(&rows, s); n > 0 {
			s.tables = append(s.tables, encoded{table.name, rows.Bytes()})
			s.rows += n
		}
	}
	s.slots, s.reports, s.actors = nil, nil, nil
	s.notes, s.also, s.reporters, s.words = nil, nil, nil, nil
}

// table is one that rows of a run are copied to. write returns how many there are. The
// columns are in the order of queries/postgres/push/rows.sql.
type table struct {
	name  string
	write func(*copier, *sent) (rows int)
}

// rowTables are all in the order in which none refers to a later one.
var rowTables = []table{
	{"run", writeRun}, {"job", writeJobs}, {"iteration", writeIterations}, {"gate", writeGates}, {"slot", writeSlots},
	{"violation", writeViolations}, {"report", writeReports}, {"event", writeEvents},
	{"transition", writeTransitions}, {"verdict", writeVerdicts},
	{"remembered_skip", writeRemembered}, {"met_skip", writeMet},
}

func writeRun(c *copier, s *sent) int {
	h := &s.Head
	text(c, h.Run)
	text(c, s.from.id)
	text(c, s.from.name)
	text(c, s.from.program)
	text(c, h.RepositoryKind)
	text(c, s.repository)
	c.number(h.Revision)
	text(c, s.digest)
	text(c, s.content)
	text(c, h.Kind)
	optional(c, h.Branch)
	text(c, h.BaseRef)
	text(c, h.Base)
	optional(c, h.Head)
	optional(c, h.SessionRef)
	optional(c, h.ConfigHash)
	text(c, h.Status)
	text(c, h.StartedAt)
	optional(c, h.FinishedAt)
	c.number(h.Iterations)
	c.number(h.Fixed)
	c.number(h.Claimed)
	c.number(h.Skipped)
	c.number(h.Open)
	optional(c, h.ContentRemovedAt)
	var review, verdict *string
	if len(s.Reviews) > 0 {
		review = &s.Reviews[0].ReviewID
	}
	if n := len(s.Verdicts); n > 0 {
		verdict = &s.Verdicts[n-1].Verdict
	}
	optional(c, review)
	optional(c, verdict)
	text(c, s.latest())
	c.end()
	return 1
}

// latest is the latest time of the record.
func (s *sent) latest() exchange.Time {
	last := s.Head.StartedAt
	see := func(at *exchange.Time) {
		if at != nil {
			last = max(last, *at)
		}
	}
	see(s.Head.FinishedAt)
	for i := range s.Iterations {
		see(&s.Iterations[i].StartedAt)
		see(s.Iterations[i].FinishedAt)
	}
	for i := range s.Slots {
		see(s.Slots[i].FinishedAt)
	}
	for i := range s.Violations {
		see(&s.Violations[i].StatusAt)
	}
	for i := range s.Transitions {
		see(&s.Transitions[i].At)
	}
	return last
}

// usedJobs are those that rows of the run refer to.
func usedJobs(run *exchange.Run, jobs []exchange.Job) (used []exchange.Job) {
	refers := map[string]bool{}
	for i := range run.Gates {
		refers[run.Gates[i].Job] = true
	}
	for i := range run.Violations {
		refers[run.Violations[i].Job] = true
	}
	for _, j := range jobs {
		if refers[j.Job] {
			used = append(used, j)
		}
	}
	return used
}

func writeJobs(c *copier, s *sent) int {
	for _, j := range s.jobs {
		text(c, j.Job)
		text(c, j.Kind)
		text(c, j.EntryPoint)
		text(c, j.Name)
		c.end()
	}
	return len(s.jobs)
}

func writeIterations(c *copier, s *sent) int {
	for i := range s.Iterations {
		r := &s.Iterations[i]
		text(c, r.Run)
		c.number(r.Number)
		text(c, r.Mode)
		text(c, r.Source)
		optional(c, r.FromTree)
		optional(c, r.ToTree)
		optional(c, r.Snapshot)
		optional(c, r.Tree)
		optional(c, r.Head)
		text(c, r.Status)
		text(c, r.StartedAt)
		optional(c, r.FinishedAt)
		optional(c, r.NoticedAt)
		for _, n := range []int64{r.New, r.Reopened, r.Verified, r.Claimed, r.Skipped, r.Carried, r.InFixLines} {
			c.number(n)
		}
		c.end()
	}
	return len(s.Iterations)
}

func writeGates(c *copier, s *sent) int {
	for i := range s.Gates {
		r := &s.Gates[i]
		text(c, r.Run)
		c.number(r.Iteration)
		text(c, r.Job)
		text(c, r.Status)
		text(c, r.Reason)
		c.numbers(r.ExitCode)
		c.number(r.Problems)
		c.numbers(r.NumReviews)
		c.number(r.DurationMs)
		optional(c, r.NotRunReason)
		optional(c, r.StartedAt)
		optional(c, r.FinishedAt)
		optional(c, r.NoticedAt)
		optional(c, r.RestsOn)
		c.end()
	}
	return len(s.Gates)
}

func writeSlots(c *copier, s *sent) int {
	for i := range s.Slots {
		r := &s.Slots[i]
		text(c, r.Run)
		c.number(r.Iteration)
		text(c, r.Job)
		c.number(r.Slot)
		text(c, r.Adapter)
		optional(c, r.Model)
		text(c, r.Status)
		c.numbers(r.PassIteration)
		c.yes(r.Latch != 0)
		optional(c, r.ErrorKind)
		text(c, r.Reason)
		optional(c, r.Reviewed)
		c.numbers(r.InputTokens)
		c.numbers(r.CachedTokens)
		c.numbers(r.OutputTokens)
		c.float(r.CostUSD)
		c.number(r.Calls)
		c.number(r.DurationMs)
		optional(c, r.StartedAt)
		optional(c, r.FinishedAt)
		optional(c, r.NoticedAt)
		for _, n := range []int64{
			r.Accepted, r.OutOfDiff, r.BelowThreshold, r.PreviouslySkipped, r.RememberedSkip, r.Malformed, r.Merged,
			r.OutsideVerify, r.New, r.Reopened, r.Verified, r.Carried, r.Elsewhere, r.Repairs,
		} {
			c.number(n)
		}
		writeNotes(c, s.notes[place{r.Iteration, r.Job, r.Slot, 0}])
		c.end()
	}
	return len(s.Slots)
}

// writeNotes writes notes and their words; both are null where there are none.
func writeNotes(c *copier, notes string) {
	if notes == "" {
		c.null()
		c.null()
		return
	}
	text(c, notes)
	text(c, vectorOf("", notes, "", ""))
}

// unknownModel is the word for a model that is not known.
const unknownModel = "unknown"

// latestReport is where the latest report of the violation is.
func latestReport(v *exchange.Violation) (at place, known bool) {
	if v.ReportIteration == nil || v.ReportSlot == nil || v.ReportPosition == nil {
		return at, false
	}
	return place{*v.ReportIteration, v.Job, *v.ReportSlot, *v.ReportPosition}, true
}

// placesOf are the lines of the violation, and its further places: those of the report that it
// shows, or where they went since.
func placesOf(v *exchange.Violation, shown *exchange.Report, reported [][3]any) (start, end int64, also [][3]any) {
	if v.Moved == nil {
		return shown.LineStart, shown.LineEnd, reported
	}
	places := exchange.ParsePlaces(*v.Moved)
	if len(places) == 0 {
		return shown.LineStart, shown.LineEnd, reported
	}
	for _, p := range places[1:] {
		also = append(also, [3]any{clean(p.File), p.Start, p.End})
	}
	return int64(places[0].Start), int64(places[0].End), also
}

func writeViolations(c *copier, s *sent) int {
	abandoned := ledger.RunStatus(s.Head.Status) == ledger.StatusAbandoned
	for i := range s.Violations {
		v := &s.Violations[i]
		model, shown := unknownModel, &exchange.Report{File: v.File}
		if slot := s.slots[place{v.FirstIteration, v.Job, v.Slot, 0}]; slot != nil && slot.Model != nil {
			model = *slot.Model
		}
		latest, known := latestReport(v)
		if known {
			if r := s.reports[latest]; r != nil {
				shown = r
			}
		}
		text(c, v.Violation)
		text(c, v.ShortID)
		text(c, v.Run)
		c.number(int64(i) + 1)
		optional(c, s.Head.Branch)
		text(c, v.Job)
		c.number(v.Slot)
		text(c, v.Adapter)
		text(c, model)
		text(c, v.File)
		start, end, also := placesOf(v, shown, s.also[latest])
		c.number(start)
		c.number(end)
		text(c, shown.Issue)
		text(c, shown.Fix)
		optional(c, shown.LineHash)
		text(c, v.Priority)
		c.number(int64(ledger.Priority(v.Priority).Rank()))
		c.number(v.FirstIteration)
		c.number(v.LastIteration)
		c.numbers(v.AnsweredIteration)
		optional(c, v.Fingerprint)
		c.numbers(v.FingerprintVersion)
		text(c, v.Status)
		text(c, cmp.Or(s.actors[v.Violation], string(ledger.ActorReviewer)))
		optional(c, v.Result)
		optional(c, v.Reason)
		c.yes(v.Shared != 0)
		c.yes(v.InFixLines != 0)
		c.yes(abandoned)
		text(c, v.FirstSeen)
		text(c, v.LastSeen)
		text(c, v.StatusAt)
		text(c, jsonText(s.reporters[v.Violation]))
		text(c, jsonText(also))
		optional(c, v.SeenBefore)
		optional(c, v.Related)
		text(c, s.gone(v))
		c.end()
	}
	return len(s.Violations)
}

func writeReports(c *copier, s *sent) int {
	for i := range s.Reports {
		r := &s.Reports[i]
		var at *exchange.Time
		if slot := s.slots[place{r.Iteration, r.Job, r.Slot, 0}]; slot != nil {
			at = cmp.Or(slot.FinishedAt, slot.NoticedAt)
		}
		text(c, r.Run)
		c.number(r.Iteration)
		text(c, r.Job)
		c.number(r.Slot)
		c.number(r.Position)
		optional(c, r.Violation)
		text(c, r.File)
		c.number(r.LineStart)
		c.number(r.LineEnd)
		text(c, r.Issue)
		text(c, r.Fix)
		optional(c, r.Title)
		c.float(r.Confidence)
		c.yes(r.SystemBreaking != 0)
		text(c, r.Priority)
		text(c, r.Disposition)
		text(c, r.Reason)
		c.yes(r.InFixLines != 0)
		optional(c, r.LineHash)
		optional(c, r.Fingerprint)
		if r.LineRepeated == nil {
			c.null()
		} else {
			c.yes(*r.LineRepeated != 0)
		}
		optional(c, at)
		result := s.results[place{r.Iteration, r.Job, r.Slot, r.Position}]
		optional(c, result)
		text(c, vectorOf(plain(r.Title), r.Issue, r.Fix, plain(result)))
		text(c, jsonText(s.also[place{r.Iteration, r.Job, r.Slot, r.Position}]))
		optional(c, r.SameAs)
		optional(c, r.ShortID)
		c.end()
	}
	return len(s.Reports)
}

func writeEvents(c *copier, s *sent) int {
	for i := range s.Events {
		r := &s.Events[i]
		text(c, r.Violation)
		c.number(r.Number)
		text(c, r.Run)
		c.number(r.Iteration)
		text(c, r.Status)
		text(c, r.Actor)
		optional(c, r.Result)
		optional(c, r.Reason)
		text(c, r.At)
		c.end()
	}
	return len(s.Events)
}

func writeTransitions(c *copier, s *sent) int {
	for i := range s.Transitions {
		r := &s.Transitions[i]
		text(c, r.Run)
		c.number(int64(i) + 1)
		text(c, r.Subject)
		c.numbers(r.Iteration)
		optional(c, r.Job)
		c.numbers(r.Slot)
		text(c, r.Status)
		text(c, r.At)
		text(c, r.Actor)
		text(c, r.Cause)
		c.end()
	}
	return len(s.Transitions)
}

func writeVerdicts(c *copier, s *sent) int {
	var review exchange.CodeReview
	if len(s.Reviews) > 0 {
		review = s.Reviews[0]
	}
	for i := range s.Verdicts {
		r := &s.Verdicts[i]
		text(c, r.Run)
		c.number(r.Iteration)
		text(c, review.ReviewID)
		text(c, review.Scope)
		text(c, review.Target)
		text(c, r.Mode)
		text(c, r.Verdict)
		text(c, r.At)
		for _, n := range []int64{r.Blocker, r.High, r.Medium, r.Low, r.Info} {
			c.number(n)
		}
		c.end()
	}
	return len(s.Verdicts)
}

func writeRemembered(c *copier, s *sent) int {
	for i := range s.Remembered {
		r := &s.Remembered[i]
		text(c, r.Violation)
		c.number(r.Event)
		text(c, r.Run)
		text(c, r.Fingerprint)
		c.end()
	}
	return len(s.Remembered)
}

func writeMet(c *copier, s *sent) int {
	for i := range s.Met {
		r := &s.Met[i]
		text(c, r.Run)
		c.number(r.Iteration)
		text(c, r.Job)
		c.number(r.Slot)
		c.number(r.Position)
		text(c, r.Skipped)
		c.number(r.Event)
		c.end()
	}
	return len(s.Met)
}
