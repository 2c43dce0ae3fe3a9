package db_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/db"
)

// childEnv tells the test binary to be one of several processes that open the
// database that it names.
const childEnv = "REVIEWLEDGER_DB_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child says that it is there, waits for its stdin to be closed, opens the
// database and writes a row.
func child(path string) error {
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	handle, err := db.Open(context.Background(), path, nil)
	if err != nil {
		return err
	}
	_, err = handle.Exec("INSERT INTO meta (key, value) VALUES (?, 'here')", fmt.Sprint(os.Getpid()))
	if err != nil {
		return err
	}
	return handle.Close()
}

// Eight first users at once all get the ledger, whoever makes it.
func TestManyProcessesMakeOneLedger(t *testing.T) {
	t.Parallel()
	const processes, rounds = 8, 5
	for round := range rounds {
		path := filepath.Join(t.TempDir(), "new", fmt.Sprintf("ledger %d.db", round))
		openAtOnce(t, path, processes)
		handle := open(t, path)
		var rows int
		if err := handle.QueryRow("SELECT count(*) FROM meta WHERE value = 'here'").Scan(&rows); err != nil {
			t.Fatal(err)
		}
		if rows != processes {
			t.Errorf("%d of %d processes left their row", rows, processes)
		}
		if check := pragma(t, handle, "integrity_check"); check != "ok" {
			t.Errorf("integrity check: %s", check)
		}
	}
}

func openAtOnce(t *testing.T, path string, processes int) {
	t.Helper()
	start := make([]io.Closer, processes)
	children := make([]*exec.Cmd, processes)
	messages := make([]strings.Builder, processes)
	for i := range children {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+path)
		cmd.Stderr = &messages[i]
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(stdout, make([]byte, len("ready\n"))); err != nil {
			t.Fatal(err)
		}
		start[i], children[i] = stdin, cmd
	}
	for _, stdin := range start {
		if err := stdin.Close(); err != nil {
			t.Error(err)
		}
	}
	for i, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, messages[i].String())
		}
	}
}
