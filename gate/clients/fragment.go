package clients

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// findFragments returns what looks like a failing answer, or like a violation, and is
// none of the objects that were read as a failing answer: a quoted status of fail, a list
// of violations with something in it, a violation alone. It may stand in prose, in JSON
// that does not parse, at any depth of an object that does, and in a passing answer.
// Backslashes are passed over, so that an answer within a string is seen too.
func findFragments(text string, found scan, failing []span) []AnswerError {
	var fragments []AnswerError
	text = plainQuotes(text)
	for at := 0; at < len(text); at++ {
		if !isLetter(text[at]) || at > 0 && isKeyByte(text[at-1]) {
			continue
		}
		end := at
		for end < len(text) && isKeyByte(text[end]) {
			end++
		}
		if failing = from(failing, at); !covers(failing, at) {
			if reason := fragmentAt(text, at, end); reason != "" {
				fragments = append(fragments, AnswerError{Reason: reason, Offset: at, Invalid: found.wrongBefore(at)})
			}
		}
		at = end
	}
	return fragments
}

// plainQuotes writes quotes plainly that HTML, JSON or another script has in its own way. All
// bytes keep their places.
func plainQuotes(text string) string {
	if !strings.Contains(text, "&") && !strings.Contains(text, `\u0022`) && !strings.ContainsAny(text, "«»＂：") {
		return text
	}
	text = numberedQuote().ReplaceAllStringFunc(text, func(quote string) string { return `"` + strings.Repeat(" ", len(quote)-1) })
	var pairs []string
	for _, quote := range []string{"&quot;", "&#34;", "&#x22;", "&apos;", "&#39;", `\u0022`, "«", "»", "＂"} {
		pairs = append(pairs, quote, `"`+strings.Repeat(" ", len(quote)-1))
	}
	pairs = append(pairs, "：", ":  ")
	return strings.NewReplacer(pairs...).Replace(text)
}

var numberedQuote = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)&#(?:0*34|x0*22);`) })

// longestKey is how long a key may be that fragmentAt looks at.
const longestKey = 60

// fragmentAt returns what the word between at and end means if it is a key.
func fragmentAt(text string, at, end int) string {
	if end-at > longestKey {
		return ""
	}
	value, quoted, found := valueAfter(text[end:])
	if !found {
		return ""
	}
	key := strings.ToLower(text[at:end])
	kind := keyKinds[key]
	if kind == "" && beginsList(value) && namesProblems(text[at:end]) {
		kind = keyList
	}
	switch {
	case kind == keyStatus && quoted && saysFail(value, key != "status"):
		return "a status of fail outside of an answer"
	case kind == keyPassed && quoted && strings.HasPrefix(value, "false") && !isKeyByte(byteAt(value, len("false"))):
		return key + " is false beside the answer"
	case kind == keyList && (quoted || key == "violations"):
		return "violations listed outside of an answer"
	case kind == keyIssue && (quoted || isStructural(text, at)) && beginsText(value):
		return "a violation outside of an answer"
	}
	return ""
}

// keyKind is what the value of a key tells.
type keyKind string

const (
	keyStatus keyKind = "status"
	keyPassed keyKind = "passed"
	keyList   keyKind = "list"
	keyIssue  keyKind = "issue"
)

// keyKinds are the keys under which reviewers say how the review ended, and what is wrong.
var keyKinds = map[string]keyKind{
	"status": keyStatus, "verdict": keyStatus, "conclusion": keyStatus, "decision": keyStatus, "outcome": keyStatus,
	"result": keyStatus, "overall_status": keyStatus, "final_status": keyStatus, "review_status": keyStatus,
	"overall_verdict": keyStatus, "final_verdict": keyStatus,
	"pass": keyPassed, "passed": keyPassed, "approved": keyPassed, "success": keyPassed,
	"issue": keyIssue,
}

// failLine is a line that says nothing but that the review failed, as YAML and XML have it,
// or a heading: "status: fail", "**Verdict: FAIL**".
var failLine = sync.OnceValue(func() *regexp.Regexp {
	const (
		label  = `(?:(?:overall |final |review )*(?:status|verdict|conclusion|decision|result|outcome|assessment|recommendation)|overall)`
		marks  = `[ \t>*_#❌🔴🚫⛔✗✘-]*`
		ending = `["']?[*_.!❌🔴🚫⛔✗✘ \t]*\r?$`
		// What follows a clear word explains it.
		verdicts = `(?:failed|fail|rejected|reject|changes[ _]requested|request[ _]changes|needs[ _](?:changes|work)|do not merge|not approved)`
		reason   = `["']?[*_.!]*(?:[:;,]?[ \t]+[(\[–—-].*|[:;,][ \t].*)?\r?$`
	)
	word := `(?:` + strings.Join(failWords, "|") + `)`
	return regexp.MustCompile(`(?im)^` + marks + label + `[*_]*[ \t]*(?:[:=]|[ \t][–—-][ \t])` + marks + `["']?` + word + ending +
		`|^` + marks + label + `[*_]*[ \t]*(?:[:=]|[ \t][–—-][ \t])` + marks + `["']?` + verdicts + reason +
		`|^` + marks + label + `[*_]*[ \t]*[:=][ \t*_]*[❌🔴🚫⛔✗✘]+[ \t*_]*\r?$` +
		`|^[ \t]*(?:#{1,6}[ \t]+|\*\*)[*_ ❌🔴🚫⛔✗✘]*(?:fail|reject|rejected|changes requested|request changes|not approved)[*_ .!❌🔴🚫⛔✗✘]*\r?$` +
		`|^[ \t]*i (?:do not|don['’]t|cannot|can['’]t) approve (?:this|the|these)\b` +
		`|<(?:status|verdict|conclusion|decision|result)>\s*` + word + `\s*</`)
})

