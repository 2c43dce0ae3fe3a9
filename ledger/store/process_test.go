package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// childEnv makes the test binary a process that records in the ledger that it names; iterationsEnv
// is how many iterations it records.
const (
	childEnv      = "REVIEWLEDGER_LEDGER_TEST_CHILD"
	iterationsEnv = "REVIEWLEDGER_LEDGER_TEST_ITERATIONS"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		iterations, err := strconv.Atoi(os.Getenv(iterationsEnv))
		if err == nil {
			err = recordIterations(path, iterations)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// recordIterations records iterations of a run of its own. After each call that recorded something,
// it prints what it acknowledges.
func recordIterations(path string, iterations int) error {
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	ctx := context.Background()
	l, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	run := newRun()
	run.Worktree = fmt.Sprintf("/work/%d", os.Getpid())
	if run, err = l.StartRun(ctx, run); err != nil {
		return err
	}
	fmt.Println("run", run.ID)
	for number := 1; number <= iterations; number++ {
		if err := recordIteration(ctx, l, run.ID, number); err != nil {
			return fmt.Errorf("iteration %d: %w", number, err)
		}
	}
	return l.Close()
}

func recordIteration(ctx context.Context, l *store.Store, run string, number int) error {
	before, err := l.State(ctx, run)
	if err != nil {
		return err
	}
	r, err := l.BeginIteration(ctx, run, ledger.Iteration{Number: number, Mode: ledger.ModeRerun, Source: "session", Tree: "tree"}, []ledger.GatePlan{{
		Job: quality, Kind: ledger.KindReview, EntryPoint: "src", Name: "code-quality", NumReviews: 1,
		Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "claude", Reviewed: "tree"}},
	}})
	if err != nil {
		return err
	}
	fmt.Println("iteration", number)
	carried := map[string]ledger.Whereabouts{}
	for _, v := range before.Violations {
		carried[v.ID] = ledger.Whereabouts{Here: v.Place}
	}
	result, err := r.RecordAnswer(ctx, store.SlotAnswer{
		SlotCall: ledger.SlotCall{Job: quality, Slot: 1, Adapter: "claude", Raw: fmt.Sprintf("answer %d", number)},
		Answer: ledger.Answer{Entries: []ledger.Entry{
			{Position: 1, Place: at("a.go", 10*number), Issue: fmt.Sprintf("issue %d", number), Priority: ledger.High}}},
		Rules: ledger.Rules{Slot: 1}, Facts: ledger.Facts{Entries: []ledger.EntryFacts{{InRange: true, InFixLines: true}}, Whereabouts: carried},
		Before: before, Fillers: map[string][]ledger.Filler{quality: make([]ledger.Filler, 1)},
	})
	if err != nil {
		return err
	}
	id := result.Document.Violations[0].ID
	fmt.Println("violation", id)
	found, err := l.State(ctx, run)
	if err != nil {
		return err
	}
	if _, err := l.RecordEdits(ctx, run, ledger.ActorAgent, []ledger.Edit{{
		Violation: found.Violations[number-1].ID, Status: ledger.StatusFixed, Job: quality, Slot: 1, Iteration: number,
	}}, nil); err != nil {
		return err
	}
	fmt.Println("fixed", id)
	return r.Finish(ctx, ledger.StatusFailed, "")
}

// process is the test binary while it records.
type process struct {
	*exec.Cmd
	start  io.Closer
	output *bufio.Scanner
	stderr strings.Builder
}

func startProcess(t *testing.T, path string, iterations int) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Env = append(os.Environ(), childEnv+"="+path, fmt.Sprintf("%s=%d", iterationsEnv, iterations))
	p.Stderr = &p.stderr
	stdin, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.start, p.output = stdin, bufio.NewScanner(stdout)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if !p.output.Scan() || p.output.Text() != "ready" {
		t.Fatalf("the process said %q", p.output.Text())
	}
	return p
}

// acknowledged returns what the process prints until it ends.
func (p *process) acknowledged() (lines []string) {
	for p.output.Scan() {
		lines = append(lines, p.output.Text())
	}
	return lines
}

// checkAcknowledged checks that the ledger has every row that the process acknowledged.
func checkAcknowledged(t *testing.T, l *store.Store, lines []string) {
	t.Helper()
	if len(lines) == 0 {
		return
	}
	var state *ledger.State
	statuses := map[string]ledger.Status{}
	for _, line := range lines {
		what, id, _ := strings.Cut(line, " ")
		switch what {
		case "run":
			state = must(l.State(t.Context(), id))(t)
			for _, v := range state.Violations {
				statuses[v.ShortID] = v.Status
			}
		case "iteration":
			if number, err := strconv.Atoi(id); err != nil || state.Iteration(number) == nil {
				t.Errorf("iteration %s is lost (%v)", id, err)
			}
		case "violation":
			if statuses[id] == "" {
				t.Errorf("violation %s is lost", id)
			}
		case "fixed":
			if statuses[id] != ledger.StatusFixed {
				t.Errorf("violation %s is %q, and was fixed", id, statuses[id])
			}
		default:
			t.Errorf("the process said %q", line)
		}
	}
}

func TestManyProcessesRecordAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "ledger.db")
	const iterations = 5
	processes := make([]*process, 8)
	for i := range processes {
		processes[i] = startProcess(t, path, iterations)
	}
	for _, p := range processes {
		if err := p.start.Close(); err != nil {
			t.Error(err)
		}
	}
	for i, p := range processes {
		lines := p.acknowledged()
		if err := p.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, p.stderr.String())
		}
		if len(lines) != 1+3*iterations {
			t.Errorf("process %d said %d lines", i, len(lines))
		}
		checkAcknowledged(t, openLedger(t, path), lines)
	}
}

// A process that is killed while it records loses nothing that it acknowledged.
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	for round := range 8 {
		p := startProcess(t, path, 1000)
		if err := p.start.Close(); err != nil {
			t.Error(err)
		}
		var lines []string
		for len(lines) <= 5*round+round%3 && p.output.Scan() {
			lines = append(lines, p.output.Text())
		}
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, p.acknowledged()...)
		if err := p.Wait(); err == nil {
			t.Fatal("the process ended by itself")
		}
		l := openLedger(t, path)
		checkAcknowledged(t, l, lines)
		if d := cmp.Diff([]string{"ok"}, column(t, rows(t, path), "PRAGMA integrity_check")); d != "" {
			t.Errorf("integrity (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]string(nil), column(t, rows(t, path), "SELECT \"table\" FROM pragma_foreign_key_check")); d != "" {
			t.Errorf("foreign keys (-want +got):\n%s", d)
		}
		if id, ok := strings.CutPrefix(lines[0], "run "); ok {
			if err := l.Recover(t.Context(), id); err != nil {
				t.Error(err)
			}
			if got := ledger.Assess(must(l.State(t.Context(), id))(t)).Status; got.Passes() {
				t.Errorf("the killed run is %s", got)
			}
		}
	}
}
