package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// sample changes f: line 3 became lines 3 and 4, a line was inserted after line 10, lines 20 and 21
// were rewritten, and lines 30 to 32 were deleted.
const sample = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n" +
	"@@ -2,3 +2,4 @@\n 2\n-3\n+three\n+drei\n 4\n" +
	"@@ -10,2 +11,3 @@\n 10\n+new\n 11\n" +
	"@@ -19,4 +21,4 @@\n 19\n-20\n-21\n+x\n+y\n 22\n" +
	"@@ -29,5 +31,2 @@\n 29\n-30\n-31\n-32\n 33\n"

// others has a file of each kind without lines, or with only changed ones.
const others = "diff --git a/added b/added\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/added\n@@ -0,0 +1 @@\n+a\n" +
	"diff --git a/binary b/binary\nindex 1..2 100644\nBinary files a/binary and b/binary differ\n" +
	"diff --git a/deleted b/deleted\ndeleted file mode 100644\nindex 1..0\n--- a/deleted\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n" +
	"diff --git a/mode b/mode\nold mode 100644\nnew mode 100755\n" +
	"diff --git a/old b/new\nsimilarity index 90%\nrename from old\nrename to new\nindex 1..2 100644\n--- a/old\n+++ b/new\n@@ -5,3 +5,5 @@\n 5\n+a\n+b\n 6\n 7\n@@ -20,3 +22,3 @@\n 20\n-21\n+c\n 22\n" +
	"diff --git a/pure b/moved\nsimilarity index 100%\nrename from pure\nrename to moved\n" +
	"diff --git a/sub b/sub\nindex 1..2 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n" +
	"diff --git a/type b/type\ndeleted file mode 100644\nindex 1..0\n--- a/type\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n" +
	"diff --git a/type b/type\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/type\n@@ -0,0 +1 @@\n+t\n"

func TestContains(t *testing.T) {
	t.Parallel()
	d := mustParse(t, sample+others)
	tests := []struct {
		file       string
		start, end int
		want       bool
	}{
		{"f", 0, 0, true},   // the whole file
		{"f", -1, -1, true}, // no usable line
		{"f", 2, 2, false},  // context
		{"f", 3, 3, true},
		{"f", 4, 0, true}, // without an end
		{"f", 5, 5, false},
		{"f", 5, 11, false},
		{"f", 5, 12, true},
		{"f", 12, 5, true}, // the ends in reverse order
		{"f", 0, 5, true},  // only an end means the whole file
		{"f", 13, 21, false},
		{"f", 22, 23, true},
		{"f", 24, 30, false},
		{"f", 31, 31, true}, // before the deletion
		{"f", 32, 32, true}, // after it
		{"f", 33, 33, false},
		{"f", 1, 1000000, true},
		{"g", 3, 3, false},
		{"g", 0, 0, false},
		{"", 0, 0, false},
		{"added", 7, 7, true},
		{"binary", 7, 7, true},
		{"deleted", 7, 7, true},
		{"mode", 7, 7, true},
		{"pure", 7, 7, true},
		{"moved", 7, 7, true},
		{"type", 7, 7, true},
		{"sub", 7, 7, true},
		{"sub/dir/f", 7, 7, true},
		{"sub2", 7, 7, false},
		{"f/x", 3, 3, false},
		{"new", 6, 6, true},
		{"new", 21, 21, false},
		{"new", 23, 23, true},
		{"old", 0, 0, true},
		{"old", 6, 6, true},   // numbers of the new tree
		{"old", 21, 21, true}, // numbers of the old tree
		{"old", 15, 15, false},
	}
	for _, test := range tests {
		if got := d.Contains(test.file, test.start, test.end); got != test.want {
			t.Errorf("Contains(%q, %d, %d) = %t", test.file, test.start, test.end, got)
		}
	}
}

func TestContainsDeletionAtTheTop(t *testing.T) {
	t.Parallel()
	d := mustParse(t, modifiedHeader+"@@ -1,3 +1,2 @@\n-1\n 2\n 3\n")
	for line, want := range map[int]bool{1: true, 2: false} {
		if got := d.Contains("f", line, line); got != want {
			t.Errorf("Contains(%d) = %t", line, got)
		}
	}
}

