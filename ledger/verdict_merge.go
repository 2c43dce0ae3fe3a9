package ledger

import (
	"cmp"
	"fmt"
	"slices"
)

// DomainReports are what one slot's answer to a code review came to.
type DomainReports struct {
	Domain  string
	Reports []Evaluated
}

// MergedFinding is a finding with where it was reported first.
type MergedFinding struct {
	Finding
	Slot, Report int // indexes into what was merged
}

// MergeReports makes findings of the accepted reports of all slots. The same id
// from several slots is one finding, with the highest severity and confidence of
// them; the later reports become merged, and their Match is that finding's id.
// Reports of one slot stay apart: the second by title gets "-2". A suffix is
// never one that makes the id of another place.
//
// Requirement: Verdict Schema, Finding ID Generation. The suffix is a deviation:
// ids must tell findings apart.
func MergeReports(slots []DomainReports) []MergedFinding {
	places := map[string]bool{}
	for _, slot := range slots {
		for _, r := range slot.Reports {
			places[reportID(slot.Domain, r)] = true
		}
	}
	var merged []MergedFinding
	at := map[string]int{}
	for s, slot := range slots {
		ids := slotIDs(slot, places)
		for r := range slot.Reports {
			report := &slot.Reports[r]
			if report.Disposition != Accepted {
				continue
			}
			if i, again := at[ids[r]]; again {
				report.Disposition, report.Match = Merged, ids[r]
				report.Reason = fmt.Sprintf("another reviewer reported it, too: %s", ids[r])
				merged[i].raise(report.Entry)
				continue
			}
			at[ids[r]] = len(merged)
			merged = append(merged, MergedFinding{findingOf(slot.Domain, ids[r], *report), s, r})
		}
	}
	return merged
}

func reportID(domain string, r Evaluated) string {
	return FindingID(domain, r.Place.File, LineRange(r.Place))
}

// slotIDs are the ids of one slot's accepted reports, by their index.
func slotIDs(slot DomainReports, places map[string]bool) map[int]string {
	var order []int
	titles := make([]string, len(slot.Reports))
	for i, r := range slot.Reports {
		if r.Disposition == Accepted {
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

func findingOf(domain, id string, r Evaluated) Finding {
	return Finding{
		ID: id, Domain: domain, Priority: r.Priority, SystemBreaking: r.SystemBreaking,
		Confidence: confidenceOf(r.Confidence), File: r.Place.File, LineRange: LineRange(r.Place),
		Title: titleOf(r.Title, r.Issue), Recommendation: recommendationOf(r.Fix, r.Issue),
		Status: StatusNew, Exported: FindingOpen,
	}
}

// raise gives the finding the severity and confidence of another report of it, if
// they are higher. A blocker that breaks the system stays one, whoever says so.
func (m *MergedFinding) raise(e Entry) {
	switch {
	case e.Priority.Higher(m.Priority):
		m.Priority, m.SystemBreaking = e.Priority, e.SystemBreaking
	case e.Priority == m.Priority:
		m.SystemBreaking = m.SystemBreaking || e.SystemBreaking
	}
	m.Confidence = max(m.Confidence, confidenceOf(e.Confidence))
}
