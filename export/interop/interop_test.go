package interop_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reviewledger/reviewledger/export/interop"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"
	"github.com/reviewledger/reviewledger/ledger"
)

const job = "review:src:quality"

// violation returns the nth violation of the run.
func violation(n int, p ledger.Priority, status ledger.Status) ledger.ListedViolation {
	v := ledger.ListedViolation{
		Run: "01KB3000000000000000000000", EntryPoint: "src", Gate: "quality", Fingerprint: fmt.Sprintf("%032x", n),
	}
	v.Violation = ledger.Violation{
		ID: fmt.Sprintf("01KB3AAAAAAAAAAAAAAAAAAA%02d", n), ShortID: fmt.Sprintf("short%03d", n), Job: job, Slot: 1, Adapter: "claude",
		First: 1, Last: 2, Status: status, Place: ledger.Place{File: "src/app.go", Start: n, End: n},
		Issue: fmt.Sprintf("Issue %d", n), Fix: fmt.Sprintf("Fix %d", n), Priority: p,
	}
	return v
}

// example returns a run in its second iteration, with one of everything.
func example() interop.Run {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	fresh := violation(1, ledger.Critical, ledger.StatusNew)
	fresh.First, fresh.Place.End = 2, 3
	reopened := violation(2, ledger.High, ledger.StatusReopened)
	reopened.StatusAt = at.Add(time.Hour)
	claim := violation(3, ledger.Medium, ledger.StatusFixed)
	claim.Result = "checks it"
	skip := violation(4, ledger.Low, ledger.StatusSkipped)
	skip.Reason, skip.Result = "false_positive", "as intended"
	verified := violation(5, ledger.Info, ledger.StatusVerified)
	hostile := violation(6, ledger.Low, ledger.StatusNew)
	hostile.Place = ledger.Place{File: "src/a b,c:d%#?é.go"}
	hostile.Issue = "::error::\r\n\x1b[31m <b>\u202e ]]> | @team %0A"
	hostile.Fix = ""
	duplicate := violation(7, ledger.Medium, ledger.StatusDuplicate)
	duplicate.DuplicateOf, duplicate.Adapter, duplicate.Gate, duplicate.Issue = fresh.ShortID, "codex", "security", "Issue 1,\nin other words"
	state := &ledger.State{
		Run: ledger.Run{
			ID: "01KB3000000000000000000000", Kind: ledger.KindGates, Status: ledger.StatusFailed, Branch: "feature", Head: "abc123",
			StartedAt: at, FinishedAt: at.Add(2 * time.Hour),
		},
		Iterations: []ledger.Iteration{
			{Number: 1, Mode: ledger.ModeFirst, StartedAt: at, Head: "abc123"},
			{Number: 2, Mode: ledger.ModeRerun, StartedAt: at.Add(30 * time.Minute), Head: "abc123"},
		},
		Gates: []ledger.Gate{
			{Iteration: 1, Job: "check:src:lint", Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Status: ledger.GatePassed},
			{Iteration: 2, Job: "check:src:lint", Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Status: ledger.GateFailed,
				Reason: "exited with code 1", Problems: 3, ExitCode: 1, Duration: 1500 * time.Millisecond, StartedAt: at},
			{Iteration: 2, Job: "check:src:late", Kind: ledger.KindCheck, EntryPoint: "src", Name: "late", Status: ledger.GateNotRun,
				NotRun: ledger.NotRunFailFast, Reason: "not run: lint failed"},
			{Iteration: 2, Job: job, Kind: ledger.KindReview, EntryPoint: "src", Name: "quality", Status: ledger.GateError,
				Duration: 12 * time.Second, Slots: []ledger.Slot{
					{Job: job, Index: 1, Adapter: "claude", Status: ledger.SlotFail, Duration: 7 * time.Second},
					{Job: job, Index: 2, Adapter: "codex", Status: ledger.SlotSkipped, PassIteration: 1},
					{Job: job, Index: 3, Adapter: "gemini", Status: ledger.SlotError, Reason: "timed out\x07"},
				}},
		},
	}
	found := &ledger.RunFindings{
		State: state, Violations: []ledger.ListedViolation{fresh, reopened, claim, skip, verified, hostile, duplicate},
		LineHashes: map[string]string{fresh.ID: "e9496ae3ebfced30:1"}, Reworded: map[string]bool{claim.ID: true},
	}
	ledger.SortWorstFirst(found.Violations)
	return interop.Run{
		RunFindings: found, Remote: "github.com/owner/name", Version: "v1.2.3",
		Security: map[string]bool{job: true}, Checks: map[string]ledger.Place{"check:src:lint": {File: "src/app.go", Start: 7, End: 7}},
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// schemaSum is the checksum of the schema as published with Errata 01, with one mistake corrected:
// the "anyOf" of a region was among its properties.
const schemaSum = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const name = "testdata/sarif-schema-2.1.0.json"
	data := must[[]byte](t)(os.ReadFile(name))
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != schemaSum {
		t.Fatalf("%s was changed: its SHA-256 is %x", name, sum)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	document := must[any](t)(jsonschema.UnmarshalJSON(bytes.NewReader(data)))
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	return must[*jsonschema.Schema](t)(compiler.Compile(name))
}

func holdToSchema(t *testing.T, data []byte) {
	t.Helper()
	value := must[any](t)(jsonschema.UnmarshalJSON(bytes.NewReader(data)))
	if err := sarifSchema(t).Validate(value); err != nil {
		t.Errorf("%v\n%s", err, data)
	}
}

// empty returns a run that has just started.
func empty() interop.Run {
	return interop.Run{RunFindings: &ledger.RunFindings{State: &ledger.State{Run: ledger.Run{ID: "01KB3000000000000000000000", Status: ledger.StatusRunning}}}}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	data := must[[]byte](t)(example().SARIF(""))
	holdToSchema(t, data)
	exporttest.Golden(t, "run.sarif", string(data))
	holdToSchema(t, must[[]byte](t)(empty().SARIF("a/b")))
}

// What GitHub code scanning requires in addition to the schema.
func TestGitHubSARIF(t *testing.T) {
	t.Parallel()
	data, warning, err := example().GitHubSARIF("lint", false)
	if err != nil || warning != "" {
		t.Fatal(warning, err)
	}
	holdToSchema(t, data)
	exporttest.Golden(t, "run.github.sarif", string(data))
	holdToGitHub(t, data)
	for _, id := range []string{"short004", "short005"} {
		if bytes.Contains(data, []byte(id)) {
			t.Errorf("%s, which is skipped or verified, is an alert", id)
		}
	}
	data, _, err = example().GitHubSARIF("", true)
	if err != nil || !bytes.Contains(data, []byte("short004")) || bytes.Contains(data, []byte("short005")) {
		t.Errorf("with skipped ones (error %v):\n%s", err, data)
	}
}

func holdToGitHub(t *testing.T, data []byte) {
	t.Helper()
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID, Name                                string
						ShortDescription, FullDescription, Help struct{ Text string }
						Properties                              struct {
							Tags     []string
							Severity string `json:"security-severity"`
						}
					}
				}
			}
			AutomationDetails struct{ ID string }
			Results           []struct {
				RuleID    string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
				PartialFingerprints struct{ PrimaryLocationLineHash string }
			}
		}
	}
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || len(log.Runs[0].Results) == 0 {
		t.Fatalf("%d runs", len(log.Runs))
	}
	if id := log.Runs[0].AutomationDetails.ID; id != "lint/01KB3000000000000000000000" {
		t.Errorf("automation id %q", id)
	}
	for _, rule := range log.Runs[0].Tool.Driver.Rules {
		for what, text := range map[string]string{"id": rule.ID, "name": rule.Name, "short": rule.ShortDescription.Text, "full": rule.FullDescription.Text, "help": rule.Help.Text} {
			if text == "" || utf8.RuneCountInString(text) > 1024 {
				t.Errorf("rule %q: %s is %q", rule.ID, what, text)
			}
		}
		if rule.ID == "src/quality" && (rule.Properties.Severity != "9.5" || !slices.Contains(rule.Properties.Tags, "security")) {
			t.Errorf("rule %q: %+v", rule.ID, rule.Properties)
		}
	}
	hash := regexp.MustCompile(`^[0-9a-f]{1,16}:[1-9][0-9]*$`)
	for _, r := range log.Runs[0].Results {
		at := r.Locations[0].PhysicalLocation
		region := at.Region
		if len(r.Locations) != 1 || r.Message.Text == "" || at.ArtifactLocation.URI == "" || strings.HasPrefix(at.ArtifactLocation.URI, "/") ||
			min(region.StartLine, region.StartColumn, region.EndLine, region.EndColumn) < 1 || !hash.MatchString(r.PartialFingerprints.PrimaryLocationLineHash) {
			t.Errorf("result %+v", r)
		}
	}
}

