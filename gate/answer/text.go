package answer

import (
	"fmt"
	"strings"
	"unicode"
)

// valid replaces bytes that are not UTF-8 by U+FFFD.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// trim moves the ends of a part of the text past blanks and byte order marks.
func trim(text string, begin, end int) (int, int) {
	outside := func(r rune) bool { return r == '\uFEFF' || unicode.IsSpace(r) }
	begin = end - len(strings.TrimLeftFunc(text[begin:end], outside))
	return begin, begin + len(strings.TrimRightFunc(text[begin:end], outside))
}

// soleObject returns the JSON object that is the whole text, apart from a code fence around it.
//
// Rule: What is not an answer is an error.
func soleObject(text string) (string, *Misfit) {
	begin, end := trim(text, 0, len(text))
	if strings.HasPrefix(text[begin:end], "```") {
		first, last, ok := fence(text, begin, end)
		if !ok {
			return "", &Misfit{What: "the fence must be a line that begins with three backticks, the object, and a line of as many backticks, with nothing around it"}
		}
		begin, end = trim(text, first, last)
	}
	if begin == end {
		return "", &Misfit{What: "the answer is empty"}
	}
	s := scanner{text: text[:end], at: begin}
	if s.next() != '{' {
		if !strings.Contains(text[begin:end], "{") {
			return "", &Misfit{What: "there is no JSON object"}
		}
		return "", &Misfit{What: fmt.Sprintf("text before the object at byte %d", begin)}
	}
	if !s.value() {
		if s.at == end {
			return "", &Misfit{What: fmt.Sprintf("the object is cut off at byte %d", end)}
		}
		return "", &Misfit{What: fmt.Sprintf("the object is not JSON from byte %d on: %s", s.at, quote(text[s.at:end]))}
	}
	if after, _ := trim(text, s.at, end); after < end {
		return "", &Misfit{What: fmt.Sprintf("text after the object at byte %d", after)}
	}
	return text[begin:s.at], s.twice
}

// fence returns where the content of the fence between begin and end begins and ends: at the end of
// its first line, and at the end of its last but one. ok is false if there is no fence, or if it is
// indented.
func fence(text string, begin, end int) (first, last int, ok bool) {
	before := text[:begin]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	opening, _, _ := strings.Cut(text[begin:end], "\n")
	info := strings.TrimLeft(opening, "`")
	last = begin + strings.LastIndexByte(text[begin:end], '\n')
	closing := text[last+1 : end]
	ok = strings.Trim(before, "\uFEFF") == "" && !strings.Contains(info, "`") && last > begin &&
		strings.Trim(closing, "`") == "" && len(closing) >= len(opening)-len(info)
	return begin + len(opening), last, ok
}
