package ledger_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// joined returns violations of one run: b is a duplicate of a, and a, b and c are related.
func joined() *ledger.State {
	s := &ledger.State{Violations: []ledger.Violation{
		{ID: "A", ShortID: "a", Status: ledger.StatusFixed, Result: "renamed", Block: "a"},
		{ID: "B", ShortID: "b", Status: ledger.StatusNew, Block: "a"},
		{ID: "C", ShortID: "c", Status: ledger.StatusReopened, Block: "a"},
		{ID: "D", ShortID: "d", Status: ledger.StatusNew},
		{ID: "E", ShortID: "e", Status: ledger.StatusSkipped, Block: "a"},
		{ID: "F", ShortID: "f", Status: ledger.StatusVerified, Block: "a"},
	}}
	ledger.ApplyEdits(s, ledger.ActorAgent, []ledger.Edit{{Violation: "B", Status: ledger.StatusDuplicate, Result: "a"}})
	return s
}

func TestRefuseJoin(t *testing.T) {
	s := joined()
	at := func(id string) ledger.Violation {
		for _, v := range s.Violations {
			if v.ShortID == id {
				return v
			}
		}
		t.Fatalf("no violation %s", id)
		return ledger.Violation{}
	}
	for _, test := range []struct {
		v, of string
		actor ledger.Actor
		want  string
	}{
		{"c", "a", ledger.ActorAgent, ""},
		{"a", "c", ledger.ActorAgent, ""},
		{"d", "a", ledger.ActorAgent, "not listed as perhaps the same"},
		{"d", "a", ledger.ActorHuman, ""},
		{"a", "a", ledger.ActorHuman, "a duplicate of itself"},
		{"e", "a", ledger.ActorHuman, "violation e is skipped"},
		{"a", "e", ledger.ActorHuman, "violation e is skipped"},
		{"f", "a", ledger.ActorHuman, "violation f is verified"},
		{"a", "f", ledger.ActorHuman, "violation f is verified"},
		{"c", "b", ledger.ActorHuman, "violation b is duplicate"},
	} {
		got := ledger.Mark{Status: ledger.StatusDuplicate, Actor: test.actor}.RefuseJoin(at(test.v), at(test.of))
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s to %s by %s: %q, want %q", test.v, test.of, test.actor, got, test.want)
		}
	}
	mark := ledger.Mark{Status: ledger.StatusDuplicate, Actor: ledger.ActorHuman}
	disputed := at("d")
	disputed.Status = ledger.StatusDisputed
	for _, pair := range [][2]ledger.Violation{{disputed, at("a")}, {at("a"), disputed}} {
		if got := mark.RefuseJoin(pair[0], pair[1]); !strings.Contains(got, "disputed") {
			t.Errorf("%s to %s, of which one is disputed: %q", pair[0].ShortID, pair[1].ShortID, got)
		}
	}
	one := func(id string) ledger.ListedViolation { return ledger.ListedViolation{Violation: at(id), Run: "R"} }
	if got := mark.RefuseJoinOf(one("c"), one("a")); got != "" {
		t.Errorf("violations of one run: %q", got)
	}
	if got := mark.RefuseJoinOf(ledger.ListedViolation{Violation: at("c"), Run: "R1"}, ledger.ListedViolation{Violation: at("a"), Run: "R2"}); !strings.Contains(got, "of one run") {
		t.Errorf("violations of two runs: %q", got)
	}
}

