package review

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/reviewledger/reviewledger/gate/process"
)

// scratchPrefix begins the name of each scratch folder; the process that made
// it and random characters follow.
const scratchPrefix = "reviewledger-"

// workFolder is the folder, in a scratch folder, that a client starts in.
const workFolder = "empty"

// A scratch is a private folder of one call: what the adapter writes for the
// client lies in it, and an empty folder to start the client in.
type scratch struct {
	root, work string
	// lock is held as long as the folder is in use, and freed by the system when
	// the process dies.
	lock *flock.Flock
}

// newScratch makes a scratch folder that no client takes for a part of the
// repository.
func newScratch(repo string) (*scratch, error) {
	base, err := scratchBase(repo)
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(base, scratchPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	s := &scratch{root: root, work: filepath.Join(root, workFolder), lock: flock.New(filepath.Join(root, "lock"))}
	if _, err := s.lock.TryLock(); err != nil { // without locks the process's id has to do
		s.lock = nil
	}
	if err := os.Mkdir(s.work, 0o700); err != nil {
		s.remove()
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	return s, nil
}

// remove removes the folder. What cannot be removed is left to [SweepScratch].
func (s *scratch) remove() {
	if s.lock != nil {
		_ = s.lock.Close()
	}
	_ = os.RemoveAll(s.root)
}

// scratchBase chooses where scratch folders are made. Clients look for their
// configuration in all folders above the one that they start in. So the base lies
// outside of the repository, and, where there is a choice, below no folder that
// other users may write to, as /tmp is.
func scratchBase(repo string) (string, error) {
	repo = resolved(repo)
	var outside []string
	for _, base := range scratchBases() {
		if os.MkdirAll(base, 0o700) != nil || within(resolved(base), repo) {
			continue
		}
		if isPrivate(resolved(base)) {
			return base, nil
		}
		outside = append(outside, base)
	}
	if len(outside) == 0 {
		return "", fmt.Errorf("no folder outside of %q to start a reviewer in: set TMPDIR to one", repo)
	}
	return outside[0], nil
}

// scratchBases are the folders that scratch folders may be in.
func scratchBases() []string {
	bases := []string{os.TempDir()}
	if cache, err := os.UserCacheDir(); err == nil {
		bases = append(bases, filepath.Join(cache, "reviewledger"))
	}
	return bases
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

// SweepScratch removes the scratch folders that killed processes have left. It
// leaves those of processes that run, also of ones in other containers that
// share the folder.
func SweepScratch() error {
	var errs []error
	for _, base := range scratchBases() {
		entries, err := os.ReadDir(base)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("sweep scratch folders: %w", err))
		}
		for _, entry := range entries {
			if entry.IsDir() && isStray(base, entry.Name()) {
				errs = append(errs, os.RemoveAll(filepath.Join(base, entry.Name())))
			}
		}
	}
	return errors.Join(errs...)
}

// isStray reports whether the folder is a scratch folder whose process is gone.
func isStray(base, name string) bool {
	rest, found := strings.CutPrefix(name, scratchPrefix)
	digits, _, more := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(digits)
	if !found || !more || err != nil || pid <= 0 || process.Exists(pid) {
		return false
	}
	lock := flock.New(filepath.Join(base, name, "lock"))
	free, err := lock.TryLock()
	if err != nil {
		return false // another user's, or a file system without locks
	}
	_ = lock.Close()
	return free
}
