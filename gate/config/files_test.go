package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesOfGates(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, files string
		changed     []string
		applies     bool
	}{
		{"base name in any folder", `["*.js"]`, []string{"src/a/b.js"}, true},
		{"base name at the top", `["*.js"]`, []string{"b.js"}, true},
		{"another base name", `["*.js"]`, []string{"src/a.jsx", "js/a.go"}, false},
		{"name of a file", "[go.mod]", []string{"lib/go.mod"}, true},
		{"pattern with folders", "['src/*.js']", []string{"src/a/b.js", "other/a.js"}, false},
		{"pattern over folders", "['src/**/*.js']", []string{"src/a/b.js"}, true},
		{"path", "[src/a]", []string{"src/a/b.js"}, true},
		{"folder at the top", "[src/]", []string{"src/a/b.js"}, true},
		{"not a folder elsewhere", "[src/]", []string{"lib/src/b.js"}, false},
		{"one of several", `["*.css", "*.js"]`, []string{"a.go", "a.js"}, true},
		{"name like a pattern", "['[id].js']", []string{"app/[id].js"}, true},
		{"only an excluded one", `["*.js"]`, []string{"made/a.js", "a.go"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := entries("  - {path: ., exclude: [made], checks: [lint], reviews: [quality]}\n").
				with(".gauntlet/checks/lint.yml", "command: x\nfiles: "+test.files+"\n").
				with(".gauntlet/reviews/quality.md", "---\ncli_preference: [claude]\nfiles: "+test.files+"\n---\nLook.\n").load(t)
			jobs, err := c.Jobs(test.changed)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			if test.applies {
				want = 2
			}
			if len(jobs) != want {
				t.Errorf("%d gates of 2 apply to %q, want %d", len(jobs), test.changed, want)
			}
			for _, job := range c.AllJobs() {
				covers := false
				for _, file := range test.changed {
					covers = covers || job.Covers(file)
				}
				if covers != test.applies {
					t.Errorf("%s covers one of %q: %t", job.ID(), test.changed, covers)
				}
			}
		})
	}
}

// Changing the files that a gate looks at changes its hash.
//
// Rule: Done means passed as it is now.
func TestFilesAreHashed(t *testing.T) {
	t.Parallel()
	hash := func(files string) string {
		c := entries("  - {path: ., checks: [lint]}\n").with(".gauntlet/checks/lint.yml", "command: x\n"+files).load(t)
		return c.Hash(c.AllJobs())
	}
	if hash("") == hash("files: ['*.js']\n") || hash("files: [a]\n") == hash("files: [b]\n") {
		t.Error("a change of the files of a gate is not seen")
	}
}

// Covered uses the earlier file of a gate.
//
// Rule: No slot passes what it was not shown.
func TestCoveredByEarlierFiles(t *testing.T) {
	t.Parallel()
	const project = "entry_points:\n- {path: ., reviews: [quality], checks: [lint]}\n"
	review := Job{Kind: KindReview, Entry: ".", Name: "quality", Review: &Review{Gate: Gate{Files: []string{"*.js"}}}}
	check := Job{Kind: KindCheck, Entry: ".", Name: "lint", Check: &Check{Gate: Gate{Files: []string{"*.js"}}}}
	for _, test := range []struct {
		job    Job
		before string
		want   map[string]bool
	}{
		{review, "---\nfiles: ['*.ts']\n---\nLook.\n", map[string]bool{"a.ts": true, "a.js": false}},
		{review, "Look.\n", map[string]bool{"a.ts": true, "a.js": true}},
		{check, "command: x\nfiles: ['*.ts']\n", map[string]bool{"a.ts": true, "a.js": false}},
	} {
		covered, ok := Covered([]byte(project), []byte(test.before), test.job)
		if !ok {
			t.Fatalf("%q is not read", test.before)
		}
		got := map[string]bool{}
		for file := range test.want {
			got[file] = covered(file)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", test.before, d)
		}
	}
	if _, ok := Covered([]byte(project), []byte("---\nfiles: ['*.ts']\n"), review); ok {
		t.Error("a file without an end of its frontmatter is read")
	}
	if diff := cmp.Diff([]string{"*.js"}, review.Review.Files); diff != "" {
		t.Errorf("the present patterns changed: %s", diff)
	}
}

// A tool reads no prompt, so a review by tools alone needs none.
func TestPromptOfTools(t *testing.T) {
	t.Parallel()
	const project = "base_branch: main\ncli:\n  adapters:\n    lint: {command: a, output: sarif}\nentry_points: [{path: ., reviews: [quality]}]\n"
	tools := files{".gauntlet/config.yml": project, ".gauntlet/reviews/quality.md": "---\ncli_preference: [lint]\n---\n"}
	if _, err := Load(tools.write(t)); err != nil {
		t.Errorf("a review with tools alone: %v", err)
	}
	want := []string{".gauntlet/reviews/quality.md: the prompt is missing; describe after the frontmatter what to look for"}
	// A mistake in the key that makes an adapter a tool is one problem, not two.
	mistyped := tools.with(".gauntlet/config.yml", strings.Replace(project, "sarif", "saref", 1)).problems(t)
	if d := cmp.Diff([]string{`.gauntlet/config.yml:4: cli.adapters.lint.output: must be one of sarif, rdjson, answer, not "saref"`}, mistyped); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, reviewers := range []string{"lint, claude", "claude"} {
		got := tools.with(".gauntlet/reviews/quality.md", "---\ncli_preference: ["+reviewers+"]\n---\n").problems(t)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", reviewers, d)
		}
	}
}
