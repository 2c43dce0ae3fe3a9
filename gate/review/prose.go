package review

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
	if !severe().MatchString(text) {
		return nil
	}
	var file, priority labelled
	for number, line := range proseLines(text, objects) {
		if settled().MatchString(line) {
			file, priority = labelled{}, labelled{}
			continue
		}
		entry, ok := proseItem(line)
		if !ok {
			entry, ok = proseFields(line)
		}
		if ok && len(found) < maxListed {
			found = append(found, entry)
			continue
		}
		label := labels().FindStringSubmatch(line)
		switch {
		case label == nil:
			continue
		case label[1] != "":
			file = labelled{cutLabel(label[2]), number, true}
		case severeWord().MatchString(label[3]):
			priority = labelled{label[3], number, true}
		default:
			priority = labelled{}
		}
		if file.given && priority.given && max(file.line, priority.line)-min(file.line, priority.line) <= maxApart && len(found) < maxListed {
			found = append(found, Entry{File: file.value, Issue: line, Priority: unknownPriority})
			file, priority = labelled{}, labelled{}
		}
	}
	return found
}

// labelled is a value with a label, and its line.
type labelled struct {
	value string
	line  int
	given bool
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
	place := itemPlace().FindStringSubmatch(line)
	if place == nil {
		return Entry{}, false
	}
	lines := parseRange(place[2])
	return Entry{File: place[1], Start: lines.start, End: lines.end, Issue: strings.TrimSpace(line), Priority: unknownPriority}, true
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
	itemPlace = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([^\s\[\]()` + "`" + `'"*|<>:,;]*[./][^\s\[\]()` + "`" + `'"*|<>:,;]*\w):L?(\d+(?:[-–]\d+)?)`)
	})
	pathLike = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\S*(?:/\S*\w|\w\.\w{1,10})(?::\d+(?:[-–]\d+)?)?$`)
	})
	// labels are lines that give a file or a priority, in Markdown, YAML, TOML or XML.
	labels = sync.OnceValue(func() *regexp.Regexp {
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
)
