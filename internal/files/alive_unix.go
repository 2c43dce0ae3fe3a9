//go:build unix

package files

import (
	"errors"
	"syscall"
)

// IsAlive reports whether a process with this ID exists.
func IsAlive(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
