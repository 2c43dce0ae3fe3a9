package diff

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOriginURLs(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"":                                       "",
		"https://github.com/a/b.git":             "github.com/a/b",
		"https://user:secret@GitHub.com/a/b":     "github.com/a/b",
		"https://token@github.com:443/a/b/":      "github.com/a/b",
		"http://github.com:80/a/b.git/":          "github.com/a/b",
		"git@github.com:a/b.git":                 "github.com/a/b",
		"github.com:a/b":                         "github.com/a/b",
		"git@github.com:/a/b":                    "github.com/a/b",
		"ssh://git@github.com/a/b.git":           "github.com/a/b",
		"ssh://git@github.com:22/a/b.git":        "github.com/a/b",
		"git://github.com:9418/a/b":              "github.com/a/b",
		"ssh://git@example.org:2222/a/b":         "example.org:2222/a/b",
		"https://user:se%zzcret@example.org/a/b": "example.org/a/b",
		"https://user:p@ss@example.org/a/b":      "example.org/a/b",
		"ssh://git@[::1]/a":                      "::1/a",
		"/srv/git/a.git":                         "/srv/git/a",
		"file:///srv/git/a.git/":                 "/srv/git/a",
		"../a":                                   "/folder/a",
		"./x:y":                                  "/folder/work/x:y",
		"c:/a.git":                               "/folder/work/c:/a",
		"cd:/a.git":                              "cd/a",
	} {
		if got := normalURL(address, "/folder/work"); filepath.ToSlash(got) != want {
			t.Errorf("%q becomes %q, want %q", address, got, want)
		}
	}
}

// TestOriginURL compares with what git says in the repository, without the user's other settings.
func TestOriginURL(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]string{
		"none":            "",
		"as git":          "[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n",
		"another":         "[remote \"upstream\"]\n\turl = https://example.org/x/y\n",
		"two":             "[remote \"origin\"]\n\turl = https://example.org/a/b\n\turl = https://example.org/c/d\n",
		"two, one quoted": "[remote \"origin\"]\n\turl = https://example.org/a/b\n\turl = \"https://example.org/c/d\"\n",
		"quoted":          "[remote \"origin\"]\n\turl = \"https://example.org/a/b\" ; note\n",
		"one line":        "[remote \"origin\"] url = https://example.org/a/b\n",
		"letters":         "[REMOTE \"origin\"]\nURL=https://example.org/a/b\n",
		"case":            "[remote \"Origin\"]\nurl=https://example.org/a/b\n",
		"go on":           "[x]\n\ty = a \\\n[remote \"origin\"]\n[remote \"origin\"]\n\turl = https://example.org/\\\na/b\n",
		"goes on as one":  "[x]\n\ty = a \\\n[remote \"origin\"]\n\turl = https://example.org/a/b\n",
		"include":         "[include]\n\tpath = other\n",
		"include before":  "[Include]\n\tpath = other\n[remote \"origin\"]\n\turl = https://example.org/a/b\n",
		"lines of DOS":    "[remote \"origin\"]\r\n\turl = https://example.org/a/b\r\n",
		"with spaces":     "; note\n[remote \"origin\"]\n  url=  /srv/a b \n",
		"another section": "[remote \"origin\"]\n[core]\n\turl = https://example.org/a/b\n",
		"old form":        "[remote.origin]\n\turl = https://example.org/a/b\n",
		"with an escape":  "[remote \"ori\\gin\"]\n\turl = https://example.org/a/b\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write(".git/other", "[remote \"origin\"]\n\turl = https://example.org/from/include\n")
			file, err := os.OpenFile(s.path(".git/config"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.WriteString(config); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			out, _ := s.command("config", "--includes", "--get-all", "remote.origin.url").Output()
			first, _, _ := strings.Cut(string(out), "\n")
			want := normalURL(first, s.dir)
			if got, err := s.open().OriginURL(t.Context()); err != nil || got != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}

// What git itself writes is read without asking git; what goes on, is quoted or includes is not.
func TestPlainOrigin(t *testing.T) {
	t.Parallel()
	const usual = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
	for config, sure := range map[string]bool{
		usual: true, "": true, usual + "[include]\n\tpath = x\n": false,
		usual + "[x]\n\ty = a \\\n": false, usual + "[remote \"origin\"]\n\turl = \"\"\n": false,
	} {
		file := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := plainOrigin(file); ok != sure || sure && (got == "") != (config == "") {
			t.Errorf("%q: %q, %t", config, got, ok)
		}
	}
}

func TestRootCommit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	if got, err := s.open().RootCommit(context.Background()); err != nil || got != "" {
		t.Errorf("without a commit: %q, %v", got, err)
	}
	root := s.commit()
	s.git("checkout", "-q", "--orphan", "other")
	s.write("file", "other\n")
	s.commit()
	s.git("checkout", "-q", "main")
	s.git("merge", "-q", "--allow-unrelated-histories", "-m", "merge", "other")
	if got, err := s.open().RootCommit(context.Background()); err != nil || got != root {
		t.Errorf("got %q, %v, want %q", got, err, root)
	}
}
