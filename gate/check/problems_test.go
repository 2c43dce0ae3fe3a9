package check

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

func TestCountProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, output string
		want         int
	}{
		{"nothing", "", 1},
		{"no place", "make: *** [all] Error 2\n", 1},
		{"line", "a.go:1: x\nb.go:2: y\n", 2},
		{"line and column", "a.go:1:2: x\na.go:1:9: y\n./a.go:1:2: other spelling\n", 2},
		{"typescript", "src/a.ts(12,5): error TS1\nsrc/a.ts(13,5): error TS2\n", 2},
		{"line in brackets", "a.cs(12): error\n", 1},
		{"typescript pretty", "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m12\x1b[0m:\x1b[93m5\x1b[0m - error\nb.ts:1:1 - error\n", 2},
		{"hyperlink", "\x1b]8;;file:///a\x1b\\a.go\x1b]8;;\x07:3: x\nb.go:3: x\n", 2},
		{"indented", "    a_test.go:7: got 1\n\tb_test.go:8: got 2\n", 2},
		{"no newline at the end", "a.go:1: x\nb.go:2: y", 2},
		{"CRLF", "a.go:1:\r\na.go:2:\r\n", 2},
		{"Windows", "C:\\src\\a.ts:12:5: x\nC:\\src\\a.ts:13:5: x\n", 2},
		{"times", "12:34:56: started\n[12:34:57:1] x\n2026-01-02T12:34:56: x\n2026-01-02T12:34:57: x\n", 1},
		{"a place, and times", "a.go:1: x\n2026-01-02T12:34:56: x\n", 1},
		{"no column behind the comma", "a.ts(1,): x\nb.ts(2,): x\n", 2},
		{"times in brackets of all kinds", "[12:34:57:1] x\n[13:35:57:1] x\n{12:34:57:1} x\n{13:35:57:1} x\n~7:1: x\n_7:2: x\n", 1},
		{"addresses", "http://localhost:8080: refused\nhttp://localhost:8081: refused\n", 1},
		{"a place, and an address", "a.go:1: x\nhttp://localhost:8080: refused\n", 1},
		{"inside a line", "see a.go:1: x\nsee b.go:2: y\n", 1},
		{"no colon after the number", "a.go:1 x\nb.go:2\n", 1},
		{"make", "Makefile:3: recipe failed\nMakefile:9: recipe failed\n", 2},
		{"a long line before", strings.Repeat("x", 3*maxLine) + "\na.go:1: x\nb.go:1: x\n", 2},
		{"a place beyond the part looked at", strings.Repeat(" ", maxLine) + "a.go:1: x\nb.go:1: x\nc.go:1: x\n", 2},
		{"names of one character", "a:1: x\nz:1: x\nA:1: x\nZ:1: x\né:1: x\n\x80:1: x\n", 6},
		{"no letter in the name", "1:1: x\n@:1: x\n[:1: x\n`:1: x\n{:1: x\n", 1},
		{"no number behind the name", "a.go:/: x\na.go::: x\na.go:x: y\n", 1},
		{"all digits", "a.go:0: x\na.go:9: x\na.go:1234567890: x\n", 3},
		{"a colon in brackets", "a.go:1) x\na.go(1: x\na.go(1,2: x\na.go(1,2):\nb.go(1): x\n", 2},
		{"names that begin with a number", "2026: x\n2026-a.go:1: x\n2026_01_02.go:1: x\n20260102.go:1: x\n2026-1.go:1: x\n", 4},
		{"a color without a number", "\x1b[ma.go:1: x\n\x1b[Kb.go:1: x\n\x1b[0@c.go:1: x\n\x1b[0~d.go:1: x\n", 4},
		{"a sequence that does not end", "\x1b[12é\n\x1b]8;;x\n\x1b(Ba.go:1: x\n", 1},
		{"a sequence at the end of a line", "\x1b\n\x1b(\n\x1b[\n\x1b]\na.go:1: x\n", 1},
		{"an empty sequence", "\x1b]\x07a.go:1: x\n\x1b]\x1b\\b.go:1: x\n", 2},
		{"eslint", "\n/repo/a.js\n  1:7  error  x\n  1:9  warning  y\n\n/repo/b.js\n  1:7  error  x\n\n✖ 3 problems (2 errors, 1 warning)\n", 3},
		{"one failing test that names places", "--- FAIL: TestA (0.00s)\n    a_test.go:7: got 1\n    a_test.go:8: got 2\nFAIL\tx\t0.1s\n", 1},
		{"a failing test with subtests", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x (0.00s)\n        a_test.go:7: got 1\n    --- FAIL: TestA/y (0.00s)\n        a_test.go:8: got 2\n", 1},
		{"tests of one name in two packages", "--- FAIL: TestA (0.00s)\nFAIL\tx\t0.1s\n--- FAIL: TestA (0.00s)\nFAIL\ty\t0.1s\n", 2},
		{"pytest", "____ test_a ____\nsrc/a.py:3: ValueError\ntest_a.py:9: ValueError\n____ test_b ____\ntest_a.py:12: AssertionError\n==== short test summary info ====\nFAILED test_a.py::test_a\nFAILED test_a.py::test_b\n", 2},
		{"jest, named again at the end", "  ● a › x\n\n  ● a › y\n\nSummary of all failing tests\n  ● a › x\n\n  ● a › y\n", 2},
		{"mocha", "  3 failing\n\n  1) a\n  2) b\n  3) c\n", 3},
		{"mocha, more than anybody has", "  99999999999999999999 failing\n", maxProblems},
		{"TAP", "    ok 1 - x\n    not ok 2 - y\n    not ok 3 - z\nnot ok 1 - a\nnot ok 2 - b\n", 3},
		{"TAP with subtests after the test", "not ok 1 - a {\n    not ok 1 - b {\n        not ok 1 - x\n    }\n    not ok 2 - y\n}\n", 2},
		{"a place, then failing tests", "a.go:1: vet\nb.go:1: vet\n--- FAIL: TestA (0.00s)\n", 1},
		{"not UTF-8", "\xff.go:1: x\nb\xfe.go:1: x\n", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := countProblems(strings.NewReader(test.output)); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestWithoutColors(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"a": "a", "\x1b[31ma\x1b[0mb": "ab", "\x1b(Ba\x1b)0b": "ab", "\x1b]8;;u\x07a": "a", "\x1b]8;;u\x07\\a": "\\a", "\x1b]8;;u\x1b\\a": "a", "\x1b]8;;u": "]8;;u", "a\x1b": "a", "\x1b[ma": "a",
	} {
		if got := withoutColors(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// FirstPlace returns the first place whose line number is possible.
func TestFirstPlace(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		"": " 0 false", "ok\n": " 0 false", "x\na.go:7: y\nb.go:8: y\n": "a.go 7 true", "a.go:0: y\nb.go:1: y\n": "b.go 1 true",
		"a.go:99999999999999999999: y\nb.go:8: y\n": "b.go 8 true", "a.go:99999999999999999999: y\n": " 0 false",
	} {
		file, line, ok := FirstPlace(strings.NewReader(log))
		if got := fmt.Sprint(file, " ", line, " ", ok); got != want {
			t.Errorf("%q: %s, want %s", log, got, want)
		}
	}
}

func TestCountProblemsBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range maxProblems + 10 {
		fmt.Fprintf(&b, "a.go:%d: x\n", i)
	}
	if got := countProblems(strings.NewReader(b.String())); got != maxProblems {
		t.Errorf("got %d, want %d", got, maxProblems)
	}
}

// FuzzCountProblems checks that the count is at least 1 and, where no test failed and no line needs
// the name of a file above it, at most one per line, that repeating the output does not change it
// then, and that a new place does.
func FuzzCountProblems(f *testing.F) {
	for _, seed := range []string{"not ok 1\n 2 failing", "  9 failing", "", "a.go:1: x", "a(1,2): x\nb(1):", "\x1b[31ma.go:1:2:\x1b[0m", "::1:2:\n(1,", "\x1b]8;;\x1b\\a:1:", "2026-01-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, output string) {
		got := countProblems(strings.NewReader(output))
		var tests testCount
		headed := false
		for line := range strings.Lines(output) {
			line = strings.TrimRightFunc(withoutColors(line), unicode.IsSpace)
			tests.add(line)
			headed = headed || stylish().MatchString(line)
		}
		if tests.failed > 0 || headed {
			if got < 1 || got > maxProblems {
				t.Errorf("got %d", got)
			}
			return
		}
		if lines := strings.Count(output, "\n") + 1; got < 1 || got > lines {
			t.Errorf("got %d in %d lines", got, lines)
		}
		if twice := countProblems(strings.NewReader(output + "\n" + output)); twice != got {
			t.Errorf("got %d, said twice %d", got, twice)
		}
		known := "sure.go:1:\n" + output
		more := "sure.go:1:\nunseen-so-far.go:4711:\n" + output
		if !strings.Contains(output, "4711") && countProblems(strings.NewReader(more)) != countProblems(strings.NewReader(known))+1 {
			t.Error("a new place is not counted")
		}
	})
}
