package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// moves changes several files: in a, lines move down, including one that occurs twice and short
// ones; b is deleted, and its lines are now in c; d was renamed and partly rewritten.
const moves = "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n" +
	"@@ -1,6 +1,2 @@\n 1\n-this line moves down\n-   this one, too, indented\n-this one is there twice\n-tiny\n 6\n" +
	"@@ -20,2 +16,7 @@\n 20\n+above\n+this line moves down\n+\t\tthis one, too, indented\n+this one is there twice\n+this one is there twice\n 21\n" +
	"@@ -30,3 +31,3 @@\n 30\n-rewritten for good\n+another text here\n 32\n" +
	"@@ -40,4 +41,5 @@\n 40\n-part of it stays as it was\n-part of it is new\n+first of all\n+part of it stays as it was\n+now it is another\n 43\n" +
	"diff --git a/b b/b\ndeleted file mode 100644\nindex 1..0\n--- a/b\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-the whole function moved\n-away from here\n-}\n" +
	"diff --git a/c b/c\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/c\n@@ -0,0 +1,5 @@\n+package c\n+the whole function moved\n+away from here\n+}\n+tiny\n" +
	"diff --git a/d b/e\nsimilarity index 80%\nrename from d\nrename to e\nindex 1..2 100644\n--- a/d\n+++ b/e\n@@ -1,2 +1,3 @@\n+new at the top\n 1\n 2\n" +
	"diff --git a/g b/g\nindex 1..2 100644\nBinary files a/g and b/g differ\n" +
	"diff --git a/h b/h\nindex 1..2 100644\n--- a/h\n+++ b/h\n@@ -1,3 +1 @@\n-first of two lines\n-second of two lines\n 3\n" +
	"@@ -10 +8,2 @@\n 10\n+first of two lines\n@@ -50 +49,2 @@\n 50\n+second of two lines\n"

func placeOf(file string, start, end int) ledger.Place {
	return ledger.Place{File: file, Start: start, End: end}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	d := mustParse(t, moves)
	span := placeOf
	tests := []struct {
		name string
		span ledger.Place
		want ledger.Whereabouts
	}{
		{"with its text", span("a", 2, 2), ledger.Whereabouts{Here: span("a", 18, 18)}},
		{"indented", span("a", 3, 0), ledger.Whereabouts{Here: span("a", 19, 19)}},
		{"two lines together", span("a", 2, 3), ledger.Whereabouts{Here: span("a", 18, 19)}},
		{"a text that is added twice", span("a", 4, 4), ledger.Whereabouts{Here: span("a", 1, 2), Gone: true}},
		{"a short text, in another file", span("a", 5, 5), ledger.Whereabouts{Here: span("a", 1, 2), Moved: []ledger.Place{span("c", 5, 5)}}},
		{"lines that stay, and lines that move", span("a", 1, 3), ledger.Whereabouts{Here: span("a", 1, 1), Moved: []ledger.Place{span("a", 18, 19)}}},
		{"rewritten", span("a", 31, 31), ledger.Whereabouts{Here: span("a", 32, 32)}},
		{"unchanged between changes", span("a", 20, 20), ledger.Whereabouts{Here: span("a", 16, 16)}},
		{"in a rewritten block", span("a", 41, 41), ledger.Whereabouts{Here: span("a", 43, 43)}},
		{"a block in part", span("a", 41, 42), ledger.Whereabouts{Here: span("a", 43, 43)}},
		{"from lines that move to unchanged ones", span("a", 3, 25), ledger.Whereabouts{Here: span("a", 2, 26), Moved: []ledger.Place{span("c", 5, 5)}}},
		{"from lines that move to the first that is rewritten", span("a", 3, 31), ledger.Whereabouts{Here: span("a", 2, 32), Moved: []ledger.Place{span("c", 5, 5)}}},
		{"from lines that move past what is rewritten", span("a", 3, 33), ledger.Whereabouts{Here: span("a", 2, 34), Moved: []ledger.Place{span("c", 5, 5)}}},
		{"from what is rewritten to a line that moves", span("a", 31, 41), ledger.Whereabouts{Here: span("a", 32, 43)}},
		{"out of a deleted file", span("b", 1, 3), ledger.Whereabouts{Here: span("c", 2, 3)}},
		{"a deleted file", span("b", 0, 0), ledger.Whereabouts{Here: span("b", 0, 0), Gone: true}},
		{"a line without letters in it", span("b", 3, 3), ledger.Whereabouts{Here: span("b", 0, 0), Gone: true}},
		{"a renamed file", span("d", 2, 2), ledger.Whereabouts{Here: span("e", 3, 3)}},
		{"a file that is binary now", span("g", 3, 3), ledger.Whereabouts{Here: span("g", 0, 0)}},
		{"a binary file as a whole", span("g", 0, 0), ledger.Whereabouts{Here: span("g", 0, 0)}},
		{"a file that is not in the diff", span("f", 7, 0), ledger.Whereabouts{Here: span("f", 7, 7)}},
		{"the first line", span("h", 1, 1), ledger.Whereabouts{Here: span("h", 9, 9)}},
		{"two lines that part", span("h", 1, 2), ledger.Whereabouts{Here: span("h", 9, 9), Moved: []ledger.Place{span("h", 50, 50)}}},
		{"no file", span("", 7, 7), ledger.Whereabouts{Here: span("", 7, 7)}},
	}
	var spans []ledger.Place
	for _, tt := range tests {
		spans = append(spans, tt.span)
	}
	all := d.Follow(spans)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, all[i]); diff != "" {
				t.Errorf("among others (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(all[i], d.Follow([]ledger.Place{tt.span})[0]); diff != "" {
				t.Errorf("alone, it is another (-among others +alone):\n%s", diff)
			}
		})
	}
}

