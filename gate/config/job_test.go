package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJobs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, entries string
		changed       []string
		want          []string
	}{
		{"whole repository", "  - {path: ., checks: [lint], reviews: [quality]}", []string{"a/b.go"}, []string{"check:.:lint", "review:.:quality"}},
		{"nothing changed", "  - {path: ., checks: [lint]}", nil, nil},
		{"fixed folder", "  - {path: src, checks: [lint]}", []string{"src/a/b.go"}, []string{"check:src:lint"}},
		{"folder with the same beginning", "  - {path: app, checks: [lint]}", []string{"apple/a.go", "app.go"}, nil},
		{"fixed file", "  - {path: go.mod, checks: [lint]}", []string{"go.mod"}, []string{"check:go.mod:lint"}},
		{"spelling", "  - {path: ./src//a/../, checks: [lint]}", []string{"src/x"}, []string{"check:src:lint"}},
		{
			"as configured, folders sorted, checks first",
			"  - {path: 'packages/*', reviews: [quality], checks: [test, lint]}\n  - {path: docs, checks: [lint]}",
			[]string{"docs/x", "packages/web/a", "packages/api/b", "packages/api/c"},
			[]string{
				"check:packages/api:test", "check:packages/api:lint", "review:packages/api:quality",
				"check:packages/web:test", "check:packages/web:lint", "review:packages/web:quality", "check:docs:lint",
			},
		},
		{"file beside the folders", "  - {path: 'packages/*', checks: [lint]}", []string{"packages/README.md", "packages/api/x.go", "packages/go.mod", "README.md"}, []string{"check:packages:lint", "check:packages/api:lint"}},
		{"file beside the folders, at the top", "  - {path: '*', checks: [lint]}", []string{"README.md", "api/x.go"}, []string{"check:.:lint", "check:api:lint"}},
		{"file beside the folders of several", "  - {path: 'apps/*/src/*', checks: [lint]}", []string{"apps/a/src/x.go", "apps/b/src/y/z.go", "apps/a/x.go"}, []string{"check:apps/a/src:lint", "check:apps/b/src/y:lint"}},
		{"excluded file beside the folders", "  - {path: 'packages/*', exclude: ['**/*.md'], checks: [lint]}", []string{"packages/README.md"}, nil},
		{"topmost folder", "  - {path: 'src/**', checks: [lint]}", []string{"src/a/b/c.go", "src/d.go"}, []string{"check:src:lint"}},
		{"folder below folders", "  - {path: '**/cmd', checks: [lint]}", []string{"a/cmd/x.go", "cmd/y.go", "a/cmdx/z.go"}, []string{"check:a/cmd:lint", "check:cmd:lint"}},
		{"files anywhere", "  - {path: '**/*.go', checks: [lint]}", []string{"a/b.go", "c.go", "d.md"}, []string{"check:**/*.go:lint"}},
		{"files of one folder", "  - {path: 'src/*.go', checks: [lint]}", []string{"src/a.go", "src/b/c.go"}, []string{"check:src/*.go:lint"}},
		{"everything", "  - {path: '**', checks: [lint]}", []string{"a.go", "b/c.go"}, []string{"check:.:lint"}},
		{"alternatives", "  - {path: '{api,web}', checks: [lint]}", []string{"web/x", "lib/y"}, []string{"check:web:lint"}},
		{"folder called like a pattern", "  - {path: 'app/[id]', checks: [lint]}", []string{"app/[id]/page.tsx"}, []string{"check:app/[id]:lint"}},
		{"excluded folder", "  - {path: ., exclude: [vendor/], checks: [lint]}", []string{"vendor/a.go"}, nil},
		{"excluded file", "  - {path: ., exclude: [a.go], checks: [lint]}", []string{"a.go"}, nil},
		{"not excluded by a beginning", "  - {path: ., exclude: [vendor], checks: [lint]}", []string{"vendored/a.go"}, []string{"check:.:lint"}},
		{"excluded pattern", "  - {path: src, exclude: ['**/*.md'], checks: [lint]}", []string{"src/a.md", "src/b/c.md"}, nil},
		{"excluded pattern at the top only", "  - {path: ., exclude: ['*.md'], checks: [lint]}", []string{"a/b.md"}, []string{"check:.:lint"}},
		{"excluded pattern that names the folder only", "  - {path: 'packages/*', exclude: ['packages/a*'], checks: [lint]}", []string{"packages/api/x.go"}, []string{"check:packages/api:lint"}},
		{"excluded among the matches", "  - {path: 'packages/*', exclude: [packages/old], checks: [lint]}", []string{"packages/old/x", "packages/new/x"}, []string{"check:packages/new:lint"}},
		{"same path twice", "  - {path: src, checks: [lint]}\n  - {path: ./src, checks: [test, lint]}", []string{"src/x"}, []string{"check:src:lint", "check:src:test"}},
		{"same gate twice", "  - {path: src, checks: [lint, lint]}", []string{"src/x"}, []string{"check:src:lint"}},
		{"pattern and fixed path", "  - {path: 'packages/*', checks: [lint]}\n  - {path: packages/api, checks: [lint, test]}", []string{"packages/api/x"}, []string{"check:packages/api:lint", "check:packages/api:test"}},
		{"odd names", "  - {path: 'p/*', checks: [lint]}", []string{"p/\xff\n/x", "p/ /y"}, []string{"check:p/ :lint", "check:p/\xff\n:lint"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := entries(test.entries+"\n").with(".gauntlet/checks/test.yml", "command: x").load(t)
			jobs, err := c.Jobs(test.changed)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, ids(jobs)); diff != "" {
				t.Errorf("jobs (-want +got):\n%s", diff)
			}
			for _, j := range jobs {
				if again, ok := c.JobByID(j.ID()); !ok || again.ID() != j.ID() || again.WorkingDirectory() != j.WorkingDirectory() {
					t.Errorf("JobByID(%q) = %q, %t", j.ID(), again.ID(), ok)
				}
			}
		})
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	c := entries(`
  - {path: src, exclude: [src/gen, '**/*.md'], checks: [lint]}
  - {path: 'packages/*', exclude: ['packages/api/**'], checks: [lint]}
  - {path: packages/api, checks: [lint]}
  - {path: '**/*.sql', checks: [lint]}
  - {path: twice, exclude: [twice/a], checks: [lint]}
  - {path: twice, exclude: [twice/b], checks: [lint]}
`).load(t)
	tests := []struct {
		id, file string
		want     bool
	}{
		{"check:src:lint", "src/a.go", true},
		{"check:src:lint", "src", true},
		{"check:src:lint", "src/gen/a.go", false},
		{"check:src:lint", "src/a.md", false},
		{"check:src:lint", "srcs/a.go", false},
		{"check:packages/web:lint", "packages/web/a/b", true},
		{"check:packages/web:lint", "packages/api/a", false},
		{"check:packages/api:lint", "packages/api/a", true},
		{"check:**/*.sql:lint", "a/b.sql", true},
		{"check:**/*.sql:lint", "a/b.go", false},
		{"check:twice:lint", "twice/a", true},
		{"check:twice:lint", "twice/b", true},
	}
	for _, test := range tests {
		j, ok := c.JobByID(test.id)
		if !ok {
			t.Errorf("no job %q", test.id)
			continue
		}
		if got := j.Covers(test.file); got != test.want {
			t.Errorf("%s covers %q: got %t", test.id, test.file, got)
		}
	}
}

