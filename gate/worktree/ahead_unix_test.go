//go:build unix

package worktree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
)

// A snapshot that nobody needs any more is ended, and so is its git.
func TestStopSnapshot(t *testing.T) {
	w := &Worktree{Repo: repository(t).Open(), Config: &config.Config{LogDir: "logs"}}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	fifo := filepath.Join(bin, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	// Its first call says who it is, and does not end by itself.
	script := "#!/bin/sh\nif mkdir '" + bin + "/first' 2>/dev/null; then echo $$ >'" + fifo + "'; exec sleep 1000; fi\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ahead := w.SnapshotAhead(t.Context())
	said, err := os.ReadFile(fifo)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(said)))
	if err != nil {
		t.Fatal(err)
	}
	ahead.Stop()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("git is still there: %v", err)
	}
	if _, err := ahead.Take(); err == nil {
		t.Error("the snapshot was taken")
	}
}
