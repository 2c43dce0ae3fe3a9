package diff

import (
	"bytes"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", sample, others, modifiedHeader + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
		"diff --git \"a/\\t\\303\\244\" \"b/\\t\\303\\244\"\nold mode 100644\nnew mode 100755\n",
		"diff --git a/x b/x b/x b/x\nindex 1..2 100644\n--- a/x b/x\t\n+++ b/x b/x\t\n@@ -1 +1 @@ f()\n--- a\n+++ b\n",
	} {
		f.Add([]byte(listOf(seed) + seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		d, err := parse(output)
		if err != nil {
			if d != nil {
				t.Error("a diff besides an error")
			}
			return
		}
		var texts []byte
		for _, file := range d.Files {
			texts = append(texts, file.Text...)
			checkFile(t, file)
			for _, path := range []string{file.Old, file.New} {
				if path != "" && !d.Contains(path, 0, 0) {
					t.Errorf("%q is not in its diff", path)
				}
			}
		}
		if _, patch, _ := cutList(output); !bytes.Equal(texts, showNUL(patch)) || d.Size() != len(texts) {
			t.Error("the texts of the files do not make up the patch")
		}
	})
}

// checkFile checks that the blocks ascend, that unchanged lines keep their distances, and that the
// blocks have as many lines as the text.
func checkFile(t *testing.T, file File) {
	t.Helper()
	if file.Old == "" && file.New == "" {
		t.Error("a file without a name")
	}
	at := Block{OldStart: 1, NewStart: 1}
	total := 0
	for _, b := range file.Blocks {
		gap := b.OldStart - at.oldEnd()
		if gap < 0 || gap != b.NewStart-at.newEnd() || b.OldCount < 0 || b.NewCount < 0 || b.OldCount+b.NewCount == 0 {
			t.Errorf("block %+v after %+v", b, at)
		}
		total += b.OldCount + b.NewCount
		at = b
	}
	changed := bytes.Count(file.Text, []byte("\n-")) + bytes.Count(file.Text, []byte("\n+"))
	if len(file.Blocks) > 0 && total != changed-2 { // "---" and "+++"
		t.Errorf("%d changed lines in blocks, %d in the text", total, changed-2)
	}
}
