package main

import (
	"fmt"
	"syscall"
)

// fileSystemOf says what kind of file system holds the folder, whether it is one
// of another machine, and how many bytes are free.
func fileSystemOf(folder string) (kind string, network bool, free uint64, ok bool) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return "", false, 0, false
	}
	kind, network = linuxFileSystem(uint32(stat.Type))
	return kind, network, stat.Bavail * uint64(stat.Bsize), true
}

// linuxFileSystem names the kinds that statfs(2) numbers.
func linuxFileSystem(magic uint32) (kind string, network bool) {
	switch magic {
	case 0x6969:
		return "nfs", true
	case 0x517b, 0xff534d42, 0xfe534d42:
		return "smb", true
	case 0x01021997:
		return "9p", true
	case 0x00c36400:
		return "ceph", true
	case 0x5346414f:
		return "afs", true
	case 0xef53:
		return "ext4", false
	case 0x9123683e:
		return "btrfs", false
	case 0x58465342:
		return "xfs", false
	case 0x01021994:
		return "tmpfs", false
	case 0x794c7630:
		return "overlayfs", false
	case 0x2fc12fc1:
		return "zfs", false
	case 0x65735546:
		return "fuse", false
	}
	return fmt.Sprintf("file system 0x%x", magic), false
}
