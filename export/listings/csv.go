package listings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// ViolationsCSV are violations as rows of [text.WriteCSV]; the titles are the keys of
// [ViolationJSON].
func ViolationsCSV(found []ledger.ListedViolation) (titles []string, rows [][]string) {
	titles = slices.Concat([]string{"id", "ulid"}, foundTitles(), []string{
		"status", "result", "reason", "first_seen", "last_seen", "status_at", "status_by",
		"fingerprint", "recurring", "alone", "in_fix_lines", "seen_before", "gone",
	})
	for _, v := range found {
		j := NewViolationJSON(v)
		rows = append(rows, slices.Concat([]string{j.ID, j.ULID}, j.cells(), []string{
			j.Status, orEmpty(j.Result), orEmpty(j.Reason), orEmpty(j.FirstSeen), orEmpty(j.LastSeen), orEmpty(j.StatusAt), j.StatusBy,
			orEmpty(j.Fingerprint), fmt.Sprint(j.Recurring), fmt.Sprint(j.Alone), fmt.Sprint(j.InFixLines),
			orEmpty(j.SeenBefore), orEmpty(j.Gone),
		}))
	}
	return titles, rows
}

// DiscardedCSV are reports that filters removed as rows of [text.WriteCSV].
func DiscardedCSV(found []ledger.ListedReport) (titles []string, rows [][]string) {
	titles = slices.Concat([]string{"id"}, foundTitles(), []string{"disposition", "reason", "violation", "at"})
	for _, r := range found {
		j := NewReportJSON(r)
		rows = append(rows, slices.Concat([]string{j.ID}, j.cells(), []string{
			j.Disposition, orEmpty(j.Reason), orEmpty(j.Violation), orEmpty(j.At),
		}))
	}
	return titles, rows
}

func foundTitles() []string {
	return []string{"run", "gate", "entry_point", "slot", "adapter", "iteration", "file", "line", "end_line", "also", "issue", "fix", "priority"}
}

func (j foundJSON) cells() []string {
	return []string{
		j.Run, j.Gate, j.EntryPoint, fmt.Sprint(j.Slot), j.Adapter, fmt.Sprint(j.Iteration), j.File,
		fmt.Sprint(j.Line), fmt.Sprint(j.EndLine), alsoCell(j.Also), j.Issue, j.Fix, j.Priority,
	}
}

// alsoCell is a list of places in one cell.
func alsoCell(also []PlaceJSON) string {
	places := make([]string, 0, len(also))
	for _, p := range also {
		places = append(places, shownPlace(ledger.Place{File: p.File, Start: p.Line, End: p.EndLine}))
	}
	return strings.Join(places, "; ")
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
