//go:build !unix

package files

import "os"

// IsAlive reports whether a process with this ID exists.
func IsAlive(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
