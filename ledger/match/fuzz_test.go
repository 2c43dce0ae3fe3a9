package match_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// drawn is an evaluation that is drawn from bytes: it has few files, lines and words, so that all
// combinations occur.
type drawn struct {
	answer ledger.Answer
	known  []ledger.Known
	facts  ledger.Facts
	rules  ledger.Rules
}

type source []byte

func (b *source) next(n int) int {
	if len(*b) == 0 {
		return 0
	}
	first := (*b)[0]
	*b = (*b)[1:]
	return int(first) % n
}

func (b *source) place() ledger.Place {
	start := b.next(12)
	return ledger.Place{File: []string{"a.go", "b.go"}[b.next(2)], Start: start, End: start + b.next(4) - 1}
}

func (b *source) priority() ledger.Priority { return ledger.Priorities()[b.next(5)] }

func (b *source) issue() string { return []string{"leaks", "Leaks.", "races", "panics: x"}[b.next(4)] }

func (b *source) entry(position, shown int) (ledger.Entry, ledger.EntryFacts) {
	e := ledger.Entry{Position: position, Place: b.place(), Issue: b.issue(), Priority: b.priority()}
	switch b.next(12) {
	case 9:
		e.WholeChange, e.Place = true, ledger.Place{File: "the change"}
	case 10:
		e.Missing = []string{"priority"}
	case 11:
		e.Missing, e.Place.File = []string{"file"}, ""
	}
	if b.next(3) == 2 {
		e.SameAs = []string{"v0", "v1", "V2", "v3", "old0", "old1", "z"}[b.next(7)]
	}
	if b.next(6) == 5 {
		e.Also = []ledger.Place{b.place()}
	}
	fact := ledger.EntryFacts{
		InRange: e.Place.Start <= shown, Hunk: []string{"", "h"}[b.next(2)],
		Line: ledger.LineFact{Known: true, Text: fmt.Sprint(e.Place.Start % 4)}, Fingerprint: fmt.Sprint(e.Place.Start % 4),
	}
	return e, fact
}

func draw(data []byte) (d drawn) {
	b := source(data)
	shown := b.next(12)
	d.rules = ledger.Rules{Slot: 1 + b.next(2), AnsweredBefore: b.next(3) > 0, Threshold: b.priority(), Verify: b.next(5) == 4, ByAbsence: b.next(3) == 2}
	if b.next(6) == 5 {
		d.answer.Error = "it broke"
	}
	for i := range b.next(6) {
		e, fact := b.entry(i+1, shown)
		d.answer.Entries, d.facts.Entries = append(d.answer.Entries, e), append(d.facts.Entries, fact)
	}
	d.answer.Passed = len(d.answer.Entries) == 0 && b.next(2) == 1
	for i := range b.next(5) {
		id := fmt.Sprintf("V%d", i)
		v := ledger.Violation{ID: id, ShortID: strings.ToLower(id), Slot: 1 + b.next(2), Status: ledger.Statuses()[b.next(5)], Issue: b.issue(), Priority: b.priority(), Place: b.place()}
		// Meanwhile another slot may have changed the status of a claim, or somebody may have
		// marked it.
		k := ledger.Known{Violation: v, Whereabouts: ledger.Whereabouts{Here: v.Place, Hunk: []string{"", "h"}[b.next(2)]}, WasClaim: v.Claim() || b.next(3) == 2}
		k.Asked, k.Listed = k.WasClaim && b.next(3) > 0, b.next(3) > 0
		if b.next(3) == 2 {
			k.Here = b.place()
		}
		if b.next(4) == 3 {
			k.Moved = []ledger.Place{b.place()}
		}
		d.known = append(d.known, k)
		if word := b.next(6); word < 4 {
			d.answer.Claims = append(d.answer.Claims, ledger.ClaimWord{ID: v.ShortID, Verdict: []ledger.ClaimVerdict{fixed, fixed, notFixed, cannotTell}[word], Evidence: "seen"})
		}
	}
	for i := range b.next(3) {
		id := fmt.Sprintf("old%d", i)
		d.facts.Earlier = append(d.facts.Earlier, ledger.EarlierViolation{ShortID: id})
		line := b.next(4)
		skip := ledger.EarlierViolation{
			ID: strings.ToUpper(id), ShortID: id, Issue: b.issue(), Priority: b.priority(), MetBefore: b.next(2) == 1,
			Fingerprint: fmt.Sprint(line), Status: ledger.StatusSkipped,
		}
		if line != 0 || b.next(2) == 0 {
			skip.Place.Start = 1
		}
		d.facts.Remembered = append(d.facts.Remembered, skip)
	}
	return d
}

