package db

import (
	"errors"
	"testing"
)

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
