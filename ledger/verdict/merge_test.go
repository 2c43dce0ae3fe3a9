package verdict

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/reviewledger/reviewledger/ledger"
)

// merging is what several slots reported, and what it is merged into.
type merging struct {
	slots []DomainReports
	want  []string // id|severity|breaking|confidence|title|slot.report, in the order of the reports
	// match has the finding of each merged report, by "slot.report".
	match map[string]string
}

func breaks(r ledger.Evaluated) ledger.Evaluated { r.SystemBreaking = true; return r }

func worded(title, issue string, one func(string, ledger.Priority, float64) ledger.Evaluated) ledger.Evaluated {
	r := one(title, ledger.Low, 0.5)
	r.Issue = issue
	return r
}

// several slots, domains and gates at once.
func mergings() map[string]merging {
	one := func(title string, p ledger.Priority, confidence float64) ledger.Evaluated {
		return reported("f", 1, 1, title, p, confidence)
	}
	filtered := one("A", ledger.Critical, 1)
	filtered.Disposition = ledger.BelowThreshold
	return map[string]merging{
		"nothing":            {},
		"no accepted report": {slots: []DomainReports{{"d", []ledger.Evaluated{filtered}}, {"e", nil}}},
		"the last of three slots is the most severe": {
			slots: []DomainReports{{"d", []ledger.Evaluated{one("A", ledger.Low, 0.7)}}, {"d", []ledger.Evaluated{one("B", ledger.High, 0.9)}}, {"d", []ledger.Evaluated{one("C", ledger.Critical, 0.5)}}},
			want:  []string{"d-252f10c8-1|Blocker|false|0.9|C|2.0"},
			match: map[string]string{"0.0": "d-252f10c8-1", "1.0": "d-252f10c8-1"},
		},
		"the first of equals leads": {
			slots: []DomainReports{{"d", []ledger.Evaluated{one("A", ledger.High, 0.6)}}, {"d", []ledger.Evaluated{one("B", ledger.High, 0.8)}}},
			want:  []string{"d-252f10c8-1|High|false|0.8|A|0.0"},
			match: map[string]string{"1.0": "d-252f10c8-1"},
		},
		"of two Blockers the one that breaks leads": {
			slots: []DomainReports{{"d", []ledger.Evaluated{one("A", ledger.Critical, 0.6)}}, {"d", []ledger.Evaluated{breaks(one("B", ledger.Critical, 0.5))}}},
			want:  []string{"d-252f10c8-1|Blocker|true|0.6|B|1.0"},
			match: map[string]string{"0.0": "d-252f10c8-1"},
		},
		"a Low one that breaks does not make a Blocker break": {
			slots: []DomainReports{{"d", []ledger.Evaluated{one("A", ledger.Critical, 0.6)}}, {"d", []ledger.Evaluated{breaks(one("B", ledger.Low, 0.9))}}},
			want:  []string{"d-252f10c8-1|Blocker|false|0.9|A|0.0"},
			match: map[string]string{"1.0": "d-252f10c8-1"},
		},
		"domains stay apart": {
			slots: []DomainReports{{"d", []ledger.Evaluated{one("A", ledger.High, 0.6)}}, {"e", []ledger.Evaluated{one("A", ledger.High, 0.6)}}},
			want:  []string{"d-252f10c8-1|High|false|0.6|A|0.0", "e-252f10c8-1|High|false|0.6|A|1.0"},
		},
		"files and lines stay apart": {
			slots: []DomainReports{
				{"d", []ledger.Evaluated{one("A", ledger.High, 0.6), reported("g", 1, 1, "A", ledger.High, 0.6)}},
				{"d", []ledger.Evaluated{reported("f", 1, 2, "A", ledger.High, 0.6), reported("f", 0, 0, "A", ledger.High, 0.6)}},
			},
			want: []string{
				"d-252f10c8-1|High|false|0.6|A|0.0", "d-cd0aa985-1|High|false|0.6|A|0.1",
				"d-252f10c8-1-2|High|false|0.6|A|1.0", "d-252f10c8-0|High|false|0.6|A|1.1",
			},
		},
		"two of each slot at a place, told apart by title": {
			slots: []DomainReports{
				{"d", []ledger.Evaluated{one("B", ledger.Low, 0.5), one("A", ledger.High, 0.5)}},
				{"d", []ledger.Evaluated{one("A", ledger.Low, 0.6), one("B", ledger.Critical, 0.7)}},
			},
			want:  []string{"d-252f10c8-1|High|false|0.6|A|0.1", "d-252f10c8-1-2|Blocker|false|0.7|B|1.1"},
			match: map[string]string{"0.0": "d-252f10c8-1-2", "1.0": "d-252f10c8-1"},
		},
		"equally severe and system-breaking: the first slot's": {
			slots: []DomainReports{{"d", []ledger.Evaluated{breaks(one("A", ledger.Critical, 0.5))}}, {"d", []ledger.Evaluated{breaks(one("A", ledger.Critical, 0.5))}}},
			want:  []string{"d-252f10c8-1|Blocker|true|0.5|A|0.0"},
			match: map[string]string{"1.0": "d-252f10c8-1"},
		},
		"three at a place, of which another place has the id of the second": {
			slots: []DomainReports{
				{"d", []ledger.Evaluated{one("A", ledger.Low, 0.5), one("B", ledger.Low, 0.5), one("C", ledger.Low, 0.5)}},
				{"d", []ledger.Evaluated{reported("f", 1, 2, "D", ledger.Low, 0.5), reported("f", 1, 4, "E", ledger.Low, 0.5)}},
			},
			want: []string{
				"d-252f10c8-1|Low|false|0.5|A|0.0", "d-252f10c8-1-3|Low|false|0.5|B|0.1", "d-252f10c8-1-5|Low|false|0.5|C|0.2",
				"d-252f10c8-1-2|Low|false|0.5|D|1.0", "d-252f10c8-1-4|Low|false|0.5|E|1.1",
			},
		},
		"what others say of the second place joins its finding": {
			slots: []DomainReports{
				{"d", []ledger.Evaluated{one("A", ledger.Low, 0.5), reported("g", 1, 1, "B", ledger.Low, 0.5)}}, {"d", []ledger.Evaluated{reported("g", 1, 1, "C", ledger.Low, 0.9)}},
			},
			want:  []string{"d-252f10c8-1|Low|false|0.5|A|0.0", "d-cd0aa985-1|Low|false|0.9|B|0.1"},
			match: map[string]string{"1.0": "d-cd0aa985-1"},
		},
		"by title, and then by issue": {
			slots: []DomainReports{{"d", []ledger.Evaluated{worded("B", "1", one), worded("A", "9", one), worded("A", "2", one)}}},
			want:  []string{"d-252f10c8-1-3|Low|false|0.5|B|0.0", "d-252f10c8-1-2|Low|false|0.5|A|0.1", "d-252f10c8-1|Low|false|0.5|A|0.2"},
		},
		"what was filtered takes no number and is not merged": {
			slots: []DomainReports{{"d", []ledger.Evaluated{filtered, one("B", ledger.Low, 0.5)}}, {"d", []ledger.Evaluated{one("B", ledger.Low, 0.5), filtered}}},
			want:  []string{"d-252f10c8-1|Low|false|0.5|B|0.1"},
			match: map[string]string{"1.0": "d-252f10c8-1"},
		},
	}
}

