package main

import (
	"slices"
	"syscall"
)

// networkFileSystem returns the kind of the file system that contains the folder if it is a network
// file system, and "" otherwise.
func networkFileSystem(folder string) (kind string) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return ""
	}
	for _, c := range stat.Fstypename {
		if c == 0 {
			break
		}
		kind += string(rune(c))
	}
	if !slices.Contains([]string{"nfs", "smbfs", "afpfs", "webdav"}, kind) {
		return ""
	}
	return kind
}
