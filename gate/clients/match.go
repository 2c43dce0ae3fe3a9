package clients

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fit says how well a name fits a file; the smaller, the better.
type fit int

const (
	fitExact fit = iota
	// fitEntry is a name relative to the entry point under review.
	fitEntry
	// fitDiff is a name with git's prefix, as in "b/src/a.go".
	fitDiff
	// fitEnd is a name whose first folders are left out.
	fitEnd
	// fitLonger is a name with folders before it, of another checkout.
	fitLonger
	// fitFolded and fitFoldedPart are the same for a name in other letters.
	fitFolded
	fitFoldedPart
	// fitGuess is a name of which only the last part fits, a file at the root.
	fitGuess
)

// match is a file that a name may mean.
type match struct {
	fit  fit
	file int
	// path is the name as it was read, and lines those that it holds.
	path  string
	lines lineRange
	// part reports whether the name is one of several, or part of a sentence.
	part bool
}

// matches returns the files that a name may mean, the likeliest first.
func (r *Resolver) matches(name string) []match {
	if found, seen := r.seen[name]; seen {
		return found
	}
	var found []match
	for _, reading := range readings(name) {
		found = r.matchReading(found, reading)
	}
	if !slices.ContainsFunc(found, func(m match) bool { return m.fit < fitGuess }) {
		found = append(found, r.mentioned(name)...)
	}
	// Stable: of equal fits, the reading that takes the words most literally.
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.fit, b.fit) })
	r.seen[name] = found
	return found
}

// matchReading adds the files that a reading may mean.
func (r *Resolver) matchReading(found []match, reading reading) []match {
	name := path.Clean(reading.path)
	absolute := path.IsAbs(name) || len(name) > 2 && name[1] == ':' && name[2] == '/'
	if inside, ok := r.inside(name); ok {
		name, absolute = inside, false
	}
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	name = strings.TrimLeft(name, "/")
	if name == "" || name == "." || name == ".." {
		return found
	}
	m := matcher{r: r, found: found, reading: reading}
	m.add(fitExact, name, r.exact[name])
	m.folders(name)
	if r.entry != "." {
		joined := path.Join(r.entry, name)
		m.add(fitEntry, joined, r.exact[joined])
	}
	m.longer(name, name, absolute, r.exact, fitLonger)
	for _, key := range foldings(name) {
		m.add(fitFolded, name, r.folded[key])
		m.longer(name, key, absolute, r.folded, fitFoldedPart)
		m.ends(name, key)
	}
	return m.found
}

type matcher struct {
	r       *Resolver
	found   []match
	reading reading
}

func (m *matcher) add(fit fit, name string, files []int) {
	for _, file := range files {
		m.found = append(m.found, match{fit, file, name, m.reading.lines, m.reading.part})
	}
}

// maxParts is how many parts of a path are looked at.
const maxParts = 200

// folders adds the submodules in which a path lies.
func (m *matcher) folders(name string) {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '/') {
		for _, file := range m.r.exact[name[:end]] {
			if c := m.r.files[file].changed; c != nil && c.Folder && end < len(name) {
				m.add(fitExact, name, []int{file})
			}
		}
	}
}

// longer adds the files whose whole path is the end of the name, the longest first.
func (m *matcher) longer(name, key string, absolute bool, index map[string][]int, longer fit) {
	before, rest, nested := strings.Cut(key, "/")
	for n := 0; nested && n < maxParts; n++ {
		var next string
		fits := longer
		switch {
		case n == 0 && isDiffPrefix(before):
			fits = min(longer, fitDiff)
		case !absolute && !strings.Contains(rest, "/") && !strings.EqualFold(before, path.Base(m.r.root)):
			fits = fitGuess
		}
		m.add(fits, name, index[rest])
		next, rest, nested = strings.Cut(rest, "/")
		before = next
	}
}

// isDiffPrefix reports whether git puts the folder before the names in a diff.
func isDiffPrefix(folder string) bool {
	return len(folder) == 1 && strings.Contains("abciow", folder)
}

// ends adds the files whose path ends with the whole name.
func (m *matcher) ends(name, key string) {
	for _, index := range m.r.bases[path.Base(key)] {
		file := m.r.files[index]
		if strings.HasSuffix(file.path, "/"+name) {
			m.add(fitEnd, file.path, []int{index})
		} else if slices.ContainsFunc(file.folded, func(folded string) bool { return strings.HasSuffix(folded, "/"+key) }) {
			m.add(fitFoldedPart, file.path, []int{index})
		}
	}
}

// foldings returns what a path has in common with the ways in which it is copied: letter
// case, Unicode normal form, blanks, and U+FFFD in place of bytes that are not UTF-8. For
// such bytes there is a second one, read as Latin-1.
func foldings(p string) []string {
	folded := fold(strings.ToValidUTF8(p, "\uFFFD"))
	if utf8.ValidString(p) {
		return []string{folded}
	}
	var latin strings.Builder
	for len(p) > 0 {
		r, size := utf8.DecodeRuneInString(p)
		if size == 1 { // ASCII, or a byte that is not UTF-8
			r = rune(p[0])
		}
		latin.WriteRune(r)
		p = p[size:]
	}
	return []string{folded, fold(latin.String())}
}

func fold(p string) string {
	if isPlainASCII(p) && !strings.Contains(p, "  ") {
		return trimParts(strings.ToLower(p))
	}
	p = norm.NFKC.String(p)
	var b strings.Builder
	b.Grow(len(p))
	for _, r := range p {
		switch last := b.String(); {
		case unicode.Is(unicode.Cf, r):
		case unicode.IsSpace(r):
			if !strings.HasSuffix(last, " ") {
				b.WriteByte(' ')
			}
		case r == utf8.RuneError && strings.HasSuffix(last, "\uFFFD"):
		case unicode.Is(unicode.Pd, r):
			b.WriteByte('-')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return trimParts(b.String())
}

func isPlainASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// trimParts takes the blanks off the ends of each part of a path.
func trimParts(p string) string {
	if !strings.Contains(p, " ") {
		return p
	}
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, "/")
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }
