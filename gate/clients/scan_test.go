package clients

import (
	"fmt"
	"strings"
	"testing"
)

// What is an object, what is cut, and what goes wrong where. A brace without a key is prose.
func TestFindObjects(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, maxDepth+1) + "1"
	for text, want := range map[string]string{
		``:                   "[] cut -1 deep -1 broken []",
		`a { b`:              "[] cut -1 deep -1 broken []",
		`{`:                  "[] cut -1 deep -1 broken []",
		`{ `:                 "[] cut -1 deep -1 broken []",
		`{}`:                 "[{0 2}] cut -1 deep -1 broken []",
		`x {"a":1} {"b":[]}`: "[{2 9} {10 18}] cut -1 deep -1 broken []",
		`{"a`:                "[] cut 0 deep -1 broken []",
		`{"a"`:               "[] cut 0 deep -1 broken []",
		`{"a":`:              "[] cut 0 deep -1 broken []",
		`{"a":tru`:           "[] cut 0 deep -1 broken []",
		`{"a":1`:             "[] cut 0 deep -1 broken []",
		`{"a":1,`:            "[] cut 0 deep -1 broken []",
		`{"a" 1}`:            "[] cut -1 deep -1 broken [{0 5}]",
		`{"a"::1}`:           "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":1:}`:           "[] cut -1 deep -1 broken [{0 6}]",
		`{"a":1]`:            "[] cut -1 deep -1 broken [{0 6}]",
		`{"a":[1}`:           "[] cut -1 deep -1 broken [{0 7}]",
		`{"a":[1,]}`:         "[] cut -1 deep -1 broken [{0 8}]",
		`{"a":1,}`:           "[] cut -1 deep -1 broken [{0 7}]",
		// What is in a string that the text ends within is not looked at.
		`{"a":"x {}`:                "[] cut 0 deep -1 broken []",
		`{"a" {} "b`:                "[{5 7}] cut -1 deep -1 broken [{0 5}]",
		`{"a {} "`:                  "[] cut 0 deep -1 broken []",
		`{"a {}":1 x`:               "[] cut -1 deep -1 broken [{0 10}]",
		`{"a {}": x}`:               "[] cut -1 deep -1 broken [{0 9}]",
		`{"a {}":[}`:                "[] cut -1 deep -1 broken [{0 9}]",
		`{"a":[{"b {}":{},}]`:       "[] cut -1 deep -1 broken [{0 17}]",
		`{"a {}`:                    "[] cut 0 deep -1 broken []",
		`{"a":"b" {}`:               "[{9 11}] cut -1 deep -1 broken [{0 9}]",
		`{"a":nil}`:                 "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":}`:                    "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":,`:                    "[] cut -1 deep -1 broken [{0 5}]",
		`{a} {"b":1}`:               "[{4 11}] cut -1 deep -1 broken []",
		`{"a" x {"b":1}`:            "[{7 14}] cut -1 deep -1 broken [{0 5}]",
		`{"a":1 {"b":2}`:            "[{7 14}] cut -1 deep -1 broken [{0 7}]",
		`{"it": "x" " {"b":2}`:      "[{13 20}] cut -1 deep -1 broken [{0 11}]",
		`{"a":[` + `{"b":1}` + `]}`: "[{0 15}] cut -1 deep -1 broken []",
		`{"a":1} {"b`:               "[{0 7}] cut 8 deep -1 broken []",
		// The first that nests too deep counts, and the scan goes on in what follows.
		deep + "\n}" + deep:         fmt.Sprintf("[{%d %d}] cut %d deep 0 broken [{0 %[1]d} {%[2]d %[3]d}]", 5*maxDepth, 5*maxDepth+8, 10*maxDepth+8),
		`"}" {"a":1,"b"`:            "[] cut 4 deep -1 broken []",
		`{"a":"\u12`:                "[] cut 0 deep -1 broken []",
		`{"a":"\u12"}`:              "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":"\u12fF"}`:            "[{0 14}] cut -1 deep -1 broken []",
		`{"a":"\u12fg"}`:            "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":"\`:                   "[] cut 0 deep -1 broken []",
		`{"a":"\q"}`:                "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":"\\","b":"\"}"}`:      "[{0 20}] cut -1 deep -1 broken []",
		"{\"a\":\"\n\"}":            "[] cut -1 deep -1 broken [{0 5}]",
		"{\"a\":\" \x7f\"}":         "[{0 10}] cut -1 deep -1 broken []",
		`{"a":-0.5e+9,"b":[1,{}]}`:  "[{0 24}] cut -1 deep -1 broken []",
		`{"a":Zz}`:                  "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":Zz`:                   "[] cut 0 deep -1 broken []",
		`{"a":zZ`:                   "[] cut 0 deep -1 broken []",
		`{"a":A`:                    "[] cut 0 deep -1 broken []",
		`{"a":9`:                    "[] cut 0 deep -1 broken []",
		`{"a":0`:                    "[] cut 0 deep -1 broken []",
		`{"a":+`:                    "[] cut 0 deep -1 broken []",
		`{"a":.`:                    "[] cut 0 deep -1 broken []",
		`{"a":_`:                    "[] cut -1 deep -1 broken [{0 5}]",
		`{"a":[]`:                   "[] cut 0 deep -1 broken []",
		`{"a":{}}`:                  "[{0 8}] cut -1 deep -1 broken []",
		`{"a":[,1]}`:                "[] cut -1 deep -1 broken [{0 6}]",
		`{,}`:                       "[] cut -1 deep -1 broken []",
		`{"a":1,"b":2}`:             "[{0 13}] cut -1 deep -1 broken []",
		`{"a":[1,2],"b":["x","y"]}`: "[{0 25}] cut -1 deep -1 broken []",
		`{"a":["x" "y"]}`:           "[] cut -1 deep -1 broken [{0 10}]",
		`{"a":1 "b"}`:               "[] cut -1 deep -1 broken [{0 7}]",
		`{"a""b"}`:                  "[] cut -1 deep -1 broken [{0 4}]",
		deep:                        fmt.Sprintf("[] cut %d deep 0 broken [{0 %[1]d}]", 5*maxDepth),
	} {
		found := findObjects(text)
		got := fmt.Sprint(found.objects, " cut ", found.cut, " deep ", found.deep, " broken ", found.broken)
		if got != want {
			t.Errorf("%.60q: %s, want %s", text, got, want)
		}
	}
	found := findObjects(`{"a" 1} {"b" 2}`)
	for at, want := range map[int]int{0: -1, 1: 5, 8: 5, 9: 13, 15: 13} {
		if got := found.wrongBefore(at); got != want {
			t.Errorf("before byte %d it goes wrong at %d, want %d", at, got, want)
		}
	}
}

// An error names the byte of the text, and where its JSON goes wrong, only where there is one.
func TestErrorsOfAnswers(t *testing.T) {
	t.Parallel()
	const none = "JSON parsing failed: no JSON object with a status of pass or fail"
	for text, want := range map[string]string{
		"":                                   "JSON parsing failed: the answer is empty",
		" \n":                                "JSON parsing failed: the answer is empty",
		"{}":                                 none,
		`{"a":1}`:                            none,
		`{"status":"done"}`:                  none,
		`{"issue":""}`:                       none,
		`x {"a" 1} y`:                        none + " (invalid JSON at byte 7)",
		`{"a":}`:                             none + " (invalid JSON at byte 5)",
		`{"status":"pass"} {"status`:         "JSON parsing failed: truncated JSON object at byte 18",
		`{"status":"pass"}{"issue":"x"}`:     "JSON parsing failed: a violation outside of an answer at byte 17",
		`{"status":"pass","status":"error"}`: "JSON parsing failed: two different statuses in the JSON object at byte 0",
		`{"status":"error"}`:                 "the reviewer could not review: it gives no reason",
		`{"status":"pass"}` + "{}":           "",
		`{"status":"pass"}{"issue":""}`:      "",
		"{} " + `{"status":"pass"}`:          "",
	} {
		answer, err := ParseAnswer(text)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want || err == nil && answer.Status != StatusPass {
			t.Errorf("%q: %q, %+v", text, got, answer)
		}
	}
}

// What begins a list, or a text, with something in it.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][2]bool{ // list, text
		"": {}, "x": {}, "1": {}, "{": {}, "[": {}, "[]": {}, "[1": {}, "[ ]": {}, "[ \n{": {true, false}, `["a`: {true, false}, "['a": {true, false}, `[\"a`: {true, false}, `[""]`: {true, false},
		`"`: {}, `""`: {}, `" "`: {}, `"\`: {}, `"x`: {false, true}, `\"x`: {false, true}, `" x`: {false, true}, "'x": {false, true}, "`x": {false, true},
		"“x": {false, true}, "”x": {false, true}, "‘x": {false, true}, "’x": {false, true}, "“”": {}, "''": {}, ` "x`: {},
	} {
		if list, text := beginsList(value), beginsText(value); list != want[0] || text != want[1] {
			t.Errorf("%q begins a list: %v, a text: %v", value, list, text)
		}
	}
}
