package listings_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"
	"github.com/reviewledger/reviewledger/internal/text"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// TestMain makes the local zone the same on every machine.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

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

// samples returns one of each thing that is printed as JSON.
func samples() map[string]any {
	return map[string]any{
		"runs": []any{listings.Runs.Object(sampleState().Run)}, "show": listings.Show(sampleState()),
		"violations": []any{listings.Violations.Object(sampleViolation())},
		"search":     []any{listings.Hits.Object(sampleHits()[0]), listings.Hits.Object(sampleHits()[1]), listings.Hits.Object(sampleHits()[2])},
		"sizes": listings.SizesJSON{Path: "/x/ledger.db", Sizes: ledger.Sizes{
			Bytes: 4096, Free: 1024, Parts: []ledger.PartSize{{Name: "texts", Bytes: 2048}},
			Texts:  []ledger.TextSize{{Kind: "prompt", Texts: 2, Bytes: 100, Stored: 50}},
			Months: []ledger.MonthSize{{Month: "2026-01", Runs: 1, Iterations: 2, Violations: 3, Stored: 50}},
		}},
		"skips": []any{listings.Skips.Object(ledger.Skip{
			ListedViolation: sampleViolation(), Remembered: true, Met: 2, LastMet: sampleTime.Add(3 * time.Hour), Expired: new(true),
		}), listings.Skips.Object(ledger.Skip{ListedViolation: sampleViolation()})},
		"discarded": []any{listings.Reports.Object(ledger.Report{
			Iteration: 2, Slot: 1, Adapter: "codex", Position: 3, Place: ledger.Place{File: "a.go"}, Issue: "i", Priority: ledger.Low, Disposition: ledger.BelowThreshold, Reason: "new on a rerun",
			Run: "01KB3X5Y6Z0000000000000000", Job: "review:src:quality", EntryPoint: "src", Gate: "quality", At: sampleTime,
		})},
		"history": listings.History(ledger.History{
			Violation: sampleViolation(), Events: []ledger.Event{{Status: ledger.StatusNew, Actor: ledger.ActorReviewer, Iteration: 1, At: sampleTime}},
			Reports: []ledger.Report{{
				Iteration: 1, Slot: 2, Adapter: "claude", Position: 1, Place: ledger.Place{File: "a.go", Start: 1, End: 1}, Issue: "i", Priority: ledger.Low, Disposition: ledger.Accepted,
				Run: "01KB3X5Y6Z0000000000000000", Job: "review:src:quality", EntryPoint: "src", Gate: "quality", At: sampleTime, ShortID: "0123456789ab",
			}},
		}),
		"why":        listings.Why(ledger.Explanation{Kind: "run", Subject: "r", Sentences: []string{"It passed."}, Rows: []ledger.Evidence{{Table: "event", Text: "t", At: sampleTime}}}),
		"statistics": listings.Statistics(sampleStatistics()),
		"status": listings.Status(ledger.Progress{
			State: ledger.ProgressOpen, Run: sampleState().Run, Iteration: 1, Left: new(2), Open: []ledger.ListedViolation{sampleViolation()},
			Failing:  []ledger.Unresolved{{Job: "check:src:lint", Reason: "exited with code 1", Log: "l", Excerpt: "e"}, {Job: "review:src:quality", Slot: 2}},
			LookedAt: &ledger.LookedAt{By: []ledger.Look{{Gate: "g"}}, NotBy: []string{"h"}}, Warnings: []string{"w"}, Next: "reviewledger run",
		}),
		"result": listings.RunResult(ledger.RunResult{
			Run: "01KB3X5Y6Z0000000000000000", Iteration: 1, Status: ledger.StatusFailed, ExitCode: 1, State: sampleState(), Open: []ledger.ListedViolation{joinedTo()},
			Gates: []ledger.RunGate{{Gate: sampleState().Gates[0], Log: "l", FailsOnBase: new(false)}, {Gate: sampleState().Gates[1], Paths: []string{"p", ""}}},
		}),
		"empty": []any{
			listings.Show(&ledger.State{}), listings.History(ledger.History{}), listings.Why(ledger.Explanation{}),
			listings.Statistics(figures.New(figures.Filter{})),
		},
	}
}

// joinedTo returns a violation with a duplicate.
func joinedTo() ledger.ListedViolation {
	v := sampleViolation()
	v.Duplicates = []ledger.ListedViolation{sampleViolation()}
	return v
}

