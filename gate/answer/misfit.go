package answer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Misfit is the first thing in an answer that does not fit the form.
type Misfit struct {
	Path string // a JSON pointer to it, or empty for the text as a whole
	What string
}

// Error is one sentence of bounded length that a reviewer can act on. Text of the answer is
// quoted and cut.
func (m *Misfit) Error() string {
	if m.Path == "" {
		return m.What
	}
	return m.Path + ": " + m.What
}

// maxQuoted is the most characters of foreign text that a sentence quotes.
const maxQuoted = 60

// quote quotes foreign text, cut to what a line can hold.
func quote(text string) string {
	if start := []rune(text[:min(len(text), utf8.UTFMax*(maxQuoted+1))]); len(start) > maxQuoted {
		text = string(start[:maxQuoted]) + "…"
	}
	return strconv.Quote(text)
}

// named is a key as it stands in a path: quoted, unless it is plain.
func named(key string) string {
	special := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	}
	if key == "" || utf8.RuneCountInString(key) > maxQuoted || strings.ContainsFunc(key, special) {
		return quote(key)
	}
	return key
}
