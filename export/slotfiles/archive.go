package slotfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
)

const (
	// LockName is the file that an iteration locks. It stays in the log directory.
	LockName = ".gauntlet-run.lock"
	// PreviousName is the folder of a log directory with the files of the last loop.
	PreviousName = "previous"
	// archivingName marks that previous/ was emptied and is being filled.
	archivingName = ".archiving"
)

// Archive moves the files of a loop from the log directory to its folder previous/, where they
// replace those of the loop before. These are all .log files, so that none is left to make the next
// invocation a rerun, the JSON files of slots, the session reference, and the file that names the
// run. The lock, folders and files of others stay, also in previous/.
//
// Archive empties previous/, writes the mark .archiving, moves the files and removes the mark. If
// an earlier call was interrupted before it wrote the mark, previous/ has only old files and is
// emptied again. If there is a mark, previous/ may have new files, so Archive only completes the
// moving. Without files to move and without a mark, nothing changes: Archive is safe to call on an
// empty log directory, and completes an interrupted call. A symbolic link named previous/ is
// removed, not followed.
//
// If more than one loop is to be kept, previous/ is first renamed to previous.1/, that one to
// previous.2/ and so on, and the oldest is removed. A call that was interrupted in between left a
// gap, which the next call fills. If none is to be kept, the files are removed.
//
// Rule: The log directory decides between first run and rerun.
func (d *Dir) Archive() error {
	root, err := os.OpenRoot(d.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return d.removeCheckout()
	}
	if err != nil {
		return fmt.Errorf("archive logs of %q: %w", d.Path(), err)
	}
	defer root.Close()
	if err := errors.Join(archive(root, d.keep), d.removeCheckout()); err != nil {
		return fmt.Errorf("archive logs of %q: %w", d.Path(), err)
	}
	return nil
}

func archive(root *os.Root, keep int) error {
	if err := removeTemporary(root); err != nil {
		return err
	}
	names, err := loopFiles(root)
	if err != nil {
		return err
	}
	marked, err := Exists(root, archivingName)
	if err != nil || len(names) == 0 && !marked {
		return err
	}
	if len(names) > 0 {
		if !marked {
			if err := rotate(root, keep); err != nil {
				return err
			}
		}
		if err := makePrevious(root); err != nil {
			return err
		}
	}
	if !marked {
		if err := clearPrevious(root); err != nil {
			return err
		}
		if err := files.WriteSynced(root, archivingName, nil, 0o644); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := root.Rename(name, PreviousName+"/"+name); err != nil {
			return err
		}
	}
	if keep == 0 {
		if err := clearPrevious(root); err != nil {
			return err
		}
	}
	files.SyncFolder(root)
	return files.RemoveIfThere(root, archivingName)
}

// older returns the folder of the loop that ended n loops before the last one.
func older(n int) string {
	if n == 0 {
		return PreviousName
	}
	return fmt.Sprintf("%s.%d", PreviousName, n)
}

// rotate makes room for the loop that has just ended: it renames the folders of older loops, up to
// the first gap, to the next number. Folders beyond the number to keep are removed. If the last
// folder stays because it has files of others, nothing is moved.
func rotate(root *os.Root, keep int) error {
	filled, err := holdsLoop(root, PreviousName)
	if err != nil || !filled || keep < 2 {
		return err
	}
	for n := keep; ; n++ {
		there, err := Exists(root, older(n))
		if err != nil {
			return err
		}
		if !there {
			break
		}
		if _, err := removeLoop(root, older(n)); err != nil {
			return err
		}
	}
	gap := 0
	for there := true; there && gap < keep; {
		gap++
		if there, err = Exists(root, older(gap)); err != nil {
			return err
		}
	}
	if gap == keep {
		gap--
		if gone, err := removeLoop(root, older(gap)); err != nil || !gone {
			return err
		}
	}
	for ; gap > 0; gap-- {
		if err := root.Rename(older(gap-1), older(gap)); err != nil {
			return err
		}
	}
	return nil
}

// holdsLoop reports whether the folder exists and has files of a loop. A symbolic link is not
// followed.
func holdsLoop(root *os.Root, name string) (bool, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	folder, err := root.OpenRoot(name)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	names, err := loopFiles(folder)
	return len(names) > 0, err
}

// removeLoop removes the files of a loop from the folder, and the folder if it is empty then.
func removeLoop(root *os.Root, name string) (gone bool, err error) {
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() {
		return false, err
	}
	if err := clearFolder(root, name); err != nil {
		return false, err
	}
	return root.Remove(name) == nil, nil
}

// removeTemporary removes the temporary files that a crash left behind.
func removeTemporary(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasPrefix(entry.Name(), files.TempPrefix) {
			if err := root.Remove(entry.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// makePrevious creates previous/ unless it exists. A symbolic link in its place is removed.
func makePrevious(root *os.Root) error {
	info, err := root.Lstat(PreviousName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return nil
	case info.Mode().Type() == fs.ModeSymlink:
		if err := root.Remove(PreviousName); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%q is in the way: it is not a folder", PreviousName)
	}
	return root.Mkdir(PreviousName, 0o755)
}

// clearPrevious removes the files of a loop from previous/.
func clearPrevious(root *os.Root) error { return clearFolder(root, PreviousName) }

func clearFolder(root *os.Root, name string) error {
	previous, err := root.OpenRoot(name)
	if err != nil {
		return err
	}
	defer previous.Close()
	names, err := loopFiles(previous)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := previous.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// loopFiles lists the files of a folder that belong to a loop.
func loopFiles(root *os.Root) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if isLog(entry) || !entry.IsDir() && ofLoop(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// ofLoop reports whether a file that is not a log belongs to a loop.
func ofLoop(base string) bool {
	name, ok := ParseName(base)
	return base == sessionRefName || base == runName || ok && name.Kind != NameUnknown
}

// Exists reports whether the folder has an entry of this name.
func Exists(root *os.Root, name string) (bool, error) {
	_, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
