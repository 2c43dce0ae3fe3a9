//go:build unix

package tool

import (
	"syscall"
	"testing"
)

// pipe makes a named pipe, for which nothing may wait.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
