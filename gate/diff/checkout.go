package diff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/reviewledger/reviewledger/gate/scratch"
)

// checkedOut begins the names of folders that [Repo.CheckOut] makes, and of what git
// notes about them.
const checkedOut = "reviewledger-base-"

// CheckedOut is a commit in a folder of its own.
type CheckedOut struct {
	// Root is a working tree of the repository, Beside an empty folder beside it.
	Root, Beside string

	repo   *Repo
	folder *scratch.Folder
}

// CheckOut makes a temporary working tree of a commit, given by its full id. What a
// killed process leaves of it, [Repo.Sweep] removes.
func (r *Repo) CheckOut(ctx context.Context, commit string) (*CheckedOut, error) {
	if !r.isObjectID(commit) {
		return nil, fmt.Errorf("check out %q: not a full object id", commit)
	}
	folder, err := scratch.Make(os.TempDir(), "base")
	if err != nil {
		return nil, err
	}
	c := &CheckedOut{
		Root: filepath.Join(folder.Path, filepath.Base(folder.Path)), Beside: filepath.Join(folder.Path, "logs"),
		repo: r, folder: folder,
	}
	err = os.Mkdir(c.Beside, 0o700)
	if err == nil {
		_, err = r.git.run(ctx, call{args: []string{"worktree", "add", "--quiet", "--detach", c.Root, commit}})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("check out %q: %w", commit, err), c.Remove())
	}
	return c, nil
}

// Remove removes the working tree, and git's metadata of it.
func (c *CheckedOut) Remove() error {
	return errors.Join(c.folder.Remove(), c.repo.forgetCheckedOut())
}

// forgetCheckedOut removes git's metadata of temporary working trees whose folder no longer
// exists.
func (r *Repo) forgetCheckedOut() error {
	folder := filepath.Join(r.CommonDir, "worktrees")
	noted, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, entry := range noted {
		if !strings.HasPrefix(entry.Name(), checkedOut) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name(), "gitdir"))
		if err != nil {
			continue // git is about to write it
		}
		if _, err := os.Lstat(strings.TrimSpace(string(text))); errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, os.RemoveAll(filepath.Join(folder, entry.Name())))
			_ = os.Remove(folder) // as git does, if it is empty now
		}
	}
	return errors.Join(errs...)
}
