// Package verdict writes the verdict of a code review to files, as JSON and as a document for
// people, and reads verdicts and findings that others wrote. A document is never changed once it
// is there. What a verdict is follows from rows, and is decided in package ledger.
package verdict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Names of the files of code reviews, in their folder.
const (
	VerdictName     = "review-latest.json"
	AbortReasonName = "abort-reason.md"
)

// verdictJSON is the verdict file; its keys are written in this order.
type verdictJSON struct {
	ReviewID       string        `json:"reviewId"`
	Timestamp      string        `json:"timestamp"`
	Scope          string        `json:"scope"`
	Target         string        `json:"target"`
	Mode           string        `json:"mode"`
	Verdict        string        `json:"verdict"`
	Summary        summaryJSON   `json:"summary"`
	ReviewDocument string        `json:"reportPath"`
	Findings       []findingJSON `json:"findings"`
}

type summaryJSON struct {
	Blocker int `json:"blocker"`
	High    int `json:"high"`
	Medium  int `json:"medium"`
	Low     int `json:"low"`
	Info    int `json:"info"`
}

type findingJSON struct {
	ID             string  `json:"id"`
	Domain         string  `json:"domain"`
	Severity       string  `json:"severity"`
	Confidence     float64 `json:"confidence"`
	File           string  `json:"file"`
	LineRange      string  `json:"lineRange,omitempty"`
	Title          string  `json:"title"`
	Recommendation string  `json:"recommendation"`
	Status         string  `json:"status"`
}

// MarshalVerdict writes the verdict file.
func MarshalVerdict(d verdict.Document) ([]byte, error) {
	file := verdictJSON{
		ReviewID: d.ReviewID, Timestamp: d.Timestamp, Scope: d.Scope, Target: d.Target, Mode: d.Mode,
		Verdict: d.Verdict, Summary: summaryJSON(d.Summary), ReviewDocument: d.ReviewDocument,
		Findings: make([]findingJSON, 0, len(d.Findings)),
	}
	for _, f := range d.Findings {
		file.Findings = append(file.Findings, findingJSON(f))
	}
	return text.MarshalJSON(file, "  ")
}

// UnmarshalVerdict reads a verdict file as a team left it. It is lenient in values,
// so that a change can be reported: a text that is not a string is read as its JSON, and
// a confidence that is not a number as NaN. It is strict in structure: bad JSON is an
// error with line and column, and so are findings that are missing or not objects.
func UnmarshalVerdict(data []byte) (verdict.Document, error) {
	object, err := readDocument(data)
	if err != nil {
		return verdict.Document{}, err
	}
	d := verdict.Document{
		ReviewID: strictjson.TextOf(object.Last("reviewId")), Timestamp: strictjson.TextOf(object.Last("timestamp")),
		Scope: strictjson.TextOf(object.Last("scope")), Target: strictjson.TextOf(object.Last("target")),
		Mode: strictjson.TextOf(object.Last("mode")), Verdict: strictjson.TextOf(object.Last("verdict")),
		Summary: readSummary(object.Last("summary")), ReviewDocument: strictjson.TextOf(object.Last("reportPath")),
	}
	items, err := readFindings(object)
	if err != nil {
		return d, err
	}
	for i, item := range items {
		f, err := strictjson.ReadObject(item)
		if err != nil {
			return d, fmt.Errorf("findings[%d] %w", i, err)
		}
		status, err := f.Unambiguous("status")
		if err != nil {
			return d, fmt.Errorf("findings[%d]: %w", i, err)
		}
		d.Findings = append(d.Findings, verdict.FindingEntry{
			ID: strictjson.TextOf(f.Last("id")), Domain: strictjson.TextOf(f.Last("domain")), Severity: strictjson.TextOf(f.Last("severity")),
			Confidence: numberOf(f.Last("confidence")), File: strictjson.TextOf(f.Last("file")), LineRange: strictjson.TextOf(f.Last("lineRange")),
			Title: strictjson.TextOf(f.Last("title")), Recommendation: strictjson.TextOf(f.Last("recommendation")), Status: strictjson.TextOf(status),
		})
	}
	return d, nil
}

