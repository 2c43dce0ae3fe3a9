package clients

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// resolverFiles are what the tests' slot was shown. Unless a file is whole, its line 2 was
// changed.
func resolverFiles() Files {
	files := Files{Root: "/home/me/repo", Entry: "src", Noted: []Place{{"src/noted.go", 5, 6}, {"nowhere.go", 3, 3}, {"lib/kept.md", 50, 50}, {"docs/kept.md", 5, 6}, {"docs/notes.md", 5, 6}}}
	for _, name := range []string{
		"src/a.go", "src/b.go", "main.go", "a/b.go", "src/deep/low.go", "src/twice.go", "src/deep/twice.go",
		"odd:12", `back\slash`, "with space.go", " padded.go ", "q\"\tü\\.go", "src/gr\u00fcn.go", "caf.go", "caf\xe9.go", "a.go and b.go",
		"app/[id].tsx", "x,y.go", "index.js", "lib/index.js", "new -> name", "src/main.py", "src/x (copy).go", "100%.go",
		"src/App_test.go", "src/pkg-a/mod.rs", "notes\nof.txt", "m",
	} {
		files.Changed = append(files.Changed, ChangedFile{Old: name, New: name, Blocks: []ChangedBlock{{2, 2, 2, 2}}})
	}
	files.Changed = append(files.Changed,
		ChangedFile{Old: "src/old.go", New: "src/new.go", Blocks: []ChangedBlock{{20, 21, 30, 31}}},
		ChangedFile{Old: "src/gone.go", Whole: true},
		ChangedFile{Old: "src/swap.go", New: "src/swapped.go", Blocks: []ChangedBlock{{20, 21, 20, 21}}}, ChangedFile{New: "src/swap.go", Whole: true},
		ChangedFile{Old: "vendor/sub", New: "vendor/sub", Whole: true, Folder: true}, ChangedFile{Old: "v", New: "v", Whole: true, Folder: true},
	)
	return files
}

func treeOfTests() []string {
	return []string{"README.md", "docs/guide.md", "also/same.go", "src/same.go", "mid/w/b/c.go", "src/noted.go", "also/noted.go", "also/kept.md", "lib/kept.md", "docs/kept.md", "notes.md", "docs/notes.md", "docs/my guide.md", "b/c.go", "mid/x/b/c.go", "other/index.js", "deep/low.go", "src/a.go", "Makefile"}
}

type resolveCase struct {
	file string
	line int
	want string // file, or "?" before a place that is not certain
	at   int    // the line of the place; 0: as given
}

