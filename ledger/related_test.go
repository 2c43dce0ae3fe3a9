package ledger_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestRelated(t *testing.T) {
	text := strings.Repeat("\tcommon := value\n", 4) + "// There is a way. Missing keys stay.\nfunc Equals(a, b Version) bool {\n\treturn parse_all(a) == `b` && halve(b) && Enough || parse_all(parse_all(parse_all(b)))\n}\n// These halve it.\nlast_one\n// thrice\n// and thrice\nthrice()\nx9y(b)\n"
	var lines [][]byte
	for _, line := range strings.Split(text, "\n") {
		lines = append(lines, []byte(line))
	}
	used := func(string) map[string]ledger.NameUse { return ledger.NamesIn(lines) }
	at := func(id, file string, start, end int, issue string) ledger.Near {
		return ledger.Near{ID: id, Places: []ledger.Place{{File: file, Start: start, End: end}}, Hunks: []string{""}, Issue: issue, New: true}
	}
	by := func(n ledger.Near, tool string) ledger.Near { n.Tool = tool; return n }
	hunk := func(n ledger.Near, name string) ledger.Near { n.Hunks[0] = name; return n }
	slot := func(n ledger.Near, name string, answers ...int64) ledger.Near {
		n.Reporter, n.Answers = name, answers
		return n
	}
	also := func(n ledger.Near, start, end int) ledger.Near {
		n.Places, n.Hunks = append(n.Places, ledger.Place{File: n.Places[0].File, Start: start, End: end}), append(n.Hunks, "")
		return n
	}
	old := func(n ledger.Near) ledger.Near { n.New = false; return n }
	for name, test := range map[string]struct {
		a, b ledger.Near
		want bool
	}{
		"a rare name":                               {at("a", "f", 5, 5, "Equals ignores metadata"), at("b", "f", 6, 6, "two versions that differ are the same for Equals"), true},
		"a rare name in quotes":                     {at("a", "f", 5, 5, "wrong result of `parse_all`"), at("b", "f", 6, 6, "calls parse_all() without a check"), true},
		"a name that stands often":                  {at("a", "f", 1, 1, "`common` is never read"), at("b", "f", 2, 2, "nobody checks whether `common` overflows here"), false},
		"a name that is nowhere":                    {at("a", "f", 1, 1, "`missing` is never read"), at("b", "f", 2, 2, "nobody checks whether `missing` overflows here"), false},
		"a name that begins both":                   {at("a", "f", 5, 5, "Equals divides by zero"), at("b", "f", 5, 5, "Equals is wrong when the second one is old"), true},
		"a name between two blanks":                 {at("a", "f", 5, 5, "Enough divides by zero"), at("b", "f", 5, 5, "Enough is wrong when the second one is old"), true},
		"a name in small letters":                   {at("a", "f", 5, 5, "halve divides by zero"), at("b", "f", 5, 5, "wrong for odd numbers, as halve rounds down"), true},
		"a name alone in its line":                  {at("a", "f", 5, 5, "last_one is never read"), at("b", "f", 5, 5, "nobody checks whether last_one overflows"), true},
		"a name with a digit":                       {at("a", "f", 5, 5, "x9y divides by zero"), at("b", "f", 5, 5, "wrong for odd numbers, as x9y rounds down"), true},
		"a name in its third line":                  {at("a", "f", 5, 5, "thrice divides by zero"), at("b", "f", 5, 5, "wrong for odd numbers, as thrice rounds down"), true},
		"the first word of a sentence":              {at("a", "f", 5, 5, "There should be a test"), at("b", "f", 5, 5, "There was once one comment of every function"), false},
		"of a sentence within a line":               {at("a", "f", 5, 5, "Missing check of nil"), at("b", "f", 5, 5, "Missing documentation says nothing about errors"), false},
		"words beside a full stop":                  {at("a", "f", 5, 5, "it is the wrong way."), at("b", "f", 5, 5, "nobody ever went that way. Remove all of it"), false},
		"names in another case":                     {at("a", "f", 5, 5, "Equals is slow"), at("b", "f", 6, 6, "what equals does here nobody can tell"), false},
		"prose":                                     {at("a", "f", 5, 5, "func without a comment"), at("b", "f", 6, 6, "every result of this one is a copy that somebody has to return"), false},
		"half of the words":                         {at("a", "f", 5, 5, "the link is dead"), at("b", "f", 5, 5, "Dead link!"), true},
		"half of the shorter one's words":           {at("a", "f", 5, 5, "the link in the first line is dead"), at("b", "f", 5, 5, "Dead link, says nobody"), true},
		"less than half of the words":               {at("a", "f", 5, 5, "the link is dead"), at("b", "f", 5, 5, "the title was forgotten"), false},
		"parts of names in common":                  {at("a", "f", 5, 5, "read_link fails"), at("b", "f", 5, 5, "link_read breaks often"), false},
		"no words":                                  {at("a", "f", 5, 5, "!"), at("b", "f", 5, 5, "?"), false},
		"ten lines apart":                           {at("a", "f", 1, 3, "the link is dead"), at("b", "f", 13, 13, "dead link"), true},
		"eleven lines apart":                        {at("a", "f", 1, 3, "the link is dead"), at("b", "f", 14, 14, "dead link"), false},
		"far apart, in one hunk":                    {hunk(at("a", "f", 1, 1, "the link is dead"), "0.1"), hunk(at("b", "f", 50, 50, "dead link"), "0.1"), true},
		"far apart, in two hunks":                   {hunk(at("a", "f", 1, 1, "the link is dead"), "0.1"), hunk(at("b", "f", 50, 50, "dead link"), "0.2"), false},
		"two files":                                 {at("a", "f", 1, 1, "the link is dead"), at("b", "g", 1, 1, "dead link"), false},
		"the whole file and a line":                 {at("a", "f", 0, 0, "the link is dead"), at("b", "f", 1, 1, "dead link"), false},
		"the whole file twice":                      {at("a", "f", 0, 0, "the link is dead"), at("b", "f", 0, 0, "dead link"), true},
		"one of them from before":                   {old(at("a", "f", 5, 5, "the link is dead")), at("b", "f", 5, 5, "dead link"), true},
		"both from before":                          {old(at("a", "f", 5, 5, "the link is dead")), old(at("b", "f", 5, 5, "dead link")), false},
		"of one tool":                               {by(at("a", "f", 5, 5, "dead link"), "lint"), by(at("b", "f", 5, 5, "dead link"), "lint"), false},
		"of two tools":                              {by(at("a", "f", 5, 5, "dead link"), "lint"), by(at("b", "f", 5, 5, "dead link"), "vet"), true},
		"of a tool and a reviewer":                  {by(at("a", "f", 5, 5, "dead link"), "lint"), at("b", "f", 5, 5, "dead link"), true},
		"at one place in other words, of one slot":  {slot(at("a", "f", 5, 5, "slow"), "q@1"), slot(at("b", "f", 5, 5, "wrong"), "q@1"), false},
		"at one place in other words, of two slots": {slot(at("a", "f", 5, 5, "slow"), "q@1"), slot(at("b", "f", 5, 5, "wrong"), "q@2"), true},
		"in places of five lines that meet":         {slot(at("a", "f", 1, 5, "slow"), "q@1"), slot(at("b", "f", 5, 9, "wrong"), "q@2"), true},
		"in a place of six lines":                   {slot(at("a", "f", 1, 6, "slow"), "q@1"), slot(at("b", "f", 5, 5, "wrong"), "q@2"), false},
		"in lines side by side":                     {slot(at("a", "f", 4, 4, "slow"), "q@1"), slot(at("b", "f", 5, 5, "wrong"), "q@2"), false},
		"in one file only":                          {slot(at("a", "f", 0, 0, "slow"), "q@1"), slot(at("b", "f", 0, 0, "wrong"), "q@2"), false},
		"at a further place":                        {slot(also(at("a", "f", 90, 90, "slow"), 5, 6), "q@1"), slot(at("b", "f", 5, 5, "wrong"), "q@2"), true},
		"at two further places":                     {slot(also(at("a", "f", 90, 90, "slow"), 5, 6), "q@1"), slot(also(at("b", "f", 70, 70, "wrong"), 6, 6), "q@2"), true},
		"twice near each other":                     {also(at("a", "f", 5, 5, "the link is dead"), 6, 6), also(at("b", "f", 5, 5, "dead link"), 6, 6), true},
		"of one answer":                             {slot(at("a", "f", 5, 5, "dead link"), "q@1", 1, 4), slot(at("b", "f", 5, 5, "dead link"), "q@2", 4), false},
		"of two answers":                            {slot(at("a", "f", 5, 5, "dead link"), "q@1", 1, 4), slot(at("b", "f", 5, 5, "dead link"), "q@1", 2, 3), true},
		"a range that holds the other":              {at("a", "f", 1, 90, "the link is dead"), at("b", "f", 50, 51, "dead link"), true},
	} {
		for _, found := range [][]ledger.Near{{test.a, test.b}, {test.b, test.a}} {
			if got := ledger.Related(found, used); (len(got) == 1) != test.want || test.want && !reflect.DeepEqual(got, [][2]string{{"a", "b"}}) {
				t.Errorf("%s: related are %v, want %v", name, got, test.want)
			}
		}
	}
}

