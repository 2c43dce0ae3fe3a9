package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A pager is chosen and started as git does it. If it cannot be started or is left early, nothing is
// lost and there is no error.
func TestPager(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment map[string]string
		paged       bool
		want        string
	}{
		"words":        {map[string]string{"PAGER": "sed -n 1p"}, true, "one\n"},
		"a shell":      {map[string]string{"PAGER": "sed -n 1p | sed 's/^/> /'"}, true, "> one\n"},
		"our own":      {map[string]string{"PAGER": "false", "REVIEWLEDGER_PAGER": "sed -n 1p"}, true, "one\n"},
		"none of ours": {map[string]string{"PAGER": "sed -n 1p", "REVIEWLEDGER_PAGER": ""}, false, "one\ntwo\n"},
		"cat":          {map[string]string{"PAGER": "cat"}, false, "one\ntwo\n"},
		"dumb":         {map[string]string{"PAGER": "sed -n 1p", "TERM": "dumb"}, false, "one\ntwo\n"},
		"less is set":  {map[string]string{"PAGER": "sed -n 1p", "LESS": ""}, true, "one\n"},
		"not there":    {map[string]string{"PAGER": "nosuch-pager -x"}, true, "one\ntwo\n"},
	} {
		terminal, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
		if err != nil {
			t.Fatal(err)
		}
		g := &globalOptions{environment: environment{lookupenv: func(name string) (string, bool) {
			value, given := test.environment[name]
			return value, given
		}}}
		pager := g.pager()
		if (pager != nil) != test.paged {
			t.Errorf("%s: paged: %t", name, pager != nil)
		}
		if pager == nil {
			pager = exec.Command("cat")
		} else if _, given := test.environment["LESS"]; slices.Contains(pager.Env, "LESS=FRX") == given {
			t.Errorf("%s: the pager has %q", name, pager.Env)
		}
		pager.Stdout = terminal
		out := &pagedOutput{terminal: terminal, cmd: pager}
		_, err = io.WriteString(out, "one\ntwo\n")
		out.end()
		if got, readErr := os.ReadFile(terminal.Name()); errors.Join(err, readErr) != nil || string(got) != test.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		terminal.Close()
	}
}

// Whoever leaves a pager early has seen enough. Without a terminal there is no pager.
func TestPagerLeftEarly(t *testing.T) {
	t.Parallel()
	out := &pagedOutput{terminal: os.Stderr, cmd: (&globalOptions{environment: environment{lookupenv: func(name string) (string, bool) { return "true", name == "PAGER" }}}).pager()}
	var err error
	for i := 0; i < 1000 && err == nil; i++ {
		_, err = io.WriteString(out, strings.Repeat("a line\n", 10_000))
	}
	if out.end(); err == nil || !out.left {
		t.Errorf("%v, left %t", err, out.left)
	}
	var plain strings.Builder
	g := &globalOptions{environment: environment{stdout: &plain, lookupenv: func(string) (string, bool) { return "false", true }}}
	broken := errors.New("broken")
	if err := g.paged(func(*cobra.Command, []string) error { _, _ = io.WriteString(g.stdout, "text"); return broken })(nil, nil); !errors.Is(err, broken) || plain.String() != "text" {
		t.Errorf("%v, %q", err, &plain)
	}
}
