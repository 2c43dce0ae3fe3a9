package paths_test

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/paths"
)

const composed, decomposed = "gr\u00fcn.go", "gru\u0308n.go"

func names() paths.Names {
	n := paths.Names{
		Root: "/home/me/repo", Noted: []string{"docs/noted.md", "docs/gone.md", "main.go", "src/old.go", ""},
		Tree: func() ([]string, error) {
			return []string{"README.md", "docs/noted.md", "b/c.go", "main.go", "lib/twice.go", "whole:7", `tree\name`, "tree/name", "docs/" + decomposed, "x.go:3:4"}, nil
		},
	}
	for _, name := range []string{
		"main.go", "src/a.go", "src/twice.go", "src/deep/twice.go", "src/" + composed, "c.go", "odd:12", `back\slash`, "back/slash",
		"with \"quote\".go", `"x"`, "b/d.go", "d.go", "deep/b/e.go", "same/form/" + composed, "same/form/" + decomposed, "x.go", "two/e\u0323\u0302", "two/e\u0302\u0323",
	} {
		n.Changed = append(n.Changed, diff.File{Old: name, New: name})
	}
	n.Changed = append(n.Changed,
		diff.File{Old: "src/old.go", New: "lib/new.go"}, diff.File{Old: "src/moved.go", New: "lib/moved.go"},
		diff.File{Old: "src/removed.go"}, diff.File{New: "src/added.go"},
		diff.File{Old: "src/swap.go", New: "src/swapped.go"}, diff.File{New: "src/swap.go"},
		diff.File{Old: "vendor/sub", New: "vendor/sub", Submodule: true}, diff.File{Old: "vendor/out", Submodule: true},
		diff.File{Old: "vendor/from", New: "vendor/to", Submodule: true})
	return n
}

// file returns a known file; lines are its first and last.
func file(path string, lines ...int) paths.Found {
	found := paths.Found{Path: path, Known: true}
	if len(lines) > 0 {
		found.Start, found.End = lines[0], lines[len(lines)-1]
	}
	return found
}

func old(path string, lines ...int) paths.Found {
	found := file(path, lines...)
	found.Old = true
	return found
}

func unknown(path string, lines ...int) paths.Found {
	found := file(path, lines...)
	found.Known = false
	return found
}

