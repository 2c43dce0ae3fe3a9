package githook

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	one  = "1111111111111111111111111111111111111111"
	zero = "0000000000000000000000000000000000000000"
)

func TestRead(t *testing.T) {
	t.Parallel()
	branch := Ref{"refs/heads/work", one, "refs/heads/work"}
	for name, test := range map[string]struct {
		in   string
		want []Ref
		bad  bool
	}{
		"nothing":          {"", nil, false},
		"an empty line":    {"\n", nil, false},
		"a branch":         {"refs/heads/work " + one + " refs/heads/work " + zero + "\n", []Ref{branch}, false},
		"no line end":      {"refs/heads/work " + one + " refs/heads/work " + zero, []Ref{branch}, false},
		"a deletion":       {"(delete) " + zero + " refs/heads/work " + one + "\n", []Ref{{"(delete)", zero, "refs/heads/work"}}, false},
		"what was typed":   {":/fix the bug " + one + " refs/heads/work " + zero + "\n", []Ref{{":/fix the bug", one, "refs/heads/work"}}, false},
		"sha256":           {"HEAD " + one + one[:24] + " refs/heads/work " + zero + zero[:24] + "\n", []Ref{{"HEAD", one + one[:24], "refs/heads/work"}}, false},
		"garbage":          {"hello\n", nil, true},
		"three words":      {"a b c\n", nil, true},
		"no ids":           {"a b refs/heads/c d\n", nil, true},
		"not a remote ref": {"HEAD " + one + " work " + zero + "\n", nil, true},
		"garbage after":    {"refs/heads/work " + one + " refs/heads/work " + zero + "\n\x00\x01\n", nil, true},
		"an endless line":  {strings.Repeat("x", 1<<20), nil, true},
	} {
		got, err := Read(strings.NewReader(test.in))
		if d := cmp.Diff(test.want, got); d != "" || (err != nil) != test.bad {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, d)
		}
	}
	if many, err := Read(strings.NewReader(strings.Repeat("refs/heads/work "+one+" refs/heads/work "+zero+"\n", 5000))); len(many) != 5000 || err != nil {
		t.Errorf("%d refs, %v", len(many), err)
	}
}

func TestFromPreCommit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env    map[string]string
		want   []Ref
		called bool
	}{
		"git itself":        {nil, nil, false},
		"the stage manual":  {map[string]string{"PRE_COMMIT": "1"}, nil, true},
		"a push":            {map[string]string{"PRE_COMMIT": "1", "PRE_COMMIT_TO_REF": one, "PRE_COMMIT_LOCAL_BRANCH": "refs/heads/work", "PRE_COMMIT_REMOTE_BRANCH": "refs/heads/w"}, []Ref{{"refs/heads/work", one, "refs/heads/w"}}, true},
		"refs given":        {map[string]string{"PRE_COMMIT": "1", "PRE_COMMIT_TO_REF": "HEAD"}, []Ref{{"", "HEAD", ""}}, true},
		"the whole history": {map[string]string{"PRE_COMMIT": "1", "PRE_COMMIT_LOCAL_BRANCH": "refs/heads/work"}, []Ref{{"refs/heads/work", "refs/heads/work", ""}}, true},
	} {
		got, called := FromPreCommit(func(name string) string { return test.env[name] })
		if d := cmp.Diff(test.want, got); d != "" || called != test.called {
			t.Errorf("%s: %v (-want +got):\n%s", name, called, d)
		}
	}
}

