package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func words(s string) *string { return &s }

func exported() ledger.Exported {
	return ledger.Exported{
		ULIDs: []string{"A", "B"},
		Document: ledger.SlotDocument{
			Job: quality, Slot: 1, Adapter: "claude", Iteration: 1, At: time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC),
			Status: fail, RawOutput: "raw",
			Violations: []ledger.SlotEntry{
				{ID: "aaaaaaaa", File: "a.go", Line: 1, EndLine: 1, Issue: "leaks", Fix: "close it", Priority: "high", Status: "new"},
				{ID: "bbbbbbbb", File: "b.go", Line: 2, EndLine: 4, Issue: "races", Priority: "low", Status: "fixed", Result: words("locked"), Outdated: true},
			},
		},
	}
}

// edited returns an edit of the exported file.
func edited(id, shortID string, status ledger.Status, result string) ledger.Edit {
	return ledger.Edit{Violation: id, ShortID: shortID, Status: status, Result: result, Job: quality, Slot: 1, Iteration: 1}
}

// Rule: The ledger is the only truth.
func TestCompareEdits(t *testing.T) {
	t.Parallel()
	set := func(i int, status string, result *string) func(*ledger.SlotDocument) {
		return func(d *ledger.SlotDocument) { d.Violations[i].Status, d.Violations[i].Result = status, result }
	}
	edit := func(id string, status ledger.Status, result string) ledger.Edit {
		return edited(id, strings.Repeat(strings.ToLower(id), 8), status, result)
	}
	tests := []struct {
		name     string
		change   func(*ledger.SlotDocument)
		want     []ledger.Edit
		warnings []string // words in each
	}{
		{"nothing", func(*ledger.SlotDocument) {}, nil, nil},
		{"fixed with a result", set(0, "fixed", words("closed")), []ledger.Edit{edit("A", ledger.StatusFixed, "closed")}, nil},
		{"skipped", set(0, "skipped", words("moves")), []ledger.Edit{edit("A", ledger.StatusSkipped, "moves")}, nil},
		{"skipped without words", set(0, "skipped", words(" ")), nil, []string{`aaaaaaaa has the status "skipped" without a result; it counts as "new"`}},
		{"skipped without words, and its id taken away", func(d *ledger.SlotDocument) {
			d.Violations[0].ID, d.Violations[0].Status = "", "skipped"
		}, nil, []string{`"id" was changed`, `aaaaaaaa has the status "skipped" without a result`}},
		{"back to new", set(1, "new", nil), []ledger.Edit{edit("B", ledger.StatusNew, "")}, nil},
		{"another result", set(1, "fixed", words("locked twice")), []ledger.Edit{edit("B", ledger.StatusFixed, "locked twice")}, nil},
		{"a result taken away stands", set(1, "fixed", nil), nil, nil},
		{"words on an open one", set(0, "new", words("will do")), nil, nil},
		{"letter case and space", set(0, " Fixed\n", nil), []ledger.Edit{edit("A", ledger.StatusFixed, "")}, nil},
		{"Unexpected status warning", set(0, "done", words("x")), nil, []string{`aaaaaaaa has the unexpected status "done"`}},
		{"an unexpected status opens a claim", set(1, "verified", words("x")), []ledger.Edit{edit("B", ledger.StatusNew, "x")}, []string{`unexpected status "verified"`}},
		{"no status", set(1, "", nil), []ledger.Edit{edit("B", ledger.StatusNew, "")}, []string{`unexpected status ""`}},
		{"where the lines of an earlier report had gone", func(d *ledger.SlotDocument) {
			d.Violations[1].File, d.Violations[1].Line = "moved.go", 9
		}, nil, nil},
		{"deleted", func(d *ledger.SlotDocument) { d.Violations = d.Violations[1:] }, nil, []string{"aaaaaaaa was deleted (a.go:1 leaks); it stays new"}},
		{"all deleted", func(d *ledger.SlotDocument) { d.Violations = nil }, nil, []string{"aaaaaaaa was deleted", "bbbbbbbb was deleted"}},
		{"added before the others", func(d *ledger.SlotDocument) {
			d.Violations = append([]ledger.SlotEntry{{File: "c.go", Line: 3, Issue: "mine", Status: "skipped"}}, d.Violations...)
		}, nil, []string{"violations[0] was added (c.go:3 mine)"}},
		{"added", func(d *ledger.SlotDocument) {
			d.Violations = append(d.Violations, ledger.SlotEntry{File: "c.go", Line: 3, Issue: "mine", Status: "new"})
		}, nil, []string{"violations[2] was added (c.go:3 mine)"}},
		{"reordered", func(d *ledger.SlotDocument) {
			d.Violations[0], d.Violations[1] = d.Violations[1], d.Violations[0]
			d.Violations[1].Status = "fixed"
		}, []ledger.Edit{edit("A", ledger.StatusFixed, "")}, nil},
		{"matched by place without ids", func(d *ledger.SlotDocument) {
			d.Violations[0].ID, d.Violations[1].ID, d.Violations[0].Status = "", "", "fixed"
		}, []ledger.Edit{edit("A", ledger.StatusFixed, "")}, []string{`aaaaaaaa: "id" was changed`, `bbbbbbbb: "id" was changed`}},
		{"matched by id though all else changed", func(d *ledger.SlotDocument) {
			d.Violations[0] = ledger.SlotEntry{ID: "aaaaaaaa", File: "z.go", Line: 9, Issue: "nothing", Fix: "none", Priority: "info", Status: "fixed"}
		}, []ledger.Edit{edit("A", ledger.StatusFixed, "")}, []string{`"file" was changed`, `"line" was changed`, `"issue" was changed`, `"fix" was changed`, `"priority" was changed`}},
		{"one id twice", func(d *ledger.SlotDocument) {
			d.Violations[1] = d.Violations[0]
			d.Violations[1].Status = "skipped"
		}, nil, []string{"violations[1] was added", "bbbbbbbb was deleted"}},
		{"the id of the second, and the second itself", func(d *ledger.SlotDocument) { d.Violations[0].ID, d.Violations[0].Status = "bbbbbbbb", "skipped" },
			nil, []string{"violations[0] was added", "aaaaaaaa was deleted"}},
		{"an unknown id at a known place", func(d *ledger.SlotDocument) { d.Violations[0].ID, d.Violations[0].Status = "cccccccc", "fixed" },
			[]ledger.Edit{edit("A", ledger.StatusFixed, "")}, []string{`"id" was changed`}},
		{"an unknown id at the second's place", func(d *ledger.SlotDocument) { d.Violations[1].ID, d.Violations[1].Status = "cccccccc", "skipped" },
			[]ledger.Edit{edit("B", ledger.StatusSkipped, "locked")}, []string{`"id" was changed`}},
		{"an unknown id at a place that nobody reported", func(d *ledger.SlotDocument) {
			d.Violations[0].ID, d.Violations[0].Line, d.Violations[0].Status = "cccccccc", 9, "fixed"
		}, nil, []string{"violations[0] was added", "aaaaaaaa was deleted"}},
		{"fields of the document", func(d *ledger.SlotDocument) {
			d.Adapter, d.At, d.Status, d.RawOutput, d.PassIteration = "codex", d.At.Add(time.Hour), pass, "forged", 1
		}, nil, []string{`"adapter" was changed`, `"timestamp" was changed`, `"status" was changed`, `"rawOutput" was changed`, `"passIteration" was changed`}},
		{"what filters left out", func(d *ledger.SlotDocument) { d.Filtered = []ledger.FilteredEntry{{ID: "dddddddd"}} }, nil, []string{`"filtered" was changed`}},
		{"a file's milliseconds", func(d *ledger.SlotDocument) { d.At = d.At.Truncate(time.Second).In(time.FixedZone("", 3600)) }, nil, nil},
	}
	restored := exported()
	restored.Restored = true
	later := restored.Document
	later.At, later.Filtered = later.At.Add(time.Hour), []ledger.FilteredEntry{{ID: "dddddddd"}}
	if _, warnings := ledger.CompareEdits(restored, later); len(warnings) > 0 {
		t.Errorf("of what a restored slot does not know: %q", warnings)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			read := exported().Document
			tt.change(&read)
			edits, warnings := ledger.CompareEdits(exported(), read)
			if d := cmp.Diff(tt.want, edits); d != "" {
				t.Errorf("edits (-want +got):\n%s", d)
			}
			if len(warnings) != len(tt.warnings) {
				t.Fatalf("warnings %q, want %q", warnings, tt.warnings)
			}
			for i, want := range tt.warnings {
				if !strings.Contains(warnings[i], want) {
					t.Errorf("warning %q does not say %q", warnings[i], want)
				}
			}
		})
	}
}