func (d drawn) evaluate() ledger.Evaluation {
	return match.Evaluate(d.answer, d.known, d.facts, d.rules)
}

func (d drawn) find(id string) (ledger.Known, bool) {
	i := slices.IndexFunc(d.known, func(k ledger.Known) bool { return k.ID == id })
	if i < 0 {
		return ledger.Known{}, false
	}
	return d.known[i], true
}

// check checks what must be true of every evaluation.
func (d drawn) check(t *testing.T) {
	t.Helper()
	e := d.evaluate()
	if len(e.Reports) != len(d.answer.Entries) {
		t.Fatalf("%d entries became %d reports", len(d.answer.Entries), len(e.Reports))
	}
	d.checkReports(t, e)
	d.checkStatus(t, e)
	d.checkClaims(t, e)
	d.checkOrder(t, e)
	for i, entry := range d.answer.Entries {
		if entry.SameAs != "" {
			d.checkName(t, e, i)
		}
	}
}

func (d drawn) checkReports(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	leads, met := map[string]int{}, map[string]bool{}
	for i, r := range e.Reports {
		if r.Position != d.answer.Entries[i].Position || r.Issue != d.answer.Entries[i].Issue {
			t.Errorf("report %d is not entry %d", i, i)
		}
		if (r.Disposition == ledger.Malformed) != (len(r.Missing) > 0) {
			t.Errorf("report %d lacks %q and is %s", i, r.Missing, r.Disposition)
		}
		k, known := d.find(r.Match)
		switch {
		case r.Disposition == ledger.Accepted:
			if known && k.Status == ledger.StatusSkipped {
				t.Errorf("report %d matches %s, which is skipped", i, r.Match)
			}
			if r.Leads {
				leads[r.Match]++
			} else if known {
				leads[r.Match] += 0
			}
		case r.Reason == "":
			t.Errorf("report %d is %s for no reason", i, r.Disposition)
		case r.Disposition == ledger.PreviouslySkipped:
			if k.Status != ledger.StatusSkipped || r.Priority.Higher(k.Priority) || met[r.Match] {
				t.Errorf("report %d is previously skipped as %+v (covers another: %t)", i, k, met[r.Match])
			}
			met[r.Match] = true
		case r.Match != "":
			t.Errorf("report %d is %s and matches %q", i, r.Disposition, r.Match)
		case r.Disposition == ledger.RememberedSkip:
			if r.Remembered == nil || met[r.Remembered.ID] || r.Priority.Higher(r.Remembered.Priority) {
				t.Errorf("report %d is remembered as %+v", i, r.Remembered)
			}
			met[r.Remembered.ID] = true
		case r.Disposition == ledger.BelowThreshold:
			if !d.rules.AnsweredBefore || r.Priority.Meets(d.rules.Threshold) {
				t.Errorf("report %d of priority %s is below %s", i, r.Priority, d.rules.Threshold)
			}
		case !slices.Contains([]ledger.Disposition{ledger.OutOfDiff, ledger.Malformed, ledger.Merged, ledger.OutsideVerify}, r.Disposition):
			t.Errorf("report %d has the disposition %q", i, r.Disposition)
		}
	}
	for id, n := range leads {
		if id != "" && n != 1 {
			t.Errorf("%d reports lead %s", n, id)
		}
	}
}