// Rule: A place moves with its lines.
func TestCarry(t *testing.T) {
	t.Parallel()
	d := mustParse(t, sample+others)
	tests := []struct {
		file       string
		start, end int
		wantFile   string
		wantStart  int
		wantEnd    int
	}{
		{"f", 0, 0, "f", 0, 0},
		{"f", -3, 0, "f", 0, 0},
		{"f", 0, 5, "f", 0, 0},
		{"f", 1, 2, "f", 1, 2},
		{"f", 3, 3, "f", 3, 4}, // another size: everything that replaced it
		{"f", 4, 4, "f", 5, 5},
		{"f", 10, 10, "f", 11, 11},
		{"f", 11, 11, "f", 13, 13},
		{"f", 10, 11, "f", 11, 13},
		{"f", 11, 10, "f", 11, 13},
		{"f", 20, 20, "f", 22, 22}, // the same size: line by line
		{"f", 21, 0, "f", 23, 23},
		{"f", 30, 30, "f", 31, 32}, // deleted: both sides
		{"f", 31, 32, "f", 31, 32},
		{"f", 25, 31, "f", 27, 32},
		{"f", 33, 40, "f", 32, 39},
		{"f", 1, 1000000, "f", 1, 999999},
		{"g", 5, 6, "g", 5, 6},
		{"added", 5, 6, "added", 5, 6}, // not in the old tree
		{"binary", 5, 6, "binary", 0, 0},
		{"deleted", 5, 6, "deleted", 0, 0},
		{"mode", 5, 6, "mode", 5, 6},
		{"pure", 5, 6, "moved", 5, 6},
		{"pure", 0, 0, "moved", 0, 0},
		{"type", 5, 6, "type", 0, 0},
		{"old", 4, 8, "new", 4, 10},
		{"new", 4, 8, "new", 4, 8},
		{"", 1, 1, "", 1, 1},
	}
	for _, test := range tests {
		file, start, end := d.Carry(test.file, test.start, test.end)
		if file != test.wantFile || start != test.wantStart || end != test.wantEnd {
			t.Errorf("Carry(%q, %d, %d) = %q, %d, %d, want %q, %d, %d",
				test.file, test.start, test.end, file, start, end, test.wantFile, test.wantStart, test.wantEnd)
		}
	}
}

// Carry returns [Diff.Follow] for one span, without the places of lines that moved.
func (d *Diff) Carry(file string, start, end int) (newFile string, newStart, newEnd int) {
	here := d.Follow([]ledger.Place{{File: file, Start: start, End: end}})[0].Here
	return here.File, here.Start, here.End
}

func TestEmptyDiff(t *testing.T) {
	t.Parallel()
	var d Diff
	if d.Contains("f", 0, 0) || !d.Empty() || d.Size() != 0 || len(d.Paths()) != 0 {
		t.Error("an empty diff holds something")
	}
	if file, start, end := d.Carry("f", 2, 3); file != "f" || start != 2 || end != 3 {
		t.Errorf("Carry = %q, %d, %d", file, start, end)
	}
}

// edit is a random change of a file: the places of the old lines, and the diff.
type edit struct {
	went     [][2]int // for each old line, counted from 1, its first and last new line
	added    map[int]bool
	oldLines int
	newLines int
	text     string
}

// randomEdit returns an edit with up to 40 runs of kept and changed lines, alternating.
func randomEdit(random *rand.Rand) edit {
	e := edit{went: [][2]int{{}}, added: map[int]bool{}}
	var body strings.Builder
	keep := func(n int) {
		for range n {
			e.oldLines, e.newLines = e.oldLines+1, e.newLines+1
			e.went = append(e.went, [2]int{e.newLines, e.newLines})
			body.WriteString(" kept\n")
		}
	}
	keep(random.IntN(3))
	for range 1 + random.IntN(40) {
		before, after := random.IntN(4), random.IntN(4)
		if before+after == 0 {
			before = 1
		}
		body.WriteString(strings.Repeat("-old\n", before) + strings.Repeat("+new\n", after))
		for i := 1; i <= before; i++ {
			went := [2]int{e.newLines + 1, e.newLines + after}
			switch after {
			case before:
				went = [2]int{e.newLines + i, e.newLines + i}
			case 0:
				went = [2]int{max(1, e.newLines), e.newLines + 1}
			}
			e.went = append(e.went, went)
		}
		for i := 1; i <= after; i++ {
			e.added[e.newLines+i] = true
		}
		if after == 0 {
			e.added[e.newLines], e.added[e.newLines+1] = true, true
		}
		e.oldLines, e.newLines = e.oldLines+before, e.newLines+after
		keep(1 + random.IntN(4))
	}
	e.text = modifiedHeader + fmt.Sprintf("@@ -1,%d +1,%d @@\n", e.oldLines, e.newLines) + body.String()
	return e
}

// carry computes the same as Carry, line by line.
func (e *edit) carry(start, end int) (newStart, newEnd int) {
	newStart, newEnd = e.went[start][0], e.went[start][1]
	for n := start; n <= end; n++ {
		newStart, newEnd = min(newStart, e.went[n][0]), max(newEnd, e.went[n][1])
	}
	return newStart, newEnd
}

func (e *edit) contains(start, end int) bool {
	for n := start; n <= end; n++ {
		if e.added[n] {
			return true
		}
	}
	return false
}

