package files

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// OpenFile opens a regular file of a log directory for reading, whatever its size. It neither
// follows a symbolic link nor blocks on a FIFO.
func OpenFile(path string) (*os.File, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := openRegular(root, filepath.Base(path), os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	return f, nil
}

// ReadFile reads a regular file of a log directory of at most [MaxFileSize] bytes, as safely as
// [OpenFile].
func ReadFile(path string) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := ReadRegular(root, filepath.Base(path), MaxFileSize)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	return data, nil
}

// openRegular opens a regular file with the given flags. It neither follows a symbolic link nor
// blocks on a FIFO, even if one replaces the file while it is being opened.
func openRegular(root *os.Root, name string, flags int) (*os.File, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := root.OpenFile(name, flags|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(before, opened) {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
