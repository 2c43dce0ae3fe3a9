package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestEditorArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		editor string
		line   int
		want   []string
	}{
		{"vi", 7, []string{"+7", "/r/a.go"}},
		{"/usr/bin/nano", 7, []string{"+7", "/r/a.go"}},
		{"/opt/code", 7, []string{"--goto", "/r/a.go:7"}},
		{"hx", 7, []string{"/r/a.go:7"}},
		{"goland", 7, []string{"--line", "7", "/r/a.go"}},
		{"vi", 0, []string{"/r/a.go"}},
	}
	for _, test := range tests {
		if got := editorArgs(test.editor, "/r/a.go", test.line); !slices.Equal(got, test.want) {
			t.Errorf("%s at line %d: %q, want %q", test.editor, test.line, got, test.want)
		}
	}
}

// What a reviewer calls a file opens nothing outside of the working tree.
func TestOnlyFilesInsideAreEdited(t *testing.T) {
	t.Parallel()
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	for _, name := range []string{outside, filepath.Join(root, "a.go"), filepath.Join(root, "-c echo")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.go": true, "-c echo": true, "link": false, outside: false, "../a.go": false, "none": false, ".": false, "": false} {
		path, err := fileInside(root, name)
		if (err == nil) != want || want && path != filepath.Join(root, name) {
			t.Errorf("%q: %q, %v", name, path, err)
		}
	}
}
