// Package verdict writes the verdict of a code review to files, as JSON and as a document for
// people, and reads verdicts and findings that others wrote. A review document never changes once
// it is written. What a verdict says is computed from rows in package ledger/verdict. This package
// writes only below a worktree's root, and does not touch git or the ledger.
package verdict

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Names of the files in the folder of code reviews.
const (
	verdictName     = "review-latest.json"
	AbortReasonName = "abort-reason.md"
)

// MarshalVerdict encodes the verdict file.
func MarshalVerdict(d verdict.Document) ([]byte, error) {
	d.Findings = append([]verdict.FindingEntry{}, d.Findings...) // so that no findings are an empty array, not null
	return text.MarshalJSON(d, "  ")
}

// UnmarshalVerdict decodes a verdict file that others may have edited. It is lenient with values,
// so that a change can be reported: a value that should be a string is read as its JSON, and a
// confidence that is not a number as NaN. It is strict with structure: invalid JSON is an error
// with line and column, and so are findings that are missing or not objects.
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

// readDocument decodes the members of a file that must be one object.
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

// readFindings decodes the array of findings. Two arrays are an error: it is unknown which one is
// meant, and the other one may have a Blocker.
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

// readSummary decodes the counts. A count that is not valid becomes -1, so that it differs from
// every real one.
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