func TestJobByID(t *testing.T) {
	t.Parallel()
	c := entries("  - {path: 'packages/*', exclude: [packages/old], checks: [lint]}\n  - {path: 'a:b', reviews: [quality]}\n").load(t)
	for id, want := range map[string]bool{
		"check:packages/new:lint": true, "check:packages/old:lint": false, "check:packages/new/deeper:lint": false,
		"check:packages:lint": true, "check:packages/*:lint": true, "check:.:lint": false, "check:packages/new:test": false,
		"review:packages/new:lint": false, "review:a:b:quality": true, "check:a:b:quality": false, "": false, "check:": false,
	} {
		if j, ok := c.JobByID(id); ok != want || ok && j.ID() != id {
			t.Errorf("JobByID(%q) = %q, %t", id, j.ID(), ok)
		}
	}
}

func TestJobContents(t *testing.T) {
	t.Parallel()
	jobs := minimal().load(t).AllJobs()
	if len(jobs) != 2 || jobs[0].Check.Command != "make lint" || jobs[0].Review != nil || jobs[1].Review.NumReviews != 1 || jobs[1].Check != nil {
		t.Errorf("got %+v", jobs)
	}
	if got := jobs[0].FileID(); got != "check_._lint" {
		t.Errorf("got file id %q", got)
	}
}

