package diff

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNormalizePath(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, link := filepath.Join(dir, "root"), filepath.Join(dir, "link")
	if err := os.MkdirAll(filepath.Join(root, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	known := func(path string) bool {
		return slices.Contains([]string{"src/x.go", "a/src/y.go", "src/y.go", "b/z.go", `dir\w.go`}, path)
	}
	tests := []struct {
		file, want string
		ok         bool
	}{
		{"src/x.go", "src/x.go", true},
		{"./src//x.go", "src/x.go", true},
		{"src/../src/x.go", "src/x.go", true},
		{"a/src/x.go", "src/x.go", true},
		{"b/src/x.go", "src/x.go", true},
		{"a/src/y.go", "a/src/y.go", true}, // there is such a file
		{"b/z.go", "b/z.go", true},
		{"a/unknown.go", "a/unknown.go", true},
		{"c/src/x.go", "c/src/x.go", true},
		{`dir\w.go`, `dir\w.go`, true},
		{"unknown.go", "unknown.go", true},
		{root + "/src/x.go", "src/x.go", true},
		{root + "/./src/../new.go", "new.go", true},
		{link + "/src/x.go", "src/x.go", true},
		{link + "/gone/x.go", "gone/x.go", true},
		{"/src/x.go", "src/x.go", true}, // the repository's root taken for /
		{"/src/unknown.go", "/src/unknown.go", false},
		{"../x.go", "../x.go", false},
		{"src/../../x.go", "../x.go", false},
		{root + "/../x.go", filepath.Join(dir, "x.go"), false},
		{root + "x/x.go", root + "x/x.go", false},
		{root, root, false},
		{link, link, false},
		{dir, dir, false},
		{"", ".", false},
		{".", ".", false},
		{"/", "/", false},
		{"x\x00y", "x\x00y", false},
		{"/x\x00y", "/x\x00y", false},
		{"/" + strings.Repeat("x/", 5000), "/" + strings.Repeat("x/", 4999) + "x", false},
	}
	for _, test := range tests {
		if got, ok := NormalizePath(root, test.file, known); got != test.want || ok != test.ok {
			t.Errorf("NormalizePath(%q) = %q, %t, want %q, %t", test.file, got, ok, test.want, test.ok)
		}
	}
	// The other way round: root itself is given by way of a link.
	if got, ok := NormalizePath(link, root+"/src/x.go", nil); got != "src/x.go" || !ok {
		t.Errorf("NormalizePath with a linked root = %q, %t", got, ok)
	}
}
