package clients

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ClaimWord is what an answer says of one claim that the reviewer was asked to verify.
type ClaimWord struct {
	// ID is the claim's in the reviewer's words.
	ID string
	// Fixed reports whether the reviewer found the problem gone. A word that cannot be
	// read counts as no: only a clear one, or silence, confirms a claim.
	Fixed    bool
	Evidence string
}

// readClaims returns the words of every claims key of an answer, one for each claim, and
// what is wrong with them. A word without an id may be about any claim: it has the ID "".
func readClaims(fields members) (words []ClaimWord, warnings []string) {
	var r claimReader
	for _, raw := range fields.all("claims") {
		r.read(raw)
	}
	if word, denies := deniesClaims(fields); denies {
		r.add(word)
	}
	return r.words, r.warnings
}

// addStrayWords adds the words on claims that stand elsewhere in the text than in the
// answer's own claims, as far as they do not say that a claim is fixed: before the answer or
// after it, under another name, or one by one.
func (a *Answer) addStrayWords(text string, objects []span) {
	if !strings.Contains(text, "fixed") && !strings.Contains(text, "Fixed") && !strings.Contains(text, "FIXED") {
		return
	}
	r := claimReader{index: map[string]int{}}
	for _, object := range objects {
		fields, err := readMembers([]byte(text[object.start:object.end]))
		if err != nil {
			continue
		}
		skip := func(_ int, key string) bool { return strings.EqualFold(key, "violations") }
		r.stray(fields, json.RawMessage(text[object.start:object.end]))
		walkValues(fields, skip, func(key string, raw json.RawMessage) bool {
			if raw[0] == '{' {
				inner, err := readMembers(raw)
				switch {
				case err != nil:
				case strings.EqualFold(key, "claims") && inner.last("id", "fixed") == nil:
					r.read(raw)
				default:
					r.stray(inner, raw)
				}
			}
			return true
		})
	}
	given := claimReader{words: a.Claims, index: map[string]int{}}
	for i, word := range a.Claims {
		given.index[strings.ToLower(word.ID)] = i
	}
	for _, word := range r.words {
		if word.ID != "" && !word.Fixed {
			given.add(word)
		}
	}
	a.Claims = given.words
}

// stray reads an object as a word on a claim if it looks like one.
func (r *claimReader) stray(fields members, raw json.RawMessage) {
	if claimID(fields.last(claimKeys...)) != "" && fields.last("fixed") != nil {
		r.readWord("claims", "", raw)
	}
}

// claimKeys are the names under which a word on a claim has the claim's id.
var claimKeys = []string{"id", "claim", "claimId", "claim_id"}

type claimReader struct {
	words    []ClaimWord
	index    map[string]int // of words, by the id in small letters
	warnings []string
}

func (r *claimReader) read(raw json.RawMessage) {
	var list []json.RawMessage
	switch {
	case string(raw) == "null":
	case raw[0] == '[' && json.Unmarshal(raw, &list) == nil:
		for i, one := range list {
			r.readWord(fmt.Sprintf("claims[%d]", i), "", one)
		}
	case raw[0] == '{':
		fields, _ := readMembers(raw)          // the answer's scan has proved that it decodes
		if fields.last("id", "fixed") != nil { // one word, not in a list
			r.readWord("claims", "", raw)
			return
		}
		for _, m := range fields {
			r.readWord("claims", m.key, m.value)
		}
	default:
		r.unreadable("claims", "", "is not a list")
	}
}

// readWord reads {"id", "fixed", "evidence"}, or what stands under the claim's id.
func (r *claimReader) readWord(at, id string, raw json.RawMessage) {
	word := ClaimWord{ID: claimIDText(id)}
	given := raw
	if raw[0] == '{' {
		fields, _ := readMembers(raw) // the answer's scan has proved that it decodes
		if word.ID == "" {
			word.ID = claimID(fields.last(claimKeys...))
		}
		word.Evidence = anyText(fields.last("evidence", "reason"))
		given = fields.last("fixed")
		if !allEqual(fields.all("fixed")) {
			given = nil
		}
	}
	fixed, ok := readFixed(given)
	switch {
	case !ok:
		r.unreadable(at, word.ID, `has no "fixed" of true or false`)
		return
	case word.ID == "":
		r.unreadable(at, "", `has no "id"`)
		return
	}
	word.Fixed = fixed
	r.add(word)
}

