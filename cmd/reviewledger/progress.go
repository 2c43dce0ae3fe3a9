package main

import (
	"fmt"
	"io"
	"time"
)

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
