package slotfiles

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger"
)

// Dir is the log directory of a worktree: the files that agents read and edit. Unless stated
// otherwise, its methods return paths relative to the worktree, as they are shown to the user.
type Dir struct {
	root string // the worktree, absolute
	name string // relative to the worktree, with slashes
	// checkStatus returns the status at the end of a check's log.
	checkStatus func(io.Reader) ledger.GateStatus
	// keep is how many ended loops are kept.
	keep int
	// gitDir is git's folder of the worktree, or "".
	gitDir string
	// consoleLog is open during an iteration.
	consoleLog io.Closer
}

// NewDir returns a worktree's log directory, which need not exist. The name is relative to the
// worktree's root, with slashes. checkStatus returns the status (passed, failed or error) at the
// end of a check's log, or "" if that is unclear. The files of one ended loop are kept, see
// [Dir.Keep].
func NewDir(root, name string, checkStatus func(io.Reader) ledger.GateStatus) *Dir {
	return &Dir{root: root, name: name, checkStatus: checkStatus, keep: 1}
}

// Keep sets how many ended loops are kept: the last one in previous/, the one before in
// previous.1/, and so on.
func (d *Dir) Keep(loops int) *Dir {
	d.keep = loops
	return d
}

// Path returns the directory's absolute path.
func (d *Dir) Path() string { return filepath.Join(d.root, filepath.FromSlash(d.name)) }

// Name returns the directory relative to the worktree, with slashes.
func (d *Dir) Name() string { return d.name }

// Shown returns the path of a file of the directory relative to the worktree, as the user sees it.
func (d *Dir) Shown(file string) string { return d.name + "/" + file }

func (d *Dir) path(file string) string { return filepath.Join(d.Path(), file) }

// Create creates the directory. A directory outside the worktree, which a symbolic link leads to,
// is an error.
//
// Rule: A file is written whole or not at all.
func (d *Dir) Create() error {
	if err := os.MkdirAll(d.Path(), 0o755); err != nil {
		return fmt.Errorf("create the log directory %q: %w", d.name, err)
	}
	real, err := filepath.EvalSymlinks(d.Path())
	if err != nil {
		return fmt.Errorf("find the log directory %q: %w", d.name, err)
	}
	root, err := filepath.EvalSymlinks(d.root)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(real, root+string(filepath.Separator)) {
		return fmt.Errorf("the log directory %q points to %q, outside the worktree: remove the symbolic link, or change log_dir in .gauntlet/config.yml", d.name, real)
	}
	return nil
}

// ReadLoop reads which run the files in the directory belong to, and which one this checkout has
// begun.
func (d *Dir) ReadLoop() (loop ledger.LoopFiles, err error) {
	if loop.Begun, err = d.Begun(); err != nil {
		return loop, err
	}
	folder, err := d.open()
	if err != nil {
		return loop, err
	}
	defer folder.close()
	if loop.HasLogs = folder.hasLogs(); loop.HasLogs {
		loop.Run, loop.RunErr = readRunFile(d.Path())
		loop.Highest = folder.highestIteration()
	}
	return loop, nil
}

// ReadSlot reads a slot's JSON file. It returns [fs.ErrNotExist] if the file is missing;
// [ledger.SlotFile.Err] says why an existing file cannot be read.
func (d *Dir) ReadSlot(job, adapter string, slot, iteration int) (ledger.SlotFile, error) {
	name := SlotJSONName(job, adapter, slot, iteration)
	file := ledger.SlotFile{
		Path: d.Shown(name), FileID: ledger.Sanitize(job), Adapter: adapter, Slot: slot, Iteration: iteration,
	}
	data, err := files.ReadFile(d.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return file, fs.ErrNotExist
	}
	if err == nil {
		file.Document, err = UnmarshalSlot(data)
	}
	file.Err = err
	return file, nil
}

