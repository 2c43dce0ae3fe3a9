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

// sessionRefName is the file that names the snapshot that reruns compare with.
//
// Rule: A rerun shows what changed since the session reference.
const sessionRefName = ".session_ref"

// maxSessionRef is how many bytes of a session reference are returned at most. The hash of a commit
// is shorter, so a cut text is never a valid one.
const maxSessionRef = 128

// WriteSessionRef writes the hash of a snapshot.
func (d *Dir) WriteSessionRef(sha string) error {
	return files.WriteFile(d.path(sessionRefName), []byte(sha+"\n"))
}

// RemoveSessionRef removes the session reference. A missing one is not an error.
func (d *Dir) RemoveSessionRef() error {
	return removeIfThere(d.path(sessionRefName))
}

func removeIfThere(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ReadSessionRef returns the first line of the session reference, trimmed and cut to 128 bytes. The
// caller has to check whether it names a commit. It reports false if the file is missing. A file
// that is not a regular one is an error.
func (d *Dir) ReadSessionRef() (sha string, ok bool, err error) {
	data, err := readIfThere(d.Path(), sessionRefName, files.MaxFileSize)
	if err != nil {
		return "", false, fmt.Errorf("read session reference %q: %w", d.path(sessionRefName), err)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	line = bytes.TrimSpace(line)
	return strings.ToValidUTF8(string(line[:min(len(line), maxSessionRef)]), "\uFFFD"), data != nil, nil
}

// readIfThere reads a file of a directory. It returns nil if the file or the directory is missing.
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
