package push

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/words"
)

// sent is a run that is being pushed: its record, cut down, and lookups that its rows need.
type sent struct {
	*exchange.Run
	from    source
	jobs    []exchange.Job // the jobs that its rows refer to
	digest  string
	content exchange.Content
	// repository is the key of its repository in the team store.
	repository string
	record     []byte
	figures    *statistics.Run
	tables     []encoded
	rows       int    // in all tables
	ahead      bool   // its times are ahead of the server's clock
	refusal    string // why the server does not accept its rows

	slots   map[place]*exchange.Slot
	reports map[place]*exchange.Report // position 0 is not one
	results map[place]*string          // results of violations, by the places of their latest reports
	actors  map[string]string          // actors of the last events, by violation

	notes     map[place]string   // by slot
	also      map[place][][3]any // the further places of reports
	reporters map[string][]int64 // further slots that reported a violation
	words     map[string][]*exchange.GoneWord
}

// place is the place of a slot or a report in its run.
type place struct {
	iteration      int64
	job            string
	slot, position int64
}

// connect fills in the lookups that rows need.
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

// connectForm does the same for the parts of an answer other than its reports.
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
		s.also[at] = append(s.also[at], [3]any{team.Clean(p.File), p.LineStart, p.LineEnd})
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

// gone returns, as JSON, which reviewer no longer sees the violation and why. It returns "" if the
// violation is not open, or if its status has changed or it was reported again since.
func (s *sent) gone(v *exchange.Violation) (said string) {
	var latest exchange.Time
	if !ledger.Status(v.Status).Open() {
		return ""
	}
	for _, w := range s.words[v.Violation] {
		slot := s.slots[place{w.Iteration, w.Job, w.Slot, 0}]
		at := cmp.Or(slot.FinishedAt, slot.NoticedAt)
		if at != nil && *at >= max(v.StatusAt, v.LastSeen, latest) {
			latest, said = *at, jsonText([]string{fmt.Sprintf("%s@%d", slot.Adapter, w.Slot), w.Evidence})
		}
	}
	return said
}

// jsonText returns a list as JSON; an empty list is [].
func jsonText[T any](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	data, err := json.Marshal(list)
	if err != nil { // strings and numbers can always be encoded
		panic(err)
	}
	return string(data)
}

// encode encodes the rows of all tables.
func (s *sent) encode(tables map[string]written) {
	s.connect()
	for _, table := range rowTables {
		var rows copier
		if n := rows.rows(tables[table.name].columns, table.rows(s)); n > 0 {
			s.tables = append(s.tables, encoded{table.name, rows.Bytes()})
			s.rows += n
		}
	}
	s.slots, s.reports, s.actors = nil, nil, nil
	s.notes, s.also, s.reporters, s.words = nil, nil, nil, nil
}

// A table is a table that rows of a run are copied to, from a list of structs. Fields whose JSON
// tags are columns of the table are written. Fields that the record does not have are added by the
// row types below.
type table struct {
	name string
	put  string // the name of the statement that puts its rows into the table
	row  reflect.Type
	rows func(*sent) any
}

// tableOf returns the table of these rows.
func tableOf[R any](name, put string, rows func(*sent) []R) table {
	return table{name, put, reflect.TypeFor[R](), func(s *sent) any { return rows(s) }}
}

// The names of the statements that put rows into tables.
const (
	putRows     = "put rows"
	putRowsOnce = "put rows that stay"
)

// rowTables has all tables with rows of runs, in an order in which none refers to a later one.
var rowTables = []table{
	tableOf("run", putRows, func(s *sent) []runRow { return []runRow{s.runRow()} }),
	tableOf("job", putRowsOnce, func(s *sent) []exchange.Job { return s.jobs }),
	tableOf("iteration", putRows, func(s *sent) []exchange.Iteration { return s.Iterations }),
	tableOf("gate", putRows, func(s *sent) []exchange.Gate { return s.Gates }),
	tableOf("slot", putRows, (*sent).slotRows),
	tableOf("violation", putRows, (*sent).violationRows),
	tableOf("report", putRows, (*sent).reportRows),
	tableOf("event", putRows, func(s *sent) []exchange.Event { return s.Events }),
	tableOf("transition", putRows, (*sent).transitionRows),
	tableOf("verdict", putRows, (*sent).verdictRows),
	tableOf("remembered_skip", putRowsOnce, func(s *sent) []exchange.RememberedSkip { return s.Remembered }),
	tableOf("met_skip", putRowsOnce, (*sent).metRows),
}

// forgottenSkips is a table whose rows do not belong to a run.
var forgottenSkips = tableOf[exchange.ForgottenSkip]("forgotten_skip", putRowsOnce, nil)

type runRow struct {
	exchange.Head
	ID            string           `json:"id"`
	Ledger        string           `json:"ledger"`
	LedgerName    string           `json:"ledger_name"`
	Program       string           `json:"program"`
	RepositoryKey string           `json:"repository_key"`
	Digest        string           `json:"digest"`
	Content       exchange.Content `json:"content"`
	Verified      int64            `json:"verified"`
	ReviewID      *string          `json:"review_id"`
	Verdict       *string          `json:"verdict"`
	Latest        exchange.Time    `json:"latest"`
}

