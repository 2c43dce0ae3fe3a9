package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func claim(id string, place ledger.Place, issue string) ledger.Known {
	return earlier(id, ledger.StatusFixed, place, issue)
}

// named is an entry that names a claim.
func named(id string, e ledger.Entry) ledger.Entry {
	e.Claim = id
	return e
}

// moved is the violation with other lines elsewhere.
func moved(k ledger.Known, places ...ledger.Place) ledger.Known {
	k.Moved = places
	return k
}

// Rule: One report is one violation.
// Rule: A claim that is named is meant.
// Rule: Equal words contradict a claim anywhere in its file.
func TestMatchOrder(t *testing.T) {
	t.Parallel()
	a, b := claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 60), "two")
	low := func(p ledger.Place, issue string) []ledger.Entry { return []ledger.Entry{entry(p, issue, ledger.Low)} }
	reopens := func(id string, verified ...string) outcome {
		return outcome{Status: fail, Reports: []string{"accepted " + id}, Verified: verified, Reopened: []string{id}}
	}
	tests := []evaluation{
		{name: "the named claim before equal words at the place", entries: []ledger.Entry{named("shortB", entry(at("a.go", 10), "one", ledger.Low))},
			known: []ledger.Known{a, b}, want: reopens("B", "A")},
		{name: "a claim named by its long id, in capitals, off the changed lines", entries: []ledger.Entry{named(" SHORTb ", entry(at("old.go", 1), "x", ledger.Low))},
			known: []ledger.Known{a, b}, want: reopens("B", "A")},
		{name: "an unknown name names nothing", entries: []ledger.Entry{named("shortC", entry(at("a.go", 10), "one", ledger.Low))},
			known: []ledger.Known{a, b}, want: reopens("A", "B")},
		{name: "an open violation is not named", entries: []ledger.Entry{named("shortB", entry(at("a.go", 10), "one", ledger.Low))},
			known: []ledger.Known{a, earlier("B", ledger.StatusNew, at("a.go", 60), "two")}, want: reopens("A")},
		{name: "two reports name one claim", entries: []ledger.Entry{
			named("shortB", entry(at("a.go", 10), "x", ledger.Low)), named("shortB", entry(at("a.go", 10), "one", ledger.Low))},
			known: []ledger.Known{a, b},
			want:  outcome{Status: fail, Reports: []string{"accepted B", "accepted A"}, Reopened: []string{"A", "B"}}},
		{name: "a malformed entry that names the claim leaves it unverified", entries: []ledger.Entry{
			named("shortB", malformed(at("a.go", 1), "", "issue")), entry(at("b.go", 1), "x", ledger.High)},
			known: []ledger.Known{a, b},
			want:  outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Verified: []string{"A"}, Warnings: 2}},
		{name: "equal words at the place before a nearer claim elsewhere", entries: low(at("a.go", 12), "one"),
			known: []ledger.Known{a, claim("B", at("a.go", 12, 40), "one")}, want: reopens("B", "A")},
		{name: "what is open beside a claim is said again, off the changed lines", entries: []ledger.Entry{entry(at("old.go", 12), "two", ledger.High)},
			known: []ledger.Known{claim("A", at("old.go", 10), "one"), earlier("B", ledger.StatusNew, at("old.go", 12), "two")},
			want:  outcome{Status: ledger.SlotPass, Reports: []string{"out_of_diff"}, Verified: []string{"A"}}},
		{name: "of claims in equal words off the changed lines the one at the place", entries: []ledger.Entry{entry(at("old.go", 12), "one", ledger.High)},
			known: []ledger.Known{claim("A", at("old.go", 10, 14), "one"), claim("B", at("old.go", 13), "one")}, want: reopens("A", "B")},
		{name: "in a verdict, a report on lines that may be about either of two claims about the file", entries: low(at("a.go", 5), "x"), rules: ledger.Rules{Slot: 1, WholeFiles: true, Verify: true},
			known: []ledger.Known{claim("A", at("a.go"), "one"), claim("B", at("a.go"), "two")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A", "B"}}},
		{name: "other words beside a claim, off the changed lines", entries: []ledger.Entry{entry(at("old.go", 12), "three", ledger.High)},
			known: []ledger.Known{claim("A", at("old.go", 10), "one"), earlier("B", ledger.StatusNew, at("old.go", 12), "two")},
			want:  reopens("A")},
		{name: "equal words elsewhere before other words at the place", entries: low(at("a.go", 60), "One."),
			known: []ledger.Known{a, b}, want: reopens("A", "B")},
		{name: "equal words elsewhere, also of a report above the threshold", entries: []ledger.Entry{entry(at("a.go", 90), "one", ledger.Critical)},
			known: []ledger.Known{a, b}, want: reopens("A", "B")},
		{name: "of equal words elsewhere the nearest", entries: low(at("a.go", 40), "one"),
			known: []ledger.Known{a, claim("B", at("a.go", 60), "one")}, want: reopens("B", "A")},
		{name: "in another file only where lines moved", entries: low(at("b.go", 90), "one"), known: []ledger.Known{a, moved(claim("B", at("c.go", 1), "one"), at("b.go", 5))},
			want: reopens("B", "A")},
		{name: "or where lines from beside it are now", entries: low(at("b.go", 90), "one"), known: []ledger.Known{a, func() ledger.Known {
			k := claim("B", at("c.go", 1), "one")
			k.Files = []string{"b.go"}
			return k
		}()}, want: reopens("B", "A")},
		{name: "the own file before the files of moved lines", entries: low(at("b.go", 90), "one"),
			known: []ledger.Known{moved(a, at("b.go", 90, 91)), claim("B", at("b.go", 80), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted A"}, Verified: []string{"B"}, Reopened: []string{"A"}}}, // at its place, for its lines are there
		{name: "a claim of which nothing is left may be anywhere", entries: low(at("b.go", 90), "one"), known: []ledger.Known{func() ledger.Known {
			k := a
			k.Here = at("a.go")
			return k
		}()}, want: reopens("A")},
		{name: "under the old name of its file", entries: low(at("was.go", 90), "one"), known: []ledger.Known{func() ledger.Known {
			k := a
			k.Place.File = "was.go"
			return k
		}()}, want: reopens("A")},
		{name: "other words at a place to which lines moved", entries: low(at("b.go", 5), "in other words"), known: []ledger.Known{moved(a, at("b.go", 5))}, want: reopens("A")},
		{name: "of claims at the place, one whose lines are still there", entries: low(at("a.go", 10), "x"), known: []ledger.Known{func() ledger.Known {
			k := claim("A", at("a.go", 10), "one")
			k.Rewritten = true
			return k
		}(), ofSlot(2, claim("B", at("a.go", 10), "two"))}, want: outcome{Status: fail, Reports: []string{"accepted B"}, Reopened: []string{"B"}, Warnings: 1}},
		{name: "each of many in equal words to its nearest", entries: []ledger.Entry{
			entry(at("a.go", 33), "one", ledger.Low), entry(at("a.go", 12), "one", ledger.Low), entry(at("a.go", 71), "one", ledger.Low)},
			known: []ledger.Known{claim("A", at("a.go", 70), "one"), claim("B", at("a.go", 10), "one"), claim("C", at("a.go", 30), "one")},
			want:  outcome{Status: fail, Reports: []string{"accepted C", "accepted B", "accepted A"}, Reopened: []string{"A", "B", "C"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// Rule: Near a claim counts only with a reason.
func TestMatchNear(t *testing.T) {
	t.Parallel()
	code := []string{"parse_header", "text", "total", "error"}
	tests := []struct {
		name  string
		entry ledger.Entry
		claim ledger.Known
		known []ledger.Known
		want  string
	}{
		{"an identifier at 3 lines", entry(at("a.go", 13), "parse_header may fail", ledger.Low), claim("A", at("a.go", 10), "check parse_header"), nil, "accepted A"},
		{"an identifier of two, the nearer", entry(at("a.go", 12), "parse_header may fail", ledger.Low), claim("A", at("a.go", 14), "free parse_header"), []ledger.Known{claim("B", at("a.go", 9), "check parse_header")}, "accepted A"},
		{"two identifiers before a nearer claim with one", entry(at("a.go", 12), "parse_header may fail, and total too", ledger.Low), claim("A", at("a.go", 14), "total of parse_header"), []ledger.Known{claim("B", at("a.go", 11), "check parse_header")}, "accepted A"},
		{"the nearest of the claim's lines counts", entry(at("a.go", 50), "parse_header may fail", ledger.Low), moved(claim("A", at("a.go", 53), "free parse_header"), at("a.go", 50)), []ledger.Known{claim("B", at("a.go", 51), "check parse_header")}, "accepted A"},
		{"an ordinary identifier", entry(at("a.go", 13), "the total is wrong", ledger.Low), claim("A", at("a.go", 10), "total overflows"), nil, "accepted A"},
		{"about the whole change", wholeChange(entry(at("src"), "parse_header may fail", ledger.Low)), claim("A", at("a.go", 10), "check parse_header"), nil, "accepted A"},
		{"about the whole change, in other words", wholeChange(entry(at("src"), "may fail", ledger.Low)), claim("A", at("a.go", 10), "check parse_header"), nil, "below_threshold"},
		{"about the whole change, with a word of many", wholeChange(entry(at("src"), "the total is wrong", ledger.Low)), claim("A", at("a.go", 10), "total overflows"), manyTotals(), "below_threshold"},
		{"about the whole change, of what was verified", wholeChange(entry(at("src"), "parse_header may fail", ledger.Low)), earlier("A", ledger.StatusVerified, at("a.go", 10), "check parse_header"), nil, "below_threshold"},
		{"at 4 lines", entry(at("a.go", 14), "parse_header may fail", ledger.Low), claim("A", at("a.go", 10), "check parse_header"), nil, "below_threshold"},
		{"an identifier that is not in the code", entry(at("a.go", 12), "parse_body may fail", ledger.Low), claim("A", at("a.go", 10), "check parse_body"), nil, "below_threshold"},
		{"a word of all reviews", entry(at("a.go", 12), "the error is lost", ledger.Low), claim("A", at("a.go", 10), "check the error"), nil, "below_threshold"},
		{"an ordinary word of many violations", entry(at("a.go", 12), "the total is wrong", ledger.Low), claim("A", at("a.go", 10), "total overflows"), manyTotals(), "below_threshold"},
		{"an open violation", entry(at("a.go", 12), "parse_header may fail", ledger.Low), earlier("A", ledger.StatusNew, at("a.go", 10), "check parse_header"), nil, "below_threshold"},
		{"what was skipped, at the place", entry(at("a.go", 10), "parse_header may fail", ledger.Low), earlier("A", ledger.StatusSkipped, at("a.go", 10), "check parse_header"), nil, "below_threshold"},
		{"what was verified, near", entry(at("a.go", 12), "parse_header may fail", ledger.Low), earlier("A", ledger.StatusVerified, at("a.go", 10), "check parse_header"), nil, "below_threshold"},
		{"what was verified, at the place", entry(at("a.go", 10), "parse_header may fail", ledger.Low), earlier("A", ledger.StatusVerified, at("a.go", 10), "check parse_header"), nil, "accepted A"},
		{"off the changed lines, important", entry(at("old.go", 12), "x", ledger.High), claim("A", at("old.go", 10), "y"), nil, "accepted A"},
		{"off the changed lines, below the threshold", entry(at("old.go", 12), "x", ledger.Medium), claim("A", at("old.go", 10), "y"), nil, "out_of_diff"},
		{"off the changed lines, at 4 lines", entry(at("old.go", 14), "x", ledger.High), claim("A", at("old.go", 10), "y"), nil, "out_of_diff"},
		{"on changed lines", entry(at("a.go", 12), "x", ledger.High), claim("A", at("a.go", 10), "y"), nil, "accepted"},
		{"on changed lines, next to lines that only moved", entry(at("a.go", 12), "x", ledger.High), shifted(claim("A", at("a.go", 10), "y")), nil, "accepted A"},
		{"on changed lines, next to lines of which some moved and some are gone", entry(at("a.go", 12), "x", ledger.High), rewritten(shifted(claim("A", at("a.go", 10), "y"))), nil, "accepted"},
		{"and below the threshold", entry(at("a.go", 12), "x", ledger.Medium), shifted(claim("A", at("a.go", 10), "y")), nil, "below_threshold"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.entry.Position = 1
			facts := factsOf([]ledger.Entry{tt.entry})
			facts.Entries[0].Identifiers = code
			rules := ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High}
			e := ledger.Evaluate(ledger.Answer{Entries: []ledger.Entry{tt.entry}}, append(tt.known, tt.claim), facts, rules)
			if got := outcomeOf(e).Reports[0]; got != tt.want {
				t.Errorf("the report is %s, want %s", got, tt.want)
			}
			if verified, matched := slices.Contains(e.Verified, "A"), tt.want == "accepted A"; tt.claim.Shown && verified == matched {
				t.Errorf("the claim is verified: %t, matched: %t", verified, matched)
			}
		})
	}
}

// Several reports and several violations: what one is given is not there for another, and
// what cannot be given to one is left for the others.
//
// Rule: One report is one violation.
func TestMatchOfSeveral(t *testing.T) {
	t.Parallel()
	code := []string{"parse_header", "text", "total", "parse_header"}
	of := func(p ledger.Place, issue string) ledger.Entry { return entry(p, issue, ledger.High) }
	lost := func(k ledger.Known) ledger.Known { // nothing is left at its place
		k.Here = at(k.Place.File)
		return k
	}
	anywhere := of(at("all of it"), "one")
	anywhere.WholeChange = true
	verified := func(id string, p ledger.Place, issue string) ledger.Known {
		return earlier(id, ledger.StatusVerified, p, issue)
	}
	skip := ranked(ledger.Low, earlier("S", ledger.StatusSkipped, at("a.go", 12), "parse_header may fail"))
	inVerdict := ledger.Rules{Slot: 1, WholeFiles: true, Verify: true}
	headers := func(count int) (list []ledger.Known) {
		for n := range count {
			list = append(list, claim(fmt.Sprint("H", n), at("a.go", 50+5*n), fmt.Sprint("total of parse_header ", n)))
		}
		return list
	}
	tests := []struct {
		name    string
		entries []ledger.Entry
		known   []ledger.Known
		rules   ledger.Rules
		want    string
	}{
		{"of two with the identifier the nearer, which is the first", []ledger.Entry{of(at("a.go", 12), "parse_header may fail")},
			[]ledger.Known{claim("A", at("a.go", 14), "free parse_header"), claim("B", at("a.go", 9), "check parse_header")}, onRerun, "accepted A"},
		{"a malformed report with the identifier", []ledger.Entry{malformed(at("a.go", 12), "parse_header may fail", "priority"), of(at("b.go", 1), "x")},
			[]ledger.Known{claim("A", at("a.go", 10), "check parse_header")}, onRerun, "malformed, accepted"},
		{"more important than a skip, and the identifier of a claim", []ledger.Entry{of(at("a.go", 12), "parse_header may fail")},
			[]ledger.Known{skip, claim("A", at("a.go", 10), "check parse_header")}, onRerun, "accepted"},
		{"more important than a skip, at the place of a claim", []ledger.Entry{of(at("a.go", 12), "parse_header may fail")},
			[]ledger.Known{skip, claim("A", at("a.go", 12), "leaks")}, onRerun, "accepted"},
		{"off the changed lines, what is open there, and the identifier of a claim", []ledger.Entry{of(at("old.go", 12), "parse_header may fail")},
			[]ledger.Known{claim("A", at("old.go", 10), "check parse_header"), earlier("B", ledger.StatusNew, at("old.go", 12), "parse_header may fail")}, onRerun, "out_of_diff"},
		{"off the changed lines, twice beside two claims", []ledger.Entry{of(at("old.go", 12), "x"), of(at("old.go", 12), "y")},
			[]ledger.Known{claim("A", at("old.go", 10), "one"), claim("B", at("old.go", 15), "two")}, onRerun, "accepted A, accepted B"},
		{"off the changed lines, three times beside two claims", []ledger.Entry{of(at("old.go", 12), "x"), of(at("old.go", 12), "y"), of(at("old.go", 12), "z")},
			[]ledger.Known{claim("A", at("old.go", 10), "one"), claim("B", at("old.go", 15), "two")}, onRerun, "accepted A, accepted B, out_of_diff"},
		{"next to lines of which those of one claim only moved", []ledger.Entry{of(at("a.go", 12), "x")},
			[]ledger.Known{claim("A", at("a.go", 10), "one"), shifted(claim("B", at("a.go", 10), "two"))}, onRerun, "accepted B"},
		{"off the changed lines, twice in the words of what was verified beside a claim", []ledger.Entry{of(at("old.go", 12), "two"), of(at("old.go", 12), "two")},
			[]ledger.Known{claim("A", at("old.go", 10), "one"), verified("B", at("old.go", 12), "two")}, onRerun, "accepted B, accepted A"},
		{"off the changed lines, twice in the words of what was verified and of what is open", []ledger.Entry{of(at("old.go", 12), "two"), of(at("old.go", 12), "two")},
			[]ledger.Known{claim("A", at("old.go", 10), "one"), verified("B", at("old.go", 12), "two"), earlier("C", ledger.StatusNew, at("old.go", 12), "two")}, onRerun, "accepted B, out_of_diff"},
		{"off the changed lines, the nearest claim, which is not the first", []ledger.Entry{of(at("old.go", 12), "x")},
			[]ledger.Known{claim("A", at("old.go", 15), "one"), claim("B", at("old.go", 11), "two")}, onRerun, "accepted B"},
		{"off the changed lines, what is open and what was verified there, twice", []ledger.Entry{of(at("old.go", 12), "two"), of(at("old.go", 12), "two")},
			[]ledger.Known{earlier("C", ledger.StatusNew, at("old.go", 12), "two"), claim("A", at("old.go", 10), "one"), verified("B", at("old.go", 12), "two")}, onRerun, "accepted B, out_of_diff"},
		{"off the changed lines, the claim that ends nearest", []ledger.Entry{of(at("old.go", 22), "x")},
			[]ledger.Known{claim("A", at("old.go", 24), "one"), claim("B", at("old.go", 2, 21), "two")}, onRerun, "accepted B"},
		{"what was verified on the line beside", []ledger.Entry{of(at("a.go", 11), "parse_header may fail")},
			[]ledger.Known{verified("A", at("a.go", 10), "check parse_header")}, onRerun, "accepted"},
		{"of what was verified at the place, what has the identifier", []ledger.Entry{of(at("a.go", 10), "parse_header may fail")},
			[]ledger.Known{verified("A", at("a.go", 10), "leaks"), verified("B", at("a.go", 10), "check parse_header")}, onRerun, "accepted B"},
		{"many places do not make one identifier more", []ledger.Entry{of(at("a.go", 12), "parse_header and total")},
			[]ledger.Known{moved(claim("A", at("a.go", 11), "check parse_header"), at("a.go", 12), at("a.go", 13)), claim("B", at("a.go", 14), "total of parse_header")}, onRerun, "accepted B"},
		{"an identifier that stands twice in the code counts once", []ledger.Entry{of(at("a.go", 12), "parse_header and total")},
			[]ledger.Known{claim("A", at("a.go", 14), "total of parse_header"), claim("B", at("a.go", 12), "check parse_header")}, onRerun, "accepted A"},
		{"of two reports with the identifier the nearer, which is the last", []ledger.Entry{of(at("a.go", 13), "parse_header may fail"), of(at("a.go", 9), "parse_header panics")},
			[]ledger.Known{claim("A", at("a.go", 10), "check parse_header")}, onRerun, "accepted, accepted A"},
		{"an identifier of many violations that is a name of the code", []ledger.Entry{of(at("a.go", 12), "parse_header may fail")},
			append(headers(9), claim("A", at("a.go", 10), "check parse_header")), onRerun, "accepted A"},
		{"in a verdict, next to lines that only moved", []ledger.Entry{of(at("a.go", 12), "x")},
			[]ledger.Known{shifted(claim("A", at("a.go", 10), "y"))}, inVerdict, "outside_verify"},
		{"two in other words at two claims", []ledger.Entry{of(at("a.go", 10), "x"), of(at("a.go", 10), "y")},
			[]ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 9, 10), "two")}, onRerun, "accepted A, accepted B"},
		{"three in other words at two claims", []ledger.Entry{of(at("a.go", 10), "x"), of(at("a.go", 10), "y"), of(at("a.go", 10), "z")},
			[]ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 9, 10), "two")}, onRerun, "accepted A, accepted B, accepted"},
		{"in equal words elsewhere, one named", []ledger.Entry{named("shortA", of(at("a.go", 12), "x")), of(at("a.go", 14), "one")},
			[]ledger.Known{claim("A", at("a.go", 12), "one"), claim("B", at("a.go", 60), "one")}, onRerun, "accepted A, accepted B"},
		{"of claims of which nothing is left, one named", []ledger.Entry{named("shortA", of(at("b.go", 12), "x")), of(at("b.go", 14), "one")},
			[]ledger.Known{lost(claim("A", at("a.go", 12), "one")), lost(claim("B", at("c.go", 60), "one"))}, onRerun, "accepted A, accepted B"},
		{"of claims of which nothing is left, one each", []ledger.Entry{of(at("b.go", 12), "one"), of(at("b.go", 14), "one"), of(at("b.go", 15), "one")},
			[]ledger.Known{lost(claim("A", at("a.go", 12), "one")), lost(claim("B", at("c.go", 60), "one"))}, onRerun, "accepted A, accepted B, accepted"},
		{"malformed, in the words of a claim of which nothing is left", []ledger.Entry{malformed(at("b.go", 12), "one", "priority"), of(at("b.go", 14), "x")},
			[]ledger.Known{lost(claim("A", at("a.go", 12), "one"))}, onRerun, "malformed, accepted"},
		{"in another file, in the words of a claim whose lines are there", []ledger.Entry{of(at("b.go", 12), "one")},
			[]ledger.Known{claim("A", at("a.go", 12), "one")}, onRerun, "accepted"},
		{"in another file, in the words of a claim about a file", []ledger.Entry{of(at("b.go", 12), "one")},
			[]ledger.Known{claim("A", at("a.go"), "one")}, onRerun, "accepted"},
		{"about no file, in the words of two claims, one named", []ledger.Entry{named("shortA", of(at("b.go", 12), "x")), anywhere},
			[]ledger.Known{claim("A", at("a.go", 12), "one"), claim("B", at("c.go", 60), "one")}, onRerun, "accepted A, accepted B"},
		{"about no file, in the words of two claims, each once", []ledger.Entry{anywhere, anywhere, anywhere},
			[]ledger.Known{claim("A", at("a.go", 12), "one"), claim("B", at("c.go", 60), "one")}, onRerun, "accepted A, accepted B, accepted"},
		{"each of two to its own, one between the other and its claim", []ledger.Entry{of(at("a.go", 21), "one"), of(at("a.go", 40), "one")},
			[]ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 20), "one")}, onRerun, "accepted B, accepted A"},
		{"of two in equal words on one line, the slot's own", []ledger.Entry{of(at("a.go", 40), "one")},
			[]ledger.Known{ofSlot(2, claim("A", at("a.go", 60), "one")), claim("B", at("a.go", 60), "one")}, onRerun, "accepted B"},
		{"of two in equal words on one line before it, the slot's own", []ledger.Entry{of(at("a.go", 80), "one")},
			[]ledger.Known{claim("A", at("a.go", 60), "one"), ofSlot(2, claim("B", at("a.go", 60), "one"))}, onRerun, "accepted A"},
		{"and then the other's", []ledger.Entry{of(at("a.go", 80), "one"), of(at("a.go", 90), "one"), of(at("a.go", 95), "one")},
			[]ledger.Known{ofSlot(2, claim("A", at("a.go", 60), "one")), claim("B", at("a.go", 60), "one"), claim("C", at("a.go", 60), "one")}, onRerun, "accepted B, accepted C, accepted A"},
		{"another's on a nearer line goes before the slot's own", []ledger.Entry{of(at("a.go", 80), "one")},
			[]ledger.Known{claim("A", at("a.go", 60), "one"), ofSlot(2, claim("B", at("a.go", 61), "one"))}, onRerun, "accepted B"},
		{"about a file and about none, in the words of a claim elsewhere", []ledger.Entry{of(at("b.go", 1), "one"), anywhere},
			[]ledger.Known{claim("A", at("a.go", 12), "one")}, onRerun, "accepted, accepted A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			entries := slices.Clone(tt.entries)
			facts := factsOf(entries)
			for i := range entries {
				entries[i].Position, facts.Entries[i].Identifiers = i+1, code
			}
			e := ledger.Evaluate(ledger.Answer{Fail: true, Entries: entries}, tt.known, facts, tt.rules)
			if got := strings.Join(outcomeOf(e).Reports, ", "); got != tt.want {
				t.Errorf("the reports are %s, want %s", got, tt.want)
			}
		})
	}
}

