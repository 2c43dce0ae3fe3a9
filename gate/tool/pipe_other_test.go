//go:build !unix

package tool

import (
	"os"
	"testing"
)

// pipe makes a folder: named pipes are not files here.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
}
