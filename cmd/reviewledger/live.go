package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// animate shows at the end of the terminal what is running, until stop is called. It does nothing
// without an interactive terminal: in a pipe, in CI, with NO_COLOR, or if the terminal cannot move
// the cursor.
func (w *workspace) animate(ctx context.Context, quiet bool) (stop func()) {
	if quiet || !w.global.style().Color || isTrue(w.global.getenv("CI")) {
		return func() {}
	}
	file := terminalOf(w.global.stdout)
	if file == nil {
		return func() {}
	}
	size := func() (width, height int) {
		// The size is 0 if the terminal does not report it.
		width, height, _ = term.GetSize(int(file.Fd()))
		return width, height
	}
	end := w.console.Animate(&console.Live{Size: size, Tail: w.tail, Now: time.Now, Usual: w.usual(ctx)})
	ignore := context.AfterFunc(ctx, w.console.Interrupted)
	return func() {
		ignore()
		end()
	}
}

// usual returns a function that says how long an adapter usually takes for a job. It asks the ledger
// with the first reviewer that is asked, by when the ledger is open. That it cannot say is not an error:
// the run does not depend on it.
func (w *workspace) usual(ctx context.Context) func(job, adapter string) time.Duration {
	known := sync.OnceValue(func() map[ledger.Reviewer]time.Duration {
		took, _ := w.ledger.UsualDurations(ctx)
		return took
	})
	return func(job, adapter string) time.Duration { return known()[ledger.Reviewer{Job: job, Adapter: adapter}] }
}

// maxTail is how many bytes at the end of a log are searched for its last line.
const maxTail = 4 << 10

// tail returns the end of a log, or "" if it does not exist yet.
func (w *workspace) tail(shown string) string {
	file, err := os.Open(filepath.Join(w.repo.Root, filepath.FromSlash(shown)))
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	data, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-maxTail), maxTail))
	if err != nil {
		return ""
	}
	return string(data)
}

// liveLine is a line on a terminal that shows the progress of long work and then disappears.
// Without a terminal it is nil and prints nothing.
type liveLine struct {
	w    io.Writer
	last time.Time
}

// liveEvery is the minimum time between changes: writing must not slow down the work.
const liveEvery = 100 * time.Millisecond

func newLiveLine(global *globalOptions) *liveLine {
	if !isTerminal(global.stderr) {
		return nil
	}
	return &liveLine{w: global.stderr}
}

// show replaces the text of the line.
func (l *liveLine) show(format string, args ...any) {
	if l == nil || time.Since(l.last) < liveEvery {
		return
	}
	l.last = time.Now()
	_, _ = fmt.Fprintf(l.w, "\r\x1b[K"+format, args...)
}

func (l *liveLine) clear() {
	if l != nil && !l.last.IsZero() {
		_, _ = io.WriteString(l.w, "\r\x1b[K")
	}
}

// countingReader counts the bytes read through it.
type countingReader struct {
	io.Reader
	read int64
}

// Read implements [io.Reader].
func (c *countingReader) Read(p []byte) (n int, err error) {
	n, err = c.Reader.Read(p)
	c.read += int64(n)
	return n, err
}

// ledgerOptions makes the store report long work: upgrading a ledger of an older schema, or
// counting all its rows. On a terminal a line shows the progress, and disappears afterwards.
func ledgerOptions(global *globalOptions, path string) store.Options {
	line := newLiveLine(global)
	var began time.Time
	here := func(ctx context.Context) string {
		root, err := diff.Root(ctx, global.dir)
		if err != nil {
			return "" // outside of a repository there is no worktree
		}
		return root
	}
	return store.Options{Here: here, Upgrading: func(p store.Progress) {
		if p.Done == 0 {
			began = time.Now()
			fmt.Fprintf(global.stderr, "Upgrading the ledger %q from schema %d to %d. This can take a minute for a large ledger.\n", path, p.From, p.To)
		}
		line.show("Step %d of %d (%s)", min(p.Done+1, p.Steps), p.Steps, time.Since(began).Round(time.Second))
		if p.Done == p.Steps {
			line.clear()
		}
	}, Counting: func(p store.Progress) {
		line.show("Counting, step %d of %d", min(p.Done+1, p.Steps), p.Steps)
		if p.Done == p.Steps {
			line.clear()
		}
	}}
}
