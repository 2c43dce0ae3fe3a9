package match_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

func at(file string, lines ...int) ledger.Place {
	switch len(lines) {
	case 0:
		return ledger.Place{File: file}
	case 1:
		return ledger.Place{File: file, Start: lines[0], End: lines[0]}
	}
	return ledger.Place{File: file, Start: lines[0], End: lines[1]}
}

// says returns an entry with priority medium, changed by the options.
func says(place ledger.Place, issue string, options ...func(*ledger.Entry)) ledger.Entry {
	e := ledger.Entry{Place: place, Issue: issue, Priority: ledger.Medium}
	for _, option := range options {
		option(&e)
	}
	return e
}

func same(id string) func(*ledger.Entry) { return func(e *ledger.Entry) { e.SameAs = id } }

func high(e *ledger.Entry) { e.Priority = ledger.High }

func low(e *ledger.Entry) { e.Priority = ledger.Low }

func everywhere(e *ledger.Entry) { e.WholeChange = true }

func lacks(fields ...string) func(*ledger.Entry) {
	return func(e *ledger.Entry) { e.Missing = fields }
}

func also(places ...ledger.Place) func(*ledger.Entry) {
	return func(e *ledger.Entry) { e.Also = places }
}

// earlier returns a violation of slot 1 with priority medium, whose issue is its id. If it is a
// claim, slot 1 was asked about it; otherwise the prompt only listed it.
func earlier(id string, status ledger.Status, place ledger.Place, options ...func(*ledger.Known)) ledger.Known {
	v := ledger.Violation{
		ID: id, ShortID: strings.ToLower(id), Slot: 1, Status: status, Place: place, Issue: "words of " + id, Priority: ledger.Medium,
	}
	k := ledger.Known{Violation: v, Whereabouts: ledger.Whereabouts{Here: place}, WasClaim: v.Claim(), Asked: v.Claim(), Listed: !v.Claim()}
	for _, option := range options {
		option(&k)
	}
	return k
}

func words(issue string) func(*ledger.Known) { return func(k *ledger.Known) { k.Issue = issue } }

func wasClaim(k *ledger.Known) { k.WasClaim, k.Asked, k.Listed = true, true, true }

// by sets which adapter reported the violation, both first and later.
func by(adapter string) func(*ledger.Known) {
	return func(k *ledger.Known) {
		if k.Adapter == "" {
			k.Adapter = adapter
		}
		k.ReportedBy = append(k.ReportedBy, ledger.Reporter{Slot: 1, Adapter: adapter})
	}
}

func ofSlot2(k *ledger.Known) { k.Slot, k.Asked, k.Listed = 2, false, true }

func hidden(k *ledger.Known) { k.Asked, k.Listed = false, false }

func further(places ...ledger.Place) func(*ledger.Known) {
	return func(k *ledger.Known) { k.Further = places }
}

func moved(places ...ledger.Place) func(*ledger.Known) {
	return func(k *ledger.Known) { k.Here, k.Moved = places[0], places[1:] }
}

func inHunk(hunk string) func(*ledger.Known) { return func(k *ledger.Known) { k.Hunk = hunk } }

func leftOut(k *ledger.Known) { k.Hidden = true }

func claimWord(id string, v ledger.ClaimVerdict) ledger.ClaimWord {
	return ledger.ClaimWord{ID: id, Verdict: v, Evidence: "because " + id}
}

// outcome is what a test expects: each report as "disposition match", with "*" if it leads, "<id"
// if it is linked, and its place if it is about the whole change. If only the evidence of a word
// was kept, it is listed without the word.
type outcome struct {
	Status   ledger.SlotStatus
	Reports  []string
	Words    []string
	Reopened []string
	Gone     []string
	Warnings []string
}

func outcomeOf(e ledger.Evaluation) outcome {
	o := outcome{Status: e.Status, Reopened: e.Reopened, Warnings: e.Warnings, Gone: slices.Sorted(maps.Keys(e.Gone))}
	for _, r := range e.Reports {
		text := strings.TrimSpace(string(r.Disposition) + " " + r.Match)
		if r.Leads {
			text += "*"
		}
		if r.SeenBefore != "" {
			text += " <" + r.SeenBefore
		}
		if r.WholeChange || r.Further > 0 {
			text += " " + r.Place.String()
		}
		if r.Further > 0 {
			for _, p := range r.Also {
				text += " " + p.String()
			}
		}
		o.Reports = append(o.Reports, text)
	}
	for _, id := range slices.Sorted(maps.Keys(e.Words)) {
		o.Words = append(o.Words, id+" "+string(e.Words[id]))
	}
	for _, id := range slices.Sorted(maps.Keys(e.Evidence)) {
		if e.Words[id] == "" {
			o.Words = append(o.Words, id+": "+e.Evidence[id])
		}
	}
	return o
}

var onRerun = ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High}

var onFirst = ledger.Rules{Slot: 1, Threshold: ledger.High}

var tool = ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.Low, ByAbsence: true}

var verification = ledger.Rules{Slot: 1, Threshold: ledger.High, WholeFiles: true, Verify: true}

var handedIn = ledger.Rules{Slot: 1, Threshold: ledger.High, WholeFiles: true, Verify: true, ByAbsence: true}

// factsOf returns facts in which lines 1 to 100 of any file except "old.go" are in the diff, in
// hunks of ten lines, and each line is known.
func factsOf(entries []ledger.Entry) (facts ledger.Facts) {
	shown := func(p ledger.Place) bool { return p.File != "old.go" && p.Start <= 100 }
	for _, e := range entries {
		fact := ledger.EntryFacts{InRange: slices.ContainsFunc(e.Places(), shown), Line: ledger.LineFact{Known: true, Text: "x := 1"}}
		if shown(e.Place) && !e.Place.WholeFile() {
			fact.Hunk = "h" + string(rune('0'+e.Place.Start/10))
		}
		fact.Fingerprint = ledger.Fingerprint("review:.:q", e.Place.File, fact.Line)
		for _, p := range e.Also {
			fact.Also = append(fact.Also, ledger.EntryFacts{InRange: shown(p), Line: fact.Line, Fingerprint: ledger.Fingerprint("review:.:q", p.File, fact.Line)})
		}
		fact.SaidBefore = strings.HasSuffix(e.Fix, "again")
		facts.Entries = append(facts.Entries, fact)
	}
	facts.Earlier = []ledger.EarlierViolation{{ShortID: "old1"}, {ShortID: "old2"}}
	return facts
}

type evaluation struct {
	name    string
	answer  ledger.Answer
	entries []ledger.Entry
	claims  []ledger.ClaimWord
	known   []ledger.Known
	met     []ledger.EarlierViolation
	rules   ledger.Rules // onRerun if there are none
	want    outcome
}

func (tt evaluation) evaluate() ledger.Evaluation {
	if tt.rules == (ledger.Rules{}) {
		tt.rules = onRerun
	}
	tt.answer.Entries, tt.answer.Claims = tt.entries, tt.claims
	for i := range tt.entries {
		tt.entries[i].Position = i + 1
	}
	facts := factsOf(tt.entries)
	facts.Remembered = tt.met
	return match.Evaluate(tt.answer, tt.known, facts, tt.rules)
}

func run(t *testing.T, tests []evaluation) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := outcomeOf(tt.evaluate())
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("evaluation (-want +got):\n%s", d)
			}
		})
	}
}

const (
	pass, fail, erred = ledger.SlotPass, ledger.SlotFail, ledger.SlotError
	fixed, notFixed   = ledger.ClaimFixed, ledger.ClaimNotFixed
	cannotTell        = ledger.ClaimCannotTell
)

var (
	claim = func(id string, p ledger.Place, o ...func(*ledger.Known)) ledger.Known {
		return earlier(id, ledger.StatusFixed, p, o...)
	}
	skip = func(id string, p ledger.Place, o ...func(*ledger.Known)) ledger.Known {
		return earlier(id, ledger.StatusSkipped, p, o...)
	}
	open = func(id string, p ledger.Place, o ...func(*ledger.Known)) ledger.Known {
		return earlier(id, ledger.StatusNew, p, o...)
	}
	verified = func(id string, p ledger.Place, o ...func(*ledger.Known)) ledger.Known {
		return earlier(id, ledger.StatusVerified, p, o...)
	}
)

