package slotfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
)

// sessionRefName is the file that names the snapshot with which reruns compare.
//
// Rule: A rerun shows what changed since the session reference.
const sessionRefName = ".session_ref"

// maxSessionRef is the most that is returned of a session reference, in bytes.
// A commit's hash is shorter, so what was cut cannot become a valid one.
const maxSessionRef = 128

// WriteSessionRef writes the hash of a snapshot.
func (d *Dir) WriteSessionRef(sha string) error {
	return files.WriteFile(d.path(sessionRefName), []byte(sha+"\n"))
}

// RemoveSessionRef removes the session reference, if there is one.
func (d *Dir) RemoveSessionRef() error {
	if err := os.Remove(d.path(sessionRefName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the session reference: %w", err)
	}
	return nil
}

// ReadSessionRef returns the first line of the session reference, trimmed and
// cut to 128 bytes. Whether it names a commit is for the caller to find out. It
// reports false if there is no such file; one that is not a regular file is an
// error.
func (d *Dir) ReadSessionRef() (sha string, ok bool, err error) {
	data, err := readIfThere(d.Path(), sessionRefName, files.MaxFileSize)
	if err != nil {
		return "", false, fmt.Errorf("read session reference %q: %w", d.path(sessionRefName), err)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	line = bytes.TrimSpace(line)
	return strings.ToValidUTF8(string(line[:min(len(line), maxSessionRef)]), "\uFFFD"), data != nil, nil
}

// readIfThere reads a file of a directory, and returns nil if there is none.
func readIfThere(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := files.ReadRegular(root, name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