// One identifier at the place is enough, and a word of the code that is ordinary in speech is
// one as long as not too many violations of the file have it.
func TestOneIdentifier(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		word  string
		known []ledger.Known
		want  string
	}{
		{"parse_header", nil, "accepted A"}, {"total", nil, "accepted A"},
		{"total", manyTotals()[:4], "accepted A"}, {"total", manyTotals()[:5], "accepted"}, {"parse_header", manyTotals()[:5], "accepted A"},
	} {
		e := entry(at("a.go", 12), tt.word+" may fail", ledger.High)
		e.Position = 1
		facts := factsOf([]ledger.Entry{e})
		facts.Entries[0].Identifiers = []string{tt.word}
		got := outcomeOf(ledger.Evaluate(ledger.Answer{Fail: true, Entries: []ledger.Entry{e}}, append(tt.known, claim("A", at("a.go", 10), "check "+tt.word)), facts, onRerun)).Reports[0]
		if got != tt.want {
			t.Errorf("%s among %d: %s, want %s", tt.word, len(tt.known), got, tt.want)
		}
	}
}

func wholeChange(e ledger.Entry) ledger.Entry {
	e.WholeChange = true
	return e
}

func shifted(k ledger.Known) ledger.Known {
	k.Shifted = true
	return k
}

