package ledger

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Near is a finding with what decides whether another finding near it may be the same problem.
type Near struct {
	// ID is its short id.
	ID string
	// Places are its places in the tree that was reviewed. Hunks names, for each, the hunk of the
	// change that contains it, or is empty if none does.
	Places []Place
	Hunks  []string
	Issue  string
	// New reports whether the answer that is being recorded found it, or it has just been taken up.
	New bool
	// Tool names the gate and the tool that reported the finding, or is empty if a reviewer did.
	Tool string
	// Reporter is the gate and the slot that reported it first, and Answers are all answers that
	// reported it.
	Reporter string
	Answers  []int64
	// Paired is the number of findings that it is paired with already.
	Paired int
}

// Nearby is what git and the working tree know about the places of a run's violations.
type Nearby struct {
	// Iteration is the iteration that reviews the tree in which places are compared.
	Iteration int
	// Places has the places in that tree of violations of earlier iterations, by ULID, the own place
	// first. What was reported in a tree that is not known is missing.
	Places map[string][]Place
	// Hunk names the hunk of the change that contains the place, or returns "". Names returns how a
	// file uses its words, and Tool the gate and the tool that reported, or "" if a reviewer did.
	Hunk  func(Place) string
	Names func(file string) map[string]NameUse
	Tool  func(job, adapter string) string
}

const (
	// relatedLines is the largest number of lines between findings that may be the same.
	relatedLines = 10
	// meetingLines is the largest number of lines of a place whose findings may be the same because
	// another slot reported something there, in whatever words.
	meetingLines = 5
	// rareLines is the largest number of lines of a file in which an identifier may occur to show
	// that two findings are about the same thing.
	rareLines = 3
	// maxCompared limits how many of its neighbors a finding is compared with, and maxRelated how
	// many are shown with it: a tool may report every line of a file in the same words.
	maxCompared = 100
	maxRelated  = 20
)

// Related returns the pairs of findings that may be the same. At least one of the two is new, both
// have a place in one file, and no answer reported both. If these places are at most 10 lines apart
// or in one hunk, the findings have an identifier in common that occurs in at most 3 lines of the
// file, or at least half of the words of the shorter one. If different slots reported them and the
// places meet, the words may differ, unless a place is longer than 5 lines or the whole file. A
// finding is compared with at most 100 of those that follow it, the nearest first, and paired with
// at most 20 findings. An identifier is a word that the issue or the file does not write as prose
// ([writtenAsName]); used returns how a file uses its words. A finding about a whole file is near
// only to other such findings. Findings of one tool are never the same, because a tool reports each
// place in the same words. The result decides only which violations are shown and marked as one
// block, and so which an agent may join.
//
// Rule: A duplicate has the fate of what it was joined to.
func Related(found []Near, used func(file string) map[string]NameUse) (pairs [][2]string) {
	var places []nearPlace
	found = slices.Clone(found)
	for i := range found {
		for n := range found[i].Places {
			places = append(places, nearPlace{&found[i], n})
		}
	}
	slices.SortStableFunc(places, func(a, b nearPlace) int {
		p, q := a.place(), b.place()
		return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Start, q.Start), cmp.Compare(p.End, q.End), cmp.Compare(a.ID, b.ID))
	})
	for len(places) > 0 {
		end := slices.IndexFunc(places, func(n nearPlace) bool { return n.place().File != places[0].place().File })
		if end < 0 {
			end = len(places)
		}
		pairs = relatedInFile(pairs, places[:end], used)
		places = places[end:]
	}
	return pairs
}

// nearPlace is one of the places of a finding.
type nearPlace struct {
	*Near
	n int
}

func (n nearPlace) place() Place { return n.Places[n.n] }

// relatedInFile adds the pairs among the findings of one file, whose places are sorted by line.
func relatedInFile(pairs [][2]string, found []nearPlace, used func(file string) map[string]NameUse) [][2]string {
	numbers, words, known := map[string]int{}, map[*Near]*issueWords{}, map[[2]string]bool{}
	wordsAt := func(n nearPlace) *issueWords {
		if words[n.Near] == nil {
			words[n.Near] = wordsOf(n.Issue, numbers, used(n.place().File))
		}
		return words[n.Near]
	}
	for i, a := range found {
		for j := i + 1; j < len(found) && j <= i+maxCompared && a.Paired < maxRelated; j++ {
			b := found[j]
			if !a.New && !b.New || b.Paired >= maxRelated || !apart(a.Near, b.Near) {
				continue
			}
			pair := [2]string{min(a.ID, b.ID), max(a.ID, b.ID)}
			if near, meet := a.near(b), a.meets(b); (meet || near && wordsAt(a).agree(wordsAt(b))) && !known[pair] {
				known[pair] = true
				pairs = append(pairs, pair)
				a.Paired++
				b.Paired++
			}
		}
	}
	return pairs
}