// readDocument reads the members of a file that is one object.
func readDocument(data []byte) (strictjson.Object, error) {
	whole, err := strictjson.ValidJSON(data)
	if err != nil {
		return nil, err
	}
	object, err := strictjson.ReadObject(whole)
	if err != nil {
		return nil, fmt.Errorf("the file %w", err)
	}
	return object, nil
}

// readFindings reads the array of findings. Two of them are an error: which of the two
// was meant cannot be known, and the one that is left out may hold a Blocker.
func readFindings(object strictjson.Object) ([]json.RawMessage, error) {
	value := object.Last("findings")
	times := 0
	for _, m := range object {
		if m.Key == "findings" {
			times++
		}
	}
	switch {
	case times > 1:
		return nil, errors.New(`"findings" appears twice: keep one array`)
	case value == nil:
		return nil, errors.New(`"findings" is missing: restore the array ([] if there are none)`)
	case value[0] != '[':
		return nil, fmt.Errorf(`"findings" is %s, not an array`, strictjson.KindOf(value))
	}
	return strictjson.ReadArray(value, slotfiles.MaxEntries, "findings")
}

// readSummary reads the counts. One that is not a number becomes -1, so that it differs
// from every count.
func readSummary(value json.RawMessage) verdict.Summary {
	if value == nil {
		return verdict.Summary{Blocker: -1}
	}
	object, err := strictjson.ReadObject(value)
	if err != nil {
		return verdict.Summary{Blocker: -1}
	}
	count := func(key string) int {
		n := numberOf(object.Last(key))
		if n != math.Trunc(n) || n < 0 || n > slotfiles.MaxNumber {
			return -1
		}
		return int(n)
	}
	return verdict.Summary{
		Blocker: count("blocker"), High: count("high"), Medium: count("medium"), Low: count("low"), Info: count("info"),
	}
}

func numberOf(value json.RawMessage) float64 {
	number := math.NaN()
	if value == nil || strictjson.IsNull(value) || json.Unmarshal(value, &number) != nil {
		return math.NaN()
	}
	return number
}

// ArchiveName is the name of the archive of a review.
func ArchiveName(reviewID string) string { return "review-" + reviewID + ".json" }

// CheckArchive returns an error that names the archive of the review if it exists
// with other bytes: archives never change.
//
// Rule: A code review is apart from the loop.
func CheckArchive(dir, reviewID string, data []byte) error {
	if !verdict.IsReviewID(reviewID) {
		return fmt.Errorf("archive the verdict: its reviewId %q is not 8 hex digits", reviewID)
	}
	name := filepath.Join(dir, ArchiveName(reviewID))
	found, err := files.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("archive the verdict: %w", err)
	case !bytes.Equal(found, data):
		return fmt.Errorf("archive the verdict: %q exists and is different; archives are never overwritten, so move one of the two files", filepath.Base(name))
	}
	return nil
}

// ArchiveVerdict writes the archive of a review, read-only. One that is there with
// the same bytes is left alone.
//
// Rule: A code review is apart from the loop.
func ArchiveVerdict(dir, reviewID string, data []byte) error {
	if err := CheckArchive(dir, reviewID, data); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("archive the verdict: %w", err)
	}
	defer root.Close()
	if there, err := slotfiles.Exists(root, ArchiveName(reviewID)); err != nil || there {
		return err
	}
	if err := files.WriteAtomicMode(root, ArchiveName(reviewID), data, 0o444); err != nil {
		return fmt.Errorf("archive the verdict as %q: %w", ArchiveName(reviewID), err)
	}
	return nil
}

