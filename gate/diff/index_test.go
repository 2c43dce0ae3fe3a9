package diff

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSnapshotMarkedFiles(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string][]string{
		"whole": nil, "version 4": {"update-index", "--index-version", "4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			for _, name := range []string{"assumed", "skipped", "both", "absent", "assumed gone"} {
				s.write(name, "1")
			}
			s.commit()
			if prepare != nil {
				s.git(prepare...)
			}
			s.git("update-index", "--assume-unchanged", "assumed", "both", "assumed gone")
			s.git("update-index", "--skip-worktree", "skipped", "both", "absent")
			for _, name := range []string{"assumed", "skipped", "both"} {
				s.write(name, "2")
			}
			s.remove("absent")
			s.remove("assumed gone")
			s.checkSnapshot(map[string]string{"assumed": "2", "skipped": "2", "both": "2", "absent": "1"})
		})
	}
	// Git touches the shared part of a split index whenever it reads it.
	for _, mark := range []string{"--assume-unchanged", "--skip-worktree"} {
		t.Run("split "+mark, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("marked", "1")
			s.commit()
			s.git("update-index", "--split-index")
			s.git("update-index", mark, "marked")
			s.write("marked", "2")
			if diff := cmp.Diff(map[string]string{"marked": "2"}, s.tree(s.snapshot().Tree)); diff != "" {
				t.Errorf("files of the snapshot (-want +got):\n%s", diff)
			}
			if got := s.git("ls-files", "-v"); !strings.HasPrefix(got, "h ") && !strings.HasPrefix(got, "S ") {
				t.Errorf("the user's own mark is gone: %s", got)
			}
		})
	}
}

func TestSnapshotSparseCheckout(t *testing.T) {
	t.Parallel()
	for _, options := range [][]string{{"--no-cone"}, {"--cone"}, {"--cone", "--sparse-index"}} {
		s := newSandbox(t)
		s.write("in/f", "1")
		s.write("out/f", "1")
		s.write("out/g", "1")
		s.commit()
		s.git(append(append([]string{"sparse-checkout", "set"}, options...), "in")...)
		s.write("in/f", "2")
		s.write("out/f", "2") // it exists although the patterns do not include it
		s.write("out/new", "2")
		s.checkSnapshot(map[string]string{"in/f": "2", "out/f": "2", "out/g": "1", "out/new": "2"})
		r := s.open()
		if _, err := r.Snapshot(t.Context(), SnapshotOptions{}); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]bool{"out/g": true, "out": true, "out/f": false, "out/new": false, "in": false, "ou": false, "out/g/below": false} {
			if got := r.Hidden(path); got != want {
				t.Errorf("%q: Hidden(%q) = %t", options, path, got)
			}
		}
	}
}

// TestSnapshotIndexFormats checks that no extension of the index hides a change.
func TestSnapshotIndexFormats(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*sandbox){
		"version 4": func(s *sandbox) { s.git("update-index", "--index-version", "4") },
		"split":     func(s *sandbox) { s.git("update-index", "--split-index") },
		"untracked cache": func(s *sandbox) {
			s.git("config", "core.untrackedCache", "true")
			s.git("update-index", "--force-untracked-cache")
			s.git("status", "--short")
		},
		"fsmonitor that sees nothing": func(s *sandbox) {
			s.git("config", "core.fsmonitor", s.program("monitor", `printf 'token\0'`))
			s.git("update-index", "--fsmonitor")
			s.git("status", "--short")
			s.git("status", "--short")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("f", "1")
			s.write("sub/g", "1")
			s.commit()
			prepare(s)
			s.write("f", "2 other size")
			s.write("sub/new", "2")
			got := s.snapshot()
			want := map[string]string{"f": "2 other size", "sub/g": "1", "sub/new": "2"}
			if diff := cmp.Diff(want, s.tree(got.Tree)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if got := s.git("-c", "core.fsmonitor=false", "diff", "--name-only"); got != "f" {
				t.Errorf("git diff afterwards: %q", got)
			}
		})
	}
}

// TestSnapshotRacyChange changes a file so soon after git looked at it that only the index's own
// time reveals the change.
func TestSnapshotRacyChange(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "core.trustctime", "false")
	s.git("config", "core.checkStat", "minimal")
	s.write("f", "1")
	moment := time.Unix(1700000000, 0)
	touch := func(name string) {
		t.Helper()
		if err := os.Chtimes(s.path(name), moment, moment); err != nil {
			t.Fatal(err)
		}
	}
	touch("f")
	s.commit()
	s.write("f", "2")
	touch("f")
	touch(".git/index")
	s.checkSnapshot(map[string]string{"f": "2"})
}

func TestSnapshotLineEndings(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "core.autocrlf", "input")
	s.git("config", "core.safecrlf", "true")
	s.write("f", "1\n")
	head := s.commit()
	s.write("f", "1\r\n2\r\n")
	s.write("g", "1\r\n")
	got := s.snapshot()
	if len(got.Warnings) > 0 {
		t.Errorf("warnings: %q", got.Warnings)
	}
	if d := s.diff(head, got.Tree); d.Contains("f", 1, 1) || !d.Contains("f", 2, 2) || !d.Contains("g", 1, 1) {
		t.Errorf("diff: %+v", d.Files)
	}
}
