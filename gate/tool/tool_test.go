package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/process"
	"github.com/reviewledger/reviewledger/ledger"
)

// Files that do not fit into one command line are given in several, and the reports are one answer.
func TestToolParts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxCommand/2)
	lint := newTool(clients.Options{Command: []string{"lint", "{files}"}})
	for _, test := range []struct {
		files []string
		want  []int
	}{
		{nil, []int{0}}, {[]string{"a", "b"}, []int{2}}, {[]string{"a", long, long, "b", long}, []int{2, 2, 1}}, {[]string{long + long, "a"}, []int{1, 1}},
	} {
		var got []int
		for _, part := range lint.parts(test.files) {
			got = append(got, len(part))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
	if parts := newTool(clients.Options{Command: []string{"lint"}}).parts([]string{long, long, long}); len(parts) != 1 {
		t.Errorf("%d parts for a tool that finds its files itself", len(parts))
	}
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	var changed []diff.File
	for n := range 3 {
		name := strings.Repeat(fmt.Sprint(n), 200) + ".go"
		for range maxCommand / 3 / 200 {
			name = name[:200] + fmt.Sprint(len(changed)) + ".go"
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			changed = append(changed, diff.File{New: name, Kind: diff.Modified})
		}
	}
	report := `{"version": "2.1.0", "runs": [{"results": [{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "%s"}}}]}]}]}`
	lint = newTool(clients.Options{Command: []string{"sh", "-c", `printf '` + report + `' "$1" >"$0"`, "{output}", "{files}"}, Output: clients.OutputSARIF})
	reply, err := lint.Review(t.Context(), clients.Call{Dir: dir, Subject: &clients.Subject{Files: changed}})
	if n := strings.Count(reply.Text, `"issue"`); err != nil || n != 2 || len(reply.Log) != 2 {
		t.Errorf("%d results, log %q, %v", n, reply.Log, err)
	}
}

// A file of the repository is never taken for an option, and only files are passed.
func TestToolArguments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.go", "-rf", "@list", "folder/b.go", "more.go"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := &clients.Subject{
		Files:  []diff.File{{New: "a.go"}, {New: "-rf"}, {New: "folder"}, {New: "gone.go"}},
		Claims: []ledger.Violation{{Place: ledger.Place{File: "@list"}}, {Place: ledger.Place{File: "a.go"}, Also: []ledger.Place{{File: "more.go"}}}}, Known: []ledger.Violation{{Place: ledger.Place{File: "folder/b.go"}}, {Place: ledger.Place{File: "../outside"}}},
	}
	run := toolRun{tool: newTool(clients.Options{Command: []string{"lint", "--to", "x={output}", "{files}"}, Output: clients.OutputSARIF}), scratch: "/s", files: existing(dir, touchedFiles(in))}
	want := []string{"lint", "--to", "x=/s/output.sarif", "./-rf", "./@list", "a.go", "folder/b.go", "more.go"}
	if d := cmp.Diff(want, run.args()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A tool that needs files, and has none to look at, is not run, which is not a problem.
// Rule: A tool that could not look has not passed.
func TestToolWithoutAFile(t *testing.T) {
	t.Parallel()
	none := newTool(clients.Options{Command: []string{"/nosuch/lint", "{files}"}, Output: clients.OutputSARIF})
	reply, err := none.Review(t.Context(), clients.Call{Dir: t.TempDir(), Subject: &clients.Subject{Files: []diff.File{{Old: "gone.go", Kind: diff.Deleted}}}})
	if err != nil || !slices.Equal(reply.Notes, []string{"Not run: the change leaves no file to look at"}) {
		t.Errorf("%+v, %v", reply, err)
	}
	if want := "{\n  \"status\": \"pass\",\n  \"violations\": []\n}\n"; reply.Text != want {
		t.Errorf("the answer is %q, want %q", reply.Text, want)
	}
	// It confirms what it reported in a file that no longer exists, and nothing else.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "folder"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	claims := []ledger.Violation{
		{ShortID: "dddddddd", Place: ledger.Place{File: "folder/gone.go", Start: 3}},
		{ShortID: "aaaaaaaa", Place: ledger.Place{File: "gone.go", Start: 3}},
		{ShortID: "bbbbbbbb", Place: ledger.Place{File: clients.WholeChange}},
		{ShortID: "cccccccc", Place: ledger.Place{File: "gone.go"}, Also: []ledger.Place{{File: clients.WholeChange}}},
	}
	reply, err = none.Review(t.Context(), clients.Call{Dir: dir, Subject: &clients.Subject{Claims: claims}})
	var left []ledger.ClaimWord
	for _, id := range []string{"bbbbbbbb", "cccccccc"} {
		left = append(left, ledger.ClaimWord{ID: id, Verdict: ledger.ClaimCannotTell, Evidence: "the tool was not run: the change leaves no file to look at"})
	}
	if err != nil || reply.Text != clients.Found(nil, left) {
		t.Errorf("%+v, %v", reply, err)
	}
	// It cannot look at what the change has and the working tree lacks.
	for _, name := range []string{"sparse.go", "folder/sparse.go"} {
		_, err = none.Review(t.Context(), clients.Call{Dir: dir, Subject: &clients.Subject{Files: []diff.File{{New: name, Kind: diff.Modified}}}})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("cannot look at %q, which is not in the working tree", name)) {
			t.Errorf("a changed file that is not in the working tree: %v", err)
		}
	}
	all := newTool(clients.Options{Command: []string{"/nosuch/lint"}, Output: clients.OutputSARIF})
	for _, in := range []*clients.Subject{nil, {}} {
		if _, err := all.Review(t.Context(), clients.Call{Dir: t.TempDir(), Subject: in}); err == nil {
			t.Error("a tool that finds its files itself was not started")
		}
	}
}

