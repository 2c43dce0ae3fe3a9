package slotfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// runName is the file that names the run that the files in a log directory belong to.
const runName = ".run"

// runFormat is the version of the file's format.
const runFormat = 1

// runJSON is the content of the file. Its keys are written in this order.
type runJSON struct {
	Format int `json:"format"`
	ledger.RunFile
}

// WriteRun writes which run the files in the directory belong to from now on, into the directory and
// into the checkout.
func (d *Dir) WriteRun(run ledger.RunFile) error {
	if err := d.writeCheckout(run.Run); err != nil {
		return err
	}
	data, err := text.MarshalJSON(runJSON{runFormat, run}, "")
	if err != nil {
		return err
	}
	return files.WriteFile(d.path(runName), data)
}

// maxRunFile is the largest size, in bytes, of a run file that is read.
const maxRunFile = 64 << 10

// readRunFile reads which run the files in a log directory belong to. It returns nil if the file is
// missing. A file that cannot be read is an error.
func readRunFile(dir string) (*ledger.RunFile, error) {
	data, err := readIfThere(dir, runName, maxRunFile)
	if err != nil || data == nil {
		return nil, err
	}
	var run runJSON
	if err := json.Unmarshal(data, &run); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	switch {
	case run.Format > runFormat:
		return nil, fmt.Errorf("it has the format %d, which a later version of reviewledger wrote", run.Format)
	case run.Format < 1 || run.Iteration < 1 || !ledger.IsULID(run.Run):
		return nil, errors.New("it does not name a run and its iteration")
	}
	return &run.RunFile, nil
}

// checkoutName is the file in git's folder of a worktree that names the run that is open there. It
// tells a log directory that somebody emptied from that of another checkout, such as a fresh clone.
//
// Rule: The log directory decides between first run and rerun.
const checkoutName = "reviewledger-run"

// InCheckout sets git's folder of the worktree, where [Dir.WriteRun] also records the run.
func (d *Dir) InCheckout(gitDir string) *Dir {
	d.gitDir = gitDir
	return d
}

// Begun returns the run that this checkout has begun and not ended, or "".
func (d *Dir) Begun() (run string, err error) {
	if d.gitDir == "" {
		return "", nil
	}
	data, err := readIfThere(d.gitDir, checkoutName, maxRunFile)
	if run = strings.TrimSpace(string(data)); !ledger.IsULID(run) {
		run = ""
	}
	return run, err
}

// writeCheckout records the run that this checkout has begun, unless it is recorded.
func (d *Dir) writeCheckout(run string) error {
	if d.gitDir == "" {
		return nil
	}
	if recorded, err := d.Begun(); err != nil || recorded == run {
		return err
	}
	return files.WriteFile(filepath.Join(d.gitDir, checkoutName), []byte(run+"\n"))
}

// removeCheckout records that no run is open in this checkout.
func (d *Dir) removeCheckout() error {
	if recorded, err := d.Begun(); err != nil || recorded == "" {
		return err
	}
	return removeIfThere(filepath.Join(d.gitDir, checkoutName))
}

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
