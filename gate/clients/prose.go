package clients

import (
	"regexp"
	"strings"
	"sync"
)

// proseFindings are what the text around the objects lists as severe: an item of a list or a
// row of a table with a file and its priority, or lines that give both. Only who knows the
// files of the repository can tell whether they are more than an example.
//
// Rule: Violations beside the answer are an error.
func proseFindings(text string, objects []span) (found []Entry) {
	if !severe().MatchString(text) && !strings.ContainsAny(text, "🔴⛔🚨") && !bareList().MatchString(text) {
		return nil
	}
	var labels labelled
	under := false
	for number, line := range proseLines(text, objects) {
		if len(found) == maxListed {
			break
		}
		if settles(line, settled()) {
			labels, under = labelled{}, under && listed().MatchString(line)
			continue
		}
		if isHeading := heading().MatchString(line); isHeading || !isBlank(line) && !listed().MatchString(line) {
			under = isHeading && severeHeading().MatchString(line)
		}
		belowHeading := func(line string) (Entry, bool) {
			return proseAt(line, under && listed().MatchString(line) && !settles(line, approving()))
		}
		for _, read := range []func(string) (Entry, bool){proseItem, proseFields, labels.at(number), proseMarked, belowHeading} {
			if entry, ok := read(line); ok {
				found = append(found, entry)
				break
			}
		}
	}
	return found
}

// labelled is a finding whose file and priority have lines of their own, as far as it was
// read.
type labelled struct {
	file                   string
	fileLine, priorityLine int // counted from 1; 0: not yet
}

// at reads the line with the number.
func (l *labelled) at(number int) func(line string) (Entry, bool) {
	return func(line string) (Entry, bool) {
		label := labelLine().FindStringSubmatch(line)
		switch {
		case label == nil:
			return Entry{}, false
		case label[1] != "":
			l.file, l.fileLine = cutLabel(label[2]), number+1
		case severeWord().MatchString(label[3]):
			l.priorityLine = number + 1
		default:
			l.priorityLine = 0
		}
		if l.fileLine == 0 || l.priorityLine == 0 || max(l.fileLine, l.priorityLine)-min(l.fileLine, l.priorityLine) > maxApart {
			return Entry{}, false
		}
		entry := Entry{File: l.file, Issue: strings.TrimSpace(line), Priority: unknownPriority}
		*l = labelled{}
		return entry, true
	}
}

// maxApart is how many lines apart the file and the priority of one finding may stand.
const maxApart = 6

// proseLines are the lines of the text outside of the objects.
func proseLines(text string, objects []span) (lines []string) {
	at := 0
	for _, object := range append(objects[:len(objects):len(objects)], span{len(text), len(text)}) {
		lines = append(lines, strings.Split(text[at:object.start], "\n")...)
		at = object.end
	}
	return lines
}

// proseItem reads an item of a list, a row of a table or a heading that names a file and a
// priority.
func proseItem(line string) (Entry, bool) {
	if !item().MatchString(line) || !severe().MatchString(line) {
		return Entry{}, false
	}
	if strings.HasPrefix(strings.TrimSpace(line), "|") {
		return proseRow(line)
	}
	return proseAt(line, true)
}

// proseMarked reads a line that names a place, and a priority that stands by itself, or that
// is part of a list of texts.
func proseMarked(line string) (Entry, bool) {
	return proseAt(line, (marked().MatchString(line) || bareList().MatchString(line)) && !settles(line, approving()))
}

// proseAt is the entry of a line with a place, if the line is one.
func proseAt(line string, is bool) (Entry, bool) {
	if !is {
		return Entry{}, false
	}
	place := itemPlace().FindStringSubmatch(line)
	if place == nil {
		return Entry{}, false
	}
	lines := parseRange(place[2])
	return Entry{File: place[1], Start: lines.start, End: lines.end, Issue: strings.TrimSpace(line), Priority: unknownPriority}, true
}

// settles reports whether a line has words that say of a problem that it is none, or none any
// more, and does not deny them.
func settles(line string, words *regexp.Regexp) bool {
	for _, at := range words.FindAllStringIndex(line, -1) {
		if before := line[max(0, at[0]-24):at[0]]; !negation().MatchString(before) {
			return true
		}
	}
	return false
}

// proseRow reads a row of a table with cells for the file, the priority and perhaps the line.
func proseRow(row string) (Entry, bool) {
	entry, isSevere := Entry{Issue: strings.TrimSpace(row), Priority: unknownPriority}, false
	for cell := range strings.SplitSeq(row, "|") {
		cell = strings.Trim(cell, " \t`*_")
		lines := parseRange(cell)
		switch {
		case severeWord().MatchString(cell):
			isSevere = true
		case lines.start > 0 && entry.Start == 0:
			entry.Start, entry.End = lines.start, lines.end
		case entry.File == "" && pathLike().MatchString(cell):
			entry.File = cell
		}
	}
	return entry, isSevere && entry.File != ""
}

