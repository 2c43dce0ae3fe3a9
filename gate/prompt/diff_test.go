package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
)

// section returns the text from a heading to the next one of its kind.
func section(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		t.Fatalf("no %q in\n%s", heading, text)
	}
	rest, _, _ = strings.Cut(rest, "\n# ")
	return rest
}

// data returns what is between the first fences of a text.
func data(t *testing.T, text string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, "BEGIN DATA-")
	_, rest, found := strings.Cut(rest, "\n")
	rest, _, closed := strings.Cut(rest, "END DATA-")
	if !found || !closed {
		t.Fatalf("no data in\n%s", text)
	}
	return rest
}

func TestDiffLines(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ diff, summary, want string }{
		"changed, removed and unchanged lines": {
			"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -471,3 +471,3 @@ func f\n one\n-two\n+2\n three\n",
			"- x +1 −1", "--- a/x\n+++ b/x\n@@ -471,3 +471,3 @@ func f\n  471  one\n      -two\n  472 +2\n  473  three\n",
		},
		"several hunks": {
			"--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n@@ -9,2 +10,1 @@\n-nine\n ten\n",
			"- x +1 −1", "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n    1  one\n    2 +two\n@@ -9,2 +10,1 @@\n      -nine\n   10  ten\n",
		},
		"a hunk of removed lines": {"--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-a\n-b\n", "- x +0 −2", "--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n      -a\n      -b\n"},
		"lines that look like git's": {
			"--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n--- a/y\n+++ b/y\n-diff --git a/y b/y\n+@@ -1 +1 @@\n index 1\n \\ x\n@@ -9 +9 @@\n nine\n",
			"- x +2 −2", "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n      --- a/y\n    1 +++ b/y\n      -diff --git a/y b/y\n    2 +@@ -1 +1 @@\n    3  index 1\n    4  \\ x\n@@ -9 +9 @@\n    9  nine\n",
		},
		"no line break at the end": {
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file",
			"- x +1 −1", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n      -a\n      \\ No newline at end of file\n    1 +b\n      \\ No newline at end of file\n",
		},
		"cut off":                        {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", "- x +1 −1", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n      -a\n    1 +b\n"},
		"a blank line without its space": {"--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n\n+b\n\n", "- x +1 −0", "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n    1  \n    2 +b\n    3  \n"},
		"carriage returns":               {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n", "- x +1 −1", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n      -a\r\n    1 +b\r\n"},
		"large numbers": {
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n@@ -100000 +99999,2 @@\n a\n+b\n",
			"- x +1 −0", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n     1  a\n@@ -100000 +99999,2 @@\n 99999  a\n100000 +b\n",
		},
		"a rename": {diffOfRename, "- x +2 −1", "--- a/src/docs/old.md\n+++ b/src/docs/new.md\n@@ -1 +1,2 @@\n      -Old\n      \\ No newline at end of file\n    1 +New\n    2 +store\n"},
		"a copy":   {"diff --git a/w b/x\nsimilarity index 90%\ncopy from w\ncopy to x\n--- a/w\n+++ b/x\n@@ -1 +1,2 @@\n a\n+b\n", "- x +1 −0", "--- a/w\n+++ b/x\n@@ -1 +1,2 @@\n    1  a\n    2 +b\n"},
		"a rename alone": {
			"diff --git a/w b/x\nsimilarity index 100%\nrename from w\nrename to x\n", "- x", "file x has changed, without lines to show\nrename from w\nrename to x\n",
		},
		"a mode alone":   {"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "- x", "file x has changed, without lines to show\nold mode 100644\nnew mode 100755\n"},
		"binary":         {"diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n", "- x", "file x has changed, without lines to show\nBinary files a/x and b/x differ\n"},
		"nothing at all": {"", "- x", "file x has changed, without lines to show\n"},
		"another type": {
			"diff --git a/x b/x\ndeleted file mode 100644\nindex 1..0\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\ndiff --git a/x b/x\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+to\n\\ No newline at end of file\n",
			"- x +1 −1", "deleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n      -a\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n    1 +to\n      \\ No newline at end of file\n",
		},
		"lines, and none": {
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\nBinary files differ\n", "- x +1 −1",
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n      -a\n    1 +b\nfile x has changed, without lines to show\nBinary files differ\n",
		},
		"a backslash between files": {
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x b/x\n\\ odd\n", "- x +1 −1",
			"--- a/x\n+++ b/x\n@@ -1 +1 @@\n      -a\n    1 +b\nfile x has changed, without lines to show\n\\ odd\n",
		},
		"what is not a hunk": {
			"@@ -1 @@ x\n@@@ -1 -1 +1 @@@\n@@ -a +1 @@\n@@ 1 +1 @@\n@@ -1 1 @@\n@@ -1,x +1 @@\n@@ -1 +1,-1 @@\n@@ -1 +-1 @@\nx -1 +1 x\n\\ kept\n+not a line\n",
			"- x", "@@ -1 @@ x\n@@@ -1 -1 +1 @@@\n@@ -a +1 @@\n@@ 1 +1 @@\n@@ -1 1 @@\n@@ -1,x +1 @@\n@@ -1 +1,-1 @@\n@@ -1 +-1 @@\nx -1 +1 x\n\\ kept\n+not a line\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := prompt.Input{New: []diff.File{{New: "x", Text: []byte(test.diff)}}}
			got := text(t, in)
			if diff := cmp.Diff(test.want, data(t, section(t, got, "# The diff"))); diff != "" {
				t.Errorf("diff (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff("Files:\n"+test.summary+"\n", data(t, section(t, got, "# The change"))); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
			if string(in.New[0].Text) != test.diff {
				t.Error("the input has changed")
			}
		})
	}
}

// TestFilesStandOnce checks that a file of which a part is new and another was seen before is one file,
// and that each part has its own counts.
func TestFilesStandOnce(t *testing.T) {
	t.Parallel()
	hunk := func(line string) []byte { return []byte("@@ -0,0 +1 @@\n+" + line + "\n") }
	in := prompt.Input{
		Answered: true,
		New:      []diff.File{{New: "a", Text: hunk("1")}, {New: "b", Text: hunk("2")}},
		Seen:     []diff.File{{New: "a", Text: []byte("@@ -1,2 +1 @@\n-4\n-5\n+6\n")}, {New: "c"}},
	}
	got := build(t, in)[0]
	if diff := cmp.Diff([]string{"a", "b", "c"}, got.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("Files:\n- a\n- b\n- c\n", data(t, section(t, string(got.Text), "# The change"))); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	unseen, seen, _ := strings.Cut(section(t, string(got.Text), "# The diff"), "## Seen by you before\n")
	const wantNew = "@@ -0,0 +1 @@\n    1 +1\n@@ -0,0 +1 @@\n    1 +2\n"
	if diff := cmp.Diff("- a +1 −0\n- b +1 −0\n\n"+wantNew, data(t, unseen)); diff != "" || !strings.Contains(unseen, "\n\n## New since your last answer\n\nBEGIN") {
		t.Errorf("new (-want +got):\n%s\n%s", diff, unseen)
	}
	if diff := cmp.Diff("- a +1 −2\n- c\n\n@@ -1,2 +1 @@\n      -4\n      -5\n    1 +6\nfile c has changed, without lines to show\n", data(t, seen)); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
	in.Answered, in.Seen = false, nil
	if got := text(t, in); strings.Contains(got, "## ") || strings.Contains(got, "seen before") || data(t, section(t, got, "# The diff")) != wantNew || !strings.Contains(got, "Files:\n- a +1 −0\n- b +1 −0\n") {
		t.Errorf("a first answer:\n%s", got)
	}
}

func TestWholeFiles(t *testing.T) {
	t.Parallel()
	in := prompt.Input{WholeFiles: true, New: []diff.File{
		{New: "a", Text: []byte("+one\n@@ -1 +1 @@\n\ndiff --git\n")}, {New: "b\n", Text: []byte(strings.Repeat("x\n", 99999) + "last")}, {New: "c"},
	}}
	got := data(t, section(t, text(t, in), "# The files"))
	for _, want := range []string{"file a\n    1  +one\n    2  @@ -1 +1 @@\n    3  \n    4  diff --git\nfile \"b\\n\"\n     1  x\n     2  x\n", "\n 99999  x\n100000  last\nfile c, which is empty\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q: %.200s", want, got)
		}
	}
	if got := data(t, section(t, text(t, in), "# The change")); got != "Files:\n- a\n- \"b\\n\"\n- c\n" {
		t.Errorf("summary %q", got)
	}
}
