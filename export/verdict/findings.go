package verdict

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// maxFindingProblems is how many problems an error lists.
const maxFindingProblems = 20

// UnmarshalFindings decodes the findings of a skill that did its own review: an array, or an object
// with the array under "findings", such as a whole verdict. They are accepted or rejected as a
// whole. The error gives the position and field of each problem.
//
// Rule: A code review is apart from the loop.
func UnmarshalFindings(data []byte) ([]verdict.FindingEntry, error) {
	whole, err := strictjson.ValidJSON(data)
	if err != nil {
		return nil, err
	}
	object := strictjson.Object{{Key: "findings", Value: whole}}
	if whole[0] != '[' {
		if object, err = strictjson.ReadObject(whole); err != nil {
			return nil, fmt.Errorf("the findings are %s, not an array", strictjson.KindOf(whole))
		}
	}
	items, err := readFindings(object)
	if err != nil {
		return nil, err
	}
	findings := make([]verdict.FindingEntry, 0, len(items))
	var problems []string
	for i, item := range items {
		f, found := readFinding(i, item)
		findings = append(findings, f)
		if problems = append(problems, found...); len(problems) >= maxFindingProblems {
			problems = append(problems[:maxFindingProblems], "and perhaps more")
			break
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("the findings do not follow the schema, so none were accepted:\n%s", strings.Join(problems, "\n"))
	}
	return findings, nil
}

// findingReader decodes the fields of one finding and collects problems.
type findingReader struct {
	index    int
	object   strictjson.Object
	problems []string
	bad      []string // fields with a problem, which are not checked further
}

func (r *findingReader) problem(field, format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf("findings[%d].%s: %s", r.index, field, fmt.Sprintf(format, args...)))
	r.bad = append(r.bad, field)
}

func (r *findingReader) text(field string) string {
	value := r.object.Last(field)
	if value == nil {
		return ""
	}
	if value[0] != '"' {
		r.problem(field, "must be a string, not %s", strictjson.KindOf(value))
		return ""
	}
	return strictjson.TextOf(value)
}

func (r *findingReader) confidence() float64 {
	value := r.object.Last("confidence")
	switch {
	case value == nil:
		r.problem("confidence", "is missing")
	case strictjson.KindOf(value) != "a number":
		r.problem("confidence", "must be a number from 0.50 to 1.00, not %s", strictjson.KindOf(value))
	}
	return numberOf(value)
}

func (r *findingReader) systemBreaking() bool {
	value := r.object.Last("systemBreaking")
	if value != nil && strictjson.KindOf(value) != "a truth value" {
		r.problem("systemBreaking", "must be true or false, not %s", strictjson.KindOf(value))
	}
	return string(value) == "true"
}

// isFindingField reports whether the key is a field of a finding.
func isFindingField(key string) bool {
	switch key {
	case "id", "domain", "severity", "confidence", "file", "lineRange", "title", "recommendation", "status", "systemBreaking":
		return true
	}
	return false
}

func readFinding(index int, value json.RawMessage) (verdict.FindingEntry, []string) {
	object, err := strictjson.ReadObject(value)
	if err != nil {
		return verdict.FindingEntry{}, []string{fmt.Sprintf("findings[%d] %s", index, err)}
	}
	r := findingReader{index: index, object: object}
	for i, m := range object {
		switch {
		case !isFindingField(m.Key):
			r.problem(text.EscapeLine(m.Key), "is not a field of a finding")
		case object[:i].Last(m.Key) != nil:
			r.problem(m.Key, "appears twice")
		}
	}
	f := verdict.FindingEntry{
		SystemBreaking: r.systemBreaking(),
		ID:             r.text("id"), Domain: r.text("domain"), Severity: r.text("severity"), Confidence: r.confidence(),
		File: r.text("file"), LineRange: r.text("lineRange"), Title: r.text("title"),
		Recommendation: r.text("recommendation"), Status: r.text("status"),
	}
	for _, p := range verdict.CheckFinding(index, f) {
		if !slices.Contains(r.bad, p.Field) {
			r.problems = append(r.problems, p.String())
		}
	}
	return f, r.problems
}
