package clients

import (
	"encoding/json"
	"slices"
	"strings"
)

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
	walkValues(fields, skip, func(key string, raw json.RawMessage) bool {
		switch raw[0] {
		case '{':
			inner, _ := readMembers(raw)
			found = looksLikeViolation(inner)
		case '[':
			found = !tellsOfPast(key) && listsSevere(raw)
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
	if hasPlace(fields) {
		return true
	}
	if !hasText(fields, fileKeys...) {
		return false
	}
	kind, _ := stringValue(fields.last("type", "kind"))
	if hasText(fields, "priority", "severity") || oneWords[strings.ToLower(kind)] {
		return true
	}
	return fields.last("line", "lineNumber", "line_number", "lines", "lineRange", "line_range", "range", "startLine", "start_line") != nil &&
		hasText(fields, wordKeys...)
}

// hasPlace reports whether an object has a priority, or breaks a rule, at a place that has
// parts of its own, as SARIF has it.
func hasPlace(fields members) bool {
	if !hasText(fields, "level", "ruleId", "rule_id", "priority", "severity") {
		return false
	}
	for _, key := range []string{"location", "locations", "place", "code_location", "codeLocation"} {
		raw := fields.last(key)
		if raw == nil {
			continue
		}
		found := false
		walkValues(members{{key, raw}}, nil, func(_ string, raw json.RawMessage) bool {
			if raw[0] == '{' {
				inner, err := readMembers(raw)
				found = err == nil && hasText(inner, append(placeKeys, fileKeys...)...)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// listsSevere reports whether an element of a list [isSevere].
func listsSevere(list json.RawMessage) bool {
	var elements []json.RawMessage
	return json.Unmarshal(list, &elements) == nil && slices.ContainsFunc(elements, func(raw json.RawMessage) bool {
		if len(raw) == 0 || raw[0] != '{' {
			return false
		}
		fields, err := readMembers(raw)
		return err == nil && isSevere(fields)
	})
}

// isSevere reports whether an object tells of something with a high priority, wherever it
// is, and does not say that it is settled.
func isSevere(fields members) bool {
	is := false
	for _, key := range []string{"priority", "severity", "level", "importance"} {
		word, _ := stringValue(fields.last(key))
		is = is || severeWord().MatchString(word)
	}
	if !is || !hasText(fields, append([]string{"what", "summary"}, wordKeys...)...) {
		return false
	}
	for _, m := range fields {
		text := strings.ToLower(anyText(m.value))
		if tellsOfPast(m.key) && text != "false" && text != "no" || settledWords[text] {
			return false
		}
	}
	return true
}

// settledWords are those of a finding that is none any more.
var settledWords = words(`fixed resolved closed verified addressed skipped dismissed wontfix wont_fix pass passed ok`)

// tellsOfPast reports whether what stands under a key is what was found before, or is none
// any more.
func tellsOfPast(key string) bool {
	return slices.ContainsFunc(keyWords(key), func(word string) bool {
		return pastWords[word] || settledWords[word] || word == "known" || word == "confirmed"
	})
}

// The names that reviewers give to what is wrong, to the file, and to words about it.
var (
	issueKeys = []string{"issue", "violation", "problem", "bug", "defect", "vulnerability"}
	placeKeys = []string{"uri", "absolute_file_path", "absoluteFilePath", "relative_path"}
	fileKeys  = []string{"file", "path", "filename", "file_path", "filePath", "location"}
	wordKeys  = []string{"message", "msg", "title", "description", "comment", "text", "body", "detail", "details", "fix", "suggestion", "recommendation"}
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