// ReadAll reads everything that a run can be restored from. A missing directory is empty. The jobs
// are the IDs of all known jobs.
func (d *Dir) ReadAll(jobs []string) (slots []ledger.SlotFile, checks []ledger.CheckLog, err error) {
	folder, err := d.open()
	if err != nil {
		return nil, nil, err
	}
	defer folder.close()
	ids := make([]string, 0, len(jobs))
	for _, job := range jobs {
		ids = append(ids, ledger.Sanitize(job))
	}
	for _, entry := range folder.entries {
		name, ok := ParseName(entry.Name())
		if !ok || name.Kind != NameCheck || !isLog(entry) {
			continue
		}
		status, err := d.readCheckStatus(entry.Name())
		if err != nil {
			return nil, nil, err
		}
		checks = append(checks, ledger.CheckLog{FileID: name.Prefix, Iteration: name.Iteration, Status: status})
	}
	slices.SortFunc(checks, func(a, b ledger.CheckLog) int {
		return cmp.Or(cmp.Compare(a.FileID, b.FileID), cmp.Compare(a.Iteration, b.Iteration))
	})
	return folder.slotFiles(ids), checks, nil
}

// readCheckStatus returns the status at the end of a check's log.
func (d *Dir) readCheckStatus(name string) (ledger.GateStatus, error) {
	file, err := files.OpenFile(d.path(name))
	if err != nil {
		return "", err
	}
	defer file.Close()
	return d.checkStatus(file), nil
}

// WriteSlot writes a slot's JSON file and returns its path.
func (d *Dir) WriteSlot(document ledger.SlotDocument) (string, error) {
	name := SlotJSONName(document.Job, document.Adapter, document.Slot, document.Iteration)
	return d.Shown(name), files.WriteFileOf(d.path(name), func(w io.Writer) error { return writeSlot(w, document) })
}

// StartSlotLog creates a slot's log, replacing an existing file of that name, and writes what is
// reviewed and by which adapter.
func (d *Dir) StartSlotLog(h ledger.SlotLogHeader) (path string, err error) {
	name := slotLogName(h)
	file, err := files.CreateLog(d.Path(), name)
	if err != nil {
		return "", err
	}
	log := NewSlotLog(file)
	log.Start(h)
	return d.Shown(name), log.Close()
}

// EndSlotLog appends the result to the slot's log, and opens the complete log for reading.
func (d *Dir) EndSlotLog(h ledger.SlotLogHeader, end ledger.SlotLogEnd) (io.ReadCloser, error) {
	file, err := files.AppendLog(d.Path(), slotLogName(h))
	if err != nil {
		return nil, err
	}
	log := NewSlotLog(file)
	if end.Asked {
		log.Output(h.Adapter, end.Raw)
	}
	if end.Document.Status != "" {
		log.Parsed(end.Document)
	}
	for _, note := range end.Notes {
		log.Note(note)
	}
	log.Result(end.Status, end.Reason)
	if err := log.Close(); err != nil {
		return nil, err
	}
	whole, err := files.OpenFile(d.path(slotLogName(h)))
	if err != nil {
		return nil, err // not whole, a nil *os.File in a non-nil interface
	}
	return whole, nil
}

func slotLogName(h ledger.SlotLogHeader) string {
	return SlotLogName(h.Job, h.Adapter, h.Slot, h.Iteration)
}

// CheckLog returns the path of a check's log, absolute and as it is shown.
func (d *Dir) CheckLog(job string, iteration int) (absolute, shown string) {
	name := CheckLogName(job, iteration)
	return d.path(name), d.Shown(name)
}

// SlotLog returns the path of a slot's log, absolute and as it is shown.
func (d *Dir) SlotLog(job, adapter string, slot, iteration int) (absolute, shown string) {
	name := SlotLogName(job, adapter, slot, iteration)
	return d.path(name), d.Shown(name)
}

// SlotJSON returns the path of a slot's JSON file, absolute and as it is shown.
func (d *Dir) SlotJSON(job, adapter string, slot, iteration int) (absolute, shown string) {
	name := SlotJSONName(job, adapter, slot, iteration)
	return d.path(name), d.Shown(name)
}

// CreateConsoleLog creates the log of what the iteration prints. [Dir.Close] closes it.
func (d *Dir) CreateConsoleLog(iteration int) (io.Writer, error) {
	file, err := files.CreateLog(d.Path(), ConsoleLogName(iteration))
	if err != nil {
		return nil, err
	}
	d.consoleLog = file
	return file, nil
}

// Close closes the console log, if it is open.
func (d *Dir) Close() error {
	if d.consoleLog == nil {
		return nil
	}
	err := d.consoleLog.Close()
	d.consoleLog = nil
	return err
}
