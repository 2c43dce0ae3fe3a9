//go:build unix

package main

import (
	"bytes"
	"strings"
	"testing"
)

// $PAGER is split into words, not run by a shell. If a pager cannot be started or is left early,
// nothing is lost and there is no error.
func TestPager(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pager string
		paged bool
		want  string
	}{
		"words":       {"sed -n 1p", true, "one\n"},
		"no shell":    {"echo $HOME ; false", true, "$HOME ; false\n"},
		"left early":  {"true", true, ""},
		"not there":   {"nosuch-pager -x", false, ""},
		"cat":         {"cat", false, ""},
		"only blanks": {"  ", false, ""},
	} {
		var out bytes.Buffer
		g := &globalOptions{environment: environment{
			stdout: &out, stderr: &out,
			getenv: func(name string) string { return map[string]string{"PAGER": test.pager}[name] },
		}}
		if paged := g.page("one\n" + strings.Repeat("two\n", 100_000)); paged != test.paged || out.String() != test.want {
			t.Errorf("%s: %t, %q", name, paged, out.String())
		}
	}
}
