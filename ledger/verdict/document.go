package verdict

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Document is the content of the verdict file, as it is written or as it was read. Its keys are
// written in this order.
type Document struct {
	ReviewID       string         `json:"reviewId"`
	Timestamp      string         `json:"timestamp"`
	Scope          string         `json:"scope"`
	Target         string         `json:"target"`
	Mode           string         `json:"mode"`
	Verdict        string         `json:"verdict"`
	Summary        Summary        `json:"summary"`
	ReviewDocument string         `json:"reportPath"`
	Findings       []FindingEntry `json:"findings"`
}

// FindingEntry is one finding of the verdict file, or one that was handed in by a skill that did
// its own review.
type FindingEntry struct {
	ID             string  `json:"id"`
	Domain         string  `json:"domain"`
	Severity       string  `json:"severity"`
	Confidence     float64 `json:"confidence"` // NaN if it is not a number
	File           string  `json:"file"`
	LineRange      string  `json:"lineRange,omitempty"`
	Title          string  `json:"title"`
	Recommendation string  `json:"recommendation"`
	Status         string  `json:"status"`
	// SystemBreaking is read only from findings that are handed in.
	SystemBreaking bool `json:"-"`
}

// Place returns the place of the finding.
func (f FindingEntry) Place() ledger.Place { return placeOf(f.File, f.LineRange) }

// TimeForm is the layout of the verdict's timestamp, in UTC. Milliseconds are written only if there
// are any.
const TimeForm = "2006-01-02T15:04:05.999Z"

// Document returns the content of the verdict file.
func (v Verdict) Document() Document {
	d := Document{
		ReviewID: v.ReviewID, Timestamp: v.At.UTC().Format(TimeForm),
		Scope: string(v.Scope), Target: v.Target, Mode: string(v.Mode), Verdict: string(v.Word),
		Summary: v.Summary(), ReviewDocument: v.ReviewDocument, Findings: make([]FindingEntry, 0, len(v.Findings)),
	}
	for _, f := range v.Findings {
		d.Findings = append(d.Findings, FindingEntry{
			ID: f.ID, Domain: f.Domain, Severity: SeverityOf(f.Priority), Confidence: f.Confidence,
			File: f.Place.File, LineRange: f.Place.Lines(), Title: f.Title, Recommendation: f.Recommendation,
			Status: FindingStatusOf(f.Status),
		})
	}
	return d
}

// NextTime returns the timestamp of a verdict that follows one of the time before. It is in whole
// seconds, or in milliseconds if the previous verdict is in the same second, so that a later
// verdict has a later timestamp. It is never in the future, even if before is.
func NextTime(now, before time.Time) time.Time {
	now = now.UTC()
	if second := now.Truncate(time.Second); second.After(before) {
		return second
	}
	return now.Truncate(time.Millisecond)
}

// ReviewDocumentFolder is the folder of the review documents, relative to the worktree's root.
const ReviewDocumentFolder = "docs/code-reviews"

// ReviewDocumentPath returns the path of the review document of a full review, relative to the
// worktree's root.
func ReviewDocumentPath(at time.Time, scope ledger.VerdictScope, reviewID string) string {
	return fmt.Sprintf("%s/%s-%s-%s.md", ReviewDocumentFolder, at.UTC().Format(time.DateOnly), scope, reviewID)
}

// documentForm matches the path of a review document: an edited verdict must not make the tool
// write anywhere else.
var documentForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(ReviewDocumentFolder) + `/[0-9]{4}-[0-9]{2}-[0-9]{2}-(changeset|package|team|file)-[0-9a-f]{8}\.md$`)
})

// IsReviewDocument reports whether the path is one that [ReviewDocumentPath] returns for the
// review.
func IsReviewDocument(path, reviewID string) bool {
	return documentForm().MatchString(path) && strings.HasSuffix(path, "-"+reviewID+".md")
}

// VerificationDocumentPath returns the path of the document of the nth verification of a review,
// which is next to the review's own document.
func VerificationDocumentPath(documentPath string, n int) string {
	return fmt.Sprintf("%s-verify-%d.md", strings.TrimSuffix(documentPath, ".md"), n)
}

// IsReviewID reports whether the text is 8 lower-case hex digits.
func IsReviewID(text string) bool {
	return len(text) == 8 && strings.Trim(text, "0123456789abcdef") == ""
}

// Dir is the folder of the verdict and of everything else that belongs to a code review, relative
// to the worktree's root. Path is the path of the current verdict.
const (
	Dir  = ".code-review"
	Path = Dir + "/review-latest.json"
)

// Archived is a verdict that is being replaced and is kept in the archive.
type Archived struct {
	Document
	// Data has the bytes that were found, or is nil if the file cannot be kept as it was found;
	// then the document is written to the archive.
	Data []byte
	// Lost reports that the file was deleted or replaced before it was archived. The archive is left out
	// if it exists with other bytes.
	Lost bool
}