// leading returns which report's text a finding shows.
func leading(slots []DomainReports, id string) string {
	for s, slot := range slots {
		for r, report := range slot.Reports {
			if report.Disposition == ledger.Accepted && report.Match == id {
				return position(s, r)
			}
		}
	}
	return ""
}

// Rule: A code review is apart from the loop.
func TestMergeReportsTable(t *testing.T) {
	t.Parallel()
	for name, test := range mergings() {
		accepted := 0
		for _, slot := range test.slots {
			for _, r := range slot.Reports {
				if r.Disposition == ledger.Accepted {
					accepted++
				}
			}
		}
		var got []string
		for _, m := range MergeReports(test.slots) {
			got = append(got, fields(m.ID, SeverityOf(m.Priority), m.SystemBreaking, m.Confidence, m.Title, leading(test.slots, m.ID)))
		}
		slices.Sort(got) // TestSortFindings has the order
		if diff := cmp.Diff(slices.Sorted(slices.Values(test.want)), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		match := map[string]string{}
		for s, slot := range test.slots {
			for r, report := range slot.Reports {
				if report.Disposition == ledger.Merged {
					if report.Reason != "also reported by another reviewer: "+report.Match {
						t.Errorf("%s: because %q", name, report.Reason)
					}
					match[position(s, r)] = report.Match
				}
			}
		}
		if len(match) != len(test.match) || len(match) > 0 && cmp.Diff(test.match, match) != "" {
			t.Errorf("%s: merged are %v, want %v", name, match, test.match)
		}
		if len(got)+len(match) != accepted {
			t.Errorf("%s: of %d reports %d are findings and %d merged: the others are gone", name, accepted, len(got), len(match))
		}
	}
}

// A finding contains what each of its reports says, once.
//
// Rule: A code review is apart from the loop.
func TestMergedWords(t *testing.T) {
	t.Parallel()
	withFix := func(title, fix string, p ledger.Priority) ledger.Evaluated {
		r := reported("f", 1, 1, title, p, 0.5)
		r.Issue, r.Fix = title+" happens", fix
		return r
	}
	slots := []DomainReports{
		{"d", []ledger.Evaluated{withFix("First", "do one", ledger.High)}},
		{"d", []ledger.Evaluated{withFix("Second", "do two", ledger.Low)}},
		{"d", []ledger.Evaluated{withFix("first.", "do it otherwise", ledger.High)}},
		{"d", []ledger.Evaluated{withFix("Third", "", ledger.Critical)}},
	}
	got := MergeReports(slots)
	if len(got) != 1 {
		t.Fatalf("%d findings", len(got))
	}
	f := got[0]
	if f.Title != "Third" || f.Priority != ledger.Critical {
		t.Errorf("%q, %s leads", f.Title, f.Priority)
	}
	for _, part := range []string{
		"Third happens", "Also reported here (High): First\ndo one", "Also reported here (Low): Second\ndo two", "Also reported here (High): first.\ndo it otherwise",
	} {
		if strings.Count(f.Recommendation, part) != 1 {
			t.Errorf("%q is not there once:\n%s", part, f.Recommendation)
		}
	}
	same := MergeReports([]DomainReports{{"d", []ledger.Evaluated{withFix("Same", "fix", ledger.High)}}, {"d", []ledger.Evaluated{withFix("same", "another fix", ledger.High)}}})
	if len(same) != 1 || strings.Contains(same[0].Recommendation, "Also") {
		t.Errorf("the same words are repeated: %+v", same)
	}
	titled := func(title, issue string) ledger.Evaluated {
		r := reported("f", 1, 1, title, ledger.High, 0.5)
		r.Issue = issue
		return r
	}
	for _, other := range []ledger.Evaluated{titled("Same", "in other words"), titled("Another", "the words")} {
		got := MergeReports([]DomainReports{{"d", []ledger.Evaluated{titled("Same", "the words")}}, {"d", []ledger.Evaluated{other}}})
		if len(got) != 1 || strings.Contains(got[0].Recommendation, "Also") {
			t.Errorf("%q is repeated: %+v", other.Title, got)
		}
	}
	if lead := slots[3].Reports[0]; lead.Fix != f.Recommendation || lead.Title != f.Title || *lead.Confidence != f.Confidence {
		t.Errorf("the report that leads has other words than the finding: %+v", lead.Entry)
	}
	if alone := []DomainReports{{"d", []ledger.Evaluated{titled("", "It leaks. Always.")}}}; MergeReports(alone)[0].Recommendation != "It leaks. Always." || alone[0].Reports[0].Fix != "" || alone[0].Reports[0].Title != "It leaks" {
		t.Errorf("a report without a fix got %+v", alone[0].Reports[0].Entry)
	}
}
