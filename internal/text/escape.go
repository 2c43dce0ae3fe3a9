// Package text formats text that others have written for people and programs: it escapes control
// characters, writes JSON, CSV and Markdown, and lays out tables in colour. Everything that is shown
// passes through it. It does not touch files or use types of the ledger.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape shows the control characters and the invisible ones in foreign text, so that it cannot move
// the cursor, colour what follows, reverse the reading order or look like another text: C0, DEL and
// bytes that are not UTF-8 as \x1b, C1, line separators, format characters and others without a shape
// as \u202e. What belongs to an emoji or to the spelling of a word stays: see [needed]. Newlines and
// tabs stay, and CR LF becomes a newline.
//
// Rule: Text from others is data.
func Escape(text string) string {
	return escape(strings.ReplaceAll(text, "\r\n", "\n"), "\n\t")
}

// EscapeLine is Escape for text that has to stay on one line: newlines and tabs
// become spaces, and those at the ends are cut off.
func EscapeLine(text string) string {
	return strings.TrimSpace(OnOneLine(text))
}

// OnOneLine is EscapeLine with the white space at the ends.
func OnOneLine(text string) string {
	if Plain(text) {
		return text // asked first: it is far cheaper than to look for each break
	}
	return escape(breaks.Replace(text), "")
}

// breaks become spaces where text has to stay on one line.
var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// escape escapes all control characters but those in keep.
func escape(text, keep string) string {
	if Plain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strings.ContainsRune(keep, r) || !control(r) || needed(text[:i], r, text[i+size:]):
			b.WriteString(text[i : i+size])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteString(escaped(r)) // not \x85
		}
		i += size
	}
	return b.String()
}

// Plain reports whether the text is ASCII without control characters, as most is.
func Plain(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// escaped is the character in a form that is also valid within JSON.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// control reports whether the character acts on the terminal, or has no shape, instead of being
// shown by it. Some signs of Arabic count as format characters and have a shape.
func control(r rune) bool {
	if r < 0xa0 {
		return r < 0x20 || r >= 0x7f
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

const (
	nonJoiner, joiner = '\u200c', '\u200d'
	keycap            = '\u20e3'
	// symbols is where the blocks of Unicode without European letters begin.
	symbols = '\u2000'
)

// needed reports whether an invisible character changes how the ones beside it look: a joiner between
// emoji or letters of a script without capitals, and the selector that makes a sign an emoji, or
// chooses the form of an ideograph.
func needed(text string, r rune, rest string) bool {
	before, _ := utf8.DecodeLastRuneInString(text)
	after, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == joiner || r == nonJoiner:
		return joins(before) && joins(after)
	case unicode.Is(unicode.Variation_Selector, r):
		return after == keycap || before >= symbols && before != utf8.RuneError && !control(before)
	}
	return false
}

// joins reports whether a joiner beside the character can have a meaning.
func joins(r rune) bool {
	return r >= 0x80 && unicode.In(r, unicode.So, unicode.Sk, unicode.Lo, unicode.M) &&
		!unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Latin) && r != utf8.RuneError
}

// FirstLine is the first line of foreign text, escaped and cut to limit
// characters; an ellipsis shows that there was more.
func FirstLine(text string, limit int) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	// Cut before escaping, so that a huge text costs no more than a small one.
	cut := Truncate(line, limit)
	more := cut != line || strings.TrimSpace(rest) != ""
	shown := EscapeLine(cut)
	if more {
		return shown + "…"
	}
	return shown
}

// Truncate returns at most the first limit characters.
func Truncate(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i]
		}
		n++
	}
	return text
}

// OrElse returns the text, or the other one if it is empty.
func OrElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Visible returns a text on one line, as Go quotes strings: everything that a terminal
// would act on or could not show is escaped, but a tab stays.
func Visible(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if strconv.IsPrint(r) && (r != utf8.RuneError || size > 1) || r == '\t' {
			b.WriteString(text[:size])
		} else {
			quoted := strconv.Quote(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}