// Rule: Done means passed as it is now.
func TestDecide(t *testing.T) {
	t.Parallel()
	work := Ref{"refs/heads/work", one, "refs/heads/work"}
	for name, test := range map[string]struct {
		tip  Tip
		want Verdict
	}{
		"not passed":                    {Tip{Ref: work}, Refuse},
		"passed":                        {Tip{Ref: work, Passed: true}, Go},
		"no gate":                       {Tip{Ref: work, Ungated: true}, Go},
		"in the base branch":            {Tip{Ref: work, Contained: true}, Go},
		"a tag":                         {Tip{Ref: Ref{"refs/tags/v1", one, "refs/tags/v1"}}, Go},
		"notes":                         {Tip{Ref: Ref{"refs/notes/x", one, "refs/notes/x"}}, Go},
		"deleted":                       {Tip{Ref: Ref{"(delete)", zero, "refs/heads/work"}}, Go},
		"a tag as a branch":             {Tip{Ref: Ref{"refs/tags/v1", one, "refs/heads/v1"}}, Refuse},
		"for review elsewhere":          {Tip{Ref: Ref{"HEAD", one, "refs/for/main"}}, Refuse},
		"checked out, as committed":     {Tip{Ref: work, CheckedOut: true, AsCommitted: true}, RunFirst},
		"the gates know better":         {Tip{Ref: work, CheckedOut: true, AsCommitted: true, Passed: true}, RunFirst},
		"checked out, another tree":     {Tip{Ref: work, CheckedOut: true}, Refuse},
		"passed, and edited since":      {Tip{Ref: work, CheckedOut: true, Passed: true}, Go},
		"not checked out, tree is same": {Tip{Ref: work, AsCommitted: true}, Refuse},
	} {
		if got := Decide(test.tip); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestIsBase(t *testing.T) {
	t.Parallel()
	main := Ref{"refs/heads/main", one, "refs/heads/main"}
	for name, test := range map[string]struct {
		ref                  Ref
		base, remote, branch string
		want                 bool
	}{
		"itself":                      {main, "main", "origin", "", true},
		"with its remote":             {main, "origin/main", "origin", "", true},
		"with another's":              {main, "up/main", "up", "", true},
		"of a remote by address":      {main, "origin/main", "https://x", "", true},
		"a full name":                 {main, "refs/remotes/origin/main", "origin", "", true},
		"by HEAD":                     {Ref{"HEAD", one, "refs/heads/main"}, "main", "origin", "main", true},
		"HEAD is elsewhere":           {Ref{"HEAD", one, "refs/heads/main"}, "main", "origin", "work", false},
		"another branch":              {Ref{"refs/heads/work", one, "refs/heads/work"}, "main", "origin", "", false},
		"another branch to it":        {Ref{"refs/heads/work", one, "refs/heads/main"}, "main", "origin", "", false},
		"it to another branch":        {Ref{"refs/heads/main", one, "refs/heads/work"}, "main", "origin", "", false},
		"the end of its name":         {Ref{"refs/heads/main", one, "refs/heads/main"}, "feature/main", "origin", "", false},
		"by pre-commit, with its ref": {Ref{"refs/heads/main", one, ""}, "main", "", "", true},
	} {
		if got := test.ref.IsBase(test.base, test.remote, test.branch); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What is there stays, byte for byte; what cannot be understood is not touched.
func TestHookFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"new": "", "a script": "#!/bin/sh\nset -e\nexec git lfs pre-push \"$@\"", "bash": "#!/usr/bin/env bash\n\n\ttrue\n", "with options": "#!/bin/sh -e\nx\r\n",
		"its own hook": "#!/usr/bin/env -S bash -e\n# reviewledger run is elsewhere\n",
	} {
		out, changed, err := Install([]byte(text), "/bin/reviewledger")
		if err != nil || !changed || !Installed(out) {
			t.Fatalf("%s: %v, %v, %q", name, changed, err, out)
		}
		if again, changed, err := Install(out, ""); changed || err != nil || string(again) != string(out) {
			t.Errorf("%s: installed twice: %v, %q", name, err, again)
		}
		if back, changed, err := Remove(out); err != nil || !changed || string(back) != text {
			t.Errorf("%s: removed: %v, %q", name, err, back)
		}
	}
	for name, text := range map[string]string{
		"python": "#!/usr/bin/env python3\nprint()\n", "a binary": "\x7fELF\x02\n", "no first line": "true\n", "one line": "#!/bin/sh", "fish": "#!/usr/bin/fish\n",
		"no shell": "#!\n", "only env": "#!/usr/bin/env -S\n", "CRLF": "#!/bin/sh\r\ntrue\r\n",
	} {
		if out, _, err := Install([]byte(text), "/bin/reviewledger"); !errors.Is(err, ErrByHand) || out != nil {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
	for name, text := range map[string]string{"by hand": first + Command + "\n", "cut": first + begin + Command + "\n"} {
		if out, _, err := Remove([]byte(text)); !errors.Is(err, ErrByHand) || out != nil {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
	if out, changed, err := Install([]byte(first+"# calls reviewledger hook pre-push, some day\n"), ""); err != nil || !changed || !Installed(out) {
		t.Errorf("a comment is taken for the call: %v, %q", err, out)
	}
	if _, changed, err := Remove([]byte("#!/bin/sh\n")); changed || err != nil {
		t.Errorf("not installed: %v", err)
	}
	for text, want := range map[string]bool{"reviewledger run\n": true, "reviewledger run --strict\n": false, "reviewledger run; reviewledger hook pre-push\n": false, "# reviewledger hook pre-push\nreviewledger run\n": true, "# reviewledger run\n": false, "true\n": false} {
		if got := RunsOnly([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
