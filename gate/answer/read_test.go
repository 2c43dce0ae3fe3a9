package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/ledger"
)

const pass = `{"status":"pass","violations":[]}`

// with returns a failure with one violation that has further keys.
func with(keys string) string {
	return `{"status":"fail","violations":[{"file":"a.go","issue":"leaks","priority":"high",` + keys + `}]}`
}

// entryOf returns the form that with reads as, after a change.
func entryOf(change func(*ledger.Entry)) answer.Form {
	e := ledger.Entry{Position: 1, Place: ledger.Place{File: "a.go"}, Issue: "leaks", Priority: "high"}
	change(&e)
	return answer.Form{Status: answer.Fail, Violations: []ledger.Entry{e}}
}

// The text is one object, or one in a code fence.
//
// Rule: What is not an answer is an error.
func TestReadText(t *testing.T) {
	t.Parallel()
	const noFence = "the fence must be a line that begins with three backticks, the object, and a line of as many backticks, with nothing around it"
	for text, want := range map[string]string{
		pass: "",
		"\uFEFF \n\t\u00a0" + pass + " \r\n\uFEFF\n": "",
		"```json\n" + pass + "\n```":                 "",
		"\n\uFEFF```\r\n\r\n" + pass + "\r\n```\n\n": "",
		"````json with words\n" + pass + "\n`````":   "",
		"```json\n\uFEFF\n" + pass + "\n\n```":       "",

		"":                                      "the answer is empty",
		" \n\uFEFF":                             "the answer is empty",
		"```json\n```":                          "the answer is empty",
		"```json\n\n```":                        "the answer is empty",
		"```" + pass + "```":                    noFence,
		"```json " + pass + "\n```":             "the answer is empty",
		" ```json\n" + pass + "\n```":           noFence,
		"\n\t```json\n" + pass + "\n```":        noFence,
		"```json\n" + pass + "\n ```":           noFence,
		"````json\n" + pass + "\n```":           noFence,
		"```json\n" + pass + "\n``` end":        noFence,
		"```json\n" + pass + "\n":               noFence,
		"```js`on\n" + pass + "\n```":           noFence,
		"```":                                   noFence,
		"~~~json\n" + pass + "\n~~~":            "text before the object at byte 0",
		"``\n" + pass + "\n``":                  "text before the object at byte 0",
		"```\n" + pass + "\n```\nOK\n```":       "text after the object at byte 38",
		"```\nHere: " + pass + "\n```":          "text before the object at byte 4",
		" Looks good: " + pass:                  "text before the object at byte 1",
		"[" + pass + "]":                        "text before the object at byte 0",
		"LGTM":                                  "there is no JSON object",
		`"pass"`:                                "there is no JSON object",
		pass + "\n Done.":                       "text after the object at byte 35",
		pass + pass:                             "text after the object at byte 33",
		`{"status":"pass","violations":[`:       "the object is cut off at byte 31",
		`{"status":"pass","violations":[]`:      "the object is cut off at byte 32",
		`{"status":"pa`:                         "the object is cut off at byte 13",
		`{"status":pass,"violations":[]}`:       `the object is not JSON from byte 10 on: "pass,\"violations\":[]}"`,
		`{"status":"pass","violations":[],}`:    `the object is not JSON from byte 33 on: "}"`,
		`{"status":"pass" "violations":[]}`:     `the object is not JSON from byte 17 on: "\"violations\":[]}"`,
		`{'status':` + strings.Repeat("é", 100): `the object is not JSON from byte 1 on: "'status':` + strings.Repeat("é", 51) + `…"`,

		`{"status":"pass","violations":[],"status":"fail"}`:                     "/status: duplicate key",
		`{"status":"pass","violations":[],"st\u0061tus":"pass"}`:                "/status: duplicate key",
		with(`"x":[1,{"b\n":1,"a":2,"b\n":3}]`):                                 `/violations/0/x/1/"b\n": duplicate key`,
		`{"a":{"b":1,"b":2},"a":1,"status":"pass"}`:                             "/a/b: duplicate key",
		with(`"x":[[[[[[[[{"b":1,"b":2}]]]]]]]]`):                               `/violations/0/x/0/0/0/0/0/…: duplicate key`,
		`{"status":"pass","violations":[],"x":[{"b":1},{"b":1}],"y":{"b":"b"}}`: "/x: unknown key; /y: unknown key",
	} {
		form, misfit := answer.Read(text, answer.Asked{})
		if got := said(misfit); got != want {
			t.Errorf("Read(%q):\n%s\nwant\n%s", text, got, want)
		}
		if want == "" && form.Status != answer.Pass || want != "" && form.Status != "" {
			t.Errorf("Read(%q) has the status %q", text, form.Status)
		}
	}
}

