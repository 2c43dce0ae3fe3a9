package tool_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/tool"
	"github.com/reviewledger/reviewledger/ledger"
)

// folder makes a working tree with these files. All of them except other.go are touched.
func folder(t testing.TB) tool.Options {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	touched := []string{"app.go", "src/app.go", "src/a b%20.go", "pkg/api/x.go", "sub", "gone.go"}
	for _, name := range append([]string{"other.go", "x.go", "src/x.go", "quiet/in.go", "sub/in.go", "pkg/api/gone.go"}, touched[:4]...) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"lib": "src", "same.go": "app.go", "more": "sub", "twice": "other.go", "out": ".."} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(root, "app.go"), filepath.Join(root, "APP.go")); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	slices.Sort(touched)
	return tool.Options{Root: root, Folder: "pkg/api", Touched: touched}
}

func sarif(run string) string { return `{"version": "2.1.0", "runs": [` + run + `]}` }

func read(t testing.TB, format clients.Output, text string, o tool.Options) (tool.Report, error) {
	t.Helper()
	return tool.Read(format, strings.NewReader(strings.ReplaceAll(text, "ROOT", filepath.ToSlash(o.Root))), o)
}

func TestPaths(t *testing.T) {
	t.Parallel()
	o := folder(t)
	tests := []struct{ name, location, run, want string }{
		{"relative", `{"uri": "src/app.go"}`, ``, "src/app.go"},
		{"with a dot", `{"uri": "./src/../src/app.go"}`, ``, "src/app.go"},
		{"encoded", `{"uri": "src/%61pp.go"}`, ``, "src/app.go"},
		{"not encoded, with a percent sign", `{"uri": "src/a b%20.go"}`, ``, "src/a b%20.go"},
		{"encoded twice where the file is called so", `{"uri": "src/a%20b%2520.go"}`, ``, "src/a b%20.go"},
		{"absolute", `{"uri": "file://ROOT/src/app.go"}`, ``, "src/app.go"},
		{"absolute, on this host", `{"uri": "file://localhostROOT/src/app.go"}`, ``, "src/app.go"},
		{"absolute, without a scheme", `{"uri": "ROOT/src/app.go"}`, ``, "src/app.go"},
		{"by index", `{"index": 1}`, `, "artifacts": [{"location": {"uri": "no"}}, {"location": {"uri": "src/app.go"}}]`, "src/app.go"},
		{"by an index that leads nowhere", `{"index": 1}`, `, "artifacts": [{"location": {"uri": "src/app.go"}}]`, clients.WholeChange},
		{"by a base", `{"uri": "app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "src/"}}`, "src/app.go"},
		{"by a base of a base", `{"uri": "app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "src", "uriBaseId": "B"}, "B": {"uri": "file://ROOT/"}}`, "src/app.go"},
		{"by a base that is not defined", `{"uri": "src/app.go", "uriBaseId": "%SRCROOT%"}`, ``, "src/app.go"},
		{"absolute, with a base", `{"uri": "file://ROOT/src/app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "pkg/"}}`, "src/app.go"},
		{"without a base", `{"uri": "src/app.go"}`, `, "originalUriBaseIds": {"": {"uri": "pkg/"}}`, "src/app.go"},
		{"by a base without a URI", `{"uri": "src/app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"description": {"text": "x"}}}`, "src/app.go"},
		{"from the folder that the tool ran in", `{"uri": "app.go"}`, `, "invocations": [{"executionSuccessful": true, "workingDirectory": {"uri": "file://ROOT/src"}}]`, "src/app.go"},
		{"by a base without a URI, of one that is not defined", `{"uri": "src/app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uriBaseId": "B"}}`, "src/app.go"},
		{"from a folder on the web", `{"uri": "app.go"}`, `, "invocations": [{"executionSuccessful": true, "workingDirectory": {"uri": "https://example.com/src"}}]`, "app.go"},
		{"from a folder by a base on the web", `{"uri": "app.go"}`, `, "originalUriBaseIds": {"A": {"uri": "https://example.com/"}}, "invocations": [{"executionSuccessful": true, "workingDirectory": {"uri": "src", "uriBaseId": "A"}}]`, "app.go"},
		{"from a folder elsewhere on the machine", `{"uri": "app.go"}`, `, "invocations": [{"executionSuccessful": true, "workingDirectory": {"uri": "file:///etc"}}]`, "app.go"},
		{"from the root", `{"uri": "app.go"}`, ``, "app.go"},
		{"from the folder under review", `{"uri": "x.go"}`, ``, "pkg/api/x.go"},
		{"from the folder that the tool ran in, unchanged", `{"uri": "x.go"}`, `, "invocations": [{"executionSuccessful": true, "workingDirectory": {"uri": "src"}}]`, "elsewhere"},
		{"from the folder under review, changed, and from the root, unchanged", `{"uri": "./x.go"}`, ``, "pkg/api/x.go"},
		{"deleted from the root, and in the folder under review, unchanged", `{"uri": "gone.go"}`, ``, "gone.go"},
		{"in a submodule", `{"uri": "sub/in.go"}`, ``, "sub/in.go"},
		{"not there", `{"uri": "gone/app.go"}`, ``, "gone/app.go"},
		{"unchanged", `{"uri": "other.go"}`, ``, "elsewhere"},
		{"a folder with changes", `{"uri": "pkg/"}`, ``, "pkg"},
		{"a linked folder with changes", `{"uri": "lib/"}`, ``, "src"},
		{"a folder without changes", `{"uri": "quiet/"}`, ``, "elsewhere"},
		{"by a link", `{"uri": "same.go"}`, ``, "app.go"},
		{"in a linked folder", `{"uri": "lib/app.go"}`, ``, "src/app.go"},
		{"in a linked folder, absolute", `{"uri": "file://ROOT/lib/app.go"}`, ``, "src/app.go"},
		{"in a linked submodule", `{"uri": "more/in.go"}`, ``, "sub/in.go"},
		{"unchanged, by a link", `{"uri": "twice"}`, ``, "elsewhere"},
		{"in another case", `{"uri": "APP.go"}`, ``, "app.go"},
		{"a link out", `{"uri": "out"}`, ``, "elsewhere"},
		{"above", `{"uri": "../app.go"}`, ``, "outside ../app.go"},
		{"above the folder under review", `{"uri": ".."}`, ``, "pkg"},
		{"above, encoded", `{"uri": "%2e%2e/app.go"}`, ``, "outside %2e%2e/app.go"},
		{"above by a base", `{"uri": "app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "../"}}`, "outside ../app.go"},
		{"elsewhere on the machine", `{"uri": "file:///etc/passwd"}`, ``, "outside file:///etc/passwd"},
		{"elsewhere on the machine, under a name that is here", `{"uri": "/x.go"}`, ``, "pkg/api/x.go"},
		{"from the root of another machine", `{"uri": "file:///src/app.go"}`, ``, "src/app.go"},
		{"from the root of another machine, by a base", `{"uri": "src/app.go", "uriBaseId": "R"}`, `, "originalUriBaseIds": {"R": {"uri": "file:///"}}`, "src/app.go"},
		{"by the root of a container", `{"uri": "src/app.go", "uriBaseId": "R"}`, `, "originalUriBaseIds": {"R": {"uri": "file:///workspace/"}}`, "src/app.go"},
		{"by the root of a container, in the folder under review", `{"uri": "x.go", "uriBaseId": "R"}`, `, "originalUriBaseIds": {"R": {"uri": "file:///workspace"}}`, "pkg/api/x.go"},
		{"by the root of a container, unchanged", `{"uri": "other.go", "uriBaseId": "R"}`, `, "originalUriBaseIds": {"R": {"uri": "file:///workspace/"}}`, "elsewhere"},
		{"elsewhere on the machine, with an end that is here", `{"uri": "file:///workspace/src/app.go"}`, ``, "outside file:///workspace/src/app.go"},
		{"elsewhere on the machine, a folder that is here", `{"uri": "file:///src/"}`, ``, "outside file:///src/"},
		{"a path in place of a host", `{"uri": "file://src/app.go"}`, ``, "src/app.go"},
		{"another machine", `{"uri": "file://host/ROOT/src/app.go"}`, ``, "outside file://host/ROOT/src/app.go"},
		{"a web page", `{"uri": "https://example.com/src/app.go"}`, ``, "outside https://example.com/src/app.go"},
		{"a scheme of all kinds of characters", `{"uri": "Zz09+.-a:src/app.go"}`, ``, "outside Zz09+.-a:src/app.go"},
		{"a scheme that ends in a nine", `{"uri": "a9:src/app.go"}`, ``, "outside a9:src/app.go"},
		{"a name with a colon, after a digit", `{"uri": "1a:src/app.go"}`, ``, "1a:src/app.go"},
		{"a name with a colon, after a slash", `{"uri": "a/b:src/app.go"}`, ``, "a/b:src/app.go"},
		{"a name with a colon, after an underscore", `{"uri": "a_b:src/app.go"}`, ``, "a_b:src/app.go"},
		{"a name with a colon, after a comma", `{"uri": "a,b:src/app.go"}`, ``, "a,b:src/app.go"},
		{"a name with a colon, after a letter", `{"uri": "a:src/app.go"}`, ``, "a:src/app.go"},
		{"a base on the web", `{"uri": "app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "https://example.com/"}}`, "outside https://example.com/app.go"},
		{"bases in a circle", `{"uri": "app.go", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "a/", "uriBaseId": "B"}, "B": {"uri": "b/", "uriBaseId": "A"}}`, "outside app.go"},
		{"with a NUL", `{"uri": "src/app.go\u0000"}`, ``, "outside src/app.go\x00"},
		{"the root itself", `{"uri": "./"}`, ``, clients.WholeChange},
		{"the root itself, absolute", `{"uri": "file://ROOT/"}`, ``, clients.WholeChange},
		{"the root itself, by a base", `{"uri": "", "uriBaseId": "A"}`, `, "originalUriBaseIds": {"A": {"uri": "file://ROOT/"}}`, clients.WholeChange},
		{"the root from a folder that the tool ran in", `{"uri": "src/.."}`, `, "invocations": [{"executionSuccessful": true, "workingDirectory": {"uri": "file://ROOT/"}}]`, clients.WholeChange},
		{"nothing", `{}`, ``, clients.WholeChange},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && (strings.Contains(tt.location, "ROOT") || strings.Contains(tt.name, "link")) {
				t.Skip("its paths have a drive, and links need a privilege")
			}
			report, err := read(t, clients.OutputSARIF, sarif(`{"results": [{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": `+tt.location+`}}]}]`+tt.run+`}`), o)
			if err != nil {
				t.Fatal(err)
			}
			got := "elsewhere"
			if report.Elsewhere == 0 {
				r := report.Results[0]
				if got = r.Place.File; got == "" {
					quoted := strings.TrimPrefix(r.Issue, "m (in ")
					for _, why := range []string{", outside of the repository)", ", which no file can be called)", ", whose bases lead in a circle)"} {
						quoted = strings.TrimSuffix(quoted, why)
					}
					named, err := strconv.Unquote(quoted)
					if err != nil {
						t.Fatalf("the issue is %q", r.Issue)
					}
					got = "outside " + strings.ReplaceAll(named, filepath.ToSlash(o.Root), "ROOT")
				}
			}
			want := tt.want
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// If everything is under review, the folder above the root is outside.
func TestPathAboveTheRoot(t *testing.T) {
	t.Parallel()
	o := folder(t)
	o.Folder = "."
	report, err := read(t, clients.OutputRDJSON, `{"diagnostics": [{"message": "m", "location": {"path": ".."}}]}`, o)
	if err != nil || len(report.Results) != 1 || report.Results[0].Place.File != "" || report.Results[0].Issue != `m (in "..", outside of the repository)` {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestSARIFResults(t *testing.T) {
	t.Parallel()
	const at = `"locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 3, "endLine": 5}}}]`
	const rules = `, "tool": {"driver": {"name": "t", "rules": [
		{"id": "R1", "defaultConfiguration": {"level": "note"}, "shortDescription": {"text": "short"}, "messageStrings": {"m": {"text": "{0} of {1}, {{0}}"}}},
		{"id": "R2", "properties": {"security-severity": "7.0"}}]},
		"extensions": [{"name": "other", "rules": [{"id": "Y1", "defaultConfiguration": {"level": "none"}}]}, {"name": "e", "guid": "G", "rules": [{"id": "X1", "defaultConfiguration": {"level": "error"}}]}]}`
	result := func(text string, priority ledger.Priority) ledger.Entry {
		return ledger.Entry{Place: ledger.Place{File: "src/app.go", Start: 3, End: 5}, Issue: text, Priority: priority}
	}
	lines := func(start, end int) ledger.Entry {
		return ledger.Entry{Place: ledger.Place{File: "src/app.go", Start: start, End: end}, Issue: "m", Priority: "medium"}
	}
	place := func(file string, line int) string {
		return fmt.Sprintf(`{"physicalLocation": {"artifactLocation": {"uri": %q}, "region": {"startLine": %d}}}, `, file, line)
	}
	also := func(r ledger.Entry, files ...string) ledger.Entry {
		for _, file := range files {
			r.Also = append(r.Also, ledger.Place{File: file, Start: 4, End: 4})
		}
		return r
	}
	withFix := func(r ledger.Entry, fix string) ledger.Entry {
		r.Fix = fix
		return r
	}
	tests := []struct {
		name, result string
		want         ledger.Entry
	}{
		{"without a rule", `{"message": {"text": "m"}, ` + at + `}`, result("m", "medium")},
		{"its level", `{"ruleId": "Z", "level": "error", "message": {"text": "m"}, ` + at + `}`, result("Z: m", "high")},
		{"none", `{"ruleId": "Z", "level": "none", "message": {"text": "m"}, ` + at + `}`, result("Z: m", "info")},
		{"warning", `{"ruleId": "R1", "level": "warning", "message": {"text": "m"}, ` + at + `}`, result("R1: m", "medium")},
		{"an unknown level", `{"ruleId": "Z", "level": "fatal", "message": {"text": "m"}, ` + at + `}`, result("Z: m", "high")},
		{"the rule's level", `{"ruleId": "R1", "message": {"text": "m"}, ` + at + `}`, result("R1: m", "low")},
		{"a rule below", `{"ruleId": "R1/a/b", "message": {"text": "m"}, ` + at + `}`, result("R1/a/b: m", "low")},
		{"by index", `{"ruleIndex": 1, "level": "note", "message": {"text": "m"}, ` + at + `}`, result("R2: m", "high")},
		{"an index that leads nowhere", `{"ruleIndex": 2, "ruleId": "R1", "message": {"text": "m"}, ` + at + `}`, result("R1: m", "low")},
		{"of an extension, by index", `{"rule": {"index": 0, "toolComponent": {"index": 1}}, "message": {"text": "m"}, ` + at + `}`, result("X1: m", "high")},
		{"of an extension, by GUID", `{"rule": {"index": 0, "toolComponent": {"guid": "g"}}, "message": {"text": "m"}, ` + at + `}`, result("X1: m", "high")},
		{"of an extension, by name", `{"rule": {"index": 0, "toolComponent": {"name": "e"}}, "message": {"text": "m"}, ` + at + `}`, result("X1: m", "high")},
		{"of an extension, by a GUID, whatever its name", `{"rule": {"index": 0, "toolComponent": {"name": "other", "guid": "G"}}, "message": {"text": "m"}, ` + at + `}`, result("X1: m", "high")},
		{"of a component that is not there", `{"rule": {"index": 0, "toolComponent": {"name": "none"}}, "message": {"text": "m"}, ` + at + `}`, result("R1: m", "low")},
		{"of a component whose index leads nowhere", `{"rule": {"index": 0, "toolComponent": {"index": 2}}, "message": {"text": "m"}, ` + at + `}`, result("R1: m", "low")},
		{"of a component without a name", `{"rule": {"index": 0, "toolComponent": {}}, "message": {"text": "m"}, ` + at + `}`, result("R1: m", "low")},
		{"of an extension, by id", `{"rule": {"id": "X1"}, "message": {"text": "m"}, ` + at + `}`, result("X1: m", "high")},
		{"its own severity", `{"ruleId": "R2", "properties": {"security-severity": 9.0}, "message": {"text": "m"}, ` + at + `}`, result("R2: m", "critical")},
		{"severity 6.9", `{"properties": {"security-severity": "6.9"}, "message": {"text": "m"}, ` + at + `}`, result("m", "medium")},
		{"severity 3.9", `{"properties": {"security-severity": "3.9"}, "level": "error", "message": {"text": "m"}, ` + at + `}`, result("m", "low")},
		{"severity 4", `{"properties": {"security-severity": "4.0"}, "message": {"text": "m"}, ` + at + `}`, result("m", "medium")},
		{"severity 1", `{"properties": {"security-severity": "1"}, "level": "error", "message": {"text": "m"}, ` + at + `}`, result("m", "low")},
		{"a severity that is not a number", `{"properties": {"security-severity": "much"}, "level": "error", "message": {"text": "m"}, ` + at + `}`, result("m", "high")},
		{"severity 0", `{"properties": {"security-severity": "0.0"}, "level": "error", "message": {"text": "m"}, ` + at + `}`, result("m", "high")},
		{"a message of the rule", `{"ruleId": "R1", "message": {"id": "m", "arguments": ["one", "{0}"]}, ` + at + `}`, result("R1: one of {0}, {0}", "low")},
		{"its own text before the rule's", `{"ruleId": "R1", "message": {"text": "own", "id": "m"}, ` + at + `}`, result("R1: own", "low")},
		{"a message of no rule", `{"message": {"id": "m", "markdown": "*m*"}, ` + at + `}`, result("*m*", "medium")},
		{"a rule whose message has no name", `{"ruleId": "R1", "message": {"markdown": "*m*"}, ` + at + `}`, result("R1: *m*", "low")},
		{"types that another tool could not check", `{"ruleId": "typecheck", "message": {"text": "m"}, ` + at + `}`, result("typecheck: m", "medium")},
		{"an artifact that is not there", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"index": -1}}}]}`, ledger.Entry{Place: ledger.Place{File: clients.WholeChange}, Issue: "m", Priority: "medium"}},
		{"the rule's description", `{"ruleId": "R1", "message": {"id": "none"}, ` + at + `}`, result("R1: short", "low")},
		{"blanks around it all", `{"ruleId": " Z", "message": {"text": "\n m "}, ` + at + `}`, result("Z: m", "medium")},
		{"a rule that says nothing", `{"ruleId": "R2", "message": {}, ` + at + `}`, result("R2", "high")},
		{"the rule in the message already", `{"ruleId": "R1", "message": {"text": "R1: m"}, ` + at + `}`, result("R1: m", "low")},
		{"a message with braces", `{"message": {"text": "{0} {{x}}"}, ` + at + `}`, result("{0} {{x}}", "medium")},
		{"to the start of a line", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 3, "endLine": 5, "endColumn": 1}}}]}`, lines(3, 4)},
		{"one line", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 3, "endColumn": 1}}}]}`, lines(3, 3)},
		{"no line", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"charOffset": 9}}}]}`, lines(0, 0)},
		{"a later place that is touched", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "other.go"}, "region": {"startLine": 9}}}, {"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 2}}}]}`, lines(2, 2)},
		{"a later place that is touched, by a link", `{"message": {"text": "m"}, "locations": [` + place("gone/app.go", 9) + strings.TrimSuffix(place("lib/app.go", 2), ", ") + `]}`, lines(2, 2)},
		{"a later place that is touched, in another case", `{"message": {"text": "m"}, "locations": [` + place("gone/app.go", 9) + strings.TrimSuffix(place("APP.go", 4), ", ") + `]}`,
			ledger.Entry{Place: ledger.Place{File: "app.go", Start: 4, End: 4}, Issue: "m", Priority: "medium"}},
		{"several places that are touched", `{"message": {"text": "m"}, "locations": [` + place("src/app.go", 2) + place("other.go", 3) + place("app.go", 4) + strings.TrimSuffix(place("src/app.go", 2), ", ") + `]}`, also(lines(2, 2), "app.go")},
		{"a deleted file that is touched, after one that is not there", `{"message": {"text": "m"}, "locations": [` + place("nowhere.go", 1) + strings.TrimSuffix(place("gone.go", 4), ", ") + `]}`,
			ledger.Entry{Place: ledger.Place{File: "gone.go", Start: 4, End: 4}, Issue: "m", Priority: "medium"}},
		{"a deleted file besides", `{"message": {"text": "m"}, "locations": [` + place("src/app.go", 2) + strings.TrimSuffix(place("gone.go", 4), ", ") + `]}`, also(lines(2, 2), "gone.go")},
		{"a place many times", `{"message": {"text": "m"}, "locations": [` + place("src/app.go", 2) + strings.Repeat(place("app.go", 4), 200) + strings.TrimSuffix(place("app.go", 4), ", ") + `]}`, also(lines(2, 2), "app.go")},
		{"a fix", `{"message": {"text": "m"}, "fixes": [{"description": {"text": " Do it\n"}}, {"description": {"text": "Or this"}}], ` + at + `}`, withFix(result("m", "medium"), "Do it")},
		{"an unknown kind", `{"kind": "Fail", "message": {"text": "m"}, ` + at + `}`, result("m", "medium")},
		{"a rejected suppression", `{"message": {"text": "m"}, "suppressions": [{"kind": "inSource"}, {"kind": "external", "status": "rejected"}], ` + at + `}`, result("m", "medium")},
		{"a suppression under review", `{"message": {"text": "m"}, "suppressions": [{"kind": "external", "status": "underReview"}], ` + at + `}`, result("m", "medium")},
		{"a line that is none", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": -1}}}]}`, lines(0, 0)},
		{"an end that is none", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 3, "endLine": "x"}}}]}`, lines(0, 0)},
		{"a line in a text", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": "3", "endLine": 5.0}}}]}`, lines(3, 5)},
		{"a region that is none", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": [3]}}]}`, lines(0, 0)},
		{"line 1", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 1}}}]}`, lines(0, 0)},
		{"line 1, from and to its beginning", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}}}]}`, lines(0, 0)},
		{"line 1 alone", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 1, "endLine": 1, "snippet": {"text": " "}}}}]}`, lines(0, 0)},
		{"line 1 with its text", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 1, "snippet": {"text": "x"}}}}]}`, lines(1, 1)},
		{"line 1, some columns", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 1, "startColumn": 1, "endColumn": 8}}}]}`, lines(1, 1)},
		{"lines 1 and 2", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}, "region": {"startLine": 1, "endLine": 2}}}]}`, lines(1, 2)},
		{"a flow through the change", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "other.go"}, "region": {"startLine": 9}}}], "codeFlows": [{"threadFlows": [{"locations": [{"location": ` + strings.TrimSuffix(place("other.go", 2), ", ") + `}, {"location": ` + strings.TrimSuffix(place("app.go", 4), ", ") + `}]}]}]}`,
			ledger.Entry{Place: ledger.Place{File: "other.go", Start: 9, End: 9}, Flow: []ledger.Place{{File: "app.go", Start: 4, End: 4}}, Issue: "m", Priority: "medium"}},
		{"related to the change", `{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "other.go"}}}], "relatedLocations": [` + strings.TrimSuffix(place("app.go", 4), ", ") + `]}`,
			ledger.Entry{Place: ledger.Place{File: "other.go"}, Flow: []ledger.Place{{File: "app.go", Start: 4, End: 4}}, Issue: "m", Priority: "medium"}},
		{"no place", `{"message": {"text": "m"}}`, ledger.Entry{Place: ledger.Place{File: clients.WholeChange}, Issue: "m", Priority: "medium"}},
	}
	o := folder(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && strings.Contains(tt.name, "link") {
				t.Skip("links need a privilege")
			}
			report, err := read(t, clients.OutputSARIF, strings.Replace(sarif(`{"columnKind": "utf16CodeUnits", "results": [`+tt.result+`]`+rules+`}`), "{", `{"$schema": "x", `, 1), o)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]ledger.Entry{tt.want}, report.Results); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// What a tool says that it did not look at is known by the files that it names.
//
// Rule: A tool that could not look has not passed.
func TestNotifications(t *testing.T) {
	t.Parallel()
	at := func(uri string) string {
		return `"locations": [{"physicalLocation": {"artifactLocation": {"uri": "` + uri + `"}}}]`
	}
	said := func(text string) string { return `"message": {"text": "` + text + `"}` }
	for _, test := range []struct{ name, notification, want string }{
		{"a location", `{"level": "warning", ` + said("Timeout") + `, ` + at("src/app.go") + `}`, "src/app.go: Timeout"},
		{"without a level", `{` + said("Timeout") + `, ` + at("./src/../app.go") + `}`, "app.go: Timeout"},
		{"level none", `{"level": "none", ` + said("Timeout") + `, ` + at("file://ROOT/app.go") + `}`, "app.go: Timeout"},
		{"a folder", `{` + said("Timeout") + `, ` + at("src/") + `}`, "src/a b%20.go src/app.go: Timeout"},
		{"in a submodule", `{` + said("Timeout") + `, ` + at("sub/in.go") + `}`, "sub/in.go: Timeout"},
		{"the root", `{` + said("Timeout") + `, ` + at("./") + `}`, "? Timeout"},
		{"an unchanged file", `{` + said("Timeout") + `, ` + at("other.go") + `}`, "? Timeout"},
		{"a path in the words", `{` + said("Skipped src/app.go: too large") + `}`, "src/app.go: Skipped src/app.go: too large"},
		{"a path with blanks, at the end", `{` + said("Skipped 'src/a b%20.go'.") + `}`, "src/a b%20.go: Skipped 'src/a b%20.go'."},
		{"an absolute path in the words", `{` + said("Skipped file://ROOT/src/app.go:12") + `}`, "src/app.go: Skipped file://ROOT/src/app.go:12"},
		{"two paths", `{` + said("./app.go and src/app.go.") + `}`, "app.go src/app.go: ./app.go and src/app.go."},
		{"a longer path", `{` + said("old/src/app.go src/app.go.bak src/app.gob my-app.go") + `}`, "? old/src/app.go src/app.go.bak src/app.gob my-app.go"},
		{"in an argument", `{"message": {"text": "Skipped {0}", "arguments": ["src/app.go"]}}`, "src/app.go: Skipped src/app.go"},
		{"in an exception", `{"exception": {"message": "src/app.go: broken"}}`, "src/app.go: src/app.go: broken"},
		{"a note", `{"level": "note", ` + said("Read src/app.go") + `}`, "! Read src/app.go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := folder(t)
			for _, key := range []string{"toolExecutionNotifications", "toolConfigurationNotifications"} {
				// twice the same is said once
				report, err := read(t, clients.OutputSARIF, sarif(`{"invocations": [{"executionSuccessful": true, "`+key+`": [`+test.notification+`, `+test.notification+`]}], "results": []}`), o)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, u := range report.Unseen {
					got = append(got, strings.Join(u.Files, " ")+": "+u.Words)
				}
				for _, words := range report.Warnings {
					got = append(got, "? "+strings.TrimPrefix(words, "the tool says: "))
				}
				for _, words := range report.Notes {
					got = append(got, "! "+strings.TrimPrefix(words, "the tool notes: "))
				}
				if want := []string{strings.ReplaceAll(test.want, "ROOT", filepath.ToSlash(o.Root))}; !slices.Equal(got, want) {
					t.Errorf("%s: %q, want %q", key, got, want)
				}
			}
		})
	}
}

func TestUnknownFormat(t *testing.T) {
	t.Parallel()
	if _, err := read(t, "xml", "{}", folder(t)); err == nil {
		t.Error("a report in an unknown format is read")
	}
}

func TestNotReports(t *testing.T) {
	t.Parallel()
	const at = `"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}}}]`
	report, err := read(t, clients.OutputSARIF, "\xef\xbb\xbf"+sarif(`{"results": [
		{"kind": "pass", `+at+`}, {"kind": "informational", `+at+`}, {"kind": "notApplicable", `+at+`}, {"kind": "review", `+at+`}, {"baselineState": "absent", `+at+`}, {"suppressions": [{"kind": "inSource"}], `+at+`},
		{"suppressions": [{"kind": "external", "status": "accepted"}], "message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "other.go"}}}]},
		{"kind": "fail", "baselineState": "unchanged", "suppressions": [], `+at+`}],
		"invocations": [{"executionSuccessful": true, "exitCode": 1, "toolExecutionNotifications": [{"level": "warning"}, {"level": "note"}, {"level": "none"}, {}]}]}`), folder(t))
	if err != nil {
		t.Fatal(err)
	}
	found := ledger.Entry{Place: ledger.Place{File: "src/app.go"}, Issue: "m", Priority: "medium"}
	want := tool.Report{
		Results: []ledger.Entry{found}, Suppressed: []ledger.Entry{found}, Undecided: []ledger.Entry{found}, NotFailed: 4, Absent: 1, AllSuppressed: 2, All: 8,
		Warnings: []string{"the tool says: a notification without words"}, Notes: []string{"the tool notes: a notification without words"},
	}
	if d := cmp.Diff(want, report); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Rule: A tool that could not look has not passed.
func TestErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		format     clients.Output
		text, want string
	}{
		{clients.OutputSARIF, ``, "the output is empty"},
		{clients.OutputSARIF, " \n", "the output is empty"},
		{clients.OutputSARIF, "\xef\xbb\xbf", "the output is empty"},
		{clients.OutputSARIF, `null`, "the report is not an object"},
		{clients.OutputSARIF, `[]`, "the report is not an object"},
		{clients.OutputSARIF, `no issues`, "not valid JSON at byte"},
		{clients.OutputSARIF, `{}`, `its version is ""`},
		{clients.OutputSARIF, `{"version": "2.1.0"}`, "it has no runs"},
		{clients.OutputSARIF, `{"version": "2.1.0", "runs": null}`, "runs is not an array"},
		{clients.OutputSARIF, sarif(``), "it has no runs"},
		{clients.OutputSARIF, sarif(`null`), "a run is not an object"},
		{clients.OutputSARIF, sarif(`{}`), `a run has no "results"`},
		{clients.OutputSARIF, sarif(`{"results": null}`), `"results" is not an array`},
		{clients.OutputSARIF, sarif(`{"results": []}, {}`), `a run has no "results"`},
		{clients.OutputSARIF, sarif(`{"results": [`)[:40], "it is cut off at byte"},
		{clients.OutputSARIF, sarif(`{"results": []}`) + "x", "there is more after the report"},
		{clients.OutputSARIF, sarif(`{"results": []}`) + `{}`, "there is more after the report"},
		{clients.OutputSARIF, sarif(`{"results": [{"message": "m"}]}`), `"Message" is string`},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": true}, {"executionSuccessful": false}]}`), "the tool says that it failed"},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": false, "toolExecutionNotifications": [{"level": "note", "message": {"text": "n"}}, {"level": "error", "message": {"text": "Parsing error"}}]}]}`), `("executionSuccessful": false): Parsing error`},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": false, "toolExecutionNotifications": [{"level": "error"}, {"level": "error", "message": {"text": "one"}}, {"level": "error", "message": {"text": "two"}}]}]}`), `("executionSuccessful": false): one`},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"processStartFailureMessage": "no such program"}]}`), `did not end by itself: "no such program"`},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": true, "exitSignalName": "SIGTERM"}]}`), `did not end by itself: "SIGTERM"`},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": [{"level": "error", "message": {"text": "cannot parse a.js"}}]}]}`), "an error occurred while it ran: cannot parse a.js"},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": true, "toolConfigurationNotifications": [{"level": "error"}]}]}`), "an error occurred while it ran"},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": [{"level": "fatal"}]}]}`), "an error occurred while it ran"},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"executionSuccessful": true, "exitCode": 7}]}`), "exited with code 7, which is not one of its exit_codes [0 1]"},
		{clients.OutputSARIF, sarif(`{"results": [], "invocations": [{"exitSignalName": "SIGKILL"}]}`), `did not end by itself: "SIGKILL"`},
		{clients.OutputSARIF, sarif(`{"results": [], "externalPropertyFileReferences": 1}`), "is number"},
		{clients.OutputSARIF, sarif(`{"results": [], "externalPropertyFileReferences": {"results": []}}`), "its results are in other files"},
		{clients.OutputSARIF, `{"version": "2.1.0", "inlineExternalProperties": [], "runs": []}`, "external properties"},
		{clients.OutputSARIF, sarif(`{"results": [{"ruleId": "typecheck", "message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "other.go"}}}]}], "tool": {"driver": {"name": "golangci-lint"}}}`), `could not check the types of the code, so it did not look at all of it: "other.go"`},
		{clients.OutputRDJSON, ``, "the output is empty"},
		{clients.OutputRDJSON, `{}`, `it has no "diagnostics"`},
		{clients.OutputRDJSON, `{"diagnostics": null}`, "diagnostics is not an array"},
		{clients.OutputRDJSON, `{"diagnostics": [{"message": "m"`, "it is cut off"},
		{clients.OutputRDJSON, `{"message": "m"}` + "\n" + `{"message": "n"}`, "there is more after the report"},
	}
	o := folder(t)
	o.ExitCodes = clients.ListedExitCodes(0, 1)
	for _, tt := range tests {
		report, err := read(t, tt.format, tt.text, o)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, report %+v, want %q", tt.text, err, report, tt.want)
		}
	}
}

