package review

import (
	"encoding/json"
	"strings"
)

// holdsViolation reports whether an object that is not a failing answer is a violation,
// or holds one at any depth: in a list of its own name, or beside a status of pass. What
// an answer says of claims is none.
func holdsViolation(fields members) bool {
	if looksLikeViolation(fields) {
		return true
	}
	isAnswer := len(fields.all("status")) > 0
	for _, m := range fields {
		if !(isAnswer && strings.EqualFold(m.key, "claims")) && valueHoldsViolation(m.value) {
			return true
		}
	}
	return false
}

// valueHoldsViolation walks over a JSON value without recursion: each byte of it is read
// once for each object that is around it, so that only shallow values are walked.
func valueHoldsViolation(raw json.RawMessage) bool {
	type level struct {
		raw   json.RawMessage
		depth int
	}
	const deepest = 16 // below it, findFragments alone judges
	todo := []level{{raw, 0}}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if next.depth > deepest || len(next.raw) == 0 {
			continue
		}
		switch next.raw[0] {
		case '{':
			fields, err := readMembers(next.raw)
			if err == nil && looksLikeViolation(fields) {
				return true
			}
			for _, m := range fields {
				todo = append(todo, level{m.value, next.depth + 1})
			}
		case '[':
			var list []json.RawMessage
			if json.Unmarshal(next.raw, &list) == nil {
				for _, one := range list {
					todo = append(todo, level{one, next.depth + 1})
				}
			}
		}
	}
	return false
}

// looksLikeViolation reports whether an object has what makes a violation, by the names
// that reviewers give it: what is wrong, or a file with a priority or with a line and words
// about it.
func looksLikeViolation(fields members) bool {
	if hasText(fields, "issue", "violation", "problem", "bug", "defect", "vulnerability") {
		return true
	}
	if !hasText(fields, "file", "path", "filename", "file_path", "filePath", "location") {
		return false
	}
	if hasText(fields, "priority", "severity") {
		return true
	}
	return fields.last("line", "lineNumber", "line_number", "lines", "lineRange", "line_range", "range", "startLine", "start_line") != nil &&
		hasText(fields, "message", "title", "description", "comment", "text", "body", "detail", "details", "fix", "suggestion", "recommendation")
}

// hasText reports whether one of the keys holds a text that is not blank.
func hasText(fields members, keys ...string) bool {
	for _, key := range keys {
		for _, raw := range fields.all(key) {
			if text, _ := stringValue(raw); !isBlank(text) {
				return true
			}
		}
	}
	return false
}
