//go:build !unix

package diff

import "io/fs"

// isOwn reports false: here git is asked.
func isOwn(fs.FileInfo) bool { return false }

// onOneDevice reports false, as isOwn does.
func onOneDevice(fs.FileInfo, fs.FileInfo) bool { return false }
