package pages

import (
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// The examples are pages with fixed values. Each has hostile text wherever a reviewer, an agent, a
// repository or a file name could put some.

var now = time.Date(2026, 11, 21, 22, 50, 0, 0, time.UTC)

func frame() Frame {
	open := 24
	return Frame{Ledger: "shop", Now: now, Schema: 5, Open: &open, Version: `"17"`, Assets: "/a/0123/"}
}

func ago(d time.Duration) time.Time { return now.Add(-d) }

const (
	runID   = "01M6EJYQVX885VAR5HWZSNYRSC"
	otherID = "01M66BV511RPR08QPV5V5N49B4"
	minute  = time.Minute
	day     = 24 * time.Hour
)

func exampleRun() ledger.Run {
	return ledger.Run{
		ID: runID, Kind: ledger.KindGates, Worktree: "/home/ada/shop-4", Branch: "session-login", BaseRef: "origin/main", Base: "a19cbc2d00", Subject: "Sessions end after an hour",
		Status: ledger.StatusPassedWithWarnings, StartedAt: ago(19 * day), FinishedAt: ago(19*day - 69*minute), Iterations: 3, Verified: 14, Skipped: 2,
	}
}

func violationIn(run string, n int, status ledger.Status, priority ledger.Priority, issue, file string, line int) ledger.ListedViolation {
	return ledger.ListedViolation{
		Violation: ledger.Violation{
			ID: fmt.Sprintf("01M6EJYQVX885VAR5HWZSN%04d", n), ShortID: fmt.Sprintf("cp8zn7%02d", n), Job: "review:api:security", Slot: 1, Adapter: "codex",
			First: 1, Last: 1 + n%3, Status: status, Place: ledger.Place{File: file, Start: line, End: line + 1}, Issue: issue,
			Fix: "Give TMPDIR a default, as in ${TMPDIR:-/tmp}", Priority: priority, FirstSeen: ago(19 * day), LastSeen: ago(19 * day), StatusAt: ago(time.Duration(n) * day),
			Result: "put the folder in quotes", Reason: string(ledger.AcceptedRisk),
		},
		Run: run, RunStatus: ledger.StatusFailed, RunOpen: true, EntryPoint: "api", Gate: "security", Fingerprint: "8b4988a92fffe0a777242d3fa977c533",
		Shared: n%2 == 0, StatusBy: ledger.ActorAgent,
	}
}

func exampleViolations(run string) []ledger.ListedViolation {
	return []ledger.ListedViolation{
		violationIn(run, 1, ledger.StatusReopened, ledger.Critical, "The token is kept in localStorage", "web/src/api/client.ts", 68),
		violationIn(run, 2, ledger.StatusNew, ledger.High, "The card number is written to the log at level debug", "api/checkout/payment.go", 98),
		violationIn(run, 3, ledger.StatusFixed, ledger.Medium, "The order is written before the stock is reserved", "api/checkout/order.go", 83),
		violationIn(run, 4, ledger.StatusSkipped, ledger.Low, "A 204 answer is parsed as JSON", "web/src/api/client.ts", 27),
		violationIn(run, 5, ledger.StatusVerified, ledger.Info, "The sort column goes into the SQL text as it came", "api/search/query.go", 41),
	}
}

func counted(n int, f ledger.ViolationFilter) ledger.Count {
	return ledger.Count{Violations: n, Filter: f}
}

func exampleScope() Scope {
	return Scope{Since: "12w", Filter: figures.Filter{Period: ledger.Period{Since: ago(84 * day)}}}
}

func exampleFacets() ledger.Facets {
	open := ledger.ViolationFilter{Statuses: ledger.OpenStatuses()}
	facet := func(value string, n int, set func(*ledger.ViolationFilter)) ledger.Facet {
		f := open
		set(&f)
		return ledger.Facet{Value: value, Count: counted(n, f)}
	}
	sixteen := counted(16, ledger.ViolationFilter{Statuses: ledger.OpenStatuses(), Alone: true})
	return ledger.Facets{
		Violations: counted(24, open),
		Statuses: []ledger.Facet{
			facet("new", 14, func(f *ledger.ViolationFilter) { f.Statuses = []ledger.Status{ledger.StatusNew} }),
			facet("reopened", 10, func(f *ledger.ViolationFilter) { f.Statuses = []ledger.Status{ledger.StatusReopened} }),
			facet("verified", 759, func(f *ledger.ViolationFilter) { f.Statuses = []ledger.Status{ledger.StatusVerified} }),
		},
		Priorities: []ledger.Facet{
			facet("critical", 5, func(f *ledger.ViolationFilter) { f.Priorities = []ledger.Priority{ledger.Critical} }),
			facet("high", 19, func(f *ledger.ViolationFilter) { f.Priorities = []ledger.Priority{ledger.High} }),
		},
		Gates:    []ledger.Facet{facet("security", 13, func(f *ledger.ViolationFilter) { f.Gate = "security" })},
		Adapters: []ledger.Facet{facet("codex", 12, func(f *ledger.ViolationFilter) { f.Adapter = "codex" })},
		Folders:  []ledger.Facet{facet("api", 11, func(f *ledger.ViolationFilter) { f.File = "api/**" })},
		Alone:    &sixteen, InFixLines: &sixteen,
	}
}

func exampleWeeks(n int) []figures.Week {
	monday := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC).Add(-time.Duration(n-1) * week)
	var weeks []figures.Week
	for i := range n {
		start := monday.Add(time.Duration(i) * week)
		w := figures.Week{Span: figures.Span{Start: start, Within: ledger.Period{Since: start, Until: start.Add(week)}, Partial: i == 0 || i == n-1}, RunsBy: map[ledger.RunStatus]int{}}
		if i != 5 {
			of := func(many int, s ledger.Status) ledger.Count {
				return counted(many, ledger.ViolationFilter{Events: ledger.EventFilter{Statuses: []ledger.Status{s}, At: ledger.Period{Since: start, Until: start.Add(week)}}})
			}
			w.New, w.Reopened = of(40+13*(i%5), ledger.StatusNew), of(3+2*(i%4), ledger.StatusReopened)
			w.Verified, w.Skipped, w.Claimed = of(35+9*(i%6), ledger.StatusVerified), of(4+i, ledger.StatusSkipped), of(50, ledger.StatusFixed)
			w.Runs, w.Passed = 12, 9
			w.RunsBy = map[ledger.RunStatus]int{ledger.StatusPassed: i % 4, ledger.StatusPassedWithWarnings: 9 - i%4, ledger.StatusRetryLimitExceeded: 1, ledger.StatusAbandoned: 1, ledger.StatusFailed: 1}
			w.Cost = ledger.Cost{USD: 8.5 + float64(i), Known: 72, Calls: 101}
		}
		weeks = append(weeks, w)
	}
	return weeks
}