// apart reports whether two findings are of different answers, and not of one tool.
func apart(a, b *Near) bool {
	return a != b && (a.Tool == "" || a.Tool != b.Tool) && !slices.ContainsFunc(a.Answers, func(answer int64) bool { return slices.Contains(b.Answers, answer) })
}

// near reports whether two places are so near that the words decide.
func (n nearPlace) near(o nearPlace) bool {
	p, q := n.place(), o.place()
	return p.WholeFile() == q.WholeFile() && (p.Distance(q) <= relatedLines || n.Hunks[n.n] != "" && n.Hunks[n.n] == o.Hunks[o.n])
}

// meets reports whether two slots reported the findings at one place.
func (n nearPlace) meets(o nearPlace) bool {
	p, q := n.place(), o.place()
	short := func(p Place) bool { return !p.WholeFile() && p.End-p.Start < meetingLines }
	return n.Reporter != o.Reporter && short(p) && short(q) && p.Meets(q)
}

// issueWords are the words of an issue by number, sorted, and those that are rare names in the
// finding's file.
type issueWords struct {
	all  []int
	rare []string
}

// eachName calls tell with the start and end of each word of a text that may be a name in code: see
// [writtenAsName].
func eachName(text string, tell func(start, end int)) {
	start := -1
	for i, r := range text {
		begins := unicode.IsLetter(r) || r == '_' || r == '$'
		switch {
		case start < 0 && begins:
			start = i
		case start >= 0 && !begins && !unicode.IsNumber(r):
			tell(start, i)
			start = -1
		}
	}
	if start >= 0 {
		tell(start, len(text))
	}
}

// wordsOf returns the words of an issue. A word that has no number yet gets the next one.
func wordsOf(issue string, numbers map[string]int, used map[string]NameUse) *issueWords {
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
	eachName(issue, func(start, end int) {
		name := issue[start:end]
		use := used[name]
		if use.Lines > 0 && use.Lines <= rareLines && (use.AsName || writtenAsName(issue, start, end)) {
			w.rare = append(w.rare, name)
		}
	})
	return w
}

// writtenAsName reports whether the word from start to end has more than one letter and is not
// written as words are in prose: it has a capital letter that does not begin a sentence, a digit or
// an underscore, or is in quotes, beside a dot or before a bracket.
func writtenAsName(text string, start, end int) bool {
	first, size := utf8.DecodeRuneInString(text[start:end])
	rest := text[start+size : end]
	if rest == "" {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, width := utf8.DecodeRuneInString(text[end:])
	next, _ := utf8.DecodeRuneInString(text[end+width:])
	switch {
	case before == '.' || after == '.' && unicode.IsLetter(next), strings.ContainsRune("`\"", before), strings.ContainsRune("`\"([{<", after):
		return true
	case !unicode.IsLetter(first), strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsUpper(r) || !unicode.IsLetter(r) }):
		return true
	}
	return unicode.IsUpper(first) && !beginsSentence(text[:start])
}

// beginsSentence reports whether a sentence begins after the text: the text ends with another
// sentence, or its last line has only punctuation.
func beginsSentence(before string) bool {
	end := strings.TrimRight(before, " \t")
	if end != before && end != "" && strings.ContainsRune(".!?", rune(end[len(end)-1])) {
		return true
	}
	last := strings.LastIndexFunc(before, func(r rune) bool { return r == '\n' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	return last < 0 || before[last] == '\n'
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

// NameUse is how a file uses a word.
type NameUse struct {
	// Lines is the number of lines in which it occurs.
	Lines int
	// AsName reports whether one of these lines writes it as a name ([writtenAsName]).
	AsName bool
}

// NamesIn returns how the lines of a file use each word.
func NamesIn(lines [][]byte) map[string]NameUse {
	used := map[string]NameUse{}
	for _, line := range lines {
		text, seen := string(line), map[string]bool{}
		eachName(text, func(start, end int) {
			word := text[start:end]
			use := used[word]
			if !seen[word] {
				seen[word] = true
				use.Lines++
			}
			if use.Lines <= rareLines { // beyond that it does not matter
				use.AsName = use.AsName || writtenAsName(text, start, end)
			}
			used[word] = use
		})
	}
	return used
}
