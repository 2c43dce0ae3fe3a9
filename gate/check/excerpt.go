package check

import (
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	// maxExcerpt is how many lines an excerpt has at most, and maxExcerptLine how many characters
	// of each it shows.
	maxExcerpt     = 10
	maxExcerptLine = 240
	// maxAfter is how many lines after the first line of a failure are searched.
	maxAfter = 200
)

// Excerpt returns the lines in the output of a failed check that say what failed and where, without
// colors: those of the first failing test, else the first places in files with their problems,
// else the last lines. It has at most ten lines, separated by LF, none of them blank. It reads the
// output once.
//
// Rule: A failure shows what was found.
func Excerpt(r io.Reader) string {
	e := &excerpt{lines: newLineReader(r)}
	for {
		line, more := e.next()
		if !more {
			return e.rest()
		}
		for _, f := range failures {
			if f.begins(line) {
				return strings.Join(e.failure(f, line), "\n")
			}
		}
		e.note(line)
	}
}

// excerpt collects what may become the excerpt while the output is read.
type excerpt struct {
	lines *lineReader
	// last are the last lines that are not blank, and file is the last of them that is not
	// indented.
	last []string
	file string
	// heard are the latest indented lines, each with the test that go test -v had named before it.
	// testing is the test named last. With -v a test's output comes before the line that says that
	// it failed.
	heard   []saying
	testing string
	// places are the first lines that begin with a place in a file, except for warnings, which are
	// in warnings.
	places, warnings []string
}

// saying is a line that a test has printed.
type saying struct{ test, line string }

// maxHeard is how many lines of tests are kept until it is known which of the tests failed.
const maxHeard = 1000

func (e *excerpt) next() (string, bool) {
	line, more := e.lines.next()
	return strings.TrimRightFunc(withoutColors(line), unicode.IsSpace), more
}

// note records a line that does not begin a test's failure.
func (e *excerpt) note(line string) {
	if line == "" {
		return
	}
	if e.last = append(e.last, shortened(line)); len(e.last) > maxExcerpt {
		e.last = e.last[1:]
	}
	isIndented := line[0] == ' ' || line[0] == '\t'
	mark, finding, _ := strings.Cut(strings.TrimSpace(line), " ")
	finding = strings.TrimSpace(finding)
	switch {
	case len(e.places) == maxExcerpt:
	case isIndented && finding == "" && strings.Count(mark, ":") > 1: // the heading of a file in the output of xo
		e.file, _, _ = strings.Cut(mark, ":")
		e.add(&e.warnings, line)
	case isIndented && mark == "✖" && isPosition(finding):
		e.add(&e.places, e.file+":"+finding)
	case isIndented && mark == "⚠" && isPosition(finding):
		e.add(&e.warnings, e.file+":"+finding)
	case isIndented && stylish().MatchString(line) && e.file != "":
		e.place(path.Clean(strings.TrimSpace(e.file)) + ":" + strings.TrimSpace(line))
	case isPlace(line):
		e.place(line)
	}
	switch {
	case strings.HasPrefix(line, "=== "):
		e.testing = line[strings.LastIndexByte(line, ' ')+1:]
	case !isIndented:
		e.file = line
	case e.testing != "":
		if len(e.heard) == maxHeard {
			e.heard = slices.Delete(e.heard, 0, maxHeard/2)
		}
		e.heard = append(e.heard, saying{e.testing, shortened(line)})
	}
}

// saidBefore returns the recorded output of the tests that go test reports as failed.
func (e *excerpt) saidBefore(found []string) (lines []string) {
	for _, line := range found {
		words := strings.Fields(line)
		if len(words) < 3 || words[1] != "FAIL:" {
			continue
		}
		for _, heard := range e.heard {
			if heard.test == words[2] {
				lines = append(lines, heard.line)
			}
		}
	}
	return lines
}

func (e *excerpt) place(line string) {
	list := &e.places
	if lower := strings.ToLower(line); strings.Contains(lower, "warning") || strings.Contains(lower, " note:") {
		list = &e.warnings
	}
	e.add(list, line)
}

