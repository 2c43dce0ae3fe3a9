package slotfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
)

// SessionRefName is the file that names the snapshot with which reruns compare.
//
// Rule: A rerun shows what changed since the session reference.
const SessionRefName = ".session_ref"

// maxSessionRef is the most that is returned of a session reference, in bytes.
// A commit's hash is shorter, so what was cut cannot become a valid one.
const maxSessionRef = 128

// WriteSessionRef writes the hash of a snapshot into a log directory.
func WriteSessionRef(dir, sha string) error {
	return files.WriteFile(filepath.Join(dir, SessionRefName), []byte(sha+"\n"))
}

// ReadSessionRef returns the first line of the session reference, trimmed and
// cut to 128 bytes. Whether it names a commit is for the caller to find out. It
// reports false if there is no such file; one that is not a regular file is an
// error.
func ReadSessionRef(dir string) (sha string, ok bool, err error) {
	path := filepath.Join(dir, SessionRefName)
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read session reference %q: %w", path, err)
	}
	defer root.Close()
	data, err := files.ReadRegular(root, SessionRefName, files.MaxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read session reference %q: %w", path, err)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	line = bytes.TrimSpace(line)
	return strings.ToValidUTF8(string(line[:min(len(line), maxSessionRef)]), "\uFFFD"), true, nil
}
