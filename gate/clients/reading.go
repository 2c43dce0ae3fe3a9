package clients

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// reading is one way to understand a reviewer's name for a file.
type reading struct {
	path string
	// lines are those that were removed from the end of the name.
	lines lineRange
	// part reports whether the path is one of several names, or a word of a sentence.
	part bool
}

const (
	// maxReadings bounds the work on one name.
	maxReadings = 160
	// maxName is the longest name, in bytes, that is read in more ways than one.
	maxName = 4096
	// maxNames is how many names in one are looked at.
	maxNames = 16
	// maxCuts is how many ends of a name are tried as a note.
	maxCuts = 8
)

// readings returns the ways to understand a name, the most literal first: each is made
// from an earlier one by one of the rewritings.
func readings(name string) []reading {
	all := []reading{{path: name}}
	if len(name) > maxName {
		return all
	}
	type key struct {
		path  string
		lines lineRange
	}
	seen := map[string]int{name: 0}
	seenLines := map[key]bool{}
	add := func(next reading) {
		at, known := seen[next.path]
		switch {
		case known && at > 0 && all[at].lines.start == 0:
			all[at].lines = next.lines // the same path, with the lines behind it
		case next.path == "" || len(all) >= maxReadings:
			return
		case !known:
			seen[next.path] = len(all)
			all = append(all, next)
		case next.lines.start > 0 && !seenLines[key{next.path, next.lines}]:
			all = append(all, next) // several notes behind it have lines, and any may be meant
		}
		seenLines[key{next.path, next.lines}] = true
	}
	for i := 0; i < len(all); i++ {
		for _, rewrite := range []func(reading, func(reading)){
			unwrap, unquote, unescape, unlink, withoutPlace, withoutNote, separate,
		} {
			rewrite(all[i], add)
		}
	}
	return all
}

// with returns the reading with another path.
func (r reading) with(path string) reading {
	r.path = path
	return r
}

// unwrap takes off blanks, and what a name is at times wrapped in.
func unwrap(r reading, add func(reading)) {
	add(r.with(strings.TrimFunc(r.path, isBlankRune)))
	add(r.with(strings.Trim(r.path, "`'\"*_“”‘’«»<>")))
	add(r.with(strings.Trim(r.path, "()[]{}")))
	add(r.with(strings.TrimRight(r.path, ".,;:!?")))
	if span, ok := onlySpan(r.path); ok {
		add(r.with(span))
	}
}

// isBlankRune reports whether a rune shows nothing.
func isBlankRune(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || r == '\u3164' || r == '\u2800'
}

// onlySpan returns the one code span of a Markdown text.
func onlySpan(text string) (span string, ok bool) {
	parts := strings.Split(text, "`")
	if len(parts) != 3 {
		return "", false
	}
	return parts[1], true
}

// unquote undoes the quoting that a diff's header has for a name with control
// characters, quotes or backslashes, with or without the quotes around it.
func unquote(r reading, add func(reading)) {
	if !strings.Contains(r.path, `\`) {
		return
	}
	for _, quoted := range []string{r.path, `"` + r.path + `"`, `"` + strings.ReplaceAll(strings.Trim(r.path, `"`), `"`, `\"`) + `"`} {
		if name, err := strconv.Unquote(quoted); err == nil && quoted[0] == '"' {
			add(r.with(name))
		}
	}
}

// unescape undoes the separators of Windows, and what a URL adds.
func unescape(r reading, add func(reading)) {
	add(r.with(slashed(r.path)))
	if scheme, rest, found := strings.Cut(r.path, "://"); found && !strings.ContainsAny(scheme, "/ ") {
		add(r.with("/" + strings.TrimLeft(rest, "/")))
		bare, _, _ := strings.Cut(rest, "?")
		add(r.with("/" + strings.TrimLeft(bare, "/")))
	}
	if strings.Contains(r.path, "%") {
		if plain, err := url.PathUnescape(r.path); err == nil {
			add(r.with(plain))
		}
	}
	for _, ellipsis := range []string{".../", "…/", `...\`, `…\`} {
		if _, end, found := strings.Cut(r.path, ellipsis); found {
			add(r.with(end))
		}
	}
}

var (
	markdownLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`!?\[([^\]]*)\]\(\s*<?([^)>]*?)>?(?:\s+"[^"]*")?\s*\)`)
	})
	referenceLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*\[([^\]]+)\]\s*(?:\[[^\]]*\]|:\s*(\S+))`)
	})
	renameBraces = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.*)\{(.*?) *=> *(.*?)\}(.*)$`)
	})
)

