package slots

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// mentionedClaims are words on the claims that the reviewer's text says are not fixed, in
// prose or under a key of its own, though the answer has no word on them: that is not the
// silence that confirms a claim. A claim is mentioned by its id, in its words, by its place,
// or with all others. A text that repeats the prompt says nothing of its own.
//
// Rule: An unreadable word on a claim counts as not fixed.
func (a *Answer) mentionedClaims(text string) (words []ledger.ClaimWord) {
	if strings.Contains(text, "BEGIN DATA-") {
		return nil
	}
	lower := strings.ToLower(jsonEscapes().Replace(text))
	var silent []ledger.Violation
	for _, v := range a.Slot.Claims {
		said := slices.ContainsFunc(a.Claims, func(w ledger.ClaimWord) bool { return hasID(v, w.ID) }) ||
			slices.ContainsFunc(a.Entries, func(e ledger.Entry) bool { return hasID(v, e.Claim) })
		if !said {
			silent = append(silent, v)
		}
	}
	all := deniedTogether(a.besideEntries(lower), len(a.Slot.Claims))
	ends := endsOf(lower, maxSearched/max(1, len(silent)))
	for _, v := range silent {
		places := []ledger.Place{v.Place}
		if carried, ok := a.Slot.carried[v.ID]; ok {
			places = append(places, carried.Here)
		}
		if where := cmp.Or(deniedAt(lower, strings.ToLower(v.ShortID)), deniedAt(lower, strings.ToLower(v.ID)),
			deniedInWords(ends, v.Issue), deniedAtPlace(ends, places), all); where != "" {
			words = append(words, ledger.ClaimWord{ID: v.ShortID, Evidence: "the answer says beside its words on claims: " + where})
		}
	}
	return words
}

// maxSearched is how many bytes are searched for the words and places of claims, for all of
// them together.
const maxSearched = 20 << 20

// endsOf is the text, or its beginning and end if it is longer: there is what a reviewer says
// of its whole answer.
func endsOf(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:most/2] + "\n" + text[len(text)-most/2:]
}

// besideEntries is the text without what violations at a place say: these are matched with
// the claims there, each with one.
func (a *Answer) besideEntries(lower string) string {
	const most = 200
	for _, e := range a.Entries[:min(len(a.Entries), most)] {
		for _, said := range []string{e.Issue, e.Fix, e.Title} {
			if said = strings.ToLower(strings.TrimSpace(said)); said != "" && !e.WholeChange {
				lower = strings.ReplaceAll(lower, said, " ")
			}
		}
	}
	return lower
}

// jsonEscapes writes what JSON escapes in a text as it is meant.
var jsonEscapes = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "", `\t`, " ", `\"`, `"`, `\/`, "/")
})

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
		if m := mentionAt(lower, at, from); m.denies() {
			return m.words()
		}
	}
	return ""
}

func mentionAt(lower string, start, end int) mention {
	return mention{before: lower[max(0, start-readBefore):start], id: lower[start:end], after: lower[end:min(len(lower), end+readAfter)]}
}

// mention is an id with the text around it.
type mention struct{ before, id, after string }

// words are those of the id's line. What is said under a heading of the id, or under a line
// with nothing else, is the line below it.
func (m mention) words() string {
	line := m.before[strings.LastIndexByte(m.before, '\n')+1:]
	after, below, _ := strings.Cut(m.after, "\n")
	next, _, _ := strings.Cut(strings.TrimLeft(below, " \t\r\n"), "\n")
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**") ||
		bareLine().MatchString(line) && bareLine().MatchString(after) && verdictLine().MatchString(next) {
		after += " " + next
	}
	return strings.ToValidUTF8(strings.TrimSpace(line+m.id+after), "")
}

// sentence are the words up to the end of the sentence with the id.
func (m mention) sentence() string {
	words := m.words()
	at := max(0, strings.LastIndex(words, m.id))
	if end := strings.Index(words[at:], ". "); end >= 0 {
		words = words[:at+end]
	}
	return words
}

// bareLine is what stands beside an id that has a line of its own.
var bareLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^\pL\pN]*(?:(?:claim|id|finding|violation|issue)\b[^\pL\pN]*)?$`)
})

// denies reports whether the mention says that the claim is not fixed.
func (m mention) denies() bool {
	words := plainKeys(m.words())
	return denial().MatchString(words) || doubt().MatchString(plainKeys(m.sentence())) && !confirmation().MatchString(words) || m.underDenial() || deniedByKey().MatchString(plainKeys(m.before)) ||
		deniedByValue().MatchString(plainKeys(m.after)) || deniedByMember().MatchString(plainKeys(m.object()))
}

// verdictLine is the line below an id that says what became of it.
var verdictLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^\pL\pN]*(?:verdict|status|state|result|fixed|conclusion|outcome|assessment|answer)\b`)
})

// plainKeys writes keys as words, and leaves out those of which there is none.
func plainKeys(text string) string {
	return emptyKey().ReplaceAllString(strings.ReplaceAll(text, "_", " "), " ")
}

var emptyKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"[\pL ]+"\s*:\s*(?:\[\s*\]|\{\s*\}|null\b|"none"|"")|\b[\pL ]+:\s*(?:none|nothing)\b`)
})

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
