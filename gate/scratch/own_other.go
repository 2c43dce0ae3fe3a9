//go:build !unix

package scratch

import "io/fs"

// isOwn reports true: here each user has a folder for temporary files.
func isOwn(fs.FileInfo) bool { return true }
