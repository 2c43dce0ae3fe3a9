package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// moved makes a repository in which a commit renamed f and added a line above all others, and
// returns the trees before and after.
func moved(t *testing.T) (d *Diffs, before, after string) {
	t.Helper()
	r := repository(t)
	r.Write("out/f", "one\ntwo\nthree\nfour\nfive\nsix\n")
	before = r.Commit()
	r.Write("in/f", "zero\none\ntwo\nthree\nfour\nfive\nsix\n")
	r.Git("rm", "-q", "out/f")
	after = r.Commit()
	w := &Worktree{Repo: r.Open(), Config: &config.Config{LogDir: "logs"}}
	return w.Diffs(), before, after
}

// A file that comes from where a gate does not look is new to the gate.
//
// Rule: No slot passes what it was not shown.
func TestPart(t *testing.T) {
	t.Parallel()
	d, before, after := moved(t)
	under := func(folders string) func(string) bool {
		return func(file string) bool { return slices.Contains(strings.Fields(folders), strings.Split(file, "/")[0]) }
	}
	for _, test := range []struct{ covers, looks, want string }{
		{"in", "in", "added"}, {"in", "in out", "renamed"}, {"in out", "in out", "renamed"}, {"out", "", "renamed"}, {"other", "other", ""},
	} {
		part, err := d.Part(t.Context(), Span{From: before, To: after}, under(test.covers), under(test.looks))
		var got []string
		for _, f := range part.Files {
			got = append(got, string(f.Kind))
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("covers %s, looks at %s: %q, %v", test.covers, test.looks, got, err)
		}
	}
	if same, err := d.Between(t.Context(), after, after); err != nil || !same.Empty() {
		t.Errorf("with itself: %v, %v", same, err)
	}
}

// The places of violations are followed into the tree, each from the tree in which it was reported.
//
// Rule: A place moves with its lines.
func TestFollow(t *testing.T) {
	t.Parallel()
	d, before, after := moved(t)
	at := func(file string, line int) ledger.Place { return ledger.Place{File: file, Start: line, End: line} }
	list := []ledger.Violation{
		{ID: "moved", Reviewed: before, Place: at("out/f", 2), Also: []ledger.Place{at("out/f", 5)}}, {ID: "next", Reviewed: before, Place: at("out/f", 3)},
		{ID: "here", Reviewed: after, Place: at("in/f", 2)}, {ID: "gone", Reviewed: "0123456789012345678901234567890123456789", Place: at("out/f", 2)}, {ID: "unknown", Place: at("out/f", 2)},
	}
	got := map[string]string{}
	err := d.Follow(t.Context(), after, list, func(v *ledger.Violation, since *diff.Diff, now []ledger.Whereabouts) {
		words := []string{fmt.Sprint(since != nil)}
		for _, w := range now {
			words = append(words, fmt.Sprintf("%s:%d", w.Here.File, w.Here.Start))
		}
		got[v.ID] = strings.Join(words, " ")
	})
	for id, want := range map[string]string{"moved": "true in/f:3 in/f:6", "next": "true in/f:4", "here": "true in/f:2", "gone": "false", "unknown": ""} {
		if got[id] != want || err != nil {
			t.Errorf("%s: %q, want %q; %v", id, got[id], want, err)
		}
	}
}

// A diff that was computed in advance is not computed again, and the names of its files are known.
// If only the names were asked for, the diff is computed when it is needed.
func TestPrefetch(t *testing.T) {
	t.Parallel()
	d, before, after := moved(t)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	want := diff.Listing{{Old: "out/f", New: "in/f"}}
	d.Prefetch(t.Context(), []Span{{From: before, To: after}}, before, after)
	between, err := d.Between(stopped, before, after)
	list, listErr := d.List(stopped, before, after)
	if err != nil || listErr != nil || len(between.Files) != 1 || !slices.Equal(list, want) {
		t.Errorf("%v, %v; %q, %v", between, err, list, listErr)
	}
	d.Prefetch(t.Context(), nil, after, before)
	if list, err := d.List(stopped, after, before); err != nil || len(list) != 1 || list[0] != (diff.Names{Old: "in/f", New: "out/f"}) {
		t.Errorf("%q, %v", list, err)
	}
	if between, err := d.Between(t.Context(), after, before); err != nil || len(between.Files) != 1 {
		t.Errorf("%v, %v", between, err)
	}
	if list, err := d.List(t.Context(), after, after); err != nil || len(list) != 0 {
		t.Errorf("with itself: %q, %v", list, err)
	}
}