// unlink takes the target and the text of Markdown links, and both names of a rename in
// git's short form.
func unlink(r reading, add func(reading)) {
	links := markdownLink().FindAllStringSubmatch(r.path, maxNames)
	for _, link := range links {
		next := r
		next.part = r.part || len(links) > 1
		add(next.with(link[2]))
		add(next.with(link[1]))
	}
	if link := referenceLink().FindStringSubmatch(r.path); link != nil {
		add(r.with(link[1]))
		add(r.with(link[2]))
	}
	if parts := renameBraces().FindStringSubmatch(r.path); parts != nil {
		add(r.with(strings.ReplaceAll(parts[1]+parts[3]+parts[4], "//", "/")))
		add(r.with(strings.ReplaceAll(parts[1]+parts[2]+parts[4], "//", "/")))
	}
}

// placeStart are the characters after which lines may stand.
const placeStart = ":#@ \t,;([{|+~"

// withoutPlace takes lines off the end of a name: ":10:5", "#L10-L14", " (line 10)".
func withoutPlace(r reading, add func(reading)) {
	cuts := 0
	for at := len(r.path) - 1; at > 0 && cuts < maxCuts; at-- {
		if strings.IndexByte(placeStart, r.path[at]) < 0 {
			continue
		}
		cuts++
		if r.path[at] == '[' && r.path[at-1] == ']' {
			continue // the number of a link's target
		}
		lines := parseRange(strings.Trim(r.path[at+1:], " \t)]}.,;"))
		if lines.start == 0 {
			continue
		}
		add(reading{strings.TrimRight(r.path[:at], placeStart), lines, r.part})
	}
}

// cutPlace takes lines off a name behind a colon or a hash, and nothing else.
func cutPlace(name string) (bare string, lines lineRange) {
	bare = name
	for range 2 {
		at := strings.LastIndexAny(bare, ":#")
		if at <= 0 {
			break
		}
		found := parseRange(bare[at+1:])
		if found.start == 0 {
			break
		}
		bare, lines = bare[:at], found
	}
	return bare, lines
}

// noteStart are the characters at which what is not the name may begin.
const noteStart = ":#@ \t\n\r,;([{|><?"

// withoutNote takes symbols and notes off the end: ":symbol()", " (new)", " - see below".
func withoutNote(r reading, add func(reading)) {
	cuts := 0
	for at := len(r.path) - 1; at > 0 && cuts < maxCuts; at-- {
		if strings.IndexByte(noteStart, r.path[at]) >= 0 {
			cuts++
			next := r.with(strings.TrimRight(r.path[:at], noteStart+"-–—"))
			next.part = r.part || nameSeparators().MatchString(r.path[len(next.path):]) // what follows may be another name
			add(next)
		}
	}
}

// separate takes one name after the other from several, and the words of a sentence that
// may be a path.
func separate(r reading, add func(reading)) {
	r.part = true
	for _, name := range splitNames(r.path) {
		add(r.with(name))
	}
	words := strings.FieldsFunc(r.path, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"'`()<>", c) })
	for _, word := range words[:min(len(words), maxNames)] {
		if strings.ContainsAny(word, "./\\") {
			add(r.with(word))
		}
	}
	// A name behind a label: "file:a.txt", "file: my notes.txt".
	rest := r.path
	for range min(len(words), maxCuts) {
		at := strings.IndexAny(rest, " \t\n:")
		if at < 0 {
			break
		}
		rest = strings.TrimLeft(rest[at:], " \t\n:")
		add(r.with(rest))
	}
}

var nameSeparators = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s*(?:<?[-=]+>|→|⇒|➜|\n|,|;|\||&)\s*|\s+(?:and|or|und|to|\+)\s+`)
})

// splitNames splits a list of names, or the two of a rename, and returns none where there
// is but one.
func splitNames(text string) []string {
	var names []string
	for _, name := range nameSeparators().Split(text, maxNames+1) {
		name = strings.TrimSpace(name)
		for _, word := range []string{"and ", "or "} { // "a.go, b.go, and c.go"
			name = strings.TrimPrefix(name, word)
		}
		if name != "" && name != text {
			names = append(names, name)
		}
	}
	if len(names) > maxNames {
		names = names[:maxNames]
	}
	return names
}