func exampleFiles() []figures.File {
	var list []figures.File
	for i, name := range []string{
		"api/checkout/webhook.go", "api/stock/reserve.go", "api/mail/receipt.go", "api/stock/import.go", "api/checkout/payment.go", "api/checkout/order.go",
		"web/src/api/client.ts", "api/cart/total.go", "api/http/admin.go", "api/http/session.go", "web/src/search/Results.tsx", "main.go", "web/src/ui/Table.tsx",
	} {
		f := ledger.ViolationFilter{File: ledger.EscapePattern(name), Reported: exampleScope().Filter.Period}
		n := 115 / (1 + i)
		list = append(list, figures.File{
			File: name, Runs: n / 2, Weeks: []int{7, 3, 13, 14, 4, 0, 12, 15, 12, 14, 11, 10 - i/2}, Reopened: counted(n/10, f), InFixLines: counted(i%3, f),
			Outcomes: figures.Outcomes{
				Violations: counted(n, f), Open: counted(i%5, f), Verified: counted(n/2, f), Skipped: counted(n/8, f),
			},
		})
	}
	return list
}

func exampleOverview() Overview {
	stats := func(s figures.Statistics) Panel[figures.Statistics] { return Panel[figures.Statistics]{Value: s} }
	loop := exampleRun()
	loop.Status, loop.FinishedAt, loop.Claimed, loop.Open = ledger.StatusFailed, time.Time{}, 3, 2
	return Overview{
		Scope: exampleScope(), Open: Panel[map[ledger.RunKind]map[ledger.Priority]int]{Value: map[ledger.RunKind]map[ledger.Priority]int{
			ledger.KindGates: {ledger.Critical: 5, ledger.High: 19}, ledger.KindCodeReview: {ledger.Low: 3},
		}},
		Next: Panel[NextSteps]{Value: NextSteps{
			Recorded: 154,
			Loops: []OpenLoop{{
				State: &ledger.State{
					Run: loop, Iterations: []ledger.Iteration{{Number: 2, Status: ledger.StatusFailed, StartedAt: ago(80 * minute), FinishedAt: ago(71 * minute)}},
					Gates: []ledger.Gate{{Iteration: 2, Job: "check:web:test", Kind: ledger.KindCheck, Status: ledger.GateFailed}},
				}, Urgent: 1,
			}},
			Stuck: Leftover{RunsByStatus: ledger.RunsByStatus{Runs: 6, Open: 20}, Newest: exampleRun()}, Abandoned: Leftover{RunsByStatus: ledger.RunsByStatus{Runs: 1, Open: 2}},
		}},
		Slots: stats(figures.Statistics{Confirmed: 759, Contradicted: 155, Cost: ledger.Cost{USD: 139.63, Known: 906, Calls: 1267}, Saved: figures.Saved{Slots: 662}}),
		Runs: stats(figures.Statistics{
			Runs: 124, Passed: 109, IterationsToPass: map[int]int{1: 1, 2: 18, 3: 42, 4: 31, 5: 10, 6: 7},
			TimeToPass: figures.Durations{N: 109, P50: 48 * minute, P90: 3 * time.Hour},
		}),
		Weeks: stats(figures.Statistics{Weeks: exampleWeeks(12)}),
		Recurring: stats(figures.Statistics{Recurring: []figures.Recurrence{{
			Fingerprint: "36bad1402f41", Runs: 41, Latest: "ng5eqh2y", File: "api/checkout/webhook.go", Line: 52, Issue: "The signature is compared with ==",
			Violations: counted(49, ledger.ViolationFilter{Fingerprint: "36bad1402f41"}), Open: counted(2, ledger.ViolationFilter{Fingerprint: "36bad1402f41", Statuses: ledger.OpenStatuses()}),
		}}}),
		Files: stats(figures.Statistics{Files: exampleFiles()[:6]}),
	}
}

