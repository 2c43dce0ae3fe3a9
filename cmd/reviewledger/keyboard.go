package main

import (
	"context"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// keyboard reads keys and lines from a terminal. Nothing is read ahead, for an editor may
// read from the same terminal in between.
type keyboard struct{ file *os.File }

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
	read := make(chan result, 1)
	go func() {
		var buffer []byte
		for {
			one := make([]byte, 1)
			n, err := k.file.Read(one)
			if n == 0 {
				if err == nil {
					err = io.EOF
				}
				read <- result{0, err}
				return
			}
			if buffer = append(buffer, one...); utf8.FullRune(buffer) {
				c, _ := utf8.DecodeRune(buffer)
				read <- result{c, nil}
				return
			}
		}
	}()
	select {
	case r := <-read:
		return r.c, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
