package clients

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/reviewledger/reviewledger/gate/scratch"
)

// workFolder is the name of the folder, in a scratch folder, in which a client starts.
const workFolder = "empty"

// NewScratch makes a private folder outside of the repository for one call, with the work folder in
// it. An adapter writes files for its client next to the work folder.
func NewScratch(repo string) (*scratch.Folder, error) {
	failed := fmt.Errorf("no folder outside of %q to start a reviewer in: set TMPDIR to one", repo)
	for _, base := range temporaryFolders() {
		if os.MkdirAll(base, 0o700) != nil || within(resolved(base), resolved(repo)) {
			continue
		}
		folder, err := scratch.Make(base, "review")
		if err == nil {
			err = os.Mkdir(filepath.Join(folder.Path, workFolder), 0o700)
		}
		if err == nil {
			return folder, nil
		}
		failed = fmt.Errorf("make a scratch folder: %w", err)
	}
	return nil, failed
}

// temporaryFolders returns the folders in which scratch folders may be made, the best first.
// Clients look for their configuration in all folders above the one in which they start, and other
// users may write to the system's temporary folder.
func temporaryFolders() (folders []string) {
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "reviewledger"))
	}
	return append(folders, os.TempDir())
}

// resolved returns the path without symbolic links, as far as they can be resolved.
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

// SweepScratch removes the temporary folders that killed processes have left in these places.
func SweepScratch(now time.Time) error {
	var errs []error
	for _, parent := range temporaryFolders() {
		errs = append(errs, scratch.Sweep(parent, now))
	}
	return errors.Join(errs...)
}