func TestNewName(t *testing.T) {
	t.Parallel()
	d := mustParse(t, moves+others)
	for old, want := range map[string]string{"d": "e", "a": "a", "b": "b", "pure": "moved", "old": "new", "nowhere": "nowhere", "": "", "type": "type"} {
		if got := d.NewName(old); got != want {
			t.Errorf("NewName(%q) = %q, want %q", old, got, want)
		}
	}
}

// Clusters next to the lines that stayed, or else to the largest cluster, are joined to one place.
func TestJoinClusters(t *testing.T) {
	t.Parallel()
	of := func(file string, start, end int) cluster {
		c := cluster{Place: ledger.Place{File: file, Start: start, End: end}}
		for n := start; n <= end; n++ {
			c.lines = append(c.lines, n)
		}
		return c
	}
	for name, test := range map[string]struct {
		stayed   ledger.Place
		clusters []cluster
		here     ledger.Place
		moved    []ledger.Place
	}{
		"behind":        {placeOf("a", 10, 12), []cluster{of("a", 15, 16), of("b", 1, 1), of("a", 40, 41)}, placeOf("a", 10, 16), []ledger.Place{placeOf("b", 1, 1), placeOf("a", 40, 41)}},
		"before":        {placeOf("a", 10, 12), []cluster{of("a", 5, 7)}, placeOf("a", 5, 12), nil},
		"too far":       {placeOf("a", 10, 12), []cluster{of("a", 16, 16), of("a", 5, 6)}, placeOf("a", 10, 12), []ledger.Place{placeOf("a", 16, 16), placeOf("a", 5, 6)}},
		"within":        {placeOf("a", 10, 20), []cluster{of("a", 12, 13)}, placeOf("a", 10, 20), nil},
		"nothing stays": {ledger.Place{}, []cluster{of("a", 1, 1), of("b", 7, 9), of("b", 11, 11)}, placeOf("b", 7, 11), []ledger.Place{placeOf("a", 1, 1)}},
	} {
		here, moved := joinClusters(test.stayed, test.clusters)
		if diff := cmp.Diff(test.here, here) + cmp.Diff(test.moved, moved); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A short text gives a span's place only if nothing else of the span is left.
func TestAddShort(t *testing.T) {
	t.Parallel()
	of := func(file string, start, end int) cluster {
		return cluster{Place: ledger.Place{File: file, Start: start, End: end}}
	}
	for name, test := range map[string]struct {
		here     ledger.Place
		clusters []cluster
		want     ledger.Whereabouts
	}{
		"nothing else": {placeOf("a", 0, 0), []cluster{of("b", 3, 3), of("b", 9, 9)}, ledger.Whereabouts{Here: placeOf("b", 3, 3), Moved: []ledger.Place{placeOf("b", 9, 9)}}},
		"the same":     {placeOf("a", 3, 6), []cluster{of("a", 3, 6), of("a", 3, 3), of("a", 6, 6)}, ledger.Whereabouts{Here: placeOf("a", 3, 6)}},
		"outside":      {placeOf("a", 3, 6), []cluster{of("a", 4, 5), of("a", 2, 3), of("a", 6, 7), of("b", 4, 4)}, ledger.Whereabouts{Here: placeOf("a", 3, 6), Moved: []ledger.Place{placeOf("a", 2, 3), placeOf("a", 6, 7), placeOf("b", 4, 4)}}},
	} {
		got := ledger.Whereabouts{Here: test.here}
		addShort(&got, test.clusters)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A line continues a cluster if it follows in the same file at about the same distance as before,
// give or take a few lines.
func TestClusterGoesOn(t *testing.T) {
	t.Parallel()
	c := &cluster{Place: placeOf("a", 100, 101), lines: []int{10, 11}}
	for _, test := range []struct {
		file    string
		line, n int
		want    bool
	}{
		{"a", 102, 12, true}, {"b", 102, 12, false}, {"a", 101, 12, false}, {"a", 99, 12, false}, {"a", 105, 12, true}, {"a", 106, 12, false}, {"a", 102, 15, true}, {"a", 102, 16, false}, {"a", 131, 41, true},
	} {
		if got := c.continues(movedLine{file: &File{New: test.file}, line: test.line}, test.n); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}