func TestRDJSON(t *testing.T) {
	t.Parallel()
	report, err := read(t, clients.OutputRDJSON, `{"diagnostics": [
		{"message": "m", "location": {"path": "src/app.go", "range": {"start": {"line": 2, "column": 3}, "end": {"line": 4, "column": 1}}}, "severity": "ERROR", "code": {"value": "R1", "url": "u"},
		 "suggestions": [{"range": {}, "text": "good"}]},
		{"message": "m", "location": {"path": "./src/app.go", "range": {"start": {"line": 2}, "end": {"line": 4}}}, "severity": 3},
		{"message": "m", "location": {"path": "src/app.go", "range": {"start": {"line": 2}}}, "severity": "UNKNOWN_SEVERITY"},
		{"message": "m", "location": {"path": "src/app.go"}},
		{"message": "m", "location": {"path": "src/a b%20.go"}, "severity": "INFO"},
		{"message": "m", "location": {"path": "src/app.go"}, "severity": null},
		{"message": "m", "location": {"path": "src/app.go"}, "severity": "1", "code": {"value": "R2"}},
		{"message": "", "location": {"path": "src/app.go"}, "severity": "2", "code": {"value": "R3"}},
		{"message": "m", "location": {"path": "other.go"}},
		{"message": "m", "location": {"path": "/etc/passwd"}, "severity": "ERROR"},
		{"message": "m"}
	], "severity": "INFO", "source": {"name": "t"}}`, folder(t))
	if err != nil {
		t.Fatal(err)
	}
	want := tool.Report{All: 11, Elsewhere: 1, Results: []ledger.Entry{
		{Place: ledger.Place{File: "src/app.go", Start: 2, End: 3}, Issue: "R1: m", Fix: "Replace it by: good", Priority: "high"},
		{Place: ledger.Place{File: "src/app.go", Start: 2, End: 4}, Issue: "m", Priority: "low"},
		{Place: ledger.Place{File: "src/app.go", Start: 2, End: 2}, Issue: "m", Priority: "medium"},
		{Place: ledger.Place{File: "src/app.go"}, Issue: "m", Priority: "low"},
		{Place: ledger.Place{File: "src/a b%20.go"}, Issue: "m", Priority: "low"},
		{Place: ledger.Place{File: "src/app.go"}, Issue: "m", Priority: "low"},
		{Place: ledger.Place{File: "src/app.go"}, Issue: "R2: m", Priority: "high"},
		{Place: ledger.Place{File: "src/app.go"}, Issue: "R3", Priority: "medium"},
		{Issue: `m (in "/etc/passwd", outside of the repository)`, Priority: "high"},
		{Place: ledger.Place{File: clients.WholeChange}, Issue: "m", Priority: "low"},
	}}
	if d := cmp.Diff(want, report); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func fuzz(f *testing.F, format clients.Output, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	o := folder(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := tool.Read(format, bytes.NewReader(data), o)
		if err != nil && (len(report.Results) > 0 || report.Elsewhere > 0) {
			t.Error("an error with results")
		}
		for _, r := range append(report.Results, report.Suppressed...) {
			if r.Place.File != "" && !filepath.IsLocal(filepath.FromSlash(r.Place.File)) || r.Place.Start > max(r.Place.Start, r.Place.End) || r.Place.Start < 0 ||
				!slices.Contains(ledger.Priorities(), r.Priority) {
				t.Errorf("%+v", r)
			}
		}
	})
}

