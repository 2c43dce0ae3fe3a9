package ledger

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// SearchQuery is a parsed search for words of reports and notes.
type SearchQuery struct {
	// Every term in All must match, and none in None may. If All is empty, nothing matches.
	All, None []SearchTerm
}

// SearchTerm is a word, or several consecutive words.
type SearchTerm struct {
	Text string
	// Prefix is set if the last word may be the beginning of a longer word.
	Prefix bool
}

// ErrNoWords means that a query has no word that must match.
var ErrNoWords = errors.New("nothing to search for: give at least one word that must occur")

// ParseSearch parses a query: words that must all occur, "a phrase", prefix*, and -word. Everything
// else is plain text, so there are no syntax errors. The words in without must not occur, as if
// each had a minus. The error is [ErrNoWords] if there is no word that must occur.
func ParseSearch(query string, without []string) (SearchQuery, error) {
	var q SearchQuery
	rest := strings.TrimSpace(cleanQuery(query))
	blank := rest == ""
	for rest != "" {
		var term SearchTerm
		var excluded bool
		term, excluded, rest = nextTerm(rest)
		q.add(term, excluded)
	}
	for _, text := range without {
		q.add(wordTerm(cleanQuery(text)), true)
	}
	if len(q.All) == 0 && (blank || len(q.None) > 0) {
		return q, ErrNoWords
	}
	return q, nil
}

// cleanQuery replaces characters that cannot be part of a word and that would end a text in SQL.
func cleanQuery(query string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(query, " "), "\x00", " ")
}

// nextTerm splits the first term off a query that does not begin with white space.
func nextTerm(query string) (term SearchTerm, excluded bool, rest string) {
	text := query
	if after, ok := strings.CutPrefix(text, "-"); ok && after != "" && after[0] != '-' && strings.IndexFunc(after, unicode.IsSpace) != 0 {
		text, excluded = after, true
	}
	if after, ok := strings.CutPrefix(text, `"`); ok {
		if phrase, rest, closed := strings.Cut(after, `"`); closed {
			return SearchTerm{Text: phrase}, excluded, strings.TrimSpace(rest)
		}
		text = after // a quote without a closing quote is plain text
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return wordTerm(text[:end]), excluded, strings.TrimSpace(text[end:])
}

// wordTerm parses a word that may end in an asterisk.
func wordTerm(word string) SearchTerm {
	trimmed := strings.TrimRight(word, "*")
	return SearchTerm{Text: trimmed, Prefix: trimmed != word}
}

// add adds the term, unless it has no word or the query already has it.
func (q *SearchQuery) add(term SearchTerm, excluded bool) {
	if !strings.ContainsFunc(term.Text, wordRune) {
		return
	}
	list := &q.All
	if excluded {
		list = &q.None
	}
	if !slices.Contains(*list, term) {
		*list = append(*list, term)
	}
}

// wordRune reports whether the character can be part of a word.
func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

// SearchHit is a violation, a discarded report, or the notes of a slot's reviewer.
type SearchHit struct {
	Violation *ListedViolation
	Discard   *Report
	Notes     *SlotNotes
	// Title is the title of the best matching report, or "".
	Title string
	// Snippet is the best matching part of the report.
	Snippet MarkedText
	// Cursor is the cursor that continues the list after this hit: see [ViolationFilter.After].
	Cursor string
}

// The kinds of hits.
const (
	HitViolation = "violation"
	HitReport    = "report"
	HitNotes     = "notes"
)

// Kind returns which kind of hit this is.
func (h SearchHit) Kind() string {
	switch {
	case h.Violation != nil:
		return HitViolation
	case h.Discard != nil:
		return HitReport
	}
	return HitNotes
}

// Disposition returns the disposition of the report: accepted for a violation, and "" for notes.
func (h SearchHit) Disposition() Disposition {
	switch {
	case h.Violation != nil:
		return Accepted
	case h.Discard != nil:
		return h.Discard.Disposition
	}
	return ""
}

// At returns when the hit was first reported.
func (h SearchHit) At() time.Time {
	switch {
	case h.Violation != nil:
		return h.Violation.FirstSeen
	case h.Discard != nil:
		return h.Discard.At
	}
	return h.Notes.At
}

// MarkedText is a text in parts, some of which match the query.
type MarkedText []SnippetPart

// SnippetPart is a part of a text.
type SnippetPart struct {
	Text  string
	Match bool
}

// String returns the text without marks.
func (m MarkedText) String() string {
	var b strings.Builder
	for _, part := range m {
		b.WriteString(part.Text)
	}
	return b.String()
}

// Ranked is the smallest number of matches that a search ranks. If more match, the newest are ranked,
// so that a word in half of all reports is found nearly as fast as a rare one. A higher limit ranks as
// many as it asks for.
const Ranked = 200

// The characters that enclose what matches in the text that [Snippet] parses.
const (
	matchStart = '\x02'
	matchEnd   = '\x03'
)

// snippetLength is how many characters of a snippet are shown, so that it stays short if its words are
// not.
const snippetLength = 200

// Snippet parses a part of a report in which matches are enclosed in the characters 2 and 3. It is on
// one line.
func Snippet(marked string) (parts MarkedText) {
	marked, room := spaced(marked), snippetLength
	add := func(text string, match bool) {
		text = unmarked(text)
		if letters := []rune(text); len(letters) > room {
			text, marked = string(letters[:room])+"…", ""
		}
		room -= utf8.RuneCountInString(text)
		if text != "" {
			parts = append(parts, SnippetPart{text, match})
		}
	}
	for marked != "" {
		plain, rest, found := strings.Cut(marked, string(matchStart))
		matching, after, closed := strings.Cut(rest, string(matchEnd))
		if !found || !closed { // the text itself has such a character
			plain, matching, after = marked, "", ""
		}
		if marked = after; plain != "" {
			add(plain, false)
		}
		if matching != "" && room > 0 {
			add(matching, true)
		}
	}
	return parts
}

// unmarked returns the text without marks.
func unmarked(text string) string {
	return strings.NewReplacer(string(matchStart), "", string(matchEnd), "").Replace(text)
}

// spaced replaces each run of white space with one space.
func spaced(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
