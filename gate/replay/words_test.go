package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// phrasings are ways to say one thing, for each kind of problem, with hardly a word in
// common. Each has a form with an identifier of the code, and one without.
var phrasings = [][][2]string{
	{
		{"`%s` may be nil here and is dereferenced without a check.", "A nil value can get here and is dereferenced without a check."},
		{"Add a guard before %s is used: it panics for an absent entry.", "Add a guard first: it panics for an absent entry."},
		{"Crash when %s has not been set up by then.", "Crash when nothing has been set up by then."},
	},
	{
		{"The error of %s is dropped.", "The error is dropped."},
		{"Failures in `%s` go unnoticed by callers.", "Failures go unnoticed by callers."},
		{"Check what %s gives back; a refused write looks like success now.", "Check what comes back; a refused write looks like success now."},
	},
	{
		{"Race: %s is written by two goroutines without a lock.", "Race: two goroutines write without a lock."},
		{"Concurrent access to `%s` needs a mutex.", "Concurrent access needs a mutex."},
		{"Not thread-safe, %s can be seen half updated.", "Not thread-safe, others can see it half updated."},
	},
	{
		{"Off by one: the last element of %s is never looked at.", "Off by one: the last element is never looked at."},
		{"The loop over `%s` stops too early.", "The loop stops too early."},
		{"Boundary handling is wrong, final item of %s lost.", "Boundary handling is wrong, final item lost."},
	},
	{
		{"User input reaches %s unescaped, which allows injection.", "User input gets here unescaped, which allows injection."},
		{"Security: quote or bind what is put into `%s`.", "Security: quote or bind what is put in."},
		{"An attacker controls part of %s.", "An attacker controls part of this text."},
	},
	{
		{"%s is never closed, so descriptors leak.", "The handle is never closed, so descriptors leak."},
		{"Resource leak on the early return after `%s`.", "Resource leak on the early return."},
		{"Release what %s opened in every branch.", "Release what was opened in every branch."},
	},
	{
		{"The name %s says nothing about its purpose.", "The name says nothing about its purpose."},
		{"`%s` is hard to understand; choose a clearer identifier.", "Hard to understand; choose a clearer identifier."},
		{"Misleading: readers will expect %s to do something else.", "Misleading: readers will expect something else."},
	},
	{
		{"Quadratic: %s is scanned again for each element.", "Quadratic: everything is scanned again for each element."},
		{"Slow for large inputs because of `%s`.", "Slow for large inputs."},
		{"Move %s out of the hot path, it dominates the profile.", "Move this out of the hot path, it dominates the profile."},
	},
	{
		{"No test covers %s.", "No test covers this."},
		{"`%s` changed behaviour and nothing verifies the new one.", "Behaviour changed and nothing verifies the new one."},
		{"Untested branch near %s.", "Untested branch."},
	},
	{
		{"Magic number beside %s: give it a name.", "Magic number: give it a name."},
		{"The constant used with `%s` is unexplained.", "The constant is unexplained."},
		{"Why this value for %s? Document or extract it.", "Why this value? Document or extract it."},
	},
}

// generic are words that fit anywhere.
var generic = []string{
	"Missing error handling.", "Possible nil dereference.", "Missing test.", "Unclear name.",
	"This may be slow.", "Missing validation.", "Dead code.", "Race condition.",
}

// keywords are words of code that nobody names in a report to say which line is meant.
var keywords = map[string]bool{
	"and": true, "async": true, "await": true, "bool": true, "case": true, "class": true, "const": true, "def": true, "elif": true,
	"else": true, "except": true, "false": true, "False": true, "finally": true, "for": true, "from": true, "func": true,
	"function": true, "import": true, "int": true, "let": true, "new": true, "nil": true, "None": true, "not": true, "null": true,
	"package": true, "pass": true, "raise": true, "range": true, "return": true, "self": true, "string": true, "struct": true,
	"switch": true, "test": true, "the": true, "this": true, "throw": true, "true": true, "True": true, "try": true, "type": true,
	"undefined": true, "var": true, "while": true, "with": true, "yield": true,
}

// speaker words findings.
type speaker struct {
	*rand.Rand
	// identifiers is how likely a report names an identifier of its line.
	identifiers float64
}

// first words a finding on a line.
func (s speaker) first(kind int, line string) string { return s.say(kind, 0, line) }

// again words it anew.
func (s speaker) again(kind int, line string) string { return s.say(kind, 1+s.IntN(2), line) }

func (s speaker) say(kind, phrasing int, line string) string {
	forms := phrasings[kind][phrasing]
	if word := s.identifier(line); word != "" && s.Float64() < s.identifiers {
		return fmt.Sprintf(forms[0], word)
	}
	return forms[1]
}

// identifier is the word of the line that a reviewer names: mostly the longest, at
// times another one.
func (s speaker) identifier(line string) string {
	words := slices.DeleteFunc(ledger.Words(line), func(word string) bool { return keywords[word] })
	if len(words) == 0 {
		return ""
	}
	if s.IntN(5) == 0 {
		return words[s.IntN(len(words))]
	}
	longest := words[0]
	for _, word := range words {
		if len(strings.Trim(word, "_")) > len(longest) {
			longest = word
		}
	}
	return longest
}
