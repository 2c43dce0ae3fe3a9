package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
)

// scriptCondition evaluates [mounts], whether "unshare -rm" gives a shell that may mount file
// systems for itself, as root or not, and [postgres], whether there is a server.
func scriptCondition(condition string) (bool, error) {
	switch condition {
	case "mounts":
	case "postgres":
		url, err := teamtest.Address()
		return url != "", err
	default:
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", os.TempDir()).Run() == nil, nil
}

// scriptGone waits, because a process group disappears only some time after it was killed.
func scriptGone(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: gone FILE")
	}
	ids := strings.Fields(ts.ReadFile(args[0]))
	if len(ids) == 0 {
		ts.Fatalf("gone: %s does not name a process", args[0])
	}
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for _, id := range ids {
		pid, err := strconv.Atoi(id)
		ts.Check(err)
		for runs(pid) {
			select {
			case <-tick.C:
			case <-deadline:
				ts.Fatalf("gone: process %d is still there", pid)
			}
		}
	}
}

// runs reports whether the process runs. One that has ended and waits for its parent does not.
func runs(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	if process.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return !hasProc()
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(state, []byte("Z"))
}

// hasProc reports whether the system has /proc.
func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// scriptSQL leaves no -wal file behind.
func scriptSQL(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: sql FILE STATEMENTS")
	}
	handle, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = handle.Exec(args[1])
	ts.Check(err)
	ts.Check(handle.Close())
}
