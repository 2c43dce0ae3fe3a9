// Package listings formats the results of queries: as JSON and CSV for programs and as tables for
// people. The commands, the dashboard and the MCP server all use it, so that the same thing has the
// same name everywhere. It does not query a ledger: it turns rows into text.
package listings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// RunJSON is a run in listings. docs/json.md describes its keys.
type RunJSON struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"`
	Status     string  `json:"status"`
	Worktree   *string `json:"worktree"` // null in the team store
	Branch     *string `json:"branch"`
	Base       string  `json:"base"`
	Head       *string `json:"head"`
	Subject    *string `json:"subject"`
	Iterations int     `json:"iterations"`
	Claimed    int     `json:"claimed"`
	Verified   int     `json:"verified"`
	Skipped    int     `json:"skipped"`
	Withdrawn  int     `json:"withdrawn"`
	Open       int     `json:"open"`
	Abandoned  int     `json:"abandoned"`
	StartedAt  *string `json:"started_at"`
	FinishedAt *string `json:"finished_at"`
	ReviewID   *string `json:"review_id"`
	Verdict    *string `json:"verdict"`
}

// NewRunJSON returns the JSON form of a run.
func NewRunJSON(r ledger.Run) RunJSON {
	return RunJSON{
		ID: r.ID, Kind: string(r.Kind), Status: string(r.Status), Worktree: orNull(r.Worktree), Branch: orNull(r.Branch),
		Base: r.Base, Head: orNull(r.Head), Subject: orNull(r.Subject), Iterations: r.Iterations, Claimed: r.Claimed, Verified: r.Verified, Skipped: r.Skipped, Withdrawn: r.Withdrawn, Open: r.StillOpen(), Abandoned: r.Abandoned(),
		StartedAt: text.Timestamp(r.StartedAt), FinishedAt: text.Timestamp(r.FinishedAt),
		ReviewID: orNull(r.ReviewID), Verdict: orNull(string(r.Verdict)),
	}
}

// runWord returns the status of a run of gates or the verdict of a code review, which says more
// than its status. A code review without a verdict has its status.
func runWord(r ledger.Run) string {
	if r.Verdict != "" && r.Status == r.Verdict.RunStatus() {
		return string(r.Verdict)
	}
	return string(r.Status)
}

// shortWords are shorter forms of long words of [runWord], for narrow tables.
var shortWords = map[string]string{
	string(ledger.StatusPassedWithWarnings): "passed, warned", string(ledger.StatusRetryLimitExceeded): "retry limit",
}

const (
	claimedTitle   = "CLAIMED"
	withdrawnTitle = "WITHDRAWN"
)

// withdrawnIfAny removes the column of withdrawn findings if there are none.
func withdrawnIfAny(t text.Table) text.Table { return unlessAll(t, withdrawnTitle, "0") }

// unlessAll removes a column if all rows have the usual text in it.
func unlessAll(t text.Table, title, usual string) text.Table {
	at := slices.IndexFunc(t.Columns, func(c text.Column) bool { return c.Title == title })
	if slices.ContainsFunc(t.Rows, func(r text.Row) bool { return r.Cells[at].Text != usual }) {
		return t
	}
	t.Columns = slices.Delete(t.Columns, at, at+1)
	for i, row := range t.Rows {
		t.Rows[i].Cells = slices.Delete(row.Cells, at, at+1)
	}
	return t
}

// RunsTable formats runs for people. Kind and worktree are shown if they differ between runs, and
// claims and withdrawn findings if there are any.
func RunsTable(runs []ledger.Run) text.Table {
	startedColumn, started := times("STARTED", runs, func(r ledger.Run) time.Time { return r.StartedAt })
	t := text.Table{Columns: []text.Column{
		{Title: "RUN", Short: shortRun(runs)}, {Title: "STATUS", Cut: true, Late: true, Min: len(shortWords[string(ledger.StatusPassedWithWarnings)])}, startedColumn, {Title: "BRANCH", Cut: true, Min: 4},
		{Title: "ITER", Right: true}, {Title: claimedTitle, Right: true, Spare: true}, {Title: "VERIFIED", Right: true}, {Title: "SKIPPED", Right: true}, {Title: "OPEN", Right: true}, {Title: withdrawnTitle, Right: true, Spare: true},
		{Title: "KIND", Cut: true, Spare: true}, {Title: "WORKTREE", Cut: true, End: true, Spare: true},
	}}
	for i, r := range runs {
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{
			{Text: r.ID}, {Text: runWord(r), Color: colorOf(r.Status), Short: shortWords[runWord(r)]}, started[i],
			{Text: text.OrElse(r.Branch, "(detached)")}, text.Number(r.Iterations), text.Number(r.Claimed), text.Number(r.Verified), text.Number(r.Skipped), text.Number(r.StillOpen()), text.Number(r.Withdrawn),
			{Text: string(r.Kind)}, {Text: r.Worktree},
		}})
	}
	if len(runs) > 0 {
		t = unlessAll(unlessAll(t, "KIND", string(runs[0].Kind)), "WORKTREE", runs[0].Worktree)
	}
	return withdrawnIfAny(unlessAll(t, claimedTitle, "0"))
}

