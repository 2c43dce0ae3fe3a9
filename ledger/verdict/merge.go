package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// DomainReports has the evaluated reports of one slot of a code review.
type DomainReports struct {
	Domain  string
	Reports []ledger.Evaluated
}

// MergeReports turns the accepted reports of all slots into findings. Reports of several slots with
// the same id become one finding. It shows the most severe of them, the first if several are
// equally severe, with the highest confidence of all. The others are merged into it; if their text
// differs, they may mean another problem, so the recommendation quotes them too. The Match of each
// report becomes the finding's id. Reports of one slot stay apart, because without a suffix their
// ids would not distinguish the findings: the second by title gets "-2". A suffix never results in
// the id of another place.
//
// Rule: A code review is apart from the loop.
func MergeReports(slots []DomainReports) (findings []Finding) {
	places := map[string]bool{}
	for _, slot := range slots {
		for _, r := range slot.Reports {
			places[reportID(slot.Domain, r)] = true
		}
	}
	ids, at, leading := leadingReports(slots, places), map[string]int{}, map[string]*ledger.Evaluated{}
	for s, slot := range slots {
		for r := range slot.Reports {
			if report, id := &slot.Reports[r], ids[s][r]; id.leads {
				report.Match, at[id.text], leading[id.text] = id.text, len(findings), report
				findings = append(findings, FindingOf(slot.Domain, id.text, *report))
			}
		}
	}
	for s, slot := range slots {
		for r := range slot.Reports {
			report, id := &slot.Reports[r], ids[s][r]
			if report.Disposition != ledger.Accepted || id.leads {
				continue
			}
			report.Disposition, report.Match = ledger.Merged, id.text
			report.Reason = fmt.Sprintf("also reported by another reviewer: %s", id.text)
			findings[at[id.text]].join(report.Entry, leading[id.text].Entry)
		}
	}
	return findings
}

// findingID is the id of a report's finding, and whether the finding shows the report's text.
type findingID struct {
	text  string
	leads bool
}

// leadingReports returns the ids of the accepted reports by slot and index. If several have the
// same id, the most severe leads: what has to be fixed and verified must be what decides the
// verdict.
func leadingReports(slots []DomainReports, places map[string]bool) [][]findingID {
	type place struct{ slot, report int }
	ids := make([][]findingID, len(slots))
	leading := map[string]place{}
	for s, slot := range slots {
		texts := SlotIDs(slot, places)
		ids[s] = make([]findingID, len(slot.Reports))
		for r := range slot.Reports {
			text, accepted := texts[r]
			if !accepted {
				continue
			}
			first, again := leading[text]
			leads := !again || moreSevere(slot.Reports[r].Entry, slots[first.slot].Reports[first.report].Entry)
			if leads {
				if again {
					ids[first.slot][first.report] = findingID{text: text}
				}
				leading[text] = place{s, r}
			}
			ids[s][r] = findingID{text, leads}
		}
	}
	return ids
}

func moreSevere(e, other ledger.Entry) bool {
	return e.Priority.Higher(other.Priority) ||
		e.Priority == other.Priority && e.SystemBreaking && !other.SystemBreaking
}

func reportID(domain string, r ledger.Evaluated) string {
	return FindingID(domain, r.Place.File, r.Place.Lines())
}

// SlotIDs returns the ids of one slot's accepted reports by index. places has the ids without
// suffixes of all places.
func SlotIDs(slot DomainReports, places map[string]bool) map[int]string {
	var order []int
	titles := make([]string, len(slot.Reports))
	for i, r := range slot.Reports {
		if r.Disposition == ledger.Accepted {
			order = append(order, i)
			titles[i] = titleOf(r.Title, r.Issue)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(titles[a], titles[b]), cmp.Compare(slot.Reports[a].Issue, slot.Reports[b].Issue))
	})
	ids := make(map[int]string, len(order))
	used := make(map[string]int, len(order))
	for _, i := range order {
		place := reportID(slot.Domain, slot.Reports[i])
		id := place
		for used[place]++; used[place] > 1; used[place]++ {
			if id = fmt.Sprintf("%s-%d", place, used[place]); !places[id] {
				break
			}
		}
		ids[i] = id
	}
	return ids
}

// FindingOf returns the finding with the id that shows only this report.
func FindingOf(domain, id string, r ledger.Evaluated) Finding {
	return Finding{
		ID: id, Domain: domain, Priority: r.Priority, SystemBreaking: r.SystemBreaking,
		Confidence: confidenceOf(r.Confidence), File: r.Place.File, LineRange: r.Place.Lines(),
		Title: titleOf(r.Title, r.Issue), Recommendation: recommendationOf(r.Fix, r.Issue),
		Status: ledger.StatusNew, Exported: FindingOpen,
	}
}

// join adds to the finding what another report of it has: its confidence, if that is higher, and
// its text, if it differs from that of the leading report.
func (f *Finding) join(e, leading ledger.Entry) {
	f.Confidence = max(f.Confidence, confidenceOf(e.Confidence))
	title, fix := titleOf(e.Title, e.Issue), recommendationOf(e.Fix, e.Issue)
	if ledger.SameText(e.Issue, leading.Issue) || ledger.SameText(title, f.Title) {
		return
	}
	also := fmt.Sprintf("Also reported here (%s): %s", SeverityOf(e.Priority), title)
	if !ledger.SameText(title, fix) {
		also += "\n" + fix
	}
	f.Recommendation += "\n\n" + also
}
