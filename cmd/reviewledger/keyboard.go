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
	read *bufio.Reader // from the file
}

// Key reads one key without waiting for the end of a line.
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

// Line reads a line, which the terminal lets the person edit.
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

// rune reads one character. A read does not end with its context, so it is left alone
// then: the process ends.
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
