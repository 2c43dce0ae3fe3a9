//go:build unix

package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/reviewledger/reviewledger/gate/process"
)

func run(t *testing.T, ctx context.Context, c process.Command) process.Result {
	t.Helper()
	result, err := process.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestEnds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script, describe string
		ok                     bool
	}{
		{"success", "exit 0", "exited with code 0", true},
		{"failure", "exit 3", "exited with code 3", false},
		{"signal", "kill -KILL $$", "ended by signal killed", false},
		{"input left unread", "exec <&-; exit 0", "exited with code 0", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := run(t, t.Context(), process.Command{
				Args: []string{"sh", "-c", test.script}, Stdin: strings.NewReader(strings.Repeat("x", 1<<20)),
			})
			if result.OK() != test.ok || result.Describe() != test.describe {
				t.Errorf("OK %t, %q", result.OK(), result.Describe())
			}
		})
	}
}

// The system ends children together with the thread that started them. No child ends because the
// thread of a caller does.
func TestThreadsOfCallersEnd(t *testing.T) {
	t.Parallel()
	start := func(c process.Command) (ended chan process.Result) {
		ended = make(chan process.Result, 1)
		go func() {
			runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
			result, err := process.Run(t.Context(), c)
			if err != nil {
				t.Error(err)
			}
			ended <- result
		}()
		return ended
	}
	waiting, goOn := io.Pipe()
	first := start(process.Command{Args: []string{"sh", "-c", "read line"}, Stdin: waiting})
	<-start(process.Command{Args: []string{"true"}})
	if _, err := goOn.Write([]byte("now\n")); err != nil {
		t.Error(err)
	}
	if err := goOn.Close(); err != nil {
		t.Error(err)
	}
	if result := <-first; !result.OK() {
		t.Errorf("the other child %s", result.Describe())
	}
}

func TestInputAndOutput(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	run(t, t.Context(), process.Command{
		Args: []string{"sh", "-c", `cat; echo "$WORD" >&2; pwd`}, Dir: "/", Env: []string{"PATH=" + os.Getenv("PATH"), "WORD=hello"},
		Stdin: strings.NewReader("in\n"), Stdout: &stdout, Stderr: &stderr,
	})
	if stdout.String() != "in\n/\n" || stderr.String() != "hello\n" {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
}

// A child that writes too much is stopped, and a child that has written too much and ended is not
// OK.
func TestTooMuchOutput(t *testing.T) {
	t.Parallel()
	for script, over := range map[string]bool{"printf 12345": false, "printf 123456": true, "trap '' PIPE; printf 123456; sleep 1000": true} {
		var stdout bytes.Buffer
		result := run(t, t.Context(), process.Command{Args: []string{"sh", "-c", script}, Stdout: &stdout, MaxStdout: 5})
		if result.Overflowed != over || result.OK() == over || stdout.Len() > 5 {
			t.Errorf("%s: %+v, stdout %q", script, result, stdout.String())
		}
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	if _, err := process.Run(t.Context(), process.Command{Args: []string{"no-such-program"}}); !errors.Is(err, process.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// stopped runs a child that starts another and waits for it. Both have the write end of a pipe
// open, and stopped waits until no process has it open.
func stopped(t *testing.T, ctx context.Context, started func(), timeout time.Duration) process.Result {
	t.Helper()
	alive, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	done := make(chan process.Result, 1)
	go func() {
		// The pipe is the stdout of the child and of its child.
		result, err := process.Run(ctx, process.Command{
			Args: []string{"sh", "-c", "trap '' TERM; echo started; sleep 1000 & wait; sleep 1000"}, Stdout: held, Timeout: timeout,
		})
		_ = held.Close()
		if err != nil {
			t.Error(err)
		}
		done <- result
	}()
	line := make([]byte, len("started\n"))
	if _, err := io.ReadFull(alive, line); err != nil {
		t.Fatal(err)
	}
	started()
	if _, err := io.Copy(io.Discard, alive); err != nil {
		t.Fatal(err)
	}
	return <-done
}

// Rule: Nothing outlives its gate.
func TestTimeoutStopsTheWholeGroup(t *testing.T) {
	t.Parallel()
	if result := stopped(t, t.Context(), func() {}, 100*time.Millisecond); !result.TimedOut || result.OK() {
		t.Errorf("got %+v", result)
	}
}

func TestInterruptStopsTheWholeGroup(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	if result := stopped(t, ctx, cancel, 0); !result.Interrupted || result.OK() || result.Describe() != "interrupted" {
		t.Errorf("got %+v", result)
	}
}

func TestDoneBeforeTheStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if result := run(t, ctx, process.Command{Args: []string{"sh", "-c", "exit 0"}}); !result.Interrupted {
		t.Errorf("got %+v", result)
	}
}

// TestMain acts as the process that is killed, if the test started it for that.
func TestMain(m *testing.M) {
	if fd, err := strconv.Atoi(os.Getenv("PROCESS_TEST_FILE")); err == nil {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil {
			fmt.Println("open")
		}
		os.Exit(0)
	}
	if os.Getenv("PROCESS_TEST_VICTIM") == "" {
		os.Exit(m.Run())
	}
	// The child starts another, and both ignore SIGTERM. It begins when the watchdog knows it.
	reading, writing := io.Pipe()
	go func() {
		for process.Guarded() == 0 {
			runtime.Gosched()
		}
		_, _ = io.WriteString(writing, "go\n")
	}()
	_, err := process.Run(context.Background(), process.Command{
		Args:  []string{"sh", "-c", "trap '' TERM; read -r go; sleep 1000 & echo started; wait; sleep 1000"},
		Stdin: reading, Stdout: os.Stdout, Guarded: true,
	})
	_, _ = fmt.Fprintln(os.Stderr, "not killed:", err)
	os.Exit(1)
}

// TestKilledProcessLeavesNothingRunning waits until no process has the write end of a pipe open,
// which all children of a killed process inherited.
func TestKilledProcessLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	alive, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	victim := exec.Command(self)
	victim.Env = append(os.Environ(), "PROCESS_TEST_VICTIM=1")
	victim.Stdout = held
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	_ = held.Close()
	if _, err := io.ReadFull(alive, make([]byte, len("started\n"))); err != nil {
		t.Fatal(err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	_ = victim.Wait()
	if _, err := io.Copy(io.Discard, alive); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(killed); took > 30*time.Second {
		t.Errorf("the children ran for %s", took)
	}
}

// TestChildrenGetNoOpenFiles leaves a file open, like a shell that started this process.
func TestChildrenGetNoOpenFiles(t *testing.T) {
	t.Parallel()
	const high = 40 // a number that the child does not use
	inherited, err := unix.FcntlInt(os.Stdin.Fd(), unix.F_DUPFD, high)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(inherited) }()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), fmt.Sprintf("PROCESS_TEST_FILE=%d", inherited))
	for _, guarded := range []bool{false, true} {
		var stdout bytes.Buffer
		run(t, t.Context(), process.Command{Args: []string{self}, Env: env, Stdout: &stdout, Guarded: guarded})
		if stdout.Len() > 0 {
			t.Errorf("guarded %t: file %d is open in the child", guarded, inherited)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for name, guarded := range map[string]bool{"plain": false, "guarded": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := process.Run(b.Context(), process.Command{Args: []string{"true"}, Guarded: guarded}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