func resolveCases() map[string][]resolveCase {
	return map[string][]resolveCase{
		"as it stands": {
			{"src/a.go", 2, "src/a.go", 0}, {"src/a.go", 40, "src/a.go", 0}, {"src/a.go", 0, "src/a.go", 0},
			{"odd:12", 2, "odd:12", 0}, {`back\slash`, 2, `back\slash`, 0}, {" padded.go ", 2, " padded.go ", 0},
			{"a.go and b.go", 40, "a.go and b.go", 0}, {"new -> name", 40, "new -> name", 0}, {"app/[id].tsx", 2, "app/[id].tsx", 0},
			{"x,y.go", 40, "x,y.go", 0}, {"100%.go", 2, "100%.go", 0}, {"notes\nof.txt", 2, "notes\nof.txt", 0},
		},
		"relative and absolute": {
			{"./src/a.go", 2, "src/a.go", 0}, {"src//x/../a.go", 2, "src/a.go", 0}, {"/home/me/repo/src/a.go", 40, "src/a.go", 0},
			{"/mnt/alias/repo/src/a.go", 2, "src/a.go", 0}, {"/home/me/repository/src/a.go", 2, "src/a.go", 0},
			{"file:///home/me/repo/src/a.go", 2, "src/a.go", 0}, {`C:\work\repo\src\a.go`, 2, "src/a.go", 0}, {"../repo/src/a.go", 2, "src/a.go", 0},
			{`src\a.go`, 2, "src/a.go", 0}, {"/src/a.go", 2, "src/a.go", 0}, {"repo/main.go", 2, "main.go", 0}, {"repo/main.go", 40, "main.go", 0}, {"x/repo/main.go", 40, "main.go", 0}, {"other/main.go", 40, "?other/main.go", 0},
			{"https://github.com/o/r/blob/main/src/a.go#L2", 0, "src/a.go", 2}, {"https://host/src/a.go?plain=1#L2", 0, "src/a.go", 2}, {"https://host/o/r/main.go", 40, "main.go", 0}, {"https://host/main.go?plain=1", 40, "main.go", 0},
			{"with%20space.go", 2, "with space.go", 0}, {".../deep/low.go", 2, "src/deep/low.go", 0},
		},
		"prefixes of a diff": {
			{"a/src/a.go", 2, "src/a.go", 0}, {"b/src/a.go", 40, "src/a.go", 0}, {"a/b.go", 2, "a/b.go", 0}, {"b/a/b.go", 2, "a/b.go", 0},
			{"b/main.go", 40, "main.go", 0}, {"w/src/a.go", 2, "src/a.go", 0},
		},
		"quoted": {
			{`"src/a.go"`, 2, "src/a.go", 0}, {`"b/q\"\t\303\274\\.go"`, 2, "q\"\tü\\.go", 0}, {`q\"\t\303\274\\.go`, 2, "q\"\tü\\.go", 0},
			{`"caf\351.go"`, 2, "caf\xe9.go", 0}, {"“src/a.go”", 2, "src/a.go", 0}, {"'src/a.go':2", 0, "src/a.go", 2}, {`"notes\nof.txt"`, 2, "notes\nof.txt", 0},
		},
		"lines in the name": {
			{"src/a.go:2", 0, "src/a.go", 2}, {"src/a.go:2:7", 0, "src/a.go", 2}, {"src/a.go:L2-L14", 0, "src/a.go", 2}, {"src/a.go#L2", 0, "src/a.go", 2},
			{"src/a.go#L2-L14", 0, "src/a.go", 2}, {"src/a.go#L2C5-L14C2", 0, "src/a.go", 2}, {"src/a.go (line 2)", 0, "src/a.go", 2},
			{"src/a.go (lines 2-4)", 0, "src/a.go", 2}, {"src/a.go, line 2", 0, "src/a.go", 2}, {"src/a.go line 2", 0, "src/a.go", 2},
			{"src/a.go(2,5)", 0, "src/a.go", 2}, {"src/a.go @ 2", 0, "src/a.go", 2}, {"src/a.go:2", 40, "src/a.go", 2}, {"src/a.go:40", 2, "src/a.go", 2},
			{"src/a.go:40", 0, "src/a.go", 40}, {"src/a.go: line 2", 0, "src/a.go", 2}, {"src/a.go [2]", 0, "src/a.go", 2}, {"a.go:2", 0, "src/a.go", 2},
		},
		"symbols and notes": {
			{"src/a.go:symbol()", 2, "src/a.go", 0}, {"src/a.go::Type::method", 2, "src/a.go", 0}, {"src/a.go#method", 2, "src/a.go", 0},
			{"src/a.go:2 symbol()", 0, "src/a.go", 2}, {"src/a.go (new file)", 2, "src/a.go", 0}, {"src/a.go(new)", 2, "src/a.go", 0},
			{"src/a.go [deleted lines]", 2, "src/a.go", 0}, {"src/a.go - the handler", 2, "src/a.go", 0}, {"src/a.go > func main", 2, "src/a.go", 0},
			{"src/a.go, in main", 2, "src/a.go", 0}, {"src/a.go:2 (see b)", 0, "src/a.go", 2}, {"file: src/a.go", 2, "src/a.go", 0}, {"in src/a.go", 2, "src/a.go", 0},
			{"src/a.go (new file)", 40, "src/a.go", 0}, {"File: with space.go", 2, "with space.go", 0}, {"src/x (copy).go", 40, "src/x (copy).go", 0},
			{"src/a.go.", 2, "src/a.go", 0}, {"m:2", 0, "m", 2}, {"m (new)", 2, "m", 0},
			{"I have looked at all of the changed lines in here and found that src/deep/low.go has one more problem than it had before this change", 2, "src/deep/low.go", 0}, {"the function main in `src/a.go`, near the top", 2, "src/a.go", 0},
		},
		"Markdown": {
			{"`src/a.go`", 2, "src/a.go", 0}, {"**src/a.go:2**", 0, "src/a.go", 2}, {"[src/a.go](src/a.go)", 2, "src/a.go", 0}, {"[a.go:2](src/a.go#L2)", 0, "src/a.go", 2},
			{"[the handler](./src/a.go#L2)", 0, "src/a.go", 2}, {"[`src/a.go`](https://host/x)", 2, "src/a.go", 0}, {"[src/a.go][1]", 2, "src/a.go", 0}, {"[1]: src/a.go", 2, "src/a.go", 0}, {"[x][src/a.go]", 2, "src/a.go", 0}, {"[src/a.go][9]", 0, "src/a.go", 0}, {"[the guide](docs/guide.md)", 1, "docs/guide.md", 0}, {"[README](README.md), [the guide](docs/guide.md)", 1, "README.md", 0}, {"[README](README.md) and [no file](nowhere)", 1, "?[README](README.md) and [no file](nowhere)", 0},
			{"<src/a.go>", 2, "src/a.go", 0}, {"`src/a.go`:2", 0, "src/a.go", 2}, {"[a](<with space.go>)", 2, "with space.go", 0},
		},
		"renames": {
			{"src/old.go", 30, "src/new.go", 0}, {"src/old.go", 20, "src/new.go", 30}, {"src/old.go", 0, "src/new.go", 0}, {"src/old.go", 90, "src/new.go", 0}, {"src/swap.go", 5, "src/swap.go", 0}, {"src/swap.go", 20, "src/swapped.go", 0}, {"src/swapped.go", 5, "src/swapped.go", 0},
			{"src/old.go -> src/new.go", 30, "src/new.go", 0}, {"src/old.go → src/new.go", 30, "src/new.go", 0}, {"src/{old.go => new.go}", 30, "src/new.go", 0},
			{"src/old.go => src/new.go", 90, "src/new.go", 0}, {"a/src/old.go", 20, "src/new.go", 30}, {"old.go", 30, "src/new.go", 0}, {"src/gone.go", 7, "src/gone.go", 0},
			{"main.go -> src/gone.go", 7, "src/gone.go", 0}, {"src/{gone.go => fresh.go}", 7, "src/gone.go", 0}, {"src/{fresh => }/gone.go", 7, "src/gone.go", 0},
		},
		"lists": {
			{"src/a.go, src/b.go", 2, "src/a.go", 0}, {"src/same.go, src/b.go", 2, "src/b.go", 0}, {"src/same.go and src/b.go", 2, "src/b.go", 0},
			{"src/same.go\nsrc/b.go", 2, "src/b.go", 0}, {"README.md, src/same.go, and src/a.go", 2, "src/a.go", 0}, {"README.md; src/a.go", 2, "src/a.go", 0},
			{"README.md & src/a.go", 2, "src/a.go", 0}, {"README.md, src/same.go", 2, "README.md", 0}, {"README.md, the rest", 2, "?README.md, the rest", 0},
			{"README.md, src/same.go, and docs/guide.md", 1, "README.md", 0}, {"the rest, docs/my guide.md (new)", 2, "?the rest, docs/my guide.md (new)", 0},
			{"README.md:9, src/b.go:2", 0, "src/b.go", 2}, {"file:src/a.go", 2, "src/a.go", 0}, {"file:README.md", 2, "?file:README.md", 0}, {"`README.md` and `src/b.go`", 2, "src/b.go", 0},
		},
		"in a text": {
			{"「src/a.go」", 2, "src/a.go", 0}, {"文件：src/a.go（第2行）", 0, "src/a.go", 2}, {"在src/a.go中", 2, "src/a.go", 0}, {"src/a.go：2", 0, "src/a.go", 2}, {"@src/a.go", 2, "src/a.go", 0},
			{"#src/a.go", 2, "src/a.go", 0}, {"path=src/a.go", 2, "src/a.go", 0}, {"~~src/a.go~~", 2, "src/a.go", 0}, {"src/a.go\x00", 2, "src/a.go", 0}, {"main.go、src/a.go", 2, "src/a.go", 0},
			{"src/a", 2, "src/a.go", 0}, {"src.a", 2, "src/a.go", 0}, {"src::a", 2, "src/a.go", 0}, {"com.deep.low", 2, "?com.deep.low", 0}, {"deep.low", 2, "src/deep/low.go", 0},
			{"my-src/a.gox", 2, "?my-src/a.gox", 0}, {"src/a.go.orig", 2, "?src/a.go.orig", 0}, {"@src/a.go", 9, "?@src/a.go", 0},
			{"src/a.go:2 (called from main.go:40)", 0, "src/a.go", 2}, {"src/a.go:40, called in line 2", 0, "src/a.go", 2},
		},
		"parts of a path": {
			{"a.go", 2, "src/a.go", 0}, {"deep/low.go", 2, "src/deep/low.go", 0}, {"deep/low.go", 9, "deep/low.go", 0}, {"/build/x/src/deep/low.go:2", 0, "src/deep/low.go", 2},
			{"twice.go", 2, "src/twice.go", 0}, {"noted.go", 5, "src/noted.go", 0}, {"noted.go", 6, "src/noted.go", 0}, {"same.go", 9, "src/same.go", 0}, {"lib/main.go", 2, "main.go", 0},
			{"lib/main.go", 40, "?lib/main.go", 0}, {"else/twice.go", 2, "?else/twice.go", 0}, {"oop/src/a.go", 2, "src/a.go", 0}, {"/else/main.go", 40, "main.go", 0},
			{"x/src/a.go", 2, "src/a.go", 0}, {"x/src/a.go", 40, "src/a.go", 0}, {"x/src/deep/low.go", 40, "src/deep/low.go", 0}, {"src/a.go/src/a.go", 2, "src/a.go", 0}, {"x/b/c.go", 9, "mid/x/b/c.go", 0}, {"w/b/c.go", 9, "b/c.go", 0}, {"io/main.go", 40, "?io/main.go", 0}, {"src/a.go/x.go", 2, "?src/a.go/x.go", 0}, {"index.js", 40, "index.js", 0}, {"js/lib/index.js", 2, "lib/index.js", 0}, {"pkg-a/mod.rs", 2, "src/pkg-a/mod.rs", 0},
		},
		"other letters": {
			{"SRC/A.go", 2, "src/a.go", 0}, {"Main.go", 40, "main.go", 0}, {"src/gru\u0308n.go", 2, "src/gr\u00fcn.go", 0}, {"GRU\u0308N.GO", 2, "src/gr\u00fcn.go", 0},
			{"caf\uFFFD.go", 2, "caf\xe9.go", 0}, {"caf\uFFFD\uFFFD.go", 2, "caf\xe9.go", 0}, {"caf\u00e9.go", 2, "caf\xe9.go", 0}, {"cafe\u0301.go", 2, "caf\xe9.go", 0},
			{"padded.go", 2, " padded.go ", 0}, {"\u3164src/a.go\u2800", 2, "src/a.go", 0}, {"\x01src/a.go\x7f", 2, "src/a.go", 0}, {"  src/a.go\t", 2, "src/a.go", 0}, {"\u200bsrc/a.go\u00a0", 2, "src/a.go", 0}, {"src/a\u00ad.go", 2, "src/a.go", 0}, {"with\u00a0space.go", 2, "with space.go", 0},
			{"src/pkg\u2011a/mod.rs", 2, "src/pkg-a/mod.rs", 0}, {"src/app_test.go", 2, "src/App_test.go", 0}, {"notes of.txt", 2, "notes\nof.txt", 0},
		},
		"unchanged": {
			{"README.md", 1, "README.md", 0}, {"./README.md", 1, "README.md", 0}, {"src/same.go:9", 0, "src/same.go", 9}, {"same.go", 2, "src/same.go", 0},
			{"readme.md", 1, "README.md", 0}, {"src/noted.go", 5, "src/noted.go", 0}, {"src/noted.go", 9, "src/noted.go", 0},
			{"kept.md", 5, "docs/kept.md", 0}, {"kept.md", 6, "docs/kept.md", 0}, {"kept.md", 4, "lib/kept.md", 0}, {"kept.md", 7, "lib/kept.md", 0},
			{"notes.md", 5, "docs/notes.md", 0}, {"notes.md", 0, "docs/notes.md", 0}, {"notes.md", 9, "notes.md", 0},
		},
		"submodules": {{"vendor/sub", 0, "vendor/sub", 0}, {"vendor/sub/x.go", 4, "vendor/sub/x.go", 0}, {"./vendor/sub/x.go", 4, "vendor/sub/x.go", 0}, {"v/x.go", 4, "v/x.go", 0}, {"v/x/y.go", 4, "v/x/y.go", 0}, {"w/x.go", 4, "?w/x.go", 0}},
		"of no file": {
			{"the whole project", 0, "?the whole project", 0}, {"src/unheard.go", 7, "?src/unheard.go", 0}, {"src/unheard.go:7", 0, "?src/unheard.go", 7},
			{"/etc/passwd", 1, "?etc/passwd", 0}, {"../../x", 1, "?x", 0}, {"/home/me/repo/unheard.go", 7, "?unheard.go", 0}, {"/home/me/repo", 0, "?home/me/repo", 0},
			{".", 0, "?.", 0}, {"..", 0, "?.", 0}, {"src/", 0, "?src", 0}, {"src", 0, "?src", 0}, {"src/*.go", 2, "?src/*.go", 0}, {"N/A", 0, "?N/A", 0},
			{"nowhere.go", 3, "?nowhere.go", 0}, {"nowhere.go", 90, "?nowhere.go", 0}, {":12", 0, "?:12", 0},
		},
	}
}

