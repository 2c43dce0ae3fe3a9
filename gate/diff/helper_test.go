package diff

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestMain keeps the machine's git configuration out of all tests.
func TestMain(m *testing.M) {
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	home, err := os.MkdirTemp("", "diff-test-home-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(home)
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "TZ": "UTC",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
	} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// sandbox is a git repository in a folder of the test.
type sandbox struct {
	t   testing.TB
	dir string
}

func newSandbox(t testing.TB, initOptions ...string) *sandbox {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{t: t, dir: filepath.Join(dir, "repo")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.git(append([]string{"init", "-q", "-b", "main", "--template="}, initOptions...)...)
	return s
}

// in returns the sandbox for another folder.
func (s *sandbox) in(dir string) *sandbox { return &sandbox{t: s.t, dir: dir} }

func (s *sandbox) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=2024-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org", "GIT_COMMITTER_DATE=2024-01-02T03:04:05Z",
		"GIT_ALLOW_PROTOCOL=file", "LC_ALL=C")
	return cmd
}

// git runs git and returns what it wrote to stdout, without the last line feed.
func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	cmd := s.command(args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (s *sandbox) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *sandbox) write(name, content string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) symlink(target, name string) {
	s.t.Helper()
	if err := os.Symlink(target, s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

// commit commits everything and returns the commit's id.
func (s *sandbox) commit() string {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "commit")
	return s.head()
}

// head is the commit that is checked out: git is started only where no file tells.
func (s *sandbox) head() string {
	s.t.Helper()
	head, _ := os.ReadFile(s.path(".git/HEAD"))
	if ref, ok := strings.CutPrefix(string(head), "ref: "); ok {
		if id, err := os.ReadFile(s.path(".git/" + strings.TrimSpace(ref))); err == nil {
			return strings.TrimSpace(string(id))
		}
	}
	return s.git("rev-parse", "HEAD") // a worktree, a detached HEAD, or another storage of refs
}

func (s *sandbox) open() *Repo {
	s.t.Helper()
	r, err := Open(context.Background(), s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := r.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return r
}

func (s *sandbox) snapshot(exclude ...string) Snapshot {
	s.t.Helper()
	snapshot, err := s.open().Snapshot(context.Background(), SnapshotOptions{Exclude: exclude})
	if err != nil {
		s.t.Fatal(err)
	}
	return snapshot
}

func (s *sandbox) diff(from, to string, exclude ...string) *Diff {
	s.t.Helper()
	r := s.open()
	d, err := r.Diff(context.Background(), from, to, exclude)
	if err != nil {
		s.t.Fatal(err)
	}
	if list, err := r.List(context.Background(), from, to, exclude); err != nil || !slices.Equal(list, d.Listing()) {
		s.t.Fatalf("listed %q, %v; the diff has %q", list, err, d.Listing())
	}
	return d
}

// lines returns the lines first to last as text: "1\n2\n3\n".
func lines(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

// mustParse parses a valid patch.
func mustParse(t testing.TB, patch string) *Diff {
	t.Helper()
	d, err := parse([]byte(listOf(patch) + patch))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// listOf returns the list of files that git would print before the patch, as far as the headers
// tell.
func listOf(patch string) string {
	if patch == "" {
		return ""
	}
	var entries []string
	last := "" // the name of a file that the part before deleted
	for part := range strings.SplitSeq(strings.TrimPrefix("\n"+patch, "\ndiff --git "), "\ndiff --git ") {
		header, _, _ := strings.Cut(part, "\n@@ ")
		value := func(key string) (value string) {
			_, rest, found := strings.Cut(header, "\n"+key+" ")
			if found {
				value, _, _ = strings.Cut(rest, "\n")
			}
			return value
		}
		names, _, _ := strings.Cut(header, "\n")
		name := names[len(names)/2+1:]
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		name = strings.TrimPrefix(name, "b/")
		index, mode, _ := strings.Cut(value("index"), " ")
		before, after, _ := strings.Cut(cmp.Or(index, "1..1"), "..")
		modes := [2]string{cmp.Or(value("old mode"), value("deleted file mode"), mode, "100644"), cmp.Or(value("new mode"), value("new file mode"), mode, "100644")}
		status := "M"
		switch {
		case value("new file mode") != "" && last == name:
			deleted := strings.Fields(entries[len(entries)-1])
			modes[0], before, status, entries = deleted[0][1:], deleted[2], "T", entries[:len(entries)-1]
		case value("new file mode") != "":
			status = "A"
		case value("deleted file mode") != "":
			status = "D"
		case value("rename from") != "":
			status, name = "R050", value("rename from")+"\x00"+value("rename to")
		}
		if last = ""; status == "D" {
			last = name
		}
		entries = append(entries, fmt.Sprintf(":%s %s %s %s %s\x00%s\x00", modes[0], modes[1], before, after, status, name))
	}
	return strings.Join(entries, "") + "\x00"
}
