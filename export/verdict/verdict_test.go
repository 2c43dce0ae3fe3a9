package verdict_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	verdictfile "github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"
	"github.com/reviewledger/reviewledger/ledger/verdict"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/ledger"
)

func someVerdict() verdict.Verdict {
	return verdict.Verdict{
		CodeReview: verdict.CodeReview{
			ReviewID: "a3f8c12b", Scope: ledger.ScopeChangeset, Target: "origin/master..HEAD",
			ReviewDocument: "docs/code-reviews/2026-02-16-changeset-a3f8c12b.md",
		},
		Computed: verdict.Computed{At: time.Date(2026, 2, 16, 14, 30, 0, 0, time.UTC), Mode: verdict.Full, Word: ledger.VerdictAbort},
		Findings: []verdict.Finding{
			{ID: "data-24375c5e-0", Domain: "data", Priority: ledger.Critical, SystemBreaking: true, Confidence: 1, Place: ledger.Place{File: "x/`y`.go"},
				Title: "# <b>Deletes</b> [all](http://x) | rows", Recommendation: "Stop.\n# Not a heading\n\n\x1b[31mred", Status: ledger.StatusReopened},
			{ID: "api-a1b2c3d4-45-50", Domain: "api", Priority: ledger.High, Confidence: 0.9, Place: ledger.Place{File: "src/api/routes.ts", Start: 45, End: 50},
				Title: "Missing error handling", Recommendation: "Wrap the handler", Status: ledger.StatusSkipped},
		},
		Filtered: []ledger.Report{
			{Gate: "api", Place: ledger.Place{File: "src/*.ts", Start: 3, End: 5}, Priority: ledger.High, Disposition: ledger.OutOfDiff,
				Issue: "<b>leaks</b>\n# two"},
			{Gate: "api", Place: ledger.Place{File: "b.ts"}, Priority: ledger.Low, Disposition: ledger.OutOfDiff, Issue: "odd"},
		},
	}
}

func TestMarshalVerdict(t *testing.T) {
	t.Parallel()
	data, err := verdictfile.MarshalVerdict(someVerdict().Document())
	if err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "verdict.json", string(data))
	back, err := verdictfile.UnmarshalVerdict(data)
	if diff := cmp.Diff(someVerdict().Document(), back); err != nil || diff != "" {
		t.Errorf("read back: %v (-wrote +read):\n%s", err, diff)
	}
	empty, err := verdictfile.MarshalVerdict(verdict.Verdict{}.Document())
	if err != nil || !strings.Contains(string(empty), `"findings": []`) {
		t.Errorf("without findings: %v\n%s", err, empty)
	}
}

func TestMarkdownDocument(t *testing.T) {
	t.Parallel()
	exporttest.Golden(t, "review-document.md", string(verdictfile.MarkdownDocument(someVerdict())))
	dir := t.TempDir()
	if err := verdictfile.NewDir(dir, ".").Write(someVerdict()); err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "abort-reason.md", exporttest.Folder(t, dir)["abort-reason.md"])
	passed := someVerdict()
	passed.Word = ledger.VerdictPass
	if err := verdictfile.NewDir(dir, ".").Write(passed); err != nil {
		t.Fatal(err)
	}
	if files := exporttest.Folder(t, dir); len(files) != 1 {
		t.Errorf("after a verdict other than ABORT: %v", files)
	}
}

// A document without findings says whether something was left out.
func TestMarkdownWithoutFindings(t *testing.T) {
	t.Parallel()
	v := someVerdict()
	found, left := v.Findings, v.Filtered
	for _, test := range []struct {
		findings      []verdict.Finding
		filtered      []ledger.Report
		nothing, less bool
	}{{nil, nil, true, false}, {nil, left, false, true}, {found, nil, false, false}, {found, left, false, true}} {
		v.Findings, v.Filtered = test.findings, test.filtered
		document := string(verdictfile.MarkdownDocument(v))
		if nothing, less := strings.Contains(document, "Nothing was found"), strings.Contains(document, "Left out"); nothing != test.nothing || less != test.less {
			t.Errorf("%d findings, %d left out: nothing found %t, left out %t", len(test.findings), len(test.filtered), nothing, less)
		}
	}
}

// A recommendation is shown as text, whatever it begins with, and an ABORT names the Blockers that
// count.
func TestMarkdownOfARecommendation(t *testing.T) {
	t.Parallel()
	v := someVerdict()
	v.Findings = v.Findings[:1]
	v.Findings[0].Recommendation = "Title\n===\n---\n- item\n+ item\nlast"
	document := string(verdictfile.MarkdownDocument(v))
	for _, want := range []string{"\n> Title\n", "\n> \\===\n", "\n> \\-", "\n> \\+ item\n", "\n> last\n"} {
		if !strings.Contains(document, want) {
			t.Errorf("there is no %q in\n%s", want, document)
		}
	}
	if strings.Contains(document, "\n> -") || strings.Contains(document, "\n> =") || strings.Contains(document, "\n> +") {
		t.Errorf("a list or a heading:\n%s", document)
	}
	settled := v.Findings[0]
	settled.ID, settled.Title, settled.Status, settled.Actor = "settled", "A person settled it", ledger.StatusSkipped, ledger.ActorHuman
	v.Findings = append(v.Findings, settled)
	dir := t.TempDir()
	if err := verdictfile.NewDir(dir, ".").Write(v); err != nil {
		t.Fatal(err)
	}
	if reason := exporttest.Folder(t, dir)["abort-reason.md"]; strings.Contains(reason, settled.Title) || !strings.Contains(reason, "data-24375c5e-0") {
		t.Errorf("why it is an ABORT:\n%s", reason)
	}
}

// A value that is not a count differs from every count.
func TestUnmarshalSummary(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"0": 0, "7": 7, "1e2": 100, "1.5": -1, "-1": -1, "1e300": -1, `"3"`: -1, "null": -1, "true": -1, "[1]": -1, "": -1} {
		summary := `"blocker": 0`
		if text != "" {
			summary += `, "high": ` + text
		}
		v, err := verdictfile.UnmarshalVerdict([]byte(`{"findings": [], "summary": {` + summary + `}}`))
		if err != nil || v.Summary.High != want || v.Summary.Blocker != 0 {
			t.Errorf("%s: %+v, %v", text, v.Summary, err)
		}
	}
}

func TestUnmarshalVerdictNamesFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{`:                    "line 1, column 2",
		`[]`:                   "the file is an array",
		`{}`:                   `"findings" is missing`,
		`{"findings": {}}`:     `"findings" is an object`,
		`{"findings": [1]}`:    "findings[0] is a number",
		`{"findings": [null]}`: "findings[0] is null",
		`{"findings": [{"status": "open", "status": "fixed"}]}`: "findings[0]: \"status\" appears twice",
	} {
		if _, err := verdictfile.UnmarshalVerdict([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Rule: A code review is apart from the loop.
// Findings that are handed in are accepted as a whole or rejected, and each problem is named once:
// a value of the wrong type is not also missing.
func TestUnmarshalFindings(t *testing.T) {
	t.Parallel()
	const fine = `"domain": "a", "severity": "High", "confidence": 0.6, "file": "x", "title": "T", "recommendation": "R"`
	const refused = "the findings do not follow the schema, so none were accepted:"
	for name, test := range map[string]struct {
		data string
		want int
		says []string
	}{
		"none":                   {`[]`, 0, nil},
		"an array":               {`[{` + fine + `}, {` + fine + `, "systemBreaking": true}]`, 2, nil},
		"a verdict":              {`{"verdict": "PASS", "findings": [{` + fine + `}]}`, 1, nil},
		"neither":                {`"none"`, 0, []string{"the findings are a text, not an array"}},
		"a verdict without":      {`{"verdict": "PASS"}`, 0, []string{"\"findings\" is missing: restore the array ([] if there are none)"}},
		"two arrays":             {`{"findings": [], "findings": []}`, 0, []string{`"findings" appears twice: keep one array`}},
		"a text is a number":     {`[{` + fine + `}, {"domain": "a", "severity": "High", "confidence": 0.6, "file": "x", "title": 7, "recommendation": "R"}]`, 0, []string{refused, "findings[1].title: must be a string, not a number"}},
		"a number is a text":     {`[{"domain": "a", "severity": "High", "confidence": "0.6", "file": "x", "title": "T", "recommendation": "R"}]`, 0, []string{refused, "findings[0].confidence: must be a number from 0.50 to 1.00, not a text"}},
		"no confidence":          {`[{"domain": "a", "severity": "High", "file": "x", "title": "T", "recommendation": "R"}]`, 0, []string{refused, "findings[0].confidence: is missing"}},
		"a truth value is one":   {`[{` + fine + `, "systemBreaking": 1}]`, 0, []string{refused, "findings[0].systemBreaking: must be true or false, not a number"}},
		"of another kind":        {`[{` + fine + `, "priority": "high"}]`, 0, []string{refused, "findings[0].priority: is not a field of a finding"}},
		"twice":                  {`[{` + fine + `, "title": "U"}]`, 0, []string{refused, "findings[0].title: appears twice"}},
		"no object":              {`[{` + fine + `}, 3]`, 0, []string{refused, "findings[1] is a number, not an object"}},
		"two problems, in order": {`[{"domain": "a", "severity": "Low", "confidence": 1, "file": "x", "title": "", "recommendation": ""}]`, 0, []string{refused, "findings[0].title: is missing", "findings[0].recommendation: is missing"}},
		"more than can be named": {"[" + strings.Repeat("3,", 21) + "3]", 0, append(append([]string{refused}, numbered(20)...), "and perhaps more")},
	} {
		findings, err := verdictfile.UnmarshalFindings([]byte(test.data))
		if (err != nil) != (test.says != nil) || len(findings) != test.want {
			t.Errorf("%s: %d findings, %v", name, len(findings), err)
			continue
		}
		if err != nil {
			if d := cmp.Diff(test.says, strings.Split(err.Error(), "\n")); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
		}
	}
}

func numbered(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("findings[%d] is a number, not an object", i))
	}
	return lines
}

func TestArchiveVerdict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 { // the second call repairs what a crash left
		if err := verdictfile.NewDir(dir, ".").Archive(verdict.Archived{Document: verdict.Document{ReviewID: "a3f8c12b"}, Data: []byte("one")}); err != nil {
			t.Fatal(err)
		}
	}
	err := verdictfile.NewDir(dir, ".").Archive(verdict.Archived{Document: verdict.Document{ReviewID: "a3f8c12b"}, Data: []byte("two")})
	if err == nil || !strings.Contains(err.Error(), "review-a3f8c12b.json") {
		t.Errorf("other bytes: %v", err)
	}
	changed := []verdict.Archived{{Document: verdict.Document{ReviewID: "a3f8c12b"}, Data: []byte("two")}}
	if err := verdictfile.NewDir(dir, ".").CheckPlaces("", changed); err == nil || !strings.Contains(err.Error(), "review-a3f8c12b.json") {
		t.Errorf("other bytes, before a review: %v", err)
	}
	// What was lost stays out of the way.
	changed[0].Lost = true
	err = errors.Join(verdictfile.NewDir(dir, ".").CheckPlaces("", changed), verdictfile.NewDir(dir, ".").Archive(changed[0]))
	if kept := exporttest.Folder(t, dir)["review-a3f8c12b.json"]; err != nil || kept != "one" {
		t.Errorf("of a lost verdict with other bytes: %q, %v", kept, err)
	}
	if err := verdictfile.NewDir(dir, ".").Archive(verdict.Archived{Document: verdict.Document{ReviewID: "../a3f8c"}, Data: nil}); err == nil {
		t.Error("an ID that leaves the folder was accepted")
	}
	info, err := os.Stat(filepath.Join(dir, "review-a3f8c12b.json"))
	if err != nil || info.Mode().Perm() != 0o444 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// The archives come first: if one cannot be written, the verdict stays as it was.
//
// Rule: A code review is apart from the loop.
func TestPublish(t *testing.T) {
	t.Parallel()
	root, v := t.TempDir(), someVerdict()
	d := verdictfile.NewDir(root, "reviews")
	if err := os.Mkdir(filepath.Join(root, "reviews"), 0o755); err != nil {
		t.Fatal(err)
	}
	lost, replaced := verdict.Archived{Document: v.Document(), Lost: true}, verdict.Archived{Document: verdict.Document{ReviewID: "0000000b"}, Data: []byte("bytes")}
	lost.ReviewID = "0000000a"
	document, err := d.Publish(v, []verdict.Archived{lost, replaced}, 0)
	if err != nil || document != v.ReviewDocument {
		t.Fatalf("%q, %v", document, err)
	}
	files := exporttest.Folder(t, filepath.Join(root, "reviews"))
	if files["review-0000000a.json"] != strings.Replace(files["review-latest.json"], v.ReviewID, "0000000a", 1) || files["review-0000000b.json"] != "bytes" {
		t.Errorf("%q", files)
	}
	v.Word, v.ReviewDocument = ledger.VerdictPass, ""
	replaced.Data = []byte("other")
	if _, err := d.Publish(v, []verdict.Archived{replaced}, 0); err == nil {
		t.Error("an archive was changed")
	}
	if now := exporttest.Folder(t, filepath.Join(root, "reviews")); now["review-latest.json"] != files["review-latest.json"] {
		t.Error("the verdict was written without the archive of the one before")
	}
	if document, err := d.Publish(v, nil, 1); err != nil || document != "" {
		t.Errorf("without a document: %q, %v", document, err)
	}
}

// A review document is written only where it should be.
func TestWriteReviewDocumentStaysInside(t *testing.T) {
	t.Parallel()
	root, outside := t.TempDir(), t.TempDir()
	for _, path := range []string{"", "README.md", "docs/code-reviews/../../x.md", "/etc/2026-02-16-changeset-a3f8c12b.md", "docs/code-reviews/2026-02-16-changeset-00000000.md"} {
		v := someVerdict()
		v.ReviewDocument = path
		if _, err := verdictfile.NewDir(root, ".").WriteReviewDocument(v, 0); err == nil {
			t.Errorf("a review document is written to %q", path)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "docs")); err != nil {
		t.Fatal(err)
	}
	if _, err := verdictfile.NewDir(root, ".").WriteReviewDocument(someVerdict(), 0); err == nil {
		t.Error("a review document is written through a link that leaves the worktree")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

// An existing document stays as it is: that of a verification gets the next number, and for a
// review it is an error.
//
// Rule: A code review is apart from the loop.
func TestWriteReviewDocumentNeverChanges(t *testing.T) {
	t.Parallel()
	root, v := t.TempDir(), someVerdict()
	write := func(n int, want string) {
		t.Helper()
		got, err := verdictfile.NewDir(root, ".").WriteReviewDocument(v, n)
		if err != nil || got != want {
			t.Fatalf("written to %q, %v; want %q", got, err, want)
		}
	}
	name := v.ReviewDocument
	base := strings.TrimSuffix(name, ".md")
	write(0, name)
	write(0, name) // the same content
	first, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	v.Mode = verdict.Verify
	write(1, base+"-verify-1.md")
	write(2, base+"-verify-2.md")
	write(1, base+"-verify-3.md")
	v.Word = ledger.VerdictPass
	v.Target = "other"
	if _, err := verdictfile.NewDir(root, ".").WriteReviewDocument(v, 0); err == nil || !strings.Contains(err.Error(), "a review document never changes") {
		t.Errorf("other bytes: %v", err)
	}
	if now, err := os.ReadFile(filepath.Join(root, name)); err != nil || !bytes.Equal(now, first) {
		t.Errorf("the review document was changed, or is gone: %v", err)
	}
}

// Accepted findings are valid, and reading them again gives the same result.
func FuzzUnmarshalFindings(f *testing.F) {
	f.Add([]byte(`[{"domain":"a","severity":"High","confidence":0.6,"file":"x","title":"T","recommendation":"R","lineRange":"1-2","systemBreaking":true}]`))
	f.Add([]byte(`{"findings":[{"id":"a-2d711642-0","domain":"a","severity":"High","confidence":1,"file":"x","title":"T","recommendation":"R","status":"fixed"}]}`))
	f.Add([]byte(`[{"domain":1,"file":"../x","confidence":"0.6"}, 3, null]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		findings, err := verdictfile.UnmarshalFindings(data)
		if err != nil {
			return
		}
		for n, finding := range findings {
			if problems := verdict.CheckFinding(n, finding); len(problems) > 0 {
				t.Errorf("accepted with %v", problems)
			}
		}
	})
}

