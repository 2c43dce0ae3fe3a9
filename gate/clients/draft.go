package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// drafts are the violations in objects before the answer, in order, that the answer does not
// list: those of an earlier answer, and lists of their own. They may be examples; only who
// knows the files of the repository can tell.
func drafts(text string, objects []span, answer *candidate) (entries []Entry) {
	listed := sync.OnceValue(func() texts { return listedTexts(answer.answer.Entries) })
	for _, object := range objects {
		if object.start >= answer.start {
			break
		}
		fields, err := readMembers([]byte(text[object.start:object.end]))
		if err != nil {
			continue // it casts doubt on nothing that comes after it
		}
		for _, raw := range violationsIn(fields, json.RawMessage(text[object.start:object.end])) {
			if e := readDraft(raw); !listed().has(e.Issue) {
				entries = append(entries, e)
			}
		}
	}
	return entries
}

// violationsIn are the objects that look like violations: the one with the fields itself, or
// those in it.
func violationsIn(fields members, object json.RawMessage) (found []json.RawMessage) {
	if looksLikeViolation(fields) {
		return []json.RawMessage{object}
	}
	walkValues(fields, isClaimsOfAnswer, func(_ string, raw json.RawMessage) bool {
		if raw[0] == '{' {
			if inner, _ := readMembers(raw); looksLikeViolation(inner) {
				found = append(found, raw)
			}
		}
		return true
	})
	return found
}

// readDraft reads a violation under whatever names its parts have.
func readDraft(raw json.RawMessage) Entry {
	entry := readEntry(0, raw)
	fields, _ := readMembers(raw) // it decoded before
	if entry.File == "" {
		entry.File = fileNames(fields.last(fileKeys...))
	}
	if entry.Issue == "" {
		entry.Issue = textOf(fields)
	}
	return entry
}

// textOf is what an object that looks like a violation says.
func textOf(fields members) string {
	return trimmedString(fields.last(append(issueKeys, wordKeys...)...))
}

// beside says what a failing answer lists beside its violations, and does not list there; ""
// if nothing. It may be worse than what it lists.
//
// Rule: Violations beside the answer are an error.
func (a *Answer) beside(fields members) (reason string) {
	skip := func(depth int, key string) bool {
		return depth == 0 && (strings.EqualFold(key, "violations") || strings.EqualFold(key, "claims"))
	}
	listed := sync.OnceValue(func() texts { return listedTexts(a.Entries) })
	walkValues(fields, skip, func(key string, raw json.RawMessage) bool {
		switch raw[0] {
		case '{':
			if inner, _ := readMembers(raw); looksLikeViolation(inner) && !listed().has(textOf(inner)) {
				reason = "a violation outside of an answer"
			}
		case '[':
			var list []json.RawMessage
			if namesProblems(key) && json.Unmarshal(raw, &list) == nil && !listed().hasAll(list) {
				reason = "violations listed outside of an answer"
			}
		}
		return reason == ""
	})
	return reason
}

// texts are what the violations of an answer say, in their issues and titles.
type texts struct {
	whole map[string]bool
	some  []string
}

// maxListed bounds the texts that others are looked for in.
const maxListed = 200

func listedTexts(entries []Entry) texts {
	t := texts{whole: map[string]bool{}}
	for _, e := range entries {
		for _, text := range []string{foldText(e.Issue), foldText(e.Title)} {
			t.whole[text] = true
			if len(text) >= minQuoted && len(t.some) < maxListed {
				t.some = append(t.some, text)
			}
		}
	}
	return t
}

// minQuoted is how long a text must be for being part of another to mean that they say the
// same.
const minQuoted = 12

// has reports whether a violation says the text, or one of them is part of the other.
func (t texts) has(text string) bool {
	text = foldText(text)
	if text == "" {
		return false
	}
	return t.whole[text] || slices.ContainsFunc(t.some, func(said string) bool {
		return strings.Contains(text, said) || len(text) >= minQuoted && strings.Contains(said, text)
	})
}

// hasAll reports whether each element of a list says what a violation does.
func (t texts) hasAll(list []json.RawMessage) bool {
	return !slices.ContainsFunc(list, func(raw json.RawMessage) bool {
		if text, ok := stringValue(raw); ok {
			return !isBlank(text) && !t.has(text)
		}
		var fields members
		if raw[0] == '{' {
			fields, _ = readMembers(raw) // it decoded before
		}
		return !slices.ContainsFunc(fields, func(m member) bool {
			text, _ := stringValue(m.value)
			return t.has(text)
		})
	})
}

func foldText(text string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(text), " ")), ".!… ")
}
