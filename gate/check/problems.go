package check

import (
	"bufio"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"unicode"
)

const (
	// maxLine is how many bytes of a line are examined.
	maxLine = 4096
	// maxProblems bounds the places that are remembered, and so the count.
	maxProblems = 100_000
)

// countProblems returns how many problems the output of a failed check reports: the failed tests of
// a known test runner, else the different places in files that it names, and at least 1, because
// something has failed. A place is `file:line:` or `file(line,column):` at the start of a line, after
// blanks, or a line of eslint below the name of the file; colors do not matter. Lines may have any
// length, but only their first 4096 bytes count; at most 100,000 places are counted. If reading the
// output fails, what was read before is counted.
func countProblems(r io.Reader) int {
	lines := newLineReader(r)
	var tests testCount
	places, heading := distinct{}, ""
	for len(places) < maxProblems {
		line, more := lines.next()
		if !more {
			break
		}
		line = strings.TrimRightFunc(withoutColors(line), unicode.IsSpace)
		tests.add(line)
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		file, number, ok := place(line)
		switch {
		case ok:
			places.add(file + ":" + number)
		case indented && stylish().MatchString(line):
			places.add(heading + ":" + strings.Fields(line)[0])
		case !indented && line != "":
			heading = line
		}
	}
	if tests.failed > 0 {
		return tests.failed
	}
	return max(1, len(places))
}

// distinct is a set of texts, of which only hashes are kept.
type distinct map[uint64]struct{}

// add reports whether the text is new.
func (d distinct) add(text string) bool {
	h := fnv.New64a()
	io.WriteString(h, text) // a hash never fails
	before := len(d)
	d[h.Sum64()] = struct{}{}
	return len(d) > before
}

// testCount counts the tests that a test runner reports as failed.
type testCount struct {
	// runner is the one that was the first to report a test. What the others would report was
	// printed by its tests, or repeats it.
	runner *failure
	failed int
	named  distinct // what the runner may name again
	indent int      // of the last report
}

func (c *testCount) add(line string) {
	if c.runner == nil {
		for i := range failures {
			if !failures[i].headed && failures[i].begins(line) {
				c.runner, c.named = &failures[i], distinct{}
				break
			}
		}
	}
	words := strings.TrimLeft(line, " \t")
	if words == "}" { // ends a test in TAP that stands before its subtests
		c.indent = 0
	}
	if c.runner == nil || !c.runner.begins(line) || c.runner.repeats && !c.named.add(line) {
		return
	}
	indent := len(line) - len(words)
	subtests := indent < c.indent // that failed were counted
	c.indent = indent
	if subtests {
		return
	}
	n := 1
	if c.runner.counts {
		n, _ = strconv.Atoi(leadingDigits(words)) // the greatest int if it is greater
	}
	c.failed = min(c.failed+min(max(1, n), maxProblems), maxProblems)
}

// place returns the file and line number that a line of output begins with. Names with blanks are
// not recognized.
func place(line string) (file, number string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	word := line
	if end := strings.IndexAny(line, " \t"); end >= 0 {
		word = line[:end]
	}
	if startsWithDate(word) {
		return "", "", false
	}
	letter := false // a name has one, a time of day does not
	for i, c := range []byte(word) {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			letter = true
		case strings.HasPrefix(word[i:], "://"):
			return "", "", false // a URL, perhaps with a port
		case letter && (c == ':' || c == '('):
			if number, ok := lineNumber(word[i:]); ok {
				return word[:i], number, true
			}
		}
	}
	return "", "", false
}

// lineNumber returns the number in what follows a file's name: `:number:` or
// `(number,column):`.
func lineNumber(s string) (number string, ok bool) {
	number = leadingDigits(s[1:])
	rest := s[1+len(number):]
	if number == "" {
		return "", false
	}
	return number, s[0] == ':' && strings.HasPrefix(rest, ":") || s[0] == '(' && closesPlace(rest)
}

// closesPlace reports whether rest begins with `,column):` or `):`.
func closesPlace(rest string) bool {
	if after, ok := strings.CutPrefix(rest, ","); ok {
		rest = after[len(leadingDigits(after)):]
	}
	return strings.HasPrefix(rest, "):")
}

func leadingDigits(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		return s
	}
	return s[:end]
}

// startsWithDate reports whether the name begins like 2006-01-02.
func startsWithDate(name string) bool {
	name = strings.TrimLeft(name, "[(\"")
	year := leadingDigits(name)
	return len(year) == 4 && strings.HasPrefix(name[4:], "-") && len(leadingDigits(name[5:])) == 2
}

// withoutColors removes the terminal's control sequences (CSI and OSC).
func withoutColors(line string) string {
	if !strings.Contains(line, "\x1b") {
		return line
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(line, "\x1b")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		line = afterSequence(after)
	}
}

// afterSequence returns what follows an escape sequence, which is given without its first
// character.
func afterSequence(s string) string {
	switch {
	case strings.HasPrefix(s, "["):
		end := strings.IndexFunc(s[1:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if end >= 0 {
			return s[1+end+1:]
		}
	case len(s) > 1 && (s[0] == '(' || s[0] == ')'): // selects a character set
		return s[2:]
	case strings.HasPrefix(s, "]"):
		if end := strings.IndexAny(s, "\x07\x1b"); end >= 0 && s[end] == '\x07' {
			return s[end+1:]
		} else if end >= 0 {
			return strings.TrimPrefix(s[end+1:], `\`)
		}
	}
	return s
}

// lineReader reads lines of any length. It keeps the first [maxLine] bytes of each, without the
// line end.
type lineReader struct {
	r *bufio.Reader
	// pending are lines to return first.
	pending []string
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, maxLine)}
}

// next returns false at the end of the text, or if reading fails.
func (l *lineReader) next() (string, bool) {
	if len(l.pending) > 0 {
		line := l.pending[0]
		l.pending = l.pending[1:]
		return line, true
	}
	part, err := l.r.ReadSlice('\n')
	line := string(part)
	for err == bufio.ErrBufferFull {
		_, err = l.r.ReadSlice('\n')
	}
	if line == "" {
		return "", false
	}
	return strings.TrimRight(line, "\r\n"), true
}

// FirstPlace returns the first place in a file that the log of a check names, by the rules of
// [countProblems]. The file is named as in the log.
func FirstPlace(log io.Reader) (file string, line int, ok bool) {
	lines := newLineReader(log)
	for {
		text, more := lines.next()
		if !more {
			return "", 0, false
		}
		if file, number, found := place(withoutColors(text)); found {
			if line, err := strconv.Atoi(number); err == nil && line > 0 {
				return file, line, true
			}
		}
	}
}
