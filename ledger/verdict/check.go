package verdict

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

// A Problem is what is wrong with a field of a finding.
type Problem struct {
	Index   int
	Field   string
	Message string
}

// String returns the problem on one line.
func (p Problem) String() string {
	return fmt.Sprintf("findings[%d].%s: %s", p.Index, p.Field, p.Message)
}

// maxDomain is the longest domain, and maxPath the longest path of a file, in bytes.
const (
	maxDomain = 200
	maxPath   = 4096
)

// CheckFinding returns what in a finding does not follow the schema. The id and the status may be
// missing. An id must be the one that follows from domain, file and lineRange, with or without the
// number that distinguishes findings of one place.
//
// Rule: A code review is apart from the loop.
func CheckFinding(index int, f FindingEntry) []Problem {
	var list []Problem
	note := func(bad bool, field, format string, args ...any) {
		if bad {
			list = append(list, Problem{index, field, fmt.Sprintf(format, args...)})
		}
	}
	note(strings.TrimSpace(f.Domain) == "", "domain", "is missing")
	note(hasControl(f.Domain) || len(f.Domain) > maxDomain, "domain", "%q has control characters or more than %d bytes", cut(f.Domain), maxDomain)
	_, known := ParseSeverity(f.Severity)
	note(!known, "severity", "must be Blocker, High, Medium, Low or Info, not %q", cut(f.Severity))
	note(math.IsNaN(f.Confidence) || f.Confidence < minConfidence || f.Confidence > maxConfidence,
		"confidence", "must be a number from 0.50 to 1.00, not %v", f.Confidence)
	note(!insideRepository(f.File), "file", "must be a path relative to the repository and inside it, not %q", cut(f.File))
	_, _, ok := parseLineRange(f.LineRange)
	note(!ok, "lineRange", "must be lines such as \"42-58\" or \"42\", not %q", cut(f.LineRange))
	note(strings.TrimSpace(f.Title) == "", "title", "is missing")
	note(utf8.RuneCountInString(f.Title) > maxTitle, "title", "has %d characters; at most %d are allowed", utf8.RuneCountInString(f.Title), maxTitle)
	note(strings.TrimSpace(f.Recommendation) == "", "recommendation", "is missing")
	if f.Status != "" {
		_, known := ParseFindingStatus(f.Status)
		note(!known, "status", "must be open, fixed, verified, reopened or wont_fix, not %q", cut(f.Status))
	}
	if f.ID != "" {
		want := FindingID(f.Domain, f.File, f.LineRange)
		note(!sameID(f.ID, want), "id", "is %q, and by domain, file and lineRange it is %q", cut(f.ID), want)
	}
	return list
}

// sameID reports whether the id is want, with or without a number.
func sameID(id, want string) bool {
	rest, ok := strings.CutPrefix(id, want)
	if !ok || rest == "" {
		return ok
	}
	number, ok := strings.CutPrefix(rest, "-")
	n, _ := lineNumber(number)
	return ok && n > 1
}

// insideRepository reports whether the path is relative, clean and does not leave
// the repository.
func insideRepository(file string) bool {
	return file != "." && len(file) <= maxPath && !path.IsAbs(file) && path.Clean(file) == file &&
		file != ".." && !strings.HasPrefix(file, "../") && !strings.ContainsRune(file, 0) && !strings.Contains(file, `\`)
}

func hasControl(text string) bool { return strings.ContainsFunc(text, unicode.IsControl) }

// cut shortens a text from elsewhere for a message.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return text
}

// AsGiven accepts all entries of an answer that was handed in: whoever did the review has decided.
func AsGiven(entries []ledger.Entry, facts ledger.Facts) ledger.Evaluation {
	e := ledger.Evaluation{Status: ledger.SlotFail}
	for i, entry := range entries {
		e.Reports = append(e.Reports, ledger.Evaluated{Entry: entry, Disposition: ledger.Accepted, Line: facts.Entry(i).Line})
	}
	return e
}

// Reports returns the reports behind the findings of a verdict file that was checked with
// [CheckDocument], for the given reason; the Match of each is the id of its finding. A Blocker of a
// verdict ABORT counts as system-breaking: the file does not say which one is.
func (d Document) Reports(reason string) (slots []DomainReports) {
	for _, domain := range Domains(d.Findings) {
		slots = append(slots, DomainReports{Domain: domain})
	}
	for _, f := range d.Findings {
		e := f.entry()
		e.SystemBreaking = e.Priority == ledger.Critical && d.Verdict == string(ledger.VerdictAbort)
		slot := &slots[slices.IndexFunc(slots, func(s DomainReports) bool { return s.Domain == f.Domain })]
		e.Position = len(slot.Reports) + 1
		slot.Reports = append(slot.Reports, ledger.Evaluated{Entry: e, Disposition: ledger.Accepted, Reason: reason, Match: f.ID})
	}
	return slots
}

// Domains returns the domains of the findings, in the order in which they first occur.
func Domains(findings []FindingEntry) (domains []string) {
	for _, f := range findings {
		if !slices.Contains(domains, f.Domain) {
			domains = append(domains, f.Domain)
		}
	}
	return domains
}

// entry returns the finding as a report.
func (f FindingEntry) entry() ledger.Entry {
	priority, _ := ParseSeverity(f.Severity)
	return ledger.Entry{
		Place: f.Place(), Issue: f.Title, Fix: f.Recommendation, Priority: priority, Title: f.Title,
		Confidence: &f.Confidence, SystemBreaking: f.SystemBreaking,
	}
}

// CheckDocument returns what in a verdict file does not follow the schema, except for fields that
// can be computed.
func CheckDocument(d Document) []string {
	var list []string
	note := func(bad bool, field, must, is string) {
		if bad {
			list = append(list, fmt.Sprintf("%s: must be %s, not %q", field, must, cut(is)))
		}
	}
	note(!IsReviewID(d.ReviewID), "reviewId", "8 hex digits", d.ReviewID)
	note(!slices.Contains(ledger.VerdictScopes(), ledger.VerdictScope(d.Scope)), "scope", "changeset, package, team or file", d.Scope)
	note(!slices.Contains(modes(), Mode(d.Mode)), "mode", "full, quick or verify", d.Mode)
	note(!slices.Contains(ledger.VerdictWords(), ledger.VerdictWord(d.Verdict)), "verdict", "PASS, WARN, FAIL or ABORT", d.Verdict)
	first := map[string]int{}
	for n, f := range d.Findings {
		if other, again := first[f.ID]; again && f.ID != "" {
			list = append(list, fmt.Sprintf("findings[%d].id: is %q, as that of findings[%d] is", n, cut(f.ID), other))
		}
		first[f.ID] = n
		for _, problem := range CheckFinding(n, f) {
			list = append(list, problem.String())
		}
		if f.ID == "" || f.Status == "" || math.IsNaN(f.Confidence) {
			list = append(list, fmt.Sprintf("findings[%d]: id, status and confidence are required", n))
		}
	}
	return list
}
