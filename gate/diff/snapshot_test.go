package diff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// state returns what a snapshot must not change: all files of the repository except objects, with
// content and time.
func (s *sandbox) state() map[string]string {
	s.t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		if name == filepath.FromSlash(".git/objects") {
			return fs.SkipDir
		}
		info, err := entry.Info()
		if err != nil || entry.IsDir() {
			return err
		}
		content := []byte{}
		if info.Mode().IsRegular() && info.Size() < maxUntracked {
			content, err = os.ReadFile(path)
		}
		state[name] = fmt.Sprintf("%v %v %d %q", info.Mode(), info.ModTime(), info.Size(), content)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

// tree returns the files of a tree with their contents.
func (s *sandbox) tree(id string) map[string]string {
	s.t.Helper()
	files := map[string]string{}
	for entry := range strings.SplitSeq(s.git("ls-tree", "-r", "-z", id), "\x00") {
		if attributes, path, ok := strings.Cut(entry, "\t"); ok {
			if strings.HasPrefix(attributes, submoduleMode) {
				files[path] = "submodule"
			} else {
				files[path] = s.git("cat-file", "blob", strings.Fields(attributes)[2])
			}
		}
	}
	return files
}

// checkSnapshot takes a snapshot, and checks its content and that nothing else has changed.
func (s *sandbox) checkSnapshot(want map[string]string, exclude ...string) Snapshot {
	s.t.Helper()
	before := s.state()
	r := s.open()
	snapshot, err := r.Snapshot(context.Background(), SnapshotOptions{Exclude: exclude})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(before, s.state()); diff != "" {
		s.t.Errorf("the snapshot changed the repository (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(want, s.tree(snapshot.Tree)); diff != "" {
		s.t.Errorf("files of the snapshot (-want +got):\n%s", diff)
	}
	return snapshot
}

// Rule: A snapshot holds the whole working tree.
// Rule: The repository stays as it is.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("clean", "1")
	s.write("modified", "1")
	s.write("staged", "1")
	s.write("both", "1")
	s.write("deleted", "1")
	s.write("staged deleted", "1")
	s.write("renamed", "content of the renamed file")
	s.write("mode", "1")
	s.write(".gitignore", "ignored\n*.log")
	s.write("folder.log/f", "1")
	s.git("add", "-f", "folder.log/f")
	s.commit()
	s.write("stashed", "1")
	s.git("stash", "-q", "--include-untracked")

	s.write("modified", "2")
	s.write("staged", "2")
	s.write("both", "2")
	s.git("add", "staged", "both")
	s.write("both", "3")
	s.remove("deleted")
	s.git("rm", "-q", "staged deleted")
	s.git("mv", "renamed", "moved")
	if err := os.Chmod(s.path("mode"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("new/untracked", "1")
	s.write("intended", "1")
	s.git("add", "-N", "intended")
	s.write("ignored", "1")
	s.write("x.log", "1")
	s.symlink("/etc/passwd", "link")
	s.remove("folder.log")
	s.symlink("new", "folder.log")
	snapshot := s.checkSnapshot(map[string]string{
		"clean": "1", "modified": "2", "staged": "2", "both": "3", "moved": "content of the renamed file", "mode": "1",
		".gitignore": "ignored\n*.log", "new/untracked": "1", "intended": "1", "link": "/etc/passwd",
	})
	if got := s.git("ls-tree", snapshot.Tree, "mode"); !strings.HasPrefix(got, "100755") {
		t.Errorf("mode: %s", got)
	}
	if len(snapshot.Warnings) > 0 {
		t.Errorf("warnings: %q", snapshot.Warnings)
	}
}

func TestSnapshotUnborn(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	empty := s.checkSnapshot(map[string]string{}, "logs")
	if empty.Tree != s.open().EmptyTree() {
		t.Errorf("tree of nothing: %s", empty.Tree)
	}
	s.write("f", "1")
	s.write("logs/a", "1")
	s.checkSnapshot(map[string]string{"f": "1"}, "logs")
	s.git("add", "-A")
	s.checkSnapshot(map[string]string{"f": "1"}, "logs")
}

func TestSnapshotWithoutIndex(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1")
	s.commit()
	s.remove(".git/index")
	s.write("f", "2")
	s.checkSnapshot(map[string]string{"f": "2"})
}

func TestSnapshotExclude(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("docs/reviews/kept", "1")
	s.write("docs/reviews/deleted", "1")
	s.write("docs/reviews/staged", "1")
	s.write("docs/other", "1")
	s.write("forced/tracked", "1")
	s.write("[x]/a", "1")
	s.write("x/a", "1")
	s.write(".gitignore", "/logs/\n/forced")
	s.git("add", "-f", "forced")
	s.commit()

	s.write("logs/a", "2")
	s.write("logs/sub/a", "2")
	s.write("logs2", "2")
	s.write("docs/reviews/kept", "2")
	s.write("docs/reviews/new", "2")
	s.remove("docs/reviews/deleted")
	s.write("docs/reviews/staged", "2")
	s.write("docs/reviews/staged new", "2")
	s.git("add", "docs/reviews/staged", "docs/reviews/staged new")
	s.write("docs/other", "2")
	s.write("forced/tracked", "2")
	s.write("[x]/a", "2")
	s.write("x/a", "2")
	snapshot := s.checkSnapshot(map[string]string{
		"docs/reviews/kept": "1", "docs/reviews/deleted": "1", "docs/reviews/staged": "1", "docs/other": "2",
		"forced/tracked": "1", "[x]/a": "1", "x/a": "2", "logs2": "2", ".gitignore": "/logs/\n/forced",
	}, "logs", "docs/reviews", "forced", "[x]", "absent", "logs/sub")
	if len(snapshot.Warnings) > 0 {
		t.Errorf("warnings: %q", snapshot.Warnings)
	}
}

func TestSnapshotDuringMerge(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "base\n")
	s.write("gone", "base\n")
	s.write("logs/a", "base\n")
	s.commit()
	s.git("checkout", "-q", "-b", "topic")
	s.write("f", "topic\n")
	s.write("logs/a", "topic\n")
	s.write("gone", "topic\n")
	s.commit()
	s.git("checkout", "-q", "main")
	s.write("f", "main\n")
	s.write("logs/a", "main\n")
	s.remove("gone")
	s.commit()
	if err := s.command("merge", "-q", "topic").Run(); err == nil {
		t.Fatal("the merge has no conflict")
	}
	conflict := "<<<<<<< HEAD\nmain\n=======\ntopic\n>>>>>>> topic"
	s.checkSnapshot(map[string]string{"f": conflict, "gone": "topic", "logs/a": "main"}, "logs")
	if got := s.git("ls-files", "--unmerged", "f"); strings.Count(got, "\n") != 2 {
		t.Errorf("the conflict is gone from the index:\n%s", got)
	}
}

func TestSnapshotLinkedWorktree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1")
	s.commit()
	// It is inside the main working tree, where agents like to put worktrees.
	linked := s.in(s.path("trees/linked"))
	s.git("worktree", "add", "-q", "-b", "topic", linked.dir)
	linked.write("f", "2")
	linked.write("g", "2")
	r := linked.open()
	got, err := r.Snapshot(context.Background(), SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"f": "2", "g": "2"}, s.tree(got.Tree)); diff != "" {
		t.Errorf("files of the linked worktree's snapshot (-want +got):\n%s", diff)
	}
	main := s.checkSnapshot(map[string]string{"f": "1"})
	want := []string{`left out of the snapshot: "trees/linked" is a git repository of its own`}
	if diff := cmp.Diff(want, main.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestSnapshotLeavesOut(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("tracked", "1")
	s.commit()
	for name, size := range map[string]int64{"sub/large \n[x]": maxUntracked + 1, "logs/large": maxUntracked + 1} {
		s.write(name, "")
		if err := os.Truncate(s.path(name), size); err != nil {
			t.Fatal(err)
		}
	}
	s.write("sub/x", "1")
	s.git("init", "-q", s.path("unborn"))
	s.write("unborn/f", "1")
	s.git("init", "-q", s.path("*repo"))
	nested := s.in(s.path("*repo"))
	nested.write("f", "1")
	nested.commit()
	if err := makeFIFO(s.path("fifo")); err != nil {
		t.Fatal(err)
	}
	snapshot := s.checkSnapshot(map[string]string{"tracked": "1", "sub/x": "1"}, "logs")
	want := []string{
		`left out of the snapshot: "*repo" is a git repository of its own`,
		`left out of the snapshot: "sub/large \n[x]" is untracked and larger than 50 MB`,
		`left out of the snapshot: "unborn" is a git repository of its own`,
	}
	if diff := cmp.Diff(want, snapshot.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// TestSnapshotUnreadable has another result for root, who can read all files.
func TestSnapshotUnreadable(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("readable", "1")
	s.write("secret", "1")
	s.write("folder/f", "1")
	for _, name := range []string{"secret", "folder"} {
		if err := os.Chmod(s.path(name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(s.path("folder"), 0o755) })
	want, wantWarnings := map[string]string{"readable": "1", "secret": "1", "folder/f": "1"}, []string(nil)
	if _, err := os.ReadDir(s.path("folder")); err != nil {
		want = map[string]string{"readable": "1"}
		wantWarnings = []string{
			"git: could not open directory 'folder/': Permission denied",
			`left out of the snapshot: "secret" cannot be read: permission denied`,
		}
	}
	got := s.snapshot()
	if diff := cmp.Diff(want, s.tree(got.Tree)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantWarnings, got.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestWhyNotStaged(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1")
	s.symlink("nowhere", "dangling")
	for _, name := range []string{"f", "dangling", "absent"} {
		if got := whyNotStaged(s.path(name)); got != "" {
			t.Errorf("whyNotStaged(%q) = %q", name, got)
		}
	}
}

func TestSnapshotTrackedFileBecameFIFO(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("f", "1")
	s.commit()
	s.remove("f")
	if err := makeFIFO(s.path("f")); err != nil {
		t.Fatal(err)
	}
	r := s.open()
	_, err := r.Snapshot(context.Background(), SnapshotOptions{})
	var failed *gitError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "snapshot the working tree: git update-index exited with code 128: error: f: unsupported file type") {
		t.Errorf("Snapshot: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(s.path(".git/reviewledger-*")); left != nil {
		t.Errorf("left behind: %q", left)
	}
}
