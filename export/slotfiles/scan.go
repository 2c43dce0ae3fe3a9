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

// slotName is the name of a slot's file and what it tells.
type slotName struct {
	Name
	base            string
	fileID, adapter string
}

// slotFiles reads what all slots of all iterations left in the log directory, without previous/:
// the JSON file or, if it is missing, the log, in which older tools wrote the answers of several
// adapters. If a JSON file cannot be read, its log is read too, so that no finding is lost. A log
// beside a readable JSON file only tells whether that file is [ledger.SlotFile.Short]. The result
// is sorted by job, slot, iteration and adapter. The jobs are the sanitised IDs of the known jobs,
// see [Split].
//
// A file that cannot be read, or is not a regular file, has its Err set, so that it is not mistaken
// for a missing one. A file does not tell the job, so Document.Job is empty; slot and iteration are
// those of the name.
//
// Rule: Deleting the database loses history, never the loop.
func (f *logFolder) slotFiles(jobs []string) []ledger.SlotFile {
	names := f.slotNames(jobs)
	var files []ledger.SlotFile
	answered := map[slotKey]int{} // indexes of readable JSON files
	for _, name := range names {
		if name.Ext == JSONExt {
			file := f.readSlotJSON(name)
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
		for _, file := range f.readSlotLog(name) {
			if json, known := answered[keyOf(file)]; known {
				files[json].Short = files[json].Short || listsMore(file.Document, files[json].Document)
			} else if _, known := answered[keyOf(f.fileOf(name))]; !known {
				files = append(files, file)
			}
		}
	}
	sortSlotFiles(files)
	return files
}

// listsMore reports whether a log lists a violation with an issue that the document does not have.
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

// normalIssue returns an issue without the characters that a log may write differently.
func normalIssue(issue string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text.EscapeLine(issue))
}

// highestIteration returns the highest iteration in the names of .log and .json files, or 0.
func (f *logFolder) highestIteration() (highest int) {
	for _, entry := range f.entries {
		if name, ok := ParseName(entry.Name()); ok {
			highest = max(highest, name.Iteration)
		}
	}
	return highest
}

// hasLogs reports whether the log directory directly contains .log files, except hidden ones. They
// make an invocation a rerun. Files that an interrupted [Dir.Archive] has not moved yet do not
// count, because their loop has ended.
//
// Rule: The log directory decides between first run and rerun.
func (f *logFolder) hasLogs() bool {
	archiving := func(entry fs.DirEntry) bool { return entry.Name() == archivingName }
	return slices.ContainsFunc(f.entries, isLog) && !slices.ContainsFunc(f.entries, archiving)
}

// isLog reports whether an entry of a log directory counts as a log, no matter who wrote it.
func isLog(entry fs.DirEntry) bool {
	name := entry.Name()
	return !entry.IsDir() && filepath.Ext(name) == LogExt && !strings.HasPrefix(name, ".")
}

// logFolder is a log directory with its entries at the time it was opened.
type logFolder struct {
	*Dir
	root    *os.Root // nil if the directory is missing
	entries []fs.DirEntry
}

// open opens the log directory. A missing one is empty.
func (d *Dir) open() (*logFolder, error) {
	root, err := os.OpenRoot(d.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return &logFolder{Dir: d}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read log directory %q: %w", d.Path(), err)
	}
	// Reading through root would look up each entry separately.
	entries, err := os.ReadDir(d.Path())
	if err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("read log directory %q: %w", d.Path(), err)
	}
	return &logFolder{d, root, entries}, nil
}

func (f *logFolder) close() {
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

// slotKey identifies a slot. Its JSON file and its log have the same key.
type slotKey struct {
	fileID, adapter string
	slot, iteration int
}

func keyOf(f ledger.SlotFile) slotKey {
	return slotKey{f.FileID, ledger.Sanitize(f.Adapter), f.Slot, f.Iteration}
}

func (f *logFolder) fileOf(n slotName) ledger.SlotFile {
	return ledger.SlotFile{Path: f.Shown(n.base), FileID: n.fileID, Adapter: n.adapter, Slot: n.Slot, Iteration: n.Iteration}
}

func (f *logFolder) readSlotJSON(name slotName) ledger.SlotFile {
	file := f.fileOf(name)
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

// readSlotLog returns a file for each adapter in the log, and one with an error if all or part of
// the log could not be read.
func (f *logFolder) readSlotLog(name slotName) []ledger.SlotFile {
	file := f.fileOf(name)
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
			one.Adapter = doc.Adapter // a name has one adapter, or none, even if the log has several
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

// complete sets the fields of a document that are only known from the file's name.
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
