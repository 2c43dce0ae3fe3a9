package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	for _, content := range []string{"first, longer", "second", ""} {
		if err := export.WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"x.json": content}, folder(t, dir)); diff != "" {
			t.Errorf("folder (-want +got):\n%s", diff)
		}
	}
}

func TestWriteFileReplacesSymlink(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(putFiles(t, map[string]string{"passwd": "root"}), "passwd")
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "x.json")); err != nil {
		t.Fatal(err)
	}
	if err := export.WriteFile(filepath.Join(dir, "x.json"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"x.json": "new"}, folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "root" {
		t.Errorf("the link's target holds %q, %v", data, err)
	}
}

func TestWriteFileLeavesNothingAfterError(t *testing.T) {
	t.Parallel()
	dir := putFiles(t, map[string]string{"x.json/inside": "kept"})
	path := filepath.Join(dir, "x.json")
	err := export.WriteFile(path, []byte("new"))
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name %q", err, path)
	}
	if diff := cmp.Diff(map[string]string{"x.json/inside": "kept"}, folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestWriteFileWithoutFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "x.json")
	if err := export.WriteFile(path, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name %q", err, path)
	}
}

func TestCreateLog(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(putFiles(t, map[string]string{"passwd": "root"}), "passwd")
	dir := putFiles(t, map[string]string{"old.1.log": "old"})
	if err := os.Symlink(outside, filepath.Join(dir, "link.1.log")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old.1.log", "link.1.log", "new.1.log"} {
		f, err := export.CreateLog(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("logged"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"old.1.log": "logged", "link.1.log": "logged", "new.1.log": "logged"}
	if diff := cmp.Diff(want, folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "root" {
		t.Errorf("the link's target holds %q, %v", data, err)
	}
}

func TestCreateLogRefusesOtherFolders(t *testing.T) {
	t.Parallel()
	dir := putFiles(t, map[string]string{"logs/x.1.log": "", "outside.1.log": "kept"})
	if _, err := export.CreateLog(filepath.Join(dir, "logs"), "../outside.1.log"); err == nil {
		t.Error("a log was created outside the folder")
	}
	if got := folder(t, dir)["outside.1.log"]; got != "kept" {
		t.Errorf("the file outside holds %q", got)
	}
}

func TestSessionRef(t *testing.T) {
	t.Parallel()
	const sha = "0123456789abcdef0123456789abcdef01234567"
	dir := t.TempDir()
	if err := export.WriteSessionRef(dir, sha); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{".session_ref": sha + "\n"}, folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if got, ok, err := export.ReadSessionRef(dir); got != sha || !ok || err != nil {
		t.Errorf("ReadSessionRef = %q, %v, %v", got, ok, err)
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
		dir := putFiles(t, map[string]string{".session_ref": content})
		if got, ok, err := export.ReadSessionRef(dir); got != want || !ok || err != nil {
			t.Errorf("ReadSessionRef of %q = %q, %v, %v", content, got, ok, err)
		}
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if got, ok, err := export.ReadSessionRef(dir); got != "" || ok || err != nil {
			t.Errorf("ReadSessionRef without a file = %q, %v, %v", got, ok, err)
		}
	}
}

func TestReadSessionRefFollowsNoSymlink(t *testing.T) {
	t.Parallel()
	dir := putFiles(t, map[string]string{"real": "abc"})
	if err := os.Symlink("real", filepath.Join(dir, ".session_ref")); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := export.ReadSessionRef(dir); err == nil || ok {
		t.Errorf("ReadSessionRef of a link = %q, %v, %v", got, ok, err)
	}
}
