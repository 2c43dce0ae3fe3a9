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
