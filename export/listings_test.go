package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export"
	"github.com/reviewledger/reviewledger/ledger"
)

var sampleTime = time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.FixedZone("", 3600))

func sampleViolation() ledger.ListedViolation {
	return ledger.ListedViolation{
		Violation: ledger.Violation{
			ID: "01KB3X5Y6Z7A8B9C0D1E2F3G4H", ShortID: "1e2f3g4h", Job: "review:src:quality", Slot: 2, Adapter: "claude",
			First: 1, Last: 2, Status: ledger.StatusSkipped, Result: "on purpose", Reason: "accepted_risk",
			Place: ledger.Place{File: "src/a b.go", Start: 3, End: 5}, Issue: "=1+1 <b>", Fix: "Do\x1b[31m it", Priority: ledger.High,
			FirstSeen: sampleTime, LastSeen: sampleTime.Add(time.Hour), StatusAt: sampleTime.Add(2 * time.Hour),
		},
		Run: "01KB3X5Y6Z0000000000000000", RunStatus: ledger.StatusFailed, RunOpen: true, EntryPoint: "src", Gate: "quality",
		Fingerprint: "0123456789abcdef0123456789abcdef", Recurring: true, InFixLines: true, StatusBy: ledger.ActorHuman,
	}
}

func sampleState() *ledger.State {
	tokens, cost := int64(12), 0.5
	run := ledger.Run{ID: "01KB3X5Y6Z0000000000000000", Kind: ledger.KindGates, Worktree: "/w", Base: "b", Status: ledger.StatusFailed, StartedAt: sampleTime, Iterations: 1, Open: 1}
	return &ledger.State{
		Run:        run,
		Iterations: []ledger.Iteration{{Number: 1, Mode: ledger.ModeFirst, Source: "base", Status: ledger.StatusFailed, StartedAt: sampleTime, FinishedAt: sampleTime.Add(time.Second)}},
		Gates: []ledger.Gate{
			{Iteration: 1, Job: "check:src:lint", Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Status: ledger.GateFailed, Reason: "exited with code 1", Problems: 3, Duration: time.Second},
			{Iteration: 1, Job: "review:src:quality", Kind: ledger.KindReview, EntryPoint: "src", Name: "quality", Status: ledger.GateFailed, Slots: []ledger.Slot{
				{Iteration: 1, Job: "review:src:quality", Index: 1, Adapter: "claude", Status: ledger.SlotFail, Usage: ledger.Usage{Model: "m", InputTokens: &tokens, OutputTokens: &tokens, CostUSD: &cost},
					Duration: 2 * time.Second, Counts: ledger.SlotCounts{Accepted: 2, New: 1, Reopened: 1, OutOfDiff: 4, Carried: 1}},
				{Iteration: 1, Job: "review:src:quality", Index: 2, Adapter: "codex", Status: ledger.SlotSkipped, PassIteration: 1, Reason: "Skipping @2"},
			}},
		},
	}
}

func sampleStatistics() ledger.Statistics {
	s := ledger.Compute(ledger.Rows{
		Slots: []ledger.SlotTotals{{EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Slots: 2, Answered: 1, Errors: 1,
			Counts: ledger.SlotCounts{Accepted: 1, BelowThreshold: 2, New: 1, Verified: 1, Reopened: 3}, InputTokens: 10, OutputTokens: 5, WithTokens: 1, CostUSD: 0.25, WithCost: 1}},
		Violations: []ledger.ViolationTotals{
			{EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Status: ledger.StatusVerified, InFixLines: true, Violations: 1},
			{EntryPoint: "src", Gate: "quality", Adapter: "claude", Iteration: 1, Status: ledger.StatusSkipped, Reason: "style", Shared: true, Violations: 2},
		},
		Runs:      []ledger.Run{{Status: ledger.StatusPassed, Iterations: 2}, {Status: ledger.StatusFailed, Iterations: 3}},
		Saved:     ledger.Saved{Slots: 1, Tokens: 15, CostUSD: 0.25},
		Sightings: []ledger.Sighting{{File: "it's.go", Fingerprint: "ff", Run: "1"}, {File: "it's.go", Fingerprint: "ff", Run: "2"}, {File: "b.go", Run: "1"}},
	}, ledger.ReportFilter{Period: ledger.Period{Since: sampleTime}, Top: 10})
	s.Recurring[0].Latest, s.Recurring[0].Job, s.Recurring[0].File, s.Recurring[0].Issue, s.Recurring[0].Line = "1e2f3g4h", "review:src:quality", "it's.go", "Again", 7
	return s
}