// Entries without an id, as another tool writes them, are matched by their places.
func TestCompareEditsWithoutIDs(t *testing.T) {
	t.Parallel()
	last := exported()
	for i := range last.Document.Violations {
		last.Document.Violations[i].ID = ""
	}
	read := last.Document
	read.Violations = []ledger.SlotEntry{last.Document.Violations[1], last.Document.Violations[0]}
	read.Violations[1].Status, read.Violations[1].Result = "fixed", words("closed")
	edits, warnings := ledger.CompareEdits(last, read)
	if d := cmp.Diff([]ledger.Edit{edited("A", "", ledger.StatusFixed, "closed")}, edits); d != "" || len(warnings) > 0 {
		t.Errorf("edits (-want +got):\n%s\nwarnings %q", d, warnings)
	}
}

// An edit that the ledger already has is neither counted nor refused.
func TestEffectOfAnEdit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name             string
		actor            ledger.Actor
		now              ledger.Status
		result           string
		edit             ledger.Edit
		without, refused bool
	}{
		{"open, and opened", ledger.ActorAgent, ledger.StatusNew, "", ledger.Edit{Status: ledger.StatusNew}, true, false},
		{"open, and opened with words", ledger.ActorAgent, ledger.StatusNew, "", ledger.Edit{Status: ledger.StatusNew, Result: "later"}, true, false},
		{"reopened, and opened", ledger.ActorAgent, ledger.StatusReopened, "not yet", ledger.Edit{Status: ledger.StatusNew}, true, false},
		{"open, and fixed without words", ledger.ActorAgent, ledger.StatusNew, "", ledger.Edit{Status: ledger.StatusFixed}, false, false},
		{"reopened, and fixed in the words of before", ledger.ActorAgent, ledger.StatusReopened, "done", ledger.Edit{Status: ledger.StatusFixed, Result: "done"}, false, false},
		{"fixed, and fixed", ledger.ActorAgent, ledger.StatusFixed, "done", ledger.Edit{Status: ledger.StatusFixed, Result: "done"}, true, false},
		{"fixed, and fixed in other words", ledger.ActorAgent, ledger.StatusFixed, "done", ledger.Edit{Status: ledger.StatusFixed, Result: "really"}, false, false},
		{"fixed, and opened", ledger.ActorAgent, ledger.StatusFixed, "", ledger.Edit{Status: ledger.StatusNew}, false, false},
		{"fixed, and skipped in the same words", ledger.ActorAgent, ledger.StatusFixed, "done", ledger.Edit{Status: ledger.StatusSkipped, Result: "done"}, false, false},
		{"verified, and opened", ledger.ActorAgent, ledger.StatusVerified, "done", ledger.Edit{Status: ledger.StatusNew}, false, true},
		{"verified, and fixed", ledger.ActorAgent, ledger.StatusVerified, "done", ledger.Edit{Status: ledger.StatusFixed, Result: "done"}, false, true},
		{"verified, and verified", ledger.ActorAgent, ledger.StatusVerified, "done", ledger.Edit{Status: ledger.StatusVerified, Result: "done"}, true, false},
	} {
		got := tt.edit.Effect(tt.actor, tt.now, tt.result)
		if (got == ledger.EditWithout) != tt.without || (got == ledger.EditRefused) != tt.refused {
			t.Errorf("%s: effect %d", tt.name, got)
		}
	}
}

