// Package files writes files atomically, so that a reader finds all of a file or none of it, even
// after a crash, and reads files that others may have put there. It does not interpret their
// content. Names are opened relative to a folder, so that no symbolic link leads out of it.
package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// MaxFileSize is the largest size, in bytes, of a file that is read whole.
const MaxFileSize = 64 << 20

// TempPrefix is the prefix of the names of temporary files. It makes them hidden, so that they are
// never mistaken for logs.
const TempPrefix = ".reviewledger-tmp-"

var errNotRegular = errors.New("not a regular file")

// WriteFile writes a file atomically: a reader sees either the old content or all of data, even
// after a crash. Whatever has the name is replaced; a symbolic link is not followed. The folder
// must exist. No temporary file is left behind after an error.
//
// Rule: A file is written whole or not at all.
func WriteFile(path string, data []byte) error {
	return WriteFileOf(path, whole(data))
}

// whole returns a function that writes all of data.
func whole(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// WriteFileOf is [WriteFile] for content that the function write produces.
func WriteFileOf(path string, write func(io.Writer) error) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	defer root.Close()
	if err := writeAtomic(root, filepath.Base(path), write, 0o644); err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	return nil
}

// WriteNamed is [WriteFile] for a folder that the user chose. No other command cleans up there, so
// it also removes the temporary files of killed processes.
func WriteNamed(path string, data []byte) error { return WriteNamedOf(path, whole(data)) }

// WriteNamedOf is [WriteNamed] for content that the function write produces.
func WriteNamedOf(path string, write func(io.Writer) error) error {
	if folder, err := os.OpenRoot(filepath.Dir(path)); err == nil {
		SweepDead(folder, ".")
		_ = folder.Close()
	}
	return WriteFileOf(path, write)
}

// WriteAtomic is [WriteFile] for a name in a folder that is already open.
func WriteAtomic(root *os.Root, name string, data []byte) error {
	return WriteAtomicMode(root, name, data, 0o644)
}

// WriteAtomicMode is [WriteAtomic] with permissions for the new file.
func WriteAtomicMode(root *os.Root, name string, data []byte, mode os.FileMode) error {
	return writeAtomic(root, name, whole(data), mode)
}

func writeAtomic(root *os.Root, name string, write func(io.Writer) error, mode os.FileMode) error {
	temp := fmt.Sprintf("%s%d-%s", TempPrefix, os.Getpid(), rand.Text())
	if err := writeSynced(root, temp, write, mode); err != nil {
		return errors.Join(err, RemoveIfThere(root, temp))
	}
	if err := root.Rename(temp, name); err != nil {
		return errors.Join(err, RemoveIfThere(root, temp))
	}
	return nil
}

// WriteSynced writes a new file and syncs it to disk.
func WriteSynced(root *os.Root, name string, data []byte, mode os.FileMode) error {
	return writeSynced(root, name, whole(data), mode)
}

func writeSynced(root *os.Root, name string, write func(io.Writer) error, mode os.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// SyncFolder makes renames in the folder durable. Not every file system supports that, and the
// content of the files is safe by then, so errors are ignored.
func SyncFolder(root *os.Root) {
	if f, err := root.Open("."); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// IsReadOnly reports whether the error is that of a folder that cannot be written.
func IsReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// RemoveIfThere removes a file. A missing file is not an error.
func RemoveIfThere(root *os.Root, name string) error {
	if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sweep removes the temporary files that killed processes left in a folder. Nothing else may be
// writing there at the same time. A missing folder is not an error.
func Sweep(dir string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sweep %q: %w", dir, err)
	}
	defer root.Close()
	if err := sweep(root, func(string) bool { return true }); err != nil {
		return fmt.Errorf("sweep %q: %w", dir, err)
	}
	return nil
}

// sweep removes the temporary files whose names the function named accepts.
func sweep(root *os.Root, named func(name string) bool) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	errs := []error{err}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), TempPrefix) && entry.Type().IsRegular() && named(entry.Name()) {
			errs = append(errs, RemoveIfThere(root, entry.Name()))
		}
	}
	return errors.Join(errs...)
}

// SweepDead removes the temporary files that killed processes left in folders of root. Other
// processes may be writing there at the same time.
func SweepDead(root *os.Root, folders ...string) {
	for _, name := range folders {
		if folder, err := root.OpenRoot(name); err == nil {
			_ = sweep(folder, isOfDead) // best effort: a later sweep removes what remains
			_ = folder.Close()
		}
	}
}

// isOfDead reports whether a temporary file belongs to a process that no longer runs.
func isOfDead(name string) bool {
	id, _, _ := strings.Cut(strings.TrimPrefix(name, TempPrefix), "-")
	process, err := strconv.Atoi(id)
	return err == nil && process > 0 && !IsAlive(process)
}

// CreateLog creates a log that grows during the iteration. Whatever has the name is replaced; a
// symbolic link is not followed. The folder must exist.
func CreateLog(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, name)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("create log %q: %w", path, err)
	}
	defer root.Close()
	err = RemoveIfThere(root, name)
	var f *os.File
	if err == nil {
		f, err = root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("create log %q: %w", path, err)
	}
	return f, nil
}

// AppendLog reopens a log of [CreateLog] for appending. If the log has been removed, it is created
// again. A log that is not a regular file is an error.
func AppendLog(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, name)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("write log %q: %w", path, err)
	}
	defer root.Close()
	f, err := openRegular(root, name, os.O_WRONLY|os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		return CreateLog(dir, name)
	}
	if err != nil {
		return nil, fmt.Errorf("write log %q: %w", path, err)
	}
	return f, nil
}

// ReadRegular reads a file of at most limit bytes, as safely as openRegular.
func ReadRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := openRegular(root, name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, TooLarge(limit)
	}
	return data, nil
}

// TooLarge returns the error for a file of more than limit bytes.
func TooLarge(limit int64) error {
	return fmt.Errorf("larger than %d MiB", limit>>20)
}
