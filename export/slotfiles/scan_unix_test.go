//go:build unix

package slotfiles_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/reviewledger/reviewledger/export/exporttest"
	"github.com/reviewledger/reviewledger/internal/files"

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