func exampleRuns() Runs {
	running := exampleRun()
	running.ID, running.Status, running.FinishedAt, running.StartedAt, running.Branch = otherID, ledger.StatusRunning, time.Time{}, ago(2*minute), ""
	return Runs{
		Filter: ledger.RunFilter{Statuses: []ledger.RunStatus{ledger.StatusRunning}}, Total: 154,
		Rows: Panel[[]RunRow]{Value: []RunRow{
			{running, ledger.RunOutcome{Cost: ledger.Cost{Calls: 3}}}, {exampleRun(), ledger.RunOutcome{Remaining: []int{15, 4, 0}, Cost: ledger.Cost{USD: 2.63, Known: 14, Calls: 18}}},
		}},
		Facets: Panel[map[string][]RunFacet]{Value: map[string][]RunFacet{
			"status": {{"running", 1}, {"passed_with_warnings", 85}}, "kind": {{"gates", 124}, {"code_review", 30}},
			"branch": {{"main", 30}}, "worktree": {{"/home/ada/shop", 99}},
		}},
		Pager: Pager{Next: runID},
	}
}

func exampleState() *ledger.State {
	state := &ledger.State{Run: exampleRun()}
	for n := 1; n <= 3; n++ {
		started := ago(19*day - time.Duration(n)*10*minute)
		state.Iterations = append(state.Iterations, ledger.Iteration{
			Number: n, Status: ledger.StatusFailed, StartedAt: started, FinishedAt: started.Add(78 * time.Second), Tree: "50bad7d0aa",
		})
		state.Gates = append(state.Gates, ledger.Gate{Iteration: n, Job: "check:api:lint", Kind: ledger.KindCheck, EntryPoint: "api", Name: "lint", Status: ledger.GatePassed, Duration: 9 * time.Second})
		slot := func(index int, adapter string, s ledger.SlotStatus, c ledger.SlotCounts) ledger.Slot {
			return ledger.Slot{Iteration: n, Job: "review:api:security", Index: index, Adapter: adapter, Status: s, Counts: c, PassIteration: 2, Reason: "usage limit reached, resets at 18:00"}
		}
		slots := []ledger.Slot{slot(1, "claude", ledger.SlotFail, ledger.SlotCounts{New: 4, Accepted: 4}), slot(2, "codex", ledger.SlotError, ledger.SlotCounts{})}
		if n == 3 {
			slots = []ledger.Slot{slot(1, "claude", ledger.SlotPass, ledger.SlotCounts{Verified: 1}), slot(2, "codex", ledger.SlotSkipped, ledger.SlotCounts{})}
		}
		state.Gates = append(state.Gates, ledger.Gate{Iteration: n, Job: "review:api:security", Kind: ledger.KindReview, EntryPoint: "api", Name: "security", Status: ledger.GateFailed, Slots: slots})
	}
	for _, v := range exampleViolations(runID) {
		state.Violations = append(state.Violations, v.Violation)
	}
	return state
}