func rewritten(k ledger.Known) ledger.Known {
	k.Rewritten = true
	return k
}

func manyTotals() (list []ledger.Known) {
	for n := range 9 {
		list = append(list, claim(fmt.Sprint("T", n), at("a.go", 50+5*n), fmt.Sprint("total number ", n)))
	}
	return list
}

// What is off the changed lines is shown at its claim's place, and so is what stands under
// a name that the file no longer has.
func TestMatchGivesAPlaceThatExists(t *testing.T) {
	t.Parallel()
	renamed := claim("B", at("new.go", 20), "two")
	renamed.Place.File = "was.go"
	whole := entry(ledger.Place{File: "all of it"}, "five", ledger.Low)
	whole.WholeChange = true
	lostIn := entry(ledger.Place{File: "old.go"}, "eight", ledger.Low) // as if its name were of a file that is not changed
	lostIn.WholeChange = true
	entries := []ledger.Entry{
		entry(at("old.go", 99), "one", ledger.Low), entry(at("was.go", 3), "two", ledger.Low), entry(at("a.go", 40), "three", ledger.Low),
		entry(at("old.go", 30), "four", ledger.Low), whole, named("F", entry(at("b.go", 7), "other words", ledger.Low)),
		entry(at("old.go", 202), "seven", ledger.High), lostIn, named("I", entry(at("old.go", 300), "x", ledger.Low)),
	}
	known := []ledger.Known{
		claim("A", at("old.go", 10), "one"), renamed, claim("C", at("a.go", 50), "three"),
		moved(claim("D", at("old.go", 70), "four"), at("old.go", 30)), claim("E", at("a.go", 80), "five"), claim("F", at("c.go", 3), "six"),
		claim("G", at("old.go", 200), "a seventh"), claim("H", at("a.go", 90), "eight"), claim("I", at("d.go", 3), "nine"),
	}
	e := ledger.Evaluate(ledger.Answer{Entries: entries}, known, factsOf(entries), ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High})
	var got []string
	for _, r := range e.Reports {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s:%d %s", r.Match, r.Place.File, r.Place.Start, r.Reason)))
	}
	want := []string{
		"A old.go:10 repeats a violation that was marked fixed (given as line 99)",
		"B new.go:20 repeats a violation that was marked fixed (given as line 3)",
		"C a.go:40 repeats a violation that was marked fixed",
		"D old.go:30",
		`E a.go:80 repeats a violation that was marked fixed (given as "all of it")`,
		"F b.go:7 names the claim",
		"G old.go:200 lies next to what was claimed to be fixed (given as line 202)",
		`H a.go:90 repeats a violation that was marked fixed (given as "old.go")`,
		"I old.go:300 names the claim",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("matches (-want +got):\n%s", d)
	}
}