// Rule: Violations count, whatever the status says.
func TestStatus(t *testing.T) {
	t.Parallel()
	run(t, []evaluation{
		{name: "pass", want: outcome{Status: pass}},
		{name: "a violation", entries: []ledger.Entry{says(at("a.go", 1), "x", high)}, want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "all filtered", entries: []ledger.Entry{says(at("old.go", 1), "x", high), says(at("a.go", 1), "y")},
			want: outcome{Status: pass, Reports: []string{"out_of_diff", "below_threshold"}}},
		{name: "malformed alone", entries: []ledger.Entry{says(at("", 1), "", lacks("file", "issue"))},
			want: outcome{Status: erred, Reports: []string{"malformed"}, Warnings: []string{"violation 1 is left out: missing file, issue"}}},
		{name: "malformed beside a filtered one", entries: []ledger.Entry{says(at("a.go", 1), "x", lacks("priority")), says(at("a.go", 2), "y")},
			want: outcome{Status: erred, Reports: []string{"malformed", "below_threshold"}, Warnings: []string{"violation 1 is left out: missing priority"}}},
		{name: "malformed beside an accepted one", entries: []ledger.Entry{says(at("a.go", 1), "x", high), says(at("a.go", 1), "", lacks("issue"))},
			want: outcome{Status: fail, Reports: []string{"accepted", "malformed"}, Warnings: []string{"violation 2 is left out: missing issue"}}},
		{name: "malformed beside what is reopened", entries: []ledger.Entry{says(at("a.go", 1), "x", lacks("priority"))},
			known: []ledger.Known{claim("A", at("a.go", 1)), claim("B", at("a.go", 2))}, claims: []ledger.ClaimWord{claimWord("a", notFixed), claimWord("b", fixed)},
			want: outcome{Status: fail, Reports: []string{"malformed"}, Words: []string{"A not_fixed", "B fixed"}, Reopened: []string{"A"}, Warnings: []string{"violation 1 is left out: missing priority"}}},
		{name: "an error confirms nothing, and what is there counts", answer: ledger.Answer{Error: "out of memory"},
			entries: []ledger.Entry{says(at("a.go", 1), "x", high), says(at("a.go", 9), "y", same("c"))},
			known:   []ledger.Known{claim("A", at("a.go", 1)), claim("B", at("a.go", 2)), claim("C", at("a.go", 3)), claim("D", at("a.go", 4)), claim("E", at("a.go", 5))},
			claims:  []ledger.ClaimWord{claimWord("a", fixed), claimWord("b", notFixed), claimWord("d", cannotTell)},
			want: outcome{Status: erred, Reports: []string{"accepted", "accepted C*"}, Words: []string{"B not_fixed", "C not_fixed", "D cannot_tell"},
				Reopened: []string{"B", "C"}, Warnings: []string{"claim d stays unverified: cannot tell: because d"}}},
		{name: "an answer without usable violations confirms nothing", entries: []ledger.Entry{says(at("a.go", 1), "x", lacks("priority"))},
			known: []ledger.Known{claim("A", at("a.go", 1))}, claims: []ledger.ClaimWord{claimWord("a", fixed)},
			want: outcome{Status: erred, Reports: []string{"malformed"}, Warnings: []string{"violation 1 is left out: missing priority"}}},
	})
}