// checkTexts checks that the texts are those that encoding/json finds.
func checkTexts(t *testing.T, data []byte, read verdict.Document) {
	t.Helper()
	var whole map[string]any
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		t.Fatalf("accepted, but it is not valid JSON: %v", err)
	}
	check := func(object any, key, got string) {
		if want, ok := object.(map[string]any)[key].(string); ok && got != want {
			t.Errorf("%s is read as %q, and is %q", key, got, want)
		}
	}
	check(whole, "reviewId", read.ReviewID)
	check(whole, "target", read.Target)
	findings, _ := whole["findings"].([]any)
	if len(findings) != len(read.Findings) {
		t.Fatalf("%d findings were read, and there are %d", len(read.Findings), len(findings))
	}
	for i, f := range read.Findings {
		check(findings[i], "id", f.ID)
		check(findings[i], "title", f.Title)
		check(findings[i], "recommendation", f.Recommendation)
	}
}

func FuzzUnmarshalVerdict(f *testing.F) {
	data, err := verdictfile.MarshalVerdict(someVerdict().Document())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"findings":[{"confidence":"x","status":null}],"summary":3}`))
	f.Add([]byte(" \n{ \"\\u0074arget\" :\t\"a\\\"}]{[\\\\\", \"x\":[[],{\"a\":[1e3 ,\"]\"]} ,-1.5, true],\"findings\":[\r{\"id\":\"\\ud83d\\ude00\\u2028\", \"title\":\"a\",\"title\":\"ä\xff\" } , {}\n]\n}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := verdictfile.UnmarshalVerdict(data)
		if err != nil {
			return
		}
		checkTexts(t, data, read)
		for _, finding := range read.Findings {
			if finding.Confidence != finding.Confidence {
				return // not a number, so it cannot be written
			}
		}
		written, err := verdictfile.MarshalVerdict(read)
		if err != nil {
			t.Fatal(err)
		}
		again, err := verdictfile.UnmarshalVerdict(written)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(read, again, cmpopts.EquateEmpty()) {
			t.Errorf("read %v, written and read again %v", read, again)
		}
	})
}

// A review whose files could not be written does not start.
func TestCheckPlaces(t *testing.T) {
	t.Parallel()
	const document = "docs/code-reviews/2026-02-16-changeset-a3f8c12b.md"
	for name, test := range map[string]struct {
		files, folders []string
		links          map[string]string
		document       string
		names          string // what is in the way
	}{
		"nothing is there":            {document: document},
		"nor is a document wanted":    {},
		"files of the last review":    {files: []string{"reviews/review-latest.json", "reviews/review-abort-reason", document}, document: document},
		"a folder for documents":      {folders: []string{"docs/code-reviews"}, document: document},
		"only the folder above":       {folders: []string{"docs"}, document: document},
		"a folder of the name":        {folders: []string{document}, document: document, names: document},
		"it, but none is wanted":      {folders: []string{document}},
		"a file in place of a folder": {files: []string{"docs/code-reviews"}, document: document, names: `"docs/code-reviews"`},
		"a file in place of docs":     {files: []string{"docs"}, document: document, names: `"docs"`},
		"that, but none is wanted":    {files: []string{"docs"}},
		"a link":                      {folders: []string{"documents"}, links: map[string]string{"docs": "documents"}, document: document},
		"a broken link":               {links: map[string]string{"docs": "nowhere"}, document: document, names: `"docs"`},
		"a link that leads out":       {links: map[string]string{"docs": ".."}, document: document, names: `"docs"`},
		"a folder for the verdict":    {folders: []string{"reviews/review-latest.json"}, names: "reviews/review-latest.json"},
		"a folder for the reason":     {folders: []string{"reviews/" + verdictfile.AbortReasonName}, names: verdictfile.AbortReasonName},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			make := func(name string) string {
				path := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				return path
			}
			for _, file := range test.files {
				if err := os.WriteFile(make(file), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, folder := range test.folders {
				make(folder + "/in")
			}
			for link, to := range test.links {
				if err := os.Symlink(to, make(link)); err != nil {
					t.Fatal(err)
				}
			}
			err := verdictfile.NewDir(root, "reviews").CheckPlaces(test.document, nil)
			if (err != nil) != (test.names != "") || err != nil && !strings.Contains(err.Error(), test.names) {
				t.Errorf("%v, want something about %q", err, test.names)
			}
		})
	}
}
