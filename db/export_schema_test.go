package db

import (
	"context"
	"database/sql"
	"io/fs"
	"os"
	"testing/fstest"

	"github.com/reviewledger/reviewledger/migrations"
)

// later returns the schema of a later program, with one more migration.
func later() (schema, error) {
	files := fstest.MapFS{}
	for _, from := range []fs.FS{migrations.FS, os.DirFS("testdata")} {
		names, err := fs.Glob(from, "0*.sql")
		if err != nil {
			return schema{}, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return schema{}, err
			}
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	return schema{files: files, latest: migrations.Latest + 1}, nil
}

// OpenLater is [Open] of the later program.
func OpenLater(ctx context.Context, path string, upgrading func(Progress)) (*sql.DB, error) {
	s, err := later()
	if err != nil {
		return nil, err
	}
	return s.open(ctx, path, upgrading)
}

// OpenReadOnlyLater is [OpenReadOnly] of the later program.
func OpenReadOnlyLater(ctx context.Context, path string) (*sql.DB, error) {
	s, err := later()
	if err != nil {
		return nil, err
	}
	return s.openReadOnly(ctx, path, nil)
}

// Parts returns the text of each migration of the later program, and its statements.
func Parts() (texts []string, parts [][]string, err error) {
	s, err := later()
	if err != nil {
		return nil, nil, err
	}
	pending, err := s.pending(0)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range pending {
		text, err := fs.ReadFile(s.files, m.name)
		if err != nil {
			return nil, nil, err
		}
		texts, parts = append(texts, string(text)), append(parts, m.statements)
	}
	return texts, parts, nil
}