func (d drawn) checkStatus(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	accepted := e.Count(ledger.Accepted)
	switch e.Status {
	case pass:
		for id, word := range e.Words {
			if k, _ := d.find(id); word != fixed && k.Status != ledger.StatusSkipped {
				t.Errorf("pass, and %s is %s", id, word)
			}
		}
		if accepted > 0 || len(e.Reopened) > 0 || e.Count(ledger.Malformed) > 0 || d.answer.Error != "" {
			t.Errorf("pass with %d accepted of %d", accepted, len(e.Reports))
		}
	case fail:
		if accepted+len(e.Reopened)+len(e.Warnings)+len(e.Words) == 0 {
			t.Error("fail for nothing")
		}
	case erred:
		if e.Reason == "" || d.answer.Error == "" && accepted+len(e.Reopened) > 0 {
			t.Errorf("an error (%q) with %d accepted, reopened %q", e.Reason, accepted, e.Reopened)
		}
		for id, word := range e.Words {
			if word == fixed {
				t.Errorf("an error confirms %s", id)
			}
		}
	}
}

// checkClaims checks that no claim is fixed if a report is about it or a word says that it is not
// fixed, and that violations are reopened if and only if there is a cause.
func (d drawn) checkClaims(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	for _, k := range d.known {
		about := slices.ContainsFunc(e.Reports, func(r ledger.Evaluated) bool { return r.Disposition == ledger.Accepted && r.Match == k.ID })
		word := ledger.ClaimVerdict("")
		for _, w := range d.answer.Claims {
			if w.ID == k.ShortID {
				word = w.Verdict
			}
		}
		there := about || word == notFixed
		switch e.Words[k.ID] {
		case fixed:
			passed := e.Confirmed[k.ID] == ledger.ConfirmedByPass && e.Count(ledger.Accepted) == 0 && (d.answer.Passed || len(e.Reports) > 0)
			if !k.Asked || there || word == "" && !d.rules.ByAbsence && !passed {
				t.Errorf("%s is fixed (asked: %t, word %q, reported: %t)", k.ID, k.Asked, word, about)
			}
		case notFixed:
			there = true
		}
		if (e.Words[k.ID] == fixed) != (e.Confirmed[k.ID] != "") {
			t.Errorf("%s is %s, and confirmed by %q", k.ID, e.Words[k.ID], e.Confirmed[k.ID])
		}
		wants := there && (k.Status == ledger.StatusFixed || k.Status == ledger.StatusVerified)
		if wants != slices.Contains(e.Reopened, k.ID) {
			t.Errorf("%s is %s, there: %t, reopened: %q", k.ID, k.Status, there, e.Reopened)
		}
		if e.Words[k.ID] != "" && !k.Asked {
			t.Errorf("%s has a word and was not asked", k.ID)
		}
	}
}

// checkOrder checks that what becomes of claims does not depend on the order of the entries.
func (d drawn) checkOrder(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	slices.Reverse(d.answer.Entries)
	slices.Reverse(d.facts.Entries)
	other := d.evaluate()
	slices.Reverse(d.answer.Entries)
	slices.Reverse(d.facts.Entries)
	if !maps.Equal(e.Words, other.Words) || !slices.Equal(e.Reopened, other.Reopened) || e.Status != other.Status {
		t.Errorf("the other way round: words %v and %v, reopened %q and %q, %s and %s", e.Words, other.Words, e.Reopened, other.Reopened, e.Status, other.Status)
	}
}

// checkName checks that naming an id never makes an entry count for less, unless the skip that the
// entry names covers it, or one of its places.
func (d drawn) checkName(t *testing.T, _ ledger.Evaluation, i int) {
	t.Helper()
	alone := d
	alone.answer.Entries, alone.facts.Entries = []ledger.Entry{d.answer.Entries[i]}, []ledger.EntryFacts{d.facts.Entries[i]}
	named := alone.evaluate().Reports[0]
	alone.answer.Entries[0].SameAs = ""
	nameless := alone.evaluate().Reports[0]
	if nameless.Disposition == ledger.Accepted && named.Disposition != ledger.Accepted &&
		named.Disposition != ledger.PreviouslySkipped && named.Disposition != ledger.RememberedSkip && named.Further == 0 {
		t.Errorf("entry %d is %s, and %s without a name", i, named.Disposition, nameless.Disposition)
	}
}

