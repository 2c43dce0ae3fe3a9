package ledger

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
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

// SearchTexts are the searched texts of one report.
type SearchTexts struct {
	Title, Issue, Fix, Result MarkedText
	// Notes are the notes of a slot, which has no other texts.
	Notes MarkedText
}

// weighted returns the texts in the order of their weight.
func (t SearchTexts) weighted() []weightedText {
	return []weightedText{{t.Title, 4}, {t.Issue, 3}, {t.Fix, 1}, {t.Result, 1}, {t.Notes, 1}}
}

type weightedText struct {
	text   MarkedText
	weight float64
}

// usualLength is the length of a text, in bytes, at which one match counts as half the weight.
const usualLength = 200

// relevance returns a number that grows with the number of matches, faster in shorter texts, and
// approaches the weight.
func (w weightedText) relevance() float64 {
	matches, length := 0, 0
	for _, part := range w.text {
		length += len(part.Text)
		if part.Match {
			matches++
		}
	}
	m := float64(matches)
	return w.weight * m / (m + float64(length)/usualLength + 0.5)
}

// Relevance returns how well a matching report fits the query; greater is better. A match in the
// title counts more than one in the issue, which counts more than one in the fix or the result.
func (t SearchTexts) Relevance() (sum float64) {
	for _, w := range t.weighted() {
		sum += w.relevance()
	}
	return sum
}

const (
	snippetBefore = 40  // characters shown before the first match
	snippetLength = 160 // characters of a snippet
)

// Snippet returns the part of a report around the first match in the best matching text, on one line.
func (t SearchTexts) Snippet() MarkedText {
	var best MarkedText
	most := -1.0
	for _, w := range t.weighted() {
		if r := w.relevance(); r > most && len(w.text) > 0 {
			best, most = w.text, r
		}
	}
	var snippet MarkedText
	room := snippetLength
	for i, part := range best {
		words := []rune(spaced(part.Text))
		if i == 0 && !part.Match {
			words = lastWords(words)
		}
		cut := len(words) > room
		if cut {
			words = append(words[:room:room], '…')
		}
		if len(words) > 0 {
			snippet = append(snippet, SnippetPart{Text: string(words), Match: part.Match})
		}
		if room -= len(words); cut || room <= 0 {
			break
		}
	}
	return snippet
}

// spaced replaces each run of white space with one space.
func spaced(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			blank = true
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	if blank {
		b.WriteByte(' ')
	}
	return b.String()
}

// lastWords returns the end of the text before the first match.
func lastWords(text []rune) []rune {
	if len(text) <= snippetBefore {
		return text
	}
	text = text[len(text)-snippetBefore:]
	if i := slices.Index(text, ' '); i >= 0 && i < len(text)-1 {
		text = text[i+1:]
	}
	return append([]rune{'…'}, text...)
}