// proseFields reads a line with a file and a priority, as XML and programs have them.
func proseFields(line string) (Entry, bool) {
	file := inlineFile().FindStringSubmatch(line)
	if file == nil || !inlineSeverity().MatchString(line) {
		return Entry{}, false
	}
	return Entry{File: file[1], Issue: strings.TrimSpace(line), Priority: unknownPriority}, true
}

// cutLabel takes off a value what its format puts around it.
func cutLabel(value string) string {
	value, _, _ = strings.Cut(value, "</")
	return strings.Trim(value, " \t\r\"'`*_,;<>")
}

const severeWords = `(?:critical|high|blocker|major|p0|p1)`

var (
	severe     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b` + severeWords + `\b`) })
	severeWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[^a-z0-9]*` + severeWords + `(?:[ -](?:priority|severity))?[^a-z0-9]*$`)
	})
	// item is what is listed with a priority that stands out: in front, behind the place, or
	// with a label; and the row of a table.
	item = sync.OnceValue(func() *regexp.Regexp {
		const (
			marker = `(?:[-*+•]|\d+[.)]|#{1,6})[ \t]+`
			front  = `[^\w\n]{0,8}` + severeWords + `(?:[ -](?:priority|severity))?(?:[\])*_:` + "`" + `]|[ \t]+[–—-][ \t])`
			behind = `.*?:L?\d+(?:[-–]\d+)?[^\w\n]{0,4}[\[(*_` + "`" + `]` + severeWords + `[\])*_` + "`" + `]`
			label  = `.*?\b(?:priority|severity)[^\w\n]{1,6}` + severeWords + `\b`
		)
		return regexp.MustCompile(`(?i)^[ \t>]*(?:\||` + marker + `(?:` + front + `|` + behind + `|` + label + `))`)
	})
	// marked is a line with a priority that cannot be part of a sentence: as its label, between
	// marks, or as the kind of a problem.
	marked = sync.OnceValue(func() *regexp.Regexp {
		const kind = `(?:[ -](?:priority|severity|issue|bug|problem|vulnerability|finding|violation))`
		return regexp.MustCompile(`(?i)^[^\pL\pN]*` + severeWords + kind + `?[\])*_]*(?:[:\])]|[ \t][–—-][ \t])` +
			`|[\[(]` + severeWords + `[\])]|[ \t][–—-][ \t]` + severeWords + `[ \t][–—-][ \t]` +
			`|^[^\pL\pN]*[🔴⛔🚨]`)
	})
	// bareList is a line of a list of texts that is JSON.
	bareList = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*\[[ \t]*"[^"\n]*[./][^"\n]*:L?\d`)
	})
	heading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[ \t]*(?:#{1,6}[ \t]|\*\*.*\*\*:?[ \t]*$|.*:[ \t]*$)`)
	})
	severeHeading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[^\pL\pN]*` + severeWords + `(?:[ -](?:priority|severity))?(?: (?:issues|bugs|problems|findings|violations))?[^\pL\pN]*\d*[^\pL\pN]*$`)
	})
	listed    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t>]*(?:[-*+•]|\d+[.)])[ \t]`) })
	itemPlace = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([^\s\[\]()` + "`" + `'"*|<>:,;#]*[./][^\s\[\]()` + "`" + `'"*|<>:,;#]*\w)` + "[`*\"']*" + `(?::L?|#L|[ ,(]{1,3}lines? )(\d+(?:[-–]\d+)?)`)
	})
	pathLike = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\S*(?:/\S*\w|\w\.\w{1,10})(?::\d+(?:[-–]\d+)?)?$`)
	})
	// labelLine is a line that gives a file or a priority, in Markdown, YAML, TOML or XML.
	labelLine = sync.OnceValue(func() *regexp.Regexp {
		const sign = `\W{0,4}[:=>]\W{0,4}`
		return regexp.MustCompile(`(?i)^\W*(?:(file|path|location)` + sign + `(\w\S*|[./]\S+)|(?:priority|severity)` + sign + `(\w+))`)
	})
	inlineFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:file|path|location)["']?[ \t]*[=:>][ \t]*["']?([^\s"'<>,;()]*[./][^\s"'<>,;()]*\w)`)
	})
	inlineSeverity = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:priority|severity|level)["']?[ \t]*[=:>][ \t]*["']?` + severeWords + `\b`)
	})
	// settled is what is said of problems that are none, or none any more.
	settled = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:fixed|resolved|addressed|no longer|false positive|not an? (?:issue|problem)|no (?:issue|problem)s?|previous(?:ly)?|skipped)\b|[✓✔✅☑]|~~`)
	})
	// approving are also words that may be part of a problem's description: they settle only
	// what is less certain to be one.
	approving = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(settled().String() + `|(?i)\b(?:not an? (?:bug|concern|regression)|no (?:concern|finding|violation|bug)s?|handled|mitigated|correct|correctly|properly|safe|safely|fine|good|ok|okay|covered|acceptable|guarded|intended|intentional|by design|nothing|none|passes|looks)\b`)
	})
	negation = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:\b(?:not|never|nor|without|un|cannot)\b|n['’]t\b|-)(?:\W+\w+)?\W*$`)
	})
)
