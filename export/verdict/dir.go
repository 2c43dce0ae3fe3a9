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

// Archive writes the archive of a review, read-only. An existing archive with the same content is
// left alone.
//
// Rule: A code review is apart from the loop.
func (d *Dir) Archive(a verdict.Archived) error {
	data, there, err := d.findArchive(a)
	if there && a.Lost {
		return nil
	}
	if err != nil || there {
		return err
	}
	root, err := os.OpenRoot(d.path())
	if err == nil {
		defer root.Close()
		err = files.WriteAtomicMode(root, archiveName(a.ReviewID), data, 0o444)
	}
	return d.archiving(err)
}

func archiveName(reviewID string) string { return "review-" + reviewID + ".json" }

// findArchive returns what the archive must contain, and whether it exists with that content.
func (d *Dir) findArchive(a verdict.Archived) (data []byte, there bool, err error) {
	if !verdict.IsReviewID(a.ReviewID) {
		return nil, false, d.archiving(fmt.Errorf("its reviewId %q is not 8 hex digits", a.ReviewID))
	}
	if data = a.Data; data == nil {
		if data, err = MarshalVerdict(a.Document); err != nil {
			return nil, false, d.archiving(err)
		}
	}
	found, err := files.ReadFile(filepath.Join(d.path(), archiveName(a.ReviewID)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return data, false, nil
	case err == nil && !bytes.Equal(found, data):
		err = fmt.Errorf("%q exists and is different; archives are never overwritten, so move one of the two files", archiveName(a.ReviewID))
	}
	return data, true, d.archiving(err)
}

func (d *Dir) archiving(err error) error {
	if err != nil {
		return fmt.Errorf("in %s: archive the verdict: %w", d.name, err)
	}
	return nil
}

// Publish writes the files of a verdict: first the archives of those that it replaces, then the
// review document, and last the verdict itself. It returns the path of the document, or "" if there
// is none.
//
// Rule: A code review is apart from the loop.
func (d *Dir) Publish(v verdict.Verdict, archive []verdict.Archived, verification int) (document string, err error) {
	for _, a := range archive {
		if err := d.Archive(a); err != nil {
			return "", err
		}
	}
	if v.ReviewDocument != "" {
		if document, err = d.WriteReviewDocument(v, verification); err != nil {
			return "", err
		}
	}
	return document, d.Write(v)
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

// CheckPlaces returns an error if something is in the way of the files of a verdict, of its
// review document if documentPath is not empty, or of the archives of those that it replaces, which
// never change. A review whose files cannot be written must not
// start: it would be recorded, while the team went on with the file of the previous review.
//
// Rule: A code review is apart from the loop.
func (d *Dir) CheckPlaces(documentPath string, archive []verdict.Archived) error {
	for _, a := range archive {
		if _, _, err := d.findArchive(a); err != nil && !a.Lost {
			return err
		}
	}
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
	name, err := d.writeDocument(v, verification)
	if err != nil {
		return "", fmt.Errorf("write %q: %w", name, err)
	}
	return name, nil
}

func (d *Dir) writeDocument(v verdict.Verdict, verification int) (name string, err error) {
	folder, err := documentFolder(d.root, v.ReviewDocument)
	if err != nil {
		return v.ReviewDocument, err
	}
	defer folder.Close()
	data := MarkdownDocument(v)
	for name = v.ReviewDocument; ; verification++ {
		if verification > 0 {
			name = verdict.VerificationDocumentPath(v.ReviewDocument, verification)
		}
		if there, err := slotfiles.Exists(folder, path.Base(name)); err != nil {
			return name, err
		} else if !there {
			return name, files.WriteAtomic(folder, path.Base(name), data)
		}
		if verification == 0 {
			found, err := files.ReadRegular(folder, path.Base(name), files.MaxFileSize)
			if err == nil && !bytes.Equal(found, data) {
				err = errors.New("it exists and has other content; a review document never changes, so move the file")
			}
			return name, err
		}
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
