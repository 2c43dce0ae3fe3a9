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

// Error returns one sentence of bounded length that a reviewer can act on. Text of the answer in it
// is quoted and cut.
func (m *Misfit) Error() string {
	if m.Path == "" {
		return m.What
	}
	return m.Path + ": " + m.What
}

// maxQuoted is how many characters of foreign text a sentence quotes.
const maxQuoted = 60

// quote quotes foreign text, cut to a length that fits on a line.
func quote(text string) string {
	if start := []rune(text[:min(len(text), utf8.UTFMax*(maxQuoted+1))]); len(start) > maxQuoted {
		text = string(start[:maxQuoted]) + "…"
	}
	return strconv.Quote(text)
}

// named returns a key as it is written in a path: quoted, unless it is plain.
func named(key string) string {
	special := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	}
	if key == "" || utf8.RuneCountInString(key) > maxQuoted || strings.ContainsFunc(key, special) {
		return quote(key)
	}
	return key
}
