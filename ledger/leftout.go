package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// FilteredEntry is a filtered report as files and listings show it.
type FilteredEntry struct {
	ID       string      `json:"id"`
	File     string      `json:"file"`
	Line     int         `json:"line"`
	EndLine  int         `json:"end_line,omitempty"` // of a range
	Issue    string      `json:"issue"`
	Fix      string      `json:"fix"`
	Priority Priority    `json:"priority"`
	Reason   Disposition `json:"reason"`
}

// Place returns the entry's file and lines as a [Place].
func (f FilteredEntry) Place() Place {
	return Place{File: f.File, Start: f.Line, End: max(f.Line, f.EndLine)}
}

// Why returns why the report was filtered.
func (f FilteredEntry) Why() string {
	switch f.Reason {
	case OutOfDiff:
		return "outside the changed lines"
	case BelowThreshold:
		return "below the threshold"
	}
	return string(f.Reason)
}

// MaxFiltered is the largest number of filtered reports that a slot's file lists.
const MaxFiltered = 100

// FilteredEntries returns the filtered reports that nobody took up, the most important first, at
// most [MaxFiltered] of them.
//
// Rule: What is filtered is counted and kept.
func FilteredEntries(reports []Report) []FilteredEntry {
	reports = slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return !r.Disposition.Filtered() || r.Violation != "" })
	slices.SortStableFunc(reports, func(a, b Report) int { return cmp.Compare(a.Priority.Rank(), b.Priority.Rank()) })
	entries := []FilteredEntry{}
	for _, r := range reports[:min(len(reports), MaxFiltered)] {
		entry := FilteredEntry{ID: r.ID, Line: max(r.Place.Start, 0), Issue: r.Issue, Fix: r.Fix, Priority: r.Priority, Reason: r.Disposition}
		entry.File = string([]rune(r.Place.File)) // a name may contain what JSON cannot represent
		if entry.Line > 0 && r.Place.End > entry.Line {
			entry.EndLine = r.Place.End
		}
		entries = append(entries, entry)
	}
	return entries
}

// FilteredOf returns the filtered reports that the slot's file lists.
func (s *State) FilteredOf(slot Slot) []FilteredEntry {
	return FilteredEntries(slices.DeleteFunc(slices.Clone(s.Filtered), func(r Report) bool { return r.Slot != slot.Index || r.Job != slot.Job || r.Iteration != slot.Iteration }))
}

// Warns reports whether the report turns a pass into a pass with warnings: it is critical or high,
// and was filtered only because of its place.
//
// Rule: In range is what a diff of this run showed.
func (r Report) Warns() bool { return r.Disposition == OutOfDiff && r.Priority.Meets(High) }

// Warning returns those of the reports that turn a pass into one with warnings.
func Warning(reports []Report) []FilteredEntry {
	return FilteredEntries(slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return !r.Warns() }))
}

// TakenUp reports whether a mark made the report a violation.
func (r Report) TakenUp() bool { return r.ID != "" && r.ShortID == r.ID }

// filteredProblems lists the filtered reports of the run, the most important first. If several have
// the same words in one file, it lists only those of the latest iteration, and none if the gate has
// since reported a violation with these words there.
//
// Rule: What is filtered is counted and kept.
func (s *State) filteredProblems() (list []Report) {
	type problem struct{ job, file, words string }
	of := func(job, file, issue string) problem { return problem{job, file, NormalWords(issue)} }
	last := map[problem]int{}
	for _, r := range s.Filtered {
		k := of(r.Job, r.Place.File, r.Issue)
		last[k] = max(last[k], r.Iteration)
	}
	for _, v := range s.Violations {
		k := of(v.Job, v.Place.File, v.Issue)
		last[k] = max(last[k], v.Last)
	}
	for _, r := range s.Filtered {
		if r.Issue == "" || r.Iteration == last[of(r.Job, r.Place.File, r.Issue)] {
			list = append(list, r)
		}
	}
	return list
}

