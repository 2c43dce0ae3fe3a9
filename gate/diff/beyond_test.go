package diff

import (
	"slices"
	"strings"
	"testing"
)

// What a diff shows besides another one: the rest of its changes, line by line.
//
// Rule: No slot passes what it was not shown.
func TestBeyond(t *testing.T) {
	t.Parallel()
	const head = "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n"
	const hunk = "@@ -1,6 +1,7 @@ func\n a\n-b\n-c\n+B\n+C\n+D\n d\n e\n f\n"
	all := parsed(t, hunk)
	far := parsed(t, "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -50,4 +50,4 @@\n w\n x\n y\n-z\n+Z\n")
	for _, test := range []struct {
		name        string
		diff, since []File
		want        string
	}{
		{"nothing new", all, nil, head + hunk},
		{"another file", all, mustParse(t, strings.ReplaceAll(head, "a/a b/a", "a/z b/z")+hunk).Files[:0], head + hunk},
		{"the same", all, all, ""},
		{"all of it, from another tree", all, parsed(t, "@@ -1,5 +1,7 @@\n a\n-x\n+B\n+C\n+D\n d\n e\n f\n"), head + "@@ -1,6 +1,4 @@\n a\n-b\n-c\n B\n C\n D\n"},
		{"one of adjacent lines", all, parsed(t, "@@ -1,7 +1,7 @@\n a\n B\n-c\n+C\n D\n d\n e\n f\n"), head + "@@ -1,6 +1,7 @@\n a\n-b\n+B\n C\n+D\n d\n e\n f\n"},
		{"a line that went back", all, parsed(t, "@@ -1,7 +1,7 @@\n a\n B\n C\n D\n d\n-E\n+e\n f\n"), head + hunk},
		{"far away", far, parsed(t, "@@ -50,4 +50,4 @@\n w\n x\n y\n-z\n+Z\n"), head + "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n"},
		{"the same text removed elsewhere", parsed(t, "@@ -1,4 +1,3 @@\n-}\n b\n c\n d\n@@ -50,4 +49,3 @@\n w\n x\n y\n-}\n"), parsed(t, "@@ -49,4 +49,3 @@\n w\n x\n y\n-}\n"), head + "@@ -1,4 +1,3 @@\n-}\n b\n c\n d\n"},
		{"renamed since", []File{{Old: "o", New: "a", Kind: Renamed}}, []File{{Old: "o", New: "a", Kind: Renamed}}, ""},
		{"renamed before", []File{{Old: "o", New: "a", Kind: Renamed}}, nil, "a"},
		{"renamed, changed before", all, []File{{Old: "o", New: "a", Kind: Renamed}}, head + hunk},
		{"added since", all, []File{{New: "a", Kind: Added}}, ""},
		{"deleted since", []File{{Old: "a", Kind: Deleted}}, []File{{Old: "a", Kind: Deleted}}, ""},
		{"moved away since", []File{{Old: "a", Kind: Deleted}}, []File{{Old: "a", New: "b", Kind: Renamed}}, ""},
		{"a mode, and lines since", []File{{Old: "a", New: "a", Kind: Modified}}, all, "a"},
		{"binary", []File{{Old: "a", New: "a", Kind: Modified, Binary: true}}, []File{{Old: "a", New: "a", Kind: Modified, Binary: true}}, ""},
		{"of two comparisons the last", slices.Concat(all, far), []File{{New: "other", Kind: Added}}, head + "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -50,4 +50,4 @@\n w\n x\n y\n-z\n+Z\n"},
		{"of two comparisons the one that is not new", slices.Concat(all, far), far, head + hunk},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text := ""
			for _, f := range (&Diff{Files: test.diff}).Beyond(&Diff{Files: test.since}).Files {
				text += string(f.Text)
				if len(f.Hunks) == 0 {
					text += f.Path()
				} else if again := mustParse(t, string(f.Text)); len(again.Files[0].Blocks) != len(f.Blocks) {
					t.Errorf("its blocks are not those of its text: %+v, %+v", f.Blocks, again.Files[0].Blocks)
				}
			}
			if text != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", text, test.want)
			}
		})
	}
}

func TestAround(t *testing.T) {
	t.Parallel()
	files := slices.Concat(parsed(t, "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -50,4 +50,4 @@\n w\n x\n y\n-z\n+Z\n"), []File{{Old: "b", New: "b", Binary: true}, {Old: "c", New: "c", Binary: true}})
	got := (&Diff{Files: files}).Around(func(file string, first, last int) bool {
		return file == "a" && first == 50 && last == 53 || file == "b" && first == 0 && last == 0
	})
	if len(got.Files) != 2 || got.Files[1].New != "b" || len(got.Files[0].Blocks) != 1 || strings.Contains(string(got.Files[0].Text), "+A") || !strings.Contains(string(got.Files[0].Text), "+++ b/a\n@@ -50,4 +50,4 @@\n w\n x\n y\n-z\n+Z\n") {
		t.Errorf("%+v", got)
	}
	if none := (&Diff{Files: files}).Around(func(string, int, int) bool { return false }); !none.Empty() {
		t.Errorf("%+v", none)
	}
}