func FuzzSARIF(f *testing.F) {
	fuzz(f, clients.OutputSARIF, "", "{}", sarif(`{"results": []}`),
		sarif(`{"results": [{"ruleId": "a/b", "level": "error", "message": {"text": "m {0}", "arguments": ["x"]}, "suppressions": [{}],
			"locations": [{"physicalLocation": {"artifactLocation": {"uri": "../%61", "uriBaseId": "A", "index": 0}, "region": {"startLine": 1, "endLine": 2, "endColumn": 1}}}]}],
			"originalUriBaseIds": {"A": {"uri": "file:///x/", "uriBaseId": "A"}}, "artifacts": [{"location": {"uri": "y"}}], "tool": {"driver": {"rules": [{"id": "a"}]}}}`),
		sarif(`{"results": [{"rule": {"index": -1, "toolComponent": {"index": 7}}, "ruleIndex": -3}]}`))
}

func FuzzRDJSON(f *testing.F) {
	fuzz(f, clients.OutputRDJSON, "", "{}", `{"diagnostics": []}`,
		`{"severity": 1, "diagnostics": [{"message": "m", "location": {"path": "../x", "range": {"start": {"line": 3}, "end": {"line": 2, "column": 1}}}, "severity": "x", "suggestions": [{"text": "t"}]}]}`)
}

