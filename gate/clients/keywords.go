package clients

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// keyWords are the words of a key in small letters, however it joins them: "criticalIssues",
// "critical_issues" and "critical-issues" are the same.
func keyWords(key string) []string {
	var b strings.Builder
	lower := false
	for _, r := range key {
		switch {
		case !unicode.IsLetter(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		lower = unicode.IsLower(r)
	}
	return strings.Fields(b.String())
}

// wordSet is a set of words.
type wordSet map[string]bool

func words(text string) wordSet {
	set := wordSet{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// The words that make up the keys under which a review says how it ended. A key with any
// other word says something else: "fixed_issues" and "minor_issues" do not stand against a
// pass.
var (
	// problemWords name what a review finds.
	problemWords = words(`issues violations violation findings problems defects bugs vulnerabilities concerns errors blockers
		regressions failures critical blocking unfixed unresolved`)
	// problemKinds say which of them, or how many.
	problemKinds = words(`new blocker major high severe security serious open remaining outstanding found detected reported all
		total current actual confirmed other additional more further code review list important active functional logic
		must fix required severity priority correctness still`)
	// severeKinds are those under which alone a review may list what it found.
	severeKinds = words(`blocker high major severe`)
	// countWords are those of a key whose value is a number, or says whether there are any.
	countWords = words(`count counts number num of n has have are any is there`)
	// oneWords are problems of which a key says how many there are.
	oneWords = words(`issue violation finding problem defect bug blocker error failure`)

	approvalWords = words(`reviewed pass passed passes success successful ok okay lgtm approve approved approval mergeable clean acceptable
		accepted valid compliant ready safe complete completed`)
	approvalKinds = words(`is are can be should to for merge merged review overall all it looks good code change diff`)

	troubleWords = words(`blocked block blocks blocking reject rejected fail failed failing incomplete truncated aborted unable
		cannot refused unreviewed`)
	troubleKinds = words(`is was has have must should be review code change diff to merge answer output input`)
)

// madeOf reports whether all words are of the sets, and one of them of the first.
func madeOf(key []string, core wordSet, others ...wordSet) bool {
	has := false
	for _, word := range key {
		if core[word] {
			has = true
		} else if !slices.ContainsFunc(others, func(set wordSet) bool { return set[word] }) {
			return false
		}
	}
	return has
}

// namesProblems reports whether a list under the key holds what a review found.
func namesProblems(key string) bool {
	list := keyWords(key)
	if slices.Equal(list, []string{"not", "fixed"}) || slices.Equal(list, []string{"not", "resolved"}) {
		return true
	}
	return madeOf(list, problemWords, problemKinds) || len(list) == 1 && severeKinds[list[0]]
}

// contradictsPass says what in a passing answer stands against its status, at any depth but
// for its words on claims: a status of fail under whatever name, a count of problems, an
// approval that is denied. It returns "" if nothing does.
//
// Rule: Violations beside the answer are an error.
func contradictsPass(fields members) (reason string) {
	walkValues(fields, isClaimsOfAnswer, func(key string, raw json.RawMessage) bool {
		reason = againstPass(key, raw)
		return reason == ""
	})
	return reason
}

func isClaimsOfAnswer(depth int, key string) bool {
	return depth == 0 && strings.EqualFold(key, "claims")
}

// againstPass says what a key and its value say against a pass; "" if nothing.
func againstPass(key string, raw json.RawMessage) string {
	list, text := keyWords(key), strings.ToLower(anyText(raw))
	against := false
	switch n, _ := strconv.ParseFloat(text, 64); { // 0 of what is no number
	case raw[0] == '"' && (slices.Contains(failValues, plainWord(text)) || keyKinds[strings.Join(list, "_")] == keyStatus && slices.Contains(denyValues, plainWord(text)) ||
		slices.Equal(list, []string{"recommendation"}) && slices.Contains(denyValues, plainWord(text))) && !madeOf(list, pastWords, problemKinds, words("status verdict result")):
		return "a status of fail outside of an answer"
	case text == "false", text == "no":
		against = madeOf(list, approvalWords, approvalKinds)
	case namesProblems(key) && describesProblem(raw):
		return "violations listed outside of an answer"
	case text == "true", text == "yes":
		against = madeOf(list, words("skipped")) || madeOf(list, troubleWords, troubleKinds) || tellsOfProblems(list) ||
			len(list) > 1 && madeOf(list, words("changes fixes fix work"), words("needs need requires require requested request required needed"))
	case n > 0:
		against = madeOf(list, troubleWords, countWords) || tellsOfProblems(list)
	}
	if against {
		return key + " is " + text + " beside the answer"
	}
	return ""
}

// tellsOfProblems reports whether a key says how many problems there are, or whether any.
func tellsOfProblems(key []string) bool {
	return madeOf(key, problemWords, problemKinds, countWords) || len(key) > 1 && madeOf(key, oneWords, problemKinds, countWords)
}

// describesProblem reports whether a value that is not a list has problems in it: a text that
// names a place, or lists by file.
func describesProblem(raw json.RawMessage) bool {
	if text, ok := stringValue(raw); ok {
		return itemPlace().MatchString(text) && !settles(text, approving())
	}
	if raw[0] != '{' {
		return false
	}
	found := false
	fields, _ := readMembers(raw) // it decoded before
	walkValues(fields, nil, func(key string, raw json.RawMessage) bool {
		found = beginsList(string(raw)) && pathLike().MatchString(key)
		return !found
	})
	return found
}

// plainWord writes a word of a verdict as the lists of them have it.
func plainWord(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), "_")
}

// denyValues are verdicts, beside failValues, that no passing answer has.
var denyValues = []string{"block", "blocked", "no_go", "nogo", "do_not_merge", "don't_merge", "not_approved", "denied", "declined", "disapproved", "changes_required", "no"}

// failValues are the texts that no value of a passing answer is, whatever its key.
var failValues = []string{
	"fail", "failed", "fails", "failing", "failure", "reject", "rejected", "changes_requested", "request_changes", "needs_changes",
	"needs_work", "not_fixed", "unfixed", "not_resolved", "unresolved", "still_present", "incomplete",
}

// pastWords are those of a key that tells of an earlier status.
var pastWords = words(`previous previously prior earlier old before was last initial original expected`)

// maxWalk is how deep the values of an answer are looked at. Each byte is read once for
// each object that is around it, so that only shallow values are walked.
const maxWalk = 16

// walkValues visits all values of an object, at any depth, with the key under which each
// stands, until visit returns false. An element of a list has the list's key. What skip
// names, by its depth and key, is passed over.
func walkValues(fields members, skip func(depth int, key string) bool, visit func(key string, raw json.RawMessage) bool) {
	type level struct {
		key   string
		raw   json.RawMessage
		depth int
	}
	var todo []level
	push := func(fields members, depth int) {
		for _, m := range fields {
			if skip == nil || !skip(depth, m.key) {
				todo = append(todo, level{m.key, m.value, depth})
			}
		}
	}
	push(fields, 0)
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !visit(next.key, next.raw) {
			return
		}
		if next.depth > maxWalk {
			continue
		}
		switch next.raw[0] {
		case '{':
			if inner, err := readMembers(next.raw); err == nil {
				push(inner, next.depth+1)
			}
		case '[':
			var list []json.RawMessage
			if json.Unmarshal(next.raw, &list) == nil {
				for _, one := range list {
					todo = append(todo, level{next.key, one, next.depth + 1})
				}
			}
		}
	}
}
