package slotfiles

import (
	"encoding/json"
	"errors"
	"fmt"

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
