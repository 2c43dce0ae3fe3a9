package slots

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// mentionedClaims are words on the claims that the reviewer's text says are not fixed, in
// prose or under a key of its own, though the answer has no word on them: that is not the
// silence that confirms a claim. A text that repeats the prompt says nothing of its own.
//
// Rule: An unreadable word on a claim counts as not fixed.
func (a *Answer) mentionedClaims(text string) (words []ledger.ClaimWord) {
	if strings.Contains(text, "BEGIN DATA-") {
		return nil
	}
	lower := strings.ToLower(text)
	for _, v := range a.Slot.Claims {
		said := slices.ContainsFunc(a.Claims, func(w ledger.ClaimWord) bool { return hasID(v, w.ID) }) ||
			slices.ContainsFunc(a.Entries, func(e ledger.Entry) bool { return hasID(v, e.Claim) })
		if said {
			continue
		}
		for _, id := range []string{v.ShortID, v.ID} {
			if where := deniedAt(lower, strings.ToLower(id)); where != "" {
				words = append(words, ledger.ClaimWord{ID: v.ShortID, Evidence: "the answer says beside its words on claims: " + where})
				break
			}
		}
	}
	return words
}

// What is read around a claim's id, in bytes: what is not fixed is said before it, as a key
// or a heading, or after it.
const (
	readBefore = 80
	readAfter  = 160
	// maxMentions bounds how often one id is looked at.
	maxMentions = 20
)

// deniedAt returns the words around an id that say that it is not fixed, or "".
func deniedAt(lower, id string) string {
	from := 0
	for range maxMentions {
		at := strings.Index(lower[from:], id)
		if id == "" || at < 0 {
			return ""
		}
		at += from
		from = at + len(id)
		before := lower[max(0, at-readBefore):at]
		before = before[strings.LastIndexByte(before, '\n')+1:]
		after, _, _ := strings.Cut(lower[from:min(len(lower), from+readAfter)], "\n")
		if around := before + id + after; denial().MatchString(strings.ReplaceAll(around, "_", " ")) {
			return strings.ToValidUTF8(strings.TrimSpace(around), "")
		}
	}
	return ""
}

// denial is how a reviewer says that something is not fixed.
var denial = sync.OnceValue(func() *regexp.Regexp {
	const (
		degree = `(?:(?:yet|fully|really|actually|properly|completely|entirely|been|correctly)\s+)*`
		fixed  = `(?:fixed|resolved|addressed|corrected|gone|verified|confirmed)`
	)
	return regexp.MustCompile(`(?:not|n['’]t)\s*` + degree + fixed + `|\bun(?:fixed|resolved|addressed)` +
		`|\bre-?open|\bpersists|\b(?:partly|partially)\s+` + fixed +
		`|"[^"\n]*(?:remaining|still ?open|outstanding)[^"\n]*"\s*:` +
		`|\b(?:still|remains)\s+(?:present|there|here|open|exist|leak|fail|broken|occur|happen|reproduc|vulnerable|missing|not|wrong|in the code|a problem|an issue|the case)`)
})
