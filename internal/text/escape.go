// Package text formats text that others wrote for people and programs: it escapes control
// characters, writes JSON, CSV and Markdown, and lays out tables in color. All output passes
// through it. It does not touch files or use types of the ledger.
package text

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape makes control characters and invisible characters in foreign text visible, so that the
// text cannot move the cursor, color what follows, reverse the reading order or imitate another
// text. C0, DEL and bytes that are not UTF-8 become \x1b and the like; C1, line separators, format
// characters and others without a glyph become \u202e and the like. What belongs to an emoji or to
// the spelling of a word stays, see [needed]. Newlines and tabs stay, and CR LF becomes a newline.
//
// Rule: Text from others is data.
func Escape(text string) string {
	return escape(strings.ReplaceAll(text, "\r\n", "\n"), "\n\t")
}

// EscapeLine is [Escape] for text that must stay on one line: newlines and tabs become spaces, and
// white space at both ends is removed.
func EscapeLine(text string) string {
	return strings.TrimSpace(OnOneLine(text))
}

// OnOneLine is [EscapeLine] without removing white space at the ends.
func OnOneLine(text string) string {
	if Plain(text) {
		return text // checked first: far cheaper than searching for each kind of break
	}
	return escape(breaks.Replace(text), "")
}

// breaks replaces line breaks and tabs by spaces.
var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// escape escapes all control characters except those in keep.
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
			b.WriteString(escaped(r)) // \u0085, as \x85 would mean a byte
		}
		i += size
	}
	return b.String()
}

// Plain reports whether the text is ASCII without control characters, as most text is.
func Plain(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// escaped returns the escape sequence of a character, which is also valid in JSON.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// control reports whether the character acts on the terminal, or has no glyph, instead of being
// shown. Some Arabic signs count as format characters but have a glyph.
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
	// symbols is where the Unicode blocks without European letters begin.
	symbols = '\u2000'
)

// needed reports whether an invisible character changes how the characters beside it look: a joiner
// between emoji or between letters of a script without capitals, or the selector that turns a sign
// into an emoji or chooses the form of an ideograph.
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

// joins reports whether a joiner next to the character can have a meaning.
func joins(r rune) bool {
	return r >= 0x80 && unicode.In(r, unicode.So, unicode.Sk, unicode.Lo, unicode.M) &&
		!unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Latin) && r != utf8.RuneError
}

// FirstLine returns the first line of foreign text, escaped and cut to limit characters. An
// ellipsis shows that there was more.
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

// OrElse returns text, or other if text is empty.
func OrElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Visible returns text on one line, escaped as Go quotes strings: everything that a terminal would
// act on or could not show is escaped, except tabs.
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

// Markdown returns foreign text as plain text for one line of a Markdown document.
func Markdown(foreign string) string { return markup.Replace(EscapeLine(foreign)) }

// markup escapes everything that has a meaning in Markdown or HTML.
var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`, "://", "&#58;//", "www.", "www&#46;",
)

// MarkdownCode returns foreign text as inline code, between more backquotes than it has in a row.
func MarkdownCode(foreign string) string {
	foreign = EscapeLine(foreign)
	fence := "`"
	for strings.Contains(foreign, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + foreign + fence
	}
	return fence + " " + foreign + " " + fence
}

// ShellWord quotes a text so that a POSIX shell reads it as one word.
func ShellWord(word string) string {
	plain := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("._-/:@,+=", c)
	}
	if word != "" && strings.IndexFunc(word, func(c rune) bool { return !plain(c) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// WriteCSV writes a line of titles and rows of text. A cell that a spreadsheet would take for a
// formula is prefixed with an apostrophe. Control characters are escaped, and a line break becomes
// a space.
func WriteCSV(w io.Writer, titles []string, rows iter.Seq2[[]string, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(titles); err != nil {
		return err
	}
	safe := make([]string, len(titles))
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, cell := range row {
			safe[i] = neutral(OnOneLine(cell))
		}
		if err := out.Write(safe); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// neutral keeps a spreadsheet from evaluating a cell as a formula. Some programs skip white space
// and quotes before they look for one.
func neutral(cell string) string {
	bare := strings.TrimLeft(cell, " \u00a0\ufeff\"")
	if bare != "" && strings.ContainsRune("=+-@|%\uff1d\uff0b\uff0d\uff20", []rune(bare)[0]) {
		return "'" + cell
	}
	return cell
}