func said(misfit *answer.Misfit) string {
	if misfit == nil {
		return ""
	}
	return misfit.Error()
}

// Each key has its rule, and the sentence says which rule is broken.
func TestReadMisfits(t *testing.T) {
	t.Parallel()
	asked := answer.Asked{Claims: []string{"c1", "C2"}, Disputes: []string{"d1"}, Known: []string{"k1"}}
	words := func(claims, disputes string) string {
		return `{"status":"fail","violations":[{"file":"a","issue":"b","priority":"low"}],"claims":[` + claims + `],"disputes":[` + disputes + `]}`
	}
	const c1 = `{"id":"c1","verdict":"fixed","evidence":"e"}`
	const c2 = `{"id":"c2","verdict":"fixed","evidence":"e"}`
	const d1 = `{"id":"d1","verdict":"stands","evidence":"e"}`
	entry := func(keys string) string { return `{"status":"fail","violations":[{` + keys + `}]}` }
	top := func(keys string) string { return `{"status":"pass","violations":[],` + keys + `}` }
	long := strings.Repeat("é", 61)
	for _, test := range []struct {
		text  string
		asked answer.Asked
		want  string
	}{
		{`{}`, answer.Asked{}, `/status: must be "pass", "fail" or "error"`},
		{`{"status":null,"violations":[]}`, answer.Asked{}, `/status: must be "pass", "fail" or "error"`},
		{`{"status":"PASS","violations":[]}`, answer.Asked{}, `/status: must be "pass", "fail" or "error"`},
		{`{"status":["pass"],"violations":[]}`, answer.Asked{}, `/status: must be "pass", "fail" or "error"`},
		{`{"status":"pass","notes":"x"}`, answer.Asked{}, "/violations: is missing: without any, it is []"},
		{`{"status":"pass","claims":[],"violations":null}`, answer.Asked{}, "/violations: is missing: without any, it is []"},
		{`{"status":"fail","message":"x"}`, answer.Asked{}, "/violations: is missing: without any, it is []"},
		{`{"status":"pass","message":["x"]}`, answer.Asked{}, "/message: must be text"},
		{`{"status":"error","message":" "}`, answer.Asked{}, `/reason: must say why, with status "error"`},
		{`{"status":"pass"}`, answer.Asked{Claims: []string{"c1"}, WordsRequired: true}, `/claims: "c1" has no entry`},
		{`{"status":"pass","violations":[],"claims":[]}`, answer.Asked{Claims: []string{"c1"}}, `/claims: "c1" has no entry`},
		{`{"status":"pass","violations":[],"claims":[]}`, answer.Asked{Disputes: []string{"d1"}}, `/disputes: "d1" has no entry`},
		{`{"status":"pass","violations":[],"not_reviewed":[]}`, answer.Asked{Claims: []string{"c1"}}, `/claims: "c1" has no entry`},
		{`{"status":"fail","violations":null}`, answer.Asked{}, "/violations: is missing: without any, it is []"},
		{`{"status":"pass","violations":{}}`, answer.Asked{}, "/violations: must be a list"},
		{`{"status":"fail","violations":[]}`, answer.Asked{}, `/status: "fail" needs a violation, a claim that is not fixed or a dispute that stands`},
		{`{"status":"error"}`, answer.Asked{}, `/reason: must say why, with status "error"`},
		{`{"status":"error","reason":null}`, answer.Asked{}, `/reason: must say why, with status "error"`},
		{`{"status":"error","reason":" \u00a0\n"}`, answer.Asked{}, `/reason: must say why, with status "error"`},
		{`{"status":"error","reason":5}`, answer.Asked{}, `/reason: must be text`},
		{top(`"summary":"x"`), answer.Asked{}, "/summary: unknown key"},
		{top(`"Status":"pass"`), answer.Asked{}, "/Status: unknown key"},
		{top(`"":1`), answer.Asked{}, `/"": unknown key`},
		{top(`"a/b":1`), answer.Asked{}, `/"a/b": unknown key`},
		{top(`"aZz-_09":1`), answer.Asked{}, `/aZz-_09: unknown key`},
		{top(`"` + strings.Repeat("a", 60) + `":1`), answer.Asked{}, "/" + strings.Repeat("a", 60) + ": unknown key"},
		{top(`"` + strings.Repeat("a", 61) + `":1`), answer.Asked{}, `/"` + strings.Repeat("a", 60) + `…": unknown key`},
		{top(`"` + long + `":1`), answer.Asked{}, `/"` + long[:120] + `…": unknown key`},
		{top(`"` + long[:120] + `":1`), answer.Asked{}, `/"` + long[:120] + `": unknown key`},
		{top(`"notes":["x"]`), answer.Asked{}, "/notes: must be text"},
		{top(`"reason":{}`), answer.Asked{}, "/reason: must be text"},
		{top(`"not_reviewed":"a.go"`), answer.Asked{}, "/not_reviewed: must be a list"},
		{top(`"not_reviewed":["a.go",""]`), answer.Asked{}, "/not_reviewed/1: must be text that is not blank"},
		{top(`"not_reviewed":[null]`), answer.Asked{}, "/not_reviewed/0: must be text that is not blank"},

		{`{"status":"fail","violations":["a.go:3 leaks"]}`, answer.Asked{}, "/violations/0: must be an object"},
		{`{"status":"fail","violations":["a.go:3 leaks"]}`, answer.Asked{Last: true}, "/violations/0: must be an object"},
		{entry(`"issue":"x","priority":"low"`), answer.Asked{}, `/violations/0: "file" is missing`},
		{entry(`"file":null,"issue":"x","priority":"low"`), answer.Asked{}, `/violations/0: "file" is missing`},
		{entry(`"file":"a","priority":"low"`), answer.Asked{}, `/violations/0: "issue" is missing`},
		{entry(`"file":"a","issue":"x"`), answer.Asked{}, `/violations/0: "priority" is missing`},
		{entry(`"file":"a","issue":" ","priority":"low"`), answer.Asked{}, `/violations/0: "issue" must be text that is not blank`},
		{entry(`"file":"a","issue":"x","priority":2`), answer.Asked{}, `/violations/0: "priority" must be text that is not blank`},
		{with(`"fix":["x"]`), answer.Asked{}, "/violations/0/fix: must be text"},
		{with(`"same_as":7`), answer.Asked{}, "/violations/0/same_as: must be text"},
		{with(`"fix":["x"]`), answer.Asked{Last: true}, "/violations/0/fix: must be text"},
		{with(`"also":{}`), answer.Asked{}, "/violations/0/also: must be a list"},
		{with(`"also":["b.go"]`), answer.Asked{}, "/violations/0/also/0: must be an object"},
		{with(`"also":[{"file":"b"},{"line":3}]`), answer.Asked{}, "/violations/0/also/1/file: must be text that is not blank"},
		{with(`"title":7`), answer.Asked{CodeReview: true}, "/violations/0/title: must be text"},
		{with(`"systemBreaking":"yes"`), answer.Asked{CodeReview: true}, "/violations/0/systemBreaking: must be true or false"},

		{words("", d1), asked, `/claims: "c1" has no entry`},
		{words(c1, d1), asked, `/claims: "C2" has no entry`},
		{words(c1, ""), answer.Asked{Claims: []string{"c1"}, Disputes: []string{"d1"}, ByAbsence: true}, `/disputes: "d1" has no entry`},
		{words(c1+","+c2+`,{"id":"zz","verdict":"fixed","evidence":"e"}`, d1), asked, `/claims/2: "zz" was not asked about`},
		{words(c1+","+c2, d1+","+`{"id":"c1","verdict":"stands","evidence":"e"}`), asked, `/disputes/1: "c1" was not asked about`},
		{words(c1+`,{"id":" C1 ","verdict":"not_fixed","evidence":"e"}`, d1), asked, `/claims: "c1" appears twice, as "fixed" and "not_fixed"`},
		{words(`{"id":"c1","verdict":"yes","evidence":"e"}`, d1), asked, `/claims/0/verdict: must be "fixed", "not_fixed" or "cannot_tell"`},
		{words(`{"id":"c1","verdict":"stands","evidence":"e"}`, d1), asked, `/claims/0/verdict: must be "fixed", "not_fixed" or "cannot_tell"`},
		{words(c1+","+c2, `{"id":"d1","verdict":"fixed","evidence":"e"}`), asked, `/disputes/0/verdict: must be "withdrawn" or "stands"`},
		{words(`{"id":"c1","verdict":"fixed"}`, d1), asked, "/claims/0/evidence: must be text that is not blank"},
		{words(`{"id":"c1","verdict":"fixed","evidence":"\t"}`, d1), asked, "/claims/0/evidence: must be text that is not blank"},
		{words(`{"verdict":"fixed","evidence":"e"}`, d1), asked, "/claims/0/id: must be text that is not blank"},
		{words(`true`, d1), asked, "/claims/0: must be an object"},
		{top(`"claims":"all fixed"`), asked, "/claims: must be a list"},
		{top(`"known":[{"id":"k1","evidence":"e"}]`), answer.Asked{}, "/known/0/gone: must be true or false"},
		{top(`"known":[{"id":"k1","gone":"true","evidence":"e"}]`), answer.Asked{}, "/known/0/gone: must be true or false"},
		{top(`"known":[{"id":"k1","gone":true}]`), answer.Asked{}, "/known/0/evidence: must be text that is not blank"},
		{top(`"known":[{"gone":true,"evidence":"e"}]`), answer.Asked{}, "/known/0/id: must be text that is not blank"},
		{top(`"known":{}`), answer.Asked{}, "/known: must be a list"},
	} {
		_, misfit := answer.Read(test.text, test.asked)
		if first, _, _ := strings.Cut(said(misfit), "; /"); first != test.want {
			t.Errorf("Read(%s):\n%v\nwant\n%s", test.text, misfit, test.want)
		}
	}
}

