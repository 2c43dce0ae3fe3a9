// Package scratch makes folders for temporary files that do not outlive their
// process for long: what a killed process leaves behind, the next one sweeps.
//
// A folder's name carries the id of its process, and a file in it is locked as long
// as the process lives. The lock decides, for an id may be another process's by now,
// or one of another container that shares the file system.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

// lockName is the file that is locked while the folder is used.
const lockName = "lock"

// Grace is how long a folder is left alone whose process seems to live but does not
// hold its lock: it may be about to take it.
const Grace = time.Minute

// Folder is a folder for temporary files, which only this user can enter.
type Folder struct {
	// Path is absolute if the parent's was.
	Path string
	lock *flock.Flock
}

// Make makes a folder in parent. The kind, of lower-case letters, becomes part of its
// name.
func Make(parent, kind string) (*Folder, error) {
	path, err := os.MkdirTemp(parent, fmt.Sprintf("reviewledger-%s-%d-", kind, os.Getpid()))
	if err != nil {
		return nil, err
	}
	folder := &Folder{Path: path, lock: flock.New(filepath.Join(path, lockName), flock.SetPermissions(0o600))}
	locked, err := folder.lock.TryLock()
	if err == nil && !locked {
		err = fmt.Errorf("lock %q: another process holds it", folder.lock.Path())
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return folder, nil
}

// Remove removes the folder with all that is in it.
func (f *Folder) Remove() error { return errors.Join(f.lock.Close(), os.RemoveAll(f.Path)) }

// folderName is what [Make] calls a folder, and what versions called it whose names
// did not yet carry a process.
var folderName = regexp.MustCompile(`^reviewledger-(?:[a-z]+-([0-9]+)-|index-)?[0-9]+$`)

// Sweep removes from parent the folders that dead processes of this user left there.
// It leaves alone what it cannot judge.
func Sweep(parent string, now time.Time) error {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var errs []error
	for _, entry := range entries {
		name := folderName.FindStringSubmatch(entry.Name())
		if name == nil {
			continue
		}
		path := filepath.Join(parent, entry.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !isOwn(info) {
			continue
		}
		process, _ := strconv.Atoi(name[1])
		if isAbandoned(path, process, now.Sub(info.ModTime())) {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(append(errs, err)...)
}

// isAbandoned reports whether nobody uses the folder any more. The process is 0 where
// the name does not tell it; such a folder has no lock, and only its age speaks.
func isAbandoned(path string, process int, age time.Duration) bool {
	if process == 0 {
		return age > time.Hour
	}
	lock := filepath.Join(path, lockName)
	if info, err := os.Lstat(lock); err == nil && info.Mode().IsRegular() {
		held := flock.New(lock)
		free, err := held.TryLock()
		if err != nil || !free {
			return false
		}
		if held.Close() != nil {
			return false
		}
	}
	return !isAlive(process) || age > Grace
}
