package words

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

// word is a word of a text in the form in which it is compared, and its position in the text.
type word struct {
	text        string
	first, next int // byte offsets
}

// folded has the characters that count as other characters.
var folded = sync.OnceValue(func() map[rune]rune {
	all, to := map[rune]rune{}, []rune(foldedTo)
	for i, r := range []rune(foldedFrom) {
		all[r] = to[i]
	}
	return all
})

// between has the characters that separate words, as ranges.
var between = sync.OnceValue(func() []rune { return []rune(separators) })

// separates reports whether the character separates words.
func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}
	ranges := between()
	i, found := slices.BinarySearch(ranges, r)
	return found || i%2 == 1
}

// fold returns the character that this one counts as: in lower case and without a diacritic.
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

// wordsOf splits a text into words as SQLite's tokenizer unicode61 does with remove_diacritics 2: a
// combining diacritic is not part of a word, and does not end it.
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

// phrase is a term of a query, split into words.
type phrase struct {
	words []string
	// prefix is set if the last word may be continued.
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

// Query is a query, split into words.
type Query struct{ all, none []phrase }

// QueryOf splits a query into words.
func QueryOf(q ledger.SearchQuery) Query { return Query{phrasesOf(q.All), phrasesOf(q.None)} }

// in returns where the phrase occurs in the text, as pairs of the first and the last word.
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

// Report marks the parts of a report's texts that the query asks for, and reports whether the
// report matches.
func (q Query) Report(title, issue, fix, result string) (ledger.SearchTexts, bool) {
	marked, matches := q.mark(title, issue, fix, result)
	return ledger.SearchTexts{Title: marked[0], Issue: marked[1], Fix: marked[2], Result: marked[3]}, matches
}

// Notes marks the parts of a slot's notes in the same way.
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

// markWords marks places in a text. Places that have a word in common become one.
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