// At most five misfits are named, and none that follows from another one.
func TestReadSeveralMisfits(t *testing.T) {
	t.Parallel()
	asked := answer.Asked{Claims: []string{"c1", "c2"}}
	for text, want := range map[string]string{
		`{"notes":""}`: `/status: must be "pass", "fail" or "error"; /claims: "c1" has no entry; /claims: "c2" has no entry`,
		`{"status":"pass","violations":{},"claims":[true]}`:                      `/violations: must be a list; /claims/0: must be an object; /claims: "c1" has no entry; /claims: "c2" has no entry`,
		`{"status":"pass","violations":[],"claims":"all fixed"}`:                 `/claims: must be a list`,
		`{"status":"fail","violations":["x",{"line":3}],"claims":null,"a":1}`:    `/a: unknown key; /violations/0: must be an object; /violations/1: "file" is missing; /violations/1: "issue" is missing; /violations/1: "priority" is missing`,
		`{"status":"pass","violations":[],"claims":[{"id":"c1","verdict":"x"}]}`: `/claims/0/verdict: must be "fixed", "not_fixed" or "cannot_tell"; /claims/0/evidence: must be text that is not blank; /claims: "c2" has no entry`,
	} {
		if _, misfit := answer.Read(text, asked); said(misfit) != want {
			t.Errorf("%s:\n%v\nwant\n%s", text, misfit, want)
		}
	}
}

