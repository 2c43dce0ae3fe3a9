package review

import "strings"

// findFragments returns what looks like a failing answer and is none of the
// objects that were read as one: in text that is no JSON, a quoted status of
// fail or the beginning of a list of violations; in an object that parses,
// other than a failing answer, only the latter. (There, a status of fail may be
// that of a job or a test.) Backslashes are passed over, so that an answer
// within a string is seen too.
func findFragments(text string, found scan, failing []span) []AnswerError {
	var fragments []AnswerError
	objects := found.objects
	for at := 0; at < len(text); at++ {
		isStatus := hasWord(text, at, "status")
		if !isStatus && !hasWord(text, at, "violations") {
			continue
		}
		objects, failing = from(objects, at), from(failing, at)
		switch {
		case covers(failing, at):
		case covers(objects, at) && isStatus:
		case isStatus && saysFail(text, at):
			fragments = append(fragments, AnswerError{"a status of fail outside of valid JSON", at, found.wrongBefore(at)})
		case !isStatus && listsViolation(text, at):
			fragments = append(fragments, AnswerError{"violations listed outside of an answer", at, found.wrongBefore(at)})
		}
	}
	return fragments
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

// hasWord reports whether the word, in any letter case, begins at a byte of
// the text and not in the middle of a longer word.
func hasWord(text string, at int, word string) bool {
	if text[at]|' ' != word[0] || len(text)-at < len(word) || !strings.EqualFold(text[at:at+len(word)], word) {
		return false
	}
	return at == 0 || !isWordByte(text[at-1]) && text[at-1] != '_'
}

// saysFail reports whether the status at a byte of the text is a quoted key with
// the value fail: an unquoted one is prose, or a program.
func saysFail(text string, at int) bool {
	value, quoted, found := valueAfter(text[at+len("status"):])
	if !quoted || !found {
		return false
	}
	word := strings.TrimLeft(trimQuotes(value), whitespace)
	length := len(StatusFail)
	return len(word) >= length && strings.EqualFold(word[:length], string(StatusFail)) &&
		(len(word) == length || !isWordByte(word[length]))
}

// listsViolation reports whether the violations at a byte of the text are a
// list with something in it.
func listsViolation(text string, at int) bool {
	value, _, found := valueAfter(text[at+len("violations"):])
	if !found || !strings.HasPrefix(value, "[") {
		return false
	}
	first := strings.TrimLeft(value[1:], whitespace+`\`)
	return strings.HasPrefix(first, "{") || strings.HasPrefix(first, `"`)
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
