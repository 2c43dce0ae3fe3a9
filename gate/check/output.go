package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// maxOutput is how many bytes of a command's output a log keeps: half of them from its beginning
// and half from its end.
const maxOutput = 64 << 20

// drain is how long Run waits, after the command and its process group have ended, for output of
// processes that the command started in other groups.
const drain = 3 * time.Second

// output copies a command's output into its log.
type output struct {
	// pipe is where the command writes. It is a file, so that waiting for the command does not mean
	// waiting for everything that it started.
	pipe *os.File
	log  *boundedLog
	done chan error
}

// collect begins to append the output from the pipe to the log.
func collect(log *os.File) (*output, error) {
	start, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	o := &output{
		pipe: writing, done: make(chan error, 1),
		log: &boundedLog{file: log, start: start, head: maxOutput / 2, tail: maxOutput / 2},
	}
	go func() {
		_, err := io.Copy(o.log, reading)
		if err != nil { // the command must not block on the pipe
			_, _ = io.Copy(io.Discard, reading)
		}
		o.done <- errors.Join(err, reading.Close())
	}()
	return o, nil
}

// finish waits for the rest of the output and completes the log.
func (o *output) finish() error {
	err := o.pipe.Close()
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case copyErr := <-o.done:
		err = errors.Join(err, copyErr)
	case <-timer.C: // a process keeps the pipe open; its further output is dropped
	}
	return errors.Join(err, o.log.finish())
}

// boundedLog writes the first bytes of the output to the log as they come, and the rest to a ring
// buffer after them in the file, so that neither the disk nor the memory fills up.
type boundedLog struct {
	mutex   sync.Mutex
	file    *os.File
	start   int64 // where the output begins in the file
	head    int64 // how many bytes of the beginning are kept
	tail    int64 // how many bytes of the end are kept
	written int64 // how many bytes were written
	closed  bool
}

// Write implements [io.Writer].
func (b *boundedLog) Write(p []byte) (n int, err error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.closed {
		return 0, os.ErrClosed
	}
	for len(p) > 0 {
		at, room := b.written, b.head-b.written
		if room <= 0 {
			in := (b.written - b.head) % b.tail
			at, room = b.head+in, b.tail-in
		}
		part := p[:min(int64(len(p)), room)]
		wrote, err := b.file.WriteAt(part, b.start+at)
		n, b.written = n+wrote, b.written+int64(wrote)
		if err != nil {
			return n, err
		}
		p = p[len(part):]
	}
	return n, nil
}

// finish turns the ring into the end of the output, after a line that says how much is missing. The
// kept end begins with a complete line, unless its first line is very long.
func (b *boundedLog) finish() error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.closed = true
	if b.written <= b.head+b.tail {
		return nil
	}
	ring := make([]byte, b.tail)
	if _, err := b.file.ReadAt(ring, b.start+b.head); err != nil {
		return err
	}
	turn := (b.written - b.head) % b.tail
	end := append(ring[turn:len(ring):len(ring)], ring[:turn]...)
	const longLine = 1 << 16
	if newline := bytes.IndexByte(end[:min(len(end), longLine)], '\n'); newline >= 0 {
		end = end[newline+1:]
	}
	missing := b.written - b.head - int64(len(end))
	line := fmt.Sprintf("\n--- %d bytes are left out here: a log keeps %d bytes of its output ---\n", missing, b.head+b.tail)
	if _, err := b.file.WriteAt(append([]byte(line), end...), b.start+b.head); err != nil {
		return err
	}
	return b.file.Truncate(b.start + b.head + int64(len(line)) + int64(len(end)))
}