// Rule: A report is never filtered for its name.
func TestResolve(t *testing.T) {
	t.Parallel()
	rules := map[string]map[string]paths.Found{
		"the path": {
			"src/a.go": file("src/a.go"), "odd:12": file("odd:12"), `back\slash`: file(`back\slash`), `"x"`: file(`"x"`), "README.md": file("README.md"),
			"docs/noted.md": file("docs/noted.md"), "whole:7": file("whole:7"), `tree\name`: file(`tree\name`), "src/removed.go": file("src/removed.go"), "src/added.go": file("src/added.go"),
			"b/c.go": file("b/c.go"), "b/d.go": file("b/d.go"), "d.go": file("d.go"), "x.go:3:4": file("x.go:3:4"),
		},
		"relative and absolute": {
			"./src/a.go": file("src/a.go"), "src//x/../a.go": file("src/a.go"), "/home/me/repo/src/a.go": file("src/a.go"), "/home/me/repo/./README.md:3": file("README.md", 3),
			"/home/me/repository/src/a.go": unknown("home/me/repository/src/a.go"), "/src/a.go": unknown("src/a.go"), "src/a.go/": file("src/a.go"),
		},
		"git's prefixes": {
			"a/src/a.go": file("src/a.go"), "b/README.md": file("README.md"), "a/b/d.go": file("b/d.go"), "b/e.go": file("deep/b/e.go"), "w/src/a.go": unknown("w/src/a.go"),
			"a/src/old.go": old("lib/new.go"), "a/b/src/a.go": unknown("a/b/src/a.go"), "b/x.go": file("x.go"),
		},
		"as git quotes it": {
			`"src/gr\303\274n.go"`: file("src/" + composed), `"with \"quote\".go"`: file(`with "quote".go`), `"b/with \"quote\".go":4`: file(`with "quote".go`, 4), `"src/a.go:5"`: file("src/a.go", 5),
			`"src/a.go`: unknown(`"src/a.go`), `"`: unknown(`"`), `""`: unknown(`""`), `"\400"`: unknown(`"/400"`), "'src/a.go'": unknown("'src/a.go'"), "`src/a.go`": unknown("`src/a.go`"), `"no.go":4`: unknown(`"no.go"`, 4),
		},
		"lines": {
			"src/a.go:12": file("src/a.go", 12), "src/a.go:12-14": file("src/a.go", 12, 14), "src/a.go:14-12": file("src/a.go", 12, 14), "src/a.go:12:7": file("src/a.go", 12),
			"odd:12:13": file("odd:12", 13), "odd:12:13:4": file("odd:12", 13), "odd:13": unknown("odd", 13), "src/a.go:0": file("src/a.go"), "src/a.go:0-4": file("src/a.go"), "src/a.go:4-0": file("src/a.go"),
			"src/a.go:99999999999999999999": file("src/a.go"), "src/a.go:2147483647": file("src/a.go", 2147483647), "src/a.go:2147483648": file("src/a.go"), "x.go:3": file("x.go", 3), "x.go:3-4": file("x.go", 3, 4),
			"src/a.go:12-": unknown("src/a.go:12-"), "src/a.go:-3": unknown("src/a.go:-3"), "src/a.go:": unknown("src/a.go:"), "src/a.go:1:2:3": unknown("src/a.go:1", 2), "src/a.go:x": unknown("src/a.go:x"), "src/a.go:12-1x": unknown("src/a.go:12-1x"),
			":12": unknown(":12"), "src/a.go#L2": unknown("src/a.go#L2"), "README.md:2": file("README.md", 2), "C:12": unknown("C", 12),
		},
		"the end of one changed file": {
			"a.go": file("src/a.go"), "deep/twice.go": file("src/deep/twice.go"), "twice.go": unknown("twice.go"), "wice.go": unknown("wice.go"), "a.go:3": file("src/a.go", 3), "lib/twice.go": file("lib/twice.go"), "form/" + composed: unknown("form/" + composed),
			"added.go": file("src/added.go"), "removed.go": file("src/removed.go"), "old.go": old("lib/new.go"), "new.go": file("lib/new.go"), "moved.go": file("lib/moved.go"), "swapped.go": file("src/swapped.go"), "swap.go": unknown("swap.go"),
			"noted.md": unknown("noted.md"), "x/src/a.go": unknown("x/src/a.go"), "/a.go": unknown("a.go"), "sub": file("vendor/sub"),
		},
		"the old name": {
			"src/old.go": old("lib/new.go"), "src/old.go:3": old("lib/new.go", 3), "lib/new.go": file("lib/new.go"), "src/swap.go": file("src/swap.go"), "src/swapped.go": file("src/swapped.go"),
		},
		"another normal form": {
			"src/" + decomposed: file("src/" + composed), "docs/" + composed: file("docs/" + decomposed), "docs/" + composed + ":4": file("docs/"+decomposed, 4), "same/form/" + composed: file("same/form/" + composed), "same/form/" + decomposed: file("same/form/" + decomposed),
			"b/src/" + decomposed: unknown("b/src/" + decomposed), "two/\u1ec7": unknown("two/\u1ec7"), "two/e\u0302\u0323": file("two/e\u0302\u0323"), "src/gr\uff55n.go": unknown("src/gr\uff55n.go"),
		},
		"backslashes": {
			`src\a.go`: file("src/a.go"), `.\src\a.go:7`: file("src/a.go", 7), `back\slash:3`: file(`back\slash`, 3), `src\unheard.go`: unknown("src/unheard.go"), `..\..\x`: unknown("x"), `a\src\a.go`: file("src/a.go"),
		},
		"submodules": {
			"vendor/sub": file("vendor/sub"), "vendor/sub/x/y.go": file("vendor/sub/x/y.go"), "vendor/sub/x.go:4": file("vendor/sub/x.go", 4), "b/vendor/sub/x.go": file("vendor/sub/x.go"), "vendor/submarine/x.go": unknown("vendor/submarine/x.go"), "vendor/sub/../../../x": unknown("x"),
			"vendor/out/x.go": file("vendor/out/x.go"), "vendor/from": old("vendor/to"), "vendor/to/x.go": file("vendor/to/x.go"), "vendor/from/x.go": unknown("vendor/from/x.go"), "src/a.go/x": unknown("src/a.go/x"),
		},
		"of no file": {
			"the whole project": unknown("the whole project"), "src/unheard.go:7": unknown("src/unheard.go", 7), "src": unknown("src"), "docs/gone.md": unknown("docs/gone.md"), "./docs/gone.md:4": unknown("docs/gone.md", 4), "/home/me/repo/docs/gone.md": unknown("docs/gone.md"), "b/docs/gone.md:4": unknown("docs/gone.md", 4), "SRC/A.go": unknown("SRC/A.go"),
			"": unknown("."), ".": unknown("."), "..": unknown("."), "/": unknown("."), "/home/me/repo": unknown("home/me/repo"), "../../etc/passwd": unknown("etc/passwd"), "/etc/passwd": unknown("etc/passwd"), "/home/me/repo/../x": unknown("home/me/x"),
			`C:\x`: unknown("C_/x"), "C:x": unknown("C_x"), ".:./x": unknown("._./x"), "a\x00b": unknown("a\uFFFDb"), "src/a.go\x00": unknown("src/a.go\uFFFD"), "src/a.go\n# Answer": unknown("src/a.go\n# Answer"), "\xff": unknown("\xff"),
			"/home/me/repo/unheard.go": unknown("home/me/repo/unheard.go"),
		},
	}
	for rule, cases := range rules {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			for name, want := range cases {
				if diff := cmp.Diff(want, paths.New(names()).Resolve(name)); diff != "" {
					t.Errorf("%q (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// TestTreeIsAskedOnce checks that the tree is listed only for a name that does not belong to a
// changed file, and only once.
func TestTreeIsAskedOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	n := names()
	list := n.Tree
	n.Tree = func() ([]string, error) { asked++; return list() }
	r := paths.New(n)
	for _, step := range []struct {
		name  string
		asked int
	}{
		{"src/a.go", 0}, {"./src/a.go", 0}, {"/home/me/repo/src/old.go", 0}, {"vendor/sub/x", 0}, {strings.Repeat("x", 20000), 0},
		{"docs/noted.md", 1}, {"a.go", 1}, {"README.md", 1}, {"no file", 1},
	} {
		if r.Resolve(step.name); asked != step.asked {
			t.Errorf("after %.20q the tree was asked for %d times, not %d", step.name, asked, step.asked)
		}
	}
}

// TestWithoutTree checks that without a tree only changed files are known.
func TestWithoutTree(t *testing.T) {
	t.Parallel()
	trees := map[string]func() ([]string, error){
		"none": nil, "an error": func() ([]string, error) { return []string{"README.md", "docs/noted.md"}, errors.New("no git") },
	}
	for name, tree := range trees {
		n := names()
		n.Tree = tree
		r := paths.New(n)
		for given, known := range map[string]bool{"src/a.go": true, "a.go": true, "README.md": false, "docs/noted.md": false} {
			if got := r.Resolve(given); got.Known != known {
				t.Errorf("%s: %q is %+v", name, given, got)
			}
		}
	}
}

func TestRoots(t *testing.T) {
	t.Parallel()
	for root, name := range map[string]string{"/": "/src/a.go", "/r/": "/r/src/a.go", "/r": "/r/src/a.go"} {
		n := names()
		n.Root = root
		if got := paths.New(n).Resolve(name); got != file("src/a.go") {
			t.Errorf("root %s: %q is %+v", root, name, got)
		}
	}
}

// TestResolveIsLinear resolves many names of every kind among many files, and long ones.
func TestResolveIsLinear(t *testing.T) {
	t.Parallel()
	n := paths.Names{Root: "/r", Tree: func() ([]string, error) { return nil, nil }}
	for i := range 1000 {
		n.Changed = append(n.Changed, diff.File{New: strings.Repeat("d/", 1000) + fmt.Sprintf("%d/index.js", i)})
	}
	n.Changed = append(n.Changed, diff.File{New: "last.go"})
	r := paths.New(n)
	began := time.Now()
	for i := range 20000 {
		r.Resolve([]string{"index.js:4", "7/index.js", fmt.Sprintf("no/%d.go:3:4", i), `"\303\244.go"`, strings.Repeat(`\`, 100), strings.Repeat("../", 100)}[i%6])
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("20,000 names took %v", took)
	}
	for _, hostile := range []string{
		strings.Repeat("x", 1<<20), strings.Repeat("a/", 1<<19), strings.Repeat("../", 1<<19), strings.Repeat(":1", 1<<19), strings.Repeat(`"`, 1<<20),
		strings.Repeat(`\`, 1<<20), strings.Repeat("a:", 1<<19), strings.Repeat("u\u0308", 1<<18), `"` + strings.Repeat(`\303\244`, 1<<17) + `"`,
	} {
		got := r.Resolve(hostile)
		if got.Known || !isSafe(got.Path) {
			t.Errorf("%.20q is known or unsafe", hostile)
		}
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("long names took %v", took)
	}
	// The longest path in git is still found if it is quoted byte by byte.
	long := strings.Repeat("\x01", 4096)
	got := paths.New(paths.Names{Root: "/r", Changed: []diff.File{{New: long}}}).Resolve(`"b/` + strings.Repeat(`\001`, 4096) + `":12`)
	if got != file(long, 12) {
		t.Errorf("a long path, quoted, is known: %t", got.Known)
	}
}

// isSafe reports whether a path is relative and does not leave the repository.
func isSafe(name string) bool {
	return name != "" && !path.IsAbs(name) && path.Clean(name) == name && name != ".." && !strings.HasPrefix(name, "../")
}

func FuzzResolve(f *testing.F) {
	for _, name := range []string{"src/a.go", `"b/\303\244.go":3:4`, "../../etc/passwd", `C:\x`, "vendor/sub/../../../x", "a//x", ":1", "odd:12:3", "", "\x00", `a\..\..\x`} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := paths.New(names()).Resolve(name)
		if !isSafe(got.Path) {
			t.Errorf("%q is %q", name, got.Path)
		}
		if !got.Known && (strings.ContainsAny(got.Path, "\\\x00") || len(got.Path) > 1 && got.Path[1] == ':') {
			t.Errorf("%q is %q, which is not relative everywhere", name, got.Path)
		}
		if got.Start < 0 || got.End < got.Start || got.Start == 0 && got.End != 0 {
			t.Errorf("%q has the lines %d to %d", name, got.Start, got.End)
		}
		if !isSafe(name) {
			return
		}
		n := names()
		n.Changed = append(n.Changed, diff.File{New: name})
		if got := paths.New(n).Resolve(name); got != file(name) {
			t.Errorf("the changed file %q is %+v", name, got)
		}
	})
}
