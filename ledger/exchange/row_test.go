package exchange

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// testTable has columns of each type.
var testTable = func() *Table {
	t := &Table{Kind: "test", kept: "text maybe count share"}
	t.complete()
	return t
}()

const goodRow = `{"text":"a","maybe":null,"count":-7,"share":1e-3}`

// decodeText decodes a row from the text of a line.
func decodeText(text string) (Row, error) {
	line, err := openLine([]byte(`{"record":"r","row":` + text + `}`))
	if err != nil {
		return Row{}, err
	}
	return testTable.decode(line.Row)
}

func TestDecodeRow(t *testing.T) {
	t.Parallel()
	want := Row{Values: []any{"a", nil, int64(-7), 0.001}}
	for _, text := range []string{
		goodRow, " {\n" + strings.ReplaceAll(goodRow[1:], ",", " ,\t") + "\r\n",
		`{"share":0.001,"count":-7.0,"maybe":null,"text":"\u0061"}`,
	} {
		if got, err := decodeText(text); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got.Values, err)
		}
	}
	for _, test := range []struct{ old, new, want string }{
		{`"count":-7`, `"counts":-7`, `unknown key "counts"`},
		{`"count":-7`, `"Count":-7`, `unknown key "Count"`},
		{`"count":-7,`, ``, `it has no count`},
		{`"text":"a","maybe":null,`, ``, `it has no text, maybe`},
		{`"count":-7`, `"count":-7,"count":-7`, `duplicate key "count"`},
		{`"count":-7`, `"count":01`, `not valid JSON`},
		{`"count":-7`, `"count":--1`, `not valid JSON`},
		{`"count":-7`, `"count":1e999`, `key "count": it must be a number that fits into 64 bits`},
		{`"count":-7`, `"count":true`, `key "count": it must be a string, a number or null`},
		{`"text":"a"`, `"text":"` + "\xff" + `"`, `not UTF-8`},
		{`"text":"a"`, `"text":"` + "a\x01" + `"`, `not valid JSON`},
		{`"text":"a"`, `"text":"\x"`, `not valid JSON`},
		{`"text":"a"`, `"text":{"a":1}`, `key "text": it must be a string, a number or null`},
		{`"text":"a"`, `"text":"a`, `not valid JSON`},
		{`"share":1e-3`, `"share":.5`, `not valid JSON`},
		{`1e-3}`, `1e-3} {}`, `not valid JSON`},
		{`1e-3}`, `1e-3,}`, `not valid JSON`},
		{`1e-3}`, `1e-3`, `not valid JSON`},
		{`"share":1e-3}`, `"share":}`, `not valid JSON`},
		{`"share":1e-3}`, `"share" 1e-3}`, `not valid JSON`},
		{goodRow, `null`, `the row is null, not an object`},
		{goodRow, ``, `not valid JSON`},
	} {
		text := strings.Replace(goodRow, test.old, test.new, 1)
		if _, err := decodeText(text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", text, err, test.want)
		}
	}
}

// A row is the same however its numbers are written, and whatever the types of its columns are.
func TestPlainNumbers(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]any{
		0: int64(0), 2: int64(2), -3: int64(-3), 0.5: 0.5, 1e18: int64(1e18), 1e19: 1e19, math.Inf(1): math.Inf(1),
	} {
		if got := Plain(f); got != want {
			t.Errorf("%v: %v, want %v", f, got, want)
		}
	}
}

// A row that is read is what encoding/json reads, and it is the same after it was written and read
// again. No row is read that encoding/json refuses.
func FuzzDecodeRow(f *testing.F) {
	f.Add(goodRow)
	f.Add(`{"text":"\ud83d\ude42 \" \\ \/","maybe":"","count":0,"share":1E+2}`)
	f.Add(`{"text":9223372036854775807,"maybe":-9223372036854775809,"count":0.1,"share":1e300}`)
	f.Fuzz(func(t *testing.T, text string) {
		row, err := decodeText(text)
		if err != nil {
			return
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(text), &want); err != nil || !utf8.ValidString(text) {
			t.Fatalf("%q: encoding/json says %v", text, err)
		}
		for i, c := range testTable.Columns {
			is := row.Values[i]
			if whole, number := is.(int64); number {
				is = float64(whole)
			}
			if is != want[c.Key] {
				t.Errorf("%q: %s is %v, not %v", text, c.Key, is, want[c.Key])
			}
		}
		written, err := row.line()
		if err != nil {
			t.Fatal(err)
		}
		line, err := openLine(written)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := line.decode(testTable); err != nil || !again.Equal(row) {
			t.Errorf("%q: %s is read as %v, %v", text, written, again.Values, err)
		}
	})
}

// Lines of any length are read, also the last one without a line break.
func TestReader(t *testing.T) {
	t.Parallel()
	const header = `{"record":"header","row":{"format":1,"database":"","schema":3}}` + "\n"
	long := strings.Repeat("x", 3<<20)
	read := NewReader(strings.NewReader(header + `{"record":"job","row":{"job":"` + long + `","kind":"check","entry_point":"","name":""}}` + "\n" +
		`{ "row" : {"job":"YQ==","kind":"check","entry_point":"","name":""}, "base64": ["job"], "record": "job" }` + "\r\n" + `{"record":"job","row":{"job":"b","kind":"check","entry_point":"","name":""}}`))
	for n, want := range []Row{
		NewRow("header", int64(1), "", int64(3)),
		NewRow("job", long, "check", "", ""), NewRow("job", "a", "check", "", ""), NewRow("job", "b", "check", "", ""),
	} {
		record, err := read.Next()
		if err != nil || record.Line != n+1 || record.Run != nil || record.Row.Table != want.Table || !record.Row.Equal(want) {
			t.Errorf("%d: %.200v, %v", n, record, err)
		}
	}
	if _, err := read.Next(); err == nil || !strings.Contains(err.Error(), "the dump was cut short") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"\n":                        "not valid JSON",
		`{"record":"job"}`:          "it has no record, or no row",
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
		`{"record":"job","base64":["file"],"row":{"job":"b","kind":"check","entry_point":"","name":""}}`:   `line 2: record job: base64 names "file", which is not a string of the row`,
		`{"record":"job","base64":["job"],"row":{"job":"b","kind":"check","entry_point":"","name":""}}`:    `key "job": illegal base64`,
		`{"record":"job","row":{"job":"b","file":""}}`:                                                     `unknown key "file"`,
		`{"record":"code_review","row":{"run":"","review_id":"","scope":"","target":"","report_path":""}}`: `line 2: record code_review: it comes before the first run`,
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