func TestSettleEdits(t *testing.T) {
	edit := func(id string, status ledger.Status, result string) ledger.Edit {
		return ledger.Edit{Violation: id, Status: status, Result: result, ShortID: strings.ToLower(id)}
	}
	for name, test := range map[string]struct {
		edits []ledger.Edit
		want  string // statuses, and the originals
		warns string
	}{
		"none":                       {nil, "fixed duplicate:a reopened new skipped verified", ""},
		"one more":                   {[]ledger.Edit{edit("C", ledger.StatusDuplicate, " A ")}, "fixed duplicate:a duplicate:a new skipped verified", ""},
		"one of a duplicate":         {[]ledger.Edit{edit("A", ledger.StatusDuplicate, "c"), edit("D", ledger.StatusSkipped, "no")}, "duplicate:c duplicate:c reopened skipped skipped verified", ""},
		"a circle":                   {[]ledger.Edit{edit("A", ledger.StatusDuplicate, "b")}, "fixed duplicate:a reopened new skipped verified", "a duplicate of itself"},
		"each of the other":          {[]ledger.Edit{edit("A", ledger.StatusDuplicate, "c"), edit("C", ledger.StatusDuplicate, "a")}, "duplicate:c duplicate:c reopened new skipped verified", "a duplicate of itself"},
		"as it is":                   {[]ledger.Edit{edit("B", ledger.StatusDuplicate, "A")}, "fixed duplicate:a reopened new skipped verified", ""},
		"what is not related":        {[]ledger.Edit{edit("D", ledger.StatusDuplicate, "a")}, "fixed duplicate:a reopened new skipped verified", "not listed as perhaps the same"},
		"of nothing":                 {[]ledger.Edit{edit("C", ledger.StatusDuplicate, "")}, "fixed duplicate:a reopened new skipped verified", "which this run does not have"},
		"a mark on a duplicate":      {[]ledger.Edit{edit("B", ledger.StatusSkipped, "no")}, "skipped duplicate:a reopened new skipped verified", "violation b was joined to a, which is marked skipped instead"},
		"of what is not known":       {[]ledger.Edit{edit("Z", ledger.StatusSkipped, "no"), edit("Z", ledger.StatusDuplicate, "a")}, "fixed duplicate:a reopened new skipped verified", ""},
		"the end of a join":          {[]ledger.Edit{edit("B", ledger.StatusNew, "")}, "fixed new reopened new skipped verified", ""},
		"a skip beside a join to it": {[]ledger.Edit{edit("A", ledger.StatusSkipped, "no"), edit("C", ledger.StatusDuplicate, "a")}, "skipped duplicate:a duplicate:a new skipped verified", ""},
	} {
		s := joined()
		settled, warnings := ledger.SettleEdits(s, ledger.ActorAgent, test.edits)
		if untouched := joined(); !reflect.DeepEqual(s, untouched) {
			t.Errorf("%s: settling changed the state", name)
		}
		merged, _ := ledger.MergeEdits(settled)
		ledger.ApplyEdits(s, ledger.ActorAgent, merged)
		var got []string
		for _, v := range s.Violations {
			word := string(v.Status)
			if v.DuplicateOf != "" {
				word += ":" + v.DuplicateOf
			}
			got = append(got, word)
			if v.Status == ledger.StatusDuplicate && (v.Original == nil || v.Fate() != v.Original.Status || v.Problem() != v.Original.ID) {
				t.Errorf("%s: %s does not know how %s stands", name, v.ShortID, v.DuplicateOf)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), test.want)
		}
		if said := strings.Join(warnings, "; "); (said == "") != (test.warns == "") || !strings.Contains(said, test.warns) {
			t.Errorf("%s: warns %q, want %q", name, said, test.warns)
		}
	}
}

// A claim's duplicate is a claim, and its slot has not passed. A duplicate whose original is
// unknown is open.
func TestFate(t *testing.T) {
	s := joined()
	b := s.Violations[1]
	if b.Fate() != ledger.StatusFixed || !b.Claim() || b.Author() != "renamed" || b.Problem() != "A" {
		t.Errorf("the duplicate of a claim is %s, claimed %t by %q", b.Fate(), b.Claim(), b.Author())
	}
	a := ledger.Assess(s)
	if len(a.Claims) != 1 || len(a.Open) != 2 {
		t.Errorf("%d claims and %d open violations; want 1 and 2: a problem counts once", len(a.Claims), len(a.Open))
	}
	s.Violations = s.Violations[1:2]
	s.Violations[0].Original = nil
	if a = ledger.Assess(s); len(a.Open) != 1 || s.Violations[0].Claim() {
		t.Errorf("a duplicate of nothing is not open")
	}
}