func (e *excerpt) add(list *[]string, line string) {
	if len(*list) < maxExcerpt {
		*list = append(*list, shortened(line))
	}
}

// rest returns the excerpt of an output that does not report a failed test.
func (e *excerpt) rest() string {
	for _, list := range [][]string{e.places, e.warnings, e.last} {
		if len(list) > 0 {
			return strings.Join(list, "\n")
		}
	}
	return ""
}

// failure returns the lines of a failure that begins with the line first.
func (e *excerpt) failure(f failure, first string) []string {
	found := []string{shortened(first)}
	if f.headed && len(e.last) > 0 {
		found = []string{e.last[len(e.last)-1], shortened(first)}
	}
	for range maxAfter {
		line, _ := e.next() // "" after the last
		if f.ends(line) {
			break
		}
		if line != "" && f.belongs(line) {
			found = append(found, shortened(line))
			if f.last != nil && f.last(line) {
				break
			}
		}
	}
	if f.before != nil && !slices.ContainsFunc(found, isPlace) {
		found = append(found, f.before(e, found)...)
	}
	return found[:min(len(found), maxExcerpt)]
}

// failure is the output of a test runner for a failed test.
type failure struct {
	// begins matches its first line, belongs those lines after it that say what is wrong, and ends
	// a line that is no longer part of it. last, if it is set, matches the line with the place,
	// after which nothing of interest follows.
	begins, belongs, ends, last func(line string) bool
	// before, if it is set, returns what was printed before the first line. It is used if the lines
	// after it do not name a place.
	before func(e *excerpt, found []string) []string
	// headed means that the line before the first one is its heading, and that no test is reported.
	headed bool
	// counts means that the first line begins with the number of failed tests, and repeats that a
	// summary may have the first line of a test again.
	counts, repeats bool
}

var (
	// stylish matches a finding in the output of eslint, below the name of the file.
	stylish = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]+\d+:\d+\s+(error|warning)\s`) })
	failing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+ failing$`) })
)

// failures are the known test runners. Their beginnings are compared with a line in this order.
var failures = []failure{
	{ // go test
		begins:  prefix("--- FAIL: "),
		belongs: func(line string) bool { return prefix(" ", "\t", "panic: ")(line) && !passedOrFrame(line) },
		ends:    prefix("--- ", "=== ", "FAIL", "ok ", "PASS", "exit status"),
		before:  (*excerpt).saidBefore,
	},
	{ // a panic in Go
		begins:  prefix("panic: "),
		belongs: contains("_test.go:"),
		ends:    prefix("FAIL", "exit status"),
		last:    contains("_test.go:"),
	},
	{ // TAP
		begins: func(line string) bool {
			if !trimmedPrefix("not ok ")(line) || strings.HasSuffix(line, " {") { // its subtests follow
				return false
			}
			lower := strings.ToLower(line)
			return !strings.Contains(lower, "# todo") && !strings.Contains(lower, "# skip")
		},
		belongs: not(trimmedPrefix("---", "duration_ms:", "type:", "failureType:", "code:", "name:", "...")),
		ends: func(line string) bool {
			if trimmedPrefix("#  ")(line) { // output of a test in Perl
				return false
			}
			return trimmedPrefix("ok ", "not ok ", "stack:", "1..", "...", "#")(line) || line != "" && !prefix(" ", "\t")(line)
		},
	},
	{ // pytest
		begins:  isUnderlined,
		belongs: anyOf(prefix(">", "E "), isPlace),
		ends:    anyOf(prefix("===="), isUnderlined),
	},
	{ // pytest without details: only its summary names the test
		begins: func(line string) bool { return prefix("FAILED ", "ERROR ")(line) && contains(".py")(line) },
		ends:   func(string) bool { return true },
		before: func(e *excerpt, _ []string) []string { return e.places },
	},
	{ // unittest
		begins:  prefix("FAIL: ", "ERROR: "),
		belongs: anyOf(trimmedPrefix("File "), contains("Error")),
		ends:    prefix("====", "Ran "),
	},
	{ // jest
		begins:  func(line string) bool { return trimmedPrefix("● ")(line) && !contains("● Console")(line) },
		belongs: anyOf(isFrame, trimmedPrefix("Cannot find", "expect(", "Expected", "Received", ">"), func(line string) bool { return contains("Error")(line) && !trimmedPrefix("at ")(line) }),
		ends:    trimmedPrefix("● ", "Test Suites:"),
		last:    isFrame,
		repeats: true,
	},
	{ // vitest
		begins:  func(line string) bool { return trimmedPrefix("FAIL ")(line) && contains(" > ", " [ ")(line) },
		belongs: anyOf(contains("Error:"), trimmedPrefix("❯", "- ", "+ ")),
		ends:    trimmedPrefix("FAIL ", "Test Files"),
		last:    trimmedPrefix("❯"),
	},
	{ // node --test
		begins:  prefix("test at "),
		belongs: func(line string) bool { return !prefix("    at ")(line) || isFrame(line) },
		ends:    prefix("test at "),
		last:    isFrame,
	},
	{ // mocha
		begins: func(line string) bool {
			return strings.HasSuffix(line, " failing") && failing().MatchString(strings.TrimSpace(line))
		},
		belongs: not(trimmedPrefix("at node:", "at process.")),
		ends:    trimmedPrefix("2) "),
		last:    isFrame,
		counts:  true,
	},
	{ // cargo test
		begins:  func(line string) bool { return prefix("---- ")(line) && strings.HasSuffix(line, " stdout ----") },
		belongs: func(string) bool { return true },
		ends:    prefix("---- ", "failures:", "test result:", "note:", "stack backtrace:"),
	},
	{ // places in the output of rustc and ruff, below a line that says what is wrong
		begins:  trimmedPrefix("--> "),
		belongs: func(line string) bool { return contains("|")(line) && !strings.HasSuffix(line, "|") },
		ends:    func(line string) bool { return line == "" },
		headed:  true,
	},
}

