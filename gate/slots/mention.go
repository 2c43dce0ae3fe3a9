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
		m := mention{id: id, before: lower[max(0, at-readBefore):at], after: lower[from:min(len(lower), from+readAfter)]}
		if m.denies() {
			return m.words()
		}
	}
	return ""
}

// mention is an id with the text around it.
type mention struct{ before, id, after string }

// words are those of the id's line. What is said under a heading of the id is the line
// below it.
func (m mention) words() string {
	line := m.before[strings.LastIndexByte(m.before, '\n')+1:]
	after, below, _ := strings.Cut(m.after, "\n")
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**") {
		next, _, _ := strings.Cut(strings.TrimLeft(below, " \t\r\n"), "\n")
		after += " " + next
	}
	return strings.ToValidUTF8(strings.TrimSpace(line+m.id+after), "")
}

// denies reports whether the mention says that the claim is not fixed.
func (m mention) denies() bool {
	return denial().MatchString(plainKeys(m.words())) || deniedByKey().MatchString(plainKeys(m.before)) ||
		deniedByValue().MatchString(plainKeys(m.after)) || deniedByMember().MatchString(plainKeys(m.object()))
}

// plainKeys writes keys as words.
func plainKeys(text string) string { return strings.ReplaceAll(text, "_", " ") }

// object are the members of the innermost JSON object around the id, as far as they are
// read.
func (m mention) object() string {
	start := strings.LastIndexAny(m.before, "{}")
	if start < 0 || m.before[start] == '}' {
		return ""
	}
	if end := strings.IndexAny(m.after, "{}"); end >= 0 && m.after[end] == '}' {
		return m.before[start:] + m.id + m.after[:end]
	}
	return ""
}

// The words that a reviewer has for a claim that is fixed, and for one that is not.
const (
	fixedWords   = `(?:fixed|resolved|addressed|corrected|solved|gone|verified|confirmed)`
	fixedKeys    = `(?:is ?|was ?)?(?:fixed|resolved|addressed|corrected|solved|gone|verified|confirmed|closed|done|ok|passed)`
	unfixedWords = `(?:open|re-?opened|unverified|unsolved|partial|partially|pending|incomplete|remains|present|broken|failed|failing|fail)`
)

// denial is how a reviewer says in a sentence that something is not fixed.
var denial = sync.OnceValue(func() *regexp.Regexp {
	const degree = `(?:(?:yet|fully|really|actually|properly|completely|entirely|been|correctly)\s+)*`
	return regexp.MustCompile(`(?:not|n['’]t)\s*` + degree + `(?:` + fixedWords + `|(?:fix|resolve|address|correct|solve)\b)` +
		`|\bun(?:fixed|resolved|addressed|solved)` +
		`|\bre-?open|\bpersists|\b(?:partly|partially)\s+` + fixedWords +
		`|"[^"\n]*(?:remaining|still ?open|outstanding)[^"\n]*"\s*:` +
		`|\b(?:still|remains)\s+(?:present|there|here|open|exist|leak|fail|broken|occur|happen|reproduc|vulnerable|missing|not|wrong|in the code|a problem|an issue|the case)`)
})

// deniedByKey is the text before an id that stands under a key for what is not fixed, alone
// or in a list.
var deniedByKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[a-z ]* )?` + unfixedWords + `(?: [a-z ]*)?"\s*:\s*\[?(?:\s*"[^"]*"\s*,)*\s*"$`)
})

// deniedByValue is the text after an id that has an answer: "id: no", "| id | false |",
// "id - fixed? ❌".
var deniedByValue = sync.OnceValue(func() *regexp.Regexp {
	const (
		marks = `["'` + "`" + `*\]) \t]*`
		signs = `(?:[|:=>–—?-][ \t]*)+`
		ends  = `["'` + "`" + `*]*\s*(?:$|[|,;.!}\])\n]|\s[(–—-])`
	)
	return regexp.MustCompile(`^` + marks + `(?:` + signs + marks + `)?(?:` + fixedKeys + marks + signs + marks + `)?` +
		`(?:[❌✗✘✖🔴]|(?:(?:no|false|` + unfixedWords + `)` + ends + `))`)
})

// deniedByMember is what an object with an id says of it beside.
var deniedByMember = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"` + fixedKeys + `"\s*:\s*"?(?:false|no|0)\b` +
		`|"(?:claim )?(?:status|state|verdict|result|outcome|conclusion|resolution)"\s*:\s*"(?:no|false|` + unfixedWords + `)["\s]` +
		`|"(?:still )?(?:present|open|there|remains|reproduces|exists|broken)"\s*:\s*"?(?:true|yes)\b`)
})