// Why a report in other words is matched is said, and in a verdict every line counts.
func TestMatchNearSaysWhy(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		entry ledger.Entry
		claim ledger.Known
		rules ledger.Rules
		want  string
	}{
		"an identifier":              {entry(at("a.go", 12), "parse_header may fail", ledger.High), claim("A", at("a.go", 10), "check parse_header"), onRerun, "accepted a.go:12 lies next to what was claimed to be fixed"},
		"lines that moved":           {entry(at("a.go", 12), "x", ledger.High), shifted(claim("A", at("a.go", 10), "y")), onRerun, "accepted a.go:12 lies next to what was claimed to be fixed"},
		"off the changed lines":      {entry(at("old.go", 12), "x", ledger.High), claim("A", at("old.go", 10), "y"), onRerun, "accepted old.go:10 lies next to what was claimed to be fixed (given as line 12)"},
		"in a verdict, a file apart": {entry(at("old.go", 50), "y", ledger.High), claim("A", at("old.go", 10), "y"), ledger.Rules{Slot: 1, WholeFiles: true, Verify: true}, "accepted old.go:50 repeats a violation that was marked fixed"},
		"in a verdict, and new":      {entry(at("a.go", 50), "x", ledger.Low), claim("A", at("a.go", 10), "y"), ledger.Rules{Slot: 1, WholeFiles: true, Verify: true, AnsweredBefore: true, Threshold: ledger.High}, "outside_verify a.go:50 not a finding of the verdict"},
	} {
		tt.entry.Position = 1
		facts := factsOf([]ledger.Entry{tt.entry})
		facts.Entries[0].Identifiers = []string{"parse_header"}
		r := ledger.Evaluate(ledger.Answer{Entries: []ledger.Entry{tt.entry}}, []ledger.Known{tt.claim}, facts, tt.rules).Reports[0]
		if got := fmt.Sprintf("%s %s:%d %s", r.Disposition, r.Place.File, r.Place.Start, r.Reason); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// A claim under an id that is none's is any that has no other word.
//
// Rule: An unreadable word on a claim counts as not fixed.
func TestWordOnUnknownClaim(t *testing.T) {
	t.Parallel()
	hidden := claim("C", at("a.go", 80), "three")
	hidden.Shown = false
	known := []ledger.Known{claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 60), "two"), hidden}
	answer := ledger.Answer{Claims: []ledger.ClaimWord{{ID: "gate-a.go-10", Evidence: "still there"}, {ID: "shortB", Fixed: true}}}
	e := ledger.Evaluate(answer, known, ledger.Facts{}, ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High})
	want := outcome{Status: fail, Verified: []string{"B"}, Reopened: []string{"A"}, Warnings: 1}
	if d := cmp.Diff(want, outcomeOf(e)); d != "" || e.Evidence["A"] != `"gate-a.go-10" is not fixed: still there` {
		t.Errorf("evidence %q, evaluation (-want +got):\n%s", e.Evidence, d)
	}
}