// GitHub silently drops results after the first 5,000.
func TestGitHubSARIFIsCut(t *testing.T) {
	t.Parallel()
	run := example()
	for n := range 6000 {
		v := violation(n%90+10, ledger.Low, ledger.StatusNew)
		v.Priority = ledger.Priorities()[n%5]
		run.Violations = append(run.Violations, v)
	}
	ledger.SortWorstFirst(run.Violations)
	data, warning, err := run.GitHubSARIF("", false)
	if err != nil || !strings.HasPrefix(warning, "1005 of 6004 findings are omitted") {
		t.Fatal(warning, err)
	}
	if n := bytes.Count(data, []byte(`"ruleId"`)); n != 5000 {
		t.Errorf("%d results", n)
	}
	if low, info := bytes.Count(data, []byte(`"priority": "low"`)), bytes.Count(data, []byte(`"priority": "info"`)); low != 1201 || info != 195 {
		t.Errorf("it keeps %d of 1201 of low priority, and %d of info", low, info)
	}
}

// GitHub rejects a file above its limit, so there would be no results at all.
func TestGitHubSARIFStaysSmall(t *testing.T) {
	t.Parallel()
	run := example()
	noise := make([]byte, 0, 1_800_000)
	for sum := sha256.Sum256(nil); len(noise) < cap(noise)-64; sum = sha256.Sum256(sum[:]) {
		noise = append(noise, hex.EncodeToString(sum[:])...)
	}
	for i := range run.Violations {
		run.Violations[i].Status, run.Violations[i].Issue = ledger.StatusNew, string(noise)+fmt.Sprint(i)
	}
	_, warning, err := run.GitHubSARIF("", false)
	if err != nil || !strings.HasPrefix(warning, "3 of 6 findings are omitted") {
		t.Error(warning, err)
	}
}

