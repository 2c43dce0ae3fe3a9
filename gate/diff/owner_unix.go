//go:build unix

package diff

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether the file belongs to this user.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// onOneDevice reports whether both are on the same file system: git does not look for a
// repository on another one.
func onOneDevice(a, b fs.FileInfo) bool {
	one, ok := a.Sys().(*syscall.Stat_t)
	other, too := b.Sys().(*syscall.Stat_t)
	return ok && too && one.Dev == other.Dev
}
