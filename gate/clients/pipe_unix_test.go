//go:build unix

package clients

import (
	"strings"
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

// A claim in what has become a pipe is not verified.
func TestClaimInAPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe(t, dir+"/pipe")
	if entries, err := checkClaims(dir, []SubjectPlace{{ID: "1", File: "pipe", Start: 1}}); err == nil || !strings.Contains(err.Error(), "not a regular file of at most 64 MiB") {
		t.Errorf("%+v, %v", entries, err)
	}
}
