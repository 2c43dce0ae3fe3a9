package diff

import "strings"

// isRepoPath reports whether name is a path as git keeps it: relative, with
// slashes, and without a part that is empty, "." or "..".
func isRepoPath(name string) bool {
	if strings.ContainsRune(name, 0) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}
