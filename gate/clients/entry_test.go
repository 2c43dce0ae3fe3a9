package clients

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
			Entry{File: " ./a.go ", Start: 3, End: 5, Issue: "i", Fix: "f", Priority: "high", Title: "t",
				Confidence: &confidence, SystemBreaking: true}},
		{"words for numbers", `{"File":"a","Issue":"i","PRIORITY":"info","confidence":"0.75","systemBreaking":"True"}`,
			Entry{File: "a", Issue: "i", Priority: "info", Confidence: &confidence, SystemBreaking: true}},
		{"unknown priority", `{"file":"a","issue":"i","priority":"Severe"}`,
			Entry{File: "a", Issue: "i", Priority: "high", PriorityUnknown: true, PriorityGiven: "Severe"}},
		{"number for a priority", `{"file":"a","issue":"i","priority":1}`,
			Entry{File: "a", Issue: "i", Priority: "high", PriorityUnknown: true, PriorityGiven: "1"}},
		{"other names", `{"path":"a","line":3,"message":"i","severity":"Blocker"}`,
			Entry{File: "a", Start: 3, End: 3, Issue: "i", Priority: "critical"}},
		{"more other names", `{"filename":"a","description":"i","severity":"minor"}`,
			Entry{File: "a", Issue: "i", Priority: "high", PriorityUnknown: true, PriorityGiven: "minor"}},
		{"own names before others", `{"path":"b","file":"a","message":"j","issue":"i","severity":"high","priority":"low"}`,
			Entry{File: "a", Issue: "i", Priority: "low"}},
		{"a title is no issue", `{"file":"a","title":"i","priority":"low"}`, Entry{File: "a", Title: "i", Priority: "low", Missing: []string{"issue"}}},
		{"claim", `{"file":"a","issue":"i","priority":"low","claim":" #01AB "}`, Entry{File: "a", Issue: "i", Priority: "low", Claim: "01AB"}},
		{"claim that is an object", `{"file":"a","issue":"i","priority":"low","claim":{"id":"x"}}`, Entry{File: "a", Issue: "i", Priority: "low", Claim: "x"}},
		{"claim without an id", `{"file":"a","issue":"i","priority":"low","claim":{"x":1}, "claims":[[], null]}`, Entry{File: "a", Issue: "i", Priority: "low"}},
		{"several claims", `{"file":"a","issue":"i","priority":"low","claim_ids":["x", {"claim":"y"}, "X", "x"]}`, Entry{File: "a", Issue: "i", Priority: "low", Claim: "x", Named: []string{"y", "X"}}},
		{"claims", `{"file":"a","issue":"i","priority":"low","claim":["01AB"]}`, Entry{File: "a", Issue: "i", Priority: "low", Claim: "01AB"}},
		{"several files", `{"file":["a.go","b.go"],"issue":"i","priority":"low"}`, Entry{File: "a.go\nb.go", Issue: "i", Priority: "low"}},
		{"blank", `{"file":" ","issue":"\t","priority":"\n"}`, Entry{File: " ", Missing: []string{"file", "issue", "priority"}}},
		{"nothing", `{}`, Entry{Missing: []string{"file", "issue", "priority"}}},
		{"null", `{"file":null,"issue":"i","priority":null}`, Entry{Issue: "i", Missing: []string{"file", "priority"}}},
		{"no strings", `{"file":["a",1],"issue":{"text":"i"},"priority":"low"}`, Entry{Priority: "low", Missing: []string{"file", "issue"}}},
		{"no object", `"a.go is wrong"`, Entry{Missing: []string{"file", "issue", "priority"}}},
		{"odd extras", `{"file":"a","issue":"i","priority":"low","fix":["x", 1],"confidence":"sure","systemBreaking":1,"title":7}`,
			Entry{File: "a", Issue: "i", Priority: "low", Fix: `["x", 1]`}},
		{"a confidence that is no number", `{"file":"a","issue":"i","priority":"low","confidence":"NaN"}`, Entry{File: "a", Issue: "i", Priority: "low"}},
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
		{`"line":"line L42"`, 42, 42},
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
		{`"line":[0,14]`, 0, 0},
		{`"line":["x",14]`, 0, 0},
		{`"line":[10,"x"]`, 0, 0},
		{`"line":{"start":14,"end":10}`, 10, 14},
		{`"line":{"start":10}`, 10, 10},
		{`"line":10,"endLine":14`, 10, 14},
		{`"startLine":10,"end_line":"14"`, 10, 14},
		{`"line":10,"lineRange":"12-14"`, 12, 14},
		{`"start_line":10,"line":14`, 10, 14},
		{`"start_line":14,"line":10,"end_line":16`, 10, 16},
		{`"start_line":"x","line":10`, 10, 10},
		{`"range":"10-14"`, 10, 14},
		{`"range":{"startLine":10,"endLine":14}`, 10, 14},
		{`"lines":[10,14]`, 10, 14},
		{`"lines":"#L10C5-L14C2"`, 10, 14},
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
		{`"line":"10:abc"`, 0, 0},
		{`"line":"abc:10"`, 0, 0},
		{`"line":["10-12",14]`, 0, 0},
		{`"line":[10,"12-14"]`, 0, 0},
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
		if start, end, _ := readPlace(fields); start != test.start || end != test.end {
			t.Errorf("{%s} is at %d to %d, want %d to %d", test.fields, start, end, test.start, test.end)
		}
	}
}