// Rule: The reviewer names what it means.
func TestNames(t *testing.T) {
	t.Parallel()
	run(t, []evaluation{
		{name: "1: a claim, wherever the report lies and whatever the list says", entries: []ledger.Entry{says(at("old.go", 500), "x", low, same("A"))},
			known: []ledger.Known{claim("A", at("a.go", 1))}, claims: []ledger.ClaimWord{claimWord("a", fixed)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "1: another slot's claim", entries: []ledger.Entry{says(at("a.go", 50), "x", low, same("a"))}, known: []ledger.Known{claim("A", at("a.go", 1), ofSlot2)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
		{name: "1: a claim that another slot confirmed meanwhile", entries: []ledger.Entry{says(at("a.go", 50), "x", low, same("a"))}, known: []ledger.Known{verified("A", at("a.go", 1), wasClaim)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "1: a claim that another slot reopened meanwhile", entries: []ledger.Entry{says(at("a.go", 50), "x", low, same("a"))},
			known: []ledger.Known{earlier("A", ledger.StatusReopened, at("a.go", 1), wasClaim)},
			want:  outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}}},
		{name: "2: an open one", entries: []ledger.Entry{says(at("old.go", 50), "x", low, same("a"))}, known: []ledger.Known{open("A", at("a.go", 1), ofSlot2)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "3: a verified one", entries: []ledger.Entry{says(at("old.go", 50), "x", low, same("a"))}, known: []ledger.Known{verified("A", at("a.go", 1))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
		{name: "several name one: the most important leads", entries: []ledger.Entry{
			says(at("a.go", 1), "x", low, same("a")), says(at("a.go", 2), "y", high, same("a")), says(at("a.go", 3), "z", high, same("a"))},
			known: []ledger.Known{open("A", at("a.go", 1))},
			want:  outcome{Status: fail, Reports: []string{"accepted A", "accepted A*", "accepted A"}}},
		{name: "4: a skipped one at its place", entries: []ledger.Entry{says(at("a.go", 3, 9), "x", same("a"))},
			known: []ledger.Known{skip("A", at("a.go", 1), moved(at("a.go", 5)))}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "4: a skipped one at one of its places", entries: []ledger.Entry{says(at("b.go", 7), "x", same("a"))},
			known: []ledger.Known{skip("A", at("a.go", 1), moved(at("a.go", 5), at("b.go", 7)))}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "4: a skipped one across its places, the later first", entries: []ledger.Entry{says(at("a.go", 20, 34), "x", same("a"))},
			known: []ledger.Known{skip("A", at("a.go", 1), moved(at("a.go", 30, 34), at("a.go", 20, 24)))}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "4: a skipped one elsewhere", entries: []ledger.Entry{says(at("a.go", 1), "x", high, same("a"))},
			known: []ledger.Known{skip("A", at("a.go", 1), moved(at("a.go", 5)))}, want: outcome{Status: fail, Reports: []string{"accepted <a"}}},
		{name: "4: a skipped one, more important now", entries: []ledger.Entry{says(at("a.go", 1), "x", high, same("a"))},
			known: []ledger.Known{skip("A", at("a.go", 1))}, want: outcome{Status: fail, Reports: []string{"accepted <a"}}},
		{name: "4: a skip of a line, and the file", entries: []ledger.Entry{says(at("a.go"), "x", same("a"))}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 1))}, want: outcome{Status: fail, Reports: []string{"accepted <a"}}},
		{name: "4: a skip of the file, and a line", entries: []ledger.Entry{says(at("a.go", 1), "x", same("a"))}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go"))}, want: outcome{Status: fail, Reports: []string{"accepted <a"}}},
		{name: "4: a skip of the file, and the file", entries: []ledger.Entry{says(at("a.go"), "x", same("a"))}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go"))}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "4: one skip, two reports", entries: []ledger.Entry{says(at("a.go", 1), "x", same("a")), says(at("a.go", 1, 2), "y", same("a"))}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 1))}, want: outcome{Status: fail, Reports: []string{"previously_skipped A", "accepted <a"}}},
		{name: "4: one skip, two reports of equal words, the later line first", entries: []ledger.Entry{says(at("a.go", 3, 4), "x", same("a")), says(at("a.go", 2, 5), "x", same("a"))}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 1, 9))}, want: outcome{Status: fail, Reports: []string{"accepted <a", "previously_skipped A"}}},
		{name: "4: one skip, two reports of equal words, the longer one first", entries: []ledger.Entry{says(at("a.go", 2, 5), "x", same("a")), says(at("a.go", 2, 3), "x", same("a"))}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 1, 9))}, want: outcome{Status: fail, Reports: []string{"accepted <a", "previously_skipped A"}}},
		{name: "4: a claim that was skipped meanwhile", entries: []ledger.Entry{says(at("a.go", 1), "x", same("a"))}, known: []ledger.Known{skip("A", at("a.go", 1), wasClaim)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "4: a skip that is not meant, and the words of a claim", entries: []ledger.Entry{says(at("a.go", 300), "words of B", same("a"))},
			known: []ledger.Known{skip("A", at("a.go", 1)), claim("B", at("a.go", 2))},
			want:  outcome{Status: fail, Reports: []string{"accepted B* <a"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "5: one of an earlier run", entries: []ledger.Entry{says(at("a.go", 1), "x", high, same("OLD1")), says(at("a.go", 1), "y", same("old2"))},
			want: outcome{Status: fail, Reports: []string{"accepted <old1", "below_threshold <old2"}}},
		{name: "6: what was not listed", entries: []ledger.Entry{says(at("a.go", 9), "x", high, same("b")), says(at("a.go", 1), "y", low, same("b"))},
			known: []ledger.Known{open("A", at("a.go", 1)), open("B", at("a.go", 5), hidden)},
			want: outcome{Status: fail, Reports: []string{"accepted", "accepted"}, Warnings: []string{
				`violation 1 names "b" as same_as, which was not listed`, `violation 2 names "b" as same_as, which was not listed`}}},
	})
}

func TestOneEntryTwice(t *testing.T) {
	t.Parallel()
	tests := []evaluation{
		{name: "equal words and place", entries: []ledger.Entry{says(at("a.go", 1), "It `leaks`."), says(at("a.go", 1), "it leaks", high)},
			want: outcome{Status: fail, Reports: []string{"accepted", "merged"}}},
		{name: "the first takes the name", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("a.go", 1), "x", same("a"))}, known: []ledger.Known{claim("A", at("b.go", 1))},
			want: outcome{Status: fail, Reports: []string{"accepted A*", "merged"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "the first takes what is in range", entries: []ledger.Entry{says(at("old.go", 1), "x", high), says(at("old.go", 1), "x", also(at("a.go", 1)))},
			want: outcome{Status: fail, Reports: []string{"accepted", "merged"}}},
		{name: "not at two places", entries: []ledger.Entry{says(at("a.go", 1), "x", high), says(at("a.go", 1, 2), "x", high), says(at("b.go", 1), "x", high)},
			want: outcome{Status: fail, Reports: []string{"accepted", "accepted", "accepted"}}},
		{name: "not with two names", entries: []ledger.Entry{says(at("a.go", 1), "x", same("a")), says(at("a.go", 1), "x"), says(at("a.go", 1), "x", same("b")), says(at("a.go", 1), "x", same("b")), says(at("a.go", 1), "x")},
			known: []ledger.Known{open("A", at("b.go", 1)), open("B", at("b.go", 2))}, rules: onFirst,
			want: outcome{Status: fail, Reports: []string{"accepted A*", "accepted", "accepted B*", "merged", "merged"}}},
		{name: "a malformed one is not one of them", entries: []ledger.Entry{says(at("a.go", 1), "x", lacks("priority")), says(at("a.go", 1), "x", high)},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: []string{"violation 1 is left out: missing priority"}}},
		{name: "nor does its name count", entries: []ledger.Entry{says(at("a.go", 1), "x", same("a")), says(at("a.go", 1), "x", same("b"), lacks("priority")), says(at("a.go", 1), "x")},
			known: []ledger.Known{open("A", at("b.go", 1)), open("B", at("b.go", 2))}, rules: onFirst,
			want: outcome{Status: fail, Reports: []string{"accepted A*", "malformed", "merged"}, Warnings: []string{"violation 2 is left out: missing priority"}}},
	}
	run(t, tests)
	tests[0].entries[0].Fix, tests[0].entries[1].Fix = "close it", "open it"
	tests[0].entries[1].SystemBreaking = true
	e := tests[0].evaluate()
	if e.Reports[0].Fix != "close it" {
		t.Errorf("the fix is %q", e.Reports[0].Fix)
	}
	if !e.Reports[0].SystemBreaking {
		t.Error("the entry that the two became does not break the system")
	}
	if r := e.Reports[0]; r.Priority != ledger.High || e.Reports[1].Reason != "the same as violation 1 of this answer" {
		t.Errorf("the first has the priority %s; the second %q", r.Priority, e.Reports[1].Reason)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	x := words("x")
	run(t, []evaluation{
		{name: "an open one at its place, off the changed lines", entries: []ledger.Entry{says(at("old.go", 5), "X.", low)}, known: []ledger.Known{open("A", at("old.go", 5), x, hidden)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "a verified one where it is now", entries: []ledger.Entry{says(at("a.go", 300), "x", low)}, known: []ledger.Known{verified("A", at("a.go", 5), x, moved(at("a.go", 299, 301)))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
		{name: "an open and a verified one elsewhere in the file", entries: []ledger.Entry{says(at("a.go", 30), "x", low)},
			known: []ledger.Known{open("A", at("a.go", 5), x), verified("B", at("a.go", 6), x)}, want: outcome{Status: pass, Reports: []string{"below_threshold"}}},
		{name: "a claim anywhere in its file", entries: []ledger.Entry{says(at("a.go", 400), "x", low)}, known: []ledger.Known{claim("A", at("a.go", 5), x)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "a claim in a file that it moved to", entries: []ledger.Entry{says(at("b.go", 400), "x", low)}, known: []ledger.Known{claim("A", at("a.go", 5), x, moved(at("c.go", 1), at("b.go", 1)))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "a claim under the name that its file had", entries: []ledger.Entry{says(at("a.go", 400), "x", low)}, known: []ledger.Known{claim("A", at("a.go", 5), x, moved(at("c.go", 1)))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "not a claim in another file", entries: []ledger.Entry{says(at("b.go", 5), "x", low)}, known: []ledger.Known{claim("A", at("a.go", 5), x)},
			claims: []ledger.ClaimWord{claimWord("a", fixed)}, want: outcome{Status: pass, Reports: []string{"below_threshold"}, Words: []string{"A fixed"}}},
		{name: "a claim anywhere, about the whole change", entries: []ledger.Entry{says(at("the parser"), "x", low, everywhere)}, known: []ledger.Known{claim("A", at("a.go", 5), x)},
			want: outcome{Status: fail, Reports: []string{"accepted A* a.go:5"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "other words at the place of a claim", entries: []ledger.Entry{says(at("a.go", 5), "y", high)}, known: []ledger.Known{claim("A", at("a.go", 5), x)},
			claims: []ledger.ClaimWord{claimWord("a", fixed)}, want: outcome{Status: fail, Reports: []string{"accepted"}, Words: []string{"A fixed"}}},
		{name: "the nearest claim", entries: []ledger.Entry{says(at("a.go", 40), "x")}, rules: onFirst,
			known:  []ledger.Known{claim("A", at("a.go", 5), x), claim("B", at("a.go", 50), x), claim("C", at("a.go", 29), x)},
			claims: []ledger.ClaimWord{claimWord("a", fixed), claimWord("c", fixed)},
			want:   outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"A fixed", "B not_fixed", "C fixed"}, Reopened: []string{"B"}}},
		{name: "the slot's own among equals", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{claim("A", at("a.go", 50), x, ofSlot2), claim("B", at("a.go", 30), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "the nearest claim of two before it", entries: []ledger.Entry{says(at("a.go", 60), "x")}, rules: onFirst,
			known:  []ledger.Known{claim("A", at("a.go", 5), x), claim("B", at("a.go", 50), x), claim("C", at("a.go", 29), x)},
			claims: []ledger.ClaimWord{claimWord("a", fixed), claimWord("c", fixed)},
			want:   outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"A fixed", "B not_fixed", "C fixed"}, Reopened: []string{"B"}}},
		{name: "the nearest claim of two after it", entries: []ledger.Entry{says(at("a.go", 4), "x")}, rules: onFirst,
			known:  []ledger.Known{claim("A", at("a.go", 29), x), claim("B", at("a.go", 5), x)},
			claims: []ledger.ClaimWord{claimWord("a", fixed)},
			want:   outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"A fixed", "B not_fixed"}, Reopened: []string{"B"}}},
		{name: "of two around it the one that begins last", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{open("A", at("a.go", 1, 90), x), open("B", at("a.go", 35, 45), x)}, want: outcome{Status: fail, Reports: []string{"accepted B*"}}},
		{name: "one that reaches it, though another begins later", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{open("A", at("a.go", 1, 90), x), open("B", at("a.go", 35, 39), x)}, want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "the slot's own among equals, which lies behind it", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{claim("A", at("a.go", 30), x, ofSlot2), claim("B", at("a.go", 50), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "the slot's own among equals at one place", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{open("A", at("a.go", 40), x, ofSlot2), open("B", at("a.go", 40), x)}, want: outcome{Status: fail, Reports: []string{"accepted B*"}}},
		{name: "among equals at one place one that the slot reported as well", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{open("A", at("a.go", 40), x, ofSlot2), open("B", at("a.go", 40), x, ofSlot2, func(k *ledger.Known) { k.MoreSlots = []int{3, 1} })},
			want:  outcome{Status: fail, Reports: []string{"accepted B*"}}},
		{name: "a claim before an open one at one place", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{open("A", at("a.go", 40), x), claim("B", at("a.go", 40), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "the slot's own open one before another's claim at one place", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{claim("A", at("a.go", 40), x, ofSlot2), open("B", at("a.go", 40), x)}, want: outcome{Status: fail, Reports: []string{"accepted B*"}}},
		{name: "another's claim before another's open one at one place", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{open("A", at("a.go", 40), x, ofSlot2), claim("B", at("a.go", 40), x, ofSlot2)},
			want:  outcome{Status: fail, Reports: []string{"accepted B*"}, Reopened: []string{"B"}}},
		{name: "another slot's open one at its place", entries: []ledger.Entry{says(at("a.go", 5), "x", low)}, known: []ledger.Known{open("A", at("a.go", 5), x, ofSlot2)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "the nearer one of another slot", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known: []ledger.Known{claim("A", at("a.go", 49), x, ofSlot2), open("B", at("a.go", 30), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted A*"}, Reopened: []string{"A"}}},
		{name: "the nearer claim of another slot", entries: []ledger.Entry{says(at("a.go", 40), "x")},
			known:  []ledger.Known{claim("A", at("a.go", 49), x, ofSlot2), claim("B", at("a.go", 30), x)},
			claims: []ledger.ClaimWord{claimWord("b", fixed)}, want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"B fixed"}, Reopened: []string{"A"}}},
		{name: "the one at the place before the nearest", entries: []ledger.Entry{says(at("a.go", 31), "x"), says(at("a.go", 30), "x")},
			known: []ledger.Known{open("B", at("a.go", 30), x), claim("A", at("a.go", 90), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted A*", "accepted B*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "one whose lines were deleted, where they were", entries: []ledger.Entry{says(at("old.go", 5), "x", low)},
			known: []ledger.Known{open("A", at("old.go", 2, 3), x, moved(ledger.Place{File: "old.go", Start: 5, End: 4}))}, want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "not the one that only ends where it does", entries: []ledger.Entry{says(at("a.go", 5, 9), "x")},
			known: []ledger.Known{open("A", at("a.go", 7, 9), x), open("B", at("a.go", 4, 5), x)}, want: outcome{Status: fail, Reports: []string{"accepted B*"}}},
		{name: "the one that begins at its last line, not a nearer one beside it", entries: []ledger.Entry{says(at("a.go", 5, 9), "x")},
			known: []ledger.Known{open("B", at("a.go", 4), x), open("A", at("a.go", 9, 12), x)}, want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
		{name: "one report, one violation", entries: []ledger.Entry{says(at("a.go", 30), "x"), says(at("a.go", 30, 31), "x", high), says(at("a.go", 95), "x", high)},
			known: []ledger.Known{open("A", at("a.go", 30), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted A*", "accepted", "accepted"}}},
		{name: "the whole file and lines of it", entries: []ledger.Entry{says(at("a.go"), "x", low), says(at("b.go", 500), "x", low)},
			known: []ledger.Known{open("A", at("a.go", 30), x), open("B", at("b.go"), x)},
			want:  outcome{Status: fail, Reports: []string{"accepted A*", "accepted B*"}}},
		{name: "a skipped one at its place", entries: []ledger.Entry{says(at("a.go", 30), "x"), says(at("a.go", 29, 31), "x", high)},
			known: []ledger.Known{skip("A", at("a.go", 30), x)}, want: outcome{Status: fail, Reports: []string{"previously_skipped A", "accepted"}}},
		{name: "a skipped one, both critical", entries: []ledger.Entry{says(at("a.go", 30), "x", func(e *ledger.Entry) { e.Priority = ledger.Critical })},
			known: []ledger.Known{skip("A", at("a.go", 30), x, func(k *ledger.Known) { k.Priority = ledger.Critical })}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "a skipped one elsewhere, or off the changed lines", entries: []ledger.Entry{says(at("a.go", 40), "x", high), says(at("old.go", 30), "x", low)},
			known: []ledger.Known{skip("A", at("a.go", 30), x), skip("B", at("old.go", 30), x)}, want: outcome{Status: fail, Reports: []string{"accepted", "out_of_diff"}}},
		{name: "a skipped one at its place, and the nearest claim", entries: []ledger.Entry{says(at("a.go", 30), "x", low)}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 30), x), claim("B", at("a.go", 20), x)}, claims: []ledger.ClaimWord{claimWord("b", fixed)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}, Words: []string{"B fixed"}}},
		{name: "a skipped one covers one, and the next is the nearest claim", entries: []ledger.Entry{says(at("a.go", 31), "x", low), says(at("a.go", 30), "x", low)}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 30), x), claim("B", at("a.go", 20), x)}, claims: []ledger.ClaimWord{claimWord("b", fixed)},
			want: outcome{Status: fail, Reports: []string{"accepted B*", "previously_skipped A"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "a skipped one, more important now, and the nearest claim", entries: []ledger.Entry{says(at("a.go", 30), "x", high)}, rules: onFirst,
			known: []ledger.Known{skip("A", at("a.go", 30), x), claim("B", at("a.go", 20), x)}, claims: []ledger.ClaimWord{claimWord("b", fixed)},
			want: outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "of a skip and an open one the open one", entries: []ledger.Entry{says(at("a.go", 30), "x", low)},
			known: []ledger.Known{skip("A", at("a.go", 30), x), open("B", at("a.go", 30), x)}, want: outcome{Status: fail, Reports: []string{"accepted B*"}}},
		{name: "a second skip covers a second report", entries: []ledger.Entry{says(at("a.go", 30), "x"), says(at("a.go", 30, 32), "x", low)},
			known: []ledger.Known{skip("A", at("a.go", 30), x), skip("B", at("a.go", 30), x)},
			want:  outcome{Status: pass, Reports: []string{"previously_skipped A", "previously_skipped B"}}},
	})
}

// Rule: In range is what a diff of this run showed.
// Rule: A rerun filters what is new and below the threshold.
func TestFilters(t *testing.T) {
	t.Parallel()
	run(t, []evaluation{
		{name: "out of range, however important", entries: []ledger.Entry{says(at("old.go", 1), "x", high)}, want: outcome{Status: pass, Reports: []string{"out_of_diff"}}},
		{name: "one of several places in range", entries: []ledger.Entry{says(at("old.go", 1), "x", high, also(at("a.go", 1)))}, want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "whole files", entries: []ledger.Entry{says(at("old.go", 1), "x", high)}, rules: ledger.Rules{Slot: 1, WholeFiles: true}, want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "at the place of a claim, whatever became of it", entries: []ledger.Entry{says(at("old.go", 1), "x", high), says(at("old.go", 2), "y", high), says(at("a.go", 501), "z", high, also(at("old.go", 2)))},
			known: []ledger.Known{claim("A", at("old.go", 1), ofSlot2), skip("B", at("old.go", 2), wasClaim)},
			want:  outcome{Status: fail, Reports: []string{"accepted", "accepted", "accepted"}}},
		{name: "at a further place of a claim", entries: []ledger.Entry{says(at("old.go", 1), "x")}, known: []ledger.Known{claim("A", at("a.go", 1), further(at("old.go", 1)))}, claims: []ledger.ClaimWord{claimWord("a", cannotTell)},
			want: outcome{Status: fail, Reports: []string{"accepted"}, Words: []string{"A cannot_tell"}, Warnings: []string{"claim a stays unverified: cannot tell: because a"}}},
		{name: "at the place of an open one", entries: []ledger.Entry{says(at("old.go", 1), "x")}, known: []ledger.Known{open("A", at("old.go", 1))},
			want: outcome{Status: pass, Reports: []string{"out_of_diff"}}},
		{name: "the threshold", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("a.go", 2), "y", high)}, want: outcome{Status: fail, Reports: []string{"below_threshold", "accepted"}}},
		{name: "the first answer has no threshold", entries: []ledger.Entry{says(at("a.go", 1), "x", low)}, rules: onFirst, want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "beside what is known", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("a.go", 2), "x"), says(at("a.go", 3), "x"), says(at("a.go", 4), "x"), says(at("a.go", 5), "x", same("old1"))},
			known: []ledger.Known{open("A", at("a.go", 1)), verified("B", at("a.go", 2)), claim("C", at("a.go", 3), ofSlot2), skip("D", at("a.go", 4)), claim("E", at("a.go", 5), ofSlot2)},
			want:  outcome{Status: fail, Reports: []string{"accepted", "below_threshold", "below_threshold", "below_threshold", "below_threshold <old1"}}},
		{name: "beside further places of what is known", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("a.go", 2), "x"), says(at("a.go", 4), "x"), says(at("b.go", 1), "words of D")},
			known: []ledger.Known{open("A", at("b.go", 1), further(at("a.go", 1), at("a.go", 2))), skip("D", at("b.go", 4), further(at("a.go", 4), at("b.go", 1)))},
			want:  outcome{Status: fail, Reports: []string{"accepted", "accepted", "below_threshold", "accepted"}}},
	})
}

// The reason is why a report is about an earlier violation, unless its place already shows it.
func TestReasons(t *testing.T) {
	t.Parallel()
	for want, entry := range map[string]ledger.Entry{
		"":                                  says(at("a.go", 5), "words of A", low),
		"repeats violation a word for word": says(at("a.go", 40), "words of A", low),
		"names violation a":                 says(at("a.go", 40), "x", low, same("a")),
		`names violation a (given as "the parser")`: says(at("the parser"), "x", low, same("a"), everywhere),
	} {
		tt := evaluation{entries: []ledger.Entry{entry}, known: []ledger.Known{claim("A", at("a.go", 5))}}
		if r := tt.evaluate().Reports[0]; r.Match != "A" || r.Reason != want {
			t.Errorf("%+v is about %q because it %q, want %q", entry, r.Match, r.Reason, want)
		}
	}
}

// A report below the threshold counts at a place only if what lies there is not confirmed, is open,
// or is no more important, was verified and has changed since.
//
// Rule: A rerun filters what is new and below the threshold.
func TestBelowTheThreshold(t *testing.T) {
	t.Parallel()
	low, medium := func(k *ledger.Known) { k.Priority = ledger.Low }, func(k *ledger.Known) { k.Priority = ledger.Medium }
	disputed := func(k *ledger.Known) {
		k.Status, k.WasDisputed, k.WasOpen, k.Asked = ledger.StatusDisputed, true, true, true
	}
	const open = "lies at the place of violation a, which is open"
	const doubted = "lies at the place of violation a, which is not confirmed as fixed"
	for name, test := range map[string]struct {
		known     ledger.Known
		claims    []ledger.ClaimWord
		disputes  []ledger.ClaimWord
		byAbsence bool
		err       string
		fixLines  bool
		reason    string // "": it is filtered
	}{
		"a claim that is called fixed":                {known: claim("A", at("a.go", 5)), claims: []ledger.ClaimWord{claimWord("a", fixed)}, fixLines: true},
		"a claim that is not called fixed":            {known: claim("A", at("a.go", 5)), claims: []ledger.ClaimWord{claimWord("a", cannotTell)}, reason: doubted},
		"a claim that an answer in error calls fixed": {known: claim("A", at("a.go", 5)), claims: []ledger.ClaimWord{claimWord("a", fixed)}, err: "broke", reason: doubted},
		"a claim that a tool no longer reports":       {known: claim("A", at("a.go", 5)), byAbsence: true, fixLines: true},
		"a claim of another slot":                     {known: claim("A", at("a.go", 5), ofSlot2), fixLines: true},
		"an open one of another slot":                 {known: earlier("A", ledger.StatusReopened, at("a.go", 5), ofSlot2), reason: open},
		"a dispute that stands":                       {known: earlier("A", ledger.StatusDisputed, at("a.go", 5), disputed), disputes: []ledger.ClaimWord{claimWord("a", ledger.DisputeStands)}, reason: open},
		"a dispute that is withdrawn":                 {known: earlier("A", ledger.StatusDisputed, at("a.go", 5), disputed), disputes: []ledger.ClaimWord{claimWord("a", ledger.DisputeWithdrawn)}},
		"a skipped one":                               {known: skip("A", at("a.go", 5)), fixLines: true},
		"a verified one":                              {known: verified("A", at("a.go", 5), medium)},
		"a verified one whose lines changed since":    {known: verified("A", at("a.go", 5), medium), fixLines: true, reason: "lies at the place of violation a, whose lines have changed since it was verified"},
		"a less important one whose lines changed":    {known: verified("A", at("a.go", 5), low), fixLines: true, reason: "lies at the place of violation a, whose lines have changed since it was verified"},
		"a more important one whose lines changed":    {known: verified("A", at("a.go", 5)), fixLines: true},
	} {
		if name == "a more important one whose lines changed" {
			test.known.Priority = ledger.High
		}
		a := ledger.Answer{Error: test.err, Entries: []ledger.Entry{says(at("a.go", 4, 6), "x")}, Claims: test.claims, Disputes: test.disputes}
		facts := factsOf(a.Entries)
		facts.Entries[0].InFixLines = test.fixLines
		rules := onRerun
		rules.ByAbsence = test.byAbsence
		r := match.Evaluate(a, []ledger.Known{test.known}, facts, rules).Reports[0]
		if want := test.reason; r.Disposition == ledger.Accepted && r.Reason != want || (r.Disposition == ledger.Accepted) != (want != "") {
			t.Errorf("%s: %s, %q; want %q", name, r.Disposition, r.Reason, want)
		}
	}
}

// On a rerun, reports that were accepted, or filtered because of their priority, are marked if they
// are on lines that a fix changed.
func TestInFixLines(t *testing.T) {
	t.Parallel()
	answer := ledger.Answer{Entries: []ledger.Entry{
		says(at("a.go", 1), "accepted", high), says(at("a.go", 2), "below the threshold"), says(at("a.go", 3), "elsewhere", high),
		says(at("old.go", 1), "out of the diff", high), says(at("a.go", 4), "malformed", lacks("priority")),
	}}
	facts := factsOf(answer.Entries)
	for i := range facts.Entries {
		facts.Entries[i].InFixLines = i != 2
	}
	for name, test := range map[string]struct {
		rules ledger.Rules
		want  []bool
	}{
		"a rerun":          {onRerun, []bool{true, true, false, false, false}},
		"the first answer": {onFirst, []bool{false, false, false, false, false}},
	} {
		var got []bool
		for _, r := range match.Evaluate(answer, nil, facts, test.rules).Reports {
			got = append(got, r.InFixLines)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// What a skip does not cover is a report of its own at its place, linked to what was skipped.
//
// Rule: A skip is not reported twice.
func TestBeyondASkip(t *testing.T) {
	t.Parallel()
	x := words("x")
	old := ledger.EarlierViolation{
		ID: "OLD1", ShortID: "old1", Status: ledger.StatusSkipped, Place: at("", 1), Issue: "x", Priority: ledger.Medium,
		Fingerprint: ledger.Fingerprint("review:.:q", "a.go", ledger.LineFact{Known: true, Text: "x := 1"}),
	}
	run(t, []evaluation{
		{name: "a further place in range", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("a.go", 60)))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30), x)},
			want: outcome{Status: fail, Reports: []string{"accepted <a a.go:60"}}},
		{name: "a further place in range, by its name", entries: []ledger.Entry{says(at("a.go", 30), "y", same("a"), also(at("b.go", 60), at("old.go", 1), at("b.go", 70)))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30), x)},
			want: outcome{Status: fail, Reports: []string{"accepted <a b.go:60 b.go:70"}}},
		{name: "a further place out of range", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("old.go", 60)))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30), x)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "a further place that is near, or a further place of the skip", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("a.go", 32), at("b.go", 60)))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30), x, further(at("b.go", 60)))},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "a further place with a skip of its own", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("a.go", 60)))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30), x), skip("B", at("a.go", 60), x)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "a further place that is a claim's", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("old.go", 60)))}, known: []ledger.Known{skip("A", at("a.go", 30), x), claim("B", at("old.go", 60), x)},
			want: outcome{Status: fail, Reports: []string{"accepted B* <a old.go:60"}, Words: []string{"B not_fixed"}, Reopened: []string{"B"}}},
		{name: "below the threshold", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("a.go", 60)))}, known: []ledger.Known{skip("A", at("a.go", 30), x)},
			want: outcome{Status: pass, Reports: []string{"below_threshold <a a.go:60"}}},
		{name: "five lines more", entries: []ledger.Entry{says(at("a.go", 25, 36), "x")}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30, 31), x)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "six lines more", entries: []ledger.Entry{says(at("a.go", 30, 37), "x"), says(at("b.go", 24, 30), "y", same("b"))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30, 31), x), skip("B", at("b.go", 30), x)},
			want: outcome{Status: fail, Reports: []string{"accepted <a", "accepted <b"}}},
		{name: "the lines of a skip that was carried", entries: []ledger.Entry{says(at("a.go", 10, 29), "x")}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 1), x, moved(at("a.go", 10, 19), at("a.go", 20, 28)))},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "the whole file as a further place", entries: []ledger.Entry{says(at("a.go", 30), "x", also(at("a.go")))}, rules: onFirst, known: []ledger.Known{skip("A", at("a.go", 30), x)},
			want: outcome{Status: fail, Reports: []string{"accepted <a a.go"}}},
		{name: "remembered, a further place", entries: []ledger.Entry{says(at("a.go", 1), "x", also(at("b.go", 60)))}, rules: onFirst, met: []ledger.EarlierViolation{old},
			want: outcome{Status: fail, Reports: []string{"accepted <old1 b.go:60"}}},
		{name: "remembered, six lines more", entries: []ledger.Entry{says(at("a.go", 1, 7), "x")}, rules: onFirst, met: []ledger.EarlierViolation{old},
			want: outcome{Status: fail, Reports: []string{"accepted <old1"}}},
		{name: "remembered, five lines more", entries: []ledger.Entry{says(at("a.go", 1, 6), "x", also(at("old.go", 9)))}, rules: onFirst, met: []ledger.EarlierViolation{old},
			want: outcome{Status: pass, Reports: []string{"remembered_skip"}}},
	})
}

