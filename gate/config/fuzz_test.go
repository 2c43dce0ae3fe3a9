package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzSplitFrontmatter checks that the parts and the delimiters between them make up the text, and
// that lines keep their numbers.
func FuzzSplitFrontmatter(f *testing.F) {
	for _, seed := range []string{"", "---", "---\n---", "---\na: 1\n---\nprompt", "---\r\na: 1\r\n--- \r\nprompt\n---\n", "prompt\n---\n", "----\n---\n", "---\na"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		frontmatter, prompt, closed := splitFrontmatter(text)
		first, rest, _ := strings.Cut(text, "\n")
		switch {
		case !isDelimiter(first):
			if frontmatter != "" || prompt != text || !closed {
				t.Errorf("got %q, %q, %t without a delimiter", frontmatter, prompt, closed)
			}
		case !closed:
			if frontmatter != "" || prompt != "" || slices.ContainsFunc(strings.Split(rest, "\n"), isDelimiter) {
				t.Errorf("got %q, %q, not closed", frontmatter, prompt)
			}
		default:
			inner := strings.TrimPrefix(frontmatter, "\n")
			between, ok := strings.CutPrefix(strings.TrimSuffix(rest, prompt), inner)
			if !ok || !isDelimiter(strings.TrimSuffix(between, "\n")) || slices.ContainsFunc(strings.Split(inner, "\n"), isDelimiter) {
				t.Errorf("got %q, %q, delimiter %q", frontmatter, prompt, between)
			}
		}
	})
}

// FuzzLoad checks that Load does not panic, that each problem is one line of output and has a line
// in the file, and that a configuration without problems keeps the promises of its documentation.
func FuzzLoad(f *testing.F) {
	seed := minimal()
	f.Add(seed[File], seed[".gauntlet/checks/lint.yml"], seed[".gauntlet/reviews/quality.md"])
	f.Add("entry_points: [{path: 'a/{b,c}/**', exclude: ['*.md'], checks: [lint]}]\ncli: {adapters: {x: {command: [a]}}}\nteams: {a: [b]}", "command: &a x\ntimeout: 1.5\nname: *a", "---\ncli_preference: [x]\n---\np")
	f.Add("- a", "? [a]\n: b", "---\n<<: *a")
	f.Add("a: &a [*a]\nlog_dir: .git", "command: \"\\0\"\n---\n", "---\r\nmodel: 1\r\n---\r\n\xff")
	f.Add("0", "\r\r?", "-\v\x80'<\x7f: *a")
	f.Add("max_retries: 0x10\ncli: {default_preference: []}", "\tcommand: x", "")
	root := seed.write(f) // one for all inputs, because making folders is slow
	f.Fuzz(func(t *testing.T, project, check, review string) {
		contents := map[string]string{File: project, ChecksDir + "/lint.yml": check, ReviewsDir + "/quality.md": review}
		for name, content := range contents {
			if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Load(root)
		if problems := (*Error)(nil); errors.As(err, &problems) {
			for _, p := range problems.Problems {
				content, known := contents[p.File]
				if lines := countLines(content) + 1; !known || p.Line > lines || strings.Contains(p.String(), "\n") {
					t.Errorf("problem %q in a file of %d lines", p, lines)
				}
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkPromises(t, c)
	})
}

// countLines counts the lines as YAML does.
func countLines(text string) int {
	lines := 1
	for _, r := range text {
		if strings.ContainsRune("\n\r\u0085\u2028\u2029", r) {
			lines++
		}
	}
	return lines
}

func checkPromises(t *testing.T, c *Config) {
	t.Helper()
	for _, e := range c.EntryPoints {
		if e.Path == "" || strings.HasPrefix(e.Path, "../") || strings.HasPrefix(e.Path, "/") {
			t.Errorf("entry point %q", e.Path)
		}
	}
	for _, check := range c.Checks {
		if strings.TrimSpace(check.Command) == "" || check.Timeout < 0 || check.FailFast && check.Parallel {
			t.Errorf("check %+v", check)
		}
	}
	for _, review := range c.Reviews {
		if len(review.CLIPreference) == 0 || review.NumReviews < 1 || review.NumReviews > maxReviews || review.Timeout < 0 {
			t.Errorf("review %+v", review)
		}
	}
	if c.MaxRetries < 0 || c.LogDir == "" || c.LogDir == "." || len(c.EntryPoints) == 0 {
		t.Errorf("configuration %+v", c)
	}
	if strings.Contains(strings.Join(c.Warnings, ""), "\n") {
		t.Errorf("warnings %q", c.Warnings)
	}
	for _, j := range c.AllJobs() {
		if strings.HasPrefix(j.WorkingDirectory(), "..") || (j.Check == nil) == (j.Review == nil) {
			t.Errorf("job %+v", j)
		}
	}
}

// FuzzJobs checks that whatever file has changed, a job that it leads to covers it and is found by
// its id, and that each entry point with changes has its job.
func FuzzJobs(f *testing.F) {
	f.Add("packages/*", "packages/old", "packages/api/x.go")
	f.Add("**/*.go", "**/*_test.go", "a/b.go")
	f.Add("src/**/*", "*.md", "src/a/b/c")
	f.Add("{a,b/**}/[!x]*", "a?", "b/c/d/e")
	f.Add("*", "\xd7/", "*/c/d")
	f.Add("app/[id]", "app/[id]/x", "app/[id]/y")
	root := f.TempDir()
	f.Fuzz(func(t *testing.T, path, exclude, file string) {
		r := &reader{}
		m := mapping{r: r}
		e := EntryPoint{Path: m.pattern("path", scalar{path, 1}), Checks: []string{"lint"}}
		if x := m.pattern("exclude", scalar{exclude, 1}); x != "" && !e.isWhole(x) {
			e.Exclude = []string{x}
		}
		if len(r.problems) > 0 || file == "" || strings.HasPrefix(file, "/") || strings.HasSuffix(file, "/") || strings.Contains(file, "//") {
			return
		}
		c := &Config{Root: root, EntryPoints: []EntryPoint{e}, Checks: map[string]Check{"lint": {}}}
		jobs, err := c.Jobs([]string{file})
		if err != nil {
			t.Fatal(err)
		}
		if _, touched := e.entryOf(file); touched != (len(jobs) == 1) {
			t.Fatalf("touched %t, jobs %q", touched, ids(jobs))
		}
		for _, j := range jobs {
			if !j.Covers(file) {
				t.Errorf("%q does not cover %q", j.ID(), file)
			}
			if again, ok := c.JobByID(j.ID()); !ok || again.Entry != j.Entry {
				t.Errorf("%q is not found again", j.ID())
			}
		}
	})
}
