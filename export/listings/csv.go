package listings

import (
	"fmt"

	"github.com/reviewledger/reviewledger/ledger"
)

// ViolationsCSV are violations as rows of [WriteCSV]; the titles are the keys of
// [ViolationJSON].
func ViolationsCSV(found []ledger.ListedViolation) (titles []string, rows [][]string) {
	titles = []string{
		"id", "ulid", "run", "gate", "entry_point", "slot", "adapter", "iteration", "file", "line", "end_line", "issue", "fix",
		"priority", "status", "result", "reason", "first_seen", "last_seen", "status_at", "status_by",
		"fingerprint", "recurring", "alone", "in_fix_lines",
	}
	for _, v := range found {
		j := NewViolationJSON(v)
		rows = append(rows, []string{
			j.ID, j.ULID, j.Run, j.Gate, j.EntryPoint, fmt.Sprint(j.Slot), j.Adapter, fmt.Sprint(j.Iteration), j.File,
			fmt.Sprint(j.Line), fmt.Sprint(j.EndLine), j.Issue, j.Fix, j.Priority, j.Status, orEmpty(j.Result), orEmpty(j.Reason),
			orEmpty(j.FirstSeen), orEmpty(j.LastSeen), orEmpty(j.StatusAt), j.StatusBy, orEmpty(j.Fingerprint),
			fmt.Sprint(j.Recurring), fmt.Sprint(j.Alone), fmt.Sprint(j.InFixLines),
		})
	}
	return titles, rows
}

// DiscardedCSV are reports that filters removed as rows of [WriteCSV].
func DiscardedCSV(found []ledger.Discard) (titles []string, rows [][]string) {
	titles = []string{
		"id", "run", "gate", "entry_point", "slot", "adapter", "iteration", "file", "line", "end_line", "issue", "fix",
		"priority", "disposition", "reason", "violation", "at",
	}
	for _, d := range found {
		j := NewDiscardJSON(d)
		rows = append(rows, []string{
			j.ID, j.Run, j.Gate, j.EntryPoint, fmt.Sprint(j.Slot), j.Adapter, fmt.Sprint(j.Iteration), j.File,
			fmt.Sprint(j.Line), fmt.Sprint(j.EndLine), j.Issue, j.Fix, j.Priority, j.Disposition, orEmpty(j.Reason), orEmpty(j.Violation), orEmpty(j.At),
		})
	}
	return titles, rows
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
