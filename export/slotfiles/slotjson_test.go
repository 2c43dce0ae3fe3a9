package slotfiles_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func words(s string) *string { return &s }

func failedSlot() ledger.SlotDocument {
	return ledger.SlotDocument{
		Adapter:   "claude",
		At:        time.Date(2026, 1, 23, 17, 18, 45, 0, time.FixedZone("", -5*60*60)),
		Status:    ledger.SlotFail,
		RawOutput: "{\"status\": \"fail\"}\n<b> & \xff\x1b[0m",
		Violations: []ledger.SlotEntry{
			{ID: "a1b2", File: "src/app.ts", Line: 42, EndLine: 42, Issue: "Missing error handling",
				Fix: "Wrap in try-catch", Priority: "high", Status: "new"},
			{ID: "c3d4", File: "src/a<b>.ts", Line: 10, EndLine: 14, Issue: "a \"quoted\"\nissue",
				Priority: "low", Status: "skipped", Result: words("Stylistic preference")},
			{ID: "e5f6", File: "src/whole.ts", Issue: "No tests", Priority: "medium", Status: "fixed", Result: words("")},
		},
	}
}

// Rule: The ledger is the only truth.
func TestMarshalSlot(t *testing.T) {
	t.Parallel()
	data, err := slotfiles.MarshalSlot(failedSlot())
	if err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "slot-fail.json", string(data))
}

func TestMarshalSlotPassed(t *testing.T) {
	t.Parallel()
	doc := ledger.SlotDocument{Adapter: "codex", At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Status: ledger.SlotPass, PassIteration: 3}
	data, err := slotfiles.MarshalSlot(doc)
	if err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "slot-pass.json", string(data))
}

// Rule: A passed slot is skipped while another runs.
func TestMarshalSlotSkipped(t *testing.T) {
	t.Parallel()
	doc := ledger.SlotDocument{Adapter: "codex", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Status: ledger.SlotSkipped, PassIteration: 1}
	data, err := slotfiles.MarshalSlot(doc)
	if err != nil {
		t.Fatal(err)
	}
	exporttest.Golden(t, "slot-skip.json", string(data))
}

func TestSlotJSONRoundTrip(t *testing.T) {
	t.Parallel()
	skipped := ledger.SlotDocument{Adapter: "codex", Status: ledger.SlotSkipped, PassIteration: 7}
	for _, doc := range []ledger.SlotDocument{failedSlot(), skipped, {}} {
		data, err := slotfiles.MarshalSlot(doc)
		if err != nil {
			t.Fatal(err)
		}
		got, err := slotfiles.UnmarshalSlot(data)
		if err != nil {
			t.Fatal(err)
		}
		want := doc
		want.RawOutput = strings.ToValidUTF8(doc.RawOutput, "\uFFFD")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("round trip (-want +got):\n%s", diff)
		}
	}
}

