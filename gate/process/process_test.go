//go:build unix

package process_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

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

func TestNotFound(t *testing.T) {
	t.Parallel()
	if _, err := process.Run(t.Context(), process.Command{Args: []string{"no-such-program"}}); !errors.Is(err, process.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// stopped runs a child that starts another and waits for it, both with the write
// end of a pipe open, and waits until nobody holds that end any more.
func stopped(t *testing.T, ctx context.Context, started func(), timeout time.Duration) process.Result {
	t.Helper()
	alive, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	done := make(chan process.Result, 1)
	go func() {
		// The child's stdout is the pipe; so is its child's.
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
