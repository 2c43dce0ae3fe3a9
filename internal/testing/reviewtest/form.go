package reviewtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// passing is the model's answer if no file gives another.
const passing = `{"status":"pass","violations":[]}`

// idLength is the length of the ids that prompts list.
const idLength = 8

// said returns what the model says: the text of an answer, with ids of the prompt filled in and,
// unless it is verbatim, with a word on each claim.
func said(text, prompt string, verbatim bool) string {
	text = withIDs(text, prompt)
	if verbatim {
		return text
	}
	return withClaims(text, listed(prompt, "Claims"))
}

// withIDs replaces "{{claim 2}}" by the id of the second claim of the prompt. A placeholder for an
// id that the prompt does not list stays.
func withIDs(text, prompt string) string {
	for word, section := range map[string]string{"claim": "Claims", "disputed": "Disputed", "known": "Known"} {
		if !strings.Contains(text, "{{"+word+" ") {
			continue
		}
		for i, id := range listed(prompt, section) {
			text = strings.ReplaceAll(text, fmt.Sprintf("{{%s %d}}", word, i+1), id)
		}
	}
	return text
}

// listed returns the ids under a heading of the prompt, in order. Entries begin with "- <id> "; all
// other lines begin differently or are indented.
func listed(prompt, section string) (ids []string) {
	inside := false
	for line := range strings.Lines(prompt) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "# ") {
			if inside {
				return ids
			}
			inside = line == "# "+section
			continue
		}
		entry, isEntry := strings.CutPrefix(line, "- ")
		id, _, more := strings.Cut(entry, " ")
		if inside && isEntry && more && isID(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func isID(word string) bool {
	return len(word) == idLength && strings.Trim(word, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// withClaims adds a word that confirms each claim to a text that is nothing but an answer in the
// form, without words on claims. An answer with the status error confirms nothing.
func withClaims(text string, ids []string) string {
	var form map[string]json.RawMessage
	if len(ids) == 0 || json.Unmarshal([]byte(text), &form) != nil {
		return text
	}
	status, hasStatus := form["status"]
	_, hasClaims := form["claims"]
	if !hasStatus || hasClaims || bytes.EqualFold(status, []byte(`"error"`)) {
		return text
	}
	type word struct {
		ID       string `json:"id"`
		Verdict  string `json:"verdict"`
		Evidence string `json:"evidence"`
	}
	var words []word
	for _, id := range ids {
		words = append(words, word{id, "fixed", "checked"})
	}
	end := strings.LastIndexByte(text, '}')
	return strings.TrimRight(text[:end], " \t\r\n") + `,"claims":` + marshal(words) + text[end:]
}
