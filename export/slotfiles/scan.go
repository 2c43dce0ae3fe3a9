package slotfiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// CheckLog is the log of a check in one iteration.
type CheckLog struct {
	FileID    string // the sanitised job id
	Iteration int
	Path      string
}

// slotName is a file of a slot, by its name.
type slotName struct {
	Name
	base            string
	fileID, adapter string
}

// ReadSlotFiles reads what all slots of all iterations have left in a log
// directory, previous/ not included: the JSON file where there is one, else the
// log, of which older tools wrote several adapters into one. Beside a JSON file
// that cannot be read the log is read too, so that no finding is lost with it; beside
// another one it only tells whether the file is [ledger.SlotFile.Short].
// They are sorted by job, slot, iteration and adapter. The jobs are the sanitised ids of the known
// jobs, see [Split].
//
// A file that cannot be read, or is not a regular file, has its Err set, so that
// it is not mistaken for one that does not exist. The job of a document is not
// known from its file and stays empty; slot and iteration are those of the name.
// A missing directory holds nothing.
//
// Rule: Deleting the database loses history, never the loop.
func ReadSlotFiles(dir string, jobs []string) ([]ledger.SlotFile, error) {
	folder, err := openLogs(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names := folder.slotNames(jobs)
	var files []ledger.SlotFile
	answered := map[slotKey]int{} // indexes of files that could be read
	for _, name := range names {
		if name.Ext == JSONExt {
			file := folder.readSlotJSON(name)
			if file.Err == nil {
				answered[keyOf(file)] = len(files)
			}
			files = append(files, file)
		}
	}
	for _, name := range names {
		if name.Ext != LogExt {
			continue
		}
		for _, file := range folder.readSlotLog(name) {
			if json, known := answered[keyOf(file)]; known {
				files[json].Short = files[json].Short || listsMore(file.Document, files[json].Document)
			} else if _, known := answered[name.key()]; !known {
				files = append(files, file)
			}
		}
	}
	sortSlotFiles(files)
	return files, nil
}

// listsMore reports whether a log lists a violation in words that the document does not
// have.
func listsMore(log, document ledger.SlotDocument) bool {
	said := map[string]int{}
	for _, v := range document.Violations {
		said[normalIssue(v.Issue)]++
	}
	for _, v := range log.Violations {
		words := normalIssue(v.Issue)
		if said[words]--; said[words] < 0 && v.Issue != UnparsedIssue {
			return true
		}
	}
	return false
}

// normalIssue is an issue without what a log writes differently.
func normalIssue(issue string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text.EscapeLine(issue))
}

// ReadCheckLogs lists the logs of checks in a log directory, sorted by job and
// iteration. It does not open them.
func ReadCheckLogs(dir string) ([]CheckLog, error) {
	folder, err := openLogs(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	var logs []CheckLog
	for _, entry := range folder.entries {
		name, ok := ParseName(entry.Name())
		if ok && name.Kind == NameCheck && isLog(entry) {
			logs = append(logs, CheckLog{name.Prefix, name.Iteration, filepath.Join(dir, entry.Name())})
		}
	}
	slices.SortFunc(logs, func(a, b CheckLog) int {
		return cmp.Or(cmp.Compare(a.FileID, b.FileID), cmp.Compare(a.Iteration, b.Iteration))
	})
	return logs, nil
}

// HighestIteration returns the highest numeric suffix of the .log and .json
// files in a log directory, 0 if there is none.
func HighestIteration(dir string) (int, error) {
	folder, err := openLogs(dir)
	if err != nil {
		return 0, err
	}
	defer folder.Close()
	highest := 0
	for _, entry := range folder.entries {
		if name, ok := ParseName(entry.Name()); ok {
			highest = max(highest, name.Iteration)
		}
	}
	return highest, nil
}

// HasLogs reports whether .log files lie directly in a log directory, hidden
// ones not counted. They make an invocation a rerun; but not what an interrupted
// [Archive] has not moved yet, for its loop has ended.
//
// Rule: The log directory decides between first run and rerun.
func HasLogs(dir string) (bool, error) {
	folder, err := openLogs(dir)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	archiving := func(entry fs.DirEntry) bool { return entry.Name() == archivingName }
	return slices.ContainsFunc(folder.entries, isLog) && !slices.ContainsFunc(folder.entries, archiving), nil
}

// isLog reports whether an entry of a log directory counts as a log, whoever
// wrote it.
func isLog(entry fs.DirEntry) bool {
	name := entry.Name()
	return !entry.IsDir() && filepath.Ext(name) == LogExt && !strings.HasPrefix(name, ".")
}

// logFolder is a log directory and what it held when it was opened.
type logFolder struct {
	dir     string
	root    *os.Root // nil if the directory is missing
	entries []fs.DirEntry
}

// openLogs opens a log directory; a missing one holds nothing.
func openLogs(dir string) (*logFolder, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &logFolder{dir: dir}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read log directory %q: %w", dir, err)
	}
	// Through the root each entry would be looked up by itself.
	entries, err := os.ReadDir(dir)
	if err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("read log directory %q: %w", dir, err)
	}
	return &logFolder{dir, root, entries}, nil
}

