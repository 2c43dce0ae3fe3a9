package diff

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The ranges in a hunk's header are parsed; numbers that no file can have are rejected.
func TestParseRange(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10,7 x": `10 7 " x"`, "10": `10 1 ""`, "1,0 ": `2 0 " "`, "0,0": `1 0 ""`, "9": `9 1 ""`, "1,9@": `1 9 "@"`, "3:": `3 1 ":"`, "3/": `3 1 "/"`,
		fmt.Sprint(maxLine): fmt.Sprintf(`%d 1 ""`, maxLine),
	} {
		start, count, rest, ok := parseRange([]byte(text))
		if got := fmt.Sprintf("%d %d %q", start, count, rest); got != want || !ok {
			t.Errorf("%q: %s, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", ",1", "x", "1,", "1,x", "0", "0,3", "-1", ":", "/", fmt.Sprint(maxLine + 1), "99999999999999999999"} {
		if start, count, _, ok := parseRange([]byte(text)); ok {
			t.Errorf("%q: %d, %d", text, start, count)
		}
	}
}

// A hunk must have as many lines as its header says.
func TestParseContradictions(t *testing.T) {
	t.Parallel()
	const head = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n"
	for _, text := range []string{
		head + "@@ -1,2 +1,2 @@\n-a\n-b\n-c\n+d\n",
		head + "@@ -1,2 +1,2 @@\n+a\n+b\n+c\n-d\n",
		head + "@@ -1,2 +1,2 @@\n a\n+b\n+c\n",
		head + "@@ -1,1 +1,1 @@\n",
		head + "@@ -0 +1 @@\n-a\n+b\n",
	} {
		if d, err := parse([]byte(listOf(text) + text)); err == nil {
			t.Errorf("%q: %+v", text, d)
		}
	}
	d := mustParse(t, head+"@@ -1,2 +1,2 @@\n\n-a\n+b\n")
	if len(d.Files) != 1 || len(d.Files[0].Blocks) != 1 || d.Files[0].Blocks[0] != (Block{OldStart: 2, OldCount: 1, NewStart: 2, NewCount: 1}) {
		t.Errorf("an empty line of context whose blank is gone: %+v", d)
	}
}

// If one side of a change of type is binary or a submodule, so is the file.
func TestParseTypeChange(t *testing.T) {
	t.Parallel()
	deleted := func(mode, more string) string {
		return "diff --git a/f b/f\ndeleted file mode " + mode + "\nindex 1..0\n" + more
	}
	added := func(mode, more string) string {
		return "diff --git a/f b/f\nnew file mode " + mode + "\nindex 0..1\n" + more
	}
	const gone, come = "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"
	for name, test := range map[string]struct {
		text              string
		binary, submodule bool
	}{
		"text":             {deleted("100644", gone) + added("120000", come), false, false},
		"binary first":     {deleted("100644", "Binary files a/f and /dev/null differ\n") + added("120000", come), true, false},
		"binary then":      {deleted("120000", gone) + added("100644", "Binary files /dev/null and b/f differ\n"), true, false},
		"submodule first":  {deleted("160000", gone) + added("100644", come), false, true},
		"submodule at end": {deleted("100644", gone) + added("160000", come), false, true},
	} {
		d := mustParse(t, test.text)
		if len(d.Files) != 1 || d.Files[0].Kind != TypeChanged || d.Files[0].Binary != test.binary || d.Files[0].Submodule != test.submodule {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestStatusEntries(t *testing.T) {
	t.Parallel()
	const ids = "100644 100644 100644 1111111111111111111111111111111111111111 2222222222222222222222222222222222222222"
	for _, entry := range []string{
		"", "x", "1", "1 .M N... " + ids, "2 R. N... " + ids + " a", "1 .MM N... " + ids + " f", "1 .M N.. " + ids + " f", "1 .M N...S " + ids + " f", "u UU N... " + ids + " f", "?", "! f",
	} {
		var s worktreeStatus
		if err := s.add(entry, nil); err == nil {
			t.Errorf("%q is taken: %+v", entry, s)
		}
	}
	var s worktreeStatus
	for _, entry := range []string{
		"1 .M N... " + ids + " changed", "1 .D N... " + ids + " removed", "1 .. N... " + ids + " staged", "? new", "? logs/new", "1 .M N... " + ids + " logs/changed",
		"1 .M S.M. " + ids + " edited", "1 .M S..U " + ids + " untracked", "1 .M SC.. " + ids + " moved", "1 .M SCM. " + ids + " both", "1 A. N... " + ids + " logs/added", "? logs",
	} {
		if err := s.add(entry, []string{"logs"}); err != nil {
			t.Error(err)
		}
	}
	want := [][]string{{"changed", "moved", "both"}, {"removed"}, {"new"}, {"edited", "untracked", "both"}}
	if d := cmp.Diff(want, [][]string{s.changed, s.removed, s.untracked, s.dirty}); d != "" || !s.resets {
		t.Errorf("resets %t (-want +got):\n%s", s.resets, d)
	}
}

func TestCutObject(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{"1 blob 2\nab\nrest": "ab|rest", "1 blob 0\n\nrest": "|rest", "1 blob 2\nab\n": "ab|"} {
		content, rest, err := cutObject([]byte(out))
		if got := string(content) + "|" + string(rest); got != want || err != nil {
			t.Errorf("%q: %q, %v", out, got, err)
		}
	}
	for _, out := range []string{"", "1 missing\n", "1 tree 2\nab\n", "1 blob -1\nab\n", "1 blob x\nab\n", "1 blob 2\nab", "1 blob 3\nab\n", "1 blob 9\nab\n", "1 blob\n"} {
		if content, rest, err := cutObject([]byte(out)); err == nil {
			t.Errorf("%q: %q, %q", out, content, rest)
		}
	}
}

func TestExited(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{&gitError{ExitCode: 1}: true, &gitError{ExitCode: 128}: false, &gitError{}: false, os.ErrNotExist: false} {
		if got := exitedWith1(err); got != want {
			t.Errorf("%#v: %t", err, got)
		}
	}
	if gitFailed(os.ErrNotExist) || !gitFailed(fmt.Errorf("find: %w", &gitError{})) {
		t.Error("an error that is not of git counts as one, or one of git does not")
	}
}

func TestEmptyChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change Change
		want   bool
	}{"nothing": {Change{}, true}, "a file": {Change{Files: []string{"f"}}, false}, "a commit": {Change{Head: "1"}, false}, "a branch without one": {Change{Branch: "b"}, false}} {
		if test.change.Empty() != test.want {
			t.Errorf("%s", name)
		}
	}
}

func TestIsWithin(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]bool{"d": true, "d/e": true, "d/e/f": true, "d/": false, "d/e/f/g": false, "e": false, "": false} {
		if got := isWithin("d/e/f", []string{"x", folder}); got != want {
			t.Errorf("in %q: %t", folder, got)
		}
	}
}

func TestIndexFacts(t *testing.T) {
	t.Parallel()
	const id = " 1111111111111111111111111111111111111111 0\t"
	one := []string{"f"}
	for line, want := range map[string]indexFacts{
		"H 100644" + id + "a b\tc": {}, "h 100644" + id + "f": {assumed: one}, "S 100644" + id + "f": {skipped: one},
		"s 120000" + id + "f": {assumed: one, skipped: one}, "H 160000" + id + "f": {gitlinks: one}, "M 100644" + id + "f": {}, "H 100644 160000" + id + "f": {},
		"H 100644" + id + "d/e": {excluded: []string{"d/e"}},
	} {
		var got indexFacts
		got.add(line, []string{"d"})
		got.add(line, []string{"d"})
		if got.assumed, got.skipped, got.gitlinks = slices.Compact(got.assumed), slices.Compact(got.skipped), slices.Compact(got.gitlinks); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

// A file is behind a link if any of its folders is now a link.
func TestBehindLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "folder", "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("folder", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("inner", filepath.Join(dir, "folder", "link")); err != nil {
		t.Fatal(err)
	}
	st := &stage{repo: &Repo{Root: dir}}
	others, hidden := st.behindLinks([]string{"f", "folder/f", "folder/inner/f", "gone/f", "link/f", "link/inner/f", "folder/link/f", "folder/link/deep/f", "folder/link", "link"})
	if d := cmp.Diff([]string{"f", "folder/f", "folder/inner/f", "gone/f", "folder/link", "link"}, others) + cmp.Diff([]string{"link/f", "link/inner/f", "folder/link/f", "folder/link/deep/f"}, hidden); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
