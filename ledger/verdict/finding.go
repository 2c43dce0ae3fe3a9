package verdict

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// severities lists the verdict's words for [ledger.Priorities], in the same order.
func severities() []string { return []string{"Blocker", "High", "Medium", "Low", "Info"} }

// SeverityOf returns the verdict's word for the priority.
func SeverityOf(p ledger.Priority) string { return severities()[p.Rank()] }

// ParseSeverity returns the priority that the verdict's word stands for. The word must match
// exactly.
func ParseSeverity(word string) (p ledger.Priority, ok bool) {
	i := slices.Index(severities(), word)
	if i < 0 {
		return "", false
	}
	return ledger.Priorities()[i], true
}

// FindingStatusOf returns the verdict's word for the status. A finding is not disputed, and has no
// duplicates.
func FindingStatusOf(s ledger.Status) string {
	return cmp.Or(s.Facts().InVerdict, ledger.StatusNew.Facts().InVerdict)
}

// ParseFindingStatus returns the status that the verdict's word stands for.
func ParseFindingStatus(word string) (s ledger.Status, ok bool) {
	for _, s := range ledger.Statuses() {
		if word != "" && s.Facts().InVerdict == word {
			return s, true
		}
	}
	return "", false
}

// A Finding is a violation as the verdict shows it: in the words of the report that began it. After
// the review only its status changes.
type Finding struct {
	ID       string
	Domain   string // the gate's name
	Place    ledger.Place
	Priority ledger.Priority
	// SystemBreaking is what the reviewer reported; it counts only for a Blocker.
	SystemBreaking bool
	Confidence     float64 // 0.50 to 1.00
	Issue          string  // of which the title may be the first sentence
	Title          string
	Recommendation string
	Status         ledger.Status
	// Actor is who set the status.
	Actor ledger.Actor
	// Exported is the finding's status in the verdict file when that was last written or read.
	Exported ledger.Status
	// Violation and ShortID are the violation's ULID and short id. Last is the iteration of its
	// latest report.
	Violation, ShortID string
	Last               int
}

// NewFinding returns the finding that shows the report. It has no ID yet.
func NewFinding(domain string, e ledger.Entry) Finding {
	f := Finding{
		Domain: domain, Place: e.Place, Priority: e.Priority, SystemBreaking: e.SystemBreaking,
		Issue: e.Issue, Title: e.Title, Recommendation: e.Fix, Status: ledger.StatusNew, Exported: ledger.StatusNew,
	}
	if e.Confidence != nil {
		f.Confidence = *e.Confidence
	}
	return f.Shown()
}

// Shown returns the finding as a verdict shows it. Before that, it has what its report says: perhaps no title,
// no recommendation or no confidence.
func (f Finding) Shown() Finding {
	f.Confidence, f.Title, f.Recommendation = confidenceOf(f.Confidence), titleOf(f.Title, f.Issue), recommendationOf(f.Recommendation, f.Issue)
	return f
}

// Breaking reports whether the finding is a Blocker that breaks the system, which the agent must not
// settle alone.
func (f Finding) Breaking() bool { return f.Priority == ledger.Critical && f.SystemBreaking }

// FindingID returns the id of a finding, which is the same in every review of the same place.
//
// Rule: A code review is apart from the loop.
func FindingID(domain, file, lineRange string) string {
	sum := sha256.Sum256([]byte(file))
	if lineRange == "" {
		lineRange = "0"
	}
	return domain + "-" + hex.EncodeToString(sum[:4]) + "-" + lineRange
}

func placeOf(file, lineRange string) ledger.Place {
	start, end, _ := parseLineRange(lineRange)
	return ledger.Place{File: file, Start: start, End: end}
}

// parseLineRange parses "42-58" or "42"; "" is the whole file.
func parseLineRange(text string) (start, end int, ok bool) {
	if text == "" {
		return 0, 0, true
	}
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	start, ok = lineNumber(first)
	if !ok {
		return 0, 0, false
	}
	end, _ = lineNumber(last)
	return start, end, start <= end
}

// lineNumber parses a line number without a sign or leading zeros.
func lineNumber(text string) (n int, ok bool) {
	if len(text) == 0 || len(text) > 9 || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// Bounds of a finding's confidence and title.
const (
	minConfidence = 0.5
	maxConfidence = 1.0
	// maxTitle is the longest title, in characters.
	maxTitle = 120
)

// confidenceOf limits a reviewer's confidence to the bounds; 0 is one that is not given.
func confidenceOf(given float64) float64 { return min(max(given, minConfidence), maxConfidence) }

// titleOf returns the report's title or, if it has none, the first sentence of its issue.
func titleOf(title, issue string) string {
	title = oneLine(title)
	if title == "" {
		title = firstSentence(oneLine(issue))
	}
	if runes := []rune(title); len(runes) > maxTitle {
		return string(runes[:maxTitle])
	}
	return title
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// firstSentence returns the text up to the first full stop, question mark or exclamation mark that
// a space or the end of the text follows. A full stop is cut off.
func firstSentence(text string) string {
	if i := strings.IndexAny(text, ".!?"); i >= 0 {
		for ; i < len(text); i++ {
			if strings.IndexByte(".!?", text[i]) >= 0 && (i+1 == len(text) || text[i+1] == ' ') {
				return strings.TrimRight(text[:i+1], ".")
			}
		}
	}
	return text
}

// recommendationOf returns the fix or, if there is none, the issue.
func recommendationOf(fix, issue string) string {
	if fix = strings.TrimSpace(fix); fix != "" {
		return fix
	}
	return strings.TrimSpace(issue)
}

// sortFindings sorts findings as the file lists them: the most severe first, then by place.
func sortFindings(findings []Finding) {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Priority.Rank(), b.Priority.Rank()), cmp.Compare(a.Place.File, b.Place.File),
			cmp.Compare(a.Place.Start, b.Place.Start), cmp.Compare(a.ID, b.ID))
	})
}

// FindingsJob returns the job under which findings of a domain that were handed in are recorded.
func FindingsJob(domain string) string { return "review:.:" + domain }
