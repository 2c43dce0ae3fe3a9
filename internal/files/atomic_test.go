package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"

	"github.com/google/go-cmp/cmp"
)

// Rule: A file is written whole or not at all.
func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	for _, content := range []string{"first, longer", "second", ""} {
		if err := files.WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"x.json": content}, exporttest.Folder(t, dir)); diff != "" {
			t.Errorf("folder (-want +got):\n%s", diff)
		}
	}
}

func TestWriteFileReplacesSymlink(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(exporttest.PutFiles(t, map[string]string{"passwd": "root"}), "passwd")
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "x.json")); err != nil {
		t.Fatal(err)
	}
	if err := files.WriteFile(filepath.Join(dir, "x.json"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"x.json": "new"}, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "root" {
		t.Errorf("the link's target holds %q, %v", data, err)
	}
}

func TestWriteFileLeavesNothingAfterError(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{"x.json/inside": "kept"})
	path := filepath.Join(dir, "x.json")
	err := files.WriteFile(path, []byte("new"))
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name %q", err, path)
	}
	if diff := cmp.Diff(map[string]string{"x.json/inside": "kept"}, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestWriteFileWithoutFolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "x.json")
	if err := files.WriteFile(path, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name %q", err, path)
	}
}

func TestCreateLog(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(exporttest.PutFiles(t, map[string]string{"passwd": "root"}), "passwd")
	dir := exporttest.PutFiles(t, map[string]string{"old.1.log": "old"})
	if err := os.Symlink(outside, filepath.Join(dir, "link.1.log")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old.1.log", "link.1.log", "new.1.log"} {
		f, err := files.CreateLog(dir, name)
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
	if diff := cmp.Diff(want, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "root" {
		t.Errorf("the link's target holds %q, %v", data, err)
	}
}

func TestCreateLogRefusesOtherFolders(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{"logs/x.1.log": "", "outside.1.log": "kept"})
	if _, err := files.CreateLog(filepath.Join(dir, "logs"), "../outside.1.log"); err == nil {
		t.Error("a log was created outside the folder")
	}
	if got := exporttest.Folder(t, dir)["outside.1.log"]; got != "kept" {
		t.Errorf("the file outside holds %q", got)
	}
}
