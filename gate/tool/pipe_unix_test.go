//go:build unix

package tool

import (
	"syscall"
	"testing"
)

// pipe makes a named pipe, which nothing may wait for.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
