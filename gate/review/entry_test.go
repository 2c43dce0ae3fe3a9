package review

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Rule: Missing fields are named.
func TestReadEntry(t *testing.T) {
	t.Parallel()
	confidence := 0.75
	tests := []struct {
		name, raw string
		want      Entry
	}{
		{"complete", `{"file":" ./a.go ","line":3,"issue":" i ","fix":"f","priority":"High","status":"fixed","result":"r",` +
			`"title":"t","lineRange":"3-5","confidence":0.75,"systemBreaking":true}`,
			Entry{File: "./a.go", Start: 3, End: 5, Issue: "i", Fix: "f", Priority: "high", Title: "t",
				Confidence: &confidence, SystemBreaking: true}},
		{"words for numbers", `{"File":"a","Issue":"i","PRIORITY":"info","confidence":"0.75","systemBreaking":"True"}`,
			Entry{File: "a", Issue: "i", Priority: "info", Confidence: &confidence, SystemBreaking: true}},
		{"unknown priority", `{"file":"a","issue":"i","priority":"Severe"}`,
			Entry{File: "a", Issue: "i", Priority: "high", PriorityUnknown: true, PriorityGiven: "Severe"}},
		{"number for a priority", `{"file":"a","issue":"i","priority":1}`,
			Entry{File: "a", Issue: "i", Priority: "high", PriorityUnknown: true, PriorityGiven: "1"}},
		{"blank", `{"file":" ","issue":"\t","priority":"\n"}`, Entry{Missing: []string{"file", "issue", "priority"}}},
		{"nothing", `{}`, Entry{Missing: []string{"file", "issue", "priority"}}},
		{"null", `{"file":null,"issue":"i","priority":null}`, Entry{Issue: "i", Missing: []string{"file", "priority"}}},
		{"no strings", `{"file":["a"],"issue":{"text":"i"},"priority":"low"}`, Entry{Priority: "low", Missing: []string{"file", "issue"}}},
		{"no object", `"a.go is wrong"`, Entry{Missing: []string{"file", "issue", "priority"}}},
		{"odd extras", `{"file":"a","issue":"i","priority":"low","fix":["x", 1],"confidence":"sure","systemBreaking":1,"title":7}`,
			Entry{File: "a", Issue: "i", Priority: "low", Fix: `["x", 1]`}},
		{"repeated key", `{"file":"a","file":"b","issue":"i","priority":"low","line":1}`,
			Entry{File: "b", Issue: "i", Priority: "low", Start: 1, End: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.want.Position, test.want.Raw = 7, json.RawMessage(test.raw)
			if diff := cmp.Diff(test.want, readEntry(7, json.RawMessage(test.raw)), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("entry (-want +got):\n%s", diff)
			}
		})
	}
}

// Rule: Lines are found however they are written.
func TestReadPlace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fields     string
		start, end int
	}{
		{`"line":42`, 42, 42},
		{`"line":42.0`, 42, 42},
		{`"line":1e3`, 1000, 1000},
		{`"line":"42"`, 42, 42},
		{`"line":" L042 "`, 42, 42},
		{`"line":"line 42"`, 42, 42},
		{`"line":"42:7"`, 42, 42},
		{`"line":"10-14"`, 10, 14},
		{`"line":"10–14"`, 10, 14},
		{`"line":"L10 — L14"`, 10, 14},
		{`"line":"#L10-L14"`, 10, 14},
		{`"line":"lines 10 to 14"`, 10, 14},
		{`"line":"10..14"`, 10, 14},
		{`"line":"10, 14"`, 10, 14},
		{`"line":"14-10"`, 10, 14},
		{`"line":[10,14]`, 10, 14},
		{`"line":["14",10]`, 10, 14},
		{`"line":[10]`, 10, 10},
		{`"line":{"start":14,"end":10}`, 10, 14},
		{`"line":{"start":10}`, 10, 10},
		{`"line":10,"endLine":14`, 10, 14},
		{`"startLine":10,"end_line":"14"`, 10, 14},
		{`"line":10,"lineRange":"12-14"`, 12, 14},
		{`"line":10,"line_range":{"from":12,"to":14}`, 12, 14},
		{`"line":10,"lineRange":"somewhere"`, 10, 10},
		{`"line":10,"lineRange":null`, 10, 10},
		{`"line":10,"endLine":-1`, 10, 10},

		{`"line":0`, 0, 0},
		{`"line":-5`, 0, 0},
		{`"line":"-5"`, 0, 0},
		{`"line":"5-"`, 0, 0},
		{`"line":2.5`, 0, 0},
		{`"line":1e30`, 0, 0},
		{`"line":1e999`, 0, 0},
		{`"line":"99999999999999999999"`, 0, 0},
		{`"line":"10-99999999999"`, 0, 0},
		{`"line":"the end"`, 0, 0},
		{`"line":"10-14-18"`, 0, 0},
		{`"line":"10 files"`, 0, 0},
		{`"line":""`, 0, 0},
		{`"line":[10,14,18]`, 0, 0},
		{`"line":[]`, 0, 0},
		{`"line":[10,null]`, 0, 0},
		{`"line":[[10]]`, 0, 0},
		{`"line":{"start":10,"end":"x"}`, 0, 0},
		{`"line":{}`, 0, 0},
		{`"line":true`, 0, 0},
		{`"line":null`, 0, 0},
		{`"endLine":14`, 0, 0},
		{``, 0, 0},
	}
	for _, test := range tests {
		fields, err := readMembers([]byte("{" + test.fields + "}"))
		if err != nil {
			t.Fatal(err)
		}
		if start, end := readPlace(fields); start != test.start || end != test.end {
			t.Errorf("{%s} is at %d to %d, want %d to %d", test.fields, start, end, test.start, test.end)
		}
	}
}