// Close releases the directory.
func (f *logFolder) Close() {
	if f.root != nil {
		_ = f.root.Close()
	}
}

func (f *logFolder) slotNames(jobs []string) []slotName {
	var names []slotName
	for _, entry := range f.entries {
		parsed, ok := ParseName(entry.Name())
		if !ok || parsed.Kind != NameReview || entry.IsDir() {
			continue
		}
		name := slotName{Name: parsed, base: entry.Name()}
		name.fileID, name.adapter, _ = Split(parsed.Prefix, jobs)
		names = append(names, name)
	}
	return names
}

// slotKey is what a slot's JSON file and its log have in common.
type slotKey struct {
	fileID, adapter string
	slot, iteration int
}

func (n slotName) key() slotKey {
	return slotKey{n.fileID, n.adapter, n.Slot, n.Iteration}
}

func keyOf(f ledger.SlotFile) slotKey {
	return slotKey{f.FileID, ledger.Sanitize(f.Adapter), f.Slot, f.Iteration}
}

func (n slotName) file(dir string) ledger.SlotFile {
	return ledger.SlotFile{
		Path:   filepath.Join(dir, n.base),
		FileID: n.fileID, Adapter: n.adapter, Slot: n.Slot, Iteration: n.Iteration,
	}
}

func (f *logFolder) readSlotJSON(name slotName) ledger.SlotFile {
	file := name.file(f.dir)
	data, err := files.ReadRegular(f.root, name.base, files.MaxFileSize)
	if err == nil {
		file.Document, err = UnmarshalSlot(data)
	}
	if err != nil {
		file.Document, file.Err = ledger.SlotDocument{}, err
		return file
	}
	complete(&file)
	return file
}

// readSlotLog returns a file for each adapter of the log, and one with an error
// if it could not be read, or not as a whole.
func (f *logFolder) readSlotLog(name slotName) []ledger.SlotFile {
	file := name.file(f.dir)
	file.Legacy = true
	var docs []ledger.SlotDocument
	data, err := files.ReadRegular(f.root, name.base, files.MaxFileSize)
	if err == nil {
		docs, err = ParseSlotLog(data)
	}
	var files []ledger.SlotFile
	for _, doc := range docs {
		one := file
		one.Document = doc
		if doc.Adapter != "" {
			one.Adapter = doc.Adapter // the name has one, or none, for all of them
		}
		complete(&one)
		files = append(files, one)
	}
	if err != nil {
		file.Err = err
		files = append(files, file)
	}
	return files
}

// complete adds to a document what only the file's name says.
func complete(file *ledger.SlotFile) {
	file.Document.Slot, file.Document.Iteration = file.Slot, file.Iteration
	if file.Document.Adapter == "" {
		file.Document.Adapter = file.Adapter
	}
}

func sortSlotFiles(files []ledger.SlotFile) {
	slices.SortStableFunc(files, func(a, b ledger.SlotFile) int {
		return cmp.Or(
			cmp.Compare(a.FileID, b.FileID),
			cmp.Compare(a.Slot, b.Slot),
			cmp.Compare(a.Iteration, b.Iteration),
			cmp.Compare(a.Adapter, b.Adapter),
			cmp.Compare(a.Path, b.Path),
		)
	})
}
