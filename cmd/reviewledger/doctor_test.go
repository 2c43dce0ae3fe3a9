package main

import "testing"

// A finding is one line and its fix another, whatever their text contains.
func TestFindingLine(t *testing.T) {
	t.Parallel()
	f := finding{Name: "adapter x", Health: healthProblem, Detail: "line\n\x1b[31mred", Fix: "do\nthis"}
	want := "[PROBLEM] adapter x: line \\x1b[31mred\n            fix: do this"
	if got := f.line(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
