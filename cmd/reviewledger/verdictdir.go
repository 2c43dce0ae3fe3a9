package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/reviewledger/reviewledger/export/files"
	"github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/gate"
	"github.com/reviewledger/reviewledger/ledger"
)

// verdictDir is the folder of a worktree's code reviews.
type verdictDir struct{ *logDir }

var _ gate.VerdictFiles = (*verdictDir)(nil)

// keepOutOfGit writes the .gitignore that keeps the folder out of git.
func (d *verdictDir) keepOutOfGit() error {
	name := filepath.Join(d.absolute(), ".gitignore")
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return files.WriteFile(name, []byte("*\n"))
}

func (d *verdictDir) Path() string { return d.shown(verdict.VerdictName) }

func (d *verdictDir) Read() (ledger.VerdictDocument, []byte, error) {
	data, err := files.ReadFile(filepath.Join(d.absolute(), verdict.VerdictName))
	if err != nil {
		return ledger.VerdictDocument{}, nil, err
	}
	document, err := verdict.UnmarshalVerdict(data)
	return document, data, err
}

func (d *verdictDir) Marshal(document ledger.VerdictDocument) ([]byte, error) {
	return verdict.MarshalVerdict(document)
}

func (d *verdictDir) CheckArchive(reviewID string, data []byte) error {
	return d.inDir(verdict.CheckArchive(d.absolute(), reviewID, data))
}

func (d *verdictDir) Archive(reviewID string, data []byte) error {
	return d.inDir(verdict.ArchiveVerdict(d.absolute(), reviewID, data))
}

func (d *verdictDir) inDir(err error) error {
	if err != nil {
		return fmt.Errorf("in %s: %w", d.name, err)
	}
	return nil
}

func (d *verdictDir) CheckPlaces(reportPath string) error {
	return verdict.CheckVerdictPlaces(d.root, d.name, reportPath)
}

func (d *verdictDir) WriteReport(v ledger.Verdict) error { return verdict.WriteReport(d.root, v) }

func (d *verdictDir) Write(v ledger.Verdict) error { return verdict.WriteVerdict(d.absolute(), v) }

func (d *verdictDir) Update(v ledger.Verdict) error { return verdict.UpdateVerdict(d.absolute(), v) }
