//go:build !unix

package scratch

import (
	"io/fs"
	"os"
)

// isAlive reports whether there is a process with the id.
func isAlive(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}

// isOwn reports true: here each user has a folder for temporary files.
func isOwn(fs.FileInfo) bool { return true }
