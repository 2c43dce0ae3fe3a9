package db

import (
	"context"
	"database/sql"
	"errors"
)

// temporaryWords is an index like that of the ledger, which knows the texts that it is an index of:
// those of the reports that the ledger says are in it.
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

// WordProblems says whether the index of words fits the reports. FTS5 checks an index
// against its texts only as part of a write, which a reader may not do and which would
// keep writers waiting, so a temporary copy of the index is checked. sqlc knows no
// temporary tables, so this is written here.
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
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // it sees one state of the ledger
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	// The module remembers that its index was empty, until a change of it is rolled back.
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

// OpenToIndex opens for writing an existing ledger that has the schema of this program.
func OpenToIndex(ctx context.Context, path string) (*sql.DB, error) {
	handle, version, err := current.openExisting(ctx, path)
	if err == nil && version != current.latest {
		err = errors.Join(ErrOlder, handle.Close())
	}
	return handle, err
}

// IndexAside makes a temporary index of the words of all reports, which the queries of this
// handle read in the place of the ledger's: for a ledger that cannot be written.
func IndexAside(ctx context.Context, handle *sql.DB) error {
	handle.SetMaxOpenConns(1) // other connections would not see it
	_, err := handle.ExecContext(ctx, temporaryWords+`;
		CREATE TABLE temp.search_index AS SELECT max(r.id) AS report_id FROM main.reports AS r;
		INSERT INTO temp.report_words (report_words) VALUES ('rebuild')`)
	return err
}