// Rule: A reviewer's word on a claim decides.
func TestWordsOnClaims(t *testing.T) {
	t.Parallel()
	a, b := claim("A", at("a.go", 10), "one"), claim("B", at("a.go", 60), "two")
	word := func(id string, fixed bool) ledger.ClaimWord {
		return ledger.ClaimWord{ID: id, Fixed: fixed, Evidence: "seen " + id}
	}
	tests := []struct {
		name    string
		fail    bool
		entries []ledger.Entry
		words   []ledger.ClaimWord
		known   []ledger.Known
		want    outcome
	}{
		{name: "fixed", words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{a, b}, want: outcome{Status: pass, Verified: []string{"A", "B"}}},
		{name: "not fixed", words: []ledger.ClaimWord{word("shortA", false)}, known: []ledger.Known{a, b},
			want: outcome{Status: fail, Verified: []string{"B"}, Reopened: []string{"A"}}},
		{name: "not fixed, and nothing else", fail: true, words: []ledger.ClaimWord{word(" SHORTa", false)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reopened: []string{"A"}}},
		{name: "fail with nothing but fixed claims", fail: true, words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{a}, want: outcome{Status: erred}},
		{name: "two words on one claim, the second against it", words: []ledger.ClaimWord{word("shortA", true), word("shortA", false)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reopened: []string{"A"}}},
		{name: "two words on one claim", words: []ledger.ClaimWord{word("shortA", false), word("shortA", true)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reopened: []string{"A"}}},
		{name: "another slot's claim", words: []ledger.ClaimWord{word("shortA", false)}, known: []ledger.Known{ofSlot(2, a)},
			want: outcome{Status: fail, Reopened: []string{"A"}}},
		{name: "another slot's claim is not verified by a word", words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{ofSlot(2, a)}, want: outcome{Status: pass}},
		{name: "a word on nothing", words: []ledger.ClaimWord{word("shortZ", true)}, known: []ledger.Known{a}, want: outcome{Status: pass, Verified: []string{"A"}, Warnings: 1}},
		{name: "what is open, said to be there", words: []ledger.ClaimWord{word("shortB", false)}, known: []ledger.Known{a, earlier("B", ledger.StatusNew, at("a.go", 60), "two")},
			want: outcome{Status: pass, Verified: []string{"A"}, Warnings: 1}},
		{name: "what is open, said to be there by its long id", words: []ledger.ClaimWord{word("B", false)}, known: []ledger.Known{a, earlier("B", ledger.StatusNew, at("a.go", 60), "two")},
			want: outcome{Status: pass, Verified: []string{"A"}, Warnings: 1}},
		{name: "an unknown id is not fixed, and a claim was skipped meanwhile", words: []ledger.ClaimWord{word("shortZ", false)}, known: []ledger.Known{func() ledger.Known {
			k := a
			k.Status = ledger.StatusSkipped
			return k
		}()}, want: outcome{Status: pass, Warnings: 1}},
		{name: "a word on what is open", words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{earlier("A", ledger.StatusNew, at("a.go", 1), "one")},
			want: outcome{Status: pass, Warnings: 1}},
		{name: "fixed, and other words at the place are new", entries: []ledger.Entry{entry(at("a.go", 10), "x", ledger.High), entry(at("a.go", 10), "y", ledger.Low)},
			words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"accepted", "below_threshold"}, Verified: []string{"A"}}},
		{name: "fixed, and said again", entries: []ledger.Entry{entry(at("a.go", 90), "One", ledger.Low)},
			words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "fixed, and not meant by a report in other words", entries: []ledger.Entry{entry(at("a.go", 10), "x", ledger.Low)},
			words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{a, claim("B", at("a.go", 10), "two")},
			want: outcome{Status: fail, Reports: []string{"accepted B"}, Verified: []string{"A"}, Reopened: []string{"B"}}},
		{name: "not fixed, and reported in other words", entries: []ledger.Entry{entry(at("a.go", 10), "x", ledger.Low)},
			words: []ledger.ClaimWord{word("shortA", false)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "another slot's claim, said to be fixed, and reported in other words", entries: []ledger.Entry{entry(at("a.go", 10), "x", ledger.Low)},
			words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{ofSlot(2, a)},
			want: outcome{Status: fail, Reports: []string{"accepted A"}, Reopened: []string{"A"}}},
		{name: "fixed, beside a malformed entry at the place", entries: []ledger.Entry{malformed(at("a.go", 10), "", "issue"), entry(at("b.go", 1), "x", ledger.High)},
			words: []ledger.ClaimWord{word("shortA", true)}, known: []ledger.Known{a},
			want: outcome{Status: fail, Reports: []string{"malformed", "accepted"}, Verified: []string{"A"}, Warnings: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for i := range tt.entries {
				tt.entries[i].Position = i + 1
			}
			answer := ledger.Answer{Fail: tt.fail, Entries: tt.entries, Claims: tt.words}
			e := ledger.Evaluate(answer, tt.known, factsOf(tt.entries), ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High})
			if d := cmp.Diff(tt.want, outcomeOf(e)); d != "" {
				t.Errorf("evaluation (-want +got):\n%s", d)
			}
			for id, evidence := range e.Evidence {
				if !slices.Contains(append(e.Verified, e.Reopened...), id) || !strings.HasSuffix(strings.ToLower(evidence), "short"+strings.ToLower(id)) {
					t.Errorf("evidence %q for %s", evidence, id)
				}
			}
			if tt.want.Status != erred && len(tt.words) > 0 && tt.want.Warnings == 0 && len(e.Evidence) == 0 && tt.known[0].Shown {
				t.Error("the evidence is lost")
			}
		})
	}
}

