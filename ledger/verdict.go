package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// VerdictScope is what a code review looks at.
//
// Rule: A code review is apart from the loop.
type VerdictScope string

// The scopes. Only a changeset is reviewed as a diff; the others are whole files.
const (
	ScopeChangeset VerdictScope = "changeset"
	ScopePackage   VerdictScope = "package"
	ScopeTeam      VerdictScope = "team"
	ScopeFile      VerdictScope = "file"
)

// Source is that of the iteration that reviews the scope.
func (s VerdictScope) Source() Source { return Source(s) }

// VerdictScopes lists every scope.
func VerdictScopes() []VerdictScope {
	return []VerdictScope{ScopeChangeset, ScopePackage, ScopeTeam, ScopeFile}
}

// VerdictMode is how a verdict came about last.
type VerdictMode string

// The modes.
const (
	VerdictFull   VerdictMode = "full"
	VerdictQuick  VerdictMode = "quick"
	VerdictVerify VerdictMode = "verify"
)

// VerdictModes lists every mode.
func VerdictModes() []VerdictMode { return []VerdictMode{VerdictFull, VerdictQuick, VerdictVerify} }

// VerdictWord is what a code review comes to.
type VerdictWord string

// The verdicts.
const (
	VerdictPass VerdictWord = "PASS"
	VerdictWarn VerdictWord = "WARN"
	VerdictFail VerdictWord = "FAIL"
	// VerdictAbort means that the agent should not go on by itself.
	VerdictAbort VerdictWord = "ABORT"
)

// VerdictWords lists every verdict.
func VerdictWords() []VerdictWord {
	return []VerdictWord{VerdictPass, VerdictWarn, VerdictFail, VerdictAbort}
}

// RunStatus is the verdict as the status of its run.
func (w VerdictWord) RunStatus() RunStatus {
	switch w {
	case VerdictPass:
		return StatusPassed
	case VerdictWarn:
		return StatusPassedWithWarnings
	}
	return StatusFailed
}

// Severity is a priority in the words of the verdict.
type Severity string

// severities are the words for [Priorities], in the same order.
func severities() []Severity { return []Severity{"Blocker", "High", "Medium", "Low", "Info"} }

// SeverityOf is the verdict's word for the priority.
func SeverityOf(p Priority) Severity { return severities()[p.Rank()] }

// ParseSeverity is the priority that the verdict's word stands for. Only the exact
// word counts.
func ParseSeverity(word string) (p Priority, ok bool) {
	i := slices.Index(severities(), Severity(word))
	if i < 0 {
		return "", false
	}
	return Priorities()[i], true
}

// FindingStatus is a violation's status in the words of the verdict.
type FindingStatus string

// The statuses of a finding.
const (
	FindingOpen     FindingStatus = "open"
	FindingFixed    FindingStatus = "fixed"
	FindingVerified FindingStatus = "verified"
	FindingReopened FindingStatus = "reopened"
	FindingWontFix  FindingStatus = "wont_fix"
)

// FindingStatuses lists the words for [Statuses], in the same order.
func FindingStatuses() []FindingStatus {
	return []FindingStatus{FindingOpen, FindingFixed, FindingWontFix, FindingVerified, FindingReopened}
}

// FindingStatusOf is the verdict's word for the status.
func FindingStatusOf(s Status) FindingStatus {
	if i := slices.Index(Statuses(), s); i >= 0 {
		return FindingStatuses()[i]
	}
	return FindingOpen
}

// ParseFindingStatus is the status that the verdict's word stands for.
func ParseFindingStatus(word string) (s Status, ok bool) {
	i := slices.Index(FindingStatuses(), FindingStatus(word))
	if i < 0 {
		return "", false
	}
	return Statuses()[i], true
}

// Finding is a violation as the verdict shows it. Only its status changes after
// the review.
type Finding struct {
	ID       string
	Domain   string // the gate's name
	Priority Priority
	// SystemBreaking is the reviewer's word; it counts for a Blocker only.
	SystemBreaking bool
	Confidence     float64 // 0.50 to 1.00
	File           string
	LineRange      string // "" for the whole file
	Title          string
	Recommendation string
	Status         Status
	// Actor is who gave it this status.
	Actor Actor
	// Exported is the word that the verdict file has, as it was last written or
	// read.
	Exported FindingStatus
	// Violation is the ULID and ShortID the short one; Last is the iteration of its latest
	// report.
	Violation, ShortID string
	Last               int
}

// Breaking reports whether the finding is a Blocker that breaks the system: the agent
// must not settle it alone.
func (f Finding) Breaking() bool { return f.Priority == Critical && f.SystemBreaking }

// Held reports whether the finding counts although its file says wont_fix: it breaks
// the system, and nobody but an agent has skipped it.
//
// Rule: The verdict counts what is open.
func (f Finding) Held() bool {
	return f.Breaking() && f.Status == StatusSkipped && f.Actor != ActorHuman
}

// Counts reports whether the finding makes the verdict: it is open, its fix is claimed
// and nobody has confirmed it, or it is held.
//
// Rule: The verdict counts what is open.
func (f Finding) Counts() bool {
	return f.Status.Open() || f.Status == StatusFixed || f.Held()
}