func event(violation string, number, iteration int, s ledger.Status, by ledger.Actor) ledger.Event {
	return ledger.Event{
		Violation: violation, Number: number, Iteration: iteration, Status: s, Actor: by, At: ago(19*day - time.Duration(iteration)*10*minute - time.Duration(number)*time.Second),
	}
}

func exampleEvents() []ledger.Event {
	return []ledger.Event{
		event("a", 1, 1, ledger.StatusNew, ledger.ActorReviewer), event("a", 2, 1, ledger.StatusFixed, ledger.ActorAgent), event("a", 3, 2, ledger.StatusReopened, ledger.ActorReviewer),
		event("a", 4, 2, ledger.StatusFixed, ledger.ActorAgent), event("a", 5, 3, ledger.StatusVerified, ledger.ActorReviewer),
		event("b", 1, 1, ledger.StatusNew, ledger.ActorReviewer), event("b", 2, 2, ledger.StatusSkipped, ledger.ActorHuman),
		event("c", 1, 1, ledger.StatusNew, ledger.ActorReviewer), event("c", 2, 1, ledger.StatusFixed, ledger.ActorAgent),
		event("d", 1, 2, ledger.StatusNew, ledger.ActorReviewer),
	}
}

func exampleRunPage() Run {
	return Run{
		State: exampleState(), Cost: ledger.Cost{USD: 2.63, Known: 14, Calls: 18}, Events: Panel[[]ledger.Event]{Value: exampleEvents()},
		Why:        ledger.Explanation{Sentences: []string{"The run passed after 3 iterations.", "2 violations were skipped, so it passed with warnings."}},
		Violations: Panel[[]ledger.ListedViolation]{Value: exampleViolations(runID)},
	}
}

func exampleViolationsPage() Violations {
	return Violations{
		Filter: ledger.ViolationFilter{Statuses: ledger.OpenStatuses(), Sort: ledger.SortPriority}, All: 1012, Pager: Pager{Next: "cursor 1"},
		Rows: Panel[[]ledger.ListedViolation]{Value: exampleViolations(runID)}, Facets: Panel[ledger.Facets]{Value: exampleFacets()},
	}
}

func exampleSearch() Violations {
	p := exampleViolationsPage()
	p.Query, p.Filter = "token storage", ledger.ViolationFilter{}
	p.Snippets = map[string]ledger.MarkedText{p.Rows.Value[0].ID: {{Text: "keeps the "}, {Text: "token", Match: true}, {Text: " in a place that scripts read"}}}
	return p
}

func exampleDiscarded() Discarded {
	return Discarded{
		Filter: ledger.ViolationFilter{Discards: []ledger.Disposition{ledger.OutOfDiff}}, Pager: Pager{Before: "x", Next: "y"},
		Rows: Panel[[]ledger.Report]{Value: []ledger.Report{{
			Iteration: 2, Slot: 1, Adapter: "codex", Place: ledger.Place{File: "api/cart/total.go", Start: 9}, Issue: "Rounding", Priority: ledger.Low,
			Disposition: ledger.OutOfDiff, Reason: "outside the changed lines",
			Run: runID, Job: "review:api:security", EntryPoint: "api", Gate: "security", At: ago(day), ShortID: "cp8zn701",
		}}},
	}
}

