package listings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// ViolationTitles returns the title row of violations as CSV: the keys of [ViolationJSON].
func ViolationTitles() []string {
	return slices.Concat([]string{"id", "ulid"}, foundTitles(), []string{
		"status", "result", "reason", "first_seen", "last_seen", "status_at", "status_by", "confirmed",
		"fingerprint", "recurring", "alone", "in_fix_lines", "seen_before", "related", "group", "duplicate_of", "handed_to", "gone",
		"reopened", "said", "worktree",
	})
}

// ViolationCells returns the row of a violation, in the order of [ViolationTitles].
func ViolationCells(v ledger.ListedViolation) []string {
	j := NewViolationJSON(v)
	return slices.Concat([]string{j.ID, j.ULID}, j.cells(), []string{
		j.Status, orEmpty(j.Result), orEmpty(j.Reason), orEmpty(j.FirstSeen), orEmpty(j.LastSeen), orEmpty(j.StatusAt), j.StatusBy, orEmpty(j.Confirmed),
		orEmpty(j.Fingerprint), strconv.FormatBool(j.Recurring), strconv.FormatBool(j.Alone), strconv.FormatBool(j.InFixLines),
		orEmpty(j.SeenBefore), strings.Join(j.Related, " "), orEmpty(j.Group), orEmpty(j.DuplicateOf), orEmpty(j.HandedTo), orEmpty(j.Gone),
		strconv.FormatBool(j.Reopened), orEmpty(j.Said), orEmpty(j.Worktree),
	})
}

// DiscardTitles returns the title row of discarded reports as CSV: the keys of [ReportJSON].
func DiscardTitles() []string {
	return slices.Concat([]string{"id"}, foundTitles(), []string{"disposition", "reason", "violation", "at", "address"})
}

// DiscardCells returns the row of a discarded report, in the order of [DiscardTitles].
func DiscardCells(r ledger.Report) []string {
	j := NewReportJSON(r)
	return slices.Concat([]string{j.ID}, j.cells(), []string{
		j.Disposition, orEmpty(j.Reason), orEmpty(j.Violation), orEmpty(j.At), j.Address,
	})
}

func foundTitles() []string {
	return []string{"run", "gate", "entry_point", "slot", "adapter", "iteration", "file", "line", "end_line", "also", "issue", "fix", "priority"}
}

func (j foundJSON) cells() []string {
	return []string{
		j.Run, j.Gate, j.EntryPoint, strconv.Itoa(j.Slot), j.Adapter, strconv.Itoa(j.Iteration), j.File,
		strconv.Itoa(j.Start), strconv.Itoa(j.End), alsoCell(j.Also), j.Issue, j.Fix, j.Priority,
	}
}

// alsoCell joins places for one cell.
func alsoCell(also []ledger.Place) string {
	places := make([]string, 0, len(also))
	for _, p := range also {
		places = append(places, p.String())
	}
	return strings.Join(places, "; ")
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
