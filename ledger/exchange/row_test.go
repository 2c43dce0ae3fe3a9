package exchange

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// testRow has a field of each type that rows of a dump have.
type testRow struct {
	Text  string   `json:"text"`
	Maybe *string  `json:"maybe"`
	Count int64    `json:"count"`
	Some  *int64   `json:"some"`
	Share *float64 `json:"share"`
	Ratio float64  `json:"ratio"`
	Bytes []byte   `json:"bytes"`
	At    testTime `json:"at"`
}

type testTime struct{ text string }

func (t *testTime) UnmarshalText(text []byte) error { t.text = string(text); return nil }

func (t testTime) MarshalText() ([]byte, error) { return []byte(t.text), nil }

func (t testTime) Equal(other testTime) bool { return t == other }

const goodRow = `{"text":"a","maybe":null,"count":-7,"some":0,"share":1e-3,"ratio":0.5,"bytes":"AP8=","at":"now"}`

// decodeText decodes a row from the text of a line.
func decodeText(text string, into any) error {
	record, err := openRecord([]byte(`{"record":"r","row":` + text + `}`))
	if err != nil {
		return err
	}
	return decodeRow(record.Row, into)
}

func TestDecodeRow(t *testing.T) {
	t.Parallel()
	zero, share := int64(0), 0.001
	want := testRow{Text: "a", Count: -7, Some: &zero, Share: &share, Ratio: 0.5, Bytes: []byte{0, 255}, At: testTime{"now"}}
	for _, text := range []string{
		goodRow, " {\n" + strings.ReplaceAll(goodRow[1:], ",", " ,\t") + "\r\n",
		`{"at":"now","bytes":"\u0041P8=","ratio":5e-1,"share":0.001,"some":0,"count":-7,"maybe":null,"text":"\u0061"}`,
	} {
		var row testRow
		if err := decodeText(text, &row); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if d := cmp.Diff(want, row); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
	for _, test := range []struct{ old, new, want string }{
		{`"count":-7`, `"counts":-7`, `unknown key "counts"`},
		{`"count":-7`, `"Count":-7`, `unknown key "Count"`},
		{`"count":-7,`, ``, `it has no count`},
		{`"count":-7`, `"count":null`, `it has no count`},
		{`"text":"a"`, `"text":null`, `it has no text`},
		{`"at":"now"`, `"at":null`, `it has no at`},
		{`"text":"a","maybe":null,`, ``, `it has no text, maybe`},
		{`"count":-7`, `"count":-7,"count":-7`, `duplicate key "count"`},
		{`"count":-7`, `"count":1.5`, `key "count": it must be a whole number`},
		{`"count":-7`, `"count":01`, `not valid JSON`},
		{`"count":-7`, `"count":--1`, `not valid JSON`},
		{`"count":-7`, `"count":9223372036854775808`, `whole number`},
		{`"count":-7`, `"count":"1"`, `whole number`},
		{`"count":-7`, `"count":true`, `whole number`},
		{`"text":"a"`, `"text":1`, `key "text": it must be a string`},
		{`"text":"a"`, `"text":"` + "\xff" + `"`, `not UTF-8`},
		{`"text":"a"`, `"text":"` + "a\x01" + `"`, `not valid JSON`},
		{`"text":"a"`, `"text":"\x"`, `not valid JSON`},
		{`"text":"a"`, `"text":{"a":1}`, `it must be a string`},
		{`"text":"a"`, `"text":"a`, `not valid JSON`},
		{`"ratio":0.5`, `"ratio":.5`, `not valid JSON`},
		{`"ratio":0.5`, `"ratio":"1"`, `key "ratio": it must be a number`},
		{`"bytes":"AP8="`, `"bytes":"A"`, `illegal base64`},
		{`"bytes":"AP8="`, "\"bytes\":\"AP\r8=\"", `not valid JSON`},
		{`"bytes":"AP8="`, `"bytes":7`, `key "bytes": it must be a string`},
		{`"at":"now"}`, `"at":"now"} {}`, `not valid JSON`},
		{`"at":"now"}`, `"at":"now",}`, `not valid JSON`},
		{`"at":"now"}`, `"at":"now"`, `not valid JSON`},
		{`"at":"now"}`, `"at":}`, `not valid JSON`},
		{`"at":"now"}`, `"at" "now"}`, `not valid JSON`},
		{goodRow, `null`, `the row is null, not an object`},
		{goodRow, ``, `not valid JSON`},
	} {
		text := strings.Replace(goodRow, test.old, test.new, 1)
		var row testRow
		if err := decodeText(text, &row); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", text, err, test.want)
		}
	}
}

