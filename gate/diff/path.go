package diff

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Gone reports whether nothing exists under a name relative to the root. A sparse checkout may have
// left it out.
func Gone(root, name string) bool {
	name = filepath.FromSlash(name)
	_, err := os.Lstat(filepath.Join(root, name))
	return filepath.IsLocal(name) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR))
}

// isRepoPath reports whether name is a path as git stores it: relative, with slashes, and without a
// part that is empty, "." or "..".
func isRepoPath(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// quoted returns the path in double quotes, as git parses it in its configuration and in lists of
// folders.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}