// listedLines are violations as YAML lists them.
var listedLines = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^[ \t]*(?:violations|issues|findings|problems)[ \t]*:[ \t]*\r?\n[ \t]*-[ \t]+` +
		`["']?(?:file|path|line|issue|message|title|description|priority|severity)["']?[ \t]*:[ \t]*\S`)
})

// findFailLines returns the lines outside of JSON in which a review says that it failed, or
// lists violations.
func findFailLines(text string) (fragments []AnswerError) {
	if !mayHoldFailLine(text) {
		return nil // the expressions are slow where there is nothing to find
	}
	for _, at := range failLine().FindAllStringIndex(text, -1) {
		fragments = append(fragments, doubtAt("a status of fail outside of an answer", at[0]))
	}
	for _, at := range listedLines().FindAllStringIndex(text, -1) {
		fragments = append(fragments, doubtAt("violations listed outside of an answer", at[0]))
	}
	return fragments
}

// mayHoldFailLine reports whether the text has one of the words that each line of
// [findFailLines] begins with, and what must follow it.
func mayHoldFailLine(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc([]string{
		"status", "verdict", "conclusion", "decision", "result", "outcome", "assessment", "recommendation",
		"violations", "issues", "findings", "problems", "overall", "fail", "reject", "approve", "changes",
	}, func(word string) bool { return strings.Contains(lower, word) })
}

// from returns the spans, sorted and apart from each other, that do not end
// before a byte of the text.
func from(spans []span, at int) []span {
	for len(spans) > 0 && spans[0].end <= at {
		spans = spans[1:]
	}
	return spans
}

func covers(spans []span, at int) bool { return len(spans) > 0 && spans[0].start <= at }

func isLetter(c byte) bool { return c|' ' >= 'a' && c|' ' <= 'z' }

func isKeyByte(c byte) bool { return isWordByte(c) || c == '_' }

// byteAt is the byte of a text, or a blank behind its end.
func byteAt(text string, at int) byte {
	if at < len(text) {
		return text[at]
	}
	return ' '
}

// failWords are the words of a status that is not a pass.
var failWords = []string{
	"fail", "failed", "fails", "failing", "failure", "error", "errored", "reject", "rejected", "blocked",
	"changes_requested", "request_changes", "needs_changes", "needs_work",
}

// isFailWord reports whether a status is one that no passing answer has.
func isFailWord(status string) bool {
	return slices.Contains(failWords, strings.ToLower(strings.TrimSpace(status)))
}

// saysFail reports whether the value of a key is a text that says fail, or begins so. If
// whole, it says nothing else.
func saysFail(value string, whole bool) bool {
	word := strings.TrimLeft(trimQuotes(value), whitespace)
	if word == value {
		return false // not a text
	}
	end := 0
	for end < len(word) && end <= len("changes_requested") && isKeyByte(word[end]) {
		end++
	}
	rest := word[end:]
	return isFailWord(strings.TrimRight(word[:end], ".-")) && (!whole || trimQuotes(rest) != rest)
}

// beginsList reports whether a value is a list with something in it.
func beginsList(value string) bool {
	if !strings.HasPrefix(value, "[") {
		return false
	}
	first := strings.TrimLeft(value[1:], whitespace+`\`)
	return strings.HasPrefix(first, "{") || strings.HasPrefix(first, `"`) || strings.HasPrefix(first, "'")
}

// beginsText reports whether a value is a text with something in it.
func beginsText(value string) bool {
	text := strings.TrimLeft(value, `\`)
	for _, quote := range []string{`"`, "'", "`", "“", "”", "‘", "’"} {
		if rest, found := strings.CutPrefix(text, quote); found {
			rest = strings.TrimLeft(rest, whitespace+`\`)
			return rest != "" && trimQuotes(rest) == rest
		}
	}
	return false
}

// isStructural reports whether an unquoted word stands where a program has a key.
func isStructural(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-80):at], whitespace)
	return strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",")
}

// valueAfter returns the text after a key's colon, and whether a quote closes
// the key.
func valueAfter(text string) (value string, quoted, found bool) {
	afterKey := trimQuotes(text)
	value, found = strings.CutPrefix(strings.TrimLeft(afterKey, whitespace), ":")
	return strings.TrimLeft(value, whitespace), afterKey != text, found
}

// trimQuotes removes leading quotes of any kind, escaped or not.
func trimQuotes(text string) string { return strings.TrimLeft(text, "\\\"'`“”‘’") }
