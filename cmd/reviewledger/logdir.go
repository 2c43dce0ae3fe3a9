package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/export/files"
	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/gate"
	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/ledger"
)

// logDir is the log directory of a worktree, written and read by the exporters.
type logDir struct {
	root string // the worktree, absolute
	name string // relative to the worktree, with slashes
	// consoleLog is open while an iteration runs.
	consoleLog io.Closer
}

var _ gate.LogDir = (*logDir)(nil)

func (d *logDir) absolute() string { return filepath.Join(d.root, filepath.FromSlash(d.name)) }

// shown is a file of the directory as the user sees it: relative to the
// worktree.
func (d *logDir) shown(file string) string { return d.name + "/" + file }

// create makes the directory, and refuses one that a symbolic link puts outside
// the worktree.
func (d *logDir) create() error {
	if err := os.MkdirAll(d.absolute(), 0o755); err != nil {
		return fmt.Errorf("make the log directory %q: %w", d.name, err)
	}
	real, err := filepath.EvalSymlinks(d.absolute())
	if err != nil {
		return fmt.Errorf("find the log directory %q: %w", d.name, err)
	}
	root, err := filepath.EvalSymlinks(d.root)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(real, root+string(filepath.Separator)) {
		return fmt.Errorf("the log directory %q leads to %q, outside the worktree: remove the symbolic link, or change log_dir in .gauntlet/config.yml", d.name, real)
	}
	return nil
}

func (d *logDir) Path() string { return d.name }

func (d *logDir) HasLogs() (bool, error) { return slotfiles.HasLogs(d.absolute()) }

func (d *logDir) HighestIteration() (int, error) { return slotfiles.HighestIteration(d.absolute()) }

// ownerLine is what the console log of an iteration says of its run.
var ownerLine = regexp.MustCompile(`^Run ([0-9A-HJKMNP-TV-Z]{26}), iteration ([0-9]{1,9}):`)

// Owner reads the newest console log that names a run, or says that others are
// there.
func (d *logDir) Owner() (run string, iteration int, err error) {
	entries, err := os.ReadDir(d.absolute())
	if err != nil {
		return "", 0, err
	}
	for _, entry := range entries {
		name, ok := slotfiles.ParseName(entry.Name())
		if !ok || name.Kind != slotfiles.NameConsole || name.Iteration < iteration && run != "" {
			continue
		}
		owner, number := d.readOwner(entry.Name())
		switch {
		case owner != "" && number == name.Iteration:
			run, iteration = owner, number
		case run == "":
			iteration = max(iteration, name.Iteration)
		}
	}
	return run, iteration, nil
}

func (d *logDir) readOwner(name string) (run string, iteration int) {
	data, err := files.ReadFile(filepath.Join(d.absolute(), name))
	if err != nil {
		return "", 0
	}
	lines := bufio.NewScanner(strings.NewReader(string(data)))
	for lines.Scan() {
		if m := ownerLine.FindStringSubmatch(lines.Text()); m != nil {
			iteration, _ = strconv.Atoi(m[2])
			return m[1], iteration
		}
	}
	return "", 0
}

func (d *logDir) ReadSlot(job, adapter string, slot, iteration int) (ledger.SlotFile, error) {
	name := slotfiles.SlotJSONName(job, adapter, slot, iteration)
	file := ledger.SlotFile{
		Path: d.shown(name), FileID: ledger.Sanitize(job), Adapter: adapter, Slot: slot, Iteration: iteration,
	}
	data, err := files.ReadFile(filepath.Join(d.absolute(), name))
	if errors.Is(err, fs.ErrNotExist) {
		return file, fs.ErrNotExist
	}
	if err == nil {
		file.Document, err = slotfiles.UnmarshalSlot(data)
	}
	file.Err = err
	return file, nil
}

func (d *logDir) ReadAll(jobs []string) ([]ledger.SlotFile, []ledger.CheckLog, error) {
	ids := make([]string, 0, len(jobs))
	for _, job := range jobs {
		ids = append(ids, ledger.Sanitize(job))
	}
	slots, err := slotfiles.ReadSlotFiles(d.absolute(), ids)
	if err != nil {
		return nil, nil, err
	}
	for i := range slots {
		slots[i].Path = d.shown(filepath.Base(slots[i].Path))
	}
	logs, err := slotfiles.ReadCheckLogs(d.absolute())
	if err != nil {
		return nil, nil, err
	}
	var checks []ledger.CheckLog
	for _, log := range logs {
		status, err := readCheckStatus(filepath.Join(d.absolute(), filepath.Base(log.Path)))
		if err != nil {
			return nil, nil, err
		}
		checks = append(checks, ledger.CheckLog{FileID: log.FileID, Iteration: log.Iteration, Status: status})
	}
	return slots, checks, nil
}

// readCheckStatus is the status at the end of a check's log, or "" where it has
// no clear one.
func readCheckStatus(path string) (string, error) {
	file, err := files.OpenFile(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	status, ok := check.ParseResult(file)
	if !ok {
		return "", nil
	}
	return status, nil
}

func (d *logDir) WriteSlot(document ledger.SlotDocument) (string, error) {
	name := slotfiles.SlotJSONName(document.Job, document.Adapter, document.Slot, document.Iteration)
	data, err := slotfiles.MarshalSlot(document)
	if err != nil {
		return "", fmt.Errorf("write %q: %w", d.shown(name), err)
	}
	return d.shown(name), files.WriteFile(filepath.Join(d.absolute(), name), data)
}

func (d *logDir) CheckLog(job string, iteration int) (absolute, shown string) {
	name := slotfiles.CheckLogName(job, iteration)
	return filepath.Join(d.absolute(), name), d.shown(name)
}

func (d *logDir) CreateConsoleLog(iteration int) (io.Writer, error) {
	file, err := files.CreateLog(d.absolute(), slotfiles.ConsoleLogName(iteration))
	if err != nil {
		return nil, err
	}
	d.consoleLog = file
	return file, nil
}

// closeConsole closes the console log after its last line.
func (d *logDir) closeConsole() error {
	if d.consoleLog == nil {
		return nil
	}
	err := d.consoleLog.Close()
	d.consoleLog = nil
	return err
}

func (d *logDir) ReadSessionRef() (string, bool, error) {
	return slotfiles.ReadSessionRef(d.absolute())
}

func (d *logDir) WriteSessionRef(commit string) error {
	return slotfiles.WriteSessionRef(d.absolute(), commit)
}

func (d *logDir) Archive() error { return slotfiles.Archive(d.absolute()) }

func (d *logDir) CreateSlotLog(h ledger.SlotLogHeader) (gate.SlotLog, error) {
	name := slotfiles.SlotLogName(h.Job, h.Adapter, h.Slot, h.Iteration)
	log, err := slotfiles.CreateSlotLog(d.absolute(), name)
	if err != nil {
		return nil, err
	}
	log.Start(slotfiles.SlotLogHeader{Job: h.Job, Slot: h.Slot, EntryPoint: h.EntryPoint, Base: h.Base, Adapter: h.Adapter})
	return &slotLog{SlotLog: log, path: d.shown(name)}, nil
}

// slotLog adds to an exporter's log where it is shown.
type slotLog struct {
	*slotfiles.SlotLog
	path string
}

func (l *slotLog) Path() string { return l.path }