// times returns a column of times, and its cells.
func times[R any](title string, rows []R, at func(R) time.Time) (text.Column, []text.Cell) {
	all := make([]time.Time, len(rows))
	for i, row := range rows {
		all[i] = at(row)
	}
	return text.TimeColumn(title, all)
}

// placeColumn and issueColumn are the columns for the place of a violation and for its issue. They
// share the width that the other columns leave.
func placeColumn() text.Column { return text.Column{Title: "PLACE", Cut: true, End: true, Min: 16} }
func issueColumn() text.Column { return text.Column{Title: "ISSUE", Cut: true, Min: 32} }
func gateColumn() text.Column {
	return text.Column{Title: "GATE", Cut: true, End: true, Spare: true}
}
func adapterColumn() text.Column { return text.Column{Title: "ADAPTER", Cut: true, Spare: true} }

// shortRun returns how many characters of an ID distinguish the runs: at least those that encode
// the time, which also distinguish them from runs that are not listed.
func shortRun(runs []ledger.Run) int {
	const ofTime = 10
	for n := ofTime; ; n++ {
		seen := map[string]bool{}
		for _, r := range runs {
			seen[r.ID[:min(n, len(r.ID))]] = true
		}
		if len(seen) == len(runs) || n >= 26 {
			return n
		}
	}
}

// colorOf returns the color for the status of a run, gate, slot or violation: green if nothing is
// left to do, red if something is.
func colorOf[Status ~string](s Status) string {
	switch string(s) {
	case string(ledger.StatusPassed), string(ledger.SlotPass), string(ledger.StatusVerified):
		return text.Green
	case string(ledger.StatusFailed), string(ledger.SlotFail), string(ledger.StatusError), string(ledger.StatusRetryLimitExceeded),
		string(ledger.StatusNew), string(ledger.StatusReopened), string(ledger.StatusDisputed):
		return text.Red
	}
	return text.Yellow
}

// foundJSON has the keys that violations and reports have in common.
type foundJSON struct {
	Run        string `json:"run"`
	Gate       string `json:"gate"`
	EntryPoint string `json:"entry_point"`
	Slot       int    `json:"slot"`
	Adapter    string `json:"adapter"`
	Iteration  int    `json:"iteration"`
	ledger.Place
	// Also are more places of the same problem.
	Also     []ledger.Place `json:"also"`
	Issue    string         `json:"issue"`
	Fix      string         `json:"fix"`
	Priority string         `json:"priority"`
}

// ViolationJSON is a violation in listings and histories. docs/json.md describes its keys.
type ViolationJSON struct {
	ID   string `json:"id"`
	ULID string `json:"ulid"`
	foundJSON
	Status      string  `json:"status"`
	Result      *string `json:"result"`
	Reason      *string `json:"reason"`
	FirstSeen   *string `json:"first_seen"`
	LastSeen    *string `json:"last_seen"`
	StatusAt    *string `json:"status_at"`
	StatusBy    string  `json:"status_by"`
	Confirmed   *string `json:"confirmed"`
	Fingerprint *string `json:"fingerprint"`
	Recurring   bool    `json:"recurring"`
	Alone       bool    `json:"alone"`
	InFixLines  bool    `json:"in_fix_lines"`
	SeenBefore  *string `json:"seen_before"`
	// Related are violations that may be the same problem, and Group is the first of its block.
	// DuplicateOf is the original that it was joined to. HandedTo is the job that answers for it
	// since its gate is gone.
	Related     []string `json:"related"`
	Group       *string  `json:"group"`
	DuplicateOf *string  `json:"duplicate_of"`
	HandedTo    *string  `json:"handed_to"`
	// Gone is who reported it as gone although it was not claimed to be fixed.
	Gone *string `json:"gone"`
	// Reopened means that it is open again. Said is what its reviewer answered to the claim, if it
	// is open.
	Reopened bool    `json:"reopened"`
	Said     *string `json:"said"`
	Worktree *string `json:"worktree"` // null in the team store
	// Duplicates is omitted in lists of violations, which list duplicates separately.
	Duplicates []DuplicateJSON `json:"duplicates,omitzero"`
}

