package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/ledger"
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