// Rule: An ambiguous report verifies no claim.
func TestAmbiguousReports(t *testing.T) {
	t.Parallel()
	a, b := claim("A", at("a.go", 10), "check parse_header"), claim("B", at("a.go", 11), "close open_stream")
	tests := []struct {
		name   string
		entry  ledger.Entry
		known  []ledger.Known
		verify bool
		want   []string // verified
	}{
		{"of both lines", entry(at("a.go", 10, 11), "neither is gone", ledger.Low), []ledger.Known{a, b}, false, nil},
		{"of one line", entry(at("a.go", 10), "still there", ledger.Low), []ledger.Known{a, b}, false, []string{"B"}},
		{"of both lines, and an identifier of one", entry(at("a.go", 10, 11), "parse_header ignored", ledger.Low), []ledger.Known{a, b}, false, []string{"B"}},
		{"of both lines, and identifiers of both", entry(at("a.go", 10, 11), "parse_header and open_stream", ledger.Low), []ledger.Known{a, b}, false, nil},
		{"of both lines, in the words of one", entry(at("a.go", 10, 11), "check parse_header", ledger.Low), []ledger.Known{a, b}, false, []string{"B"}},
		{"of the file", entry(at("a.go"), "neither is gone", ledger.Low), []ledger.Known{a, b}, false, nil},
		{"of lines, beside a claim about the file", entry(at("a.go", 10), "still there", ledger.Low), []ledger.Known{a, claim("B", at("a.go"), "no tests")}, false, []string{"B"}},
		{"of the file, taken by its like", entry(at("a.go"), "still there", ledger.Low), []ledger.Known{claim("A", at("a.go"), "no tests"), ofSlot(2, b)}, false, nil},
		{"of the file, and one claim is about the file", entry(at("a.go"), "still there", ledger.Low), []ledger.Known{claim("A", at("a.go"), "no tests"), b}, false, []string{"B"}},
		{"of lines, at two claims about the file", entry(at("a.go", 10), "still there", ledger.Low), []ledger.Known{claim("A", at("a.go"), "no tests"), claim("B", at("a.go"), "no docs")}, false, []string{"B"}},
		{"in a verdict", entry(at("a.go", 10, 11), "neither is gone", ledger.Low), []ledger.Known{a, b}, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.entry.Position = 1
			facts := factsOf([]ledger.Entry{tt.entry})
			facts.Entries[0].Identifiers = []string{"parse_header", "open_stream"}
			rules := ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High, Verify: tt.verify, WholeFiles: tt.verify}
			e := ledger.Evaluate(ledger.Answer{Entries: []ledger.Entry{tt.entry}}, tt.known, facts, rules)
			if d := cmp.Diff(tt.want, e.Verified); d != "" {
				t.Errorf("verified (-want +got):\n%s", d)
			}
			if tt.verify && len(e.Reopened) != 2 {
				t.Errorf("reopened %q", e.Reopened)
			}
		})
	}
}

