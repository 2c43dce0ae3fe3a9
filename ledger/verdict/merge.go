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

// MergeReports turns the accepted reports of all slots into findings, in the order of the file.
// Reports of several slots with the same id become one finding. It shows the most severe of them, the first if several are
// equally severe, with the highest confidence of all: what has to be fixed and verified must be what
// decides the verdict. The others are merged into it; if their text differs, they may mean another
// problem, so the recommendation quotes them too. The Match of each report becomes the finding's id.
// Reports of one slot stay apart, because without a suffix their ids would not distinguish the
// findings: the second by title gets "-2". A suffix never results in the id of another place.
//
// Rule: A code review is apart from the loop.
func MergeReports(slots []DomainReports) (findings []Finding) {
	places := map[string]bool{}
	for _, slot := range slots {
		for _, r := range slot.Reports {
			places[reportID(slot.Domain, r)] = true
		}
	}
	groups := map[string]*group{} // by id
	for _, slot := range slots {
		ids := slotIDs(slot, places)
		for r := range slot.Reports {
			id, accepted := ids[r]
			if !accepted {
				continue
			}
			report, g := &slot.Reports[r], groups[id]
			if g == nil {
				g = &group{domain: slot.Domain, leads: report}
				groups[id] = g
			} else if moreSevere(report.Entry, g.leads.Entry) {
				g.leads = report
			}
			report.Match, g.reports = id, append(g.reports, report)
		}
	}
	for _, g := range groups {
		findings = append(findings, g.finding())
	}
	sortFindings(findings)
	return findings
}

// group has the reports of one finding. The finding shows the text of the one that leads.
type group struct {
	domain  string
	leads   *ledger.Evaluated
	reports []*ledger.Evaluated
}

// finding merges the other reports into the one that leads.
func (g *group) finding() Finding {
	f := findingOf(g.domain, *g.leads)
	for _, report := range g.reports {
		if report != g.leads {
			report.Disposition, report.Reason = ledger.Merged, fmt.Sprintf("also reported by another reviewer: %s", f.ID)
			f.join(report.Entry, g.leads.Entry)
		}
	}
	return f
}

func moreSevere(e, other ledger.Entry) bool {
	return e.Priority.Higher(other.Priority) ||
		e.Priority == other.Priority && e.SystemBreaking && !other.SystemBreaking
}

func reportID(domain string, r ledger.Evaluated) string {
	return FindingID(domain, r.Place.File, r.Place.Lines())
}

// slotIDs returns the ids of one slot's accepted reports by index. places has the ids without
// suffixes of all places.
func slotIDs(slot DomainReports, places map[string]bool) map[int]string {
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

// findingOf returns the finding that shows only this report.
func findingOf(domain string, r ledger.Evaluated) Finding {
	return Finding{
		ID: r.Match, Domain: domain, Priority: r.Priority, SystemBreaking: r.SystemBreaking,
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
