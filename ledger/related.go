package ledger

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Near is a finding with what tells whether another one near it is perhaps the same.
type Near struct {
	// ID is its short id.
	ID string
	// Place is where it is in the tree that was reviewed, and Hunk names the hunk of the change
	// that it lies in; empty: none.
	Place Place
	Hunk  string
	Issue string
	// New reports whether it was found in this iteration.
	New bool
}

const (
	// relatedLines is how many lines may lie between findings that are perhaps the same.
	relatedLines = 10
	// rareLines is in how many lines of its file an identifier may stand that tells what two
	// findings are about.
	rareLines = 3
	// maxCompared bounds with how many of its neighbours a finding is compared.
	maxCompared = 100
)

// Related finds the pairs of findings that are perhaps the same: of one file, at most 10 lines
// apart or in one hunk, which share an identifier that stands in at most 3 lines of the file, or at
// least half of the words of the shorter one. One of the two is new. In how many lines of a file
// each identifier stands is told by times. A finding about a file as a whole is near others of that
// kind alone. This decides nothing: an agent may join only what is related.
//
// Rule: A duplicate has the fate of what it was joined to.
func Related(found []Near, times func(file string) map[string]int) (pairs [][2]string) {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Start, b.Place.Start), cmp.Compare(a.Place.End, b.Place.End), cmp.Compare(a.ID, b.ID))
	})
	words := make([]issueWords, len(found))
	for i := range found {
		words[i] = wordsOf(found[i].Issue)
	}
	for i := range found {
		for j := i + 1; j < len(found) && j <= i+maxCompared && found[j].Place.File == found[i].Place.File; j++ {
			a, b := found[i], found[j]
			if (a.New || b.New) && near(a, b) && words[i].agree(words[j], times(a.Place.File)) {
				pairs = append(pairs, [2]string{a.ID, b.ID})
			}
		}
	}
	return pairs
}

func near(a, b Near) bool {
	if a.Place.WholeFile() || b.Place.WholeFile() {
		return a.Place.WholeFile() && b.Place.WholeFile()
	}
	return a.Place.Distance(b.Place) <= relatedLines || a.Hunk != "" && a.Hunk == b.Hunk
}

// issueWords are the words of an issue, and those of them that look like names of code.
type issueWords struct {
	all         map[string]bool
	identifiers []string
}

// namePattern is what may be a name in code, and codeMark what makes it one: it stands in quotes or
// is called.
var namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*`) })

func wordsOf(issue string) issueWords {
	w := issueWords{all: map[string]bool{}}
	for _, word := range strings.FieldsFunc(strings.ToLower(issue), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		w.all[word] = true
	}
	for _, at := range namePattern().FindAllStringIndex(issue, -1) {
		name := issue[at[0]:at[1]]
		quoted := at[0] > 0 && strings.ContainsRune("`'\".", rune(issue[at[0]-1])) || at[1] < len(issue) && strings.ContainsRune("`(", rune(issue[at[1]]))
		if quoted || looksLikeCode(name) {
			w.identifiers = append(w.identifiers, name)
		}
	}
	return w
}

// looksLikeCode reports whether a name has what words of prose do not have: a capital letter that
// begins it or stands in it, a digit or an underscore. Short words that begin sentences are none.
func looksLikeCode(name string) bool {
	if strings.ContainsFunc(name[1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '_' || r == '$' }) {
		return true
	}
	first := []rune(name)[0]
	return unicode.IsUpper(first) && len(name) > 4 && !slices.Contains([]string{"There", "These", "Those", "Which", "Where", "While", "After", "Before", "Should", "Could", "Would", "Missing"}, name)
}

// agree reports whether two issues share a rare identifier, or half of the words.
func (w issueWords) agree(other issueWords, times map[string]int) bool {
	for _, name := range w.identifiers {
		if n := times[name]; n > 0 && n <= rareLines && slices.Contains(other.identifiers, name) {
			return true
		}
	}
	shorter, longer := w.all, other.all
	if len(shorter) > len(longer) {
		shorter, longer = longer, shorter
	}
	shared := 0
	for word := range shorter {
		if longer[word] {
			shared++
		}
	}
	return shared > 0 && 2*shared >= len(shorter)
}

// NameLines tells in how many lines of a text each name stands.
func NameLines(lines [][]byte) map[string]int {
	times := map[string]int{}
	for _, line := range lines {
		seen := map[string]bool{}
		for _, name := range namePattern().FindAllString(string(line), -1) {
			if !seen[name] {
				seen[name] = true
				times[name]++
			}
		}
	}
	return times
}