// The results of a tool's report, its words on claims, and what is told besides them.
//
// Rule: A tool that could not look has not passed.
func TestToolReviews(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir, reports := t.TempDir(), t.TempDir()
	for _, name := range []string{"a.go", "b.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(file string, line int) string {
		return fmt.Sprintf(`{"physicalLocation": {"artifactLocation": {"uri": %q}, "region": {"startLine": %d}}}`, file, line)
	}
	result := func(more string, locations ...string) string {
		return `{"message": {"text": "m"}, "locations": [` + strings.Join(locations, ", ") + `]` + more + `}`
	}
	sarif := func(results ...string) string {
		return `{"version": "2.1.0", "runs": [{"results": [` + strings.Join(results, ", ") + `]}]}`
	}
	entry := func(file string, line int, issue string) ledger.Entry {
		return ledger.Entry{Place: ledger.Place{File: file, Start: line, End: line}, Issue: issue, Priority: ledger.Medium}
	}
	word := func(evidence string) []ledger.ClaimWord {
		return []ledger.ClaimWord{{ID: "c", Verdict: ledger.ClaimNotFixed, Evidence: evidence}}
	}
	changed := []diff.File{{New: "a.go", Kind: diff.Modified, Text: []byte("@@ -3 +3 @@\n-x\n+y\n")}}
	claim := []ledger.Violation{{ShortID: "c", Place: ledger.Place{File: "a.go", Start: 3, End: 3}}}
	for name, test := range map[string]struct {
		report string
		exit   string
		claims []ledger.Violation
		found  []ledger.Entry
		words  []ledger.ClaimWord
		notes  []string
		beside [2]int // elsewhere, suppressed
		unseen string
		err    string
	}{
		"nothing":                    {report: sarif()},
		"a result":                   {report: sarif(result("", at("a.go", 3))), exit: "1", found: []ledger.Entry{entry("a.go", 3, "m")}},
		"twice the same":             {report: sarif(result("", at("a.go", 3)), result("", at("a.go", 3))), found: []ledger.Entry{entry("a.go", 3, "m")}},
		"no place":                   {report: sarif(result("")), found: []ledger.Entry{entry(clients.WholeChange, 0, "m")}},
		"outside of the repository":  {report: sarif(result("", at("../x", 3))), found: []ledger.Entry{entry("", 0, `m (in "../x", outside of the repository)`)}},
		"in an unchanged file":       {report: sarif(result("", at("b.go", 3))), notes: []string{"1 in files that the change does not touch"}, beside: [2]int{1, 0}},
		"a changed line second":      {report: sarif(result("", at("a.go", 9), at("a.go", 3))), found: []ledger.Entry{entry("a.go", 3, "m")}},
		"passed and gone":            {report: sarif(result(`, "kind": "pass"`, at("a.go", 3)), result(`, "baselineState": "absent"`, at("a.go", 3))), notes: []string{"1 not called a failure by the tool", "1 no longer found by the tool"}},
		"suppressed":                 {report: sarif(result(`, "suppressions": [{}]`, at("a.go", 3))), beside: [2]int{0, 1}},
		"a claim, not found":         {report: sarif(), claims: claim},
		"a claim, found":             {report: sarif(result("", at("a.go", 3))), claims: claim, found: []ledger.Entry{entry("a.go", 3, "m")}},
		"a claim, suppressed":        {report: sarif(result(`, "suppressions": [{}]`, at("a.go", 3))), claims: claim, words: word("still found, and suppressed: m"), beside: [2]int{0, 1}},
		"a claim, left to a person":  {report: sarif(result(`, "kind": "review"`, at("a.go", 3))), claims: claim, words: word("the tool does not say that it is gone: m"), notes: []string{"1 not called a failure by the tool"}},
		"a claim on unchanged lines": {report: sarif(result("", at("b.go", 9))), claims: []ledger.Violation{{ShortID: "c", Place: ledger.Place{File: "b.go", Start: 3}}}, found: []ledger.Entry{entry("b.go", 9, "m")}},
		"a claim in a file that it did not look at": {report: `{"version": "2.1.0", "runs": [{"results": [], "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": [{"message": {"text": "Timeout on a.go"}}]}]}]}`, claims: claim,
			words: []ledger.ClaimWord{{ID: "c", Verdict: ledger.ClaimCannotTell, Evidence: "the tool says: Timeout on a.go"}}, unseen: "a.go: Timeout on a.go"},
		"no report":                 {report: " ", err: "bad_answer: its report cannot be used: the output is empty"},
		"findings without a result": {report: sarif(), exit: "1", err: "bad_answer: exited with code 1, which says that it found something, and its report has no result: a.go"},
		"findings that are aside":   {report: sarif(result(`, "kind": "pass"`, at("a.go", 3))), exit: "1", notes: []string{"1 not called a failure by the tool"}},
		"another exit code":         {report: sarif(), exit: "3", err: "crashed: exited with code 3, which is not one of its exit_codes [0 1]: a.go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(reports, strings.ReplaceAll(name, " ", "_"))
			if err := os.WriteFile(file, []byte(test.report), 0o600); err != nil {
				t.Fatal(err)
			}
			lint := newTool(clients.Options{Command: []string{"sh", "-c", `cat "$0"; echo begins >&2; shift; echo "$@" >&2; exit ` + test.exit, file, "lint", "{files}"}, Output: clients.OutputSARIF})
			reply, err := lint.Review(t.Context(), clients.Call{Dir: dir, Subject: &clients.Subject{Files: changed, Claims: test.claims}})
			if test.err != "" {
				failed := (*clients.CallError)(nil)
				if !errors.As(err, &failed) || fmt.Sprintf("%s: %v", failed.Kind, failed) != test.err {
					t.Errorf("error %v, want %q", err, test.err)
				}
				if test.exit != "" && string(reply.Stdout) != test.report {
					t.Errorf("kept of its output: %q", reply.Stdout)
				}
				return
			}
			if want := clients.Found(test.found, test.words); err != nil || reply.Text != want {
				t.Errorf("%s, error %v, want %s", reply.Text, err, want)
			}
			if got := [2]int{reply.Elsewhere, reply.Suppressed}; got != test.beside || !slices.Equal(reply.Notes, test.notes) {
				t.Errorf("beside it %v, %q, want %v, %q", got, reply.Notes, test.beside, test.notes)
			}
			if reply.Unseen != test.unseen || (test.unseen != "") != (len(reply.Warnings) > 0) || !slices.Contains(reply.Log, "Exit code: "+map[string]string{"": "0 (ok)", "1": "1 (findings)"}[test.exit]) {
				t.Errorf("unseen %q, warnings %q, log %q", reply.Unseen, reply.Warnings, reply.Log)
			}
			if reply.Usage.CostUSD == nil || *reply.Usage.CostUSD != 0 || reply.Duration <= 0 {
				t.Errorf("usage %+v in %v", reply.Usage, reply.Duration)
			}
		})
	}
}

