package clients

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/reviewledger/reviewledger/gate/scratch"
)

// workFolder is the folder, in a scratch folder, that a client starts in.
const workFolder = "empty"

// NewScratch makes a private folder for one call, and the work folder in it. What
// an adapter writes for its client lies beside the work folder.
func NewScratch(repo string) (*scratch.Folder, error) {
	bases := scratchBases(repo)
	if len(bases) == 0 {
		return nil, fmt.Errorf("no folder outside of %q to start a reviewer in: set TMPDIR to one", repo)
	}
	var errs []error
	for _, base := range bases {
		folder, err := scratch.Make(base, "review")
		if err == nil {
			err = os.Mkdir(filepath.Join(folder.Path, workFolder), 0o700)
		}
		if err == nil {
			return folder, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("make a scratch folder: %w", errors.Join(errs...))
}

// scratchBases returns the folders that a scratch folder may be made in, the best
// first. Clients look for their configuration in all folders above the one that
// they start in. So a base lies outside of the repository, and, where there is a
// choice, below no folder that other users may write to, as /tmp is.
func scratchBases(repo string) []string {
	repo = resolved(repo)
	var private, shared []string
	for _, base := range temporaryFolders() {
		switch {
		case os.MkdirAll(base, 0o700) != nil, within(resolved(base), repo):
		case isPrivate(resolved(base)):
			private = append(private, base)
		default:
			shared = append(shared, base)
		}
	}
	return append(private, shared...)
}

// temporaryFolders lists the folders in which scratch folders may be made.
func temporaryFolders() []string {
	folders := []string{os.TempDir()}
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "reviewledger"))
	}
	return folders
}

// resolved is the path without symbolic links, as far as it can be found.
func resolved(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func within(path, folder string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}

// isPrivate reports whether nobody else can put a file into the folder or into
// one above it.
func isPrivate(folder string) bool {
	const othersWrite = 0o002
	for {
		info, err := os.Stat(folder)
		if err != nil || info.Mode().Perm()&othersWrite != 0 {
			return false
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return true
		}
		folder = parent
	}
}

// SweepScratch removes the temporary folders that killed processes have left in
// the user's own folders for such.
func SweepScratch(now time.Time) error {
	var errs []error
	for _, parent := range temporaryFolders() {
		errs = append(errs, scratch.Sweep(parent, now))
	}
	return errors.Join(errs...)
}