func TestAllJobs(t *testing.T) {
	t.Parallel()
	c := entries("  - {path: 'packages/*', checks: [lint]}\n  - {path: src, checks: [lint], reviews: [quality]}\n").load(t)
	want := []string{"check:packages/*:lint", "check:src:lint", "review:src:quality"}
	if diff := cmp.Diff(want, ids(c.AllJobs())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorkingDirectory(t *testing.T) {
	t.Parallel()
	root := entries(`
  - {path: ., checks: [lint, tools]}
  - {path: src, checks: [lint]}
  - {path: src/main.go, checks: [lint]}
  - {path: gone, checks: [lint]}
  - {path: outside, checks: [lint]}
  - {path: 'packages/*', checks: [lint]}
  - {path: 'db/m/**/*.sql', checks: [lint]}
  - {path: '**/*.go', checks: [lint]}
  - {path: 'app/[id]', checks: [lint]}
`).with(".gauntlet/checks/tools.yml", "command: x\nworking_directory: tools/x").
		with("src/main.go", "").with("packages/api/x", "").with("app/[id]/page.tsx", "").write(t)
	if err := os.Symlink(t.TempDir(), filepath.Join(root, "outside")); err != nil {
		t.Fatal(err)
	}
	c, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"check:.:lint": ".", "check:.:tools": "tools/x", "check:src:lint": "src", "check:src/main.go:lint": "src",
		"check:gone:lint": "gone", "check:outside:lint": ".", "check:packages/api:lint": "packages/api",
		"check:db/m/**/*.sql:lint": "db/m", "check:**/*.go:lint": ".", "check:app/[id]:lint": "app/[id]",
	} {
		if j, ok := c.JobByID(id); !ok || j.WorkingDirectory() != want {
			t.Errorf("%s works in %q, %t, want %q", id, j.WorkingDirectory(), ok, want)
		}
	}
}

// Rule: A file is written whole or not at all.
func TestJobsThatShareLogs(t *testing.T) {
	t.Parallel()
	c := entries("  - {path: 'packages/*', checks: [lint]}\n").load(t)
	jobs, err := c.Jobs([]string{"packages/a b/x", "packages/a+b/x", "packages/c/x"})
	want := `.gauntlet/config.yml:3: the jobs "check:packages/a b:lint" and "check:packages/a+b:lint" would both write logs called ` +
		`"check_packages_a_b_lint"; rename the gate or the folder of one of them`
	if err == nil || jobs != nil {
		t.Fatalf("got %v, %v", jobs, err)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Their ids are equal, and yet they are two jobs.
	ambiguous := entries("  - {path: 'a:b', checks: [c]}\n  - {path: a, checks: ['b:c']}\n").
		with(".gauntlet/checks/c.yml", "command: x").with(".gauntlet/checks/b:c.yml", "command: x").problems(t)
	if len(ambiguous) != 1 || !strings.Contains(ambiguous[0], `"check:a:b:c" and "check:a:b:c"`) {
		t.Errorf("got %q", ambiguous)
	}
}

// Covered uses an earlier configuration.
//
// Rule: No slot passes what it was not shown.
func TestCovered(t *testing.T) {
	t.Parallel()
	const text = "\uFEFFentry_points:\n- {path: src, exclude: [src/made], reviews: [quality], checks: [lint]}\n- {path: 'lib/*', reviews: [quality]}\n"
	for _, test := range []struct {
		kind        Kind
		entry, name string
		file        string
		want        bool
	}{
		{KindReview, "src", "quality", "src/a.go", true},
		{KindReview, "src", "quality", "src/made/a.go", false},
		{KindReview, "src", "quality", "lib/x/a.go", false},
		{KindReview, "lib/x", "quality", "lib/x/a.go", true},
		{KindReview, "lib/x", "quality", "lib/y/a.go", false},
		{KindReview, "docs", "quality", "docs/a.go", false},
		{KindReview, "src", "security", "src/a.go", false},
		{KindCheck, "src", "lint", "src/a.go", true},
		{KindCheck, "src", "quality", "src/a.go", false},
	} {
		covered, ok := Covered([]byte(text), nil, Job{Kind: test.kind, Entry: test.entry, Name: test.name})
		if !ok || covered(test.file) != test.want {
			t.Errorf("%s:%s:%s, read %t: covers %q is not %t", test.kind, test.entry, test.name, ok, test.file, test.want)
		}
	}
	for _, text := range []string{"", "entry_points: 3", "entry_points: [", "- a", "other: 1", "entry_points:\n- {path: ../x, reviews: [quality]}"} {
		if _, ok := Covered([]byte(text), nil, Job{Kind: KindReview, Name: "quality"}); ok {
			t.Errorf("%q is read as a configuration", text)
		}
	}
}

// A change that removes gates is still subject to them.
//
// Rule: Done means passed as it is now.
func TestFormerGate(t *testing.T) {
	t.Parallel()
	const text = "entry_points:\n- {path: src, exclude: [src/made], checks: [lint], reviews: [quality]}\n- {path: lib, checks: [ci]}\n"
	c := Config{
		Checks:  map[string]Check{"lint": {Gate: Gate{Files: []string{"*.go"}, RunLocally: true}}, "ci": {Gate: Gate{RunInCI: true}}},
		Reviews: map[string]Review{"quality": {Gate: Gate{Files: []string{"*.md"}, RunLocally: true}}},
	}
	for _, test := range []struct {
		text    string
		changed []string
		want    string
	}{
		{text, []string{File, "src/a.go"}, "lint"},
		{text, []string{File, "src/a.md"}, "quality"},
		{text, []string{File, "src/a.txt"}, ""},
		{text, []string{File, "src/made/a.go"}, ""},
		{text, []string{File, "docs/a.go"}, ""},
		{text, []string{File, "lib/a.go"}, ""},
		{text, []string{ChecksDir + "/lint.yaml", "src/a.txt"}, "lint"},
		{text, []string{ChecksDir + "/ci.yml", "lib/a.go"}, "ci"},
		{text, []string{ReviewsDir + "/quality.md", "src/a.txt"}, "quality"},
		{"entry_points:\n- {path: ., checks: [gone]}\n", []string{"a"}, "gone"},
		{"entry_points: [", []string{"a"}, File},
		{"entry_points: 3", []string{"a"}, File},
		{"base_branch: main\n", []string{"a"}, File},
	} {
		if got := c.FormerGate([]byte(test.text), test.changed, false); got != test.want {
			t.Errorf("%q changed by %q: %q, not %q", test.text, test.changed, got, test.want)
		}
	}
}

// A gate looks at a file in any of its entry points.
//
// Rule: No slot passes what it was not shown.
func TestLooks(t *testing.T) {
	t.Parallel()
	c := Config{EntryPoints: []EntryPoint{
		{Path: "src", Exclude: []string{"src/made"}, Reviews: []string{"quality"}, Checks: []string{"lint"}},
		{Path: "lib/*", Reviews: []string{"quality"}}, {Path: "docs", Reviews: []string{"words"}},
	}}
	for file, want := range map[string]bool{"src/a": true, "src/made/a": false, "lib/x/a": true, "lib/a": true, "README": false, "docs/a": false} {
		if got := c.Looks(Job{Kind: KindReview, Entry: "src", Name: "quality"}, file); got != want {
			t.Errorf("%q: %t", file, got)
		}
		if c.Looks(Job{Kind: KindCheck, Entry: "src", Name: "quality"}, file) {
			t.Errorf("%q: a check that is a review", file)
		}
	}
}

// The base branch of an earlier configuration is its own or the default, or it is not known.
func TestBaseBranchOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, want string
		ok         bool
	}{
		{"base_branch: main\n", "main", true},
		{"\uFEFFbase_branch: a/b\nother: 1\n", "a/b", true},
		{"max_retries: 1\n", "origin/main", true},
		{"base_branch: [main]\n", "", false},
		{"- main\n", "", false},
		{"base_branch: [", "", false},
	} {
		if got, ok := BaseBranchOf([]byte(test.text)); ok != test.ok || ok && got != test.want {
			t.Errorf("%q: got %q, %t", test.text, got, ok)
		}
	}
}

// A gate's file counts as changed if a link on the way to it has changed, or what such a link leads
// to.
func TestLinkedTo(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for link, target := range map[string]string{
		"checks/lint.yml": "../gates/lint.yml", "gates": "real", "checks/out.yml": "../../out.yml", "checks/abs.yml": "/etc/x.yml", "checks/loop.yml": "loop.yml",
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip("no symbolic links: ", err)
		}
	}
	for file, want := range map[string][]string{
		"checks/lint.yml": {"checks/lint.yml", "gates/lint.yml", "gates", "real/lint.yml"}, "checks/other.yml": nil,
		"checks/out.yml": {"checks/out.yml"}, "checks/abs.yml": {"checks/abs.yml"},
	} {
		if got := linkedTo(root, file); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if got := linkedTo(root, "checks/loop.yml"); len(got) != 2*maxLinks {
		t.Errorf("a loop: %d", len(got))
	}
}
