package slotfiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"

	"github.com/google/go-cmp/cmp"
)

func TestSessionRef(t *testing.T) {
	t.Parallel()
	const sha = "0123456789abcdef0123456789abcdef01234567"
	dir := t.TempDir()
	if err := slotfiles.NewDir(dir, ".", nil).WriteSessionRef(sha); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{".session_ref": sha + "\n"}, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if got, ok, err := slotfiles.NewDir(dir, ".", nil).ReadSessionRef(); got != sha || !ok || err != nil {
		t.Errorf("ReadSessionRef = %q, %v, %v", got, ok, err)
	}
	for range 2 { // a second call finds nothing to remove
		if err := slotfiles.NewDir(dir, ".", nil).RemoveSessionRef(); err != nil || len(exporttest.Folder(t, dir)) > 0 {
			t.Errorf("removed: %v, %v", err, exporttest.Folder(t, dir))
		}
	}
	if err := slotfiles.NewDir(exporttest.PutFiles(t, map[string]string{".session_ref/x": ""}), ".", nil).RemoveSessionRef(); err == nil {
		t.Error("a folder in its place is not an error")
	}
}

func TestReadSessionRef(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"":                       "",
		"  abc \r\nsecond\n":     "abc",
		"not a sha; rm -rf":      "not a sha; rm -rf",
		strings.Repeat("a", 500): strings.Repeat("a", 128),
		"\xff\n":                 "\uFFFD",
	} {
		dir := exporttest.PutFiles(t, map[string]string{".session_ref": content})
		if got, ok, err := slotfiles.NewDir(dir, ".", nil).ReadSessionRef(); got != want || !ok || err != nil {
			t.Errorf("ReadSessionRef of %q = %q, %v, %v", content, got, ok, err)
		}
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if got, ok, err := slotfiles.NewDir(dir, ".", nil).ReadSessionRef(); got != "" || ok || err != nil {
			t.Errorf("ReadSessionRef without a file = %q, %v, %v", got, ok, err)
		}
	}
}

func TestReadSessionRefFollowsNoSymlink(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{"real": "abc"})
	if err := os.Symlink("real", filepath.Join(dir, ".session_ref")); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := slotfiles.NewDir(dir, ".", nil).ReadSessionRef(); err == nil || ok {
		t.Errorf("ReadSessionRef of a link = %q, %v, %v", got, ok, err)
	}
}