func (s *sent) runRow() runRow {
	row := runRow{
		Head: s.Head, ID: s.Head.Run, Ledger: s.from.id, LedgerName: s.from.name, Program: s.from.program, RepositoryKey: s.repository,
		Digest: s.digest, Content: s.content, Verified: s.Head.Fixed, Latest: s.latest(),
	}
	if len(s.Reviews) > 0 {
		row.ReviewID = &s.Reviews[0].ReviewID
	}
	if n := len(s.Verdicts); n > 0 {
		row.Verdict = &s.Verdicts[n-1].Verdict
	}
	return row
}

// latest returns the latest time in the record.
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

// usedJobs returns the jobs that rows of the run refer to.
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

type slotRow struct {
	exchange.Slot
	Notes     *string `json:"notes"`
	NoteWords *string `json:"note_words"`
}

func (s *sent) slotRows() (rows []slotRow) {
	for _, r := range s.Slots {
		row := slotRow{Slot: r}
		if notes := s.notes[place{r.Iteration, r.Job, r.Slot, 0}]; notes != "" {
			words := words.Vector("", notes, "", "")
			row.Notes, row.NoteWords = &notes, &words
		}
		rows = append(rows, row)
	}
	return rows
}

// unknownModel stands for an unknown model.
const unknownModel = "unknown"

// latestReport returns the place of the violation's latest report.
func latestReport(v *exchange.Violation) (at place, known bool) {
	if v.ReportIteration == nil || v.ReportSlot == nil || v.ReportPosition == nil {
		return at, false
	}
	return place{*v.ReportIteration, v.Job, *v.ReportSlot, *v.ReportPosition}, true
}

// violationRow takes its place and its texts from the latest report. A column that both have is
// that of the violation.
type violationRow struct {
	Violation exchange.Violation
	Latest    exchange.Report
	ID        string  `json:"id"`
	Number    int64   `json:"number"`
	Branch    *string `json:"branch"`
	Model     string  `json:"model"`
	StatusBy  string  `json:"status_by"`
	Abandoned bool    `json:"abandoned"`
	MoreSlots string  `json:"more_slots"`
	Also      string  `json:"also"`
	Gone      string  `json:"gone"`
}

func (s *sent) violationRows() (rows []violationRow) {
	abandoned := ledger.RunStatus(s.Head.Status) == ledger.StatusAbandoned
	for i := range s.Violations {
		v := &s.Violations[i]
		latest, known := latestReport(v)
		row := violationRow{
			Violation: *v, ID: v.Violation, Number: int64(i) + 1, Branch: s.Head.Branch, Model: unknownModel,
			StatusBy:  cmp.Or(s.actors[v.Violation], string(ledger.ActorReviewer)),
			Abandoned: abandoned, MoreSlots: jsonText(s.reporters[v.Violation]), Also: jsonText(s.also[latest]), Gone: s.gone(v),
		}
		if slot := s.slots[place{v.FirstIteration, v.Job, v.Slot, 0}]; slot != nil && slot.Model != nil {
			row.Model = *slot.Model
		}
		if r := s.reports[latest]; known && r != nil {
			row.Latest = *r
		}
		if v.Moved != nil {
			row.move(lists.HexPlaces(*v.Moved))
		}
		rows = append(rows, row)
	}
	return rows
}

// move moves the violation to the current places of its lines; the first place is its own.
func (r *violationRow) move(places []ledger.Place) {
	if len(places) == 0 {
		return
	}
	var also [][3]any
	for _, p := range places[1:] {
		also = append(also, [3]any{team.Clean(p.File), p.Start, p.End})
	}
	r.Latest.LineStart, r.Latest.LineEnd, r.Also = int64(places[0].Start), int64(places[0].End), jsonText(also)
}

type reportRow struct {
	exchange.Report
	At     *exchange.Time `json:"at"`
	Result *string        `json:"result"`
	Words  string         `json:"words"`
	Also   string         `json:"also"`
}

func (s *sent) reportRows() (list []reportRow) {
	for _, r := range s.Reports {
		at := place{r.Iteration, r.Job, r.Slot, r.Position}
		row := reportRow{Report: r, Result: s.results[at], Also: jsonText(s.also[at])}
		row.Words = words.Vector(rows.Value(r.Title), r.Issue, r.Fix, rows.Value(row.Result))
		if slot := s.slots[place{r.Iteration, r.Job, r.Slot, 0}]; slot != nil {
			row.At = cmp.Or(slot.FinishedAt, slot.NoticedAt)
		}
		list = append(list, row)
	}
	return list
}

type transitionRow struct {
	exchange.Transition
	Number int64 `json:"number"`
}

func (s *sent) transitionRows() (rows []transitionRow) {
	for i, r := range s.Transitions {
		rows = append(rows, transitionRow{r, int64(i) + 1})
	}
	return rows
}

type verdictRow struct {
	Verdict exchange.Verdict
	Review  exchange.CodeReview
}

func (s *sent) verdictRows() (rows []verdictRow) {
	var review exchange.CodeReview
	if len(s.Reviews) > 0 {
		review = s.Reviews[0]
	}
	for _, r := range s.Verdicts {
		rows = append(rows, verdictRow{r, review})
	}
	return rows
}

type metRow struct {
	exchange.MetSkip
	Violation string `json:"violation"`
}

func (s *sent) metRows() (rows []metRow) {
	for _, r := range s.Met {
		rows = append(rows, metRow{r, r.Skipped})
	}
	return rows
}