// WriteVerdict writes the current verdict, and the reason of an ABORT beside it:
// before the verdict if there is one, else the old one is removed after.
//
// Rule: The verdict counts what is open.
func WriteVerdict(dir string, v verdict.Verdict) error {
	if v.Word == ledger.VerdictAbort {
		if err := files.WriteFile(filepath.Join(dir, AbortReasonName), abortReason(v)); err != nil {
			return err
		}
	}
	if err := UpdateVerdict(dir, v); err != nil {
		return err
	}
	if v.Word == ledger.VerdictAbort {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return files.RemoveIfThere(root, AbortReasonName)
}

// UpdateVerdict writes the verdict file alone: the statuses of findings changed,
// and the verdict did not, nor the reason of an ABORT.
func UpdateVerdict(dir string, v verdict.Verdict) error {
	data, err := MarshalVerdict(v.Document())
	if err != nil {
		return fmt.Errorf("write %q: %w", VerdictName, err)
	}
	return files.WriteFile(filepath.Join(dir, VerdictName), data)
}

// CheckVerdictPlaces returns an error that names what stands where the files of a
// verdict are to be written: dir, and the path of the review document if it is not "", are relative to
// root. A review whose files cannot be written does not start: it would be recorded while
// the team went on with the file of the previous review.
func CheckVerdictPlaces(root, dir, documentPath string) error {
	worktree, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("look where the verdict is written: %w", err)
	}
	defer worktree.Close()
	for _, name := range []string{path.Join(dir, VerdictName), path.Join(dir, AbortReasonName), documentPath} {
		if info, err := worktree.Lstat(name); name != "" && err == nil && info.IsDir() {
			return fmt.Errorf("cannot write %q: a folder is in the way; move it", name)
		}
	}
	if documentPath == "" {
		return nil
	}
	for _, name := range []string{path.Dir(path.Dir(documentPath)), path.Dir(documentPath)} {
		info, err := worktree.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if _, err := worktree.Lstat(name); err == nil {
				return fmt.Errorf("cannot write the review document to %q: %q is a broken link; move it", documentPath, name)
			}
			return nil
		case err != nil:
			return fmt.Errorf("cannot write the review document to %q: %q cannot be used; move it: %w", documentPath, name, err)
		case !info.IsDir():
			return fmt.Errorf("cannot write the review document to %q: %q is not a folder; move it", documentPath, name)
		}
	}
	return nil
}

// WriteReviewDocument writes the review document of a verdict under the worktree's root,
// never outside it, and returns its path: the verdict's ReviewDocument, or for the nth verification
// the path next to it. One that is there stays as it is: a verification then has the next
// number, and for a review other bytes are an error.
//
// Rule: A code review is apart from the loop.
func WriteReviewDocument(root string, v verdict.Verdict, verification int) (string, error) {
	if !verdict.IsReviewDocument(v.ReviewDocument, v.ReviewID) {
		return "", fmt.Errorf("write the review document: %q is not a path of a document of review %s", v.ReviewDocument, v.ReviewID)
	}
	folder, err := documentFolder(root, v.ReviewDocument)
	if err != nil {
		return "", fmt.Errorf("write %q: %w", v.ReviewDocument, err)
	}
	defer folder.Close()
	data := MarkdownDocument(v)
	for {
		name := v.ReviewDocument
		if verification > 0 {
			name = verdict.VerificationDocumentPath(v.ReviewDocument, verification)
		}
		there, err := slotfiles.Exists(folder, path.Base(name))
		switch {
		case err != nil:
			return "", fmt.Errorf("write %q: %w", name, err)
		case !there:
			if err := files.WriteAtomic(folder, path.Base(name), data); err != nil {
				return "", fmt.Errorf("write %q: %w", name, err)
			}
			return name, nil
		case verification == 0:
			found, err := files.ReadRegular(folder, path.Base(name), files.MaxFileSize)
			if err == nil && !bytes.Equal(found, data) {
				err = errors.New("it exists and holds something else; a review document never changes, so move it away")
			}
			if err != nil {
				return "", fmt.Errorf("write %q: %w", name, err)
			}
			return name, nil
		}
		verification++
	}
}

// documentFolder opens the folder of the review document, and makes it first.
func documentFolder(root, documentPath string) (*os.Root, error) {
	worktree, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer worktree.Close()
	if err := worktree.MkdirAll(path.Dir(documentPath), 0o755); err != nil {
		return nil, err
	}
	return worktree.OpenRoot(path.Dir(documentPath))
}