// isPlace reports whether the line begins with a place in a file.
func isPlace(line string) bool {
	_, _, ok := place(line)
	return ok
}

// passedOrFrame reports whether a line in the output of go test is about a test that did not fail,
// or about a call in code outside of tests.
func passedOrFrame(line string) bool {
	return trimmedPrefix("--- PASS: ", "--- SKIP: ")(line) || contains(" +0x")(line) && !contains("_test.go:")(line)
}

// isPosition reports whether a text begins with a line number and a column.
func isPosition(s string) bool {
	line := leadingDigits(s)
	return line != "" && strings.HasPrefix(s[len(line):], ":")
}

// isUnderlined reports whether the line is the title of a failure in the output of pytest.
func isUnderlined(line string) bool {
	return strings.HasPrefix(line, "___") && strings.HasSuffix(line, "___") && strings.Contains(line, "_ ")
}

// isFrame reports whether the line is a frame of a call stack in the project's own code.
func isFrame(line string) bool {
	return trimmedPrefix("at ")(line) && contains(":")(line) && !contains("node_modules", "node:")(line)
}

func prefix(words ...string) func(string) bool {
	return func(line string) bool {
		for _, word := range words {
			if strings.HasPrefix(line, word) {
				return true
			}
		}
		return false
	}
}

func trimmedPrefix(words ...string) func(string) bool {
	starts := prefix(words...)
	return func(line string) bool { return starts(strings.TrimLeft(line, " \t")) }
}

func contains(words ...string) func(string) bool {
	return func(line string) bool {
		for _, word := range words {
			if strings.Contains(line, word) {
				return true
			}
		}
		return false
	}
}

func anyOf(tests ...func(string) bool) func(string) bool {
	return func(line string) bool {
		for _, test := range tests {
			if test(line) {
				return true
			}
		}
		return false
	}
}

func not(test func(string) bool) func(string) bool {
	return func(line string) bool { return !test(line) }
}

// shortened cuts a line, between two characters, to the length that an excerpt shows.
func shortened(line string) string {
	line = strings.ToValidUTF8(line, "\uFFFD")
	for i := range line {
		if i >= maxExcerptLine {
			return line[:i] + "…"
		}
	}
	return line
}