// Two entries that differ only in their ids stay two.
func TestCompareEditsOfTwins(t *testing.T) {
	t.Parallel()
	last := exported()
	last.Document.Violations[1] = last.Document.Violations[0]
	last.Document.Violations[1].ID = "bbbbbbbb"
	read := ledger.SlotDocument{Adapter: "claude", At: last.Document.At, Status: fail, RawOutput: "raw",
		Violations: append([]ledger.SlotEntry(nil), last.Document.Violations...)}
	read.Violations[1].Status = "fixed"
	edits, warnings := ledger.CompareEdits(last, read)
	if d := cmp.Diff([]ledger.Edit{edited("B", "bbbbbbbb", ledger.StatusFixed, "")}, edits); d != "" || len(warnings) > 0 {
		t.Errorf("edits (-want +got):\n%s\nwarnings %q", d, warnings)
	}
}

// Rule: The ledger is the only truth.
func TestMergeEdits(t *testing.T) {
	t.Parallel()
	in := func(slot int, id string, status ledger.Status, result string) ledger.Edit {
		return ledger.Edit{Violation: id, Status: status, Result: result, Job: quality, Slot: slot, Iteration: 1}
	}
	over := func(winner ledger.Edit, others ...ledger.Edit) ledger.Edit {
		winner.Others = others
		return winner
	}
	fixed, opened, left := in(1, "A", ledger.StatusFixed, "f"), in(2, "A", ledger.StatusNew, ""), in(3, "A", ledger.StatusSkipped, "s")
	disputed := in(2, "A", ledger.StatusDisputed, "d")
	tests := []struct {
		name     string
		edits    []ledger.Edit
		want     []ledger.Edit
		warnings int
	}{
		{"none", nil, nil, 0},
		{"of two violations", []ledger.Edit{fixed, in(1, "B", ledger.StatusSkipped, "")}, []ledger.Edit{fixed, in(1, "B", ledger.StatusSkipped, "")}, 0},
		{"fixed before skipped", []ledger.Edit{left, fixed}, []ledger.Edit{over(fixed, left)}, 1},
		{"whatever the order", []ledger.Edit{fixed, left}, []ledger.Edit{over(fixed, left)}, 1},
		{"new before skipped", []ledger.Edit{left, opened}, []ledger.Edit{over(opened, left)}, 1},
		{"fixed before new", []ledger.Edit{opened, fixed}, []ledger.Edit{over(fixed, opened)}, 1},
		{"fixed before disputed", []ledger.Edit{disputed, fixed}, []ledger.Edit{over(fixed, disputed)}, 1},
		{"disputed before new", []ledger.Edit{opened, disputed}, []ledger.Edit{over(disputed, opened)}, 1},
		{"three files", []ledger.Edit{left, opened, fixed}, []ledger.Edit{over(fixed, left, opened)}, 2},
		{"the same twice", []ledger.Edit{fixed, in(2, "A", ledger.StatusFixed, "other words")}, []ledger.Edit{over(fixed, in(2, "A", ledger.StatusFixed, "other words"))}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, warnings := ledger.MergeEdits(tt.edits)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("merged (-want +got):\n%s", d)
			}
			if len(warnings) != tt.warnings {
				t.Errorf("%d warnings: %q", len(warnings), warnings)
			}
		})
	}
}