// Rule: A file is found however it is written.
func TestResolve(t *testing.T) {
	t.Parallel()
	for group, cases := range resolveCases() {
		for _, test := range cases {
			t.Run(group+"/"+test.file, func(t *testing.T) {
				t.Parallel()
				entry := Entry{File: test.file, Start: test.line, End: test.line}
				r := NewResolver(resolverFiles())
				if r.NeedsTree([]Entry{entry}) {
					r.AddTree(treeOfTests())
				}
				got := r.Resolve(entry)
				want, uncertain := strings.CutPrefix(test.want, "?")
				line := test.at
				if line == 0 {
					line = test.line
				}
				if got.File != want || got.Known == uncertain || got.Start != line {
					t.Errorf("%q, line %d, is %+v, want %s:%d", test.file, test.line, got, test.want, line)
				}
				if r.NeedsTree([]Entry{entry}) && r.listed {
					t.Error("the tree is asked for twice")
				}
			})
		}
	}
}

// TestResolveWithoutTree lists the tree only where it may decide, and is certain of
// nothing that it may decide until then.
func TestResolveWithoutTree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file        string
		line        int
		needs, know bool
	}{
		{"src/a.go", 2, false, true}, {"src/a.go", 40, false, true}, {"./src/a.go:2", 0, false, true}, {"src/old.go", 90, false, true},
		{"./src/a.go", 40, true, false}, {"README.md", 1, true, false}, {"src/unheard.go", 1, true, false}, {"nowhere.go", 3, true, false}, {"", 1, false, false},
	} {
		r := NewResolver(resolverFiles())
		entry := Entry{File: test.file, Start: test.line, End: test.line}
		if needs, got := r.NeedsTree([]Entry{entry}), r.Resolve(entry); needs != test.needs || got.Known != test.know {
			t.Errorf("%q:%d needs the tree: %t, and is %+v", test.file, test.line, needs, got)
		}
	}
}