// If both encoding/json and decodeRow accept a row, the result is the same; and decodeRow accepts
// no row that encoding/json refuses.
func FuzzDecodeRow(f *testing.F) {
	f.Add(goodRow)
	f.Add(strings.Replace(goodRow, `AP8=`, ``, 1))
	f.Add(`{"text":"\ud83d\ude42 \" \\ \/","maybe":"","count":0,"some":null,"share":null,"ratio":1E+2,"bytes":null,"at":""}`)
	f.Fuzz(func(t *testing.T, text string) {
		var row, want testRow
		if err := decodeText(text, &row); err != nil {
			return
		}
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&want); err != nil || !utf8.ValidString(text) {
			t.Fatalf("%q: encoding/json says %v", text, err)
		}
		if d := cmp.Diff(want, row); d != "" {
			t.Errorf("%q (-encoding/json +decodeRow):\n%s", text, d)
		}
	})
}

// Lines of any length are read, also the last one without a line break.
func TestReader(t *testing.T) {
	t.Parallel()
	const header = `{"record":"header","row":{"format":1,"database":"","schema":3}}` + "\n"
	long := strings.Repeat("x", 3<<20)
	read := NewReader(strings.NewReader(header + `{"record":"file","row":{"file":"` + long + `","repository_kind":"unknown","repository":""}}` + "\n" +
		`{ "row" : {"file":"YQ==","repository_kind":"origin","repository":"a"}, "base64": ["file"], "record": "file" }` + "\r\n" + `{"record":"file","row":{"file":"b","repository_kind":"origin","repository":"a"}}`))
	for n, want := range []any{
		Header{Format: 1, Schema: 3},
		File{File: long, RepositoryKind: "unknown"}, File{File: "a", RepositoryKind: "origin", Repository: "a"}, File{File: "b", RepositoryKind: "origin", Repository: "a"},
	} {
		record, err := read.Next()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(Record{Line: n + 1, Row: want}, record); d != "" {
			t.Errorf("(-want +got):\n%.200s", d)
		}
	}
	if _, err := read.Next(); err == nil || !strings.Contains(err.Error(), "the dump was cut short") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"\n":                        "not valid JSON",
		`{"record":"file"}`:         "it has no record, or no row",
		`{"row":{}}`:                "it has no record, or no row",
		`{"record":"a","record":1}`: `unknown or duplicate key "record"`,
		`{"record":"a","rows":1}`:   `unknown or duplicate key "rows"`,
		`{"record":"a","base64":1}`: "cannot unmarshal",
	} {
		if _, err := NewReader(strings.NewReader(text)).Next(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 1: not a record of a dump: ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"record":"file","base64":["name"],"row":{"file":"b","repository_kind":"origin","repository":"a"}}`: `line 2: record file: base64 names "name", which is not a string of the row`,
		`{"record":"file","base64":["file"],"row":{"file":"b","repository_kind":"origin","repository":"a"}}`: `key "file": illegal base64`,
		`{"record":"file","row":{"file":"b","name":""}}`:                                                     `unknown key "name"`,
		`{"record":"code_review","row":{"run":"","review_id":"","scope":"","target":"","report_path":""}}`:   `line 2: record code_review: it comes before the first run`,
	} {
		read := NewReader(strings.NewReader(header + text))
		_, err := read.Next()
		if err == nil {
			_, err = read.Next()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