// Rule: A human's skip is remembered.
// Rule: A skip is not reported twice.
func TestRemembered(t *testing.T) {
	t.Parallel()
	skipped := func(id, issue string, met bool) ledger.EarlierViolation {
		return ledger.EarlierViolation{
			ID: strings.ToUpper(id), ShortID: id, Status: ledger.StatusSkipped, Place: at("a.go", 1), Issue: issue, Priority: ledger.Medium, MetBefore: met, At: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
			Fingerprint: ledger.Fingerprint("review:.:q", "a.go", ledger.LineFact{Known: true, Text: "x := 1"}),
		}
	}
	run(t, []evaluation{
		{name: "in its words", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("a.go", 2), "x", high), says(at("a.go", 3), "y", high)}, rules: onFirst,
			met: []ledger.EarlierViolation{skipped("old1", "X.", false), skipped("old2", "x", false)}, want: outcome{Status: fail, Reports: []string{"remembered_skip", "accepted", "accepted"}}},
		{name: "by its name", entries: []ledger.Entry{says(at("a.go", 1), "other words", same("OLD1"))}, rules: onFirst,
			met: []ledger.EarlierViolation{skipped("old1", "x", false)}, want: outcome{Status: pass, Reports: []string{"remembered_skip <old1"}}},
		{name: "by the name of another, at a higher priority, on another line", rules: onFirst,
			entries: []ledger.Entry{says(at("a.go", 1), "y", same("old2")), says(at("a.go", 1), "z", high, same("old1")), says(at("b.go", 1), "z", same("old1"))},
			met:     []ledger.EarlierViolation{skipped("old1", "x", false)}, want: outcome{Status: fail, Reports: []string{"accepted <old2", "accepted <old1", "accepted <old1"}}},
		{name: "one covers one", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("a.go", 2), "x"), says(at("a.go", 3), "x")}, rules: onFirst,
			met: []ledger.EarlierViolation{skipped("old1", "x", false), skipped("old2", "x", false)}, want: outcome{Status: fail, Reports: []string{"remembered_skip", "remembered_skip", "accepted"}}},
		{name: "not in the words of a claim", entries: []ledger.Entry{says(at("a.go", 1), "x"), says(at("b.go", 1), "x")}, rules: onFirst,
			known: []ledger.Known{claim("A", at("b.go", 5), ofSlot2, words("x"))}, met: []ledger.EarlierViolation{skipped("old1", "x", false)},
			want: outcome{Status: fail, Reports: []string{"accepted", "accepted A*"}, Reopened: []string{"A"}}},
		{name: "in the words of a claim beside which it was met before", entries: []ledger.Entry{says(at("a.go", 1), "x")}, rules: onFirst,
			known: []ledger.Known{claim("A", at("b.go", 5), ofSlot2, words("x"))}, met: []ledger.EarlierViolation{skipped("old1", "x", true)},
			want: outcome{Status: pass, Reports: []string{"remembered_skip"}}},
		{name: "not in a verification", entries: []ledger.Entry{says(at("a.go", 1), "x")}, rules: verification,
			met: []ledger.EarlierViolation{skipped("old1", "x", false)}, want: outcome{Status: pass, Reports: []string{"outside_verify"}}},
	})
}

