package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/gate/check"
)

// The inputs are outputs of real test runners and linters, with the excerpts that they must have:
// NAME.txt and NAME.want in testdata/excerpt.
//
// Rule: A failure shows what was found.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	outputs, err := filepath.Glob("testdata/excerpt/*.txt")
	if err != nil || len(outputs) == 0 {
		t.Fatalf("found no outputs: %v", err)
	}
	for _, path := range outputs {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(strings.TrimSuffix(path, "txt") + "want")
			if err != nil {
				t.Fatal(err)
			}
			output, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer output.Close()
			if got := check.Excerpt(output); got != strings.TrimSuffix(string(want), "\n") {
				t.Errorf("excerpt:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestExcerptOfNothing(t *testing.T) {
	t.Parallel()
	for _, output := range []string{"", "\n\n", " \t\n"} {
		if got := check.Excerpt(strings.NewReader(output)); got != "" {
			t.Errorf("excerpt of %q: %q", output, got)
		}
	}
}

// An excerpt has a bounded length, whatever a test prints; a failure may be at the end of the
// output; and a line that only looks like a failure is ordinary.
//
// Rule: A failure shows what was found.
func TestExcerptOfLines(t *testing.T) {
	t.Parallel()
	const failed = "--- FAIL: TestA (0.00s)"
	said := func(from, to int) (lines string) {
		for n := from; n <= to; n++ {
			lines += fmt.Sprintf("\n    a_test.go:%d: said", n)
		}
		return lines
	}
	for name, test := range map[string]struct{ output, want string }{
		"cut off":                       {failed + said(1, 2), failed + said(1, 2)},
		"long":                          {failed + said(1, 20) + "\nFAIL\n", failed + said(1, 9)},
		"said before":                   {"=== RUN   TestA" + said(1, 3) + "\n" + failed + "\nFAIL\n", failed + said(1, 3)},
		"said by another test before":   {"=== RUN   TestB" + said(1, 3) + "\n" + failed + "\nFAIL\n", failed},
		"named by the test that failed": {"=== RUN   TestB" + said(1, 3) + "\n=== RUN   TestA\n" + failed + "\n    result of TestB\nFAIL\n", failed + "\n    result of TestB"},
		"a place without a heading":     {" --> src/a.rs:3:5\n  |\n3 | x = y\n\nerror\n", " --> src/a.rs:3:5\n3 | x = y"},
		"said in one word":              {failed + "\n    oops\nFAIL\n", failed + "\n    oops"},
		"a heading alone":               {"one\n  src/a.ts:3:5\nlast\n", "  src/a.ts:3:5"},
		"only warnings":                 {"\n  src/a.ts:3:5\n  ⚠  3:5  careful\n\n  1 warning\n", "  src/a.ts:3:5\nsrc/a.ts:3:5  careful"},
		"signs without a place":         {"one\n  ⚠ careful\n  ✖ failed\nlast\n", "one\n  ⚠ careful\n  ✖ failed\nlast"},
		"places without a sign":         {"one\n✖ 3:5 failed\n⚠ 3:5 careful\n  line 3:5 is odd\nlast\n", "one\n✖ 3:5 failed\n⚠ 3:5 careful\n  line 3:5 is odd\nlast"},
		"lines that are not titles":     {"_\n___ test_a\ntest_b ___\n______\n_ test_c _\nlast\n", "_\n___ test_a\ntest_b ___\n______\n_ test_c _\nlast"},
		"a line as long as it may be":   {strings.Repeat("a", 240), strings.Repeat("a", 240)},
		"a longer line":                 {strings.Repeat("a", 239) + "äb", strings.Repeat("a", 239) + "ä…"},
		"a line that is one too long":   {strings.Repeat("a", 241), strings.Repeat("a", 240) + "…"},
		"much said before":              {"=== RUN   TestA" + said(1, 1501) + "\n" + failed + "\nFAIL\n", failed + said(1001, 1009)},
	} {
		if got := check.Excerpt(strings.NewReader(test.output)); got != test.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, test.want)
		}
	}
}

func BenchmarkExcerpt(b *testing.B) {
	log := strings.Repeat("    log_test.go: something that a test says in passing\n=== RUN   TestOther\n", 1<<20/80)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		check.Excerpt(strings.NewReader(log))
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("--- FAIL: TestAdd\n    a_test.go:3: x\nFAIL\n")
	f.Add("not ok 1 - a\n  ---\n  at: a:1\n  ...\n")
	f.Add("a.go:1:2: \x1b[31mwrong\x00\xff\n")
	f.Fuzz(func(t *testing.T, output string) {
		got := check.Excerpt(strings.NewReader(output))
		lines := strings.Split(got, "\n")
		if len(lines) > 10 || !utf8.ValidString(got) {
			t.Errorf("%d lines of %q", len(lines), got)
		}
		for _, line := range lines {
			if got != "" && strings.TrimSpace(line) == "" {
				t.Errorf("a blank line in %q", got)
			}
			if utf8.RuneCountInString(line) > 500 {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
	})
}
