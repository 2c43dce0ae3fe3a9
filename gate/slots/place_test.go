package slots

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// TestClaimWords lets an unreadable word count against every claim without an answer of
// its own.
//
// Rule: An unreadable word on a claim counts as not fixed.
func TestClaimWords(t *testing.T) {
	t.Parallel()
	shown := []ledger.Violation{{ID: "01AAA", ShortID: "aaa"}, {ID: "01BBB", ShortID: "bbb"}}
	tests := []struct {
		name string
		said []clients.ClaimWord
		want []ledger.ClaimWord
	}{
		{"none", nil, nil},
		{"words", []clients.ClaimWord{{ID: "aaa", Fixed: true, Evidence: "e"}, {ID: "zzz"}}, []ledger.ClaimWord{{ID: "aaa", Fixed: true, Evidence: "e"}, {ID: "zzz"}}},
		{"unreadable", []clients.ClaimWord{{Evidence: "?"}}, []ledger.ClaimWord{{ID: "aaa", Evidence: "?"}, {ID: "bbb", Evidence: "?"}}},
		{"unreadable beside a word", []clients.ClaimWord{{Evidence: "?"}, {ID: "01aaa", Fixed: true}},
			[]ledger.ClaimWord{{ID: "01aaa", Fixed: true}, {ID: "bbb", Evidence: "?"}}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, claimWords(test.said, shown)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// What is not clear in an answer counts against the change, and is said: also where git
// does not tell which files there are.
func TestRead(t *testing.T) {
	t.Parallel()
	const unlisted = "find the files that the reviewer names: list files: \"gone\" is not a full object id"
	for name, test := range map[string]struct {
		entry    clients.Entry
		whole    bool
		priority ledger.Priority
		warns    []string
	}{
		"clear":               {clients.Entry{File: "f", Start: 2, Priority: "low"}, false, ledger.Low, nil},
		"of no file":          {clients.Entry{Priority: "low"}, false, ledger.Low, nil},
		"of another file":     {clients.Entry{File: "g", Start: 2, Priority: "low"}, true, ledger.Low, []string{unlisted, `violation 3 names "g", which is not a file of the repository; it counts as about the whole change`}},
		"the old name of one": {clients.Entry{File: "was.go", Start: 2, Priority: "low"}, false, ledger.Low, nil},
		"some priority":       {clients.Entry{File: "f", Start: 2, Priority: "high", PriorityUnknown: true, PriorityGiven: "P1"}, false, ledger.High, []string{`violation 3 has an unknown priority "P1"; it counts as high`}},
		"a claim":             {clients.Entry{File: "f", Start: 2, Priority: "low", Claim: "AAA"}, false, ledger.Low, nil},
		"no claim of this":    {clients.Entry{File: "f", Start: 2, Priority: "low", Claim: "bbb"}, false, ledger.Low, []string{`violation 3 names the claim "bbb", which was not put to verification`}},
	} {
		a := &Answer{asker: &Asker{Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: t.TempDir()}}}}
		a.Slot.renamed = map[string]string{"was.go": "is.go"} // since the slot's violations were reviewed
		a.Slot.To, a.Slot.Claims = "gone", []ledger.Violation{{ID: "01AAA", ShortID: "aaa"}}
		a.Slot.Diff = &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 2, OldCount: 1, NewStart: 2, NewCount: 1}}}}}
		test.entry.Position, test.entry.End = 3, test.entry.Start
		a.read(t.Context(), clients.Answer{Status: clients.StatusFail, Entries: []clients.Entry{test.entry}, Warnings: []string{"first"}})
		if d := cmp.Diff(append([]string{"first"}, test.warns...), a.Warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, d)
		}
		if e := a.Entries[0]; !a.Fail || e.WholeChange != test.whole || e.Priority != test.priority || e.Place.File != strings.Replace(test.entry.File, "was.go", "is.go", 1) || e.Position != 3 || e.Claim != test.entry.Claim {
			t.Errorf("%s: fails %t, %+v", name, a.Fail, e)
		}
	}
}

// TestReadDrafts takes a violation before the answer for an example only where it names no
// file of the repository.
//
// Rule: Violations beside the answer are an error.
func TestReadDrafts(t *testing.T) {
	t.Parallel()
	const ambiguous = `JSON parsing failed: ambiguous: before the answer stands a violation of "f" that the answer does not list`
	for _, test := range []struct {
		file   string
		line   int
		reason string
	}{{"", 2, ""}, {"path/to/file", 2, ""}, {"./f", 2, ambiguous}, {"f", 9, ""}} {
		file, reason := test.file, test.reason
		a := &Answer{asker: &Asker{Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: t.TempDir()}}}}
		a.Slot.To = "gone"
		a.Slot.Diff = &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 2, OldCount: 1, NewStart: 2, NewCount: 1}}}}}
		a.read(t.Context(), clients.Answer{
			Status: clients.StatusFail, Entries: []clients.Entry{{File: "f", Start: 9, End: 9, Priority: "low", Position: 1}},
			Drafts: []clients.Entry{{File: file, Start: test.line, End: test.line, Issue: "x"}},
		})
		if a.Reason != reason || (a.Status == ledger.SlotError) != (reason != "") {
			t.Errorf("%q: status %q, reason %q, want %q", file, a.Status, a.Reason, reason)
		}
	}
}