// VerdictSummary counts findings by severity, whatever their status.
type VerdictSummary struct{ Blocker, High, Medium, Low, Info int }

// Verdict is a code review as its file shows it.
type Verdict struct {
	Run            string // ULID
	ReviewID       string
	At             time.Time
	Scope          VerdictScope
	Target         string
	Mode           VerdictMode
	Word           VerdictWord
	ReviewDocument string // its path in the worktree; "" for none
	Findings       []Finding
}

// ComputedVerdict is one of the verdicts that a code review came to: that of its review,
// or of a verification.
type ComputedVerdict struct {
	Iteration int
	Mode      VerdictMode
	Word      VerdictWord
	At        time.Time
	Summary   VerdictSummary
}

// Summary counts the findings.
func (v Verdict) Summary() VerdictSummary { return CountFindings(v.Findings) }

// Count is how many findings have the status.
func (v Verdict) Count(status Status) int {
	n := 0
	for _, f := range v.Findings {
		if f.Status == status {
			n++
		}
	}
	return n
}

// CountFindings counts findings by severity, whatever their status.
func CountFindings(findings []Finding) VerdictSummary {
	var n [5]int
	for _, f := range findings {
		n[f.Priority.Rank()]++
	}
	return VerdictSummary{n[0], n[1], n[2], n[3], n[4]}
}

// Judge computes the verdict from the findings that count. It is asked at the end of a
// review or a verification: what is fixed then was put to nobody.
//
// Rule: The verdict counts what is open.
func Judge(findings []Finding) VerdictWord {
	word := VerdictPass
	for _, f := range findings {
		switch {
		case !f.Counts():
		case f.Breaking():
			return VerdictAbort
		case f.Priority == Critical:
			word = VerdictFail
		case f.Priority == High && word == VerdictPass:
			word = VerdictWarn
		}
	}
	return word
}

// FindingID is the id that a finding has in every review of the same place.
//
// Rule: A code review is apart from the loop.
func FindingID(domain, file, lineRange string) string {
	sum := sha256.Sum256([]byte(file))
	if lineRange == "" {
		lineRange = "0"
	}
	return domain + "-" + hex.EncodeToString(sum[:4]) + "-" + lineRange
}

// LineRange is the place's lines as the verdict writes them: "42-58", "42", or ""
// for the whole file.
func LineRange(place Place) string {
	switch {
	case place.WholeFile():
		return ""
	case place.End <= place.Start:
		return strconv.Itoa(place.Start)
	}
	return fmt.Sprintf("%d-%d", place.Start, place.End)
}

// ParseLineRange reads "42-58" or "42"; "" is the whole file.
func ParseLineRange(text string) (start, end int, ok bool) {
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

// lineNumber reads a line number without sign and leading zeros.
func lineNumber(text string) (n int, ok bool) {
	if len(text) == 0 || len(text) > 9 || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// Bounds of a finding's confidence and title.
const (
	MinConfidence = 0.5
	MaxConfidence = 1.0
	// MaxTitle is the longest title, in characters.
	MaxTitle = 120
)

// confidenceOf holds a reviewer's confidence to the bounds; without one it is the
// lowest.
func confidenceOf(given *float64) float64 {
	if given == nil {
		return MinConfidence
	}
	return min(max(*given, MinConfidence), MaxConfidence)
}

// titleOf is the report's title, else the first sentence of its issue.
func titleOf(title, issue string) string {
	title = oneLine(title)
	if title == "" {
		title = firstSentence(oneLine(issue))
	}
	if runes := []rune(title); len(runes) > MaxTitle {
		return string(runes[:MaxTitle])
	}
	return title
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// firstSentence ends before the first full stop that a space follows.
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

// recommendationOf is what to do: the fix, else the issue.
func recommendationOf(fix, issue string) string {
	if fix = strings.TrimSpace(fix); fix != "" {
		return fix
	}
	return strings.TrimSpace(issue)
}

// BeyondReport is what a finding recommends beyond the report of this fix and issue.
func BeyondReport(recommendation, fix, issue string) string {
	more, ok := strings.CutPrefix(recommendation, recommendationOf(fix, issue))
	if !ok {
		return ""
	}
	return strings.TrimSpace(more)
}

// SortFindings puts them in the order of the file: the most severe first, then by
// place.
func SortFindings(findings []Finding) {
	slices.SortFunc(findings, func(a, b Finding) int {
		if c := cmp.Or(cmp.Compare(a.Priority.Rank(), b.Priority.Rank()), cmp.Compare(a.File, b.File)); c != 0 {
			return c // most are told apart without a look at their lines
		}
		aStart, _, _ := ParseLineRange(a.LineRange)
		bStart, _, _ := ParseLineRange(b.LineRange)
		return cmp.Or(cmp.Compare(aStart, bStart), cmp.Compare(a.ID, b.ID))
	})
}

// CodeReview is what the verdict says of a review as a whole.
type CodeReview struct {
	ReviewID       string // 8 hex digits
	Scope          VerdictScope
	Target         string
	ReviewDocument string // its path in the worktree; "" for none
}

// FindingsJob is the job that findings of a domain are recorded under when they
// were handed in.
func FindingsJob(domain string) string { return "review:.:" + domain }
