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
	whole, err := strictjson.ValidJSON(data)
	if err != nil {
		return verdict.Document{}, err
	}
	object, err := strictjson.ReadObject(whole)
	if err != nil {
		return verdict.Document{}, fmt.Errorf("the file %w", err)
	}
	read := func(field string) string { return strictjson.TextOf(object.Last(field)) }
	d := verdict.Document{
		ReviewID: read("reviewId"), Timestamp: read("timestamp"), Scope: read("scope"), Target: read("target"),
		Mode: read("mode"), Verdict: read("verdict"), Summary: readSummary(object.Last("summary")), ReviewDocument: read("reportPath"),
	}
	items, err := readFindings(object)
	if err != nil {
		return d, err
	}
	for i, item := range items {
		object, err := strictjson.ReadObject(item)
		if err != nil {
			return d, fmt.Errorf("findings[%d] %w", i, err)
		}
		if _, err := object.Unambiguous("status"); err != nil {
			return d, fmt.Errorf("findings[%d]: %w", i, err)
		}
		d.Findings = append(d.Findings, readFinding(object))
	}
	return d, nil
}

// readFinding decodes a finding. What is not of the right type is read as its JSON, or as NaN.
func readFinding(object strictjson.Object) verdict.FindingEntry {
	read := func(field string) string { return strictjson.TextOf(object.Last(field)) }
	return verdict.FindingEntry{
		ID: read("id"), Domain: read("domain"), Severity: read("severity"), Confidence: numberOf(object.Last("confidence")),
		File: read("file"), LineRange: read("lineRange"), Title: read("title"), Recommendation: read("recommendation"),
		Status: read("status"), SystemBreaking: string(object.Last("systemBreaking")) == "true",
	}
}

// readFindings decodes the array of findings. Two arrays are an error: it is unknown which one is
// meant, and the other one may have a Blocker.
func readFindings(object strictjson.Object) ([]json.RawMessage, error) {
	value := object.Last("findings")
	switch {
	case len(object.All("findings")) > 1:
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
