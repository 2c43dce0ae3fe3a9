//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKilledLeavesNothing kills the program at random moments. After the next command nothing is
// left behind that git, or a look into the folders, would show.
func TestKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newKillable(t)
	temporary := filepath.Join(filepath.Dir(w.dir), "tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "TMPDIR="+temporary, "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(w.dir), "cache"))
	// The minimum: if the machine was busy, most kills would come too late.
	took := min(w.duration(), w.duration(), w.duration())
	before := w.folders(temporary)
	random := rand.New(rand.NewPCG(10, 4))
	killed, rounds := 0, 2**killRounds
	for round := range rounds {
		w.report(round)
		cmd := w.command(w.program, "run")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killer := time.AfterFunc(time.Duration(random.Int64N(int64(took))), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() != nil && cmd.ProcessState.ExitCode() == -1 {
			killed++
		}
		killer.Stop()
		w.clean()
		if after := w.folders(temporary); !slices.Equal(before, after) {
			t.Fatalf("round %d: left behind:\n%s\nbefore:\n%s", round, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
	}
	if killed < rounds/10 {
		t.Errorf("%d of %d kills hit", killed, rounds)
	}
}

// duration returns how long a process of the program takes.
func (w *killable) duration() time.Duration {
	w.report(1)
	start := time.Now()
	if out, err := w.command(w.program, "run").CombinedOutput(); err == nil {
		w.Fatalf("passed\n%s", out)
	}
	took := time.Since(start)
	w.clean()
	return took
}

// clean runs the next command that writes. Reviewers and checks of the killed one may still hold
// its lock for a moment.
func (w *killable) clean() {
	w.Helper()
	if code, out := w.execute("clean"); code != 0 {
		w.Fatalf("clean: exit code %d\n%s", code, out)
	}
}

// folders lists what could be left behind: what git shows, and the names in the git folder, the
// temporary folders and the log directory.
func (w *killable) folders(temporary string) (lines []string) {
	w.Helper()
	for _, args := range [][]string{
		{"status", "--porcelain", "--untracked-files=all", "--", ":!src"}, {"for-each-ref"}, {"worktree", "list"}, {"stash", "list"},
	} {
		out, err := w.command("git", args...).Output()
		if err != nil {
			w.Fatalf("git %q: %v", args, err)
		}
		lines = append(lines, strings.Fields(string(out))...)
	}
	for _, folder := range []string{filepath.Join(w.dir, ".git"), filepath.Join(w.dir, ".git", "reviewledger"), temporary, filepath.Join(w.dir, "gauntlet_logs")} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			w.Fatal(err)
		}
		for _, entry := range entries {
			// Logs of the archived loop are kept on purpose, and a -wal is removed by the last
			// process that has the ledger open.
			if name := entry.Name(); name != "previous" && !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
				lines = append(lines, filepath.Base(folder)+"/"+name)
			}
		}
	}
	return lines
}
