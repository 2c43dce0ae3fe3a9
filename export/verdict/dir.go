package verdict

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Dir is the folder of a worktree's code reviews.
type Dir struct {
	root, name string
}

// NewDir returns the folder of that name, relative to the worktree's root.
func NewDir(root, name string) *Dir { return &Dir{root: root, name: name} }

func (d *Dir) path() string { return filepath.Join(d.root, filepath.FromSlash(d.name)) }

// Shown is a file of the folder as the user sees it: relative to the worktree.
func (d *Dir) Shown(file string) string { return d.name + "/" + file }

// KeepOutOfGit writes the .gitignore that keeps the folder out of git.
func (d *Dir) KeepOutOfGit() error {
	name := filepath.Join(d.path(), ".gitignore")
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return files.WriteFile(name, []byte("*\n"))
}

// Read reads the current verdict as somebody left it, with its bytes. It returns
// [fs.ErrNotExist] if there is none.
func (d *Dir) Read() (verdict.Document, []byte, error) {
	data, err := files.ReadFile(filepath.Join(d.path(), VerdictName))
	if err != nil {
		return verdict.Document{}, nil, err
	}
	document, err := UnmarshalVerdict(data)
	return document, data, err
}

// CheckArchive returns an error that names the archive of the review if it exists with
// other bytes, or cannot exist.
func (d *Dir) CheckArchive(a verdict.Archived) error {
	data, err := archived(a)
	return d.inDir(errors.Join(err, CheckArchive(d.path(), a.ReviewID, data)))
}

// Archive writes the archive of the review, once.
func (d *Dir) Archive(a verdict.Archived) error {
	data, err := archived(a)
	if err == nil {
		err = ArchiveVerdict(d.path(), a.ReviewID, data)
	}
	return d.inDir(err)
}

func archived(a verdict.Archived) ([]byte, error) {
	if a.Data != nil {
		return a.Data, nil
	}
	return MarshalVerdict(a.Document)
}

func (d *Dir) inDir(err error) error {
	if err != nil {
		return fmt.Errorf("in %s: %w", d.name, err)
	}
	return nil
}

// CheckPlaces returns an error that names what stands where the verdict, the reason of
// an ABORT, or the review document, if it has a path, are to be written.
func (d *Dir) CheckPlaces(documentPath string) error {
	return CheckVerdictPlaces(d.root, d.name, documentPath)
}

// WriteReviewDocument writes the document of a review to the verdict's ReviewDocument, and
// that of the nth verification next to it. It returns the path.
func (d *Dir) WriteReviewDocument(v verdict.Verdict, verification int) (string, error) {
	return WriteReviewDocument(d.root, v, verification)
}

// Write writes the current verdict, and the reason of an ABORT beside it.
func (d *Dir) Write(v verdict.Verdict) error { return WriteVerdict(d.path(), v) }

// Update writes the current verdict after statuses of findings were marked.
func (d *Dir) Update(v verdict.Verdict) error { return UpdateVerdict(d.path(), v) }