func exampleViolation() Violation {
	v := violationIn(runID, 7, ledger.StatusVerified, ledger.Critical, "Where TMPDIR is not set this deletes /totals", "src/total.sh", 10)
	reports := []ledger.Report{
		{Iteration: 1, Slot: 1, Adapter: "safety", Place: v.Place, Issue: v.Issue, Priority: ledger.Critical, Disposition: ledger.Accepted, Excerpt: ledger.Excerpt{First: 8, Text: "done <$1\n\nrm -rf $TMPDIR/totals\n\techo ok\n"}},
		{Iteration: 2, Slot: 1, Adapter: "safety", Place: v.Place, Issue: v.Issue, Priority: ledger.Critical, Disposition: ledger.Accepted},
	}
	events := exampleEvents()[:5]
	events[1].Result, events[3].Result = "put the folder in quotes", "falls back to /tmp"
	events[4].Hunks = "@@ -8,3 +8,3 @@ while read -r amount; do\n done <\"$1\"\n-rm -rf $TMPDIR/totals\n+rm -rf \"${TMPDIR:-/tmp}/totals\"\n\\ No newline at end of file\n"
	h := ledger.History{Violation: v, Events: events, Reports: reports}
	return Violation{
		History: h, Why: ledger.ExplainViolation(h), Run: exampleRun(), Iterations: exampleState().Iterations,
		SameLine: Panel[ledger.Count]{Value: counted(3, ledger.ViolationFilter{Fingerprint: v.Fingerprint})},
	}
}

// exampleMarking is the answer to a mark that was not recorded.
func exampleMarking() Violation {
	p := exampleViolation()
	p.Current, p.Run.Worktree, p.History.Violation.Status = true, "/home/ada/shop", ledger.StatusReopened
	p.Form = &MarkForm{Token: "t0ken", Worktree: p.Run.Worktree, Refused: "a run is in progress:\nwait", Words: "TMPDIR is always set", Reason: ledger.FalsePositive}
	return p
}

func exampleLog() Log {
	return Log{
		Run: exampleRun(), Ref: ledger.SlotRef{Job: "review:api:security", Slot: 1, Iteration: 2}, Kind: "answer", Calls: 2,
		Text: Panel[string]{Value: "{\n\t\"violations\": []\n}\n"},
	}
}

func exampleReviewers() Reviewers {
	var list, models []figures.Reviewer
	for i, name := range []string{"codex", "claude", "gemini", "layout"} {
		f := ledger.ViolationFilter{Adapter: name, Reported: exampleScope().Filter.Period}
		filtered := f
		filtered.Discards = []ledger.Disposition{ledger.OutOfDiff}
		a := figures.Reviewer{
			Adapter: name, Runs: 511 - 100*i, Errors: 8, Reports: 719 - 90*i, Discarded: map[ledger.Disposition]ledger.Count{ledger.OutOfDiff: counted(34+i, filtered)},
			SkippedBy: map[ledger.SkipReason]ledger.Count{ledger.FalsePositive: counted(26, f)}, Alone: counted(239, f), AloneConfirmed: counted(190, f),
			Outcomes: figures.Outcomes{Violations: counted(393, f), Open: counted(10, f), Claimed: counted(6, f), Verified: counted(311-80*i, f), Skipped: counted(66, f)},
			Cost:     ledger.Cost{USD: 25.68, Known: 298, Calls: 511}, Took: figures.Durations{N: 500, P50: 43 * time.Second, P90: 90 * time.Second},
			InputTokens: 1_200_000, OutputTokens: 90_000, WithTokens: 400,
		}
		if name == "layout" {
			a = figures.Reviewer{Adapter: name, Runs: 1}
		}
		list = append(list, a)
		a.Adapter, a.Model = "", name+"-5"
		models = append(models, a)
	}
	return Reviewers{Scope: exampleScope(), Figures: Panel[figures.Statistics]{Value: figures.Statistics{
		Adapters: list, Models: models,
		Overlaps: []figures.Overlap{{Adapter: "codex", Other: "claude", Shared: figures.Share{Part: 93, Whole: 290}}, {Adapter: "claude", Other: "codex", Shared: figures.Share{Part: 93, Whole: 344}}, {Adapter: "gemini", Other: "codex", Shared: figures.Share{Part: 4, Whole: 344}}},
	}}}
}

func exampleFilesPage() Files {
	return Files{Scope: exampleScope(), Figures: Panel[figures.Statistics]{Value: figures.Statistics{Files: exampleFiles()}}, Sort: "open"}
}

func exampleSkips() Skips {
	rows := exampleViolations(runID)
	return Skips{Filter: ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusSkipped}, Gate: "security"}, Total: 214, Pager: Pager{Next: "z"}, Rows: Panel[[]ledger.Skip]{Value: []ledger.Skip{
		{ListedViolation: rows[3], Remembered: true, Met: 4, LastMet: ago(2 * day)},
		{ListedViolation: rows[1], Remembered: true, Expired: new(true)}, {ListedViolation: rows[0]},
	}}}
}