func TestBaselineStates(t *testing.T) {
	t.Parallel()
	data := must[[]byte](t)(example().SARIF(""))
	for id, want := range map[string]string{
		"short001": "new", "short002": "updated", "short003": "updated", "short004": "unchanged", "short005": "absent", "short006": "unchanged",
	} {
		if m := regexp.MustCompile(`"baselineState": "(\w+)"[^§]*?"shortId": "(\w+)"`).FindAllSubmatch(data, -1); !slices.ContainsFunc(m, func(m [][]byte) bool {
			return string(m[1]) == want && string(m[2]) == id
		}) {
			t.Errorf("%s is not %s", id, want)
		}
	}
}

func TestReviewdog(t *testing.T) {
	t.Parallel()
	data := must[[]byte](t)(example().RDJSON())
	exporttest.Golden(t, "run.rdjson", string(data))
	var strict struct {
		Source      struct{ Name, URL string }
		Severity    string
		Diagnostics []json.RawMessage
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&strict); err != nil || strict.Source.Name != "reviewledger" {
		t.Fatal(err)
	}
	lines := must[[]byte](t)(example().RDJSONL())
	if bytes.Count(lines, []byte("\n")) != len(strict.Diagnostics) {
		t.Errorf("%d diagnostics, and in lines:\n%s", len(strict.Diagnostics), lines)
	}
	type position struct{ Line, Column int }
	for _, raw := range slices.Concat(strict.Diagnostics, splitLines(lines)) {
		var d struct {
			Message  string
			Location struct {
				Path  string
				Range *struct{ Start, End position }
			}
			Severity       string
			Source         struct{ Name, URL string }
			Code           struct{ Value, URL string }
			OriginalOutput string `json:"original_output"`
		}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&d)
		if err != nil || d.Message == "" || d.Location.Path == "" || !slices.Contains([]string{"ERROR", "WARNING", "INFO"}, d.Severity) ||
			d.Location.Range != nil && (d.Location.Range.Start.Line < 1 || d.Location.Range.End.Line < d.Location.Range.Start.Line) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if data := must[[]byte](t)(empty().RDJSON()); !bytes.Contains(data, []byte(`"diagnostics": []`)) {
		t.Errorf("%s", data)
	}
}

func splitLines(data []byte) (lines []json.RawMessage) {
	for line := range bytes.Lines(data) {
		lines = append(lines, line)
	}
	return lines
}

