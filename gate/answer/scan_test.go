package answer

import (
	"encoding/json"
	"strings"
	"testing"
)

// isJSON reports whether the scanner accepts the whole text.
func isJSON(text string) bool {
	s := scanner{text: text}
	valid := s.value()
	s.blanks()
	return valid && s.at == len(text)
}

// The scanner accepts what encoding/json accepts.
func TestScanner(t *testing.T) {
	t.Parallel()
	nested := func(open, inside, end string, depth int) string {
		return strings.Repeat(open, depth) + inside + strings.Repeat(end, depth)
	}
	for text, want := range map[string]bool{
		`{}`: true, `[]`: true, ` [ ] `: true, `{ }`: true, "\t\r\n{\n\"a\"\r:\t1 , \"b\" : [ 1 , 2 ] }": true,
		`true`: true, `false`: true, `null`: true, `"a"`: true, `0`: true, `-0`: true, `10`: true, `-12.50e+3`: true, `1E-2`: true, `0e1`: true, `9`: true, `1e9`: true,
		`"\"\\\/\b\f\n\r\t\u00eF\u09aA"`: true, "\"\x7f é\u2028\"": true,
		``: false, ` `: false, `{`: false, `[`: false, `"`: false, `{]`: false, `[}`: false, `{"a"}`: false, `{"a":}`: false, `{"a" 1}`: false, `{a:1}`: false, `{1:1}`: false, `{"a":1,}`: false, `{,}`: false,
		`[1,]`: false, `[1 2]`: false, `[,1]`: false, `{"a":1 "b":2}`: false, `{"a:1}`: false, `[1`: false, `[1,`: false, `{"a":1`: false, `{"a`: false, `{"a"`: false, `{"a":`: false,
		`tru`: false, `trux`: false, `nul`: false, `falsy`: false, `True`: false, `+1`: false, `01`: false, `1.`: false, `.5`: false, `1e`: false, `1e+`: false, `-`: false, `--1`: false, `1e+-2`: false, `0x1`: false, `NaN`: false,
		"\"a\nb\"": false, "\"\x00\"": false, "\"\x1f\"": false, `"\x"`: false, `"\u12"`: false, `"\u12G4"`: false, `"\`: false, `"\u`: false, `"\u123`: false, `"\u1234`: false, "\"\\\x00\"": false, "\"\\u000\x00\"": false, "\x00": false, "[\x00]": false,
		`1 2`: false, `{}{}`: false, "\u00a01": false, "\v1": false,
		nested("[", "", "]", 10_000): true, nested("[", "1", "]", 10_000): true, nested("[", "", "]", 10_001): false,
		nested(`{"a":`, "{}", "}", 9_999): true, nested(`{"a":`, "{}", "}", 10_000): false,
		"[" + nested("[", "1", "]", 9_999) + ",1," + nested("[", "1", "]", 9_999) + "]": true,
	} {
		if got := isJSON(text); got != want || json.Valid([]byte(text)) != want {
			t.Errorf("%.60q: %v, encoding/json says %v, want %v", text, got, json.Valid([]byte(text)), want)
		}
	}
}
