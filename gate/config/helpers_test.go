package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files maps paths in a repository to their content.
type files map[string]string

// write makes a folder with the files and returns its path.
func (f files) write(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range f {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func (f files) load(t testing.TB) *Config {
	t.Helper()
	c, err := Load(f.write(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// problems returns the lines of the error that loading the files returns.
func (f files) problems(t testing.TB) []string {
	t.Helper()
	_, err := Load(f.write(t))
	var problems *Error
	if !errors.As(err, &problems) {
		t.Fatalf("got error %v, want problems", err)
	}
	return strings.Split(problems.Error(), "\n")
}

// with returns the files with one file added or replaced.
func (f files) with(name, content string) files {
	more := files{name: content}
	for n, c := range f {
		if n != name {
			more[n] = c
		}
	}
	return more
}

// minimal returns a configuration in which every key has its default.
func minimal() files {
	return files{
		".gauntlet/config.yml":         "cli:\n  default_preference: [claude]\nentry_points:\n  - path: .\n    checks: [lint]\n    reviews: [quality]\n",
		".gauntlet/checks/lint.yml":    "command: make lint\n",
		".gauntlet/reviews/quality.md": "Look for bugs.\n",
	}
}

// entries returns minimal with other entry points, given as YAML.
func entries(yaml string) files {
	return minimal().with(".gauntlet/config.yml", "cli: {default_preference: [claude]}\nentry_points:\n"+yaml)
}

func ids(jobs []Job) []string {
	var list []string
	for _, j := range jobs {
		list = append(list, j.ID())
	}
	return list
}