func TestVerification(t *testing.T) {
	t.Parallel()
	run(t, []evaluation{
		{name: "the very place of a claim", rules: verification, entries: []ledger.Entry{says(at("a.go", 5, 7), "y"), says(at("a.go", 5), "z")},
			known: []ledger.Known{claim("A", at("a.go", 5, 7), moved(at("a.go", 50)))},
			want:  outcome{Status: fail, Reports: []string{"accepted A*", "outside_verify"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "two claims at one place", rules: verification, entries: []ledger.Entry{says(at("a.go", 5), "y"), says(at("a.go", 5), "z"), says(at("a.go", 5), "u")},
			known: []ledger.Known{claim("A", at("a.go", 5)), claim("B", at("a.go", 5))},
			want:  outcome{Status: fail, Reports: []string{"accepted B*", "accepted B", "accepted A*"}, Words: []string{"A not_fixed", "B not_fixed"}, Reopened: []string{"A", "B"}}},
		{name: "the most important of two at one place", rules: verification, entries: []ledger.Entry{says(at("a.go", 5), "y", low)},
			known: []ledger.Known{claim("A", at("a.go", 5)), claim("B", at("a.go", 5), func(k *ledger.Known) { k.Priority = ledger.Critical }), claim("C", at("a.go", 5))},
			want:  outcome{Status: fail, Reports: []string{"accepted B*"}, Words: []string{"A not_fixed", "B not_fixed", "C not_fixed"}, Reopened: []string{"A", "B", "C"}}},
		{name: "not that of another finding", rules: verification, entries: []ledger.Entry{says(at("a.go", 5), "y", high)}, known: []ledger.Known{open("A", at("a.go", 5))},
			want: outcome{Status: pass, Reports: []string{"outside_verify"}}},
	})
}

// Rule: Only an answer confirms.
func TestWordsOnClaims(t *testing.T) {
	t.Parallel()
	a, b := claim("A", at("a.go", 5)), claim("B", at("a.go", 50))
	tests := []evaluation{
		{name: "fixed", known: []ledger.Known{a}, claims: []ledger.ClaimWord{claimWord("A", fixed)}, want: outcome{Status: pass, Words: []string{"A fixed"}}},
		{name: "not fixed", known: []ledger.Known{a, b}, claims: []ledger.ClaimWord{claimWord("a", notFixed), claimWord("b", fixed)},
			want: outcome{Status: fail, Words: []string{"A not_fixed", "B fixed"}, Reopened: []string{"A"}}},
		{name: "cannot tell", known: []ledger.Known{a}, claims: []ledger.ClaimWord{claimWord("a", cannotTell)},
			want: outcome{Status: fail, Words: []string{"A cannot_tell"}, Warnings: []string{"claim a stays unverified: cannot tell: because a"}}},
		{name: "no word", known: []ledger.Known{a, b}, claims: []ledger.ClaimWord{claimWord("b", fixed)},
			want: outcome{Status: fail, Words: []string{"A no_word", "B fixed"}, Warnings: []string{"no word on 1 claim, not verified: a"}}},
		{name: "two words", known: []ledger.Known{a, b}, claims: []ledger.ClaimWord{
			claimWord("a", fixed), claimWord("a", cannotTell), claimWord("b", cannotTell), claimWord("b", notFixed), claimWord("b", fixed)},
			want: outcome{Status: fail, Words: []string{"A cannot_tell", "B not_fixed"}, Reopened: []string{"B"}, Warnings: []string{"claim a stays unverified: cannot tell: because a"}}},
		{name: "a word that nobody knows", known: []ledger.Known{a}, claims: []ledger.ClaimWord{claimWord("a", "done"), claimWord("z", fixed)},
			want: outcome{Status: fail, Words: []string{"A cannot_tell"}, Warnings: []string{`the answer has a word on "z", which does not exist`, "claim a stays unverified: cannot tell: because a"}}},
		{name: "not fixed, of what it was not asked", known: []ledger.Known{claim("A", at("a.go", 5), ofSlot2), verified("B", at("a.go", 5)), claim("C", at("a.go", 9), ofSlot2)},
			claims: []ledger.ClaimWord{claimWord("a", notFixed), claimWord("b", notFixed), claimWord("c", fixed)},
			want:   outcome{Status: fail, Words: []string{"A: because a", "B: because b"}, Reopened: []string{"A", "B"}}},
		{name: "not fixed, of what is open", known: []ledger.Known{open("A", at("a.go", 5))}, claims: []ledger.ClaimWord{claimWord("a", notFixed)}, want: outcome{Status: pass, Words: []string{"A: because a"}}},
		{name: "what another slot reopened meanwhile", known: []ledger.Known{earlier("A", ledger.StatusReopened, at("a.go", 5), wasClaim)},
			claims: []ledger.ClaimWord{claimWord("a", notFixed)}, want: outcome{Status: fail, Words: []string{"A not_fixed"}}},
		{name: "what was skipped meanwhile", known: []ledger.Known{skip("A", at("a.go", 5), wasClaim), skip("B", at("a.go", 6), wasClaim), skip("C", at("a.go", 7), wasClaim)},
			claims: []ledger.ClaimWord{claimWord("a", notFixed), claimWord("b", cannotTell)}, want: outcome{Status: pass, Words: []string{"A not_fixed", "B cannot_tell"}}},
	}
	run(t, tests)
	e := tests[1].evaluate()
	if d := cmp.Diff(map[string]string{"A": "because a", "B": "because b"}, e.Evidence); d != "" {
		t.Errorf("evidence (-want +got):\n%s", d)
	}
}

// A plain answer has no words on claims: it is decided by whether it passes, and by the words and
// lines of what it reports.
//
// Rule: Only an answer confirms.
func TestPlainAnswers(t *testing.T) {
	t.Parallel()
	passed := ledger.Answer{Passed: true}
	a, b := claim("A", at("a.go", 5, 7)), claim("B", at("b.go", 5))
	by := func(ids ...string) []string {
		return []string{"passed without a word on " + ledger.Plural(len(ids), "claim") + ": " + strings.Join(ids, ", ")}
	}
	no := func(ids ...string) []string {
		return []string{"no word on " + ledger.Plural(len(ids), "claim") + ", not verified: " + strings.Join(ids, ", ")}
	}
	both := []string{"A fixed", "B fixed"}
	run(t, []evaluation{
		{name: "a pass confirms all", answer: passed, known: []ledger.Known{a, b}, want: outcome{Status: pass, Words: both, Warnings: by("a", "b")}},
		{name: "a pass in a verification", rules: verification, answer: passed, known: []ledger.Known{a}, want: outcome{Status: pass, Words: both[:1], Warnings: by("a")}},
		{name: "a pass of one part beside words", answer: passed, known: []ledger.Known{a, b}, claims: []ledger.ClaimWord{claimWord("a", fixed)}, want: outcome{Status: pass, Words: both, Warnings: by("b")}},
		{name: "words of one part refute", known: []ledger.Known{a, b}, claims: []ledger.ClaimWord{claimWord("a", notFixed)},
			want: outcome{Status: fail, Words: []string{"A not_fixed", "B no_word"}, Reopened: []string{"A"}, Warnings: no("b")}},
		{name: "an answer in error confirms nothing", answer: ledger.Answer{Passed: true, Error: "broke"}, known: []ledger.Known{a}, want: outcome{Status: erred}},
		{name: "a fail elsewhere", entries: []ledger.Entry{says(at("c.go", 1), "new", high)}, known: []ledger.Known{a, b},
			want: outcome{Status: fail, Reports: []string{"accepted"}, Words: []string{"A no_word", "B no_word"}, Warnings: no("a", "b")}},
		{name: "the words of a claim elsewhere in its file", entries: []ledger.Entry{says(at("a.go", 50), "words of A")}, known: []ledger.Known{a, b},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed", "B no_word"}, Reopened: []string{"A"}, Warnings: no("b")}},
		{name: "the lines of a claim, below the threshold", entries: []ledger.Entry{says(at("a.go", 7, 9), "other words", low)}, known: []ledger.Known{a, b},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed", "B no_word"}, Reopened: []string{"A"}, Warnings: no("b")}},
		{name: "the lines of a claim that moved", entries: []ledger.Entry{says(at("a.go", 50), "other words", low)}, known: []ledger.Known{claim("A", at("a.go", 5), moved(at("a.go", 50)))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "two reports at one claim", entries: []ledger.Entry{says(at("a.go", 5), "x"), says(at("a.go", 6), "y", high)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"accepted", "accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "one report at two claims", entries: []ledger.Entry{says(at("a.go", 5, 7), "x")}, known: []ledger.Known{claim("C", at("a.go", 6)), a},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed", "C not_fixed"}, Reopened: []string{"C", "A"}}},
		{name: "a claim of the whole file", entries: []ledger.Entry{says(at("a.go", 5), "x")}, known: []ledger.Known{claim("A", at("a.go"))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "another place of a report", entries: []ledger.Entry{says(at("c.go", 5), "x", high, also(at("a.go", 6)))}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"accepted"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "lines of a claim of another slot", entries: []ledger.Entry{says(at("a.go", 5), "x", high)}, known: []ledger.Known{claim("A", at("a.go", 5), ofSlot2)},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "all filtered, in another file", entries: []ledger.Entry{says(at("c.go", 5), "x")}, known: []ledger.Known{a, b},
			want: outcome{Status: pass, Reports: []string{"below_threshold"}, Words: both, Warnings: by("a", "b")}},
		{name: "all filtered, in the file of a claim", entries: []ledger.Entry{says(at("a.go", 50), "x")}, known: []ledger.Known{a, b},
			want: outcome{Status: fail, Reports: []string{"below_threshold"}, Words: []string{"A no_word", "B fixed"}, Warnings: append(by("b"), no("a")...)}},
		{name: "all filtered, as skipped before", entries: []ledger.Entry{says(at("a.go", 50), "words of S")}, known: []ledger.Known{a, skip("S", at("a.go", 50))},
			want: outcome{Status: pass, Reports: []string{"previously_skipped S"}, Words: both[:1], Warnings: by("a")}},
		{name: "all filtered, outside of the changes", entries: []ledger.Entry{says(at("a.go", 500), "x", high)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"out_of_diff"}, Words: []string{"A no_word"}, Warnings: no("a")}},
		{name: "all filtered, about the whole change", entries: []ledger.Entry{says(at("the parser"), "x", everywhere)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"below_threshold the parser"}, Words: []string{"A no_word"}, Warnings: no("a")}},
		{name: "filtered, beside one that counts", entries: []ledger.Entry{says(at("c.go", 5), "x"), says(at("c.go", 9), "y", high)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"below_threshold", "accepted"}, Words: []string{"A no_word"}, Warnings: no("a")}},
		{name: "a verification reopens by lines", rules: verification, entries: []ledger.Entry{says(at("a.go", 7), "x"), says(at("c.go", 7), "y")}, known: []ledger.Known{a, b},
			want: outcome{Status: fail, Reports: []string{"accepted A*", "outside_verify"}, Words: []string{"A not_fixed", "B no_word"}, Reopened: []string{"A"}, Warnings: no("b")}},
		{name: "a verification that reports only elsewhere", rules: verification, entries: []ledger.Entry{says(at("c.go", 7), "y")}, known: []ledger.Known{a},
			want: outcome{Status: pass, Reports: []string{"outside_verify"}, Words: both[:1], Warnings: by("a")}},
	})
	e := evaluation{entries: []ledger.Entry{says(at("a.go", 5, 7), "x")}, known: []ledger.Known{claim("C", at("a.go", 6)), a}}.evaluate()
	if d := cmp.Diff(map[string]string{"C": "reported at its lines: x"}, e.Evidence); d != "" {
		t.Errorf("evidence (-want +got):\n%s", d)
	}
}

// Rule: Only an answer confirms.
func TestByAbsence(t *testing.T) {
	t.Parallel()
	x, saidBefore := words("x"), func(e *ledger.Entry) { e.Fix = "again" }
	known := []ledger.Known{claim("A", at("a.go", 5), words("unused: x is unused"), inHunk("h0")), claim("B", at("a.go", 50), words("unused"), inHunk("h5")), claim("C", at("b.go", 5))}
	run(t, []evaluation{
		{name: "nothing", rules: tool, known: known, want: outcome{Status: pass, Words: []string{"A fixed", "B fixed", "C fixed"}}},
		{name: "the same rule in the same hunk", rules: tool, known: known, entries: []ledger.Entry{says(at("a.go", 7), "unused: x is unused in 2 places"), says(at("a.go", 17), "unused")},
			want: outcome{Status: fail, Reports: []string{"accepted", "accepted B*"}, Words: []string{"A not_fixed", "B not_fixed", "C fixed"}, Reopened: []string{"A", "B"}}},
		{name: "the same rule in the same hunk, below the threshold", rules: ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High, ByAbsence: true}, known: known[:1],
			entries: []ledger.Entry{says(at("a.go", 7), "unused: x is unused in 2 places")},
			want:    outcome{Status: fail, Reports: []string{"below_threshold"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "the same rule of a whole file outside of the changes", rules: tool, known: []ledger.Known{claim("A", at("old.go"), words("licence: missing"), moved(at("a.go")))},
			entries: []ledger.Entry{says(at("old.go"), "licence: missing in 2 files")},
			want:    outcome{Status: fail, Reports: []string{"out_of_diff"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "the same rule in the same hunk, of another claim", rules: tool, known: []ledger.Known{known[0], claim("D", at("a.go", 6), words("unused: y is unused"), inHunk("h0"))},
			entries: []ledger.Entry{says(at("a.go", 5), "unused: x is unused")},
			want:    outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed", "D fixed"}, Reopened: []string{"A"}}},
		{name: "the same rule of the whole change", rules: tool, known: []ledger.Known{claim("A", at("."), words("licence: missing")), claim("B", at("a.go"), words("licence: missing"))},
			entries: []ledger.Entry{says(at("."), "licence: missing in 2 files")},
			want:    outcome{Status: fail, Reports: []string{"accepted"}, Words: []string{"A not_fixed", "B fixed"}, Reopened: []string{"A"}}},
		{name: "the same rule elsewhere, another rule, no hunk", rules: tool, known: append(known[:2:2], claim("C", at("b.go", 5), words("loop: x"))),
			entries: []ledger.Entry{says(at("a.go", 17), "unused: y"), says(at("a.go", 5), "shadow: x is unused"), says(at("b.go", 5), "loop: y")},
			want:    outcome{Status: fail, Reports: []string{"accepted", "accepted", "accepted"}, Words: []string{"A fixed", "B fixed", "C fixed"}}},
		{name: "the same rule, of another violation that is known", rules: tool, known: append(known[:1:1], skip("D", at("a.go", 7), words("unused: d"))),
			entries: []ledger.Entry{says(at("a.go", 7), "unused: d")}, want: outcome{Status: pass, Reports: []string{"previously_skipped D"}, Words: []string{"A fixed"}}},
		{name: "a word outweighs absence", rules: tool, known: known, claims: []ledger.ClaimWord{claimWord("a", notFixed), claimWord("b", cannotTell)},
			want: outcome{Status: fail, Words: []string{"A not_fixed", "B cannot_tell", "C fixed"}, Reopened: []string{"A"}, Warnings: []string{"claim b stays unverified: cannot tell: because b"}}},
		{name: "a malformed entry of its file", rules: tool, known: known, entries: []ledger.Entry{says(at("b.go"), "", lacks("issue")), says(at("b.go", 9), "y")},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Words: []string{"A fixed", "B fixed"}, Warnings: []string{
				"violation 1 is left out: missing issue", "claim c stays unverified: malformed violation 1 may be about it"}}},
		{name: "a malformed entry of no file", rules: tool, known: known[2:], entries: []ledger.Entry{says(at(""), "x", lacks("file")), says(at("c.go", 9), "y")},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: []string{
				"violation 1 is left out: missing file", "claim c stays unverified: malformed violation 1 may be about it"}}},
		{name: "its words on a line where they were said before", rules: tool, known: []ledger.Known{claim("A", at("a.go", 5), x), claim("B", at("b.go"), x)},
			entries: []ledger.Entry{says(at("a.go", 90), "x", high, saidBefore), says(at("b.go", 9), "x", high, saidBefore)},
			want:    outcome{Status: fail, Reports: []string{"accepted", "accepted"}, Words: []string{"A fixed", "B fixed"}}},
		{name: "its words on a line where they were not said before", rules: tool, known: []ledger.Known{claim("A", at("a.go", 5), x)}, entries: []ledger.Entry{says(at("old.go", 9), "y"), says(at("a.go", 900), "x")},
			want: outcome{Status: fail, Reports: []string{"out_of_diff", "accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "its words at its place, where they were said before", rules: tool, known: []ledger.Known{claim("A", at("a.go", 5), x)}, entries: []ledger.Entry{says(at("a.go", 5), "x", saidBefore)},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}, Words: []string{"A not_fixed"}, Reopened: []string{"A"}}},
		{name: "its rule in its hunk, where it was said before", rules: tool, known: known[:1], entries: []ledger.Entry{says(at("a.go", 7), "unused: y is unused", high, saidBefore)},
			want: outcome{Status: fail, Reports: []string{"accepted"}, Words: []string{"A fixed"}}},
		{name: "in an error", rules: tool, known: known, answer: ledger.Answer{Error: "killed"}, want: outcome{Status: erred}},
		{name: "of what another adapter reported", rules: ledger.Rules{Slot: 1, ByAbsence: true, Adapter: "lint"}, known: []ledger.Known{
			claim("A", at("a.go", 1), by("lint")), claim("B", at("a.go", 2), by("claude")), claim("C", at("a.go", 3), by("claude"), by("lint")), claim("D", at("a.go", 4), by("claude"))},
			claims: []ledger.ClaimWord{claimWord("d", fixed)},
			want: outcome{Status: fail, Words: []string{"A fixed", "C fixed", "D fixed"}, Warnings: []string{
				`claim b stays unverified: claude reported it, and "lint", which is in its place now, may not look for it: have claude asked again, or mark it skipped`}}},
		{name: "in a file that is not in the working tree", rules: tool, known: []ledger.Known{claim("A", at("a.go", 5)), claim("B", at("b.go", 5), leftOut)},
			want: outcome{Status: fail, Words: []string{"A fixed"}, Warnings: []string{"claim b stays unverified: b.go is not in the working tree, where it is looked for: a sparse checkout leaves it out"}}},
		{name: "another slot's claim", rules: tool, known: []ledger.Known{claim("A", at("a.go", 5), ofSlot2)}, want: outcome{Status: pass}},
		{name: "findings at the place of a claim", rules: handedIn, known: []ledger.Known{claim("A", at("a.go", 5, 9), moved(at("a.go", 15, 19))), claim("B", at("a.go", 30)), claim("C", at("a.go", 40), moved(at("a.go", 60)))},
			entries: []ledger.Entry{says(at("a.go", 17), "y"), says(at("a.go", 40), "z", same("b"))},
			want: outcome{Status: fail, Reports: []string{"outside_verify", "accepted B*"}, Words: []string{"A not_fixed", "B not_fixed", "C not_fixed"},
				Reopened: []string{"A", "B", "C"}}},
	})
}

func TestGone(t *testing.T) {
	t.Parallel()
	gone := func(ids ...string) (a ledger.Answer) {
		for _, id := range ids {
			a.Gone = append(a.Gone, ledger.GoneWord{ID: id, Evidence: "deleted"})
		}
		return a
	}
	run(t, []evaluation{
		{name: "open ones that were listed", answer: gone("A", "b", "c", "d", "e", "old1", "z"), known: []ledger.Known{
			open("A", at("a.go", 1)), open("B", at("a.go", 2), ofSlot2), open("C", at("a.go", 3), hidden), verified("D", at("a.go", 4)), skip("E", at("a.go", 5))},
			want: outcome{Status: pass, Gone: []string{"A", "B"}, Warnings: []string{`the answer says that "c" is gone, which was not listed`, `the answer says that "z" is gone, which was not listed`}}},
		{name: "not what it reports", answer: gone("a"), entries: []ledger.Entry{says(at("a.go", 1), "x", same("a"))}, known: []ledger.Known{open("A", at("a.go", 1))},
			want: outcome{Status: fail, Reports: []string{"accepted A*"}}},
	})
}

// Rule: Only an answer confirms.
func TestVerified(t *testing.T) {
	t.Parallel()
	said := func(words map[int]ledger.ClaimVerdict) map[match.Asked]ledger.ClaimVerdict {
		said := map[match.Asked]ledger.ClaimVerdict{}
		for slot, word := range words {
			said[match.Asked{Violation: "A", Slot: slot}] = word
		}
		return said
	}
	to := func(slots []int) (asked []match.Asked) {
		for _, slot := range slots {
			asked = append(asked, match.Asked{Violation: "A", Slot: slot})
		}
		return asked
	}
	for _, tt := range []struct {
		name  string
		word  ledger.ClaimVerdict
		known ledger.Known
		putTo []int
		said  map[int]ledger.ClaimVerdict
		again bool
		// joined is set if another violation, of which this one is a duplicate, is reopened.
		joined bool
		want   []string
	}{
		{name: "the one that was asked", word: fixed, putTo: []int{1}, said: map[int]ledger.ClaimVerdict{1: fixed}, want: []string{"A"}},
		{name: "both that were asked", word: fixed, putTo: []int{1, 2}, said: map[int]ledger.ClaimVerdict{1: fixed, 2: fixed}, want: []string{"A"}},
		{name: "the other has not answered", word: fixed, putTo: []int{1, 2}, said: map[int]ledger.ClaimVerdict{1: fixed}},
		{name: "the other cannot tell", word: fixed, putTo: []int{1, 2}, said: map[int]ledger.ClaimVerdict{1: fixed, 2: cannotTell}},
		{name: "this one says nothing", putTo: []int{2}, said: map[int]ledger.ClaimVerdict{2: fixed}},
		{name: "nobody has answered", putTo: []int{1, 2}},
		{name: "neither can tell", word: cannotTell, putTo: []int{1, 2}, said: map[int]ledger.ClaimVerdict{1: cannotTell, 2: cannotTell}},
		{name: "nobody was asked", word: fixed},
		{name: "no claim any more", word: fixed, known: skip("A", at("a.go", 1), wasClaim), putTo: []int{1}, said: map[int]ledger.ClaimVerdict{1: fixed}},
		{name: "what it was joined to is open again", word: fixed, joined: true, putTo: []int{1}, said: map[int]ledger.ClaimVerdict{1: fixed}},
		{name: "reopened by this answer", word: fixed, again: true, putTo: []int{1}, said: map[int]ledger.ClaimVerdict{1: fixed}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.known.ID == "" {
				tt.known = claim("A", at("a.go", 1))
			}
			e := ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"A": tt.word}}
			if tt.again {
				e.Reopened = []string{"A"}
			}
			known := []ledger.Known{tt.known}
			if tt.joined {
				known[0].Original = &ledger.Original{ID: "B"}
				known, e.Reopened = append(known, claim("B", at("a.go", 2))), []string{"B"}
			}
			got, _ := match.Confirmed(e, known, map[string][]match.Asked{"A": to(tt.putTo)}, said(tt.said))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("verified (-want +got):\n%s", d)
			}
		})
	}
}

// A duplicate of a claim that is confirmed with it leaves the claim to be verified.
func TestVerifiedWithWhatWasJoined(t *testing.T) {
	t.Parallel()
	joined := claim("A", at("a.go", 1))
	joined.Status, joined.Original = ledger.StatusDuplicate, &ledger.Original{ID: "B", Status: ledger.StatusFixed}
	a, b := match.Asked{Violation: "A", Slot: 1}, match.Asked{Violation: "B", Slot: 1}
	got, _ := match.Confirmed(ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"A": fixed, "B": fixed}}, []ledger.Known{joined, claim("B", at("a.go", 2))},
		map[string][]match.Asked{"A": {a}, "B": {b}}, map[match.Asked]ledger.ClaimVerdict{a: fixed, b: fixed})
	if d := cmp.Diff([]string{"B"}, got); d != "" {
		t.Errorf("verified (-want +got):\n%s", d)
	}
}

// A slot lists what its answer contradicts, even if another slot contradicted it first.
//
// Rule: Nothing is left out without a word.
func TestContradicted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status ledger.Status
		said   ledger.Evaluation
		want   bool
	}{
		"it reopens it":                        {ledger.StatusFixed, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.ClaimNotFixed}, Reopened: []string{"V"}}, true},
		"another slot has reopened it":         {ledger.StatusReopened, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.ClaimNotFixed}}, true},
		"another slot says that it stands":     {ledger.StatusReopened, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.DisputeStands}}, true},
		"another slot has, this one confirms":  {ledger.StatusReopened, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.ClaimFixed}}, false},
		"another slot has, this one withdraws": {ledger.StatusReopened, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.DisputeWithdrawn}}, false},
		"nobody can tell":                      {ledger.StatusFixed, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.ClaimCannotTell}}, false},
		"it was skipped meanwhile":             {ledger.StatusSkipped, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.ClaimNotFixed}}, false},
	} {
		known := []ledger.Known{{Violation: ledger.Violation{ID: "V", Status: test.status, Slot: 1}}}
		if list := match.Contradicted(test.said, known); (len(list) == 1) != test.want {
			t.Errorf("%s: %q", name, list)
		}
	}
}