// What fits is taken literally, and what does not gets a remark.
func TestReadForm(t *testing.T) {
	t.Parallel()
	asked := answer.Asked{Claims: []string{"c1", " C2"}, Disputes: []string{"d1"}, Known: []string{"K1", "k2"}}
	half := 0.5
	for _, test := range []struct {
		name  string
		text  string
		asked answer.Asked
		want  answer.Form
	}{
		{"pass", pass, answer.Asked{Last: true, CodeReview: true}, answer.Form{Status: answer.Pass}},
		{"plain", `{"status":"pass"}`, answer.Asked{}, answer.Form{Status: answer.Pass}},
		{"plain, with a message", `{"status":"pass","message":"fine","violations":null,"claims":null}`, asked, answer.Form{Status: answer.Pass, Notes: "fine", Silent: []string{"c1", " C2", "d1"}}},
		{"plain, of a reviewer by absence", `{"status":"pass"}`, answer.Asked{Claims: []string{"c1"}, Disputes: []string{"d1"}, ByAbsence: true}, answer.Form{Status: answer.Pass, Silent: []string{"d1"}}},
		{"plain, in error", `{"status":"error","message":"no network"}`, asked, answer.Form{Status: answer.Error, Reason: "no network"}},
		{"a message in the form", `{"status":"error","violations":[],"reason":"r","message":"m","notes":"n"}`, asked, answer.Form{Status: answer.Error, Reason: "r", Notes: "n\n\nm"}},
		{"null is absence", `{"status":"pass","violations":[],"claims":null,"disputes":null,"known":null,"not_reviewed":null,"notes":null,"reason":null}`, answer.Asked{}, answer.Form{Status: answer.Pass}},
		{"blank texts", `{"status":"pass","violations":[],"notes":"","reason":" "}`, answer.Asked{}, answer.Form{Status: answer.Pass, Reason: " "}},
		{"a pass with violations is a failure", `{"status":"pass","notes":"n","violations":[{"file":"a.go","issue":"leaks","priority":" HIGH\n"}]}`, answer.Asked{},
			answer.Form{Status: answer.Fail, Notes: "n", Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a.go"}, Issue: "leaks", Priority: "high"}}}},
		{"error", `{"status":"error","reason":"no files","violations":null}`, answer.Asked{}, answer.Form{Status: answer.Error, Reason: "no files"}},
		{"error with violations", `{"status":"error","reason":"r","violations":[{"file":"a","issue":"b","priority":"info"}]}`, answer.Asked{},
			answer.Form{Status: answer.Error, Reason: "r", Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a"}, Issue: "b", Priority: "info"}}}},
		{"words", `{"status":"pass","violations":[],
			"claims":[{"id":"C2 ","verdict":"fixed","evidence":"e2"},{"id":"c1","verdict":"cannot_tell","evidence":"e1","x":1},{"id":"c1","verdict":"cannot_tell","evidence":"again"}],
			"disputes":[{"id":"d1","verdict":"withdrawn","evidence":"e"}],
			"known":[{"id":"k1","gone":true,"evidence":"e"},{"id":"k1","gone":false,"evidence":"f"},{"id":"k1","gone":true,"evidence":"g"},{"id":"x","gone":true,"evidence":"e"}],
			"not_reviewed":["b.go"]}`, asked,
			answer.Form{Status: answer.Fail,
				Claims:      []ledger.ClaimWord{{ID: "c2", Verdict: ledger.ClaimFixed, Evidence: "e2"}, {ID: "c1", Verdict: ledger.ClaimCannotTell, Evidence: "e1"}},
				Disputes:    []ledger.ClaimWord{{ID: "d1", Verdict: ledger.DisputeWithdrawn, Evidence: "e"}},
				Known:       []answer.Gone{{ID: "k1", Evidence: "f"}},
				NotReviewed: []string{"b.go"},
				Remarks:     []string{`/known/3: ignored: "x" was not listed`}}},
		{"a fail behind which is a claim", `{"status":"fail","violations":[],"claims":[{"id":"c1","verdict":"not_fixed","evidence":"e"}]}`, answer.Asked{Claims: []string{"c1"}},
			answer.Form{Status: answer.Fail, Claims: []ledger.ClaimWord{{ID: "c1", Verdict: ledger.ClaimNotFixed, Evidence: "e"}}}},
		{"a fail behind which is a dispute", `{"status":"fail","violations":[],"disputes":[{"id":"d1","verdict":"stands","evidence":"e"}]}`, answer.Asked{Disputes: []string{"d1"}},
			answer.Form{Status: answer.Fail, Disputes: []ledger.ClaimWord{{ID: "d1", Verdict: ledger.DisputeStands, Evidence: "e"}}}},
		{"an error says nothing of claims", `{"status":"error","reason":"r"}`, answer.Asked{Claims: []string{"c1"}, Disputes: []string{"d1"}}, answer.Form{Status: answer.Error, Reason: "r"}},
		{"by absence", pass, answer.Asked{Claims: []string{"c1"}, ByAbsence: true}, answer.Form{Status: answer.Pass}},
		{"by absence, in part", `{"status":"pass","violations":[],"claims":[{"id":"c2","verdict":"fixed","evidence":"e"}]}`, answer.Asked{Claims: []string{"c1", "c2"}, ByAbsence: true},
			answer.Form{Status: answer.Pass, Claims: []ledger.ClaimWord{{ID: "c2", Verdict: ledger.ClaimFixed, Evidence: "e"}}}},
		{"all keys of an entry", with(`"line":"10-14","fix":"close","same_as":" C1 ","also":[{"file":"b.go","line":3,"x":0},{"file":"c.go"}],"title":7,"confidence":0.5,"systemBreaking":"x","severity":"low"`), answer.Asked{},
			entryOf(func(e *ledger.Entry) {
				e.Place.Start, e.Place.End, e.Fix, e.SameAs = 10, 14, "close", "c1"
				e.Also = []ledger.Place{{File: "b.go", Start: 3, End: 3}, {File: "c.go"}}
			})},
		{"other names of keys", `{"status":"fail","violations":[{"file":"a.go","description":"leaks","priority":"high","suggestion":"close","recommendation":"wait"}]}`, answer.Asked{}, func() answer.Form {
			form := entryOf(func(e *ledger.Entry) { e.Fix = "close" })
			form.Remarks = []string{`/violations/0: "description" is read as "issue", which is missing`, `/violations/0: "suggestion" is read as "fix", which is missing`}
			return form
		}()},
		{"other names of keys beside the right ones", with(`"fix":"close","description":"x","suggestion":"y","recommendation":"z"`), answer.Asked{}, entryOf(func(e *ledger.Entry) { e.Fix = "close" })},
		{"a recommendation", with(`"fix":" ","suggestion":7,"recommendation":"wait"`), answer.Asked{}, func() answer.Form {
			form := entryOf(func(e *ledger.Entry) { e.Fix = "wait" })
			form.Remarks = []string{`/violations/0: "recommendation" is read as "fix", which is missing`}
			return form
		}()},
		{"null in an entry", with(`"line":null,"fix":null,"same_as":null,"also":null,"title":null,"confidence":null,"systemBreaking":null`), answer.Asked{CodeReview: true}, entryOf(func(*ledger.Entry) {})},
		{"code review", with(`"title":"Leak","confidence":5e-1,"systemBreaking":true`), answer.Asked{CodeReview: true},
			entryOf(func(e *ledger.Entry) { e.Title, e.Confidence, e.SystemBreaking = "Leak", &half, true })},
		{"no confidence", with(`"confidence":"0.5","systemBreaking":false`), answer.Asked{CodeReview: true}, entryOf(func(*ledger.Entry) {})},
		{"confidence beyond numbers", with(`"confidence":1e400`), answer.Asked{CodeReview: true}, entryOf(func(*ledger.Entry) {})},
		{"NUL and broken UTF-8", "{\"status\":\"pass\",\"violations\":[],\"notes\":\"a\xff\\u0000\\ud800\\n\"}", answer.Asked{}, answer.Form{Status: answer.Pass, Notes: "a\uFFFD\uFFFD\uFFFD\n"}},
		{"unknown priority", `{"status":"fail","violations":[{"file":"a.go","issue":"leaks","priority":"P1\u0007"}]}`, answer.Asked{}, answer.Form{Status: answer.Fail,
			Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a.go"}, Issue: "leaks", Priority: "high"}}, Warnings: []string{`/violations/0: the unknown priority "P1\a" counts as high`}}},
		{"malformed", `{"status":"fail","violations":[{"issue":" ","priority":null},{"file":"a","issue":"b","priority":"low"},{"file":"a","issue":"b","priority":3},{"file":"a","priority":"low"}]}`, answer.Asked{Last: true},
			answer.Form{Status: answer.Fail, Violations: []ledger.Entry{
				{Position: 1, Missing: []string{"file", "issue", "priority"}},
				{Position: 2, Place: ledger.Place{File: "a"}, Issue: "b", Priority: "low"},
				{Position: 3, Place: ledger.Place{File: "a"}, Issue: "b", Missing: []string{"priority"}},
				{Position: 4, Place: ledger.Place{File: "a"}, Priority: "low", Missing: []string{"issue"}}}}},
	} {
		form, misfit := answer.Read(test.text, test.asked)
		if misfit != nil {
			t.Errorf("%s: %v", test.name, misfit)
		} else if diff := cmp.Diff(test.want, form); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Rule: A report is never filtered for its name.
func TestReadLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][2]int{
		`27`: {27, 27}, `27.0`: {27, 27}, `2.7e1`: {27, 27}, `1`: {1, 1}, `2147483647`: {2147483647, 2147483647},
		`"27"`: {27, 27}, `" 27 "`: {27, 27}, `"027"`: {27, 27}, `"10-14"`: {10, 14}, `"14-10"`: {10, 14}, `"10 – 14"`: {10, 14}, `"7-7"`: {7, 7},
		`null`: {},
	} {
		form, misfit := answer.Read(with(`"line":`+line), answer.Asked{})
		if at := form.Violations[0].Place; misfit != nil || at.Start != want[0] || at.End != want[1] || form.Remarks != nil {
			t.Errorf("line %s is %v (%v, %q), not %v", line, at, misfit, form.Remarks, want)
		}
	}
	for line, quoted := range map[string]string{
		`0`: "0", `-3`: "-3", `2.5`: "2.5", `1e400`: "1e400", `2147483648`: "2147483648", `true`: "true", `[]`: "[]",
		`""`: "", `"12-13-14"`: "12-13-14", `"about -12"`: "about -12", `"-12"`: "-12", `"0-5"`: "0-5", `"5-0"`: "5-0", `"1-2-3"`: "1-2-3", `"somewhere"`: "somewhere", `"3, 5 and 7"`: "3, 5 and 7", `"0x1F"`: "0x1F", `"1_0"`: "1_0", `"Inf"`: "Inf", `"10-2147483648"`: "10-2147483648",
		`"` + strings.Repeat("9", 70) + `"`: strings.Repeat("9", 60) + "…",
	} {
		form, misfit := answer.Read(with(`"line":`+line), answer.Asked{})
		if misfit != nil {
			t.Errorf("line %s: %v", line, misfit)
			continue
		}
		want := entryOf(func(*ledger.Entry) {})
		want.Remarks = []string{`/violations/0: line "` + quoted + `" is not a line number, so the entry is about the file as a whole`}
		if diff := cmp.Diff(want, form); diff != "" {
			t.Errorf("line %s (-want +got):\n%s", line, diff)
		}
	}
	for line, want := range map[string][2]int{
		`"12-"`: {12, 12}, `"L10"`: {10, 10}, `"about 121"`: {121, 121}, `"121:5"`: {121, 121}, `"12 of 60"`: {12, 12}, `"12/60"`: {12, 12}, `"L12-L15"`: {12, 15}, `"lines 15 to 12"`: {12, 15},
		`"12:5-14:9"`: {12, 14}, `"a.go:12"`: {12, 12}, `[5]`: {5, 5}, `[5,9]`: {5, 9}, `{"start":5,"end":9}`: {5, 9}, `"~3"`: {3, 3}, `"x-5"`: {5, 5}, `"12..15"`: {12, 15},
	} {
		form, misfit := answer.Read(with(`"line":`+line), answer.Asked{})
		if at := form.Violations[0].Place; misfit != nil || at.Start != want[0] || at.End != want[1] || len(form.Remarks) != 1 || !strings.HasSuffix(form.Remarks[0], " is read as "+at.Lines()) {
			t.Errorf("line %s is %v (%v, %q), not %v", line, at, misfit, form.Remarks, want)
		}
	}
	form, _ := answer.Read(with(`"also":[{"file":"b","line":"x"}]`), answer.Asked{})
	if want := []string{`/violations/0/also/0: line "x" is not a line number, so the entry is about the file as a whole`}; !cmp.Equal(form.Remarks, want) {
		t.Errorf("%q", form.Remarks)
	}
}

// many returns an answer with n violations, each with different words.
func many(n int) string {
	var b strings.Builder
	b.WriteString(`{"status":"fail","violations":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"file":"src/file%d.go","line":"%d-%d","issue":"The \"handle\" is not closed in case %d, so it leaks.","fix":"Close it.","priority":"high","same_as":null,"also":[{"file":"b.go","line":3}]}`, i%100, i+1, i+3, i)
	}
	b.WriteString("]}")
	return b.String()
}

// The number of violations is limited, as the schema says.
func TestReadMany(t *testing.T) {
	t.Parallel()
	entries := func(n int) string {
		return `{"status":"fail","violations":[` + strings.TrimSuffix(strings.Repeat(`{"file":"a","issue":"b","priority":"low"},`, n), ",") + "]}"
	}
	if form, misfit := answer.Read(entries(100_000), answer.Asked{}); misfit != nil || len(form.Violations) != 100_000 {
		t.Errorf("%d violations, %v", len(form.Violations), misfit)
	}
	if _, misfit := answer.Read(entries(100_001), answer.Asked{}); said(misfit) != "/violations: has more than 100000 entries" {
		t.Errorf("one more: %v", misfit)
	}
}

func BenchmarkRead20000(b *testing.B) {
	text := many(20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if form, misfit := answer.Read(text, answer.Asked{}); misfit != nil || len(form.Violations) != 20_000 {
			b.Fatal(misfit)
		}
	}
}

func BenchmarkSalvage20000(b *testing.B) {
	text := "Here it is: " + many(20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if form := answer.Salvage(text, answer.Asked{}); len(form.Violations) != 20_000 {
			b.Fatal(len(form.Violations))
		}
	}
}
