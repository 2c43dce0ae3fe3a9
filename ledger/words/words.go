package words

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

// Words are cut here, not by a server of PostgreSQL, so that a search finds the same in both stores:
// what a server takes for a letter depends on its locale, and its parser knows tokens, such
// as paths and versions, that a ledger cuts into words.

// word is a word of a text, as it is compared, and where it stands.
type word struct {
	text        string
	first, next int // bytes
}

// What a tsvector can hold.
const (
	longestWord   = 2046    // bytes
	longestVector = 1 << 19 // bytes of words; the server's limit is twice that
	lastPosition  = 16383
	mostPositions = 5 * 255 // bytes: the server leaves out more than 255
)

// folded are the characters that count as others.
var folded = sync.OnceValue(func() map[rune]rune {
	all, to := map[rune]rune{}, []rune(foldedTo)
	for i, r := range []rune(foldedFrom) {
		all[r] = to[i]
	}
	return all
})

// between are the characters between words, as ranges.
var between = sync.OnceValue(func() []rune { return []rune(separators) })

// separates reports whether the character stands between words.
func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}
	ranges := between()
	i, found := slices.BinarySearch(ranges, r)
	return found || i%2 == 1
}

// fold is the character that this one counts as: small, and without a diacritic.
func fold(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	}
	if to, ok := folded()[r]; ok {
		return to
	}
	return r
}

// wordsOf cuts a text as the tokenizer unicode61 of SQLite does, with remove_diacritics 2: a
// diacritic of its own is not part of a word, and does not end it.
func wordsOf(text string) (words []word) {
	var b strings.Builder
	first := -1
	end := func(next int) {
		if first >= 0 {
			words = append(words, word{b.String(), first, next})
		}
		b.Reset()
		first = -1
	}
	for i, r := range text {
		switch {
		case r >= utf8.RuneSelf && strings.ContainsRune(diacritics, r):
			if first < 0 {
				continue
			}
		case separates(r):
			end(i)
		default:
			if first < 0 {
				first = i
			}
			b.WriteRune(fold(r))
		}
	}
	end(len(text))
	return words
}

// cut is a word that is not too long for the server.
func cut(word string) string {
	if len(word) <= longestWord {
		return word
	}
	return strings.ToValidUTF8(word[:longestWord], "")
}

