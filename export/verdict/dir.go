package verdict

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// Dir is the folder of code reviews in a worktree.
type Dir struct {
	root, name string
}

// NewDir returns the folder with this name, relative to the worktree's root.
func NewDir(root, name string) *Dir { return &Dir{root: root, name: name} }

func (d *Dir) path() string { return filepath.Join(d.root, filepath.FromSlash(d.name)) }

// Shown returns the path of a file of the folder relative to the worktree, as the user sees it.
func (d *Dir) Shown(file string) string { return d.name + "/" + file }

// KeepOutOfGit writes a .gitignore that keeps the folder out of git, unless there is one.
func (d *Dir) KeepOutOfGit() error {
	name := filepath.Join(d.path(), ".gitignore")
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return files.WriteFile(name, []byte("*\n"))
}

// Read reads the current verdict, which others may have edited, and its bytes. It returns
// [fs.ErrNotExist] if there is none.
func (d *Dir) Read() (verdict.Document, []byte, error) {
	data, err := files.ReadFile(filepath.Join(d.path(), verdictName))
	if err != nil {
		return verdict.Document{}, nil, err
	}
	document, err := UnmarshalVerdict(data)
	return document, data, err
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

func archiveName(reviewID string) string { return "review-" + reviewID + ".json" }

// CheckArchive returns an error that names the archive of the review if it exists with other
// content or cannot be written: archives never change.
//
// Rule: A code review is apart from the loop.
func (d *Dir) CheckArchive(a verdict.Archived) error {
	data, err := archived(a)
	return d.inDir(errors.Join(err, d.checkArchive(a, data)))
}

func (d *Dir) checkArchive(a verdict.Archived, data []byte) error {
	if !verdict.IsReviewID(a.ReviewID) {
		return fmt.Errorf("archive the verdict: its reviewId %q is not 8 hex digits", a.ReviewID)
	}
	name := filepath.Join(d.path(), archiveName(a.ReviewID))
	found, err := files.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("archive the verdict: %w", err)
	case !bytes.Equal(found, data):
		return fmt.Errorf("archive the verdict: %q exists and is different; archives are never overwritten, so move one of the two files", filepath.Base(name))
	}
	return nil
}

// Archive writes the archive of a review, read-only. An existing archive with the same content is
// left alone.
//
// Rule: A code review is apart from the loop.
func (d *Dir) Archive(a verdict.Archived) error {
	data, err := archived(a)
	if err == nil {
		err = d.checkArchive(a, data)
	}
	if err == nil {
		err = d.writeArchive(a, data)
	}
	return d.inDir(err)
}

func (d *Dir) writeArchive(a verdict.Archived, data []byte) error {
	root, err := os.OpenRoot(d.path())
	if err != nil {
		return fmt.Errorf("archive the verdict: %w", err)
	}
	defer root.Close()
	if there, err := slotfiles.Exists(root, archiveName(a.ReviewID)); err != nil || there {
		return err
	}
	if err := files.WriteAtomicMode(root, archiveName(a.ReviewID), data, 0o444); err != nil {
		return fmt.Errorf("archive the verdict as %q: %w", archiveName(a.ReviewID), err)
	}
	return nil
}

// Write writes the current verdict and, for an ABORT, its reason beside it. A reason is written
// before the verdict; an obsolete one is removed after it.
//
// Rule: The verdict counts what is open.
func (d *Dir) Write(v verdict.Verdict) error {
	if v.Word == ledger.VerdictAbort {
		if err := files.WriteFile(filepath.Join(d.path(), AbortReasonName), abortReason(v)); err != nil {
			return err
		}
	}
	if err := d.Update(v); err != nil {
		return err
	}
	if v.Word == ledger.VerdictAbort {
		return nil
	}
	root, err := os.OpenRoot(d.path())
	if err != nil {
		return err
	}
	defer root.Close()
	return files.RemoveIfThere(root, AbortReasonName)
}