// Rule: A file is found however it is written.
func TestResolvePath(t *testing.T) {
	t.Parallel()
	changed := map[string]bool{
		"q\"\tü\\.go": true,
		"main.go":     true, "src/a.go": true, "a/b.go": true, "odd:12": true, `back\slash`: true, "with space.go": true,
	}
	tests := []struct {
		file, want string
		line       int
	}{
		{"src/a.go", "src/a.go", 0},
		{"./src//x/../a.go", "src/a.go", 0},
		{"/home/me/repo/src/a.go", "src/a.go", 0},
		{"/mnt/alias/repo/src/a.go", "src/a.go", 0},
		{"/home/me/repository/src/a.go", "src/a.go", 0},
		{"a/src/a.go", "src/a.go", 0},
		{"b/src/a.go", "src/a.go", 0},
		{"a/b.go", "a/b.go", 0},
		{"b/a/b.go", "a/b.go", 0},
		{"src/a.go:12", "src/a.go", 12},
		{"src/a.go:12:7", "src/a.go", 12},
		{"src/a.go:L12-L14", "src/a.go", 12},
		{"/home/me/repo/src/a.go:12", "src/a.go", 12},
		{`src\a.go`, "src/a.go", 0},
		{`back\slash`, `back\slash`, 0},
		{"odd:12", "odd:12", 0},
		{"with space.go", "with space.go", 0},
		{"`src/a.go`", "src/a.go", 0},
		{`"src/a.go"`, "src/a.go", 0},
		{"**src/a.go:12**", "src/a.go", 12},
		{"file:///home/me/repo/src/a.go", "src/a.go", 0},
		{`"b/q\"\t\303\274\\.go"`, "q\"\tü\\.go", 0},
		{`q\"\t\303\274\\.go`, "q\"\tü\\.go", 0},
		{`"q"uote`, `"q"uote`, 0},

		{"src/other.go", "src/other.go", 0},
		{"src/other.go:12", "src/other.go:12", 0},
		{"/home/me/repo/other.go", "other.go", 0},
		{"../repo/src/a.go", "../repo/src/a.go", 0},
		{"/etc/passwd", "/etc/passwd", 0},
		{"c/src/a.go", "c/src/a.go", 0},
		{"xsrc/a.go", "xsrc/a.go", 0},
		{"", ".", 0},
		{":12", ":12", 0},
	}
	for _, test := range tests {
		name, line := ResolvePath(test.file, "/home/me/repo", func(path string) bool { return changed[path] })
		if name != test.want || line != test.line {
			t.Errorf("ResolvePath(%q) = %q, %d, want %q, %d", test.file, name, line, test.want, test.line)
		}
	}
}

func TestResembling(t *testing.T) {
	t.Parallel()
	paths := []string{"src/a.go", "src/deep/b.go", "lib/deep/b.go", "c.go", "src/deep/d.go"}
	for name, want := range map[string]string{
		"a.go":          "src/a.go",
		"A.GO":          "src/a.go",
		"deep/b.go":     "", // two
		"src/deep/B.go": "src/deep/b.go",
		"repo/src/a.go": "src/a.go",
		"deep/d.go":     "src/deep/d.go",
		"eep/d.go":      "",
		"lib/deep/d.go": "",
		"x/c.go":        "c.go",
		"xc.go":         "",
		"":              "",
	} {
		if got, found := Resembling(name, paths); got != want || found != (want != "") {
			t.Errorf("Resembling(%q) = %q, %t, want %q", name, got, found, want)
		}
	}
}