func TestLinesAgreeWithSimulation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		e := randomEdit(random)
		d := mustParse(t, e.text)
		for range 50 {
			start := 1 + random.IntN(e.oldLines)
			end := start + random.IntN(e.oldLines-start+1)
			wantStart, wantEnd := e.carry(start, end)
			if _, gotStart, gotEnd := d.Carry("f", start, end); gotStart != wantStart || gotEnd != wantEnd {
				t.Fatalf("seed %d: Carry(%d, %d) = %d, %d, want %d, %d\n%s", seed, start, end, gotStart, gotEnd, wantStart, wantEnd, e.text)
			}
			start = 1 + random.IntN(e.newLines)
			end = start + random.IntN(e.newLines-start+1)
			if got := d.Contains("f", start, end); got != e.contains(start, end) {
				t.Fatalf("seed %d: Contains(%d, %d) = %t\n%s", seed, start, end, got, e.text)
			}
		}
	}
}

// What is in a submodule is under review with it, in whichever tree the submodule is.
func TestSubmoduleHolds(t *testing.T) {
	t.Parallel()
	both, added, deleted := File{Old: "old", New: "new", Submodule: true}, File{New: "new", Kind: Added, Submodule: true}, File{Old: "old", Kind: Deleted, Submodule: true}
	for _, test := range []struct {
		f    File
		file string
		want bool
	}{
		{both, "new/a", true}, {both, "old/a", true}, {added, "new/a", true}, {deleted, "old/a", true}, {added, "/a", false}, {deleted, "/a", false}, {both, "newer/a", false},
		{File{Old: "new", New: "new"}, "new/a", false},
	} {
		if got := test.f.named(test.file) && test.f.contains(test.file, 3, 3); got != test.want {
			t.Errorf("%+v holds %q: %t", test.f, test.file, got)
		}
	}
}

func TestLineRange(t *testing.T) {
	t.Parallel()
	for given, want := range map[[2]int][2]int{
		{5, 1}: {1, 5}, {1, 5}: {1, 5}, {5, 0}: {5, 5}, {5, -1}: {5, 5}, {0, 5}: {0, 0}, {-1, 5}: {0, 0}, {1, 1}: {1, 1},
	} {
		if start, end := lineRange(given[0], given[1]); [2]int{start, end} != want {
			t.Errorf("%v: %d to %d", given, start, end)
		}
	}
	f := File{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{OldStart: 1, NewStart: 1, NewCount: 3}}}
	if here := f.stayed(0, 0, nil); !here.WholeFile() {
		t.Errorf("the whole file is at %s", here)
	}
}

// A diff shows the changed lines and the unchanged lines around them, up to the ends of their hunk.
// Of a deletion it shows both sides, even without lines around it.
func TestShows(t *testing.T) {
	t.Parallel()
	d := mustParse(t, modifiedHeader+"@@ -4,4 +4,5 @@\n 4\n+5\n 6\n 7\n 8\n@@ -20,2 +21 @@\n-20\n 21\n@@ -30 +29,0 @@\n-30\n"+
		"diff --git a/old b/new\nsimilarity index 80%\nrename from old\nrename to new\nindex 1..2 100644\n--- a/old\n+++ b/new\n@@ -2,3 +2,14 @@\n 2\n+1\n+2\n+3\n+4\n+5\n+6\n+7\n+8\n+9\n+10\n+11\n 3\n 4\n")
	for _, test := range []struct {
		file       string
		start, end int
		shown      bool
		hunk       string
	}{
		{"f", 3, 3, false, ""}, {"f", 4, 4, true, "0.0"}, {"f", 8, 0, true, "0.0"}, {"f", 9, 9, false, ""}, {"f", 9, 19, false, ""}, {"f", 3, 4, true, "0.0"},
		{"f", 8, 30, true, "0.0"}, {"f", 19, 19, false, ""}, {"f", 20, 20, true, ""}, {"f", 21, 21, true, "0.1"}, {"f", 22, 22, false, ""},
		{"f", 28, 28, false, ""}, {"f", 29, 29, true, "0.2"}, {"f", 30, 30, true, "0.2"}, {"f", 31, 31, false, ""}, {"f", 0, 0, true, ""}, {"g", 4, 4, false, ""},
		{"new", 15, 15, true, "1.0"}, {"new", 1, 1, false, ""}, {"old", 4, 4, true, ""}, {"old", 16, 16, false, ""},
	} {
		if got := d.Shows(test.file, test.start, test.end); got != test.shown {
			t.Errorf("Shows(%q, %d, %d) = %t", test.file, test.start, test.end, got)
		}
		if got := d.HunkAt(test.file, test.start, test.end); got != test.hunk {
			t.Errorf("HunkAt(%q, %d, %d) = %q, want %q", test.file, test.start, test.end, got, test.hunk)
		}
	}
}
