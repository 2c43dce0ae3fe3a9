//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Load does not wait for a process that writes to a pipe.
func TestPipeInPlaceOfAFolder(t *testing.T) {
	t.Parallel()
	broken := minimal().write(t)
	if err := os.RemoveAll(filepath.Join(broken, ".gauntlet/checks")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(broken, ".gauntlet/checks"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(broken); err == nil || !strings.Contains(err.Error(), ".gauntlet/checks: not a folder") {
		t.Errorf("a pipe in place of the checks: %v", err)
	}
}