func TestGitHubCommands(t *testing.T) {
	t.Parallel()
	exporttest.Golden(t, "run.commands", string(example().GitHubCommands()))
	run := example()
	for range 30 {
		for _, p := range ledger.Priorities() {
			run.Violations = append(run.Violations, violation(10+len(run.Violations), p, ledger.StatusNew))
		}
	}
	ledger.SortWorstFirst(run.Violations)
	out := string(run.GitHubCommands())
	for command, want := range map[string]int{"::error ": 10, "::warning ": 10, "::notice ": 9, "::notice::": 1} {
		if n := strings.Count(out, command); n != want {
			t.Errorf("%d times %q", n, command)
		}
	}
	if !strings.HasSuffix(out, "::notice::125 more: see the summary\n") {
		t.Error(out[len(out)-60:])
	}
	// A name cannot control the terminal, or end its property or its line.
	run.Violations = run.Violations[:1]
	run.Violations[0].Place.File = "a\x1b[2J\u202e\nb,line=9:c"
	if out := string(run.GitHubCommands()); !strings.HasPrefix(out, `::error file=a\x1b[2J\u202e%0Ab%2Cline=9%3Ac,line=`) {
		t.Error(out)
	}
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	run := example()
	twin := run.Violations[0]
	run.Violations = append(run.Violations, twin)
	data := must[[]byte](t)(run.GitLab())
	exporttest.Golden(t, "run.gitlab.json", string(data))
	var issues []struct {
		Description, Fingerprint, Severity string
		CheckName                          string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if i.Description == "" || i.CheckName == "" || seen[i.Fingerprint] || i.Location.Lines.Begin < 1 || strings.HasPrefix(i.Location.Path, "./") ||
			!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) {
			t.Errorf("%+v", i)
		}
		seen[i.Fingerprint] = true
	}
	if data := must[[]byte](t)(empty().GitLab()); string(data) != "[]\n" {
		t.Errorf("%s", data)
	}
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	data := must[[]byte](t)(example().JUnit())
	exporttest.Golden(t, "run.junit.xml", string(data))
	holdToJUnit(t, data)
	holdToJUnit(t, must[[]byte](t)(empty().JUnit()))
}

