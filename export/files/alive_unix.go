//go:build unix

package files

import (
	"errors"
	"syscall"
)

// isAlive reports whether there is a process with the id.
func isAlive(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