// Of several reports in other words one that may be about the claim is enough; without any, a verdict's claims are verified as others are.
//
// Rule: An ambiguous report verifies no claim.
func TestSeveralAmbiguousReports(t *testing.T) {
	t.Parallel()
	a, b := claim("A", at("a.go", 10), "check parse_header"), claim("B", at("a.go", 11), "close open_stream")
	both := claim("C", at("a.go", 10, 11), "leaks")
	for name, tt := range map[string]struct {
		issues   []string
		known    []ledger.Known
		rules    ledger.Rules
		verified []string
		warning  string
	}{
		"the first is about another claim": {[]string{"parse_header ignored", "neither is gone"}, []ledger.Known{a, both, b}, onRerun,
			nil, "claim shortB stays unverified: violation 2 may also be about it"},
		"neither":                   {[]string{"parse_header ignored"}, []ledger.Known{a, b}, onRerun, []string{"B"}, ""},
		"in a verdict, no report":   {nil, []ledger.Known{a, b}, ledger.Rules{Slot: 1, WholeFiles: true, Verify: true}, []string{"A", "B"}, ""},
		"in a verdict, of one only": {[]string{"parse_header ignored"}, []ledger.Known{a, b}, ledger.Rules{Slot: 1, WholeFiles: true, Verify: true}, []string{"B"}, ""},
	} {
		var entries []ledger.Entry
		for i, issue := range tt.issues {
			e := entry(at("a.go", 10, 11), issue, ledger.High)
			e.Position = i + 1
			entries = append(entries, e)
		}
		facts := factsOf(entries)
		for i := range facts.Entries {
			facts.Entries[i].Identifiers = []string{"parse_header", "open_stream"}
		}
		e := ledger.Evaluate(ledger.Answer{Entries: entries}, tt.known, facts, tt.rules)
		if d := cmp.Diff(tt.verified, e.Verified); d != "" {
			t.Errorf("%s: verified (-want +got):\n%s", name, d)
		}
		if got := strings.Join(e.Warnings, "; "); got != tt.warning {
			t.Errorf("%s: warnings %q", name, got)
		}
	}
}

// The warning names the first of the malformed violations that may be about the claim.
func TestTheFirstMalformedIsNamed(t *testing.T) {
	t.Parallel()
	nowhere := func(issue string) ledger.Entry { return malformed(ledger.Place{}, issue, "file") }
	here := malformed(at("a.go", 10), "x", "priority")
	for name, test := range map[string]struct {
		entries []ledger.Entry
		want    int
	}{
		"of no file":                        {[]ledger.Entry{nowhere("x"), nowhere("y")}, 1},
		"of no file, and at the place":      {[]ledger.Entry{nowhere("x"), here}, 1},
		"at the place, and of no file":      {[]ledger.Entry{here, nowhere("x")}, 1},
		"in its words, and of no file":      {[]ledger.Entry{malformed(at("b.go", 1), "one", "priority"), nowhere("x")}, 1},
		"elsewhere, then of no file, twice": {[]ledger.Entry{malformed(at("b.go", 1), "x", "priority"), nowhere("x"), nowhere("y")}, 2},
	} {
		entries := append(test.entries, entry(at("b.go", 50), "something else", ledger.High))
		for i := range entries {
			entries[i].Position = i + 1
		}
		e := ledger.Evaluate(ledger.Answer{Fail: true, Entries: entries}, []ledger.Known{claim("A", at("a.go", 10), "one")}, factsOf(entries), ledger.Rules{Slot: 1})
		want := fmt.Sprintf("stays unverified: malformed violation %d may be about it", test.want)
		if len(e.Verified) > 0 || !slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.HasSuffix(w, want) }) {
			t.Errorf("%s: verified %v, %q", name, e.Verified, e.Warnings)
		}
	}
}