// The keys of the listings are an interface: golden files fix them, and docs/json.md names each where it
// explains the command.
func TestJSONOfListings(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string][]string{
		"runs": {"runs"}, "show": {"show", "runs", "status"}, "violations": {"violations"}, "discarded": {"violations"}, "search": {"search", "violations"}, "sizes": {"db stats"}, "skips": {"skips"},
		"history": {"history", "violations", "status"}, "why": {"why", "status"}, "statistics": {"report"}, "status": {"status", "violations"},
		"result": {"run, check, review", "show", "status", "violations"},
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
		exporttest.Golden(t, "json/"+name+".json", out.String())
		text := ""
		for _, title := range explained[name] {
			_, section, _ := strings.Cut(string(manual), "\n### "+title+"\n")
			section, _, _ = strings.Cut(section, "\n### ")
			text += section
		}
		for _, m := range key.FindAllStringSubmatch(out.String(), -1) {
			if name != "empty" && !strings.Contains(text, "`"+m[1]+"`") {
				t.Errorf("docs/json.md does not name %q of %s", m[1], name)
			}
		}
		if name == "empty" && (strings.Contains(out.String(), `"sentences": null`) || regexp.MustCompile(`"(events|reports|rows|per_iteration|adapters|files|gates|recurring|iterations|skipped_by_reason|iterations_to_pass)": null`).MatchString(out.String())) {
			t.Errorf("an array is null:\n%s", &out)
		}
	}
}

// The tables of keys in docs/json.md are made of the descriptions: `go test ./export/listings -update`
// writes them.
func TestDocumentOfKeys(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	document := string(manual)
	for _, table := range []struct{ before, rows string }{
		{"\n### runs\n", documented(listings.Runs)},
		{"\n### violations\n", documented(listings.Violations)},
		{"\nWith `--discarded`, ", documented(listings.Reports)},
		{"\n### search\n", documented(append(listings.Hits[:1:1], listings.Hits.Pick("title", "snippet", "disposition", "violation")...))},
		{"\n### skips\n", documented(listings.Skips)},
	} {
		const head = "| key | meaning |\n|---|---|\n"
		at := strings.Index(document, table.before)
		begin := at + strings.Index(document[at:], head) + len(head)
		end := begin + strings.Index(document[begin:], "\n\n") + 1
		document = document[:begin] + table.rows + document[end:]
	}
	exporttest.Golden(t, "../../../docs/json.md", document)
}

// documented returns the rows of a table that explains the keys.
func documented[R any](columns listings.Columns[R]) (rows string) {
	for _, c := range columns {
		rows += fmt.Sprintf("| `%s` | %s |\n", c.Key, c.Doc)
	}
	return rows
}

// sampleHits returns a violation, the notes of a slot and a discarded report as search hits.
func sampleHits() []ledger.SearchHit {
	v := sampleViolation()
	return []ledger.SearchHit{{Violation: &v, Title: "A title"}, {Notes: &ledger.SlotNotes{
		Run: "01KB3", Ref: ledger.SlotRef{Job: "review:src:quality", Slot: 1, Iteration: 2}, EntryPoint: "src", Gate: "quality", Adapter: "claude", At: sampleTime,
	}}, {Discard: &ledger.Report{Iteration: 2, Slot: 1, Adapter: "codex", Position: 3, Disposition: ledger.BelowThreshold, At: sampleTime}}}
}

// A spreadsheet must not evaluate what a reviewer wrote.
func TestCSVNeutralisesFormulas(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	cells := []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "\"=1", "＝1", "%x", "|x", "plain", "a=b", "", "7"}
	var rows [][]string
	for _, cell := range cells {
		rows = append(rows, []string{cell, "x"})
	}
	if err := text.WriteCSV(&out, []string{"a", "b"}, text.All(rows)); err != nil {
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
		want = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ").Replace(want)
		if got := read[i+1][0]; got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
	wide := sampleViolation()
	wide.Also = []ledger.Place{{File: "a.go", Start: 1}, {File: "b.go"}}
	out.Reset()
	if err := listings.WriteCSV(&out, listings.Violations, text.All([]ledger.ListedViolation{wide})); err != nil {
		t.Fatal(err)
	}
	if read, err = csv.NewReader(&out).ReadAll(); err != nil {
		t.Fatal(err) // also if a row has more or fewer cells than there are titles
	}
	if !slices.Contains(read[1], "a.go:1; b.go") {
		t.Errorf("more places are not in one cell: %q", read[1])
	}
	keys := jsonKeys(t, listings.Violations.Object(sampleViolation()))
	if diff := cmp.Diff(keys, read[0]); diff != "" {
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
	if _, err := decoder.Token(); err != nil { // the brace
		t.Fatal(err)
	}
	for decoder.More() {
		var held any
		key, err := decoder.Token()
		if err := errors.Join(err, decoder.Decode(&held)); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, fmt.Sprint(key))
	}
	return keys
}

