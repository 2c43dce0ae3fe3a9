package diff

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CommonDir is the [Repo.CommonDir] of the repository whose working tree holds dir.
// In an ordinary repository it is found without git, whose start takes as long as a
// question to the ledger.
func CommonDir(ctx context.Context, dir string) (string, error) {
	if common, found := plainCommonDir(dir, isOwn); found {
		return common, nil
	}
	repo, err := Open(ctx, dir)
	if err != nil {
		return "", err
	}
	return repo.CommonDir, nil
}

// plainCommonDir finds the folder .git beside or above dir. It reports false for
// everything else that git knows: a linked working tree, a submodule, a bare
// repository, limits to the search, and a repository of another user, which git
// refuses unless safe.directory names it.
func plainCommonDir(dir string, isOwn func(fs.FileInfo) bool) (string, bool) {
	for _, limit := range []string{"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"} {
		if os.Getenv(limit) != "" {
			return "", false
		}
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil || strings.Contains(dir+string(filepath.Separator), filepath.FromSlash("/.git/")) {
		return "", false
	}
	start, err := os.Lstat(dir)
	if err != nil {
		return "", false
	}
	for {
		common := filepath.Join(dir, ".git")
		if info, err := os.Lstat(common); err == nil {
			root, err := os.Lstat(dir)
			return common, err == nil && info.IsDir() && isOwn(info) && isOwn(root) && onOneDevice(root, start) && holdsRepository(common)
		}
		parent := filepath.Dir(dir)
		if parent == dir || holdsRepository(dir) { // nothing, or a bare repository
			return "", false
		}
		dir = parent
	}
}

// holdsRepository reports whether the folder has what git takes a repository by.
func holdsRepository(folder string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

// Root is the [Repo.Root] of the repository whose working tree holds dir, found as
// [CommonDir] is.
func Root(ctx context.Context, dir string) (string, error) {
	if common, found := plainCommonDir(dir, isOwn); found {
		return filepath.Dir(common), nil
	}
	repo, err := Open(ctx, dir)
	if err != nil {
		return "", err
	}
	return repo.Root, nil
}