func exampleChecks() Checks {
	var last []figures.Execution
	for i := range 30 {
		e := figures.Execution{Run: runID, Iteration: 1 + i%3, Status: ledger.GatePassed, At: ago(time.Duration(30-i) * time.Hour)}
		if i%7 == 0 {
			e.Status = ledger.GateFailed
		}
		last = append(last, e)
	}
	return Checks{Scope: exampleScope(), Job: "check:api:test", Figures: Panel[figures.Statistics]{Value: figures.Statistics{
		Checks: []figures.Check{{
			Job: "check:api:test", EntryPoint: "api", Check: "test", Command: "go test ./...", Executions: 324, Failures: 35, Last: last, Flaky: 1,
			Took: figures.Durations{N: 324, P50: 49 * time.Second, P90: 66 * time.Second},
		}},
		Flaky: []figures.FlakyCheck{{Job: "check:api:test", Tree: "75dfb3f76b00", Branch: "SHOP-464", First: last[0], Then: last[1]}},
	}}}
}

func exampleVerdicts() Verdicts {
	var weeks []figures.VerdictWeek
	var list []figures.Verdict
	for i, w := range exampleWeeks(12) {
		by := map[ledger.VerdictWord]int{}
		for n := range i % 4 {
			word := ledger.VerdictWords()[(i+n)%4]
			by[word]++
			list = append([]figures.Verdict{{
				Run: runID, Review: "e65bfc7a", Iteration: 1, Scope: "team", Target: "payments", Mode: "quick", Verdict: word, At: w.Start.Add(time.Duration(n+1) * time.Hour),
				Findings: map[ledger.Priority]int{ledger.High: n},
			}}, list...)
		}
		weeks = append(weeks, figures.VerdictWeek{Span: w.Span, By: by})
	}
	return Verdicts{Scope: exampleScope(), Figures: Panel[figures.Statistics]{Value: figures.Statistics{Verdicts: list, VerdictWeeks: weeks}}}
}

func exampleCompare() Compare {
	b := exampleRun()
	b.ID, b.Status, b.Iterations, b.Open = otherID, ledger.StatusAbandoned, 2, 3
	inA, inB := exampleViolations(runID), exampleViolations(otherID)
	return Compare{
		A: &RunRow{exampleRun(), ledger.RunOutcome{Cost: ledger.Cost{USD: 1, Known: 2, Calls: 2}}}, B: &RunRow{b, ledger.RunOutcome{Cost: ledger.Cost{Calls: 2}}}, Recent: []ledger.Run{exampleRun()},
		Found: Panel[ledger.Comparison]{Value: ledger.Comparison{OnlyA: inA[:3], OnlyB: inB[3:4], Both: []ledger.Pair{{A: inA[4], B: inB[4]}}}},
	}
}

func exampleFailure() Failure {
	return Failure{Status: 400, Message: `--status: unknown status "nwe".`, Suggestions: []Suggestion{{"new", "/violations?status=new"}}}
}

// examples returns all pages by name.
func examples() map[string]Page {
	return map[string]Page{
		"overview": exampleOverview(), "runs": exampleRuns(), "run": exampleRunPage(), "violations": exampleViolationsPage(), "search": exampleSearch(),
		"discarded": exampleDiscarded(), "violation": exampleViolation(), "marking": exampleMarking(), "log": exampleLog(), "reviewers": exampleReviewers(), "files": exampleFilesPage(),
		"skips": exampleSkips(), "checks": exampleChecks(), "verdicts": exampleVerdicts(), "compare": exampleCompare(), "failure": exampleFailure(),
	}
}

// emptyExamples returns the pages of a ledger without runs.
func emptyExamples() map[string]Page {
	s := exampleScope()
	return map[string]Page{
		"overview": Overview{Scope: s, Empty: true}, "runs": Runs{}, "violations": Violations{}, "discarded": Discarded{}, "reviewers": Reviewers{Scope: s},
		"files": Files{Scope: s}, "skips": Skips{}, "checks": Checks{Scope: s}, "verdicts": Verdicts{Scope: s}, "compare": Compare{},
		"run": Run{State: &ledger.State{Run: exampleRun()}}, "log": Log{Run: exampleRun(), Ref: ledger.SlotRef{Job: "check:api:lint", Iteration: 1}},
	}
}
