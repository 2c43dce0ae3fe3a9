package diff

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAttributesHideNothing marks a text file as binary in every place from which git reads
// attributes.
func TestAttributesHideNothing(t *testing.T) {
	t.Parallel()
	all := []string{"* -diff", "* binary", "*.txt diff=evil -text", "* -text -merge -diff"}
	for format, tried := range map[string][]string{"sha1": all, "sha256": all[:1]} {
		s := newSandbox(t, "--object-format="+format)
		s.git("config", "core.attributesFile", s.path("../attributes"))
		s.git("config", "diff.evil.binary", "true")
		s.write("f.txt", "1\n")
		first := s.commit()
		s.write("f.txt", "2\n")
		r := s.open()
		for _, place := range []string{".gitattributes", ".git/info/attributes", "../attributes"} {
			for _, attributes := range tried {
				s.write(place, attributes+"\n")
				snapshot, err := r.Snapshot(t.Context(), SnapshotOptions{})
				if err != nil {
					t.Fatal(err)
				}
				d, err := r.Diff(t.Context(), first, snapshot.Tree, nil)
				if err != nil {
					t.Fatal(err)
				}
				n := slices.IndexFunc(d.Files, func(f File) bool { return f.New == "f.txt" })
				if n < 0 || d.Files[n].Binary || !strings.Contains(string(d.Files[n].Text), "\n-1\n+2\n") {
					t.Errorf("%q in %s: %+v", attributes, place, d.Files)
				}
			}
			s.remove(place)
		}
	}
}

