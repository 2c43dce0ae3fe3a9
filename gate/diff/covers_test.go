package diff

import "testing"

func TestCovers(t *testing.T) {
	t.Parallel()
	modified := func(path string, blocks ...Block) File {
		return File{Old: path, New: path, Kind: Modified, Blocks: blocks}
	}
	lines := func(start, count int) Block {
		return Block{OldStart: start, OldCount: 1, NewStart: start, NewCount: count}
	}
	deleted := func(at int) Block { return Block{OldStart: at, OldCount: 2, NewStart: at} }
	gone := parsed(t, "@@ -2,4 +2,2 @@\n b\n-c\n-d\n e\n")
	tests := []struct {
		name        string
		whole, part []File
		want        bool
	}{
		{"nothing", nil, nil, true},
		{"nothing of something", nil, []File{modified("a", lines(1, 1))}, false},
		{"the same", []File{modified("a", lines(3, 4))}, []File{modified("a", lines(3, 4))}, true},
		{"lines inside", []File{modified("a", lines(3, 4))}, []File{modified("a", lines(4, 2))}, true},
		{"all lines and more", []File{modified("a", lines(4, 2))}, []File{modified("a", lines(3, 4))}, false},
		{"one line more", []File{modified("a", lines(3, 4))}, []File{modified("a", lines(4, 4))}, false},
		{"lines over two blocks with a gap", []File{modified("a", lines(3, 2), lines(6, 2))}, []File{modified("a", lines(4, 3))}, false},
		{"another file", []File{modified("b", lines(1, 9))}, []File{modified("a", lines(1, 1))}, false},
		{"a deletion beside a change", []File{modified("a", lines(3, 1))}, []File{modified("a", deleted(4))}, false},
		{"a change beside a deletion", []File{modified("a", deleted(4))}, []File{modified("a", lines(3, 1))}, false},
		{"a deletion that both show", parsed(t, "@@ -2,6 +2,4 @@\n b\n-c\n-d\n e\n-f\n+F\n g\n"), gone, true},
		{"a deletion at the end of a larger change", parsed(t, "@@ -1,6 +1,4 @@\n a\n-b\n-c\n-d\n+b\n e\n f\n"), gone, true},
		{"a deletion where other lines are replaced", parsed(t, "@@ -2,4 +2,3 @@\n b\n-C\n-d\n+D\n e\n"), gone, false},
		{"a deletion of lines that end alike", parsed(t, "@@ -2,4 +2,2 @@\n b\n-x-c\n-d\n e\n"), gone, false},
		{"a deletion of the same lines elsewhere", parsed(t, "@@ -8,4 +8,2 @@\n h\n-c\n-d\n i\n"), gone, false},
		{"a deletion of the same lines further down", gone, parsed(t, "@@ -8,4 +8,2 @@\n h\n-c\n-d\n i\n"), false},
		{"of a new file", []File{{New: "a", Kind: Added}}, []File{modified("a", lines(7, 1))}, true},
		{"a file that was deleted", []File{modified("a", lines(1, 1))}, []File{{Old: "a", Kind: Deleted}}, false},
		{"a file that both delete", []File{{Old: "a", Kind: Deleted}}, []File{{Old: "a", Kind: Deleted}}, true},
		{"a change of mode alone", []File{modified("a", lines(1, 1))}, []File{{Old: "a", New: "a", Kind: Modified}}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			whole, part := &Diff{Files: test.whole}, &Diff{Files: test.part}
			if got := whole.Covers(part); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
			all, files := whole.With(part), len(test.whole)
			if !test.want {
				files += len(test.part)
			}
			if !test.want && part.Covers(whole) {
				files = len(test.part)
			}
			if len(all.Files) != files {
				t.Errorf("together they are %+v", all.Files)
			}
		})
	}
}

// parsed returns the file of a diff with these hunks.
func parsed(t *testing.T, hunks string) []File {
	t.Helper()
	return mustParse(t, "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n"+hunks).Files
}

// A file that moved from where a gate does not look is new to it; other files do not change.
//
// Rule: No slot passes what it was not shown.
func TestUnrename(t *testing.T) {
	t.Parallel()
	d := mustParse(t, others)
	plain := mustParse(t, "diff --git a/old b/old\ndeleted file mode 100644\nindex 1..0\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"+
		"diff --git a/new b/new\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n")
	for _, test := range []struct {
		from    string
		renames bool
		want    Kind
	}{
		{"old", true, Added}, {"pure", true, Renamed}, {"deleted", false, Renamed},
	} {
		fits := func(from, _ string) bool { return from == test.from }
		if d.Renames(fits) != test.renames {
			t.Errorf("from %q: renames is %t", test.from, !test.renames)
		}
		whole := d.Unrename(fits, plain)
		if len(whole.Files) != len(d.Files) {
			t.Fatalf("from %q: %d files instead of %d", test.from, len(whole.Files), len(d.Files))
		}
		for i, f := range whole.Files {
			if want := d.Files[i].Kind; f.New == "new" && f.Kind != test.want || f.New != "new" && f.Kind != want {
				t.Errorf("from %q: %q is %s", test.from, f.New, f.Kind)
			}
		}
		if test.want == Added && !whole.Contains("new", 2, 2) || whole.Contains("new", 1, 1) != (test.want == Added) {
			t.Errorf("from %q: the lines of the file do not count as changed as they should", test.from)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	d := &Diff{Files: []File{
		{Old: "a", New: "a", Kind: Modified, Blocks: []Block{{OldStart: 10, OldCount: 1, NewStart: 10, NewCount: 3}, {OldStart: 50, OldCount: 2, NewStart: 52}}},
		{New: "added", Kind: Added}, {Old: "old", New: "new", Kind: Renamed, Blocks: []Block{{OldStart: 5, OldCount: 1, NewStart: 7, NewCount: 1}}},
	}}
	for _, test := range []struct {
		file       string
		start, end int
		lines      int
		known      bool
	}{
		{"a", 1, 1, 9, true}, {"a", 1, 8, 2, true}, {"a", 12, 12, 0, true}, {"a", 13, 13, 1, true}, {"a", 30, 40, 11, true}, {"a", 52, 0, 0, true}, {"a", 53, 53, 1, true},
		{"a", 31, 31, 19, true}, {"a", 0, 0, 0, true}, {"added", 7, 7, 0, true}, {"b", 1, 1, 0, false}, {"old", 9, 9, 2, true},
	} {
		if lines, known := d.Distance(test.file, test.start, test.end); lines != test.lines || known != test.known {
			t.Errorf("Distance(%q, %d, %d) = %d, %t", test.file, test.start, test.end, lines, known)
		}
	}
}
