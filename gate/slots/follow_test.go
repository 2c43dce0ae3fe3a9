package slots

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/testing/difftest"
	"github.com/reviewledger/reviewledger/ledger"
)

// Where the lines of earlier violations are now: what was moved is followed, what was deleted has no
// lines any more, and where the tree is gone it may be anywhere in its file. A skip keeps its lines as
// long as the reviewed tree has them.
func TestFollow(t *testing.T) {
	t.Parallel()
	r := difftest.New(t)
	write := func(name, words string) { r.Write(name, strings.Join(strings.Fields(words), "\n")+"\n") }
	for name, lines := range map[string]string{"old": "one two three four five six seven eight nine ten", "gone": "a b c d e f g h", "stays": "i j k l m n o p"} {
		write(name, lines)
	}
	r.Commit()
	before := r.Git("rev-parse", "HEAD^{tree}")
	r.Git("mv", "old", "new")
	write("new", "zero one two three four five six seven eight nine ten")
	r.Git("rm", "-q", "gone")
	r.Commit()
	repo := r.Open()
	snapshot, err := repo.Snapshot(t.Context(), diff.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	diffs := (&worktree.Worktree{Repo: repo, Config: &config.Config{LogDir: "logs"}}).Diffs()
	reported := func(id string, status ledger.Status, tree, file string, line int, also ...ledger.Place) ledger.Violation {
		return ledger.Violation{ID: id, Status: status, Reviewed: tree, Place: ledger.Place{File: file, Start: line, End: line + 1}, Also: also}
	}
	violations := []ledger.Violation{
		reported("moved", ledger.StatusNew, before, "old", 3, ledger.Place{File: "stays", Start: 5, End: 5}), reported("same", ledger.StatusFixed, before, "stays", 3),
		reported("claimed", ledger.StatusFixed, before, "gone", 3), reported("skipped", ledger.StatusSkipped, before, "gone", 3),
		reported("lost", ledger.StatusNew, strings.Repeat("1", 40), "old", 3), reported("restored", ledger.StatusNew, "", "old", 3), reported("first", ledger.StatusFixed, before, "old", 1),
	}
	for name, test := range map[string]struct {
		to      string
		want    map[string]string
		renamed map[string]string
		shown   []string // claims near which something changed
	}{
		"now": {snapshot.Tree, map[string]string{
			"moved": "new 4-5, stays 5-5", "same": "stays 3-4", "claimed": "gone 0-0", "skipped": "gone 0-0", "lost": "old 0-0", "first": "new 2-3",
		}, map[string]string{"old": "new"}, []string{"claimed", "first"}},
		"in a commit before it was deleted": {before, map[string]string{
			"moved": "old 0-0, stays 5-5", "same": "stays 3-4", "claimed": "gone 0-0", "skipped": "gone 3-4", "lost": "old 0-0", "first": "old 0-0",
		}, map[string]string{}, nil},
	} {
		slot := Slot{SlotPlan: ledger.SlotPlan{Index: 1}, To: test.to}
		if err := slot.follow(t.Context(), diffs, violations); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for id, where := range slot.carried {
			got[id] = fmt.Sprintf("%s %d-%d", where.Here.File, where.Here.Start, where.Here.End)
			for _, p := range where.Further {
				got[id] += fmt.Sprintf(", %s %d-%d", p.File, p.Start, p.End)
			}
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(test.renamed, slot.renamed); d != "" {
			t.Errorf("%s: renamed (-want +got):\n%s", name, d)
		}
		var shown []string
		for _, id := range slices.Sorted(maps.Keys(slot.hunks)) {
			if slot.hunks[id] != "" {
				shown = append(shown, id)
			}
		}
		if d := cmp.Diff(test.shown, shown); d != "" {
			t.Errorf("%s: claims beside changes (-want +got):\n%s", name, d)
		}
	}
}
