package ledger

import "unicode"

// Blank reports whether a text has no visible character, and so no words: it may have blanks,
// control characters, characters of no width, and fillers.
//
// Rule: A mark is not a fix.
func Blank(text string) bool {
	for _, r := range text {
		if !Invisible(r) {
			return false
		}
	}
	return true
}

// Invisible reports whether a character shows nothing, or only that a text is broken.
func Invisible(r rune) bool {
	const braillePatternBlank = '\u2800'
	return unicode.IsSpace(r) || r == braillePatternBlank || r == unicode.ReplacementChar ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
