package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// drawn is an evaluation drawn from bytes: few files, lines and words, so that
// everything meets everything.
type drawn struct {
	answer  ledger.Answer
	known   []ledger.Known
	changed int // lines up to this one are in the diff
	rules   ledger.Rules
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

func (b *source) issue() string { return []string{"leaks", "Leaks.", "races", "panics"}[b.next(4)] }

func draw(data []byte) drawn {
	b := source(data)
	d := drawn{changed: b.next(12), rules: ledger.Rules{Slot: 1 + b.next(2), AnsweredBefore: b.next(3) > 0, Threshold: b.priority()}}
	d.answer.Fail = b.next(2) == 0
	for i := range b.next(6) {
		e := ledger.Entry{Position: i + 1, Place: b.place(), Issue: b.issue(), Priority: b.priority()}
		if b.next(8) == 7 {
			e.Missing = []string{"priority"}
		}
		if b.next(8) == 7 {
			e.Claim = fmt.Sprintf("shortV%d", b.next(6))
		}
		d.answer.Entries = append(d.answer.Entries, e)
	}
	for i := range b.next(6) {
		v := violation(fmt.Sprintf("V%d", i), quality, 1+b.next(2), ledger.Statuses()[b.next(5)])
		v.Issue, v.Priority, v.Place = b.issue(), b.priority(), b.place()
		// Another slot may have changed a claim's status meanwhile.
		was := v.Claim() || (v.Status == ledger.StatusReopened || v.Status == ledger.StatusVerified) && b.next(2) == 1
		d.known = append(d.known, ledger.Known{Violation: v, Carried: ledger.Carried{Here: v.Place}, WasClaim: was, Shown: was && v.Slot == d.rules.Slot})
	}
	for i := range d.known {
		if b.next(3) == 2 {
			d.known[i].Moved = []ledger.Place{b.place()}
		}
		d.known[i].Rewritten, d.known[i].Shifted = b.next(2) == 1, b.next(2) == 1
		if b.next(8) == 7 {
			d.answer.Claims = append(d.answer.Claims, ledger.ClaimWord{ID: d.known[i].ShortID, Fixed: b.next(2) == 1, Evidence: "seen"})
		}
	}
	return d
}

// word is what the answer says of the violation, if it was a claim.
func (d drawn) word(k ledger.Known) (fixed, said bool) {
	for _, word := range d.answer.Claims {
		if word.ID == k.ShortID && k.WasClaim && k.Status != ledger.StatusSkipped {
			return word.Fixed, true
		}
	}
	return false, false
}

func (d drawn) evaluate() ledger.Evaluation {
	var facts ledger.Facts
	for _, e := range d.answer.Entries {
		facts.Entries = append(facts.Entries, ledger.EntryFacts{
			InDiff: e.Place.Start <= d.changed, InFixLines: e.Place.Start == 3, Identifiers: []string{"leaks", "panics"},
		})
	}
	return ledger.Evaluate(d.answer, d.known, facts, d.rules)
}

func (d drawn) find(id string) (ledger.Known, bool) {
	i := slices.IndexFunc(d.known, func(k ledger.Known) bool { return k.ID == id })
	if i < 0 {
		return ledger.Known{}, false
	}
	return d.known[i], true
}

// check holds what must be true of every evaluation.
func (d drawn) check(t *testing.T) {
	t.Helper()
	e := d.evaluate()
	if len(e.Reports) != len(d.answer.Entries) {
		t.Fatalf("%d entries became %d reports", len(d.answer.Entries), len(e.Reports))
	}
	d.checkReports(t, e)
	d.checkStatus(t, e)
	d.checkChanges(t, e)
}

func (d drawn) checkReports(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	matched := map[string]bool{}
	for i, r := range e.Reports {
		if r.Position != d.answer.Entries[i].Position || r.Issue != d.answer.Entries[i].Issue {
			t.Errorf("report %d is not entry %d", i, i)
		}
		if (r.Disposition == ledger.Malformed) != (len(r.Missing) > 0) {
			t.Errorf("report %d lacks %q and is %s", i, r.Missing, r.Disposition)
		}
		k, known := d.find(r.Match)
		switch r.Disposition {
		case ledger.Accepted:
			if known && (matched[r.Match] || k.Status == ledger.StatusSkipped) {
				t.Errorf("report %d matches %s, which is %s or matched already", i, r.Match, k.Status)
			}
			matched[r.Match] = known
			d.checkRepeated(t, e, r)
		case ledger.PreviouslySkipped:
			if k.Status != ledger.StatusSkipped || !ledger.SameText(k.Issue, r.Issue) || r.Priority.Higher(k.Priority) {
				t.Errorf("report %d is previously skipped as %+v", i, k)
			}
			if matched[r.Match] {
				t.Errorf("the skip %s covers two reports", r.Match)
			}
			matched[r.Match] = true
		case ledger.OutOfDiff, ledger.BelowThreshold, ledger.Malformed:
			if r.Match != "" || r.Reason == "" {
				t.Errorf("report %d is %s, matches %q, because %q", i, r.Disposition, r.Match, r.Reason)
			}
			d.checkRepeated(t, e, r)
		default:
			t.Errorf("report %d has the disposition %q", i, r.Disposition)
		}
		if r.Disposition == ledger.BelowThreshold && (!d.rules.AnsweredBefore || r.Priority.Meets(d.rules.Threshold)) {
			t.Errorf("report %d of priority %s is below %s (answered before: %t)", i, r.Priority, d.rules.Threshold, d.rules.AnsweredBefore)
		}
	}
}

// checkRepeated: a claim that a report repeats with its own words is not verified, unless
// what else has these words was matched, or the report names another claim.
func (d drawn) checkRepeated(t *testing.T, e ledger.Evaluation, r ledger.Evaluated) {
	t.Helper()
	if r.Claim != "" {
		return
	}
	same := func(id string) bool {
		k, _ := d.find(id)
		return k.Here.File == r.Place.File && ledger.SameText(k.Issue, r.Issue)
	}
	said := func(o ledger.Evaluated) bool {
		k, known := d.find(o.Match)
		return o.Disposition == ledger.Accepted && known && ledger.SameText(k.Issue, r.Issue)
	}
	if slices.ContainsFunc(e.Verified, same) && !slices.ContainsFunc(e.Reports, said) {
		t.Errorf("%s report %q, and verified %q", r.Disposition, r.Issue, e.Verified)
	}
}

func (d drawn) checkStatus(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	accepted := e.Count(ledger.Accepted)
	switch e.Status {
	case pass:
		if accepted > 0 || len(e.Reopened) > 0 || e.Count(ledger.Malformed) > 0 || d.answer.Fail && len(e.Reports) == 0 {
			t.Errorf("pass with %d accepted of %d", accepted, len(e.Reports))
		}
	case fail:
		if accepted == 0 && len(d.answer.Claims) == 0 {
			t.Error("fail with nothing accepted, and no word on a claim")
		}
	case erred:
		if accepted > 0 || len(e.Verified)+len(e.Reopened) > 0 || e.Reason == "" {
			t.Errorf("an error (%q) with %d accepted, verified %q, reopened %q", e.Reason, accepted, e.Verified, e.Reopened)
		}
	default:
		t.Errorf("status %q", e.Status)
	}
}

func (d drawn) checkChanges(t *testing.T, e ledger.Evaluation) {
	t.Helper()
	accepted := map[string]bool{}
	for _, r := range e.Reports {
		if r.Disposition == ledger.Accepted {
			accepted[r.Match] = true
		}
	}
	for _, id := range e.Verified {
		k, _ := d.find(id)
		if !k.Shown || k.Status != ledger.StatusFixed || accepted[id] || slices.Contains(e.Reopened, id) {
			t.Errorf("verified %+v (reported: %t)", k, accepted[id])
		}
		for _, r := range e.Reports {
			if _, said := d.word(k); !said && r.Disposition == ledger.Malformed && r.Place.Meets(k.Here) {
				t.Errorf("verified %s although malformed entry %d lies there", id, r.Position)
			}
		}
	}
	for _, k := range d.known {
		fixed, said := d.word(k)
		if e.Evidence[k.ID] != "" && !said {
			t.Errorf("evidence for %s from nowhere", k.ID)
		}
		wants := e.Status != erred && (accepted[k.ID] || said && !fixed) && (k.Status == ledger.StatusFixed || k.Status == ledger.StatusVerified)
		if wants != slices.Contains(e.Reopened, k.ID) {
			t.Errorf("%s is %s, reported: %t, reopened: %q", k.ID, k.Status, accepted[k.ID], e.Reopened)
		}
	}
}

// Rule: Not seen again is not fixed.
func TestEvaluateProperties(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[ledger.Disposition]int{}
	verified, reopened := 0, 0
	for range 15_000 {
		data := make([]byte, 160)
		for i := range data {
			data[i] = byte(random.UintN(256))
		}
		d := draw(data)
		d.check(t)
		e := d.evaluate()
		for _, r := range e.Reports {
			seen[r.Disposition]++
		}
		verified, reopened = verified+len(e.Verified), reopened+len(e.Reopened)
		if t.Failed() {
			t.Fatalf("in the evaluation of %+v", d)
		}
	}
	if len(seen) != 5 || verified < 1000 || reopened < 1000 {
		t.Errorf("the draws do not cover the cases: %v, %d verified, %d reopened", seen, verified, reopened)
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a claim and its twin, a claim and a malformed entry, a skip"))
	f.Add([]byte{11, 0, 2, 1, 0, 3, 5, 0, 1, 0, 3, 0, 5, 0, 1, 0, 3, 7, 5, 0, 1, 0, 3, 0, 2, 0, 1, 0, 3, 5, 0, 1, 0, 3})
	f.Fuzz(func(t *testing.T, data []byte) { draw(data).check(t) })
}
