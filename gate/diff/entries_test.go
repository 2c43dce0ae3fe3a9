package diff

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is read from an index is what git lists, and an index of another form is left to git.
func TestReadEntries(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		format  string
		prepare func(*sandbox)
		read    bool
	}{
		"usual":                  {"sha1", func(*sandbox) {}, true},
		"marks":                  {"sha1", mark, true},
		"marks, sha256":          {"sha256", mark, true},
		"added without a text":   {"sha1", func(s *sandbox) { s.write("new", "1"); s.git("add", "--intent-to-add", "new") }, true},
		"untracked cache":        {"sha1", func(s *sandbox) { s.git("update-index", "--force-untracked-cache"); s.git("status") }, true},
		"removed":                {"sha1", func(s *sandbox) { s.git("rm", "-r", "--quiet", "--cached", "."); s.git("reset", "--quiet", "--", "f") }, true},
		"conflict":               {"sha1", conflict, true},
		"version 4":              {"sha1", func(s *sandbox) { mark(s); s.git("update-index", "--index-version", "4") }, false},
		"in two files":           {"sha1", func(s *sandbox) { s.git("update-index", "--split-index") }, false},
		"folders for their file": {"sha1", func(s *sandbox) { s.git("sparse-checkout", "set", "--cone", "--sparse-index", "sub") }, false},
		"cut off": {"sha1", func(s *sandbox) {
			if err := os.Truncate(s.path(".git/index"), 100); err != nil {
				s.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, "--object-format="+test.format)
			for _, file := range []string{"f", "sub/g", "out/h", "out/i", "logs/log", strings.Repeat("long/", 40) + "k"} {
				s.write(file, "1")
			}
			head := s.commit()
			s.git("update-index", "--add", "--cacheinfo", submoduleMode+","+head+",module")
			test.prepare(s)
			entries, ok := readEntries(s.path(".git/index"), len(head)/2)
			if ok != test.read {
				t.Fatalf("read: %t, with %d entries", ok, len(entries))
			}
			if !ok {
				return
			}
			var got, want indexFacts
			for _, e := range entries {
				got.addEntry(e, []string{"logs", "f"})
			}
			listed := s.git("ls-files", "-z", "-v", "--stage")
			for line := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
				want.add(line, []string{"logs", "f"})
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(indexFacts{})); diff != "" || strings.Count(listed, "\x00") != len(entries) {
				t.Errorf("%d entries of\n%s\n(-want +got):\n%s", len(entries), listed, diff)
			}
		})
	}
}

func mark(s *sandbox) {
	s.git("update-index", "--assume-unchanged", "f", "sub/g")
	s.git("update-index", "--skip-worktree", "sub/g", "out/h")
}

func conflict(s *sandbox) {
	s.git("reset", "--quiet", "--hard")
	for _, branch := range []string{"other", "main"} {
		s.git("checkout", "--quiet", "-B", branch, "HEAD")
		s.write("logs/log", branch)
		s.git("commit", "--quiet", "--all", "--message="+branch)
		if branch == "other" {
			s.git("checkout", "--quiet", "--detach", "HEAD~")
		}
	}
	_ = s.command("merge", "other").Run() // it fails
}
