package match_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// Rule: A duplicate has the fate of what it was joined to.
func TestJoins(t *testing.T) {
	t.Parallel()
	said := func(id string, gate int64, answer int64, change ...func(*match.Stated)) match.Stated {
		v := match.Stated{
			ID: id, Status: ledger.StatusNew, Place: ledger.Place{File: "f", Start: 5, End: 5}, Words: "Dead link", Fresh: true, Answers: []int64{answer},
			First: 1, Priority: ledger.High, Gate: gate, Slot: 1, Position: 1,
		}
		for _, c := range change {
			c(&v)
		}
		return v
	}
	before := func(v *match.Stated) { v.Fresh = false }
	in := func(number int) func(*match.Stated) { return func(v *match.Stated) { v.First = number } }
	is := func(status ledger.Status) func(*match.Stated) {
		return func(v *match.Stated) { v.Status, v.Fresh = status, false }
	}
	at := func(start, end int) func(*match.Stated) {
		return func(v *match.Stated) { v.Place.Start, v.Place.End = start, end }
	}
	words := func(words string) func(*match.Stated) { return func(v *match.Stated) { v.Words = words } }
	of := func(original string) func(*match.Stated) {
		return func(v *match.Stated) { v.Status, v.Original, v.Fresh = ledger.StatusDuplicate, original, false }
	}
	priority := func(p ledger.Priority) func(*match.Stated) { return func(v *match.Stated) { v.Priority = p } }
	taken := func(v *match.Stated) { v.TakenOut = true }
	named := func(id string) func(*match.Stated) {
		return func(v *match.Stated) { v.Named, v.Words = id, "The anchor is broken" }
	}
	for name, test := range map[string]struct {
		all  []match.Stated
		want []string
	}{
		"named, and at its place":                    {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, in(2), named("a"))}, []string{"b=a named"}},
		"named, and perhaps the same":                {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, in(2), at(7, 7), named("a"))}, []string{"b=a named"}},
		"named alone":                                {[]match.Stated{said("a", 1, 1, before), said("c", 2, 2, in(2), at(7, 7), named("a"))}, nil},
		"named, the whole file and a line":           {[]match.Stated{said("a", 1, 1, before, at(0, 0)), said("c", 2, 2, in(2), named("a"))}, nil},
		"named, but disputed":                        {[]match.Stated{said("a", 1, 1, is(ledger.StatusDisputed)), said("b", 2, 2, in(2), named("a"))}, nil},
		"named, but a claim now":                     {[]match.Stated{said("a", 1, 1, is(ledger.StatusFixed)), said("b", 2, 2, in(2), named("a"))}, nil},
		"named before":                               {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, named("a"), before)}, nil},
		"named is what nobody waits for":             {[]match.Stated{said("b", 2, 2, named("a"))}, nil},
		"two gates":                                  {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2)}, []string{"b=a"}},
		"in other letters and signs":                 {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, words("dead  `link`."))}, []string{"b=a"}},
		"other words":                                {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, words("dead"))}, nil},
		"places that meet":                           {[]match.Stated{said("a", 1, 1, before, at(1, 5)), said("b", 2, 2, at(5, 9))}, []string{"b=a"}},
		"places side by side":                        {[]match.Stated{said("a", 1, 1, before, at(4, 4)), said("b", 2, 2)}, nil},
		"the whole file twice":                       {[]match.Stated{said("a", 1, 1, before, at(0, 0)), said("b", 2, 2, at(0, 0))}, []string{"b=a"}},
		"the whole file and a line":                  {[]match.Stated{said("a", 1, 1, before, at(0, 0)), said("b", 2, 2)}, nil},
		"another file":                               {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, func(v *match.Stated) { v.Place.File = "g" })}, nil},
		"neither is fresh":                           {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, before)}, nil},
		"two entries of one answer":                  {[]match.Stated{said("a", 1, 1, at(1, 5)), said("b", 1, 1, at(3, 3))}, nil},
		"what stood before is the original":          {[]match.Stated{said("a", 2, 1, before, priority(ledger.Low)), said("b", 1, 2, in(2))}, []string{"b=a"}},
		"of one iteration the more important":        {[]match.Stated{said("a", 1, 1, before, priority(ledger.Low)), said("b", 2, 2)}, []string{"a=b"}},
		"then the earlier gate":                      {[]match.Stated{said("a", 2, 1, before), said("b", 1, 2)}, []string{"a=b"}},
		"then the earlier slot":                      {[]match.Stated{said("a", 1, 1, before, func(v *match.Stated) { v.Slot = 2 }), said("b", 1, 2)}, []string{"a=b"}},
		"a claim is reopened":                        {[]match.Stated{said("a", 1, 1, is(ledger.StatusFixed)), said("b", 2, 2, in(2))}, []string{"b=a", "a reopened"}},
		"a claim that becomes a duplicate":           {[]match.Stated{said("a", 1, 1, before), said("b", 1, 2, in(2), is(ledger.StatusFixed)), said("c", 3, 3, in(3))}, []string{"c=a", "b=a"}},
		"a claim that was joined to, likewise":       {[]match.Stated{said("a", 1, 1, before, at(1, 9)), said("b", 1, 2, in(2), is(ledger.StatusFixed)), said("c", 3, 3, in(3))}, []string{"c=b", "b=a"}},
		"what is disputed":                           {[]match.Stated{said("a", 1, 1, is(ledger.StatusDisputed)), said("b", 2, 2)}, nil},
		"what is verified":                           {[]match.Stated{said("a", 1, 1, is(ledger.StatusVerified)), said("b", 2, 2)}, nil},
		"what was taken out":                         {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, taken)}, nil},
		"what another one was taken out of":          {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, taken, before), said("c", 3, 3)}, []string{"c=a"}},
		"a duplicate's original":                     {[]match.Stated{said("a", 1, 1, before, words("Broken")), said("b", 2, 2, of("a")), said("c", 3, 3)}, []string{"c=a"}},
		"a duplicate whose original waits no longer": {[]match.Stated{said("b", 2, 2, of("a")), said("c", 3, 3)}, nil},
		"three at once":                              {[]match.Stated{said("a", 1, 1, before, at(1, 5)), said("b", 2, 2, before, at(9, 12)), said("c", 3, 3, at(5, 9))}, []string{"c=a", "b=a"}},
		"exactly the place first":                    {[]match.Stated{said("a", 1, 1, before, at(1, 9)), said("b", 1, 1, before), said("c", 2, 2), said("d", 2, 2, at(1, 9))}, []string{"d=a", "c=b"}},
		"with an original of another place":          {[]match.Stated{said("a", 1, 1, before), said("b", 2, 2, of("a"), at(6, 6)), said("c", 3, 2, at(6, 6))}, nil},
	} {
		all := slices.Clone(test.all)
		for i := range all {
			all[i].Places = []ledger.Place{all[i].Place}
		}
		joins, reopened := match.Joins(all, [][2]string{{"a", "b"}})
		var got []string
		for _, j := range joins {
			got = append(got, j.ID+"="+j.Original)
			if j.Named {
				got[len(got)-1] += " named"
			}
		}
		for _, id := range reopened {
			got = append(got, id+" reopened")
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// Twenty thousand violations in the same words are compared with their neighbors only.
func TestJoinsAreBounded(t *testing.T) {
	t.Parallel()
	var all []match.Stated
	for i := range 20_000 {
		all = append(all, match.Stated{ID: fmt.Sprint(i), Status: ledger.StatusNew, Place: ledger.Place{File: "f", Start: i + 1, End: 20_000}, Words: "w", Fresh: i%2 == 0, Answers: []int64{int64(i % 2)}})
	}
	if joins, _ := match.Joins(all, nil); len(joins) != len(all)/2 {
		t.Errorf("%d joins of %d", len(joins), len(all))
	}
}
