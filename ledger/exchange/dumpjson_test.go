package exchange

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/store"
)

// testRow has each type that a row of a dump has.
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

// decodeText decodes a row as it stands in a line.
func decodeText(text string, into any, exact bool) error {
	record, err := openRecord([]byte(`{"record":"r","row":` + text + `}`))
	if err != nil {
		return err
	}
	return decodeRow(record.Row, into, exact)
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
		if err := decodeText(text, &row, true); err != nil {
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
		{`"count":-7`, `"count":-7,"count":-7`, `key "count" is there twice`},
		{`"count":-7`, `"count":1.5`, `key "count": it must be a whole number`},
		{`"count":-7`, `"count":01`, `no JSON`},
		{`"count":-7`, `"count":--1`, `no JSON`},
		{`"count":-7`, `"count":9223372036854775808`, `whole number`},
		{`"count":-7`, `"count":"1"`, `whole number`},
		{`"count":-7`, `"count":true`, `whole number`},
		{`"text":"a"`, `"text":1`, `key "text": it must be a text`},
		{`"text":"a"`, `"text":"` + "\xff" + `"`, `no UTF-8`},
		{`"text":"a"`, `"text":"` + "a\x01" + `"`, `no JSON`},
		{`"text":"a"`, `"text":"\x"`, `no JSON`},
		{`"text":"a"`, `"text":{"a":1}`, `it must be a text`},
		{`"text":"a"`, `"text":"a`, `no JSON`},
		{`"ratio":0.5`, `"ratio":.5`, `no JSON`},
		{`"bytes":"AP8="`, `"bytes":"A"`, `illegal base64`},
		{`"bytes":"AP8="`, "\"bytes\":\"AP\r8=\"", `no JSON`},
		{`"bytes":"AP8="`, `"bytes":7`, `cannot unmarshal`},
		{`"at":"now"}`, `"at":"now"} {}`, `no JSON`},
		{`"at":"now"}`, `"at":"now",}`, `no JSON`},
		{`"at":"now"}`, `"at":"now"`, `no JSON`},
		{`"at":"now"}`, `"at":}`, `no JSON`},
		{`"at":"now"}`, `"at" "now"}`, `no JSON`},
		{goodRow, `null`, `the row is null, not an object`},
		{goodRow, ``, `no JSON`},
	} {
		text := strings.Replace(goodRow, test.old, test.new, 1)
		var row testRow
		if err := decodeText(text, &row, true); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", text, err, test.want)
		}
	}
	var row testRow
	if err := decodeText(`{"more":{"a":[1,"}"]},"count":3}`, &row, false); err != nil || row.Count != 3 {
		t.Errorf("with other keys: %v, %v", row, err)
	}
}

// Where encoding/json and decodeRow both take a row, they take it for the same; and
// decodeRow takes no row that encoding/json does not.
func FuzzDecodeRow(f *testing.F) {
	f.Add(goodRow)
	f.Add(`{"text":"\ud83d\ude42 \" \\ \/","maybe":"","count":0,"some":null,"share":null,"ratio":1E+2,"bytes":null,"at":""}`)
	f.Fuzz(func(t *testing.T, text string) {
		var row, want testRow
		if err := decodeText(text, &row, true); err != nil {
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

// Lines of any length are read, the last one also without its end.
func TestDumpReader(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3<<20)
	read := DumpReader(strings.NewReader(`{"record":"file","row":{"file":"` + long + `"}}` + "\n" +
		`{ "row" : {"file":"YQ=="}, "base64": ["file"], "record": "file" }` + "\r\n" + `{"record":"file","row":{"file":"b"}}`))
	for n, want := range []string{long, "a", "b"} {
		line, err := read()
		if err != nil {
			t.Fatal(err)
		}
		if file, err := decodeFile(line); err != nil || file != want || line.Number != n+1 || line.Kind != "file" {
			t.Errorf("line %d: %s %.20q, %v", line.Number, line.Kind, file, err)
		}
	}
	for text, want := range map[string]string{
		"\n":                        "no JSON",
		`{"record":"file"}`:         "it has no record, or no row",
		`{"row":{}}`:                "it has no record, or no row",
		`{"record":"a","record":1}`: "unknown, or there twice",
		`{"record":"a","rows":1}`:   `"rows" is unknown`,
		`{"record":"a","base64":1}`: "cannot unmarshal",
	} {
		if _, err := DumpReader(strings.NewReader(text))(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 1: no record of a dump: ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	line, err := DumpReader(strings.NewReader(`{"record":"file","base64":["name"],"row":{"file":"b"}}`))()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decodeFile(line); err == nil || !strings.Contains(err.Error(), `base64 names "name", which is not a string of the row`) {
		t.Error(err)
	}
}

func decodeFile(line store.DumpLine) (string, error) {
	var row struct {
		File string `json:"file"`
	}
	err := line.Decode(&row, true)
	return row.File, err
}
