//go:build !unix

package files

import "os"

// isAlive reports whether there is a process with the id.
func isAlive(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
