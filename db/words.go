package db

import (
	"context"
	"database/sql"
	"errors"
)

// temporaryWords creates a search index like the ledger's, but one with access to the texts that it
// indexes: those of the reports that the ledger's index includes.
const temporaryWords = `
	CREATE TEMPORARY VIEW report_texts AS
	SELECT r.id, r.issue, r.fix, r.title, v.result
	FROM main.reports AS r
	LEFT JOIN main.violations AS v ON v.id = r.violation_id AND v.report_id = r.id
	WHERE r.id <= (SELECT x.report_id FROM search_index AS x);
	CREATE VIRTUAL TABLE temp.report_words USING fts5(
		issue, fix, title, result,
		content = 'report_texts', content_rowid = 'id', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
	)`

// WordProblems checks that the search index matches the reports. FTS5 checks an index against its
// texts only as part of a write, which a reader may not do and which would block writers, so a
// temporary copy of the index is checked. sqlc does not support temporary tables, so the SQL is
// written here.
func WordProblems(ctx context.Context, handle *sql.DB) (problems []string, err error) {
	conn, err := handle.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, temporaryWords); err != nil {
		return nil, err
	}
	defer func() {
		_, dropped := conn.ExecContext(context.WithoutCancel(ctx), `DROP TABLE temp.report_words; DROP VIEW temp.report_texts`)
		err = errors.Join(err, dropped)
	}()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // so that all statements see the same state of the ledger
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	// FTS5 remembers that the index was empty until a change of it is rolled back.
	_, err = tx.ExecContext(ctx, `
		DELETE FROM temp.report_words_data;
		DELETE FROM temp.report_words_idx;
		INSERT INTO temp.report_words_data SELECT * FROM main.report_words_data;
		INSERT INTO temp.report_words_idx SELECT * FROM main.report_words_idx;
		SAVEPOINT copied;
		INSERT INTO temp.report_words (report_words) VALUES ('delete-all');
		ROLLBACK TO copied;
		RELEASE copied;
		INSERT INTO temp.report_words (report_words, rank) VALUES ('integrity-check', 1)`)
	if IsCorrupt(err) {
		return []string{"the index of search does not fit the reports"}, nil
	}
	return nil, err
}

// OpenToIndex opens an existing ledger for writing. Its schema must be the current one.
func OpenToIndex(ctx context.Context, path string) (*sql.DB, error) {
	handle, version, err := current.openExisting(ctx, path)
	if err == nil && version != current.latest {
		err = errors.Join(ErrOlder, handle.Close())
	}
	return handle, err
}

// IndexAside creates a temporary index of the words of all reports, which queries on this handle
// use instead of the ledger's. It is for a ledger that cannot be written.
func IndexAside(ctx context.Context, handle *sql.DB) error {
	handle.SetMaxOpenConns(1) // other connections would not see it
	_, err := handle.ExecContext(ctx, temporaryWords+`;
		CREATE TABLE temp.search_index AS SELECT max(r.id) AS report_id FROM main.reports AS r;
		INSERT INTO temp.report_words (report_words) VALUES ('rebuild')`)
	return err
}