// In a verdict the worst of those that a report may mean gets its words.
func TestTheWorstGetsTheWords(t *testing.T) {
	t.Parallel()
	low, high := claim("L", at("a.go", 10), "one"), claim("H", at("a.go", 10), "two")
	low.Priority, high.Priority = ledger.Low, ledger.High
	entries := []ledger.Entry{entry(at("a.go", 10), "it is not gone", ledger.Low)}
	for _, known := range [][]ledger.Known{{low, high}, {high, low}} {
		e := ledger.Evaluate(ledger.Answer{Entries: entries}, known, factsOf(entries), ledger.Rules{Slot: 1, Verify: true, WholeFiles: true})
		if got := e.Reports[0].Match; got != "H" {
			t.Errorf("with %s first, the report is matched with %q", known[0].ID, got)
		}
	}
}

// Rule: One skip covers one report.
func TestOneSkipCoversOneReport(t *testing.T) {
	t.Parallel()
	skip := func(id string, p ledger.Priority) ledger.Known {
		return ranked(p, earlier(id, ledger.StatusSkipped, at("a.go", 10), "style"))
	}
	said := func(priorities ...ledger.Priority) (entries []ledger.Entry) {
		for _, p := range priorities {
			entries = append(entries, entry(at("a.go", 10), "Style.", p))
		}
		return entries
	}
	tests := []evaluation{
		{name: "a second report is new", entries: said(ledger.High, ledger.High), known: []ledger.Known{skip("A", ledger.High)},
			want: outcome{Status: fail, Reports: []string{"previously_skipped A", "accepted"}}},
		{name: "and meets the threshold like any", entries: said(ledger.Low, ledger.Low), known: []ledger.Known{skip("A", ledger.High)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A", "below_threshold"}}},
		{name: "two skips", entries: said(ledger.Low, ledger.High), known: []ledger.Known{skip("A", ledger.Low), skip("B", ledger.High)},
			want: outcome{Status: pass, Reports: []string{"previously_skipped A", "previously_skipped B"}}},
		{name: "the more important report is not covered by the lesser skip", entries: said(ledger.High, ledger.Low), known: []ledger.Known{skip("A", ledger.Medium)},
			want: outcome{Status: fail, Reports: []string{"accepted", "previously_skipped A"}}},
		{name: "the more important report is not about a claim at its place either", entries: said(ledger.High),
			known: []ledger.Known{skip("A", ledger.Medium), claim("B", at("a.go", 10), "crashes")},
			want:  outcome{Status: fail, Reports: []string{"accepted"}, Verified: []string{"B"}}},
		{name: "of two skips alike the earlier, also if it begins later", entries: said(ledger.Low),
			known: []ledger.Known{skip("A", ledger.High), ranked(ledger.High, earlier("B", ledger.StatusSkipped, at("a.go", 9, 10), "style"))},
			want:  outcome{Status: pass, Reports: []string{"previously_skipped A"}}},
		{name: "of two skips alike the earlier, also if it begins first", entries: said(ledger.Low),
			known: []ledger.Known{ranked(ledger.High, earlier("B", ledger.StatusSkipped, at("a.go", 9, 10), "style")), skip("A", ledger.High)},
			want:  outcome{Status: pass, Reports: []string{"previously_skipped B"}}},
		{name: "the second contradicts a claim elsewhere in its words", entries: said(ledger.Low, ledger.Low),
			known: []ledger.Known{skip("A", ledger.High), claim("B", at("a.go", 50), "style")},
			want:  outcome{Status: fail, Reports: []string{"previously_skipped A", "accepted B"}, Reopened: []string{"B"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, tt.run)
	}
}

// floods are many findings of one file, claimed and reported again: n entries, n claims.
func floods(n int) map[string]func() (ledger.Answer, []ledger.Known, ledger.Facts) {
	facts := ledger.Facts{Entries: slices.Repeat([]ledger.EntryFacts{{InDiff: true, Identifiers: []string{"parse_header", "total"}}}, n)}
	list := map[string]func() (ledger.Answer, []ledger.Known, ledger.Facts){}
	for name, place := range map[string]func(i int) ledger.Place{
		"each on its line":   func(i int) ledger.Place { return at("a.go", 10*i+1) },
		"all on one line":    func(int) ledger.Place { return at("a.go", 1) },
		"about the file":     func(int) ledger.Place { return at("a.go") },
		"off by a few lines": func(i int) ledger.Place { return at("a.go", 10*i+1+i%3) },
	} {
		for words, issue := range map[string]func(i, side int) string{
			"the same words":   func(int, int) string { return "check parse_header" },
			"words of its own": func(i, side int) string { return fmt.Sprint("problem ", i, " of side ", side, " with parse_header") },
		} {
			list[name+", "+words] = func() (answer ledger.Answer, known []ledger.Known, _ ledger.Facts) {
				for i := range n {
					known = append(known, claim(fmt.Sprint(i), place(i), issue(i, 1)))
					answer.Entries = append(answer.Entries, ledger.Entry{Position: i + 1, Place: place(n - i), Issue: issue(i, 2), Priority: ledger.Low})
				}
				return answer, known, facts
			}
		}
	}
	return list
}

var onRerun = ledger.Rules{Slot: 1, AnsweredBefore: true, Threshold: ledger.High}

// Of many findings of one file none is lost, wherever they lie and whatever they say.
// BenchmarkEvaluateOneFile has the time.
func TestManyFindingsOfOneFile(t *testing.T) {
	t.Parallel()
	const many = 2_000
	for name, flood := range floods(many) {
		t.Run(name, func(t *testing.T) {
			answer, known, facts := flood()
			e := ledger.Evaluate(answer, known, facts, onRerun)
			if len(e.Reports) != many || len(e.Reopened) < many/2 || len(e.Verified)+len(e.Reopened) > many {
				t.Errorf("%d reports, %d verified, %d reopened", len(e.Reports), len(e.Verified), len(e.Reopened))
			}
		})
	}
}

func BenchmarkEvaluateOneFile(b *testing.B) {
	for name, flood := range floods(10_000) {
		b.Run(name, func(b *testing.B) {
			answer, known, facts := flood()
			for b.Loop() {
				ledger.Evaluate(answer, known, facts, onRerun)
			}
		})
	}
}
