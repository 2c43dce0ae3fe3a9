package review

import "encoding/json"

// holdsViolation reports whether an object that is not a failing answer is a violation,
// or holds one at any depth: in a list of its own name, or beside a status of pass. What
// an answer says of claims is none.
func holdsViolation(fields members) bool {
	if looksLikeViolation(fields) {
		return true
	}
	var skip func(int, string) bool
	if len(fields.all("status")) > 0 {
		skip = isClaimsOfAnswer
	}
	found := false
	walkValues(fields, skip, func(_ string, raw json.RawMessage) bool {
		if raw[0] == '{' {
			inner, err := readMembers(raw)
			found = err == nil && looksLikeViolation(inner)
		}
		return !found
	})
	return found
}

// looksLikeViolation reports whether an object has what makes a violation, by the names
// that reviewers give it: what is wrong, or a file with a priority or with a line and words
// about it.
func looksLikeViolation(fields members) bool {
	if hasText(fields, issueKeys...) {
		return true
	}
	if !hasText(fields, fileKeys...) {
		return false
	}
	if hasText(fields, "priority", "severity") {
		return true
	}
	return fields.last("line", "lineNumber", "line_number", "lines", "lineRange", "line_range", "range", "startLine", "start_line") != nil &&
		hasText(fields, wordKeys...)
}

// The names that reviewers give to what is wrong, to the file, and to words about it.
var (
	issueKeys = []string{"issue", "violation", "problem", "bug", "defect", "vulnerability"}
	fileKeys  = []string{"file", "path", "filename", "file_path", "filePath", "location"}
	wordKeys  = []string{"message", "title", "description", "comment", "text", "body", "detail", "details", "fix", "suggestion", "recommendation"}
)

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