// Words are the same ones however many findings were looked at before.
func TestRelatedOfThree(t *testing.T) {
	t.Parallel()
	at := func(id, issue string) ledger.Near {
		return ledger.Near{ID: id, Places: []ledger.Place{{File: "f", Start: 1, End: 1}}, Hunks: []string{""}, Issue: issue, New: true}
	}
	first, second := at("a", "alpha beta gamma delta epsilon zeta"), at("b", "one two three")
	for issue, want := range map[string][][2]string{
		"alpha beta seven eight nine ten": nil,
		"alpha two three":                 {{"b", "c"}},
		"alpha beta gamma one":            {{"a", "c"}},
	} {
		got := ledger.Related([]ledger.Near{first, second, at("c", issue)}, func(string) map[string]ledger.NameUse { return nil })
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: related are %v, want %v", issue, got, want)
		}
	}
}

func TestRelatedIsBounded(t *testing.T) {
	var found []ledger.Near
	for i := range 20_000 {
		found = append(found, ledger.Near{ID: fmt.Sprintf("%05d", i), Places: []ledger.Place{{File: "f", Start: 1, End: 1}}, Hunks: []string{""}, Issue: fmt.Sprint("finding ", i), New: true})
	}
	asked := 0
	pairs := ledger.Related(found, func(string) map[string]ledger.NameUse { asked++; return nil })
	if asked > len(found) {
		t.Errorf("%d looks at the file of %d findings", asked, len(found))
	}
	related := map[string]int{}
	for _, pair := range pairs {
		related[pair[0]]++
		related[pair[1]]++
	}
	for id, n := range related {
		if n > 20 {
			t.Fatalf("finding %s is shown with %d others, want at most 20", id, n)
		}
	}
	if len(related) != len(found) {
		t.Errorf("%d of %d findings are shown with others", len(related), len(found))
	}
	full := []ledger.Near{found[0], found[1]}
	full[0].Paired = 20
	if pairs := ledger.Related(full, func(string) map[string]ledger.NameUse { return nil }); len(pairs) > 0 {
		t.Errorf("a finding that has been paired with 20 others is paired again: %v", pairs)
	}
}
