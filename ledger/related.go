package ledger

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Near is a finding with what decides whether another one near it may be the same problem.
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
	// Tool names the gate and the tool that reported it; empty: a reviewer did.
	Tool string
}

const (
	// relatedLines is how many lines may lie between findings that are perhaps the same.
	relatedLines = 10
	// rareLines is in how many lines of its file an identifier may stand that tells what two
	// findings are about.
	rareLines = 3
	// maxCompared bounds with how many of its neighbours a finding is compared, and maxRelated
	// with how many it is shown: a tool may report every line of a file in the same words.
	maxCompared = 100
	maxRelated  = 20
)

// Related finds the pairs of findings that are perhaps the same: of one file, at most 10 lines
// apart or in one hunk, which share an identifier that stands in at most 3 lines of the file, or at
// least half of the words of the shorter one. One of the two is new. A finding is in the pairs with
// the nearest of those behind it, 20 at most. In how many lines of a file each identifier stands is
// told by times. A finding about a file as a whole is near others of that kind alone. What one tool
// reports is never the same: it says it once for each place, in the same words. This decides
// nothing: an agent may join only what is related.
//
// Rule: A duplicate has the fate of what it was joined to.
func Related(found []Near, times func(file string) map[string]int) (pairs [][2]string) {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Start, b.Place.Start), cmp.Compare(a.Place.End, b.Place.End), cmp.Compare(a.ID, b.ID))
	})
	for len(found) > 0 {
		end := slices.IndexFunc(found, func(n Near) bool { return n.Place.File != found[0].Place.File })
		if end < 0 {
			end = len(found)
		}
		pairs = relatedInFile(pairs, found[:end], times)
		found = found[end:]
	}
	return pairs
}

// relatedInFile adds the pairs among the findings of one file, which are sorted by line.
func relatedInFile(pairs [][2]string, found []Near, times func(file string) map[string]int) [][2]string {
	numbers, words, related := map[string]int{}, make([]*issueWords, len(found)), make([]int, len(found))
	wordsAt := func(i int) *issueWords {
		if words[i] == nil {
			words[i] = wordsOf(found[i].Issue, numbers, times(found[i].Place.File))
		}
		return words[i]
	}
	for i, a := range found {
		for j := i + 1; j < len(found) && j <= i+maxCompared && related[i] < maxRelated; j++ {
			b := found[j]
			if (a.New || b.New) && related[j] < maxRelated && near(a, b) && wordsAt(i).agree(wordsAt(j)) {
				pairs = append(pairs, [2]string{a.ID, b.ID})
				related[i]++
				related[j]++
			}
		}
	}
	return pairs
}

func near(a, b Near) bool {
	if a.Tool != "" && a.Tool == b.Tool {
		return false
	}
	if a.Place.WholeFile() != b.Place.WholeFile() {
		return false
	}
	return a.Place.Distance(b.Place) <= relatedLines || a.Hunk != "" && a.Hunk == b.Hunk
}

// issueWords are the words of an issue by their numbers, sorted, and those of them that are rare
// names of code.
type issueWords struct {
	all  []int
	rare []string
}

// namePattern matches what may be a name in code. Whether it is one, how it stands in the text
// says: see looksLikeCode.
var namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*`) })

// wordsOf are the words of an issue. A word that has no number yet gets the next one.
func wordsOf(issue string, numbers, times map[string]int) *issueWords {
	w := &issueWords{}
	for _, word := range strings.FieldsFunc(strings.ToLower(issue), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		number, known := numbers[word]
		if !known {
			number = len(numbers)
			numbers[word] = number
		}
		w.all = append(w.all, number)
	}
	slices.Sort(w.all)
	w.all = slices.Compact(w.all)
	for _, at := range namePattern().FindAllStringIndex(issue, -1) {
		name := issue[at[0]:at[1]]
		if n := times[name]; n == 0 || n > rareLines {
			continue
		}
		quoted := at[0] > 0 && strings.ContainsRune("`'\".", rune(issue[at[0]-1])) || at[1] < len(issue) && strings.ContainsRune("`(", rune(issue[at[1]]))
		if quoted || looksLikeCode(name) {
			w.rare = append(w.rare, name)
		}
	}
	return w
}

// looksLikeCode reports whether a name has what words of prose do not have: a capital letter, a
// digit or an underscore. A short word may have its capital letter from the start of a sentence, and
// does not count.
func looksLikeCode(name string) bool {
	if strings.ContainsFunc(name[1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '_' || r == '$' }) {
		return true
	}
	first := []rune(name)[0]
	return unicode.IsUpper(first) && len(name) > 4 && !slices.Contains([]string{"There", "These", "Those", "Which", "Where", "While", "After", "Before", "Should", "Could", "Would", "Missing"}, name)
}

// agree reports whether two issues share a rare identifier or half of their words.
func (w *issueWords) agree(other *issueWords) bool {
	for _, name := range w.rare {
		if slices.Contains(other.rare, name) {
			return true
		}
	}
	shared := 0
	for i, j := 0, 0; i < len(w.all) && j < len(other.all); {
		switch cmp.Compare(w.all[i], other.all[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			shared, i, j = shared+1, i+1, j+1
		}
	}
	return shared > 0 && 2*shared >= min(len(w.all), len(other.all))
}

// NameLines counts the lines of a text in which each name occurs.
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