// samples is one of each thing that is printed as JSON.
func samples() map[string]any {
	return map[string]any{
		"runs": []any{export.NewRunJSON(sampleState().Run)}, "show": export.NewShowJSON(sampleState()),
		"violations": []any{export.NewViolationJSON(sampleViolation())},
		"discarded": []any{export.NewDiscardJSON(ledger.Discard{
			Report: ledger.Report{Iteration: 2, Slot: 1, Adapter: "codex", Position: 3, Place: ledger.Place{File: "a.go"}, Issue: "i", Priority: ledger.Low, Disposition: ledger.BelowThreshold, Reason: "new on a rerun"},
			Run:    "01KB3X5Y6Z0000000000000000", Job: "review:src:quality", EntryPoint: "src", Gate: "quality", At: sampleTime,
		})},
		"history": export.NewHistoryJSON(ledger.History{
			Violation: sampleViolation(), Events: []ledger.Event{{Status: ledger.StatusNew, Actor: ledger.ActorReviewer, Iteration: 1, At: sampleTime}},
			Reports: []ledger.Report{{Iteration: 1, Slot: 2, Adapter: "claude", Place: ledger.Place{File: "a.go", Start: 1, End: 1}, Issue: "i", Priority: ledger.Low, Disposition: ledger.Accepted}},
		}),
		"why":    export.NewWhyJSON(ledger.Explanation{Kind: "run", Subject: "r", Sentences: []string{"It passed."}, Rows: []ledger.Evidence{{Table: "event", Text: "t", At: sampleTime}}}),
		"report": export.NewReportJSON(sampleStatistics()),
		"empty": []any{
			export.NewShowJSON(&ledger.State{}), export.NewHistoryJSON(ledger.History{}), export.NewWhyJSON(ledger.Explanation{}),
			export.NewReportJSON(ledger.Compute(ledger.Rows{}, ledger.ReportFilter{})),
		},
	}
}

// The keys of the listings are an interface: golden files hold them, and
// docs/json.md names each.
func TestJSONOfListings(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile(`(?m)^ *"([a-z_]+)":`)
	for name, sample := range samples() {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(sample); err != nil {
			t.Fatal(err)
		}
		golden(t, "json/"+name+".json", out.String())
		for _, m := range key.FindAllStringSubmatch(out.String(), -1) {
			if !strings.Contains(string(manual), "`"+m[1]+"`") {
				t.Errorf("docs/json.md does not name %q of %s", m[1], name)
			}
		}
		if name == "empty" && (strings.Contains(out.String(), `"sentences": null`) || regexp.MustCompile(`"(events|reports|rows|per_iteration|adapters|files|gates|recurring|iterations|skipped_by_reason|iterations_to_pass)": null`).MatchString(out.String())) {
			t.Errorf("an array is null:\n%s", &out)
		}
	}
}

// A spreadsheet must not compute what a reviewer wrote.
func TestCSVNeutralisesFormulas(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	cells := []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "\"=1", "＝1", "%x", "|x", "plain", "a=b", "", "7"}
	var rows [][]string
	for _, cell := range cells {
		rows = append(rows, []string{cell, "x"})
	}
	if err := export.WriteCSV(&out, []string{"a", "b"}, rows); err != nil {
		t.Fatal(err)
	}
	read, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range cells {
		want := cell
		if i < 12 {
			want = "'" + cell
		}
		// A reader of CSV makes one line break of two characters.
		if got := read[i+1][0]; got != strings.ReplaceAll(want, "\r\n", "\n") {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
	titles, violations := export.ViolationsCSV([]ledger.ListedViolation{sampleViolation()})
	if len(titles) != len(violations[0]) {
		t.Errorf("%d titles, %d cells", len(titles), len(violations[0]))
	}
	keys := jsonKeys(t, export.NewViolationJSON(sampleViolation()))
	if diff := cmp.Diff(keys, titles); diff != "" {
		t.Errorf("titles are not the keys (-keys +titles):\n%s", diff)
	}
}

func jsonKeys(t *testing.T, value any) (keys []string) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	for i := -1; decoder.More() || i < 0; i++ {
		token, err := decoder.Token()
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(string); ok && i%2 == 0 {
			keys = append(keys, text)
		}
	}
	return keys
}

