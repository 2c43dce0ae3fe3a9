package db

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"modernc.org/sqlite"
)

var update = flag.Bool("update", false, "write the image of an empty ledger anew")

// migrated returns an empty ledger in memory, created by the migrations.
func migrated(t *testing.T) *sql.DB {
	t.Helper()
	handle := sql.OpenDB(connector{driver: &sqlite.Driver{}, dsn: "file:migrated?_dqs=0&mode=memory"})
	handle.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = handle.Close() })
	if err := current.upgrade(context.Background(), handle, nil); err != nil {
		t.Fatal(err)
	}
	return handle
}

// contents returns the schema and the rows of all tables, except for random values and times.
func contents(t *testing.T, handle *sql.DB) []string {
	t.Helper()
	lines := selected(t, handle, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
	lines = append(lines, selected(t, handle, "SELECT * FROM pragma_user_version, pragma_application_id, pragma_encoding, pragma_page_size, pragma_auto_vacuum")...)
	for _, table := range selected(t, handle, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%\\_data' ESCAPE '\\'") {
		columns := "*"
		switch table {
		case "meta":
			columns = "key, CASE WHEN key <> 'database_id' THEN value END"
		case "goose_db_version":
			columns = "id, version_id, is_applied"
		}
		for _, row := range selected(t, handle, "SELECT "+columns+" FROM "+table) {
			lines = append(lines, table+": "+row)
		}
	}
	return lines
}

func selected(t *testing.T, handle *sql.DB, query string) (lines []string) {
	t.Helper()
	rows, err := handle.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, value := range values {
			words = append(words, fmt.Sprint(value))
		}
		lines = append(lines, strings.Join(words, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// writeImage writes the embedded image.
func writeImage(t *testing.T, handle *sql.DB) {
	t.Helper()
	if _, err := handle.Exec("UPDATE meta SET value = '" + noID + "' WHERE key = 'database_id'; UPDATE goose_db_version SET tstamp = '" + noTime + "'; VACUUM"); err != nil {
		t.Fatal(err)
	}
	connection, err := handle.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	var packed bytes.Buffer
	err = connection.Raw(func(raw any) error {
		image, err := raw.(*keeping).sqliteConn.(interface{ Serialize() ([]byte, error) }).Serialize()
		if err != nil {
			return err
		}
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return err
		}
		_, err = w.Write(image)
		return errors.Join(err, w.Close())
	})
	if err == nil {
		err = os.WriteFile("empty.sqlite.gz", packed.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestEmptyLedgerIsWhatMigrationsMake(t *testing.T) {
	want := migrated(t)
	if *update {
		writeImage(t, want) // the next build of the test compares it
		return
	}
	image, err := OpenEmpty(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	if diff := cmp.Diff(contents(t, want), contents(t, image)); diff != "" {
		t.Errorf("db/empty.sqlite.gz is of other migrations; write it anew with `go generate ./db` (-migrations +image):\n%s", diff)
	}
}

func TestLedgerInMemoryIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	handle, err := OpenEmpty(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	if _, err := handle.Exec("INSERT INTO meta (key, value) VALUES ('a', 'b')"); err != nil {
		t.Fatal(err)
	}
	handle.SetMaxIdleConns(-1) // closes the connection
	var rows int
	if err := handle.QueryRow("SELECT count(*) FROM meta").Scan(&rows); !errors.Is(err, ErrGone) {
		t.Errorf("%d rows, error %v; want that the ledger is gone", rows, err)
	}
}