// A table fits the width of the terminal: long columns are cut with an ellipsis, and control
// characters are escaped.
func TestTableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	v := sampleViolation()
	v.Issue = strings.Repeat("long ", 50) + "\x1b[31m"
	v.Place.File = "src/日本語.go"
	for _, width := range []int{0, 200, 100, 80} {
		var out bytes.Buffer
		if err := listings.ViolationsTable([]ledger.ListedViolation{v, v}, false).Write(&out, text.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("width %d: an escape sequence", width)
		}
		for line := range strings.Lines(out.String()) {
			if got := text.Width(strings.TrimSuffix(line, "\n")); width > 0 && got > width {
				t.Errorf("width %d: %d columns: %q", width, got, line)
			}
		}
		if cut := strings.Contains(out.String(), "…"); cut != (width > 0) {
			t.Errorf("width %d: cut is %v:\n%s", width, cut, &out)
		}
	}
	var out bytes.Buffer
	if err := listings.ViolationsTable([]ledger.ListedViolation{v}, false).Write(&out, text.Style{Color: true, Width: 100}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\x1b[33mskipped\x1b[0m") {
		t.Errorf("no color:\n%q", &out)
	}
}

// A table shows a block together: under its first who else reported it, and in which other words. No
// id is there twice.
func TestTableOfABlock(t *testing.T) {
	t.Parallel()
	row := func(id, job, issue string, slot int) ledger.ListedViolation {
		v := sampleViolation()
		v.ShortID, v.Block, v.Job, v.Issue, v.Slot, v.Status, v.Result, v.Reason = id, "worst111", job, issue, slot, ledger.StatusNew, "", ""
		return v
	}
	joined := row("joined11", "review:src:q", "bad", 2)
	joined.Status, joined.DuplicateOf, joined.Result, joined.Reason = ledger.StatusDuplicate, "worst111", "worst111", ledger.ReasonSameWords
	alone := row("alone111", "review:src:q", "alone", 1)
	alone.Block = ""
	var out bytes.Buffer
	err := listings.ViolationsTable([]ledger.ListedViolation{row("near1111", "review:src:p", "other", 1), alone, joined, row("worst111", "review:src:q", "bad", 1)}, false).Write(&out, text.Style{Width: 200})
	if err != nil {
		t.Fatal(err)
	}
	pattern := `^ID.*\nworst111 .* bad\n└ near1111 .* p \(claude@1\): other\n└ joined11 .* claude@2\nalone111 .* alone\n$`
	if !regexp.MustCompile(pattern).MatchString(out.String()) || strings.Count(out.String(), "worst111") != 1 {
		t.Errorf("the table is\n%s", &out)
	}
}

// In 80 columns a table still shows what distinguishes the rows: the ID of a run, its whole status
// and day, and the gate and the reason of each slot.
func TestTablesIn80Columns(t *testing.T) {
	t.Parallel()
	run := sampleState().Run
	run.Status, run.Branch = ledger.StatusPassedWithWarnings, "feature/long-name"
	other := run
	other.ID, other.Kind, other.Worktree = "01KB3X5Y6Z0100000000000000", ledger.KindCodeReview, "/somewhere/else"
	judged := other
	judged.Verdict = ledger.VerdictWarn
	state := sampleState()
	const reason = "Skipping @2: previously passed in iteration 1 (num_reviews > 1)"
	state.Gates[1].Slots[1].Reason = reason
	long := sampleState()
	long.Gates[1].Job, long.Gates[1].Slots[1] = "review:packages/frontend-application:accessibility-and-security", state.Gates[1].Slots[1]
	hits := sampleHits()
	hits[0].Snippet = ledger.Snippet("\x02found\x03")
	sources := sampleState()
	sources.Iterations, sources.Gates = nil, nil
	for i, source := range []ledger.Source{ledger.SourceUncommitted, ledger.SourceUncommittedOnly, ledger.SourceCommit, ledger.SourceFiles} {
		sources.Iterations = append(sources.Iterations, ledger.Iteration{Number: i + 1, Mode: ledger.ModeRerun, Source: source, Status: ledger.StatusFailed})
	}
	found := listings.SearchTable(hits)
	for name, test := range map[string]struct {
		table text.Table
		want  []string
	}{
		"sources": {listings.ShowDetails(sources), []string{
			"Iteration 1 (rerun) over uncommitted changes: Failed", "Iteration 2 (rerun) over uncommitted changes: Failed",
			"Iteration 3 (rerun) over one commit: Failed", "Iteration 4 (rerun) over files of the loop: Failed",
		}},
		"search": {found, []string{"-         notes            -         …2/review:src:quality@1  ", "-         below_threshold  "}},
		// The two IDs differ only in their twelfth character.
		"runs":    {listings.RunsTable([]ledger.Run{run, other}), []string{"01KB3X5Y6Z00  passed, warned  ", "01KB3X5Y6Z01  passed, warned  "}},
		"verdict": {listings.RunsTable([]ledger.Run{run, judged}), []string{"01KB3X5Y6Z00  passed, warned  ", "01KB3X5Y6Z01  WARN  "}},
		"run":     {listings.RunsTable([]ledger.Run{run}), []string{"01KB3X5Y6Z  passed, warned  " + text.LocalTime(run.StartedAt)[len("2026-"):len("2026-01-02 15:04")] + "  "}},
		"details": {listings.ShowDetails(state), []string{"\n  check:src:lint  ", "\n  review:src:quality@1  ", "\n  review:src:quality@2  codex    skipped  ", "\n    " + reason + "\n"}},
		"long":    {listings.ShowDetails(long), []string{"\n  " + long.Gates[1].Job + "@2\n   ", "  codex    skipped  ", "\n    " + reason + "\n"}},
	} {
		var out bytes.Buffer
		if err := test.table.Write(&out, text.Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, &out)
			}
		}
		for line := range strings.Lines(out.String()) {
			if got := text.Width(strings.TrimSuffix(line, "\n")); got > 80 {
				t.Errorf("%s: %d columns: %q", name, got, line)
			}
		}
		var whole bytes.Buffer
		if err := test.table.Write(&whole, text.Style{}); err != nil {
			t.Fatal(err)
		}
		if name == "runs" && !strings.Contains(whole.String(), other.ID) {
			t.Errorf("without a terminal the id is cut:\n%s", &whole)
		}
	}
}