// Rule: The reviewer names what it means.
func TestEvaluateProperties(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	seen, said := map[ledger.Disposition]int{}, map[ledger.ClaimVerdict]int{}
	for range 30_000 {
		data := make([]byte, 200)
		for i := range data {
			data[i] = byte(random.UintN(256))
		}
		d := draw(data)
		d.check(t)
		e := d.evaluate()
		for _, r := range e.Reports {
			seen[r.Disposition]++
		}
		for _, word := range e.Words {
			said[word]++
		}
		if t.Failed() {
			t.Fatalf("in the evaluation of %+v", d)
		}
	}
	if len(seen) != len(ledger.Dispositions()) || len(said) != 4 {
		t.Errorf("the draws do not cover the cases: %v, %v", seen, said)
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a claim and its twin, a claim and a malformed entry, a skip, and one of an earlier run"))
	f.Fuzz(func(t *testing.T, data []byte) { draw(data).check(t) })
}

// floods returns answers with n entries and n claims.
func floods(n int) map[string]func() (ledger.Answer, []ledger.Known, ledger.Facts) {
	list := map[string]func() (ledger.Answer, []ledger.Known, ledger.Facts){}
	for name, place := range map[string]func(i int) ledger.Place{
		"each on its line":  func(i int) ledger.Place { return at("a.go", 10*i+1) },
		"nested":            func(i int) ledger.Place { return at("a.go", i+1, 3*n-i) },
		"about the file":    func(int) ledger.Place { return at("a.go") },
		"in many files":     func(i int) ledger.Place { return at(fmt.Sprint(i, ".go"), 7) },
		"far from the line": func(i int) ledger.Place { return at("a.go", 1+i%2*1_000_000+i) },
	} {
		for _, status := range []ledger.Status{ledger.StatusFixed, ledger.StatusSkipped} {
			list[name+", "+string(status)] = func() (answer ledger.Answer, known []ledger.Known, facts ledger.Facts) {
				for i := range n {
					known = append(known, earlier(fmt.Sprint("V", i), status, place(i), words("check it")))
					entry := says(place(n-i), fmt.Sprintf("Check %.*sit", i%2, "`"), low)
					entry.Position, entry.Also = i+1, []ledger.Place{at("a.go", i+5)} // no two are the same
					answer.Entries = append(answer.Entries, entry)
					facts.Entries = append(facts.Entries, ledger.EntryFacts{InRange: i%2 == 0, Also: []ledger.EntryFacts{{}}, Hunk: "h", Fingerprint: "f"})
					facts.Remembered = append(facts.Remembered, ledger.EarlierViolation{ID: fmt.Sprint(i), Place: at("a.go", 1), Fingerprint: "f", Issue: "check it"})
				}
				return answer, known, facts
			}
		}
	}
	return list
}

// None of many entries is lost. BenchmarkEvaluate measures the time.
func TestManyEntries(t *testing.T) {
	t.Parallel()
	const many = 2_000
	for name, flood := range floods(many) {
		t.Run(name, func(t *testing.T) {
			answer, known, facts := flood()
			e := match.Evaluate(answer, known, facts, onRerun)
			matched := e.Count(ledger.Accepted) + e.Count(ledger.PreviouslySkipped) + e.Count(ledger.Merged)
			if strings.HasSuffix(name, "fixed") && matched < many-1 || len(e.Reports) != many || matched < many/2-1 {
				t.Errorf("%d reports, of which %d match", len(e.Reports), matched)
			}
		})
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for name, flood := range floods(20_000) {
		for mode, rules := range map[string]ledger.Rules{"": onRerun, ", by absence": handedIn} {
			b.Run(name+mode, func(b *testing.B) {
				answer, known, facts := flood()
				for b.Loop() {
					match.Evaluate(answer, known, facts, rules)
				}
			})
		}
	}
}