// Update writes only the verdict file. It is for changed statuses of findings that change neither
// the verdict nor the reason of an ABORT.
func (d *Dir) Update(v verdict.Verdict) error {
	data, err := MarshalVerdict(v.Document())
	if err != nil {
		return fmt.Errorf("write %q: %w", verdictName, err)
	}
	return files.WriteFile(filepath.Join(d.path(), verdictName), data)
}

// CheckPlaces returns an error if something is in the way of the files of a verdict, or of its
// review document if documentPath is not empty. A review whose files cannot be written must not
// start: it would be recorded, while the team went on with the file of the previous review.
func (d *Dir) CheckPlaces(documentPath string) error {
	worktree, err := os.OpenRoot(d.root)
	if err != nil {
		return fmt.Errorf("look where the verdict is written: %w", err)
	}
	defer worktree.Close()
	for _, name := range []string{path.Join(d.name, verdictName), path.Join(d.name, AbortReasonName), documentPath} {
		if info, err := worktree.Lstat(name); name != "" && err == nil && info.IsDir() {
			return fmt.Errorf("cannot write %q: a folder is in the way; move it", name)
		}
	}
	if documentPath == "" {
		return nil
	}
	for _, name := range []string{path.Dir(path.Dir(documentPath)), path.Dir(documentPath)} {
		info, err := worktree.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if _, err := worktree.Lstat(name); err == nil {
				return fmt.Errorf("cannot write the review document to %q: %q is a broken link; move it", documentPath, name)
			}
			return nil
		case err != nil:
			return fmt.Errorf("cannot write the review document to %q: %q cannot be used; move it: %w", documentPath, name, err)
		case !info.IsDir():
			return fmt.Errorf("cannot write the review document to %q: %q is not a folder; move it", documentPath, name)
		}
	}
	return nil
}

// WriteReviewDocument writes the review document of a verdict below the worktree's root, never
// outside it, and returns its path: the verdict's ReviewDocument or, for the nth verification, a
// path next to it. An existing document stays as it is: a verification then gets the next number,
// and for a review other content is an error.
//
// Rule: A code review is apart from the loop.
func (d *Dir) WriteReviewDocument(v verdict.Verdict, verification int) (string, error) {
	if !verdict.IsReviewDocument(v.ReviewDocument, v.ReviewID) {
		return "", fmt.Errorf("write the review document: %q is not a path of a document of review %s", v.ReviewDocument, v.ReviewID)
	}
	folder, err := documentFolder(d.root, v.ReviewDocument)
	if err != nil {
		return "", fmt.Errorf("write %q: %w", v.ReviewDocument, err)
	}
	defer folder.Close()
	data := MarkdownDocument(v)
	for {
		name := v.ReviewDocument
		if verification > 0 {
			name = verdict.VerificationDocumentPath(v.ReviewDocument, verification)
		}
		there, err := slotfiles.Exists(folder, path.Base(name))
		switch {
		case err != nil:
			return "", fmt.Errorf("write %q: %w", name, err)
		case !there:
			if err := files.WriteAtomic(folder, path.Base(name), data); err != nil {
				return "", fmt.Errorf("write %q: %w", name, err)
			}
			return name, nil
		case verification == 0:
			found, err := files.ReadRegular(folder, path.Base(name), files.MaxFileSize)
			if err == nil && !bytes.Equal(found, data) {
				err = errors.New("it exists and has other content; a review document never changes, so move the file")
			}
			if err != nil {
				return "", fmt.Errorf("write %q: %w", name, err)
			}
			return name, nil
		}
		verification++
	}
}

// documentFolder creates and opens the folder of the review document.
func documentFolder(root, documentPath string) (*os.Root, error) {
	worktree, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer worktree.Close()
	if err := worktree.MkdirAll(path.Dir(documentPath), 0o755); err != nil {
		return nil, err
	}
	return worktree.OpenRoot(path.Dir(documentPath))
}
