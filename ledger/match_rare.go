package ledger

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// maxCommon is how many violations of a file may have an ordinary word in common before
// the word says nothing about which of them is meant.
const maxCommon = 5

// rareWords are the words that tell violations apart: identifiers of the code.
type rareWords struct {
	entries [][]string             // by entry: those of its issue that stand in the code at its place
	known   map[string][]int       // by word: the earlier violations whose issue has it
	common  map[wordInFile]int     // how many of them there are in a file
	index   map[string]placeIndex  // by word, made when it is asked for
	of      func(known int) *Known // the earlier violations
}

type wordInFile struct{ word, file string }

// newRareWords finds the words that entries and earlier violations have in common with
// the code.
func newRareWords(e *evaluator) rareWords {
	w := rareWords{
		entries: make([][]string, len(e.reports)), known: map[string][]int{}, common: map[wordInFile]int{},
		index: map[string]placeIndex{}, of: func(i int) *Known { return &e.known[i] },
	}
	wanted := map[string]bool{}
	for i := range e.reports {
		identifiers := e.facts.entry(i).Identifiers
		if len(identifiers) == 0 {
			continue
		}
		words := Words(e.reports[i].Issue)
		for _, identifier := range identifiers {
			if isTelling(identifier) && slices.Contains(words, identifier) && !slices.Contains(w.entries[i], identifier) {
				w.entries[i] = append(w.entries[i], identifier)
				wanted[identifier] = true
			}
		}
	}
	if len(wanted) == 0 {
		return w
	}
	for i := range e.known {
		for _, word := range Words(e.known[i].Issue) {
			if wanted[word] {
				w.known[word] = append(w.known[word], i)
				w.common[wordInFile{word, e.known[i].Here.File}]++
			}
		}
	}
	return w
}

// ofEntry are the identifiers at the entry's place that its issue names.
func (w *rareWords) ofEntry(entry int) []string { return w.entries[entry] }

// places are the places of the violations whose issue has the word; none in a file
// where it is too common.
func (w *rareWords) places(word, file string) placeIndex {
	if !looksLikeCode(word) && w.common[wordInFile{word, file}] > maxCommon {
		return nil
	}
	index, ok := w.index[word]
	if !ok {
		var list []indexedPlace
		for _, i := range w.known[word] {
			for _, place := range w.of(i).places() {
				list = append(list, indexedPlace{place, i})
			}
		}
		index = indexPlaces(list)
		w.index[word] = index
	}
	return index
}

// anywhere are the places of the violations whose issue has the word, for an entry about the
// whole change; none where the word is too common.
func (w *rareWords) anywhere(word string) (list []indexedPlace) {
	if len(w.known[word]) > maxCommon {
		return nil
	}
	for _, i := range w.known[word] {
		list = append(list, indexedPlace{w.of(i).Here, i})
	}
	return list
}

// shares reports whether the entry and the earlier violation have an identifier of
// the code in common.
func (w *rareWords) shares(entry, known int) bool {
	return slices.ContainsFunc(w.entries[entry], func(word string) bool {
		_, found := slices.BinarySearch(w.known[word], known)
		return found
	})
}

// Words lists the words of a text, or of code, that may be identifiers, each once:
// letters, digits and underscores that do not begin with a digit, three at least.
func Words(text string) []string {
	var words []string
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len(word) >= 3 && word[0] > '9' && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// isTelling reports whether an identifier of the code, used in the words of a report,
// identifies the problem.
func isTelling(word string) bool {
	return looksLikeCode(word) || len(word) >= 4 && !ordinary()[strings.ToLower(word)]
}

// looksLikeCode reports whether a word is an identifier by its form: it has an
// underscore, a digit, or a capital letter after a small one.
func looksLikeCode(word string) bool {
	small := false
	for _, r := range word {
		switch {
		case r == '_' || unicode.IsDigit(r) || small && unicode.IsUpper(r):
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

// ordinary are words of reviews, and of programming languages, that stand in the code
// as well without being what a report is about.
var ordinary = sync.OnceValue(func() map[string]bool {
	return wordSet(`
	abstract access after again against allow allowed already also always another argument arguments array assert
	async await because been before begin being below between block bool boolean both break buffer build byte bytes
	call called caller case cast catch change char check checked class clear close closed code comment condition
	const constant constructor context continue copy count create data debug default defer define delete does
	done double each elif else empty ensure enum error errors event every example except exception exit export
	extends fail failed fails false field fields file files final finally find first fixed flag float flow follow
	format found from func function functions given goto handle handled handler handling have here http implements
	import index info init input inside instance instead integer interface into invalid issue item items iterate just
	keep lambda last leak leaks length less level line lines list lock logic long loop made main make many match
	memory message method missing mode module more most must name named names need needed never next none
	null number object only open operator option options other output over override package param parameter
	parse pass passed path place pointer possible print private problem process program protected public
	raise range raises read reader reading ready really remove require required reset resource response result return returned returns
	safe same save script self send server set should show side signal simple single size skip some source
	start state statement static status still stop store string struct such super switch system take test tests text
	than that their them then there these they thing this those through throw throws time timeout true type types
	undefined under unit unless unsafe unsigned until update used user uses using valid value values variable
	vector version very void wait want warning were what when where whether which while will with within without word
	words work would write wrong yield your
`)
})

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
