package ledger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
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

func entry(place ledger.Place, issue string, priority ledger.Priority) ledger.Entry {
	return ledger.Entry{Place: place, Issue: issue, Priority: priority}
}

func malformed(place ledger.Place, issue string, missing ...string) ledger.Entry {
	return ledger.Entry{Place: place, Issue: issue, Priority: ledger.High, Missing: missing}
}

// earlier is an earlier violation of slot 1, a claim of which is shown to it.
func earlier(id string, status ledger.Status, place ledger.Place, issue string) ledger.Known {
	v := violation(id, quality, 1, status)
	v.Issue, v.Place = issue, place
	return ledger.Known{Violation: v, Carried: ledger.Carried{Here: place}, WasClaim: v.Claim(), Shown: v.Claim()}
}

func ofSlot(slot int, k ledger.Known) ledger.Known {
	k.Slot, k.Shown = slot, false
	return k
}

func ranked(p ledger.Priority, k ledger.Known) ledger.Known {
	k.Priority = p
	return k
}

// outcome is what a test wants of an evaluation: each report as
// "disposition match".
type outcome struct {
	Status             ledger.SlotStatus
	Reports            []string
	Verified, Reopened []string
	Warnings           int
}

func outcomeOf(e ledger.Evaluation) outcome {
	o := outcome{Status: e.Status, Verified: e.Verified, Reopened: e.Reopened, Warnings: len(e.Warnings)}
	for _, r := range e.Reports {
		o.Reports = append(o.Reports, strings.TrimSpace(string(r.Disposition)+" "+r.Match))
	}
	return o
}

// changed has the lines 1 to 100 of any file but "old.go" in the diff.
func changed(p ledger.Place) bool { return p.File != "old.go" && p.Start <= 100 }

func factsOf(entries []ledger.Entry) (facts ledger.Facts) {
	for _, e := range entries {
		facts.Entries = append(facts.Entries, ledger.EntryFacts{InDiff: changed(e.Place)})
	}
	return facts
}

type evaluation struct {
	name    string
	fail    bool
	entries []ledger.Entry
	known   []ledger.Known
	rules   ledger.Rules // the zero value is slot 1 on a rerun with the threshold high
	want    outcome
}

func (tt evaluation) run(t *testing.T) {
	t.Parallel()
	rules := tt.rules
	if rules == (ledger.Rules{}) {
		rules = ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High}
	}
	for i := range tt.entries {
		tt.entries[i].Position = i + 1
	}
	facts := factsOf(tt.entries)
	got := outcomeOf(ledger.Evaluate(ledger.Answer{Fail: tt.fail, Entries: tt.entries}, tt.known, facts, rules))
	if d := cmp.Diff(tt.want, got); d != "" {
		t.Errorf("evaluation (-want +got):\n%s", d)
	}
}

