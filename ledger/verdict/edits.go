package verdict

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// teamEdit returns what a status in the verdict file means if it differs from the one that the
// ledger last wrote: the team may set fixed and wont_fix, but not on a verified finding. Anything
// else is a warning that says why it has no effect.
//
// Rule: A file settles no finding.
func teamEdit(was ledger.Status, now string) (status ledger.Status, ok bool, warning string) {
	word := FindingStatusOf(was)
	if now == word {
		return "", false, ""
	}
	status, known := ParseFindingStatus(now)
	switch {
	case !known:
		return "", false, fmt.Sprintf("unknown status %q (a team sets fixed or wont_fix); it stays %s", now, word)
	case status != ledger.StatusFixed && status != ledger.StatusSkipped:
		return "", false, fmt.Sprintf("a team cannot set the status %s (it sets fixed or wont_fix); it stays %s", now, word)
	case was == ledger.StatusVerified:
		return "", false, fmt.Sprintf("is verified and cannot become %s", now)
	}
	return status, true, ""
}

// Compare finds what was changed in the verdict file since the ledger last wrote it. Statuses that
// the team may set are edits. Every other change has no effect, and a warning names the finding and
// the field.
//
// Rule: A file settles no finding.
func Compare(last Verdict, read Document) (edits []ledger.Edit, warnings []string) {
	wrote := last.Document()
	warnings = changed("", "only the status of a finding can be edited", wrote, read)
	at := make(map[string]int, len(wrote.Findings))
	for i, f := range wrote.Findings {
		at[f.ID] = i
	}
	found := make([]bool, len(wrote.Findings))
	for n, now := range read.Findings {
		i, known := at[now.ID]
		if !known || found[i] {
			warnings = append(warnings, fmt.Sprintf("findings[%d] was added (%q); this has no effect: findings come from a review", n, now.ID))
			continue
		}
		found[i] = true
		warnings = append(warnings, changed(fmt.Sprintf("finding %q: ", now.ID), "only the status can be edited", wrote.Findings[i], now)...)
		status, ok, warning := teamEdit(last.Findings[i].Exported, now.Status)
		if warning != "" {
			warnings = append(warnings, fmt.Sprintf("finding %q: %s", now.ID, warning))
		}
		if ok {
			f := last.Findings[i]
			edits = append(edits, ledger.Edit{Violation: f.Violation, ShortID: f.ShortID, Status: status, Iteration: f.Last})
		}
	}
	for i, f := range wrote.Findings {
		if !found[i] {
			warnings = append(warnings, fmt.Sprintf("finding %q was deleted; it was restored and stays %s", f.ID, f.Status))
		}
	}
	return edits, warnings
}

// changed returns a warning for each changed field of a verdict or finding: that the change has no
// effect, and what can be edited. What was added or removed below is told by itself.
func changed(of, only string, was, now any) (list []string) {
	before, after := reflect.ValueOf(was), reflect.ValueOf(now)
	for i := range before.NumField() {
		key, _, _ := strings.Cut(before.Type().Field(i).Tag.Get("json"), ",")
		if key == "status" || key == "findings" || key == "-" || before.Field(i).Interface() == after.Field(i).Interface() {
			continue
		}
		list = append(list, fmt.Sprintf("%s%q was changed; this has no effect: %s", of, key, only))
	}
	return list
}
