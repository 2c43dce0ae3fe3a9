//go:build unix

package slotfiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"

	"github.com/google/go-cmp/cmp"
)

// Rule: A file is written whole or not at all.
func TestReadSlotFilesNeitherFollowsNorBlocks(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{"inside": passJSON})
	if err := os.Symlink("inside", filepath.Join(dir, "review_src_q_a@1.1.json")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "review_src_q_a@2.1.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "review_src_q_a@3.1.log"), 0o600); err != nil {
		t.Fatal(err)
	}
	huge, err := os.Create(filepath.Join(dir, "review_src_q_a@4.1.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer huge.Close()
	if err := huge.Truncate(files.MaxFileSize + 1); err != nil {
		t.Fatal(err)
	}
	files, _ := readAll(t, dir, "review_src_q")
	const irregular = "not a regular file"
	want := []scanned{
		{"review_src_q_a@1.1.json", "review_src_q", "a", 1, 1, false, "", irregular},
		{"review_src_q_a@2.1.json", "review_src_q", "a", 2, 1, false, "", irregular},
		{"review_src_q_a@3.1.log", "review_src_q", "a", 3, 1, true, "", irregular},
		{"review_src_q_a@4.1.json", "review_src_q", "a", 4, 1, false, "", "larger than 64 MiB"},
	}
	if diff := cmp.Diff(want, summarise(t, files)); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
}

// Rule: A file is written whole or not at all.
func TestLogDirectoryLiesInTheWorktree(t *testing.T) {
	t.Parallel()
	root := exporttest.PutFiles(t, map[string]string{"inside/x": ""})
	for name, to := range map[string]string{"in": "inside", "out": t.TempDir()} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"new/logs": "", "in": "", "out": "outside the worktree", "out/new": "outside the worktree"} {
		err := slotfiles.NewDir(root, name, nil).Create()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
