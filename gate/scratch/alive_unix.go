//go:build unix

package scratch

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// isAlive reports whether there is a process with the id.
func isAlive(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// isOwn reports whether the file belongs to this user. Others may write into the
// folder for temporary files, too.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