// Rule: A tool that could not look has not passed.
func TestToolEnds(t *testing.T) {
	t.Parallel()
	run := toolRun{tool: newTool(clients.Options{ExitCodes: clients.ExitCodes{0: clients.ExitOK, 2: clients.ExitFindings, 3: clients.ExitError}}), call: clients.Call{Timeout: time.Minute}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		result process.Result
		want   string
	}{
		"clean":          {process.Result{}, ""},
		"found":          {process.Result{ExitCode: 2}, ""},
		"another code":   {process.Result{ExitCode: 1}, "crashed: exited with code 1, which is not one of its exit_codes [0 2]"},
		"an error":       {process.Result{ExitCode: 3}, "crashed: exited with code 3, which its exit_codes call an error"},
		"a signal":       {process.Result{Signal: "killed"}, "crashed: ended by signal killed"},
		"out of time":    {process.Result{TimedOut: true}, "timeout: timed out after 60s"},
		"interrupted":    {process.Result{Interrupted: true}, "interrupted: interrupted"},
		"too much":       {process.Result{Overflowed: true, Signal: "terminated"}, "bad_answer: printed more than 1024 MiB"},
		"too much, ends": {process.Result{Overflowed: true}, "bad_answer: printed more than 1024 MiB"},
	} {
		got := ""
		if err := run.judge(ctx, test.result); err != nil {
			got = fmt.Sprintf("%s: %v", err.Kind, err)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// The report is read only if the tool wrote it as a file of its own, not if it existed before.
func TestToolReportFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(file string) toolRun {
		return toolRun{tool: newTool(clients.Options{Command: []string{"lint"}, Output: clients.OutputSARIF, File: file}), call: clients.Call{Dir: dir}, scratch: t.TempDir()}
	}
	left := run("left.sarif")
	if err := os.WriteFile(filepath.Join(dir, "left.sarif"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if f, err := left.open(); err != nil {
		t.Errorf("a file: %v", err)
	} else {
		f.Close()
	}
	if err := left.removeFile(); err != nil {
		t.Error(err)
	}
	if _, err := left.open(); err == nil || err.Error() != "the tool did not write it" {
		t.Errorf("what an earlier call left: %v", err)
	}
	if err := left.removeFile(); err != nil {
		t.Errorf("with nothing to remove: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := run("folder").removeFile(); err == nil || !strings.Contains(err.Error(), `"folder", which the tool is to write, is a folder`) {
		t.Errorf("a folder: %v", err)
	}
	pipe(t, filepath.Join(dir, "pipe"))
	large, err := os.Create(filepath.Join(dir, "large"))
	if err != nil {
		t.Fatal(err)
	}
	defer large.Close()
	if err := errors.Join(os.Symlink("left.sarif", filepath.Join(dir, "link")), large.Truncate(maxReport+1)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"folder", "pipe", "link", "large"} {
		if _, err := run(file).open(); err == nil || err.Error() != "it is not a regular file of at most 1024 MiB" {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := run("large/below").open(); err == nil || strings.Contains(err.Error(), "did not write") {
		t.Errorf("below a file: %v", err)
	}
	if err := large.Truncate(maxReport); err != nil {
		t.Fatal(err)
	}
	if f, err := run("large").open(); err != nil {
		t.Errorf("the largest: %v", err)
	} else {
		f.Close()
	}
	given := run("")
	given.options.Command = []string{"lint", "--to={output}"}
	if err := errors.Join(os.WriteFile(given.stdoutFile(), []byte("said"), 0o600), os.WriteFile(given.outputFile(), []byte("report"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if f, err := given.open(); err != nil {
		t.Errorf("the file that it was given: %v", err)
	} else {
		if text, err := io.ReadAll(f); string(text) != "report" || err != nil {
			t.Errorf("the file that it was given has %q, %v", text, err)
		}
		f.Close()
	}
	printed := run("")
	if err := os.WriteFile(printed.stdoutFile(), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := printed.open(); err != nil {
		t.Errorf("what it printed: %v", err)
	} else {
		f.Close()
	}
}

// Rule: A tool that could not look has not passed.
func TestClaimsAtResults(t *testing.T) {
	t.Parallel()
	found := func(file string, start, end int, text string) ledger.Entry {
		return ledger.Entry{Place: ledger.Place{File: file, Start: start, End: end}, Issue: text}
	}
	claim := ledger.Violation{ShortID: "c", Place: ledger.Place{File: "a.go", Start: 10, End: 12}, Issue: "leaks"}
	line := ledger.Violation{ShortID: "c", Place: ledger.Place{File: "a.go", Start: 10}, Issue: "leaks"}
	whole := ledger.Violation{ShortID: "c", Place: ledger.Place{File: "a.go"}, Issue: "leaks"}
	for _, test := range []struct {
		claim  ledger.Violation
		result ledger.Entry
		want   bool
	}{
		{claim, found("a.go", 11, 11, "x"), true},
		{claim, found("a.go", 1, 10, "x"), true},
		{claim, found("a.go", 12, 20, "x"), true},
		{claim, found("a.go", 1, 9, "x"), false},
		{claim, found("a.go", 13, 20, "x"), false},
		{claim, found("a.go", 0, 0, "x"), true},
		{claim, found("b.go", 11, 11, "x"), false},
		{claim, found("b.go", 0, 0, "x"), false},
		{claim, found("a.go", 90, 90, "leaks"), true}, // on a changed line
		{claim, found("a.go", 80, 80, "leaks"), false},
		{claim, found("b.go", 90, 90, "leaks"), false},
		{line, found("a.go", 10, 10, "x"), true},
		{line, found("a.go", 11, 11, "x"), false},
		{ledger.Violation{ShortID: "c", Place: ledger.Place{File: "a.go", Start: 1, End: 1}}, found("a.go", 9, 9, "x"), false},
		{claim, found("a.go", 1, 1, "x"), false},
		{whole, found("a.go", 90, 90, "x"), true}, // on a changed line
		{whole, found("a.go", 80, 80, "x"), false},
		{whole, found("a.go", 80, 80, "leaks: more"), true},
		{whole, found("b.go", 90, 90, "x"), false},
	} {
		aside := []ledger.Entry{found("z.go", 1, 1, "other"), test.result}
		in := &clients.Subject{Files: []diff.File{{New: "a.go", Kind: diff.Modified, Text: []byte("@@ -90 +90 @@\n-x\n+y\n")}}, Claims: []ledger.Violation{test.claim}}
		words := claimsAt(aside, in, "still found: ")
		if len(words) > 0 != test.want || test.want && words[0] != (ledger.ClaimWord{ID: "c", Verdict: ledger.ClaimNotFixed, Evidence: "still found: " + test.result.Issue}) {
			t.Errorf("%+v beside %+v: %+v", test.result, test.claim, words)
		}
	}
}

// A claim that a tool does not report again is fixed, and a tool is never asked again for the form.
func TestToolConfirmsByAbsence(t *testing.T) {
	t.Parallel()
	for _, output := range []clients.Output{clients.OutputSARIF, clients.OutputRDJSON} {
		if r := New(clients.Options{Command: []string{"lint"}, Output: output}); !r.ByAbsence() || r.ReadsPrompts() {
			t.Errorf("%s: %+v", output, r)
		}
	}
}
