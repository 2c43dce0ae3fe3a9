package worktree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/testing/difftest"
)

// After the base has moved, what is as in the new base is left out, what only the author changed is
// compared with what was seen, and what both sides changed is compared with the new base.
//
// Rule: No slot passes what it was not shown.
func TestDiffsOverAMovedBase(t *testing.T) {
	t.Parallel()
	r := difftest.New(t)
	commit := func(files map[string]string) string {
		r.Git("rm", "-rfq", "--ignore-unmatch", ".")
		for name, text := range files {
			r.Write(name, text)
		}
		return r.Commit()
	}
	lines := func(words string) string { return strings.ReplaceAll(words, " ", "\n") + "\n" }
	long := "a b c d e f g h i j k l m n o p q r s t"
	was := commit(map[string]string{"kept": lines("old"), "theirs": lines("old"), "both": lines(long), "dropped": lines(long), "gone": lines("x y z"), "moved": lines(long), "deleted": lines("p q r"), "away": lines(long + " away")})
	saw := commit(map[string]string{"kept": lines("old"), "mine": lines("first"), "theirs": lines("old"), "both": lines(long + " mine"), "dropped": lines(long), "gone": lines("x y z"), "moved": lines(long), "deleted": lines("p q r"), "away": lines(long + " away")})
	now := commit(map[string]string{"kept": lines("old"), "theirs": lines("new"), "both": lines("guard " + long), "dropped": lines(long + " guard"), "added": lines("u v w"), "moved": lines("guard " + long), "deleted": lines("p q r"), "elsewhere": lines(long + " away")})
	to := commit(map[string]string{"kept": lines("old"), "mine": lines("first second"), "theirs": lines("new"), "both": lines("guard " + long + " mine"), "dropped": lines(long), "renamed": lines(long), "elsewhere": lines(long + " away"), "fresh": lines(long + " away fresh")})
	w := &Worktree{Repo: r.Open(), Config: &config.Config{LogDir: "logs"}}
	d := w.Diffs()
	for name, test := range map[string]struct {
		span Span
		want string // the files, with what is shown of each
	}{
		"nothing moved":       {Span{From: saw, To: to, Was: was, Now: was}, ""},
		"moved":               {Span{From: saw, To: to, Was: was, Now: now}, "added(deleted +0 -3) both(modified +1 -0) deleted(deleted +0 -3) dropped(modified +0 -1) fresh(added +22 -0) mine(modified +1 -0) renamed(renamed +0 -1)"},
		"the tree is as then": {Span{From: to, To: to, Was: was, Now: now}, "added(deleted +0 -3) both(modified +1 -0) dropped(modified +0 -1) renamed(renamed +0 -1)"},
	} {
		got, err := d.Over(t.Context(), test.span)
		if err != nil {
			t.Fatal(err)
		}
		if test.want == "" {
			if plain, err := d.Between(t.Context(), saw, to); err != nil || len(plain.Files) != len(got.Files) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
			continue
		}
		if signs := signsOf(got); signs != test.want {
			t.Errorf("%s: %s\nwant %s", name, signs, test.want)
		}
	}
}

// signsOf names the files of a diff, each with its kind and the numbers of lines that it adds and
// removes.
func signsOf(d *diff.Diff) string {
	var list []string
	for _, f := range d.Files {
		added, removed := 0, 0
		for _, b := range f.Blocks {
			added, removed = added+b.NewCount, removed+b.OldCount
		}
		list = append(list, fmt.Sprintf("%s(%s +%d -%d)", f.Path(), f.Kind, added, removed))
	}
	return strings.Join(list, " ")
}
