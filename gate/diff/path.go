package diff

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxPath bounds the absolute paths that are looked up in the file system. It is
// the longest path that the common systems know.
const maxPath = 4096

// NormalizePath turns what a reviewer calls a file into a path relative to root,
// the absolute path of the working tree. It reports false, with the cleaned
// name, for what is not a file inside of it; such a name must not be opened.
//
// It takes away "./", makes absolute paths relative, also those by way of a
// symbolic link to root, and prefers a path that known accepts over the same one
// with the prefix a/ or b/ of a diff. Backslashes stay as they are. A nil known
// accepts nothing. The result is a matter of names only: a symbolic link inside
// root may still lead out of it.
func NormalizePath(root, file string, known func(path string) bool) (string, bool) {
	if known == nil {
		known = func(string) bool { return false }
	}
	if filepath.IsAbs(file) {
		return normalizeAbsolute(root, file, known)
	}
	name := path.Clean(file)
	if !isRepoPath(name) {
		return name, false
	}
	if known(name) {
		return name, true
	}
	for _, prefix := range []string{"a/", "b/"} {
		if stripped, ok := strings.CutPrefix(name, prefix); ok && known(stripped) {
			return stripped, true
		}
	}
	return name, true
}

func normalizeAbsolute(root, file string, known func(path string) bool) (string, bool) {
	name := filepath.Clean(file)
	if rel, ok := relativeTo(root, name); ok {
		return rel, isRepoPath(rel)
	}
	// Some reviewers take the root of the repository for the root of all.
	fromRoot := strings.TrimLeft(filepath.ToSlash(name), "/")
	if isRepoPath(fromRoot) && known(fromRoot) {
		return fromRoot, true
	}
	return name, false
}

// relativeTo returns the path of name inside root, with slashes. If the names do
// not tell, the file system does: the folders above name are compared with root.
func relativeTo(root, name string) (string, bool) {
	separator := string(filepath.Separator)
	if rel, ok := strings.CutPrefix(name, strings.TrimSuffix(root, separator)+separator); ok {
		return filepath.ToSlash(rel), true
	}
	rootInfo, err := os.Stat(root)
	if err != nil || len(name) > maxPath || strings.ContainsRune(name, 0) {
		return "", false
	}
	for folder := filepath.Dir(name); ; folder = filepath.Dir(folder) {
		if info, err := os.Stat(folder); err == nil && os.SameFile(info, rootInfo) {
			rel, err := filepath.Rel(folder, name)
			return filepath.ToSlash(rel), err == nil
		}
		if folder == filepath.Dir(folder) {
			return "", false
		}
	}
}

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