// Duplicates are listed with their original, also if the join is only in a file that no run has
// imported yet.
func TestDuplicatesStandUnderWhatTheyWereJoinedTo(t *testing.T) {
	t.Parallel()
	listed := []ledger.ListedViolation{
		{Violation: ledger.Violation{ID: "A", ShortID: "a", Status: ledger.StatusNew}},
		{Violation: ledger.Violation{ID: "B", ShortID: "b", Status: ledger.StatusDuplicate, DuplicateOf: "a"}},
		{Violation: ledger.Violation{ID: "C", ShortID: "c", Status: ledger.StatusNew}},
	}
	open := &ledger.State{Run: ledger.Run{ID: "1"}, Iterations: []ledger.Iteration{{Number: 1}}}
	for _, v := range listed {
		open.Violations = append(open.Violations, v.Violation)
	}
	under := func(found []ledger.ListedViolation) (text string) {
		for _, v := range found {
			text += " " + v.ShortID
			for _, d := range v.Duplicates {
				text += "<" + d.ShortID
			}
		}
		return text
	}
	if got := under(ledger.WithDuplicates(listed)); got != " a<b b c" {
		t.Errorf("joined: %q", got)
	}
	joined := ledger.ListedViolation{Duplicates: []ledger.ListedViolation{
		{Violation: ledger.Violation{ShortID: "b", Adapter: "codex", Slot: 2, Place: at("f", 3)}}, {Violation: ledger.Violation{ShortID: "d", Adapter: "lint", Slot: 1, Place: at("g")}},
	}}
	if got := joined.JoinedToIt(); got != "b (codex@2, f:3), d (lint@1, g)" {
		t.Errorf("joined to it: %q", got)
	}
	more := append(slices.Clone(listed[1:]), listed[0], ledger.ListedViolation{Violation: ledger.Violation{ID: "D", ShortID: "d", DuplicateOf: "a"}})
	for of, want := range []string{" b d", " a d", ""} {
		if got := under(listed[of].SameProblem(more)); got != want {
			t.Errorf("the same as %s: %q, want %q", listed[of].ShortID, got, want)
		}
	}
	ledger.ApplyEdits(open, ledger.ActorAgent, []ledger.Edit{{Violation: "C", Status: ledger.StatusDuplicate, Result: "a"}})
	p := ledger.AssessProgress(ledger.ProgressFacts{Owner: ledger.OwnLoop, Position: ledger.Position{Open: open, Listed: listed}})
	if got := under(p.Open); got != " a<b<c" {
		t.Errorf("joined in a file: %q", got)
	}
}

func TestAsInSummaries(t *testing.T) {
	t.Parallel()
	var list []ledger.ListedViolation
	for _, id := range []string{"critical 3", "high 5", "high 2", "low 4", "low 1"} {
		v := ledger.ListedViolation{}
		v.ID, v.Priority = id, ledger.Priority(strings.Fields(id)[0])
		list = append(list, v)
	}
	ledger.AsInSummaries(list)
	var got []string
	for _, v := range list {
		got = append(got, v.ID)
	}
	if want := []string{"critical 3", "high 2", "high 5", "low 1", "low 4"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A file shows a duplicate that was joined as it was reported as its original is, and one that a mark
// joined as a duplicate.
//
// Rule: A duplicate has the fate of what it was joined to.
func TestEntryOfDuplicate(t *testing.T) {
	t.Parallel()
	original := func(status ledger.Status) *ledger.Original {
		return &ledger.Original{ID: "A", Status: status, Result: "words of a"}
	}
	for name, test := range map[string]struct {
		v      ledger.Violation
		status string
		result string // or "", if there is none
	}{
		"of an open one":                {ledger.Violation{Status: ledger.StatusDuplicate, Reason: ledger.ReasonSameWords, DuplicateOf: "a", Original: original(ledger.StatusReopened)}, "new", ""},
		"of a skipped one":              {ledger.Violation{Status: ledger.StatusDuplicate, Reason: ledger.ReasonSameAs, DuplicateOf: "a", Original: original(ledger.StatusSkipped)}, "skipped", "words of a"},
		"by a mark":                     {ledger.Violation{Status: ledger.StatusDuplicate, DuplicateOf: "a", Original: original(ledger.StatusSkipped)}, "duplicate", "a"},
		"the original is not known":     {ledger.Violation{Status: ledger.StatusDuplicate, Reason: ledger.ReasonSameWords, DuplicateOf: "a"}, "duplicate", "a"},
		"the reason of a former status": {ledger.Violation{Status: ledger.StatusNew, Reason: ledger.ReasonSameWords, Original: original(ledger.StatusSkipped)}, "new", ""},
		"disputed":                      {ledger.Violation{Status: ledger.StatusDisputed, Result: "it is not"}, "disputed", "it is not"},
	} {
		entry, result := test.v.Entry(), ""
		if entry.Result != nil {
			result = *entry.Result
		}
		if entry.Status != test.status || result != test.result || test.v.JoinedAsReported() != (test.v.Status == ledger.StatusDuplicate && test.v.Reason != "") {
			t.Errorf("%s: %s %q, joined as reported: %t", name, entry.Status, result, test.v.JoinedAsReported())
		}
	}
}
