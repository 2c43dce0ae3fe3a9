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

// checkedOut is the prefix of the folders that [Repo.CheckOut] makes, and of git's metadata about
// them.
const checkedOut = "reviewledger-base-"

// CheckedOut is a commit checked out into a folder of its own.
type CheckedOut struct {
	// Root is a working tree of the repository, and Beside an empty folder next to it.
	Root, Beside string

	repo   *Repo
	folder *scratch.Folder
}

// CheckOut makes a temporary working tree of a commit, given by its full id. [Repo.Sweep] removes
// what a killed process leaves of it.
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

// Remove removes the working tree and git's metadata about it.
func (c *CheckedOut) Remove() error {
	return errors.Join(c.folder.Remove(), c.repo.forgetCheckedOut())
}

// forgetCheckedOut removes git's metadata about temporary working trees whose folder no longer
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