// unreadable notes a word that says nothing clear: the claim, or any claim if the word
// has no id, is not confirmed by this answer.
func (r *claimReader) unreadable(at, id, what string) {
	if id != "" {
		at += fmt.Sprintf(" (%s)", id)
	}
	r.warnings = append(r.warnings, fmt.Sprintf("%s %s; it counts as not fixed", at, what))
	r.add(ClaimWord{ID: id, Evidence: "the reviewer's word on the claim cannot be read"})
}

// add adds a word. Of several on the same claim, one that says no counts.
func (r *claimReader) add(word ClaimWord) {
	id := strings.ToLower(word.ID)
	i, known := r.index[id]
	switch {
	case !known:
		if r.index == nil {
			r.index = map[string]int{}
		}
		r.index[id] = len(r.words)
		r.words = append(r.words, word)
	case r.words[i].Fixed && !word.Fixed:
		r.words[i] = word
	}
}

func allEqual(values []json.RawMessage) bool {
	return !slices.ContainsFunc(values, func(v json.RawMessage) bool { return string(v) != string(values[0]) })
}

// readFixed understands true and false, as words too.
func readFixed(raw json.RawMessage) (fixed, ok bool) {
	switch strings.ToLower(anyText(raw)) {
	case "true", "yes", "fixed":
		return true, true
	case "false", "no", "not fixed", "unfixed":
		return false, true
	}
	return false, false
}

// claimID returns a claim's id, free of what ids are wrapped in.
func claimID(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	return claimIDText(anyText(raw))
}

func claimIDText(text string) string { return strings.Trim(text, " \t\r\n`'\"#[]()<>*") }

// claimIDs returns the ids of the claims that an entry names: one, several in a list, or as
// an object with an id.
func claimIDs(fields members) (ids []string) {
	walk := members{}
	for _, key := range []string{"claim", "claimId", "claim_id", "claims", "claimIds", "claim_ids"} {
		if raw := fields.last(key); raw != nil {
			walk = append(walk, member{key, raw})
		}
	}
	for _, m := range walk {
		var list []json.RawMessage
		if m.value[0] != '[' || json.Unmarshal(m.value, &list) != nil {
			list = []json.RawMessage{m.value}
		}
		for _, raw := range list {
			if raw[0] == '{' {
				inner, _ := readMembers(raw) // the answer's scan has proved that it decodes
				raw = inner.last(claimKeys...)
			}
			if id := claimID(raw); id != "" && id != "null" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// deniesClaims is a word on any claim for an answer of which a key says that claims are not
// fixed: "all_fixed": false, "claims_rejected": 1.
func deniesClaims(fields members) (word ClaimWord, denies bool) {
	for _, m := range fields {
		list, text := keyWords(m.key), strings.ToLower(anyText(m.value))
		n, _ := strconv.ParseFloat(text, 64) // 0 of what is no number
		if text == "false" || text == "no" {
			denies = madeOf(list, fixedKeyWords, claimKeyWords, approvalKinds)
		} else if n > 0 {
			denies = len(list) > 1 && madeOf(list, unfixedKeyWords, claimKeyWords, countWords)
		}
		if denies {
			return ClaimWord{Evidence: m.key + " is " + text}, true
		}
	}
	return ClaimWord{}, false
}

var (
	fixedKeyWords   = words(`fixed resolved verified addressed confirmed gone solved`)
	unfixedKeyWords = words(`unfixed unresolved unverified unaddressed rejected reopened`)
	claimKeyWords   = words(`claim claims issue issues problem problems finding findings previous previously reported every still`)
)