// holdToJUnit checks a report against the schema junit-10.xsd of Jenkins.
func holdToJUnit(t *testing.T, data []byte) {
	t.Helper()
	attributes := map[string][]string{
		"testsuites": {"name", "time", "tests", "failures", "errors", "disabled"},
		"testsuite":  {"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"},
		"testcase":   {"name", "assertions", "time", "classname", "status"},
		"failure":    {"type", "message"}, "error": {"type", "message"}, "skipped": {"type", "message"}, "system-out": {},
	}
	inside := map[string]string{"testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase", "error": "testcase", "skipped": "testcase", "system-out": "testcase"}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = true
	var open []string
	for {
		token, err := decoder.Token()
		if token == nil {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if want := inside[name]; len(open) == 0 && name != "testsuites" || len(open) > 0 && open[len(open)-1] != want {
				t.Errorf("<%s> in %v", name, open)
			}
			for _, a := range e.Attr {
				if !slices.Contains(attributes[name], a.Name.Local) {
					t.Errorf("<%s %s>", name, a.Name.Local)
				}
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	if len(open) != 0 || !utf8.Valid(data) || bytes.ContainsAny(data, "\x1b\x07\x00") {
		t.Errorf("not well-formed:\n%s", data)
	}
}

func TestMarkdownOfAPassWithWarnings(t *testing.T) {
	t.Parallel()
	withdrawn := violation(1, ledger.High, ledger.StatusWithdrawn)
	withdrawn.Result, withdrawn.Evidence = "x is @constant", "it is"
	report := func(id, issue string, p ledger.Priority, why ledger.Disposition) ledger.Report {
		return ledger.Report{ID: id, Job: job, Iteration: 1, Disposition: why, Priority: p, Place: ledger.Place{File: "src/b.go", Start: 3, End: 3}, Issue: issue}
	}
	run := interop.Run{RunFindings: &ledger.RunFindings{Violations: []ledger.ListedViolation{withdrawn}, State: &ledger.State{
		Run: ledger.Run{ID: "R", Status: ledger.StatusPassedWithWarnings}, Iterations: []ledger.Iteration{{Number: 1}},
		Filtered: []ledger.Report{report("aaaa", "It leaks", ledger.Critical, ledger.OutOfDiff), report("bbbb", "Long", ledger.Low, ledger.OutOfDiff), report("cccc", "Odd", ledger.High, ledger.BelowThreshold)},
	}}}
	const want = "\nWithdrawn:\n\n- `src/app.go:1` `short001` `src/quality`: Issue 1\n  Disputed: x is @&#8203;constant\n  Answer: it is\n" +
		"\nNot counted:\n\n- **critical** `src/b.go:3` `aaaa`: It leaks (outside the changed lines)\n"
	if got := string(run.Markdown(interop.MaxMarkdown)); !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	run := example()
	exporttest.Golden(t, "run.md", string(run.Markdown(interop.MaxMarkdown)))
	block := example()
	for n := range block.Violations {
		if v := &block.Violations[n]; v.Status.Open() {
			v.Block = "first111"
		}
	}
	if out := string(block.Markdown(interop.MaxMarkdown)); !strings.Contains(out, "\n  - perhaps the same: `") {
		t.Errorf("a block is\n%s", out)
	}
	if out := string(block.GitHubCommands()); strings.Count(out, "Perhaps the same: ") != 2 || strings.Count(out, "::error ")+strings.Count(out, "::notice ") != 1 {
		t.Errorf("as annotations, a block is\n%s", out)
	}
	if comment := string(run.Comment(interop.MaxMarkdown)); comment != interop.CommentMarker+"\n"+string(run.Markdown(interop.MaxMarkdown)) {
		t.Errorf("the comment begins with %.100q", comment)
	}
	folded := example()
	for n := range 6 {
		folded.Violations = append(folded.Violations, violation(n+10, ledger.Low, ledger.StatusNew))
		folded.Violations[len(folded.Violations)-1].Place.File = "docs/a&b.md"
	}
	if out := string(folded.Markdown(interop.MaxMarkdown)); !strings.Contains(out, "\n<details><summary><code>docs/a&amp;b.md</code>: 6</summary>\n\n- **low** ") || !strings.Contains(out, "\n\n</details>\n") {
		t.Errorf("a file with many is\n%s", out)
	}
	for n := range 3000 {
		v := violation(n+10, ledger.Low, ledger.StatusNew)
		v.Issue = strings.Repeat("é<@", 100)
		run.Violations = append(run.Violations, v)
	}
	out := string(run.Markdown(interop.MaxMarkdown))
	if n := utf8.RuneCountInString(out); n > interop.MaxMarkdown || n < interop.MaxMarkdown*9/10 {
		t.Errorf("%d characters", n)
	}
	if strings.Count(out, "<details>") != strings.Count(out, "</details>") {
		t.Error("a section that was cut is not closed")
	}
	if !regexp.MustCompile(`\n[0-9]+ more are not shown here\.\n$`).MatchString(out) {
		t.Errorf("it ends with %q", out[len(out)-100:])
	}
	run.Remote = ""
	if strings.Contains(string(run.Markdown(interop.MaxMarkdown)), "](http") {
		t.Error("a link without a remote")
	}
}

// Every format copes with what a run may lack or have too much of.
func TestRunsThatTellLess(t *testing.T) {
	t.Parallel()
	run := example()
	run.Remote, run.Checks, run.LineHashes = "gitlab.example/owner/name", nil, nil
	gates := run.State.Gates
	gates[len(gates)-1].Slots = nil // a review in error before any reviewer was asked
	long := strings.Repeat("é", 2001)
	for i := range run.Violations {
		v := &run.Violations[i]
		v.Fingerprint = ""
		switch v.Status {
		case ledger.StatusSkipped:
			v.ShortID, v.Issue = "skipped1", long
		case ledger.StatusDuplicate:
			v.DuplicateOf = "skipped1"
		}
	}
	sarif, junit := must[[]byte](t)(run.SARIF("")), must[[]byte](t)(run.JUnit())
	holdToSchema(t, sarif)
	holdToJUnit(t, junit)
	for name, test := range map[string]struct{ out, want string }{
		"a check without a place":   {string(sarif), `"uri": ".gauntlet/checks/lint.yml"`},
		"a line that is not known":  {string(sarif), `"primaryLocationLineHash": "`},
		"a review without slots":    {string(sarif), `"text": "review:src:quality: error"`},
		"the same as a JUnit error": {string(junit), `<error message="no result" type="error">`},
		"a duplicate of a skip":     {string(junit), "\nDuplicate: src/app.go:7: Issue 1, in other words (short007, codex of src/security)"},
		"a link of GitLab":          {string(run.Markdown(interop.MaxMarkdown)), "](https://gitlab.example/owner/name/-/blob/abc123/src/app.go#L1-L3)"},
		"a long text":               {string(run.Markdown(interop.MaxMarkdown)), ": " + strings.Repeat("é", 1999) + "…\n"},
	} {
		if !strings.Contains(test.out, test.want) && !strings.Contains(test.out, strings.ReplaceAll(test.want, "\n", "&#xA;")) {
			t.Errorf("%s: no %q in\n%.3000s", name, test.want, test.out)
		}
	}
}

func BenchmarkSARIF(b *testing.B) {
	run := example()
	for n := range 5000 {
		run.Violations = append(run.Violations, violation(n%90+10, ledger.Low, ledger.StatusNew))
	}
	for b.Loop() {
		if _, err := run.SARIF(""); err != nil {
			b.Fatal(err)
		}
	}
}