// The filters of events and slots have flags, so that what a count counts can be listed.
func TestFilterArgsOfEvents(t *testing.T) {
	t.Parallel()
	f := ledger.ViolationFilter{Slot: 2, Events: ledger.EventFilter{
		Statuses: []ledger.Status{ledger.StatusFixed, ledger.StatusVerified}, At: ledger.Period{Since: sampleTime, Until: sampleTime.Add(time.Hour)}, Iteration: 3,
	}}
	const want = "reviewledger violations --slot 2 --event fixed --event verified --event-iteration 3 --event-since 2026-01-02T02:04:05.678Z --event-until 2026-01-02T03:04:05.678Z"
	if got := listings.FilterCommand(f); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The address of a log is one word for a shell, whatever the folder of its job is called.
func TestWhyNamesTheLog(t *testing.T) {
	t.Parallel()
	got := listings.WhySentences(ledger.Explanation{Sentences: []string{"It failed."}, Log: "R/1/check:my code:$(lint)"})
	if want := []string{"It failed.", "Its log: `reviewledger log 'R/1/check:my code:$(lint)'`."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A violation is a line, whatever its text and the name of its file contain.
func TestWriteUnix(t *testing.T) {
	t.Parallel()
	row := func(file string, line int, issue string) ledger.ListedViolation {
		return ledger.ListedViolation{Violation: ledger.Violation{ShortID: "8c31gnxt", Place: ledger.Place{File: file, Start: line, End: line}, Issue: issue, Priority: "high"}}
	}
	var out strings.Builder
	err := listings.WriteUnix(&out, text.All([]ledger.ListedViolation{
		row("src/a b.go", 12, "leaks"), row("README.md", 0, "is\r\nold\t "), row("a:1:2: x\n\x1b[31m", 3, "\x1b[2J\u202ered"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := "src/a b.go:12:1: leaks [high 8c31gnxt]\n" +
		"README.md:1:1: is old [high 8c31gnxt]\n" +
		`a\x3a1\x3a2\x3a x \x1b[31m:3:1: \x1b[2J\u202ered [high 8c31gnxt]` + "\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// The task in docs/editors.md finds the parts of each line.
	doc, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(doc), "`.vscode/tasks.json`")
	_, block, _ = strings.Cut(block, "```json\n")
	block, _, _ = strings.Cut(block, "```")
	var file struct {
		Tasks []struct {
			ProblemMatcher struct{ Pattern struct{ Regexp string } }
		}
	}
	if err := json.Unmarshal([]byte(block), &file); err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(file.Tasks[0].ProblemMatcher.Pattern.Regexp)
	for line := range strings.Lines(want) {
		if parts := pattern.FindStringSubmatch(strings.TrimSuffix(line, "\n")); len(parts) != 6 || parts[3] != "1" || parts[5] != "high 8c31gnxt" {
			t.Errorf("%q: parts %q", line, parts)
		}
	}
}