// CountFiltered returns how many reports were filtered, as in "4 below the threshold, 1 outside the
// changes", or "" if none were.
func CountFiltered(filtered []Report) string {
	var parts []string
	for _, d := range []struct {
		disposition Disposition
		words       string
	}{{BelowThreshold, "below the threshold"}, {OutOfDiff, "outside the changes"}, {Malformed, "malformed"}} {
		n := 0
		for _, r := range filtered {
			if r.Disposition == d.disposition {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, d.words))
		}
	}
	return strings.Join(parts, ", ")
}

// RefuseTakeUp returns why a filtered report cannot be taken up by this mark, or "" if it can be.
//
// Rule: What is filtered is counted and kept.
func (m Mark) RefuseTakeUp(r Report, run Run) string {
	switch {
	case run.Kind == KindCodeReview:
		return fmt.Sprintf("report %s belongs to a code review, whose reports cannot be taken up: mark only its findings, as fixed, skipped (\"wont_fix\" in the file) or new (\"open\")", r.ID)
	case run.Closed():
		return fmt.Sprintf("report %s belongs to run %s, which is closed (%s): only a report of an open run can be taken up; the reviewers of the next `reviewledger run` know of it", r.ID, r.Run, run.Status)
	case !r.Disposition.Filtered():
		return fmt.Sprintf("report %s was not counted because it %s", r.ID, notOfItsOwn(r))
	case r.Place.File == "" || strings.TrimSpace(r.Issue) == "":
		return fmt.Sprintf("report %s is malformed (%s), so it cannot be taken up: read it with `reviewledger log %s`", r.ID, r.Reason, r.ID)
	case m.Status != StatusNew:
		return fmt.Sprintf("report %s was not counted (%s): take it up first with `reviewledger mark %s new`", r.ID, r.Reason, r.ID)
	}
	return ""
}

// notOfItsOwn returns which violation a report repeats, so that the report cannot be taken up.
func notOfItsOwn(r Report) string {
	switch {
	case r.Disposition == Merged:
		return "is " + r.Reason
	case r.ShortID != "":
		return fmt.Sprintf("%s: mark %s instead", r.Reason, r.ShortID)
	}
	return r.Reason
}

// LeftBehind reports whether the violation was open or claimed when its run was abandoned, and is
// neither skipped nor otherwise settled since.
func (v ListedViolation) LeftBehind() bool {
	return v.RunStatus == StatusAbandoned && v.Status.Outstanding()
}

// LeftBehind returns those of the violations of a branch, newest first, that abandoned runs left
// behind. If a later run has one with the same words on the same line, only that one counts,
// whatever became of it.
//
// Rule: Done means passed as it is now.
func LeftBehind(newestFirst []ListedViolation) (left []ListedViolation) {
	for n, v := range newestFirst {
		again := func(later ListedViolation) bool {
			return later.Run != v.Run && later.Fingerprint == v.Fingerprint && SameText(later.Issue, v.Issue)
		}
		if v.LeftBehind() && !slices.ContainsFunc(newestFirst[:n], again) {
			left = append(left, v)
		}
	}
	return left
}

// maxLeftNamed is how many violations the line of a pass names.
const maxLeftNamed = 10

// SayLeftBehind returns a sentence that names what abandoned runs left behind, or "".
func SayLeftBehind(left []ListedViolation) string {
	if len(left) == 0 {
		return ""
	}
	ids := make([]string, 0, maxLeftNamed+1)
	for _, v := range left[:min(len(left), maxLeftNamed)] {
		ids = append(ids, v.ShortID)
	}
	if more := len(left) - len(ids); more > 0 {
		ids = append(ids, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("An abandoned run of this branch left %s open or unverified whose lines are still there (%s): look at them with `reviewledger why ID`, or end this with `reviewledger mark ID skipped --result ...`",
		Plural(len(left), "violation"), strings.Join(ids, ", "))
}
