package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

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
	for _, name := range []string{"report_texts", "report_words"} {
		var definition string
		if err := conn.QueryRowContext(ctx, `SELECT sql FROM main.sqlite_schema WHERE name = ?1`, name).Scan(&definition); err != nil {
			return nil, fmt.Errorf("read the definition of %s: %w", name, err)
		}
		if _, err := conn.ExecContext(ctx, strings.Replace(definition, " "+name, " temp."+name, 1)); err != nil {
			return nil, err
		}
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
	// The module remembers that its index was empty, until a change of it is taken back.
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