// Vector is what a search looks in: the words of the texts of a report, of which each
// begins far enough behind the one before that no phrase lies in two of them. Of a text
// that is longer than a server takes, the end is not found.
//
// It is the text of a tsvector. Words have no character that would need more than quotes.
func Vector(texts ...string) string {
	positions := map[string][]byte{}
	var words []string
	position, size := 0, 0
	for _, text := range texts {
		position++
		for _, w := range wordsOf(text) {
			position++
			text := cut(w.text)
			at, known := positions[text]
			if !known {
				if size += len(text); size > longestVector {
					break
				}
				words = append(words, text)
			}
			if position <= lastPosition && len(at) < mostPositions {
				at = strconv.AppendInt(append(at, ','), int64(position), 10)
			}
			positions[text] = at
		}
	}
	var b strings.Builder
	for _, w := range words {
		b.WriteString(" '" + w + "'")
		if at := positions[w]; len(at) > 0 {
			b.WriteString(":" + string(at[1:]))
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// phrase is a term of a query, cut into words.
type phrase struct {
	words []string
	// prefix says that the last word may go on.
	prefix bool
}

func phrasesOf(terms []ledger.SearchTerm) (list []phrase) {
	for _, term := range terms {
		p := phrase{prefix: term.Prefix}
		for _, w := range wordsOf(term.Text) {
			p.words = append(p.words, w.text)
		}
		if len(p.words) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// Expression is the phrase as text of a tsquery.
func (p phrase) expression() string {
	var words []string
	for _, w := range p.words {
		words = append(words, cut(w))
	}
	text := "'" + strings.Join(words, "' <-> '") + "'"
	if p.prefix {
		text += ":*"
	}
	return "(" + text + ")"
}

// Query is a query, cut into words.
type Query struct{ all, none []phrase }

func QueryOf(q ledger.SearchQuery) Query { return Query{phrasesOf(q.All), phrasesOf(q.None)} }

// Expression is the query as text of a tsquery.
func (q Query) Expression() string {
	var terms []string
	for _, p := range q.all {
		terms = append(terms, p.expression())
	}
	for _, p := range q.none {
		terms = append(terms, "!"+p.expression())
	}
	return strings.Join(terms, " & ")
}

// Prefixed reports whether a word of the query may go on.
func (q Query) Prefixed() bool {
	prefix := func(p phrase) bool { return p.prefix }
	return slices.ContainsFunc(q.all, prefix) || slices.ContainsFunc(q.none, prefix)
}

// Indexed is the part of the query that is looked up in the index of words: what has a prefix
// is left out where something else must be there.
func (q Query) Indexed() string {
	prefix := func(p phrase) bool { return p.prefix }
	if exact := slices.DeleteFunc(slices.Clone(q.all), prefix); len(exact) > 0 {
		q.all, q.none = exact, slices.DeleteFunc(slices.Clone(q.none), prefix)
	}
	return q.Expression()
}

// in are the places in a text, as the first and the last word, where the phrase stands.
func (p phrase) in(text []word) (places [][2]int) {
	last := len(p.words) - 1
	for i := range len(text) - last {
		for n, want := range p.words {
			is := text[i+n].text
			if is != want && !(p.prefix && n == last && strings.HasPrefix(is, want)) {
				break
			}
			if n == last {
				places = append(places, [2]int{i, i + last})
			}
		}
	}
	return places
}

// Report marks in the texts of a report what the query asks for, and reports whether they are
// what it asks for.
func (q Query) Report(title, issue, fix, result string) (ledger.SearchTexts, bool) {
	marked, matches := q.mark(title, issue, fix, result)
	return ledger.SearchTexts{Title: marked[0], Issue: marked[1], Fix: marked[2], Result: marked[3]}, matches
}

// Notes does the same with the notes of a slot.
func (q Query) Notes(notes string) (ledger.SearchTexts, bool) {
	marked, matches := q.mark(notes)
	return ledger.SearchTexts{Notes: marked[0]}, matches
}

func (q Query) mark(texts ...string) (marked []ledger.MarkedText, matches bool) {
	cut := make([][]word, len(texts))
	for i, text := range texts {
		cut[i] = wordsOf(text)
	}
	places := make([][][2]int, len(texts))
	for _, p := range q.all {
		found := false
		for i, words := range cut {
			in := p.in(words)
			places[i], found = append(places[i], in...), found || len(in) > 0
		}
		if !found {
			return make([]ledger.MarkedText, len(texts)), false
		}
	}
	for i, text := range texts {
		marked = append(marked, markWords(text, cut[i], places[i]))
	}
	return marked, !slices.ContainsFunc(q.none, func(p phrase) bool {
		return slices.ContainsFunc(cut, func(words []word) bool { return len(p.in(words)) > 0 })
	})
}

// markWords marks places in a text. Those that have a word in common are one.
func markWords(text string, words []word, places [][2]int) (parts ledger.MarkedText) {
	slices.SortFunc(places, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	done := 0
	for i := 0; i < len(places); {
		first, last := places[i][0], places[i][1]
		for i++; i < len(places) && places[i][0] <= last; i++ {
			last = max(last, places[i][1])
		}
		begin, end := words[first].first, words[last].next
		if begin > done {
			parts = append(parts, ledger.SnippetPart{Text: text[done:begin]})
		}
		parts = append(parts, ledger.SnippetPart{Text: text[begin:end], Match: true})
		done = end
	}
	if done < len(text) {
		parts = append(parts, ledger.SnippetPart{Text: text[done:]})
	}
	return parts
}