// NewViolationJSON returns the JSON form of a violation.
func NewViolationJSON(v ledger.ListedViolation) ViolationJSON {
	entry := v.Entry()
	return ViolationJSON{
		Reopened: entry.Reopened, Said: orNull(entry.Said), Worktree: orNull(v.Worktree),
		ID: v.ShortID, ULID: v.ID,
		foundJSON: foundJSON{
			Run: v.Run, Gate: v.Gate, EntryPoint: v.EntryPoint, Slot: v.Slot, Adapter: v.Adapter, Iteration: v.First,
			Place: v.Place, Also: append([]ledger.Place{}, v.Also...), Issue: v.Issue, Fix: v.Fix, Priority: string(v.Priority),
		},
		SeenBefore: orNull(v.SeenBefore), Related: append([]string{}, v.Related...), Group: new(v.Group()), DuplicateOf: orNull(v.DuplicateOf), HandedTo: orNull(v.HandedTo()), Gone: orNull(v.Gone.String()),
		Status: string(v.Shown()), Result: orNull(v.Result), Reason: orNull(v.Reason),
		FirstSeen: text.Timestamp(v.FirstSeen), LastSeen: text.Timestamp(v.LastSeen), StatusAt: text.Timestamp(v.StatusAt), StatusBy: string(v.StatusBy), Confirmed: orNull(string(v.Confirmed)),
		Fingerprint: orNull(v.Fingerprint), Recurring: v.Recurring, Alone: !v.Shared, InFixLines: v.InFixLines,
	}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ViolationsTable formats violations for people, with a column of worktrees if wanted. What is one
// block stands together: the others under its first, with who reported them, and their words if
// they are other words.
func ViolationsTable(found []ledger.ListedViolation, worktrees bool) text.Table {
	found, under := ledger.Together(found)
	seenColumn, seen := times("SEEN", found, func(v ledger.ListedViolation) time.Time { return v.FirstSeen })
	seenColumn.Spare = true
	t := text.Table{Columns: []text.Column{
		{Title: "ID"}, {Title: "STATUS"}, {Title: "PRIORITY"}, placeColumn(), gateColumn(),
		adapterColumn(), seenColumn, issueColumn(),
	}}
	if worktrees {
		t.Columns = slices.Insert(t.Columns, 1, text.Column{Title: "WORKTREE", Cut: true, End: true, Late: true, Min: 12})
	}
	for i, v := range found {
		cells := []text.Cell{
			{Text: indented(v.ShortID, under[i])}, {Text: string(v.Shown()), Color: colorOf(v.Shown())}, {Text: string(v.Priority)}, {Text: v.Place.String()},
			{Text: text.OrElse(v.EntryPoint, "-") + ":" + v.Gate}, {Text: v.Adapter}, seen[i], {Text: wordsUnder(v, under[i])},
		}
		if worktrees {
			cells = slices.Insert(cells, 1, text.Cell{Text: v.Worktree})
		}
		t.Rows = append(t.Rows, text.Row{Cells: cells})
	}
	return t
}

// indented returns an ID as a table shows it under another one of its block, or under none.
func indented(id string, under *ledger.ListedViolation) string {
	if under == nil {
		return id
	}
	return "└ " + id
}

// wordsUnder returns the words of a violation that stands under another one, or under none.
func wordsUnder(v ledger.ListedViolation, under *ledger.ListedViolation) string {
	if under == nil {
		return withResult(v)
	}
	if v.DuplicateOf != "" { // its original stands above it
		v.Result, v.Reason = "", ""
	}
	reporter, _, words := v.Entry().Beside(under.Entry())
	v.Issue = strings.TrimSuffix(reporter+": "+words, ": ")
	return withResult(v)
}

func withResult(v ledger.ListedViolation) string {
	switch {
	case v.Reason != "" && v.Result != "":
		return v.Issue + " [" + v.Reason + ": " + v.Result + "]"
	case v.Reason != "" || v.Result != "":
		return v.Issue + " [" + v.Reason + v.Result + "]"
	}
	return v.Issue
}

// ReportJSON is a report in listings and histories. docs/json.md describes its keys.
type ReportJSON struct {
	// ID is the report's own ID, by which it can be taken up, or else its address.
	ID string `json:"id"`
	foundJSON
	Disposition string  `json:"disposition"`
	Reason      *string `json:"reason"`
	Violation   *string `json:"violation"`
	At          *string `json:"at"`
	Address     string  `json:"address"`
}

// NewReportJSON returns the JSON form of a report.
func NewReportJSON(r ledger.Report) ReportJSON {
	ref := ledger.SlotRef{Job: r.Job, Slot: r.Slot, Iteration: r.Iteration}
	address := fmt.Sprintf("%s#%d", ledger.SlotName(r.Run, ref), r.Position)
	return ReportJSON{
		ID: cmp.Or(r.ID, address),
		foundJSON: foundJSON{
			Run: r.Run, Gate: r.Gate, EntryPoint: r.EntryPoint, Slot: r.Slot, Adapter: r.Adapter, Iteration: r.Iteration,
			Place: r.Place, Also: append([]ledger.Place{}, r.Also...), Issue: r.Issue, Fix: r.Fix, Priority: string(r.Priority),
		},
		Disposition: string(r.Disposition), Reason: orNull(r.Reason), Violation: orNull(r.ShortID), At: text.Timestamp(r.At), Address: address,
	}
}

// DiscardedTable formats discarded reports for people.
func DiscardedTable(found []ledger.Report) text.Table {
	seenColumn, seen := times("SEEN", found, func(r ledger.Report) time.Time { return r.At })
	seenColumn.Spare = true
	t := text.Table{Columns: []text.Column{
		{Title: "ID"}, {Title: "DISPOSITION", Cut: true, Late: true}, {Title: "PRIORITY"}, placeColumn(), gateColumn(), adapterColumn(),
		seenColumn, issueColumn(), {Title: "WHY", Cut: true, Spare: true},
	}}
	for i, d := range found {
		if d.TakenUp() {
			d.Reason += ", taken up"
		}
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{
			{Text: text.OrElse(d.ID, "-")}, {Text: string(d.Disposition), Color: text.Yellow}, {Text: string(d.Priority)}, {Text: text.OrElse(d.Place.String(), "-")},
			{Text: text.OrElse(d.EntryPoint, "-") + ":" + d.Gate}, {Text: fmt.Sprintf("%s@%d", d.Adapter, d.Slot)}, seen[i],
			{Text: d.Issue}, {Text: d.Reason},
		}})
	}
	return t
}

