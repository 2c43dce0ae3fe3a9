//go:build unix

package scratch

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether the file belongs to this user. Other users may write to the folder for
// temporary files, too.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