// Edits count once, if the actor may make them, and a mark that is undone leaves no explanation.
//
// Rule: The ledger is the only truth.
func TestApplyEdits(t *testing.T) {
	t.Parallel()
	edit := func(id string, status ledger.Status, result string) ledger.Edit {
		return ledger.Edit{Violation: id, Status: status, Result: result, Iteration: 3}
	}
	open := violation("a", quality, 1, ledger.StatusNew)
	said := violation("b", quality, 1, ledger.StatusSkipped)
	said.Result, said.Reason, said.Answered = "said", "style", 1
	done := violation("c", quality, 1, ledger.StatusVerified)
	reopened := violation("d", quality, 1, ledger.StatusReopened)
	for name, test := range map[string]struct {
		edits []ledger.Edit
		count int
		want  []string // status|result|reason|answered
	}{
		"none":           {nil, 0, []string{"new|||0", "skipped|said|style|1", "verified|||0", "reopened|||0"}},
		"fixed":          {[]ledger.Edit{edit("a", "fixed", "so")}, 1, []string{"fixed|so||3", "skipped|said|style|1", "verified|||0", "reopened|||0"}},
		"as it is":       {[]ledger.Edit{edit("a", "new", ""), edit("b", "skipped", "said"), edit("d", "new", "")}, 0, []string{"new|||0", "skipped|said|style|1", "verified|||0", "reopened|||0"}},
		"other words":    {[]ledger.Edit{edit("b", "skipped", "again")}, 1, []string{"new|||0", "skipped|again||3", "verified|||0", "reopened|||0"}},
		"taken back":     {[]ledger.Edit{edit("b", "new", "gone")}, 1, []string{"new|||0", "new|||1", "verified|||0", "reopened|||0"}},
		"refused":        {[]ledger.Edit{edit("c", "skipped", "so"), edit("c", "new", "")}, 0, []string{"new|||0", "skipped|said|style|1", "verified|||0", "reopened|||0"}},
		"of another run": {[]ledger.Edit{edit("z", "fixed", "so")}, 0, []string{"new|||0", "skipped|said|style|1", "verified|||0", "reopened|||0"}},
		"two":            {[]ledger.Edit{edit("d", "fixed", "so"), edit("a", "skipped", "no")}, 2, []string{"skipped|no||3", "skipped|said|style|1", "verified|||0", "fixed|so||3"}},
	} {
		s := state(nil, open, said, done, reopened)
		count := ledger.ApplyEdits(s, ledger.ActorAgent, test.edits)
		var got []string
		for _, v := range s.Violations {
			got = append(got, fmt.Sprintf("%s|%s|%s|%d", v.Status, v.Result, v.Reason, v.Answered))
		}
		if d := cmp.Diff(test.want, got); d != "" || count != test.count {
			t.Errorf("%s: %d count (-want +got):\n%s", name, count, d)
		}
	}
}