// HistoryJSON is the history of a violation. docs/json.md describes its keys.
type HistoryJSON struct {
	Violation  *ViolationJSON      `json:"violation"` // null for a filtered report
	Duplicates []DuplicateJSON     `json:"duplicates"`
	Events     []eventJSON         `json:"events"`
	Reports    []historyReportJSON `json:"reports"`
	Words      []wordJSON          `json:"words"`
}

// wordJSON is what one reporter answered about a claim or dispute.
type wordJSON struct {
	Iteration int     `json:"iteration"`
	Slot      int     `json:"slot"`
	Adapter   string  `json:"adapter"`
	Of        *string `json:"of"`
	Verdict   string  `json:"verdict"`
	Evidence  *string `json:"evidence"`
}

// eventJSON is one change of a violation's status.
type eventJSON struct {
	Status    string  `json:"status"`
	Actor     string  `json:"actor"`
	Iteration int     `json:"iteration"`
	Result    *string `json:"result"`
	Reason    *string `json:"reason"`
	Confirmed *string `json:"confirmed"`
	At        *string `json:"at"`
}

// historyReportJSON is a report of a violation with the code that was reviewed.
type historyReportJSON struct {
	ReportJSON
	// Excerpt is null if the code was not kept.
	Excerpt *ledger.Excerpt `json:"excerpt"`
}

// NewReportHistoryJSON returns the history of a filtered report: it has no violation, so there are
// no events.
func NewReportHistoryJSON(r ledger.Report) HistoryJSON {
	return HistoryJSON{Duplicates: []DuplicateJSON{}, Events: []eventJSON{}, Reports: []historyReportJSON{{ReportJSON: NewReportJSON(r)}}, Words: []wordJSON{}}
}

// NewHistoryJSON returns the JSON form of a history.
func NewHistoryJSON(h ledger.History) HistoryJSON {
	v := NewViolationJSON(h.Violation)
	out := HistoryJSON{Violation: &v, Duplicates: duplicatesJSON(h.Violation), Events: []eventJSON{}, Reports: []historyReportJSON{}, Words: []wordJSON{}}
	for _, e := range h.Events {
		out.Events = append(out.Events, eventJSON{
			Status: string(e.Status), Actor: string(e.Actor), Iteration: e.Iteration,
			Result: orNull(e.Result), Reason: orNull(e.Reason), Confirmed: orNull(string(e.Confirmed)), At: text.Timestamp(e.At),
		})
	}
	for _, r := range h.Reports {
		report := historyReportJSON{ReportJSON: NewReportJSON(r)}
		if r.Excerpt.First > 0 {
			report.Excerpt = &r.Excerpt
		}
		out.Reports = append(out.Reports, report)
	}
	for _, w := range h.Words {
		out.Words = append(out.Words, wordJSON{w.Iteration, w.Slot, w.Adapter, orNull(w.Of), string(w.Verdict), orNull(w.Evidence)})
	}
	return out
}