func TestNULHidesNothing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	program := strings.Repeat("func example() { return }\n", 20)
	s.write("a b.go", program)
	s.write("moved.go", program+"old\x00\n")
	s.write("image", "\x00\x01\x02\xff\xfe")
	first := s.commit()
	s.write("a b.go", program+"evil()\x00\n")
	s.git("mv", "moved.go", "renamed.go")
	s.write("renamed.go", program+"new\x00\n")
	s.write("late", strings.Repeat(program, 30)+"late\x00\n")
	s.write("image", "\x00\x01\x02\xff\xfd")
	s.write("large", program+"\x00"+strings.Repeat("x", maxOddText))
	snapshot := s.snapshot()
	d := s.diff(first, snapshot.Tree)
	want := map[string]string{"a b.go": "\n+evil()\u2400\n", "renamed.go": "\n-old\u2400\n+new\u2400\n", "late": "\n+late\u2400\n", "image": "", "large": ""}
	for _, f := range d.Files {
		line, known := want[f.New]
		if delete(want, f.New); !known || f.Binary != (line == "") || !strings.Contains(string(f.Text), line) {
			t.Errorf("%s: binary %t, text ends %q", f.New, f.Binary, f.Text[max(0, len(f.Text)-60):])
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the diff: %v", want)
	}
	if !d.Contains("a b.go", 21, 21) || d.Contains("a b.go", 20, 20) {
		t.Error("the changed line is not in the diff, or another one is")
	}

	r := s.open()
	files, err := r.TreeFiles(context.Background(), snapshot.Tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := r.Contents(context.Background(), files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range whole.Files {
		if binary := f.New == "image" || f.New == "large"; f.Binary != binary || !binary && !strings.Contains(string(f.Text), "\u2400") {
			t.Errorf("content of %s: binary %t", f.New, f.Binary)
		}
	}
}

// TestWideTextIsShown checks that lines of text in UTF-16 are shown, although git treats it as
// binary.
//
// Rule: Nothing is left out without a word.
func TestWideTextIsShown(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	wide := func(text, mark string, first, second int) string {
		b := []byte(mark)
		for i := range len(text) {
			pair := [2]byte{}
			pair[first], pair[second] = text[i], 0
			b = append(b, pair[:]...)
		}
		return string(b)
	}
	s.write("le", wide("one\r\ntwo\r\n", "\xff\xfe", 0, 1))
	s.write("be", wide("one\ntwo\n", "\xfe\xff", 1, 0))
	s.write("data", strings.Repeat("\x01\x00", 200)+"\n")
	s.write("zeros", strings.Repeat("\x00", 200))
	first := s.commit()
	s.write("le", wide("one\r\nevil line\r\n", "\xff\xfe", 0, 1))
	s.write("be", wide("one\nevil line\n", "\xfe\xff", 1, 0))
	s.write("data", strings.Repeat("\x01\x00", 201)+"\n")
	s.write("zeros", strings.Repeat("\x00", 201))
	s.write("new", wide("evil line\n", "\xff\xfe", 0, 1))
	d := s.diff(first, s.snapshot().Tree)
	for _, f := range d.Files {
		if wide := f.New != "data" && f.New != "zeros"; f.Binary == wide || strings.Contains(string(f.Text), "\n+evil line") != wide {
			t.Errorf("%s: binary %t, %q", f.New, f.Binary, f.Text)
		}
	}
	if len(d.Files) != 5 || !d.Contains("le", 2, 2) || d.Contains("be", 1, 1) {
		t.Errorf("%d files, or the wrong lines changed", len(d.Files))
	}
	r := s.open()
	files, err := r.TreeFiles(context.Background(), s.snapshot().Tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := r.Contents(context.Background(), files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range whole.Files {
		if wide := f.New != "data" && f.New != "zeros"; f.Binary == wide || strings.Contains(string(f.Text), "evil line") != wide {
			t.Errorf("content of %s: binary %t, %q", f.New, f.Binary, f.Text)
		}
	}
}

// TestSettingsHideNothing makes changes that git would overlook because of a setting.
func TestSettingsHideNothing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, setting := range [][2]string{
		{"core.ignoreCase", "true"}, {"core.trustctime", "false"}, {"core.checkStat", "minimal"}, {"core.ignoreStat", "true"},
		{"core.untrackedCache", "true"}, {"status.showUntrackedFiles", "no"}, {"index.sparse", "true"}, {"core.preloadIndex", "false"},
		{"submodule.recurse", "true"}, {"status.renames", "copies"}, {"status.submoduleSummary", "true"}, {"status.branch", "true"},
		{"status.showStash", "true"}, {"status.aheadBehind", "true"}, {"color.status", "always"}, {"core.sparseCheckout", "true"},
		{"core.sparseCheckoutCone", "true"}, {"feature.manyFiles", "true"},
	} {
		s.git("config", setting[0], setting[1])
	}
	moment := time.Unix(1700000000, 0)
	s.write("f", "1")
	s.write("Upper", "1")
	if err := os.Chtimes(s.path("f"), moment, moment); err != nil {
		t.Fatal(err)
	}
	s.git("stash", "list")
	s.commit()
	if err := os.Rename(s.path("f"), s.path("../f")); err != nil { // so that the new file is another file
		t.Fatal(err)
	}
	s.write("f", "2")
	if err := os.Chtimes(s.path("f"), moment, moment); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "2", "Upper": "1"}
	if _, err := os.Lstat(s.path("upper")); err != nil { // this file system distinguishes upper and lower case
		s.write("upper", "2")
		want["upper"] = "2"
	}
	s.checkSnapshot(want)
}

// TestFolderPosesAsRepository opens a folder of a clone that looks like a bare repository, with a
// configuration that names a program.
func TestFolderPosesAsRepository(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	marker := filepath.Join(filepath.Dir(s.dir), "marker")
	program := s.program("program", "touch "+marker)
	for _, worktree := range []string{"", "..", "."} {
		s.remove("trap")
		s.write("trap/HEAD", "ref: refs/heads/main\n")
		s.write("trap/objects/x", "")
		s.write("trap/refs/x", "")
		s.write("trap/sub/f", "")
		config := "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = " + program + "\n\thooksPath = " + filepath.Dir(program) + "\n[filter \"x\"]\n\tclean = " + program + "\n"
		if worktree != "" {
			config += "\tbare = false\n\tworktree = " + worktree + "\n"
		}
		s.write("trap/config", config)
		s.write(".gitattributes", "* filter=x\n")
		for _, dir := range []string{"trap", "trap/sub"} {
			if _, err := Open(context.Background(), s.path(dir)); !errors.Is(err, ErrNotRepository) {
				t.Errorf("Open(%q) with worktree %q: %v, want ErrNotRepository", dir, worktree, err)
			}
			if common, err := CommonDir(context.Background(), s.path(dir)); err == nil {
				t.Errorf("CommonDir(%q) = %q", dir, common)
			}
		}
		s.snapshot()
	}
	if _, err := os.Stat(marker); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that the clone names has run: %v", err)
	}
}