// For a file that is not in the ledger, each odd status gives a warning that says how it counts.
// The warning names the violation by its id, or else by its place and words.
//
// Rule: A mark is not a fix.
func TestRestoredWarnings(t *testing.T) {
	t.Parallel()
	done := "done"
	const allowed = `; it counts as "new" (allowed: new, fixed, skipped, disputed, duplicate)`
	want := []string{
		`violation 8f3kq2 has the unexpected status "closed"` + allowed,
		`violation "a.go:3 Bad" has the unexpected status ""` + allowed,
		`violation 8f3kq3 has the status "skipped" without a result; it counts as "new": say in "result" why it is left as it is`,
		`violation "a.go:3 Bad" has the status "disputed" without a result; it counts as "new": say in "result" why it is not a problem`,
	}
	got := ledger.RestoredWarnings(ledger.SlotDocument{Violations: []ledger.SlotEntry{
		{ID: "8f3kq2", Status: "closed"}, {File: "a.go", Line: 3, Issue: "Bad\nthing"}, {ID: "8f3kq3", Status: " Skipped "},
		{File: "a.go", Line: 3, EndLine: 3, Issue: "Bad", Status: "disputed"}, {File: "a.go", Status: "skipped"}, {ID: "8f3kq4", Status: "disputed", Result: &done}, {Status: "FIXED"},
	}})
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A file that is written again keeps what is not a word, but not beside a mark.
//
// Rule: The ledger is the only truth.
func TestFilesKeepWhatIsNotAWord(t *testing.T) {
	t.Parallel()
	unread := ledger.UnreadIn(ledger.SlotDocument{Violations: []ledger.SlotEntry{
		{ID: "aaaaaaaa", Status: "fixd", Result: words("the null check")}, {ID: "bbbbbbbb", Status: "skipped"},
		{ID: "cccccccc", Status: "fixed"}, {ID: "dddddddd", Status: "fixd"}, {Status: "fixd"},
	}})
	ours := ledger.SlotDocument{Violations: []ledger.SlotEntry{
		{ID: "aaaaaaaa", Status: "new"}, {ID: "bbbbbbbb", Status: "new"}, {ID: "cccccccc", Status: "new"},
		{ID: "dddddddd", Status: "skipped", Result: words("taste")}, {Status: "new"},
	}}
	var got []string
	for _, entry := range ours.Keep(unread).Violations {
		text := "-"
		if entry.Result != nil {
			text = *entry.Result
		}
		got = append(got, entry.Status+" "+text)
	}
	if want := []string{"fixd the null check", "skipped -", "new -", "skipped taste", "new -"}; !slices.Equal(got, want) {
		t.Errorf("written: %q", got)
	}
	if ours.Violations[0].Status != "new" {
		t.Error("what is recorded as written has changed")
	}
}
