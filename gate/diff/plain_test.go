//go:build unix

package diff

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A repository that is opened without git is as git says, and git is asked where it is
// not an ordinary one.
func TestOpenPlain(t *testing.T) {
	t.Parallel()
	config := func(more string) func(*sandbox) {
		return func(s *sandbox) {
			text, err := os.ReadFile(s.path(".git/config"))
			if err != nil {
				s.t.Fatal(err)
			}
			s.write(".git/config", string(text)+more)
		}
	}
	tests := map[string]struct {
		change func(*sandbox)
		dir    string
		plain  bool
	}{
		"a branch":                  {change: func(*sandbox) {}, plain: true},
		"a folder":                  {change: func(*sandbox) {}, dir: "src", plain: true},
		"packed refs":               {change: func(s *sandbox) { s.git("pack-refs", "--all") }, plain: true},
		"a newer loose ref":         {change: func(s *sandbox) { s.git("pack-refs", "--all"); s.write("src/b", "2\n"); s.commit() }, plain: true},
		"a branch with a slash":     {change: func(s *sandbox) { s.git("checkout", "-q", "-b", "a/b.c"); s.git("pack-refs", "--all") }, plain: true},
		"the end of another's name": {change: func(s *sandbox) { s.git("branch", "x/main"); s.git("pack-refs", "--all") }, plain: true},
		"detached":                  {change: func(s *sandbox) { s.git("checkout", "-q", "--detach") }, plain: true},
		"a linked working tree":     {change: func(s *sandbox) { s.git("worktree", "add", "-q", "../linked") }, plain: true},
		"settings":                  {change: config("[user]\n\tname = A\n[core]\n\tautocrlf = true\n"), plain: true},
		"no commit":                 {change: func(s *sandbox) { s.git("checkout", "-q", "--orphan", "new") }},
		"a branch that is a symref": {change: func(s *sandbox) {
			s.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			s.git("checkout", "-q", "alias")
		}},
		"a folder like a git folder": {change: func(s *sandbox) { s.git("init", "-q", "--bare", "src/bare") }, dir: "src/bare"},
		"the git folder":             {change: func(*sandbox) {}, dir: ".git"},
		"another working tree":       {change: func(s *sandbox) { s.git("config", "core.worktree", filepath.Dir(s.dir)) }},
		"another one, continued":     {change: config("[core]\n\tWorkTr\\\nee = ..\n")},
		"bare":                       {change: func(s *sandbox) { s.git("config", "core.bare", "true") }},
		"bare behind a section":      {change: config("[core] bare\n")},
		"bare without a value":       {change: config("[core]\n\tbare\n")},
		"a file that is included": {change: func(s *sandbox) {
			s.write(".git/more", "[core]\n\tbare = true\n")
			s.git("config", "include.path", "more")
		}},
		"a format that is not known": {change: func(s *sandbox) { s.git("config", "core.repositoryFormatVersion", "9") }},
		"an extension": {change: func(s *sandbox) {
			s.git("config", "core.repositoryFormatVersion", "1")
			s.git("config", "extensions.worktreeConfig", "true")
		}},
		"HEAD that is a link":          {change: func(s *sandbox) { s.remove(".git/HEAD"); s.symlink("refs/heads/main", ".git/HEAD") }},
		"HEAD that is not understood":  {change: func(s *sandbox) { s.write(".git/HEAD", "ref: refs/heads/../heads/main\n") }},
		"HEAD with more than one line": {change: func(s *sandbox) { s.write(".git/HEAD", "ref: refs/heads/main\n\n") }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("src/a", "1\n")
			s.commit()
			test.change(s)
			dir := filepath.Join(s.dir, test.dir)
			got, plain := openPlain(dir, os.Environ())
			if plain != test.plain {
				t.Errorf("without git: %t, want %t", plain, test.plain)
			}
			if !plain {
				return
			}
			want, _, err := openAsking(t.Context(), dir, os.Environ(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want.plain = true
			if d := cmp.Diff(want, got, cmp.AllowUnexported(Repo{}, git{}), cmp.Comparer(func(a, b *shared) bool { return (a == nil) == (b == nil) })); d != "" {
				t.Errorf("git says otherwise (-git +plain):\n%s", d)
			}
		})
	}
}
