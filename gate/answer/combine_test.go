package answer_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/ledger"
)

// at returns a violation with these words.
func at(position int, file string, line int, issue string) ledger.Entry {
	return ledger.Entry{Position: position, Place: ledger.Place{File: file, Start: line, End: line}, Issue: issue, Priority: "low"}
}

func jsonOf(file string, line int, issue string) string {
	return fmt.Sprintf(`{"file":%q,"line":%d,"issue":%q,"priority":"low"}`, file, line, issue)
}

// Salvage keeps the complete entries of a text that does not fit.
func TestSalvage(t *testing.T) {
	t.Parallel()
	asked := answer.Asked{Claims: []string{"C1", "c2"}, Disputes: []string{"d1"}, CodeReview: true}
	a, b := jsonOf("a", 1, "x"), jsonOf("b", 2, "y")
	both := []ledger.Entry{at(1, "a", 1, "x"), at(2, "b", 2, "y")}
	for _, test := range []struct {
		name, text string
		want       answer.Form
	}{
		{"nothing", "", answer.Form{}},
		{"no object", "LGTM }", answer.Form{}},
		{"behind prose", `I'd say "no": {"status":"fail","violations":[` + a + "," + b + "]} Thanks", answer.Form{Status: answer.Fail, Violations: both}},
		{"in a fence", "Here:\n```json\n{\"status\":\"fail\",\"violations\":[" + a + "," + b + "]}\n```\n", answer.Form{Status: answer.Fail, Violations: both}},
		{"in two objects", `{"status":"pass","violations":[` + a + `]} {"violations":[` + b + `],"status":"error","reason":"r"} {"status":"fail"}`, answer.Form{Status: answer.Error, Reason: "r", Violations: both}},
		{"a pass does not outweigh", `{"status":"fail"}{"status":"pass"}{"status":"new"}{"status":7}`, answer.Form{Status: answer.Fail}},
		{"inside an object", `{"result":{"x":[{"status":"fail","violations":[` + a + "," + b + `]}]},"violations":true}`, answer.Form{Status: answer.Fail, Violations: both}},
		{"cut off in an entry", `{"status":"fail","violations":[` + a + "," + b + `,{"file":"c","issue":"z","priority":"low"`, answer.Form{Status: answer.Fail, Violations: both}},
		{"cut off in the object", `{"outer":{"status":"fail","violations":[` + a + "," + b + `],"claims":[{"id":"c1","verdict":"not_fixed","evidence":"e"}`, answer.Form{Status: answer.Fail, Violations: both,
			Claims: []ledger.ClaimWord{{ID: "c1", Verdict: ledger.ClaimNotFixed, Evidence: "e"}}}},
		{"broken between", `{"violations":[` + a + "; " + b + `]}`, answer.Form{Violations: both}},
		{"broken in an entry", `{"violations":[{"file":"c","issue":"\d","priority":"low"},` + a + "," + b + `],"status":"fail","not_reviewed" : ["n"]}`, answer.Form{Status: answer.Fail, Violations: both, NotReviewed: []string{"n"}}},
		{"broken in a key", `{"status": fail, "violations":[` + a + "," + b + `]}`, answer.Form{Violations: both}},
		{"broken in a word", `{"claims":[{"id":"c1","verdict":"fixed","evidence":"\d"},{"id":"c2","verdict":"not_fixed","evidence":"e"},{"id":"zz","verdict":"not_fixed"}],"disputes":[x,{"id":"d1","verdict":"stands"}]}`, answer.Form{
			Claims: []ledger.ClaimWord{{ID: "c2", Verdict: ledger.ClaimNotFixed, Evidence: "e"}}, Disputes: []ledger.ClaimWord{{ID: "d1", Verdict: ledger.DisputeStands}}}},
		{"no element of a whole object", "if x { " + `{"notes":"n","x":[1,2]} {"violations":[` + a + `]}`, answer.Form{Violations: both[:1]}},
		{"no broken object", `"status":"fail" ` + a + ` {"violations":[` + b + `]}`, answer.Form{Violations: both}},
		{"a bare list", "[" + a + "," + b + "]", answer.Form{Violations: both}},
		{"under other keys", `{"findings":[` + a + `],"summary":{"worst":` + b + `}}`, answer.Form{Violations: both}},
		{"lines of objects", a + "\n" + b, answer.Form{Violations: both}},
		{"one in another", `{"file":"b","line":2,"issue":"y","priority":"low","cause":` + a + `}`, answer.Form{Violations: both}},
		{"beside broken JSON", `[` + a + `,` + b + `,{"file":"c`, answer.Form{Violations: both}},
		{"the example of the prompt", `[{"file":"path/to/file","line":"10-14","issue":"…","fix":"…","priority":"medium"},` + a + `,{"file":"a","issue":" ... ","priority":"low"}]`, answer.Form{Violations: both[:1]}},
		{"words on what was listed", `{"claims":[{"id":"zz","verdict":"fixed","evidence":"e","file":"a","issue":"x","priority":"low"}],"known":[{"id":"k","gone":true,"file":"a","issue":"x","priority":"low"}],"x":[{"id":"7","file":"a","line":1,"issue":"x","priority":"low"}]}`, answer.Form{Violations: both[:1]}},
		{"keys of several objects", `{"a":{"file":"a"},"b":{"issue":"x","c":{"priority":"low"}},"priority":"low"} {"issue":"x"} {"file":"a","priority":"low"}`, answer.Form{}},
		{"other names of keys", `{"issues":[{"file":"a","line":1,"description":"x","priority":"low"}]}`, answer.Form{Violations: both[:1], Remarks: []string{`: "description" is read as "issue", which is missing`}}},
		{"too deep", strings.Repeat("[", 80) + strings.Repeat(`{"x":`, 70) + a, answer.Form{}},
		{"behind a quotation mark", `{ "unclosed {"status":"fail","violations":[` + a + "," + b + "]}", answer.Form{Status: answer.Fail, Violations: both}},
		{"behind a brace", `use { and {"status":"fail","violations":[` + a + "," + b + "]}", answer.Form{Status: answer.Fail, Violations: both}},
		{"behind broken JSON", `{"status":"fail",,{"violations":[` + a + "," + b + "]}", answer.Form{Status: answer.Fail, Violations: both}},
		{"not inside texts", `{"notes":"{\"status\":\"fail\"} {status","x":["{}"]}`, answer.Form{}},
		{"said twice", `{"violations":[` + a + "," + a + "," + b + `]} {"violations":[` + b + "]}", answer.Form{Violations: both}},
		{"the same but for its dress", `{"violations":[` + jsonOf("a", 1, "The  “x” is\n`Bad`.") + "," + jsonOf(" a ", 1, "the 'X' is bad!") + "]}", answer.Form{Violations: []ledger.Entry{at(1, "a", 1, "The  “x” is\n`Bad`.")}}},
		{"other places and words", `{"violations":[` + jsonOf("a", 1, "x") + "," + jsonOf("a", 2, "x") + "," + jsonOf("b", 1, "x") + "," + jsonOf("a", 1, "x y") + "]}",
			answer.Form{Violations: []ledger.Entry{at(1, "a", 1, "x"), at(2, "a", 2, "x"), at(3, "b", 1, "x"), at(4, "a", 1, "x y")}}},
		{"other ends", `{"violations":[{"file":"a","line":"1-2","issue":"x","priority":"low"},` + a + "]}", answer.Form{Violations: []ledger.Entry{
			{Position: 1, Place: ledger.Place{File: "a", Start: 1, End: 2}, Issue: "x", Priority: "low"}, at(2, "a", 1, "x")}}},
		{"incomplete entries", `{"violations":[{"issue":"x","priority":"low"},{"file":"a","issue":" ","priority":"low"},"a",null,` + a + `],"claims":[7],"disputes":[[]]}`, answer.Form{Violations: both[:1]}},
		{"other keys do not fit", `{"violations":[{"file":"a","line":"x","issue":"x","priority":"P0","fix":7}]}`, answer.Form{
			Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a"}, Issue: "x", Priority: "high"}},
			Warnings:   []string{`: the unknown priority "P0" counts as high`},
			Remarks:    []string{`: line "x" is not a line number, so the entry is about the file as a whole`}}},
		{"keys of a code review", `{"violations":[{"file":"a","issue":"x","priority":"low","title":"T"}]}`, answer.Form{Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a"}, Issue: "x", Priority: "low", Title: "T"}}}},
		{"words", `{"claims":[{"id":" c1","verdict":"not_fixed"},{"id":"C2","verdict":"fixed","evidence":"e"},{"id":"c2","verdict":"cannot_tell","evidence":"e"},{"id":"zz","verdict":"not_fixed","evidence":"e"},{"id":"d1","verdict":"stands"}],
			"disputes":[{"id":"D1","verdict":"stands","evidence":"f"},{"id":"d1","verdict":"stands","evidence":"g"},{"id":"c1","verdict":"stands","evidence":"g"},{"id":"d1","verdict":"withdrawn","evidence":"f"}]`,
			answer.Form{Claims: []ledger.ClaimWord{{ID: "c1", Verdict: ledger.ClaimNotFixed}}, Disputes: []ledger.ClaimWord{{ID: "d1", Verdict: ledger.DisputeStands, Evidence: "f"}}}},
		{"not reviewed", `{"not_reviewed":["a","", 7, "b"],"x":{"not_reviewed":"c"}}`, answer.Form{NotReviewed: []string{"a", "b"}}},
		{"doubled keys", `{"violations":[` + a + `],"violations":[` + b + `]}`, answer.Form{Violations: both}},
		{"broken UTF-8", "{\"violations\":[{\"file\":\"a\xff\",\"issue\":\"x\",\"priority\":\"low\"}]", answer.Form{Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a\uFFFD"}, Issue: "x", Priority: "low"}}}},
	} {
		if diff := cmp.Diff(test.want, answer.Salvage(test.text, asked), cmpopts.IgnoreFields(answer.Form{}, "UsesClaims", "Incomplete")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Only after a first answer without claims, and without half of a violation, may silence be a plain
// answer.
//
// Rule: Only an answer confirms.
func TestSalvageOfWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{
		pass: {}, "All fine.": {}, `{"status":"pass","claims":null}`: {}, with(`"line":3`): {},
		`{"status":"pass","violations":[],"claims":[]}`:                      {true, false},
		`{"result":{"claims":[{"id":"c1","verdict":"fixed"}]}} ` + pass:      {true, false},
		`{"status":"pass","violations":[{"file":"a","issue":"x"}]}`:          {false, true},
		`{"status":"pass","claims":[7],"violations":["a.go:3 it is wrong"]}`: {true, true},
	} {
		form := answer.Salvage(text, answer.Asked{Claims: []string{"c1"}})
		if got := [2]bool{form.UsesClaims, form.Incomplete}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	silent := answer.Form{Silent: []string{"c1", "c2", "d1"}}
	for _, test := range []struct {
		asked answer.Asked
		want  string
	}{
		{answer.Asked{Claims: []string{"c1", "c2"}, Disputes: []string{"d1"}}, `/claims: "c1", "c2" have no entry`},
		{answer.Asked{Claims: []string{"c0", "c2"}}, `/claims: "c2" has no entry`},
		{answer.Asked{Claims: []string{"c0"}, Disputes: []string{"d1"}}, `/disputes: "d1" has no entry`},
		{answer.Asked{}, ""},
	} {
		if got := said(silent.Silence(test.asked)); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Nothing that a reviewer prints makes reading it slow or memory-hungry.
func TestHostileTexts(t *testing.T) { // not parallel, because it counts allocations
	const size = 4 << 20
	for _, unit := range []string{"{", `{"a":`, "[", `{"a":[`, `{"`, `{"a{`, `"`, `{"\`, "{ ", `{"a":1,"b`, `{"violations":[{`, `{"violations":[[`, `{"violations":[{"file":"`, `{"not_reviewed":["`, `{"a":{}`, "{}", "```\n", `{"status":[`, `{;"violations":[`, `{;"status":"`} {
		text := strings.Repeat(unit, size/len(unit))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		if _, misfit := answer.Read(text, answer.Asked{}); misfit == nil {
			t.Errorf("%.20q fits", text)
		}
		answer.Salvage(text, answer.Asked{})
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16*size {
			t.Errorf("%q: %d MB for %d MB", unit, allocated>>20, size>>20)
		}
		if took > 10*time.Second { // about 0.1 s; with quadratic time it would be hours
			t.Errorf("%q took %v", unit, took)
		}
	}
}

// Asking again never loses a finding.
func TestCombine(t *testing.T) {
	t.Parallel()
	word := func(id string, verdict ledger.ClaimVerdict) ledger.ClaimWord {
		return ledger.ClaimWord{ID: id, Verdict: verdict, Evidence: string(verdict)}
	}
	named := func(e ledger.Entry, sameAs string) ledger.Entry { e.SameAs = sameAs; return e }
	prior := func(e ledger.Entry, priority ledger.Priority, also ...string) ledger.Entry {
		e.Priority = priority
		for _, file := range also {
			e.Also = append(e.Also, ledger.Place{File: file, Start: 3, End: 3})
		}
		return e
	}
	fail := func(entries ...ledger.Entry) answer.Form {
		return answer.Form{Status: answer.Fail, Violations: entries}
	}
	nothing := answer.Form{Status: answer.Pass}
	const x, y = "x", "y"
	only := func(file, issue string) []string {
		return []string{fmt.Sprintf("only the first answer reports %q: %q", file, issue)}
	}
	for _, test := range []struct {
		name          string
		first, second answer.Form
		want          answer.Form
		err           string
	}{
		{"nothing", answer.Form{}, nothing, nothing, ""},
		{"pass twice", nothing, nothing, nothing, ""},
		{"a violation is left out", fail(at(1, "a", 1, x)), fail(at(1, "b", 1, y)),
			answer.Form{Status: answer.Fail, Violations: []ledger.Entry{at(1, "b", 1, y), at(2, "a", 1, x)}, Remarks: only("a", "x")}, ""},
		{"a violation is repeated", fail(at(1, "a", 1, x), at(2, "b", 1, y)), fail(at(1, "b", 1, "Y."), at(2, "a", 1, x)), fail(at(1, "b", 1, "Y."), at(2, "a", 1, x)), ""},
		{"the second adds the line", fail(at(1, "a", 0, x)), fail(at(1, "a", 82, x)), fail(at(1, "a", 82, x)), ""},
		{"the second leaves the line out", fail(at(1, "a", 82, x)), fail(at(1, "a", 0, x)),
			answer.Form{Status: answer.Fail, Violations: []ledger.Entry{at(1, "a", 0, x), at(2, "a", 82, x)}, Remarks: only("a", "x")}, ""},
		{"an entry of the second twice", fail(at(1, "a", 1, x)), fail(at(1, "a", 1, x), at(2, "a", 1, x)), fail(at(1, "a", 1, x), at(2, "a", 1, x)), ""},
		{"the first has the higher priority and more places", fail(prior(at(1, "a", 1, x), ledger.High, "b", "c")), fail(prior(at(1, "a", 1, "X."), ledger.Low, "c", "d")), fail(prior(at(1, "a", 1, "X."), ledger.High, "c", "d", "b")), ""},
		{"the second has the higher priority", fail(prior(at(1, "a", 0, x), ledger.Low)), fail(prior(at(1, "a", 1, x), ledger.High)), fail(prior(at(1, "a", 1, x), ledger.High)), ""},
		{"one id in other words at another place", fail(named(prior(at(1, "a", 1, x), ledger.Critical), "c1")), fail(named(at(1, "b", 2, y), "c1")),
			fail(func() ledger.Entry {
				e := named(prior(at(1, "b", 2, y), ledger.Critical), "c1")
				e.Also = []ledger.Place{{File: "a", Start: 1, End: 1}}
				return e
			}()), ""},
		{"named in the first", fail(named(at(1, "a", 1, x), "c1")), fail(at(1, "a", 1, x)),
			answer.Form{Status: answer.Fail, Violations: []ledger.Entry{at(1, "a", 1, x), named(at(2, "a", 1, x), "c1")}, Remarks: only("a", "x")}, ""},
		{"named in the second", fail(at(1, "a", 1, x)), fail(named(at(1, "a", 1, x), "c1")), fail(named(at(1, "a", 1, x), "c1")), ""},
		{"named in both", fail(named(at(1, "a", 1, x), "c1")), fail(named(at(1, "a", 1, x), "c1")), fail(named(at(1, "a", 1, x), "c1")), ""},
		{"a fail without a status", answer.Form{Violations: []ledger.Entry{at(1, "a", 1, x)}}, nothing,
			answer.Form{Status: answer.Fail, Violations: []ledger.Entry{at(1, "a", 1, x)}, Remarks: only("a", "x")}, ""},
		{"a fail, then nothing", fail(at(1, "a", 1, x)), nothing,
			answer.Form{Status: answer.Fail, Violations: []ledger.Entry{at(1, "a", 1, x)}, Remarks: only("a", "x")}, `the first answer said "fail", and the second lists no problem`},
		{"a bare fail, then nothing", answer.Form{Status: answer.Fail}, nothing, nothing, `the first answer said "fail", and the second lists no problem`},
		{"an error, then nothing", answer.Form{Status: answer.Error, Reason: "r"}, nothing, nothing, `the first answer said "error", and the second lists no problem`},
		{"an error, then what does not fit", answer.Form{Status: answer.Error}, answer.Form{}, answer.Form{}, `the first answer said "error", and the second lists no problem`},
		{"an error twice", answer.Form{Status: answer.Error, Reason: "r"}, answer.Form{Status: answer.Error, Reason: "s"}, answer.Form{Status: answer.Error, Reason: "s"}, ""},
		{"a bare fail, then a claim", answer.Form{Status: answer.Fail}, answer.Form{Status: answer.Fail, Claims: []ledger.ClaimWord{word("c", ledger.ClaimCannotTell)}},
			answer.Form{Status: answer.Fail, Claims: []ledger.ClaimWord{word("c", ledger.ClaimCannotTell)}}, ""},
		{"a bare fail, then fixed", answer.Form{Status: answer.Fail}, answer.Form{Status: answer.Pass, Claims: []ledger.ClaimWord{word("c", ledger.ClaimFixed)}, Disputes: []ledger.ClaimWord{word("d", ledger.DisputeWithdrawn)}},
			answer.Form{Status: answer.Pass, Claims: []ledger.ClaimWord{word("c", ledger.ClaimFixed)}, Disputes: []ledger.ClaimWord{word("d", ledger.DisputeWithdrawn)}}, `the first answer said "fail", and the second lists no problem`},
		{"not_fixed wins", answer.Form{Claims: []ledger.ClaimWord{word("a", ledger.ClaimNotFixed), word("b", ledger.ClaimNotFixed), word("c", ledger.ClaimNotFixed), word("d", ledger.ClaimNotFixed), word("e", ledger.ClaimFixed), word("f", ledger.ClaimCannotTell)}},
			answer.Form{Status: answer.Fail, Claims: []ledger.ClaimWord{word("a", ledger.ClaimFixed), word("b", ledger.ClaimCannotTell), {ID: "c", Verdict: ledger.ClaimNotFixed, Evidence: "second"}, word("g", ledger.ClaimFixed)}},
			answer.Form{Status: answer.Fail, Claims: []ledger.ClaimWord{word("a", ledger.ClaimNotFixed), word("b", ledger.ClaimNotFixed), {ID: "c", Verdict: ledger.ClaimNotFixed, Evidence: "second"}, word("g", ledger.ClaimFixed), word("d", ledger.ClaimNotFixed)}}, ""},
		{"not_fixed makes a fail", answer.Form{Status: answer.Pass, Claims: []ledger.ClaimWord{word("a", ledger.ClaimNotFixed)}}, nothing, answer.Form{Status: answer.Fail, Claims: []ledger.ClaimWord{word("a", ledger.ClaimNotFixed)}}, ""},
		{"stands wins", answer.Form{Disputes: []ledger.ClaimWord{word("a", ledger.DisputeStands), word("b", ledger.DisputeStands), word("c", ledger.DisputeWithdrawn)}}, answer.Form{Status: answer.Pass, Disputes: []ledger.ClaimWord{word("a", ledger.DisputeWithdrawn)}},
			answer.Form{Status: answer.Fail, Disputes: []ledger.ClaimWord{word("a", ledger.DisputeStands), word("b", ledger.DisputeStands)}}, ""},
		{"not reviewed", answer.Form{NotReviewed: []string{"a", "b", "b"}}, answer.Form{Status: answer.Pass, NotReviewed: []string{"c", "a"}}, answer.Form{Status: answer.Pass, NotReviewed: []string{"c", "a", "b"}}, ""},
		{"the rest is the second's", answer.Form{Notes: "n", Reason: "r", Known: []answer.Gone{{ID: "k"}}, Warnings: []string{"w"}, Remarks: []string{"r"}}, answer.Form{Status: answer.Pass, Notes: "o", Warnings: []string{"v"}, Remarks: []string{"u"}},
			answer.Form{Status: answer.Pass, Notes: "o", Warnings: []string{"v"}, Remarks: []string{"u", "first answer: w", "first answer: r"}}, ""},
	} {
		second := answer.Form{Status: test.second.Status, Reason: test.second.Reason, Notes: test.second.Notes, Warnings: slices.Clone(test.second.Warnings), Remarks: slices.Clone(test.second.Remarks), Violations: slices.Clone(test.second.Violations),
			Claims: slices.Clone(test.second.Claims), Disputes: slices.Clone(test.second.Disputes), NotReviewed: slices.Clone(test.second.NotReviewed)}
		got, err := answer.Combine(test.first, test.second)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: %v, want %q", test.name, err, test.err)
		}
		if !cmp.Equal(second, test.second) {
			t.Errorf("%s: changed what it was given", test.name)
		}
	}
}

// Two results that share the second answer do not share memory.
func TestCombineShares(t *testing.T) {
	t.Parallel()
	second := answer.Form{Status: answer.Fail, Violations: make([]ledger.Entry, 1, 9), Warnings: make([]string, 1, 9), Remarks: make([]string, 1, 9), NotReviewed: make([]string, 1, 9),
		Claims: make([]ledger.ClaimWord, 1, 9), Disputes: make([]ledger.ClaimWord, 1, 9)}
	first := func(name string) answer.Form {
		return answer.Form{Violations: []ledger.Entry{at(2, name, 1, name)}, NotReviewed: []string{name},
			Claims: []ledger.ClaimWord{{ID: name, Verdict: ledger.ClaimNotFixed}}, Disputes: []ledger.ClaimWord{{ID: name, Verdict: ledger.DisputeStands}}}
	}
	a, _ := answer.Combine(first("a"), second)
	before := fmt.Sprintf("%+v", a)
	_, _ = answer.Combine(first("b"), second)
	if after := fmt.Sprintf("%+v", a); after != before {
		t.Errorf("%s became %s", before, after)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	word := func(id string, verdict ledger.ClaimVerdict) ledger.ClaimWord {
		return ledger.ClaimWord{ID: id, Verdict: verdict}
	}
	got := answer.Merge([]answer.Form{
		{Status: answer.Pass, Claims: []ledger.ClaimWord{word("a", ledger.ClaimFixed), word("b", ledger.ClaimNotFixed), word("c", ledger.ClaimCannotTell)}, Disputes: []ledger.ClaimWord{word("d", ledger.DisputeStands)}, Known: []answer.Gone{{ID: "k", Gone: true}, {ID: "l", Gone: false, Evidence: "1"}},
			NotReviewed: []string{"x"}, Notes: "one", Warnings: []string{"w1"}, Remarks: []string{"r1"}},
		{Status: answer.Error, Reason: "no files", Violations: []ledger.Entry{at(1, "a", 1, "x")}, Claims: []ledger.ClaimWord{word("a", ledger.ClaimCannotTell), word("b", ledger.ClaimFixed), word("c", ledger.ClaimNotFixed), word("e", ledger.ClaimFixed)}, Notes: " "},
		{Status: answer.Fail, Reason: "slow", Violations: []ledger.Entry{at(1, "b", 1, "x"), at(2, "b", 2, "y")}, Disputes: []ledger.ClaimWord{word("d", ledger.DisputeWithdrawn)}, Known: []answer.Gone{{ID: "k", Gone: false}, {ID: "l", Gone: true}}, NotReviewed: []string{"y"}, Notes: "two", Warnings: []string{"w2"}, Remarks: []string{"r2"}},
	})
	want := answer.Form{Status: answer.Error, Reason: "no files; slow",
		Violations: []ledger.Entry{at(1, "a", 1, "x"), at(2, "b", 1, "x"), at(3, "b", 2, "y")},
		Claims:     []ledger.ClaimWord{word("a", ledger.ClaimCannotTell), word("b", ledger.ClaimNotFixed), word("c", ledger.ClaimNotFixed), word("e", ledger.ClaimFixed)},
		Disputes:   []ledger.ClaimWord{word("d", ledger.DisputeStands)}, Known: []answer.Gone{{ID: "k"}, {ID: "l", Evidence: "1"}},
		NotReviewed: []string{"x", "y"}, Notes: "one\n\ntwo", Warnings: []string{"w1", "w2"}, Remarks: []string{"r1", "r2"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, test := range []struct {
		parts []answer.Form
		want  answer.Status
	}{
		{nil, ""},
		{[]answer.Form{{Status: answer.Pass}, {Status: answer.Pass}}, answer.Pass},
		{[]answer.Form{{Status: answer.Fail}, {Status: answer.Pass}}, answer.Fail},
		{[]answer.Form{{Status: answer.Pass}, {Status: answer.Fail}}, answer.Fail},
		{[]answer.Form{{Status: answer.Pass}, {Status: answer.Pass, Violations: []ledger.Entry{at(1, "a", 1, "x")}}}, answer.Fail},
	} {
		if got := answer.Merge(test.parts); got.Status != test.want {
			t.Errorf("%+v is %q, not %q", test.parts, got.Status, test.want)
		}
	}
}

// What this program's own reviewers write is in the form.
func TestWrite(t *testing.T) {
	t.Parallel()
	confidence := 0.75
	form := answer.Form{Status: answer.Fail, Reason: "r", Notes: "<n>",
		Violations: []ledger.Entry{
			{Position: 1, Place: ledger.Place{File: "a", Start: 3, End: 3}, Issue: "x", Priority: "low"},
			{Position: 2, Place: ledger.Place{File: "b", Start: 3, End: 9}, Issue: "y", Fix: "f", Priority: "high", SameAs: "c1", Also: []ledger.Place{{File: "c"}, {File: "d", Start: 1, End: 2}}, Title: "t", Confidence: &confidence, SystemBreaking: true},
			{Position: 3, Place: ledger.Place{File: "c"}, Issue: "z", Priority: "info"}},
		Claims: []ledger.ClaimWord{{ID: "c1", Verdict: ledger.ClaimNotFixed, Evidence: "e"}}, Disputes: []ledger.ClaimWord{{ID: "d1", Verdict: ledger.DisputeWithdrawn, Evidence: "e"}},
		Known: []answer.Gone{{ID: "k1", Gone: true, Evidence: "e"}}, NotReviewed: []string{"n"}}
	text := answer.Write(form)
	got, misfit := answer.Read(text, answer.Asked{Claims: []string{"c1"}, Disputes: []string{"d1"}, Known: []string{"k1"}, CodeReview: true})
	if diff := cmp.Diff(form, got); misfit != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s\n%s", misfit, diff, text)
	}
	if !strings.Contains(text, `"<n>"`) || !strings.Contains(text, `"line": 3,`) || !strings.Contains(text, `"line": "3-9"`) {
		t.Errorf("%s", text)
	}
	if got, want := answer.Write(answer.Form{Status: answer.Pass}), "{\n  \"status\": \"pass\",\n  \"violations\": []\n}\n"; got != want {
		t.Errorf("an empty pass is %s", got)
	}
}
