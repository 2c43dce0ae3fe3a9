// Package scratch makes folders for temporary files. If a process is killed and leaves its folder
// behind, a later process removes it. The package removes only folders and files with the names
// that this program gives them.
//
// A folder's name contains the id of its process, and a file in it is locked as long as the process
// lives. The lock decides whether the folder is in use, because the id may by now belong to another
// process, or to a process in another container that shares the file system.
package scratch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"github.com/reviewledger/reviewledger/internal/files"
)

// lockName is the name of the file that is locked while the folder is in use.
const lockName = "lock"

// grace is how long a folder is kept whose process seems to be alive but does not hold its lock:
// the process may be about to take it.
const grace = time.Minute

// patience is how long Make tries to lock a new folder.
const patience = 300 * time.Millisecond

// Folder is a folder for temporary files, which only this user can enter.
type Folder struct {
	// Path is absolute if the parent's path was.
	Path string
	lock *flock.Flock
}

// Make makes a folder in parent. kind consists of lower-case letters and becomes part of its name.
func Make(parent, kind string) (*Folder, error) {
	path, err := os.MkdirTemp(parent, fmt.Sprintf("reviewledger-%s-%d-", kind, os.Getpid()))
	if err != nil {
		return nil, err
	}
	folder := &Folder{Path: path, lock: flock.New(filepath.Join(path, lockName), flock.SetPermissions(0o600))}
	// Another process that sweeps may hold the lock for a moment, to see whether it is free.
	patient, cancel := context.WithTimeout(context.Background(), patience)
	locked, err := folder.lock.TryLockContext(patient, patience/20)
	cancel()
	if !locked && (err == nil || errors.Is(err, context.DeadlineExceeded)) {
		err = fmt.Errorf("lock %q: another process holds it", folder.lock.Path())
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return folder, nil
}

// Remove removes the folder with everything in it.
func (f *Folder) Remove() error {
	return errors.Join(removeContents(f.Path), f.lock.Close(), os.RemoveAll(f.Path))
}

// Lasting returns the path of a folder in parent for files that later processes of this user read.
// [Sweep] keeps it. The error is [fs.ErrNotExist] if there is none yet. Other users may write to
// parent, too: any other error means that the name is taken.
func Lasting(parent, name string) (path string, err error) {
	path = filepath.Join(parent, fmt.Sprintf("reviewledger-%s.%d", name, os.Getuid()))
	info, err := os.Lstat(path)
	if err == nil && (!info.IsDir() || !isOwn(info)) {
		err = fmt.Errorf("%q is not a folder of this user: remove it", path)
	}
	return path, err
}

// removeContents removes everything in the folder except its lock, so that a folder whose removal
// was interrupted still shows that it is not in use.
func removeContents(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, entry := range entries {
		if entry.Name() != lockName {
			errs = append(errs, os.RemoveAll(filepath.Join(path, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

// name matches the names of temporary folders and files of this program: their kind, their process,
// a random number. Earlier versions left out the process. Those next to the user's files are
// hidden.
var name = regexp.MustCompile(`^\.?reviewledger-(?:([a-z]+)-)?(?:([0-9]+)-)?[0-9]+$`)

// demo is the kind of the repositories that `reviewledger demo` makes for the user to explore. Only
// the user removes them.
const demo = "demo"

// Sweep removes from parent the folders and files that dead processes of this user left there. If
// it cannot tell whether one is in use, it keeps it.
func Sweep(parent string, now time.Time) error {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var errs []error
	for _, entry := range entries {
		parts := name.FindStringSubmatch(entry.Name())
		if parts == nil || parts[1] == demo {
			continue
		}
		path := filepath.Join(parent, entry.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() && !info.Mode().IsRegular() || !isOwn(info) {
			continue
		}
		pid, _ := strconv.Atoi(parts[2])
		if isAbandoned(path, pid, now.Sub(info.ModTime())) {
			if info.IsDir() {
				errs = append(errs, removeContents(path))
			}
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(append(errs, err)...)
}

// isEmpty reports whether the folder is empty.
func isEmpty(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0
}

// isAbandoned reports whether the folder or file is no longer in use. pid is 0 if the name does not
// contain it; such a folder has no lock, and only its age decides.
func isAbandoned(path string, pid int, age time.Duration) bool {
	if pid == 0 {
		return age > time.Hour
	}
	alive := files.IsAlive(pid)
	if alive && age <= grace {
		return false // trying its lock could keep a new process from taking it
	}
	lock, locked := filepath.Join(path, lockName), false
	if info, err := os.Lstat(lock); err == nil && info.Mode().IsRegular() {
		held := flock.New(lock)
		if free, err := held.TryLock(); err != nil || !free || held.Close() != nil {
			return false
		}
		locked = true // by a process that has ended
	}
	if alive {
		return locked // the pid belongs to another process by now
	}
	// If it is in use but has no lock, it belongs to a process in another container.
	return locked || age > grace || isEmpty(path)
}
