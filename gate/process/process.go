// Package process runs a child process in its own process group, so that a timeout or an interrupt
// stops everything that the child started, and not only the child itself. A guarded child's group
// also ends when this process is killed. A child gets no open files except its input and its
// outputs. The package does not know what it runs: commands come from the callers.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

const (
	// grace is how long a process group has to end after it was asked to, before it is killed.
	grace = 2 * time.Second
	// drain is how long Run waits for output of grandchildren after the child itself has ended.
	drain = 3 * time.Second
)

// Command describes a child process. It is never passed to a shell: Args[0] is looked up on PATH,
// and the rest are its arguments, unchanged.
type Command struct {
	Args []string
	Dir  string
	// Env is the whole environment; nil means the parent's.
	Env []string
	// Stdin may be nil for an empty input. It is not an error if the child does not read all of it.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// MaxStdout is how many bytes the child may write to Stdout; if it writes more, it is stopped.
	// 0 means no limit.
	MaxStdout int
	// Timeout is how long the child may run; 0 means no limit.
	Timeout time.Duration
	// Guarded means that the whole process group is stopped if this process dies in any way. It is
	// for children that may run for a long time.
	Guarded bool
}

// Result is how a child that was started has ended.
type Result struct {
	// ExitCode is the child's exit code, or -1 if a signal ended it.
	ExitCode int
	// Signal names the signal that ended the child, or is empty.
	Signal string
	// TimedOut reports that the child was stopped because of [Command.Timeout], whatever its exit
	// code is.
	TimedOut bool
	// Interrupted reports that the child was stopped because the context was done.
	Interrupted bool
	// Overflowed reports that the child wrote more than [Command.MaxStdout]. Stdout got only a part
	// of it.
	Overflowed bool
	Duration   time.Duration
}

// OK reports whether the child ended by itself with exit code 0.
func (r Result) OK() bool {
	return r.ExitCode == 0 && r.Signal == "" && !r.TimedOut && !r.Interrupted && !r.Overflowed
}

// Describe returns a few words about how the child ended, for messages and logs.
func (r Result) Describe() string {
	switch {
	case r.Interrupted:
		return "interrupted"
	case r.Overflowed:
		return "printed too much"
	case r.TimedOut:
		return fmt.Sprintf("timed out after %s", r.Duration.Round(time.Second/100))
	case r.Signal != "":
		return "ended by signal " + r.Signal
	default:
		return fmt.Sprintf("exited with code %d", r.ExitCode)
	}
}

// ErrNotFound is wrapped by the error of [Run] when Args[0] is not on PATH.
var ErrNotFound = exec.ErrNotFound

// Prepare starts the watchdog in the background, so that a guarded child that is started later does
// not have to wait for it.
func Prepare() { go startWatchdog() }

// Run starts the child and waits until it has ended and its output was read. When ctx is done or
// the timeout is over, the whole process group is asked to end and, after grace, killed. An error
// means that the child could not be started or its output could not be written; how the child ended
// is in the Result.
//
// Rule: Nothing outlives its gate.
func Run(ctx context.Context, c Command) (Result, error) {
	start := time.Now()
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	full := make(chan struct{})
	if c.MaxStdout > 0 {
		cmd.Stdout = &bounded{to: c.Stdout, left: c.MaxStdout, full: full}
	}
	cmd.WaitDelay = drain
	ownGroup(cmd)
	if err := ctx.Err(); err != nil {
		return Result{Interrupted: true, ExitCode: -1}, nil
	}
	dieWithParent(cmd, c.Guarded)
	if c.Guarded {
		startWatchdog() // before the child, which may start others immediately
	}
	keepFiles()
	if err := theStarter.start(cmd); err != nil {
		return Result{ExitCode: -1}, fmt.Errorf("start %q: %w", c.Args[0], err)
	}
	if c.Guarded {
		release := guard(cmd.Process.Pid)
		defer release()
	}
	var expired <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		expired = timer.C
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()

	var r Result
	var err error
	select {
	case err = <-done:
	case <-expired:
		r.TimedOut = true
		err = stop(cmd, done)
	case <-ctx.Done():
		r.Interrupted = true
		err = stop(cmd, done)
	case <-full:
		err = stop(cmd, done)
	}
	killGroup(cmd) // what the child left running must not outlive the gate
	r.Duration = time.Since(start)
	r.ExitCode = cmd.ProcessState.ExitCode()
	r.Signal = signalName(cmd.ProcessState)
	select {
	case <-full: // also if the child has ended by itself
		r.Overflowed = true
		return r, nil
	default:
	}
	if exit := (*exec.ExitError)(nil); err == nil || errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		return r, nil
	}
	return r, fmt.Errorf("run %q: %w", c.Args[0], err)
}

// starter is the thread that starts all children. The system ends a child together with the thread
// that started it, so that one must exist as long as the child. If each child had a thread of its
// own, making these would take longer than some of the children do.
type starter struct {
	once sync.Once
	next chan func()
}

// There is one starter per process.
var theStarter starter

func (s *starter) start(cmd *exec.Cmd) error {
	s.once.Do(func() {
		s.next = make(chan func())
		go s.run()
	})
	started := make(chan error)
	s.next <- func() { started <- cmd.Start() }
	return <-started
}

func (s *starter) run() {
	runtime.LockOSThread()
	for start := range s.next {
		start()
	}
}

func stop(cmd *exec.Cmd, done <-chan error) error {
	terminateGroup(cmd)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		killGroup(cmd)
		return <-done
	}
}

// bounded forwards up to a number of bytes, and closes full at the first byte that exceeds it.
type bounded struct {
	to   io.Writer
	left int
	full chan struct{}
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errFull
	}
	if b.left -= len(p); b.left < 0 {
		close(b.full)
		return 0, errFull
	}
	return b.to.Write(p)
}

var errFull = errors.New("the output is too large")
