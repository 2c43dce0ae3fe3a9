package main

import (
	"bufio"
	"context"
	"os"
	"strings"

	"golang.org/x/term"
)

// keyboard reads keys and lines from a terminal.
type keyboard struct {
	file *os.File
	read *bufio.Reader // reads from file
}

// Key implements [triage.Input]. It does not wait for the end of the line.
func (k *keyboard) Key(ctx context.Context) (rune, error) {
	state, err := term.MakeRaw(int(k.file.Fd()))
	if err != nil {
		return 0, err
	}
	key, err := k.rune(ctx)
	if restored := term.Restore(int(k.file.Fd()), state); err == nil {
		err = restored
	}
	return key, err
}

// Line implements [triage.Input]. The person can edit the line on the terminal.
func (k *keyboard) Line(ctx context.Context) (string, error) {
	var line strings.Builder
	for {
		c, err := k.rune(ctx)
		if err != nil || c == '\n' || c == '\r' {
			return line.String(), err
		}
		line.WriteRune(c)
	}
}

// rune reads one character. A read cannot be interrupted, so when the context ends it is abandoned:
// the process is about to end.
func (k *keyboard) rune(ctx context.Context) (rune, error) {
	type result struct {
		c   rune
		err error
	}
	done := make(chan result, 1)
	go func() {
		c, _, err := k.read.ReadRune()
		done <- result{c, err}
	}()
	select {
	case r := <-done:
		return r.c, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