// The file of an agent that keeps only what it wants to say.
func TestUnmarshalSlotAfterAgentUpdates(t *testing.T) {
	t.Parallel()
	got, err := slotfiles.UnmarshalSlot([]byte("\uFEFF" + `{
		"violations": [
			{"status": "fixed", "result": "Added try-catch block around async call"},
			{"status": "skipped", "result": "Stylistic preference, existing code is acceptable"}
		]
	}`))
	if err != nil {
		t.Fatal(err)
	}
	want := ledger.SlotDocument{Violations: []ledger.SlotEntry{
		{Status: "fixed", Result: words("Added try-catch block around async call")},
		{Status: "skipped", Result: words("Stylistic preference, existing code is acceptable")},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("UnmarshalSlot (-want +got):\n%s", diff)
	}
}

func TestUnmarshalSlotIsLenientInValues(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, entry string
		want        ledger.SlotEntry
	}{
		{"line as number", `{"line": 42}`, ledger.SlotEntry{Line: 42, EndLine: 42}},
		{"line as text", `{"line": " 42 "}`, ledger.SlotEntry{Line: 42, EndLine: 42}},
		{"line with fraction", `{"line": 42.0}`, ledger.SlotEntry{Line: 42, EndLine: 42}},
		{"range", `{"line": "10-14"}`, ledger.SlotEntry{Line: 10, EndLine: 14}},
		{"range the wrong way round", `{"line": "14 - 10"}`, ledger.SlotEntry{Line: 10, EndLine: 14}},
		{"range without end", `{"line": "14-x"}`, ledger.SlotEntry{Line: 14, EndLine: 14}},
		{"question mark", `{"line": "?"}`, ledger.SlotEntry{}},
		{"NaN", `{"line": "NaN"}`, ledger.SlotEntry{}},
		{"null line", `{"line": null}`, ledger.SlotEntry{}},
		{"negative line", `{"line": -3}`, ledger.SlotEntry{}},
		{"huge line", `{"line": 1e300}`, ledger.SlotEntry{}},
		{"huge number", `{"line": 1e400}`, ledger.SlotEntry{}},
		{"line as array", `{"line": [1, 2]}`, ledger.SlotEntry{}},
		{"unknown key", `{"note": 1, "Status": "fixed", "file": "a"}`, ledger.SlotEntry{File: "a"}},
		{"status as written", `{"status": "Fixed "}`, ledger.SlotEntry{Status: "Fixed "}},
		{"status true", `{"status": true}`, ledger.SlotEntry{Status: "true"}},
		{"status null", `{"status": null}`, ledger.SlotEntry{Status: "null"}},
		{"status object", `{"status": {"a" : [ 1 ]}}`, ledger.SlotEntry{Status: `{"a":[1]}`}},
		{"same status twice", `{"status": "fixed", "status": "fixed"}`, ledger.SlotEntry{Status: "fixed"}},
		{"result null", `{"result": null}`, ledger.SlotEntry{}},
		{"result number", `{"result": 7}`, ledger.SlotEntry{Result: words("7")}},
		{"id number", `{"id": 7, "priority": null}`, ledger.SlotEntry{ID: "7"}},
		{"escapes", `{"issue": "a\u202e\n\ud800b"}`, ledger.SlotEntry{Issue: "a\u202e\n\uFFFDb"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := slotfiles.UnmarshalSlot([]byte(`{"violations": [` + test.entry + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			want := ledger.SlotDocument{Violations: []ledger.SlotEntry{test.want}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("UnmarshalSlot (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnmarshalSlotHead(t *testing.T) {
	t.Parallel()
	got, err := slotfiles.UnmarshalSlot([]byte(`{"adapter": "x", "timestamp": "yesterday", "status": "odd",
		"rawOutput": {"a": 1}, "passIteration": "3", "violations": []}`))
	if err != nil {
		t.Fatal(err)
	}
	want := ledger.SlotDocument{Adapter: "x", Status: "odd", RawOutput: `{"a":1}`, PassIteration: 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("UnmarshalSlot (-want +got):\n%s", diff)
	}
}

// A list that differs from what the program writes was changed by somebody, so it matches no real
// list.
func TestUnmarshalSlotFiltered(t *testing.T) {
	t.Parallel()
	foreign := []ledger.FilteredEntry{{}}
	for value, want := range map[string][]ledger.FilteredEntry{
		`[]`: nil, `null`: foreign, `{}`: foreign, `[1]`: foreign, `[{"line": "3"}]`: foreign, `[{"note": 1}]`: foreign,
		`[` + strings.Repeat("{},", slotfiles.MaxEntries) + `{}]`:                    foreign,
		`[{"id": "8f3kq2", "file": "a.go", "line": 3, "reason": "out_of_diff"}, {}]`: {{ID: "8f3kq2", File: "a.go", Line: 3, Reason: ledger.OutOfDiff}, {}},
	} {
		got, err := slotfiles.UnmarshalSlot([]byte(`{"violations": [], "filtered": ` + value + `}`))
		if diff := cmp.Diff(want, got.Filtered); diff != "" || err != nil {
			t.Errorf("%.60s: %v (-want +got):\n%s", value, err, diff)
		}
	}
}

func TestUnmarshalSlotIsStrictInStructure(t *testing.T) {
	t.Parallel()
	many := `{"violations": [` + strings.Repeat("{},", 100_000) + `{}]}`
	keys := `{"violations": [{` + strings.Repeat(`"a":1,`, 1000) + `"a":1}]}`
	tests := []struct{ name, data, want string }{
		{"empty", "", "line 1, column 1: unexpected end of JSON input"},
		{"truncated", "{\n  \"violations\": [\n    {\"id\": \"ä", "line 3, column 14: unexpected end of JSON input"},
		{"trailing comma", "{\n  \"ä\": [1,]}", "line 2, column 11: invalid character ']'"},
		{"missing comma", "{\"a\": 1\n\"b\": 2}", "line 2, column 1: invalid character '\"'"},
		{"second document", "{\"violations\": []} x", "line 1, column 20: invalid character 'x'"},
		{"newline in a text", "{\"a\": \"b\nc\"}", "line 1, column 9: invalid character '\\n'"},
		{"too deep", strings.Repeat("[", 20_000), "exceeded max depth"},
		{"array", "[]", "the file is an array, not an object"},
		{"null", "null", "the file is null, not an object"},
		{"violations missing", `{"status": "pass"}`, `"violations" is missing`},
		{"violations null", `{"violations": null}`, `"violations" is null, not an array`},
		{"violations object", `{"violations": {}}`, `"violations" is an object, not an array`},
		{"violations twice", `{"violations": [], "violations": []}`, `"violations" appears twice`},
		{"entry text", `{"violations": [{}, "x"]}`, "violations[1] is a text, not an object"},
		{"entry null", `{"violations": [null]}`, "violations[0] is null, not an object"},
		{"status twice", `{"violations": [{"status": "new", "status": "fixed"}]}`, `violations[0] is not valid: "status" appears twice, as "new" and "fixed"`},
		{"slot status twice", `{"status": "fail", "status": "pass", "violations": []}`, `"status" appears twice, as "fail" and "pass"`},
		{"too many violations", many, "more than 100000 violations"},
		{"too many keys", keys, "violations[0] has more than 1000 keys"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			doc, err := slotfiles.UnmarshalSlot([]byte(test.data))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if diff := cmp.Diff(ledger.SlotDocument{}, doc); diff != "" {
				t.Errorf("a document came with the error:\n%s", diff)
			}
		})
	}
}

func TestUnmarshalSlotTooLarge(t *testing.T) {
	t.Parallel()
	_, err := slotfiles.UnmarshalSlot(make([]byte, files.MaxFileSize+1))
	if err == nil || err.Error() != "larger than 64 MiB" {
		t.Errorf("error %v", err)
	}
}

// Whatever can be read can be written, and is then read as the same.
func FuzzUnmarshalSlot(f *testing.F) {
	data, err := slotfiles.MarshalSlot(failedSlot())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, seed := range []string{
		`{"violations":[{"line":"3-1","status":{"a":1},"result":[null]}],"timestamp":"0000-01-01T00:00:00+23:59"}`,
		`{"violations":[{"line":1e9,"status":null,"id":"\ud800"}],"status":"skipped_prior_pass","passIteration":2}`,
		`{"violations":[{"status":"a","status":"b"}]}`, "{", "\uFEFFnull", `{"violations":[{"fix":[ "` + "\xff" + `"]}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := slotfiles.UnmarshalSlot(data)
		if err != nil {
			return
		}
		written, err := slotfiles.MarshalSlot(doc)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(written) || bytes.Contains(written, []byte(`"violations": null`)) {
			t.Fatalf("wrote %q", written)
		}
		again, err := slotfiles.UnmarshalSlot(written)
		if err != nil {
			t.Fatal(err)
		}
		// A file has whole seconds, and the pass iteration only of skipped slots.
		doc.At = doc.At.Truncate(time.Second)
		if doc.Status != ledger.SlotSkipped {
			doc.PassIteration = 0
		}
		if diff := cmp.Diff(doc, again); diff != "" {
			t.Errorf("round trip (-first +second):\n%s", diff)
		}
	})
}

// Further places, and who says that it is gone, are only written if there are any, and never read
// back.
func TestSlotSaysMoreOfAViolation(t *testing.T) {
	t.Parallel()
	doc := failedSlot()
	doc.Violations = doc.Violations[:1]
	plain, err := slotfiles.MarshalSlot(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"also"`, `"gone"`} {
		if strings.Contains(string(plain), key) {
			t.Errorf("%s is there without need:\n%s", key, plain)
		}
	}
	doc.Violations[0].Also = []ledger.Place{{File: "b.go", Start: 3, End: 5}, {File: "whole.md"}}
	doc.Violations[0].Gone = ledger.Gone{By: "codex@2", Evidence: "the file was removed"}
	data, err := slotfiles.MarshalSlot(doc)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	want := `"also":[{"file":"b.go","line":3,"end_line":5},{"file":"whole.md","line":0,"end_line":0}],"gone":"codex@2: the file was removed"}`
	if !strings.Contains(compact.String(), want) {
		t.Errorf("%s lacks %s", &compact, want)
	}
	read, err := slotfiles.UnmarshalSlot(data)
	if err != nil || len(read.Violations) != 1 || read.Violations[0].Also != nil || read.Violations[0].Gone.By != "" {
		t.Errorf("read back: %+v, %v", read.Violations, err)
	}
}