// A line beside a range counts where that is under review and the range is not.
func TestResolveOtherLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Place{
		`{"line":2,"lineRange":"40-41"}`: {"src/a.go", 2, 2}, `{"line":"1-50","lineRange":"40-41"}`: {"src/a.go", 1, 50}, `{"line":"40-60","lineRange":"40-41"}`: {"src/a.go", 40, 41},
		`{"line":40,"lineRange":"1-3"}`: {"src/a.go", 1, 3}, `{"line":"2-50","lineRange":"2-3"}`: {"src/a.go", 2, 3},
	} {
		fields, err := readMembers([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		start, end, other := readPlace(fields)
		entry := Entry{File: "src/a.go", Start: start, End: end, OtherStart: other.start, OtherEnd: other.end}
		if got := NewResolver(resolverFiles()).Resolve(entry); got.Place != want || !got.Known {
			t.Errorf("%s is at %+v", text, got)
		}
	}
	for text, want := range map[string]lineRange{
		`{"line":"12-20","lineRange":"10-14"}`: {12, 20}, `{"line":"9-12","lineRange":"10-14"}`: {9, 12}, `{"line":"10-14","lineRange":"10-14"}`: {}, `{"lineRange":"10-14"}`: {},
	} {
		fields, err := readMembers([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, other := readPlace(fields); other != want {
			t.Errorf("%s: beside the range %v", text, other)
		}
	}
}

// FuzzResolve writes the names of changed files in the ways of reviewers, and names
// whatever it likes.
func FuzzResolve(f *testing.F) {
	for _, cases := range resolveCases() {
		for _, test := range cases {
			f.Add(test.file, "src/a.go", test.line)
			f.Add("a.go", test.file, 2)
		}
	}
	for _, hostile := range []string{"../../../etc/passwd", "/", "//", "\x00", "a/../../b", `..\..\x`, "%2e%2e/%2e%2e/x", `"\056\056/x"`, strings.Repeat("a/", 3000), "{ => }", "[](", "[a](../../x)"} {
		f.Add(hostile, hostile, 1)
	}
	f.Fuzz(func(t *testing.T, name, changed string, line int) {
		files := resolverFiles()
		local := changed != "" && path.Clean("/" + changed)[1:] == changed && !strings.ContainsRune(changed, 0)
		if local {
			files.Changed = append(files.Changed, ChangedFile{New: changed, Whole: true})
		}
		line = max(0, line%100)
		r := NewResolver(files)
		entry := Entry{File: name, Start: line, End: line}
		before := r.Resolve(entry)
		if r.NeedsTree([]Entry{entry}) {
			r.AddTree(treeOfTests())
		} else if after := r.Resolve(entry); after != before {
			t.Errorf("%q is %+v, then %+v", name, before, after)
		}
		got := r.Resolve(entry)
		if !isBlank(name) && (got.File == "" || got.File[0] == '/' || got.File != path.Clean(got.File) || got.File == ".." || strings.HasPrefix(got.File, "../")) {
			t.Errorf("%q leads to %q", name, got.File)
		}
		if got.Start < 0 || got.End < got.Start {
			t.Errorf("%q has the lines %d to %d", name, got.Start, got.End)
		}
		if !local || isBlank(changed) {
			return
		}
		// Its own name, and ways to write it that no other file may mean.
		for _, written := range []string{changed, "./" + changed, "b/" + changed, files.Root + "/" + changed, norm.NFD.String(changed)} {
			ways := r.Resolve(Entry{File: written, Start: line, End: line})
			if exact := written == changed; exact && ways.File != changed && !isRenamed(files, changed) {
				t.Errorf("the changed file %q is %+v", changed, ways)
			} else if !ways.Known && exact {
				t.Errorf("%q, which means the changed file %q, is %+v", written, changed, ways)
			}
		}
	})
}

func isRenamed(files Files, name string) bool {
	for _, c := range files.Changed {
		if c.Old == name && c.New != name {
			return true
		}
	}
	return false
}

// BenchmarkResolve finds names in a large repository, of which the tree has to be looked at.
func BenchmarkResolve(b *testing.B) {
	var tree []string
	for i := range 80_000 {
		tree = append(tree, fmt.Sprintf("packages/p%d/src/components/index.ts", i))
	}
	entries := []Entry{{File: "README.md", Start: 3, End: 3}, {File: "components/Index.ts (the default export)", Start: 3, End: 3}, {File: "see src/index.ts, line 3"}}
	for b.Loop() {
		r := NewResolver(resolverFiles())
		if !r.NeedsTree(entries) {
			b.Fatal("the tree is not needed")
		}
		r.AddTree(tree)
		for _, entry := range entries {
			r.Resolve(entry)
		}
	}
}

// A name has no more readings than are looked at, the first of which is the name.
// An address has a scheme; what has a slash or a blank before its colon is not one.
func TestReadingsOfAddresses(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"file:///x/y.go": true, "https://x/y.go?plain=1": true, "://x/y.go": true,
		"see file://x/y.go": false, "a/b://x/y.go": false, "x/y.go": false, "x:/x/y.go": false,
	} {
		var paths []string
		unescape(reading{path: name}, func(r reading) { paths = append(paths, r.path) })
		if got := slices.Contains(paths, "/x/y.go"); got != want {
			t.Errorf("%q is an address: %v, read as %q", name, got, paths)
		}
	}
}

// A list of names is split, and the two of a rename; one name is not a list.
func TestSplitNames(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("a.go, ", maxNames)
	for text, want := range map[string]string{
		"": "", "a.go": "", "a.go, b.go": "a.go|b.go", "  a.go ,, b.go ": "a.go|b.go", "a.go, b.go, and c.go": "a.go|b.go|c.go", "a.go or b.go": "a.go|b.go", "a.go; or b.go": "a.go|b.go",
		"a.go -> b.go": "a.go|b.go", "a.go=>b.go": "a.go|b.go", "a.go → b.go": "a.go|b.go", "a.go\nb.go": "a.go|b.go", ", a.go": "a.go", " a.go": "a.go", "sand.go": "", "a-b.go": "",
		many + "z.go": strings.TrimSuffix(strings.Repeat("a.go|", maxNames), "|"), many: strings.TrimSuffix(strings.Repeat("a.go|", maxNames), "|"),
	} {
		if got := strings.Join(splitNames(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestReadingsAreBounded(t *testing.T) {
	t.Parallel()
	hostile := strings.Repeat("a/b.go:1 (c), `d`; ", 40)
	if all := readings(hostile); len(all) != maxReadings || all[0].path != hostile {
		t.Errorf("%d readings, the first %q", len(all), all[0].path)
	}
	longest := strings.Repeat("x", maxName-4) + "/a:1"
	if all := readings(longest); len(all) < 2 {
		t.Error("the longest name has one reading")
	}
	if all := readings(longest + "0"); len(all) != 1 {
		t.Errorf("a longer one has %d", len(all))
	}
	for _, name := range []string{hostile, "`src/a.go`:12 (new)", "a.go:1-2, b.go", "./a b.go#L7", "[x](y/z.go)", `"\"a.go\""`, "(((a.go)))"} {
		seen := map[string]bool{}
		for _, r := range readings(name) {
			if r.path == "" || seen[r.path] {
				t.Errorf("%.40q is read as %q, which is empty or known", name, r.path)
			}
			seen[r.path] = true
		}
	}
}
