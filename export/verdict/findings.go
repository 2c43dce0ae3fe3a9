package verdict

import (
	"encoding/json"
	"fmt"
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
		f, found := checkFinding(i, item)
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

// checkFinding decodes a finding, and returns what is wrong with its fields and with what they say. What
// cannot be read has one problem.
func checkFinding(index int, value json.RawMessage) (f verdict.FindingEntry, problems []string) {
	object, err := strictjson.ReadObject(value)
	if err != nil {
		return f, []string{fmt.Sprintf("findings[%d] %s", index, err)}
	}
	f = readFinding(object)
	bad := map[string]bool{}
	note := func(p verdict.Problem) {
		problems = append(problems, p.String())
		bad[p.Field] = true
	}
	for i, m := range object {
		must, kind := fieldType(m.Key)
		switch {
		case must == "":
			note(verdict.Problem{Index: index, Field: text.EscapeLine(m.Key), Message: "is not a field of a finding"})
		case object[:i].Last(m.Key) != nil:
			note(verdict.Problem{Index: index, Field: m.Key, Message: "appears twice"})
		case strictjson.KindOf(m.Value) != kind:
			note(verdict.Problem{Index: index, Field: m.Key, Message: fmt.Sprintf("must be %s, not %s", must, strictjson.KindOf(m.Value))})
		}
	}
	if object.Last("confidence") == nil {
		note(verdict.Problem{Index: index, Field: "confidence", Message: "is missing"})
	}
	for _, p := range verdict.CheckFinding(index, f) {
		if !bad[p.Field] {
			problems = append(problems, p.String())
		}
	}
	return f, problems
}

// fieldType returns what a field of a finding must be, in words, and its kind of JSON, or "" if there is
// no such field.
func fieldType(key string) (must, kind string) {
	switch key {
	case "id", "domain", "severity", "file", "lineRange", "title", "recommendation", "status":
		return "a string", "a text"
	case "confidence":
		return "a number from 0.50 to 1.00", "a number"
	case "systemBreaking":
		return "true or false", "a truth value"
	}
	return "", ""
}
