package main

import (
	"bytes"
	"testing"
)

// The progress line changes in place, not too often, and disappears at the end.
func TestLiveLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	line := &liveLine{w: &out}
	line.clear()
	line.show("Run %d of %d", 1, 3)
	line.show("Run %d of %d", 2, 3)
	line.clear()
	if want := "\r\x1b[KRun 1 of 3\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
	line = newLiveLine(&globalOptions{environment: environment{stderr: &out}})
	line.show("x")
	line.clear()
	if line != nil {
		t.Error("it is shown without a terminal")
	}
}
