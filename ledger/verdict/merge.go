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
// problem, so the recommendation quotes them too. The report that leads gets the words of the finding, and the
// Match of each report becomes the finding's id.
//
// Rule: A code review is apart from the loop.
func MergeReports(slots []DomainReports) (findings []Finding) {
	places := map[string]bool{}
	for _, slot := range slots {
		for _, r := range slot.Reports {
			places[placeID(slot.Domain, r.Place)] = true
		}
	}
	groups := map[string][]merged{} // by id
	for _, slot := range slots {
		var accepted []*ledger.Evaluated
		var shown []Finding
		for i := range slot.Reports {
			if r := &slot.Reports[i]; r.Disposition == ledger.Accepted {
				accepted, shown = append(accepted, r), append(shown, NewFinding(slot.Domain, r.Entry))
			}
		}
		number(shown, places)
		for i, f := range shown {
			accepted[i].Match = f.ID
			groups[f.ID] = append(groups[f.ID], merged{f, accepted[i]})
		}
	}
	for _, group := range groups {
		findings = append(findings, merge(group))
	}
	sortFindings(findings)
	return findings
}

// merged is a report, with the finding that shows it.
type merged struct {
	Finding
	report *ledger.Evaluated
}

// merge merges the reports of one finding into the one that leads.
func merge(reports []merged) Finding {
	leads := 0
	for i := range reports {
		if reports[i].moreSevere(reports[leads].Finding) {
			leads = i
		}
	}
	f, report := reports[leads].Finding, reports[leads].report
	for i, other := range reports {
		if i != leads {
			other.report.Disposition, other.report.Reason = ledger.Merged, fmt.Sprintf("also reported by another reviewer: %s", f.ID)
			f.join(other.Finding)
		}
	}
	report.Title, report.Confidence = f.Title, &f.Confidence
	if f.Recommendation != reports[leads].Recommendation {
		report.Fix = f.Recommendation
	}
	return f
}

func (f Finding) moreSevere(other Finding) bool {
	return f.Priority.Higher(other.Priority) ||
		f.Priority == other.Priority && f.SystemBreaking && !other.SystemBreaking
}

func placeID(domain string, p ledger.Place) string { return FindingID(domain, p.File, p.Lines()) }

// Identify gives ids to findings of which none is merged into another, and sorts them as the file
// lists them.
func Identify(findings []Finding) {
	places := map[string]bool{}
	for _, f := range findings {
		places[placeID(f.Domain, f.Place)] = true
	}
	number(findings, places)
	sortFindings(findings)
}

// number gives each of the findings an id of its own: the second of a place by title gets "-2". A suffix
// never results in the id of another place; places has those of all, without suffixes.
func number(findings []Finding, places map[string]bool) {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(findings[a].Title, findings[b].Title), cmp.Compare(findings[a].Issue, findings[b].Issue))
	})
	used := make(map[string]int, len(findings))
	for _, i := range order {
		f := &findings[i]
		place := placeID(f.Domain, f.Place)
		f.ID = place
		for used[place]++; used[place] > 1; used[place]++ {
			if f.ID = fmt.Sprintf("%s-%d", place, used[place]); !places[f.ID] {
				break
			}
		}
	}
}

// join adds to the finding what another report of it has: its confidence, if that is higher, and
// its text, if it differs from that of the leading report.
func (f *Finding) join(other Finding) {
	f.Confidence = max(f.Confidence, other.Confidence)
	if ledger.SameText(other.Issue, f.Issue) || ledger.SameText(other.Title, f.Title) {
		return
	}
	also := fmt.Sprintf("Also reported here (%s): %s", SeverityOf(other.Priority), other.Title)
	if !ledger.SameText(other.Title, other.Recommendation) {
		also += "\n" + other.Recommendation
	}
	f.Recommendation += "\n\n" + also
}
