package db_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
)

// childEnv makes the test binary one of several processes that open the database that it names.
// laterEnv makes it open the database as a later program would.
const (
	childEnv = "REVIEWLEDGER_DB_TEST_CHILD"
	laterEnv = "REVIEWLEDGER_DB_TEST_LATER"
)

func TestMain(m *testing.M) {
	path, how := os.Getenv(childEnv), db.Open
	if path == "" {
		path, how = os.Getenv(laterEnv), db.OpenLater
	}
	if path != "" {
		if err := child(path, how); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child prints that it is ready, waits until its stdin is closed, opens the database and writes a
// row.
func child(path string, how func(context.Context, string, func(db.Progress)) (*sql.DB, error)) error {
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	handle, err := how(context.Background(), path, func(p db.Progress) { fmt.Println("done", p.Done) })
	if err != nil {
		return err
	}
	_, err = handle.Exec("INSERT INTO meta (key, value) VALUES (?, 'here')", fmt.Sprint(os.Getpid()))
	if err != nil {
		return err
	}
	return handle.Close()
}

// Eight first users at the same time all get the ledger, whichever of them creates it, and
// concurrent readers see none or all of it.
func TestManyProcessesMakeOneLedger(t *testing.T) {
	t.Parallel()
	const processes, rounds = 8, 5
	for round := range rounds {
		path := filepath.Join(t.TempDir(), "new", fmt.Sprintf("ledger %d.db", round))
		beside := readBeside(t, db.OpenReadOnly, path, db.ErrMissing)
		openAtOnce(t, childEnv, path, processes)
		beside()
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

// readBeside reads the ledger repeatedly until the returned function is called. It must be
// complete, or the error must be the given one.
func readBeside(t *testing.T, read func(context.Context, string) (*sql.DB, error), path string, other error) (stop func()) {
	t.Helper()
	done, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-done:
				ended <- nil
				return
			default:
			}
			handle, err := read(context.Background(), path)
			if err == nil {
				err = handle.Close()
			}
			if err != nil && !errors.Is(err, other) {
				ended <- err
				return
			}
		}
	}()
	return func() {
		close(done)
		if err := <-ended; err != nil {
			t.Errorf("a reader beside: %v", err)
		}
	}
}

// Eight users of an old ledger at the same time all get the upgraded one, and it is upgraded once.
func TestManyProcessesUpgradeOneLedger(t *testing.T) {
	t.Parallel()
	const processes = 8
	path := filled(t)
	beside := readBeside(t, db.OpenReadOnlyLater, path, db.ErrOlder)
	openAtOnce(t, laterEnv, path, processes)
	beside()
	handle := openLater(t, path)
	if rows := lines(t, handle, "SELECT count(*) FROM meta WHERE value = 'here'"); rows[0] != fmt.Sprintf("%q,true|", fmt.Sprint(processes)) {
		t.Errorf("%s of %d processes left their row", rows, processes)
	}
	if rows := lines(t, handle, "SELECT version_id FROM goose_db_version GROUP BY version_id HAVING count(*) > 1"); rows != nil {
		t.Errorf("upgraded twice: %q", rows)
	}
}

// A process that is killed during an upgrade leaves either the old ledger unchanged, or the new
// one.
func TestAKilledUpgrade(t *testing.T) {
	t.Parallel()
	path := filled(t)
	handle := raw(t, path)
	tables := tablesOf(t, handle)
	before := everything(t, handle, tables)
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	for after := 0; after < 12; after += 2 {
		beside := readBeside(t, db.OpenReadOnlyLater, path, db.ErrOlder)
		killAfter(t, path, after)
		beside()
		reader, err := db.OpenReadOnlyLater(t.Context(), path)
		if err == nil { // it was killed too late
			if err := reader.Close(); err != nil {
				t.Error(err)
			}
			break
		}
		handle := raw(t, path)
		if d := cmp.Diff(before, everything(t, handle, tables)); d != "" {
			t.Fatalf("killed after %d steps (-before +after):\n%s", after, d)
		}
		if err := handle.Close(); err != nil {
			t.Fatal(err)
		}
	}
	upgraded := openLater(t, path)
	if rows := lines(t, upgraded, "SELECT count(*) FROM violations"); rows[0] != lines(t, upgraded, "SELECT count(DISTINCT violation_id) FROM events")[0] {
		t.Errorf("%s violations", rows)
	}
	if check := pragma(t, upgraded, "integrity_check"); check != "ok" {
		t.Errorf("integrity check: %s", check)
	}
}

// killAfter starts a process that opens the ledger, and kills it after this many steps of the
// upgrade.
func killAfter(t *testing.T, path string, steps int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), laterEnv+"="+path)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil { // it starts at once because its stdin is empty
		t.Fatal(err)
	}
	said := bufio.NewScanner(stdout)
	for said.Scan() && said.Text() != fmt.Sprintf("done %d", steps) {
		continue
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	_ = cmd.Wait() // it was killed
}

func openAtOnce(t *testing.T, env, path string, processes int) {
	t.Helper()
	start := make([]io.Closer, processes)
	children := make([]*exec.Cmd, processes)
	messages := make([]strings.Builder, processes)
	for i := range children {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), env+"="+path)
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