// large makes a report of 60 MB with 100,000 results, 100 of them in touched files.
func large(t testing.TB) (*os.File, tool.Options) {
	t.Helper()
	o := folder(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "large.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	var b bytes.Buffer
	b.WriteString(`{"version": "2.1.0", "runs": [{"invocations": [{"executionSuccessful": true}], "results": [`)
	filler := strings.Repeat("All work and no play. ", 15)
	for n := range 100_000 {
		uri := fmt.Sprintf("gen/file%d.go", n%5000)
		if n%1000 == 0 {
			uri = "src/app.go"
		}
		if n > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"ruleId":"rule%d","level":"warning","message":{"text":"Finding %d: %s"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"%s","uriBaseId":"%%SRCROOT%%"},"region":{"startLine":%d,"startColumn":1,"endLine":%d,"endColumn":20}}}],"partialFingerprints":{"primaryLocationLineHash":"%x:1"}}`,
			n%50, n, filler, uri, n%300+1, n%300+1, n)
	}
	b.WriteString(`], "tool": {"driver": {"name": "t"}}}]}`)
	if _, err := io.Copy(file, &b); err != nil {
		t.Fatal(err)
	}
	for n := range 5000 {
		path := filepath.Join(o.Root, "gen", fmt.Sprintf("file%d.go", n))
		if n == 0 {
			if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return file, o
}

// BenchmarkSARIF must take at most 3 s, and peak-MB must stay below 200.
func BenchmarkSARIF(b *testing.B) {
	file, o := large(b)
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		start := time.Now()
		report, err := tool.Read(clients.OutputSARIF, file, o)
		if err != nil || len(report.Results) != 100 || report.Elsewhere != 99_900 {
			b.Fatal(len(report.Results), report.Elsewhere, err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s/report")
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapSys-before.HeapSys)/1e6, "heap-MB")
}

// A tool that says that it succeeded is believed, however its process ended. External files that do
// not have results do not matter.
func TestSuccessOfATool(t *testing.T) {
	t.Parallel()
	const at = `"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/app.go"}}}]`
	for _, more := range []string{
		`"invocations": [{"executionSuccessful": true, "exitCode": 7}]`, `"externalPropertyFileReferences": {"graphs": []}`, `"tool": {"driver": {"name": "golangci-lint"}}`,
	} {
		report, err := read(t, clients.OutputSARIF, sarif(`{"results": [{`+at+`}], `+more+`}`), folder(t))
		if err != nil || len(report.Results) != 1 {
			t.Errorf("%s: %+v, %v", more, report, err)
		}
	}
}
