//go:build !unix

package tool

import (
	"os"
	"testing"
)

// pipe makes a folder, because named pipes are not files on this system.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
}