// HistoryTables formats for people the events of a violation, its reports, and what its reporters
// answered about claims and disputes.
func HistoryTables(h ledger.History) (events, reports, words text.Table) {
	when, at := times("WHEN", h.Events, func(e ledger.Event) time.Time { return e.At })
	events.Columns = []text.Column{when, {Title: "STATUS"}, {Title: "BY"}, {Title: "ITERATION", Right: true}, {Title: "REASON", Cut: true}, {Title: "RESULT", Cut: true}}
	for i, e := range h.Events {
		events.Rows = append(events.Rows, text.Row{Cells: []text.Cell{
			at[i], {Text: string(e.Status), Color: colorOf(e.Status)}, {Text: string(e.Actor)},
			text.Number(e.Iteration), {Text: e.Reason}, {Text: e.Result},
		}})
	}
	reports.Columns = []text.Column{{Title: "ITERATION", Right: true}, {Title: "REPORTED BY", Cut: true, Spare: true}, {Title: "PRIORITY"}, {Title: "DISPOSITION", Cut: true, Min: len(ledger.Accepted)}, placeColumn(), issueColumn()}
	for _, r := range h.Reports {
		reports.Rows = append(reports.Rows, text.Row{Cells: []text.Cell{
			text.Number(r.Iteration), {Text: fmt.Sprintf("%s@%d", r.Adapter, r.Slot)}, {Text: string(r.Priority)},
			{Text: string(r.Disposition)}, {Text: r.Place.String()}, {Text: r.Issue},
		}})
	}
	words.Columns = []text.Column{{Title: "ITERATION", Right: true}, {Title: "SAID BY", Cut: true, Spare: true}, {Title: "VERDICT"}, {Title: "EVIDENCE", Cut: true}}
	for _, w := range h.Words {
		by := fmt.Sprintf("%s@%d", w.Adapter, w.Slot)
		if w.Of != "" {
			by += " of " + w.Of
		}
		words.Rows = append(words.Rows, text.Row{Cells: []text.Cell{
			text.Number(w.Iteration), {Text: by}, {Text: string(w.Verdict)}, {Text: w.Evidence},
		}})
	}
	return events, reports, words
}

// WhyJSON is an explanation. docs/json.md describes its keys.
type WhyJSON struct {
	Kind      string         `json:"kind"`
	Subject   string         `json:"subject"`
	Sentences []string       `json:"sentences"`
	Rows      []evidenceJSON `json:"rows"`
	LookedAt  *lookedAtJSON  `json:"looked_at"`
}

// evidenceJSON is a row that an explanation is based on.
type evidenceJSON struct {
	Table string  `json:"table"`
	Text  string  `json:"text"`
	At    *string `json:"at"`
}

// NewWhyJSON returns the JSON form of an explanation.
func NewWhyJSON(e ledger.Explanation) WhyJSON {
	out := WhyJSON{Kind: e.Kind, Subject: e.Subject, Sentences: append([]string{}, e.Sentences...), Rows: []evidenceJSON{}, LookedAt: newLookedAtJSON(e.LookedAt)}
	if e.LookedAt != nil {
		out.Sentences = append(out.Sentences, e.LookedAt.Sentence())
	}
	if e.Log != "" {
		out.Sentences = append(out.Sentences, fmt.Sprintf("Its log: `reviewledger log %s`.", text.ShellWord(e.Log)))
	}
	for _, row := range e.Rows {
		out.Rows = append(out.Rows, evidenceJSON{Table: row.Table, Text: row.Text, At: text.Timestamp(row.At)})
	}
	return out
}

// WhyTable formats for people the rows that an explanation is based on.
func WhyTable(e ledger.Explanation) text.Table {
	when, at := times("WHEN", e.Rows, func(row ledger.Evidence) time.Time { return row.At })
	t := text.Table{Columns: []text.Column{{Title: "ROW"}, when, {Title: "CONTENT", Cut: true}}}
	for i, row := range e.Rows {
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{{Text: row.Table}, at[i], {Text: row.Text}}})
	}
	return t
}

// shownDuration formats a duration for tables.
func shownDuration(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2fs", d.Seconds())
}