// A table is no wider than the terminal: long columns are cut with an ellipsis,
// and what would act on the terminal is shown.
func TestTableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	v := sampleViolation()
	v.Issue = strings.Repeat("long ", 50) + "\x1b[31m"
	v.Place.File = "src/日本語.go"
	for _, width := range []int{0, 200, 100, 80} {
		for _, byFile := range []bool{true, false} {
			var out bytes.Buffer
			if err := export.ViolationsTable([]ledger.ListedViolation{v, v}, byFile).Write(&out, export.Style{}, width); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "\x1b") {
				t.Errorf("width %d: an escape sequence", width)
			}
			for line := range strings.Lines(out.String()) {
				if got := export.Width(strings.TrimSuffix(line, "\n")); width > 0 && got > width {
					t.Errorf("width %d: %d columns: %q", width, got, line)
				}
			}
			if cut := strings.Contains(out.String(), "…"); cut != (width > 0) {
				t.Errorf("width %d: cut is %v:\n%s", width, cut, &out)
			}
		}
	}
	var out bytes.Buffer
	if err := export.ViolationsTable([]ledger.ListedViolation{v}, false).Write(&out, export.Style{Color: true}, 100); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\x1b[33mskipped\x1b[0m") {
		t.Errorf("no colour:\n%q", &out)
	}
}

// In 80 columns the eye still finds what tells the rows apart: the id that names
// a run, its whole status and day, the gate of each slot.
func TestTablesIn80Columns(t *testing.T) {
	t.Parallel()
	run := sampleState().Run
	run.Status, run.Branch = ledger.StatusPassedWithWarnings, "feature/long-name"
	other := run
	other.ID, other.Kind, other.Worktree = "01KB3X5Y6Z0100000000000000", ledger.KindCodeReview, "/somewhere/else"
	state := sampleState()
	state.Gates[1].Slots[1].Reason = "Skipping @2: previously passed in iteration 1 (num_reviews > 1)"
	for name, test := range map[string]struct {
		table export.Table
		want  []string
	}{
		// The two ids differ only in their twelfth letter.
		"runs":    {export.RunsTable([]ledger.Run{run, other}), []string{"01KB3X5Y6Z00  passed_with_warni…  ", "01KB3X5Y6Z01  passed_with_warni…  "}},
		"run":     {export.RunsTable([]ledger.Run{run}), []string{"01KB3X5Y6Z  passed_with_warnings  " + export.LocalTime(run.StartedAt)[:10] + "  "}},
		"details": {export.ShowDetails(state), []string{"\n  check:src:lint  ", "\n  review:src:quality@1  ", "\n  review:src:quality@2  codex    skipped  "}},
	} {
		var out bytes.Buffer
		if err := test.table.Write(&out, export.Style{}, 80); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, &out)
			}
		}
		for line := range strings.Lines(out.String()) {
			if got := export.Width(strings.TrimSuffix(line, "\n")); got > 80 {
				t.Errorf("%s: %d columns: %q", name, got, line)
			}
		}
		var whole bytes.Buffer
		if err := test.table.Write(&whole, export.Style{}, 0); err != nil {
			t.Fatal(err)
		}
		if name == "runs" && !strings.Contains(whole.String(), other.ID) {
			t.Errorf("without a terminal the id is cut:\n%s", &whole)
		}
	}
}

// Sums of money are not those of binary fractions.
func TestReportRoundsMoney(t *testing.T) {
	t.Parallel()
	sum := 0.0
	for range 28 {
		sum += 0.05
	}
	s := ledger.Statistics{Saved: ledger.Saved{CostUSD: sum}, Adapters: []ledger.AdapterStatistics{{Adapter: "claude", CostUSD: sum, Costed: 28}}}
	s.Adapters[0].Confirmed.Violations = 7
	r := export.NewReportJSON(s)
	if got := []float64{r.Saved.CostUSD, *r.Adapters[0].CostUSD, *r.Adapters[0].CostPerConfirmed}; !slices.Equal(got, []float64{1.4, 1.4, 0.2}) {
		t.Errorf("costs are %v", got)
	}
}

// The title names the period and the filters, and says what the filters leave out.
func TestReportTitle(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.Local)
	for want, f := range map[string]ledger.ReportFilter{
		"Report over all time\n\nRuns: 0, ":                                                    {},
		"Report until 2026-01-31 12:00\n\nRuns: 0, ":                                           {Period: ledger.Period{Until: at}},
		"Report since 2026-01-31 12:00, branch main\n\nRuns: 0, ":                              {Period: ledger.Period{Since: at}, Branch: "main"},
		"Report over all time, adapter claude\n\nRuns, whatever gate and adapter: 0, of which": {Adapter: "claude"},
	} {
		var out bytes.Buffer
		if err := export.WriteStatistics(&out, ledger.Statistics{Filter: f}, export.Style{}, 0, false); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// The report for people.
func TestReportTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := sampleStatistics()
	s.Filter.Period.Since = time.Time{} // shown in the local zone
	if err := export.WriteStatistics(&out, s, export.Style{}, 100, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.txt", out.String())
}
