package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const modifiedHeader = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n"

func TestParse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want []File
	}{
		"nothing": {"", nil},
		"lines that look like headers": {
			modifiedHeader + "@@ -1,3 +1,3 @@\n--- a/x\n-diff --git a/x b/x\n+++ b/x\n+@@ -1 +1 @@\n \n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{1, 2, 1, 2}}}},
		},
		"two hunks": {
			modifiedHeader + "@@ -1,2 +1 @@\n a\n-b\n@@ -10,2 +9,3 @@ func\n a\n+b\n c\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{2, 1, 2, 0}, {11, 0, 10, 1}}}},
		},
		"two blocks of a hunk": {
			modifiedHeader + "@@ -1,3 +1,4 @@\n-a\n+b\n m\n-c\n+d\n+e\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{1, 1, 1, 1}, {3, 1, 3, 2}}}},
		},
		"an empty context line without its blank": {
			modifiedHeader + "@@ -1,2 +1,3 @@\n a\n\n+b\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{3, 0, 3, 1}}}},
		},
		"carriage returns": {
			modifiedHeader + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{2, 1, 2, 1}}}},
		},
		"no final line feed": {
			modifiedHeader + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{1, 1, 1, 1}}}},
		},
		"added": {
			"diff --git a/f b/f\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n",
			[]File{{New: "f", Kind: Added, Blocks: []Block{{1, 0, 1, 2}}}},
		},
		"added empty": {
			"diff --git a/f b/f\nnew file mode 100644\nindex 0..1\n",
			[]File{{New: "f", Kind: Added}},
		},
		"deleted": {
			"diff --git a/f b/f\ndeleted file mode 100644\nindex 0..1\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
			[]File{{Old: "f", Kind: Deleted, Blocks: []Block{{1, 1, 1, 0}}}},
		},
		"binary": {
			"diff --git a/f b/f\nindex 1..2 100644\nBinary files a/f and b/f differ\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Binary: true}},
		},
		"mode": {
			"diff --git a/f b/f\nold mode 100644\nnew mode 100755\n",
			[]File{{Old: "f", New: "f", Kind: Modified}},
		},
		"mode and content": {
			"diff --git a/f b/f\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
			[]File{{Old: "f", New: "f", Kind: Modified, Blocks: []Block{{1, 1, 1, 1}}}},
		},
		"rename": {
			"diff --git a/a b/c b/a b/d\nsimilarity index 100%\nrename from a b/c\nrename to a b/d\n",
			[]File{{Old: "a b/c", New: "a b/d", Kind: Renamed}},
		},
		"names with blanks": {
			"diff --git a/x b/x b/x b/x\nindex 1..2 100644\n--- a/x b/x\t\n+++ b/x b/x\t\n@@ -1 +1 @@\n-a\n+b\n",
			[]File{{Old: "x b/x", New: "x b/x", Kind: Modified, Blocks: []Block{{1, 1, 1, 1}}}},
		},
		"quoted name": {
			"diff --git \"a/\\t\\303\\244\\\"\\\\\" \"b/\\t\\303\\244\\\"\\\\\"\nold mode 100644\nnew mode 100755\n",
			[]File{{Old: "\tä\"\\", New: "\tä\"\\", Kind: Modified}},
		},
		"submodule": {
			"diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
			[]File{{Old: "s", New: "s", Kind: Modified, Submodule: true, Blocks: []Block{{1, 1, 1, 1}}}},
		},
		"id that ends like a mode": {
			"diff --git a/f b/f\nnew file mode 100644\nindex 000000..160000\n",
			[]File{{New: "f", Kind: Added}},
		},
		"file called like a mode": {
			"diff --git a/x160000 b/160000\nsimilarity index 100%\nrename from x160000\nrename to 160000\n",
			[]File{{Old: "x160000", New: "160000", Kind: Renamed}},
		},
		"type": {
			"diff --git a/f b/f\ndeleted file mode 100644\nindex 1..0\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n" +
				"diff --git a/f b/f\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+t\n\\ No newline at end of file\n",
			[]File{{Old: "f", New: "f", Kind: TypeChanged}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := mustParse(t, test.text)
			var text strings.Builder
			for i := range d.Files {
				text.Write(d.Files[i].Text)
				d.Files[i].Text = nil
				d.Files[i].Hunks = nil // TestShows tests them
				if len(d.Files[i].Blocks) == 0 {
					d.Files[i].Blocks = nil
				}
			}
			if diff := cmp.Diff(test.want, d.Files, cmpopts.IgnoreUnexported(File{})); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if text.String() != test.text {
				t.Errorf("the texts of the files are %q", text.String())
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	const renamed = "diff --git a/f b/g\nrename from f\nrename to g\n"
	tests := map[string]struct{ text, want string }{
		"blank line after a file":  {modifiedHeader + "@@ -1 +1 @@\n-a\n+b\n\n", `line 8: found "" after the last file`},
		"blank line between files": {modifiedHeader + "@@ -1 +1 @@\n-a\n+b\n\n" + renamed, "line 8: found \"\" instead"},
		"cut before the hunks":     {modifiedHeader, `line 5: no changed lines of "f"`},
		"cut before ---":           {"diff --git a/f b/f\nindex 1..2 100644\n", `no changed lines of "f"`},
		"combined hunk":            {modifiedHeader + "@@@ -1 -1 +1 @@@\n", "no changed lines"},
		"cut within a hunk":        {modifiedHeader + "@@ -1,2 +1,2 @@\n a\n", "line 7: the diff ends within a hunk"},
		"file within a hunk":       {modifiedHeader + "@@ -1,2 +1,2 @@\n a\n" + renamed, "line 7: unexpected \"diff"},
		"hunk with too many lines": {modifiedHeader + "@@ -1 +1 @@\n-a\n+b\n+c\n", "line 8"},
		"hunk with other lines":    {modifiedHeader + "@@ -1 +1 @@\n-a\n-b\n", "line 7: the hunk has other line counts"},
		"hunks that overlap":       {modifiedHeader + "@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "line 8: the hunk header"},
		"hunks that do not fit":    {modifiedHeader + "@@ -1 +1 @@\n-a\n+b\n@@ -3 +4 @@\n-a\n+b\n", "line 8: the hunk header"},
		"empty hunk":               {modifiedHeader + "@@ -1,0 +1,0 @@\n", "malformed hunk header"},
		"line 0":                   {modifiedHeader + "@@ -0,1 +1 @@\n-a\n+b\n", "malformed hunk header"},
		"number too large":         {modifiedHeader + "@@ -1,99999999999999999999 +1 @@\n", "malformed hunk header"},
		"hunk with more new lines": {modifiedHeader + "@@ -1,2 +1,2 @@\n+a\n+b\n+c\n-d\n-e\n", "line 8: the hunk has other line counts"},
		"no first number":          {modifiedHeader + "@@ -,1 +1 @@\n", "malformed hunk header"},
		"no second number":         {modifiedHeader + "@@ -1, +1 @@\n+a\n", "malformed hunk header"},
		"cut behind a number":      {modifiedHeader + "@@ -1", "malformed hunk header"},
		"cut behind both":          {modifiedHeader + "@@ -1 +1,1", "malformed hunk header"},
		"negative number":          {modifiedHeader + "@@ --1 +1 @@\n", "malformed hunk header"},
		"binary patch":             {"diff --git a/f b/f\nindex 1..2\nGIT binary patch\nliteral 0\n\n", "no changed lines"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse([]byte(listOf(test.text) + test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// The list says which files have changed, and the patch has a part for each.
func TestParseList(t *testing.T) {
	t.Parallel()
	const modified, added = ":100644 100644 1 2 M\x00f\x00", ":000000 100644 0 1 A\x00g\x00"
	const changed, empty = modifiedHeader + "@@ -1 +1 @@\n-a\n+b\n", "diff --git a/g b/g\nnew file mode 100644\nindex 0..1\n"
	for name, test := range map[string]struct{ output, want string }{
		"prose":                   {"hello\n", `found "hello`},
		"a patch alone":           {changed, `found "diff --git`},
		"colors":                  {"\x1b[1mdiff --git a/f b/f\x1b[m\n", "instead of a list"},
		"a list alone":            {modified, `instead of a list`},
		"no patch":                {modified + "\x00", `line 1: found "" instead`},
		"a part is missing":       {modified + added + "\x00" + changed, `line 8: found "" instead`},
		"the first is missing":    {modified + added + "\x00" + empty, `found "diff --git a/g b/g`},
		"a part too many":         {modified + "\x00" + changed + empty, `line 8: found "diff --git a/g b/g" after the last file`},
		"another order":           {modified + added + "\x00" + empty + changed, `found "diff --git a/g b/g`},
		"other objects":           {":100644 100644 1 3 M\x00f\x00\x00" + changed, `instead of the part of "f"`},
		"half a change of type":   {":100644 120000 1 2 T\x00f\x00\x00diff --git a/f b/f\ndeleted file mode 100644\nindex 1..0\n", `found "" instead`},
		"a copy":                  {":100644 100644 1 2 C50\x00f\x00g\x00\x00", "unknown status C50"},
		"a conflict":              {":100644 000000 1 0 U\x00f\x00\x00", "unknown status U"},
		"cut within an entry":     {":100644 100644 1\x00f\x00", "in the list of files"},
		"cut before a name":       {":100644 100644 1 2 M", `the path ""`},
		"cut before the new name": {":100644 100644 1 2 R50\x00f\x00", `the path ""`},
		"path that leads out":     {":100644 100644 1 2 M\x00../f\x00\x00", `"../f" leads outside`},
		"rename that leads out":   {":100644 100644 1 2 R50\x00f\x00../f\x00\x00", `"../f" leads outside`},
		"absolute path":           {":100644 100644 1 2 M\x00/f\x00\x00", `"/f" leads outside`},
	} {
		if d, err := parse([]byte(test.output)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %+v, error %v, want one with %q", name, d, err, test.want)
		}
	}
}

func TestFilterPathsSize(t *testing.T) {
	t.Parallel()
	const (
		added   = "diff --git a/new/f b/new/f\nnew file mode 100644\nindex 0..1\n"
		deleted = "diff --git a/z b/z\ndeleted file mode 100644\nindex 1..0\n"
		renamed = "diff --git a/old/f b/moved/f\nrename from old/f\nrename to moved/f\n"
	)
	d := mustParse(t, added+deleted+renamed)
	if diff := cmp.Diff([]string{"moved/f", "new/f", "old/f", "z"}, d.Paths()); diff != "" {
		t.Errorf("Paths (-want +got):\n%s", diff)
	}
	if d.Size() != len(added+deleted+renamed) || d.Empty() {
		t.Errorf("Size() = %d, Empty() = %t", d.Size(), d.Empty())
	}
	for folder, want := range map[string][]string{"old/": {"moved/f", "old/f"}, "moved/": {"moved/f", "old/f"}, "new/": {"new/f"}, "z": {"z"}, "absent": {}} {
		kept := d.Filter(func(path string) bool { return strings.HasPrefix(path, folder) })
		if diff := cmp.Diff(want, kept.Paths()); diff != "" {
			t.Errorf("Filter(%q) (-want +got):\n%s", folder, diff)
		}
		if kept.Empty() != (len(want) == 0) {
			t.Errorf("Filter(%q).Empty() = %t", folder, kept.Empty())
		}
	}
}