// A violation is unaddressed only if it was open, still is, belongs to the slot, and is not named
// in the answer.
func TestUnaddressed(t *testing.T) {
	t.Parallel()
	open := ledger.Known{Violation: ledger.Violation{ID: "V", Status: ledger.StatusNew, Slot: 1}, WasOpen: true}
	accepted := ledger.Evaluated{Disposition: ledger.Accepted, Match: "V"}
	skippedReport := ledger.Evaluated{Disposition: ledger.PreviouslySkipped, Match: "V"}
	with := func(change func(*ledger.Known)) ledger.Known {
		k := open
		change(&k)
		return k
	}
	for name, test := range map[string]struct {
		known ledger.Known
		said  ledger.Evaluation
		left  bool
	}{
		"nothing is reported":      {open, ledger.Evaluation{}, true},
		"it is reported":           {open, ledger.Evaluation{Reports: []ledger.Evaluated{accepted}}, false},
		"its report is left out":   {open, ledger.Evaluation{Reports: []ledger.Evaluated{skippedReport}}, true},
		"it is reopened":           {open, ledger.Evaluation{Reopened: []string{"V"}}, false},
		"the slot withdraws it":    {open, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.DisputeWithdrawn}}, false},
		"for the slot it is fixed": {open, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.ClaimFixed}}, true},
		"it stands, as before":     {open, ledger.Evaluation{Words: map[string]ledger.ClaimVerdict{"V": ledger.DisputeStands}}, false},
		"it was a claim":           {with(func(k *ledger.Known) { k.WasOpen = false }), ledger.Evaluation{}, false},
		"it was skipped since":     {with(func(k *ledger.Known) { k.Status = ledger.StatusSkipped }), ledger.Evaluation{}, false},
		"another slot's":           {with(func(k *ledger.Known) { k.Slot = 2 }), ledger.Evaluation{}, false},
		"a slot's that is gone":    {with(func(k *ledger.Known) { k.Slot = 3 }), ledger.Evaluation{}, true},
	} {
		if left := match.Unaddressed(test.said, []ledger.Known{test.known}, 1, 2); (len(left) == 1) != test.left {
			t.Errorf("%s: %q", name, left)
		}
	}
}
