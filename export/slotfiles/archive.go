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
	// LockName is the file that an iteration locks; it stays in the log
	// directory.
	LockName = ".gauntlet-run.lock"
	// PreviousName is the folder of a log directory that holds the files of
	// the last loop.
	PreviousName = "previous"
	// archivingName marks that previous/ has been emptied and is being filled.
	archivingName = ".archiving"
)

// Archive moves the files of a loop from the log directory into its folder
// previous/, in place of those of the loop before it: every .log file, so that
// none is left to make the next invocation a rerun, the JSON files of slots, the
// session reference, and the file that says whose they are. The lock, folders and files of others stay, and so do
// they in previous/.
//
// The order is: empty previous/, write the mark .archiving, move, remove the
// mark. Where an earlier call was interrupted before the mark, previous/ held
// only old files, and is emptied again; where the mark is found, it may hold new
// ones, and only the moving is completed. Without files to move and without a
// mark, nothing changes: calling Archive on an empty log directory is safe, and
// completes what was interrupted. A symbolic link in the place of previous/ is
// removed, not followed.
//
// Where more than one loop is to be kept, previous/ becomes previous.1/ before, that one
// previous.2/ and so on, and the oldest is removed. A call that was interrupted in
// between left a gap, to which the next one moves them. Where 0 are to be kept, the
// files are removed.
//
// Rule: The log directory decides between first run and rerun.
func (d *Dir) Archive() error {
	root, err := os.OpenRoot(d.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("archive logs of %q: %w", d.Path(), err)
	}
	defer root.Close()
	if err := archive(root, d.keep); err != nil {
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

// older is the folder of the loop that ended so many loops before the last one.
func older(n int) string {
	if n == 0 {
		return PreviousName
	}
	return fmt.Sprintf("%s.%d", PreviousName, n)
}

// rotate makes room for the loop that has just ended: it moves the folders of older ones
// on by one, up to the first that is missing. Folders beyond those that are to be kept
// are removed. A folder that holds files of others stays, and then nothing is moved.
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

// holdsLoop reports whether the folder is there, and has files of a loop. A link is not
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

// removeLoop removes the files of a loop in the folder, and the folder if nothing else is
// in it.
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

// removeTemporary removes the temporary files that a crash has left behind.
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

// makePrevious makes sure that previous/ is a folder of the log directory.
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

// clearPrevious removes what an earlier call has moved there.
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

// Exists reports whether something has the name in the folder.
func Exists(root *os.Root, name string) (bool, error) {
	_, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
