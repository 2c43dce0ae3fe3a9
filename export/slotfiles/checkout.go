package slotfiles

import (
	"path/filepath"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger"
)

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