// Rule: Violations count, whatever the status says.
// Rule: Missing fields are named.
func TestEvaluateStatus(t *testing.T) {
	t.Parallel()
	first := ledger.Rules{Slot: 1, Threshold: ledger.High}
	tests := []evaluation{
		{name: "pass", want: outcome{Status: pass}},
		{name: "fail without violations", fail: true, want: outcome{Status: erred}},
		{name: "pass with violations", entries: []ledger.Entry{entry(at("a.go", 1), "x", ledger.Low)}, rules: first,
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "fail with violations", fail: true, entries: []ledger.Entry{entry(at("a.go", 1), "x", ledger.High)},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "all filtered", fail: true, entries: []ledger.Entry{
			entry(at("old.go", 1), "x", ledger.Critical), entry(at("a.go", 1), "y", ledger.Low), entry(at("b.go", 5), "z", ledger.Medium)},
			known: []ledger.Known{earlier("A", ledger.StatusSkipped, at("b.go", 5), "z")},
			want:  outcome{Status: pass, Reports: []string{"out_of_diff", "below_threshold", "previously_skipped A"}}},
		{name: "Missing required fields", fail: true, entries: []ledger.Entry{
			malformed(at("a.go", 1), "", "issue"), entry(at("a.go", 2), "x", ledger.High)},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: 1}},
		{name: "malformed only", fail: true, entries: []ledger.Entry{malformed(at("a.go", 1), "x", "priority")},
			want: outcome{Status: erred, Reports: []string{"malformed"}, Warnings: 1}},
		{name: "malformed only in a pass", entries: []ledger.Entry{malformed(at("", 1), "x", "file")},
			want: outcome{Status: erred, Reports: []string{"malformed"}, Warnings: 1}},
		{name: "malformed and filtered", fail: true, entries: []ledger.Entry{
			malformed(at("a.go", 1), "", "issue"), entry(at("old.go", 2), "x", ledger.High)},
			want: outcome{Status: erred, Reports: []string{"malformed", "out_of_diff"}, Warnings: 1}},
		{name: "an error changes nothing", fail: true, known: []ledger.Known{earlier("A", ledger.StatusFixed, at("a.go", 1), "x")},
			want: outcome{Status: erred}},
		{name: "a malformed error changes nothing", fail: true, entries: []ledger.Entry{malformed(at("b.go", 1), "y", "priority")},
			known: []ledger.Known{earlier("A", ledger.StatusFixed, at("a.go", 1), "x")},
			want:  outcome{Status: erred, Reports: []string{"malformed"}, Warnings: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// Rule: The range filter comes first.
// Rule: A rerun leaves out what is new and below the threshold.
func TestEvaluateFilters(t *testing.T) {
	t.Parallel()
	threshold := func(p ledger.Priority) ledger.Rules {
		return ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: p}
	}
	one := func(p ledger.Priority) []ledger.Entry { return []ledger.Entry{entry(at("a.go", 5), "x", p)} }
	accepted, below := outcome{Status: fail, Reports: []string{"accepted"}}, outcome{Status: pass, Reports: []string{"below_threshold"}}
	tests := []evaluation{
		{name: "Below-threshold new violation discarded on re-run", entries: one(ledger.Medium), want: below},
		{name: "At-or-above-threshold new violation accepted on re-run", entries: one(ledger.High), want: accepted},
		{name: "critical at threshold high", entries: one(ledger.Critical), want: accepted},
		{name: "Threshold set to critical", entries: one(ledger.High), rules: threshold(ledger.Critical), want: below},
		{name: "Threshold set to medium", entries: one(ledger.Medium), rules: threshold(ledger.Medium), want: accepted},
		{name: "low at threshold medium", entries: one(ledger.Low), rules: threshold(ledger.Medium), want: below},
		{name: "Threshold set to low (accept all)", entries: one(ledger.Info), rules: threshold(ledger.Low), want: accepted},
		{name: "threshold info accepts all", entries: one(ledger.Info), rules: threshold(ledger.Info), want: accepted},
		{name: "an unknown priority counts as high", entries: one("urgent"), want: accepted},
		{name: "a priority in capitals", entries: one("CRITICAL"), rules: threshold(ledger.Critical), want: accepted},
		{name: "no threshold for a slot that never answered", entries: one(ledger.Info), rules: ledger.Rules{Slot: 1, Threshold: ledger.High}, want: accepted},
		{name: "Previously-reported violations bypass priority filter", entries: one(ledger.Low),
			known: []ledger.Known{earlier("A", ledger.StatusFixed, at("a.go", 4, 6), "other words")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "Filter ordering", entries: []ledger.Entry{
			entry(at("old.go", 5), "other words", ledger.Low), entry(at("old.go", 5), "new", ledger.Critical), entry(at("a.go", 5), "new", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusVerified, at("old.go", 5), "words")},
			want:  outcome{Status: pass, Reports: []string{"out_of_diff", "out_of_diff", "below_threshold"}}},
		{name: "malformed before out of diff", entries: []ledger.Entry{malformed(at("old.go", 5), "", "issue"), entry(at("a.go", 5), "x", ledger.High)},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: 1}},
		{name: "whole files have no lines off the diff", entries: []ledger.Entry{entry(at("old.go", 5), "x", ledger.High)},
			rules: ledger.Rules{Slot: 1, Threshold: ledger.High, WholeFiles: true}, want: accepted},
		{name: "a claim's carried place counts as in the diff", entries: []ledger.Entry{entry(at("old.go", 5), "in other words", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusFixed, at("old.go", 3, 7), "words")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "so does another slot's claim", entries: []ledger.Entry{entry(at("old.go", 5), "in other words", ledger.Low)},
			known: []ledger.Known{ofSlot(2, earlier("A", ledger.StatusFixed, at("old.go", 3, 7), "words"))},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "a second report at a claim's place is new whatever its priority", entries: []ledger.Entry{
			entry(at("a.go", 5), "one", ledger.Low), entry(at("a.go", 5), "two", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusFixed, at("a.go", 5), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A", "accepted"}, Reopened: []string{"A"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// Rule: One report is one violation.
// Rule: What comes back is reopened.
func TestEvaluateMatches(t *testing.T) {
	t.Parallel()
	claim := func(id string, place ledger.Place, issue string) ledger.Known {
		return earlier(id, ledger.StatusFixed, place, issue)
	}
	one := []ledger.Entry{entry(at("a.go", 10, 12), "Words", ledger.Low)}
	tests := []evaluation{
		{name: "equal wording before own slot", entries: one,
			known: []ledger.Known{ofSlot(2, claim("A", at("a.go", 10, 12), "words")), claim("B", at("a.go", 12), "other")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Verified: []string{"B"}, Reopened: []string{"A"}}},
		{name: "own slot before larger overlap", entries: one,
			known: []ledger.Known{ofSlot(2, claim("A", at("a.go", 10, 12), "one")), claim("B", at("a.go", 12), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}}},
		{name: "equal wording before larger overlap", entries: one,
			known: []ledger.Known{claim("A", at("a.go", 10, 12), "other"), claim("B", at("a.go", 12), " words.\n")},
			want:  outcome{Status: fail, Reports: []string{"accepted B"}, Verified: []string{"A"}, Reopened: []string{"B"}}},
		{name: "larger overlap before nearer start", entries: one,
			known: []ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 11, 12), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}, Warnings: 1}},
		{name: "nearer start before age", entries: one,
			known: []ledger.Known{claim("A", at("a.go", 1, 10), "one"), claim("B", at("a.go", 9, 10), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}, Warnings: 1}},
		{name: "the older of equals", entries: one,
			known: []ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 10), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}, Warnings: 1}},
		{name: "one report, one violation", entries: []ledger.Entry{
			entry(at("a.go", 10), "new wording", ledger.Low), entry(at("a.go", 10), "one", ledger.Low), entry(at("a.go", 10), "third", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 10), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted B", "accepted A", "accepted"}, Reopened: []string{"A", "B"}}},
		{name: "touching ranges meet", entries: []ledger.Entry{entry(at("a.go", 12, 20), "x", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 5, 12), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "neighbouring ranges do not", entries: []ledger.Entry{entry(at("a.go", 13, 20), "x", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 5, 12), "one")},
			want:  outcome{Status: pass, Reports: []string{"below_threshold"}, Verified: []string{"A"}}},
		{name: "another file does not", entries: []ledger.Entry{entry(at("b.go", 5), "x", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 5), "one")},
			want:  outcome{Status: pass, Reports: []string{"below_threshold"}, Verified: []string{"A"}}},
		{name: "a report about the file meets its claims", entries: []ledger.Entry{entry(at("a.go"), "x", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 5), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "a claim about the file meets its reports", entries: []ledger.Entry{entry(at("a.go", 500), "x", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go"), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "an empty range of deleted lines meets its line", entries: []ledger.Entry{entry(at("a.go", 10), "x", ledger.Low)},
			known: []ledger.Known{claim("A", ledger.Place{File: "a.go", Start: 10, End: 9}, "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "a report with a start alone is about one line", entries: []ledger.Entry{entry(ledger.Place{File: "a.go", Start: 10}, "x", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 10), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "an open violation is reported again", entries: one,
			known: []ledger.Known{earlier("A", ledger.StatusReopened, at("a.go", 10), "words.")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}}},
		{name: "other words at the place of an open violation are another one", entries: one,
			known: []ledger.Known{earlier("A", ledger.StatusNew, at("a.go", 10), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "nor does an open violation take what contradicts a claim", entries: one,
			known: []ledger.Known{earlier("A", ledger.StatusNew, at("a.go", 10, 12), "one"), claim("B", at("a.go", 12), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}}},
		{name: "a claim that another slot reopened meanwhile is met in other words", entries: one, known: []ledger.Known{func() ledger.Known {
			k := claim("A", at("a.go", 10), "one")
			k.Status = ledger.StatusReopened
			return k
		}()},
			want: outcome{Status: fail, Reports: []string{"accepted A"}}},
		{name: "a verified violation is reported again", entries: one,
			known: []ledger.Known{earlier("A", ledger.StatusVerified, at("a.go", 10), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "a verified violation is reported again off the changed lines, word for word", entries: []ledger.Entry{entry(at("a.go", 900), "one.", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusVerified, at("a.go", 900), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "off the changed lines, at another place", entries: []ledger.Entry{entry(at("a.go", 901), "one.", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusVerified, at("a.go", 900), "one")},
			want:  outcome{Status: pass, Reports: []string{"out_of_diff"}}},
		{name: "not seen again is not fixed", known: []ledger.Known{
			earlier("A", ledger.StatusNew, at("a.go", 1), "one"), ofSlot(2, claim("B", at("a.go", 2), "two")), earlier("C", ledger.StatusSkipped, at("a.go", 3), "three")},
			want: outcome{Status: pass}},
		{name: "a claim that was shown and is not reported is verified", known: []ledger.Known{claim("A", at("a.go", 1), "one")},
			want: outcome{Status: pass, Verified: []string{"A"}}},
		{name: "a shown claim that somebody reopened meanwhile is not", known: []ledger.Known{func() ledger.Known {
			k := claim("A", at("a.go", 1), "one")
			k.Status = ledger.StatusReopened
			return k
		}()}, want: outcome{Status: pass}},
		{name: "a claim that its own slot verified meanwhile is reopened", entries: one, known: []ledger.Known{func() ledger.Known {
			k := ofSlot(2, claim("A", at("a.go", 10), "one"))
			k.Status = ledger.StatusVerified
			return k
		}()}, want: outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// Rule: A skip is not reported twice.
func TestEvaluateSkipped(t *testing.T) {
	t.Parallel()
	skip := earlier("A", ledger.StatusSkipped, at("a.go", 10, 12), "Use const.") // medium
	one := func(p ledger.Priority) []ledger.Entry {
		return []ledger.Entry{entry(at("a.go", 12), "use  CONST", p)}
	}
	tests := []evaluation{
		{name: "same priority", entries: one(ledger.Medium), known: []ledger.Known{skip}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "lower priority", entries: one(ledger.Info), known: []ledger.Known{skip}, want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "higher priority bypasses the threshold", entries: one(ledger.Medium), known: []ledger.Known{ranked(ledger.Low, skip)},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "other words at the place are a new report like any", entries: []ledger.Entry{
			entry(at("a.go", 10), "use var", ledger.High), entry(at("a.go", 10), "use let", ledger.Medium)}, known: []ledger.Known{skip},
			want: outcome{Status: fail, Reports: []string{"accepted", "below_threshold"}}},
		{name: "the same words elsewhere", entries: []ledger.Entry{entry(at("a.go", 13), "Use const.", ledger.High)}, known: []ledger.Known{skip},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "the same words about the whole file", entries: []ledger.Entry{entry(at("a.go"), "Use const.", ledger.High)}, known: []ledger.Known{ranked(ledger.High, skip)},
			want: outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "a skip of the whole file says nothing about its lines", entries: []ledger.Entry{entry(at("a.go", 5), "Use const.", ledger.High)},
			known: []ledger.Known{ranked(ledger.High, earlier("A", ledger.StatusSkipped, at("a.go"), "Use const."))},
			want:  outcome{Status: fail, Reports: []string{"accepted"}}},
		{name: "a skip of the whole file said again", entries: []ledger.Entry{entry(at("a.go"), "Use const.", ledger.Medium)},
			known: []ledger.Known{earlier("A", ledger.StatusSkipped, at("a.go"), "Use const.")},
			want:  outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "the most important of several skips counts", entries: one(ledger.High), known: []ledger.Known{ranked(ledger.Low, skip),
			ranked(ledger.High, earlier("B", ledger.StatusSkipped, at("a.go", 12), "use const"))},
			want: outcome{Status: pass, Reports: []string{"previously_skipped B"}}},
		{name: "the most important of several skips counts, also if it is the first", entries: one(ledger.High), known: []ledger.Known{
			ranked(ledger.High, earlier("B", ledger.StatusSkipped, at("a.go", 12), "use const")), ranked(ledger.Low, skip)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped B"}}},
		{name: "of skips that are as important the first", entries: append(one(ledger.Medium), one(ledger.Medium)...), known: []ledger.Known{
			skip, earlier("B", ledger.StatusSkipped, at("a.go", 12), "use const")},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A", "previously_skipped B"}}},
		{name: "what is open in the same words on the next line is not meant", entries: one(ledger.Medium), known: []ledger.Known{
			skip, earlier("B", ledger.StatusNew, at("a.go", 13), "use const")},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "a claim in the same words goes before a skip", entries: one(ledger.Low),
			known: []ledger.Known{skip, earlier("B", ledger.StatusFixed, at("a.go", 12), "use const")},
			want:  outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}}},
		{name: "two reports in the words of a claim and a skip", entries: append(one(ledger.Low), one(ledger.Low)...),
			known: []ledger.Known{skip, earlier("B", ledger.StatusFixed, at("a.go", 12), "use const")},
			want:  outcome{Status: fail, Reports: []string{"accepted B", "accepted"}, Reopened: []string{"B"}}},
		{name: "a skip does not stand for a claim in other words", entries: one(ledger.Medium),
			known: []ledger.Known{skip, earlier("B", ledger.StatusFixed, at("a.go", 12), "leaks memory")},
			want:  outcome{Status: pass, Reports: []string{"previously_skipped A"}, Verified: []string{"B"}}},
		{name: "off the diff first", entries: []ledger.Entry{entry(at("old.go", 1), "x", ledger.High)},
			known: []ledger.Known{earlier("A", ledger.StatusSkipped, at("old.go", 1), "x")},
			want:  outcome{Status: pass, Reports: []string{"out_of_diff"}}},
		{name: "closing punctuation may be the issue", entries: []ledger.Entry{entry(at("a.go", 5), "the separator must be ';'", ledger.High)},
			known: []ledger.Known{ranked(ledger.High, earlier("A", ledger.StatusSkipped, at("a.go", 5), "the separator must be ','"))},
			want:  outcome{Status: fail, Reports: []string{"accepted"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// A report that a filter would take away must not confirm the claim that it
// repeats; nor may one that cannot be read, if it may be about the claim.
func TestFiltersDoNotHideClaims(t *testing.T) {
	t.Parallel()
	claim := earlier("A", ledger.StatusFixed, at("old.go", 10), "Leaks the file.")
	real := entry(at("b.go", 1), "real", ledger.High)
	lost := func(id string, slot int) ledger.Known { // nothing is left at its place
		k := ofSlot(slot, earlier(id, ledger.StatusFixed, at("old.go", 10), "Leaks the file."))
		k.Shown, k.Here = slot == 1, at("old.go")
		return k
	}
	anywhere := entry(at("?"), "leaks the file", ledger.Low)
	anywhere.WholeChange = true
	tests := []evaluation{
		{name: "out of diff, word for word", entries: []ledger.Entry{entry(at("old.go", 99), "leaks the file", ledger.Low)}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "below the threshold, word for word", entries: []ledger.Entry{entry(at("a.go", 50), "leaks the file", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusFixed, at("a.go", 10), "Leaks the file.")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "in another slot's claim's words", entries: []ledger.Entry{entry(at("old.go", 99), "leaks the file", ledger.Low)}, known: []ledger.Known{ofSlot(2, claim)},
			want: outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "not where another report is at the place", entries: []ledger.Entry{
			entry(at("old.go", 99), "leaks the file", ledger.Low), entry(at("old.go", 10), "leaks the file", ledger.Low)}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"out_of_diff", "accepted A"}, Reopened: []string{"A"}}},
		{name: "one report for one claim", entries: []ledger.Entry{
			entry(at("old.go", 98), "leaks the file", ledger.Low), entry(at("old.go", 99), "leaks the file", ledger.Low)}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"accepted A", "out_of_diff"}, Reopened: []string{"A"}}},
		{name: "of claims of which nothing is left, the slot's own", entries: []ledger.Entry{entry(at("b.go", 5), "leaks the file", ledger.Low)},
			known: []ledger.Known{lost("A", 2), lost("B", 1), lost("C", 2)}, want: outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}}},
		{name: "of no file, of claims elsewhere, the slot's own", entries: []ledger.Entry{anywhere},
			known: []ledger.Known{ofSlot(2, claim), earlier("B", ledger.StatusFixed, at("old.go", 30), "Leaks the file.")}, want: outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}}},
		{name: "other words out of diff", entries: []ledger.Entry{entry(at("old.go", 99), "something else", ledger.Low)}, known: []ledger.Known{claim},
			want: outcome{Status: pass, Reports: []string{"out_of_diff"}, Verified: []string{"A"}}},
		{name: "an open violation is not a claim", entries: []ledger.Entry{entry(at("old.go", 99), "leaks the file", ledger.Low)},
			known: []ledger.Known{earlier("A", ledger.StatusNew, at("old.go", 10), "Leaks the file.")},
			want:  outcome{Status: pass, Reports: []string{"out_of_diff"}}},
		{name: "a claim that was skipped meanwhile", entries: []ledger.Entry{entry(at("old.go", 99), "leaks the file", ledger.Low)}, known: []ledger.Known{func() ledger.Known {
			k := claim
			k.Status = ledger.StatusSkipped
			return k
		}()}, want: outcome{Status: pass, Reports: []string{"out_of_diff"}}},
		{name: "malformed without a file", entries: []ledger.Entry{malformed(at("", 3), "x", "file"), real}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: 2}},
		{name: "malformed at the place", entries: []ledger.Entry{malformed(at("old.go", 10), "", "issue"), real}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: 2}},
		{name: "malformed without lines in the file", entries: []ledger.Entry{malformed(at("old.go"), "", "issue"), real}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: 2}},
		{name: "malformed in the words of the claim", entries: []ledger.Entry{malformed(at("old.go", 99), "leaks the FILE", "priority"), real}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Warnings: 2}},
		{name: "malformed on the line beside it", entries: []ledger.Entry{malformed(at("old.go", 11), "y", "priority"), real}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Verified: []string{"A"}, Warnings: 1}},
		{name: "malformed elsewhere", entries: []ledger.Entry{malformed(at("old.go", 99), "y", "priority"), real}, known: []ledger.Known{claim},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Verified: []string{"A"}, Warnings: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

func TestEvaluateSaysWhy(t *testing.T) {
	t.Parallel()
	rules := ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High}
	answer := ledger.Answer{Fail: true, Entries: []ledger.Entry{
		{Position: 1, Place: at("a.go", 7), Missing: []string{"issue", "priority"}},
		{Position: 2, Place: at("old.go", 7), Issue: "x", Priority: ledger.High},
		{Position: 3, Place: at("a.go", 7), Issue: "y", Priority: ledger.Low},
		{Position: 4, Place: at("a.go", 8), Issue: "z", Priority: ledger.Low},
		{Position: 5, Place: at("a.go", 7), Issue: "new", Priority: ledger.High},
	}}
	facts := factsOf(answer.Entries)
	for i, e := range answer.Entries {
		facts.Entries[i].InFixLines = e.Place.Start == 7
	}
	e := ledger.Evaluate(answer, []ledger.Known{earlier("A", ledger.StatusSkipped, at("a.go", 8), "z")}, facts, rules)
	var reasons []string
	var touched []int
	for _, r := range e.Reports {
		reasons = append(reasons, r.Reason)
		if r.InFixLines {
			touched = append(touched, r.Position)
		}
	}
	if d := cmp.Diff([]string{"missing issue, priority", "outside the changed lines", "new on a rerun and below the threshold high",
		"repeats violation shortA, which was skipped", ""}, reasons); d != "" {
		t.Errorf("reasons (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{3, 5}, touched); d != "" {
		t.Errorf("in fix lines (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"violation 1 is left out: missing issue, priority"}, e.Warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
	if got := e.Count(ledger.Accepted); got != 1 {
		t.Errorf("%d accepted, want 1", got)
	}
	for _, r := range ledger.Evaluate(answer, nil, facts, ledger.Rules{Slot: 1}).Reports {
		if r.InFixLines {
			t.Errorf("violation %d of a first answer is in lines of a fix", r.Position)
		}
	}
}

// A match that its place explains has no other reason, and keeps its place.
func TestMatchAtThePlaceNeedsNoReason(t *testing.T) {
	t.Parallel()
	rules := ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High}
	moved := earlier("A", ledger.StatusFixed, at("old.go", 10, 12), "Leaks the file.")
	moved.Moved = []ledger.Place{{File: "old.go", Start: 40, End: 38}, {File: "old.go", Start: 50, End: 52}}
	for name, tt := range map[string]struct {
		place  ledger.Place
		reason string
		want   ledger.Place
	}{
		"where it is":                  {at("old.go", 10), "", at("old.go", 10)},
		"on its last line":             {at("old.go", 12), "", at("old.go", 12)},
		"where a line of it went":      {at("old.go", 40), "", at("old.go", 40)},
		"where two lines of it went":   {at("old.go", 52), "", at("old.go", 52)},
		"elsewhere, in the same words": {at("old.go", 70), "repeats a violation that was marked fixed (given as line 70)", at("old.go", 10, 12)},
	} {
		answer := ledger.Answer{Fail: true, Entries: []ledger.Entry{{Position: 1, Place: tt.place, Issue: "leaks the file", Priority: ledger.High}}}
		e := ledger.Evaluate(answer, []ledger.Known{moved}, factsOf(answer.Entries), rules)
		if r := e.Reports[0]; r.Match != "A" || r.Reason != tt.reason || r.Place != tt.want {
			t.Errorf("%s: matches %q, because %q, at %v", name, r.Match, r.Reason, r.Place)
		}
	}
}

// What is handed in stays as it is: it is recorded, too.
func TestEvaluateChangesNoArgument(t *testing.T) {
	t.Parallel()
	known := []ledger.Known{earlier("A", ledger.StatusFixed, ledger.Place{File: "a.go", Start: 10, End: 9}, "x")}
	entries := []ledger.Entry{{Position: 1, Place: ledger.Place{File: "a.go", Start: 10, End: 3}, Issue: "x", Priority: "HIGH"}}
	ledger.Evaluate(ledger.Answer{Entries: entries}, known, factsOf(entries), ledger.Rules{Slot: 1})
	if d := cmp.Diff(ledger.Place{File: "a.go", Start: 10, End: 9}, known[0].Here); d != "" {
		t.Errorf("known was changed:\n%s", d)
	}
	if entries[0].Priority != "HIGH" || entries[0].Place.End != 3 {
		t.Errorf("the entry was changed: %+v", entries[0])
	}
}

func TestSameText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "Leaks", "Leaks", true},
		{"case, space and full stop", " Leaks\tthe\nFILE. ", "leaks the file", true},
		{"ellipsis", "leaks…", "leaks...", true},
		{"other words", "leaks a file", "leaks the file", false},
		{"a call", "call foo()", "call foo", false},
		{"quoted marks", "must be '%'", "must be '&'", false},
		{"a question is another sentence", "leaks?", "leaks", false},
		{"marks alone", "...", "!!!", false},
		{"nothing", "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := ledger.SameText(tt.a, tt.b); got != tt.want {
				t.Errorf("SameText(%q, %q) = %t", tt.a, tt.b, got)
			}
			if got := ledger.SameText(tt.b, tt.a); got != tt.want {
				t.Errorf("SameText(%q, %q) = %t", tt.b, tt.a, got)
			}
		})
	}
}

func TestAnswerWellFormed(t *testing.T) {
	t.Parallel()
	good := ledger.Entry{Place: at("a.go", 1), Issue: "Issue.", Priority: ledger.Low}
	lacking := good
	lacking.Missing = []string{"issue"}
	for name, test := range map[string]struct {
		answer ledger.Answer
		want   bool
	}{
		"a pass":                       {ledger.Answer{}, true},
		"violations":                   {ledger.Answer{Fail: true, Entries: []ledger.Entry{good}}, true},
		"a failure without any":        {ledger.Answer{Fail: true}, false},
		"one that lacks a field":       {ledger.Answer{Fail: true, Entries: []ledger.Entry{good, lacking}}, false},
		"a pass that lists such a one": {ledger.Answer{Entries: []ledger.Entry{lacking}}, false},
	} {
		if got := test.answer.WellFormed(); got != test.want {
			t.Errorf("%s is well-formed: %v", name, got)
		}
	}
}
