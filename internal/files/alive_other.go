//go:build !unix

package files

import "os"

// IsAlive reports whether there is a process with the id.
func IsAlive(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
