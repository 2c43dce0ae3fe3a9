package main

import (
	"slices"
	"syscall"
)

// fileSystemOf says what kind of file system holds the folder, whether it is one
// of another machine, and how many bytes are free.
func fileSystemOf(folder string) (kind string, network bool, free uint64, ok bool) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return "", false, 0, false
	}
	for _, c := range stat.Fstypename {
		if c == 0 {
			break
		}
		kind += string(rune(c))
	}
	network = slices.Contains([]string{"nfs", "smbfs", "afpfs", "webdav"}, kind)
	return kind, network, stat.Bavail * uint64(stat.Bsize), true
}
