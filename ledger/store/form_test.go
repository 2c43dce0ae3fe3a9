package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// form writes rows of the parts of an answer other than its reports.
func (x *loop) form(write func(store.FormWriter) error) {
	x.Helper()
	x.ok(x.WriteForm(x.Context(), write))
}

// found returns a loop whose first slot has reported a leak and whose second has passed. Their rows
// are the first ones.
func found(t *testing.T, change ...func(first, second *store.SlotAnswer)) *loop {
	t.Helper()
	x := newLoop(t)
	r := x.begin(2)
	first, second := r.answer(1, entry(at("a.go", 1, 4), "leaks", ledger.High)), r.answer(2)
	for _, change := range change {
		change(&first, &second)
	}
	for _, answer := range []store.SlotAnswer{first, second} {
		must(r.RecordAnswer(r.Context(), answer))(t)
	}
	r.end()
	return x
}

// made changes the calls of the first slot.
func made(calls ...ledger.Call) func(first, _ *store.SlotAnswer) {
	return func(first, _ *store.SlotAnswer) { first.Made = calls }
}

// noted changes the notes of both slots.
func noted(one, two string) func(first, second *store.SlotAnswer) {
	return func(first, second *store.SlotAnswer) { first.Answer.Notes, second.Answer.Notes = one, two }
}

func TestCallsOfASlot(t *testing.T) {
	t.Parallel()
	ctx, tokens := t.Context(), func(n int64) *int64 { return &n }
	x := found(t, made(
		ledger.Call{Number: 1, Part: 1, Usage: ledger.Usage{InputTokens: tokens(7)}, Duration: time.Second, Misfit: "text after the object at byte 812", Prompt: []byte("review"), Answer: "{} so"},
		ledger.Call{Number: 2, Part: 1, Repair: true, Usage: ledger.Usage{OutputTokens: tokens(3)}, Prompt: []byte("once more"), Answer: "{}"}))
	if got := x.state().LatestSlot(quality, 1).Repairs; got != 1 {
		t.Errorf("%d repairs", got)
	}
	ref := ledger.SlotRef{Job: quality, Slot: 1, Iteration: 1}
	want := []ledger.Call{
		{Number: 1, Part: 1, Usage: ledger.Usage{InputTokens: tokens(7)}, Duration: time.Second, Misfit: "text after the object at byte 812"},
		{Number: 2, Part: 1, Repair: true, Usage: ledger.Usage{OutputTokens: tokens(3)}},
	}
	if d := cmp.Diff(want, must(x.SlotCalls(ctx, x.run.ID, ref))(t)); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
	answers := []ledger.SlotText{{Call: 0, Text: "an answer"}, {Call: 1, Text: "{} so"}, {Call: 2, Text: "{}"}}
	if d := cmp.Diff(answers, must(x.SlotTexts(ctx, x.run.ID, ref, ledger.TextAnswer))(t)); d != "" {
		t.Errorf("answers (-want +got):\n%s", d)
	}
	prompts := []ledger.SlotText{{Call: 1, Text: "review"}, {Call: 2, Text: "once more"}}
	if d := cmp.Diff(prompts, must(x.SlotTexts(ctx, x.run.ID, ref, ledger.TextPrompt))(t)); d != "" {
		t.Errorf("prompts (-want +got):\n%s", d)
	}
	if _, err := x.SlotCalls(ctx, x.run.ID, ledger.SlotRef{Job: quality, Slot: 7, Iteration: 1}); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("a slot that is not there: %v", err)
	}
	sound(t, x.Store)
}

func TestWordsOfAForm(t *testing.T) {
	t.Parallel()
	x := found(t, noted("Not everything was readable.", ""))
	ctx := t.Context()
	also := []ledger.Place{at("docs/\xff.md", 3, 5), at("b.go")}
	x.form(func(w store.FormWriter) error {
		return errors.Join(
			w.Places(ctx, 1, also),
			w.Words(ctx, 2, map[int64]ledger.ReviewerWord{1: {Verdict: ledger.DisputeStands, Evidence: "still there"}}),
			w.Words(ctx, 2, map[int64]ledger.ReviewerWord{1: {Verdict: ledger.ClaimGone, Evidence: "the file was removed"}}),
		)
	})
	state := x.state()
	v := state.Violations[0]
	if v.Gone.By != "claude@2" || v.Gone.Evidence != "the file was removed" {
		t.Errorf("gone by %q: %q", v.Gone.By, v.Gone.Evidence)
	}
	if got := state.LatestSlot(quality, 1).Notes; got != "Not everything was readable." {
		t.Errorf("notes %q", got)
	}
	history := must(x.History(ctx, v.ID))(t)
	if len(history.Words) != 1 || history.Words[0].Verdict != ledger.DisputeStands || history.Words[0].Of != "" {
		t.Errorf("words %+v", history.Words)
	}
	listed := must(x.Violations(ctx, ledger.ViolationFilter{}))(t)
	reports := must(x.SlotReports(ctx, x.run.ID, ledger.SlotRef{Job: quality, Slot: 1, Iteration: 1}))(t)
	for name, got := range map[string][]ledger.Place{
		"state": v.Also, "list": listed[0].Also, "history": history.Reports[0].Also, "slot": reports[0].Also,
	} {
		if d := cmp.Diff(also, got); d != "" {
			t.Errorf("places in the %s (-want +got):\n%s", name, d)
		}
	}
	sound(t, x.Store)
}

// That a finding is gone counts until something else happens to the finding.
func TestGoneCountsWhileNothingHappens(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then func(*loop)
		want string
	}{
		"nothing":      {func(*loop) {}, "claude@2: the file was removed"},
		"it is marked": {func(x *loop) { x.edit(1, "leaks", ledger.StatusSkipped, "no") }, ""},
		"it was marked": {func(x *loop) {
			x.edit(1, "leaks", ledger.StatusFixed, "closed")
			x.edit(1, "leaks", ledger.StatusNew, "")
		}, ""},
		"it is reported again": {func(x *loop) {
			r := x.begin(2)
			r.says(1, entry(at("a.go", 1, 4), "leaks", ledger.High))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newLoop(t)
			r := x.begin(2)
			r.says(1, entry(at("a.go", 1, 4), "leaks", ledger.High))
			x.form(func(w store.FormWriter) error {
				return w.Words(t.Context(), 2, map[int64]ledger.ReviewerWord{1: {Verdict: ledger.ClaimGone, Evidence: "the file was removed"}})
			})
			r.says(2)
			r.end()
			test.then(x)
			if got := x.state().Violations[0].Gone.String(); got != test.want {
				t.Errorf("gone in the state: %q, want %q", got, test.want)
			}
			if got := must(x.Violations(t.Context(), ledger.ViolationFilter{}))(t)[0].Gone.String(); got != test.want {
				t.Errorf("gone in the list: %q, want %q", got, test.want)
			}
		})
	}
}

// A violation shows its latest report, and its priority never falls while it is open. An import
// makes the same of its record.
func TestPriorityOfWhatIsOpenNeverFalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before func(*loop)
		then   ledger.Priority
		want   ledger.Priority
	}{
		"open, lower":     {func(*loop) {}, ledger.Medium, ledger.High},
		"open, higher":    {func(*loop) {}, ledger.Critical, ledger.Critical},
		"claimed, lower":  {func(x *loop) { x.edit(1, "leaks", ledger.StatusFixed, "closed") }, ledger.Medium, ledger.Medium},
		"claimed, higher": {func(x *loop) { x.edit(1, "leaks", ledger.StatusFixed, "closed") }, ledger.Critical, ledger.Critical},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := found(t)
			test.before(x)
			if _, err := rows(t, x.Path()).Exec(`
				INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, violation_id)
				VALUES (2, 1, 'b.go', 9, 9, 'leaks more', ?, 'accepted', 1);
				UPDATE slots SET accepted = 1 WHERE id = 2`, string(test.then)); err != nil {
				t.Fatal(err)
			}
			x.ok(x.WriteForm(t.Context(), func(w store.FormWriter) error { return w.ShowReports(t.Context(), 2) }))
			v := x.state().Violations[0]
			if v.Priority != test.want || v.Place != at("b.go", 9) || v.Issue != "leaks more" {
				t.Errorf("%s %v %s, want %s", v.Priority, v.Place, v.Issue, test.want)
			}
			text, copied := dump(t, x.Store), emptyLedger(t)
			if _, err := load(t, copied, text); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(text, dump(t, copied)); d != "" {
				t.Errorf("(-dumped +imported):\n%s", d)
			}
		})
	}
}

// What earlier runs left is returned by gate, repository and file, the latest first.
func TestWhatEarlierRunsLeft(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "is skipped", ledger.High), entry(at("a.go", 2), "is left open", ledger.High),
		entry(at("a.go", 3), "is fixed", ledger.High), entry(at("b.go", 4), "is elsewhere", ledger.High))
	r.end()
	x.edit(1, "is skipped", ledger.StatusSkipped, "the caller checks")
	x.edit(1, "is fixed", ledger.StatusFixed, "done")
	if _, err := rows(t, x.Path()).Exec(`
		INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, short_id) VALUES
			(1, 8, 'a.go', 5, 6, 'is small', 'low', 'below_threshold', 'small123'),
			(1, 9, 'a.go', 5, 6, 'has no id', 'low', 'below_threshold', NULL);
		UPDATE slots SET below_threshold = 2 WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	ctx, first := t.Context(), x.run.ID
	for _, id := range []string{"SMALL1", "small123", first + "/1/" + quality + "@1#8"} {
		if r := must(x.FindReport(ctx, id))(t); r.Issue != "is small" || r.Run != first || r.Position != 8 {
			t.Errorf("report %q is %+v", id, r)
		}
	}
	for _, id := range []string{first + "/1/" + quality + "@1#7", first + "/1/" + quality + "@1#9", "unknown"} {
		if r, err := x.FindReport(ctx, id); !errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("report %q is %+v, with %v", id, r, err)
		}
	}
	issues := func(run, job string, files ...string) (list []string) {
		for _, v := range must(x.EarlierAt(ctx, run, job, x.number, files))(t) {
			list = append(list, string(v.Status)+" "+v.Issue)
		}
		return list
	}
	if got := issues(first, quality, "a.go"); got != nil {
		t.Errorf("of the run itself: %q", got)
	}
	x.ok(x.CloseRun(ctx, first, ledger.StatusAbandoned))
	x.run, x.number = must(x.StartRun(ctx, newRun()))(t), 0
	x.begin(1)
	want := []string{"skipped is skipped", "abandoned is left open", " is small"}
	if d := cmp.Diff(want, issues(x.run.ID, quality, "a.go", "c.go")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for name, got := range map[string][]string{
		"another gate": issues(x.run.ID, "review:src:other", "a.go"), "another file": issues(x.run.ID, quality, "c.go"), "no file": issues(x.run.ID, quality),
	} {
		if got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	v := must(x.EarlierAt(ctx, x.run.ID, quality, 1, []string{"a.go"}))(t)[0]
	if v.Result != "the caller checks" || v.Place != at("a.go", 1) || v.At.IsZero() || v.ShortID == "" || v.Reported() {
		t.Errorf("%+v", v)
	}
}

// Notes are found in addition to reports, unless the filter asks for something that they do not
// have. They are removed with their run.
func TestSearchFindsNotes(t *testing.T) {
	t.Parallel()
	x := found(t, noted("The leaks of the parser were not looked at.", "Nothing leaks here."))
	ctx := t.Context()
	query := must(ledger.ParseSearch("leaks", nil))(t)
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		want   []string
	}{
		"all":            {ledger.ViolationFilter{}, []string{"violation 1", "notes 2", "notes 1"}},
		"a slot":         {ledger.ViolationFilter{Slot: 2}, []string{"notes 2"}},
		"the gate":       {ledger.ViolationFilter{Gate: "code-quality", EntryPoint: "src", Adapter: "claude", Iteration: 1}, []string{"violation 1", "notes 2", "notes 1"}},
		"another branch": {ledger.ViolationFilter{Branch: "other"}, nil},
		"a status":       {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew}}, []string{"violation 1"}},
		"a priority":     {ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.High}}, []string{"violation 1"}},
		"a file":         {ledger.ViolationFilter{File: "a.go"}, []string{"violation 1"}},
		"another time":   {ledger.ViolationFilter{Reported: ledger.Period{Until: start}}, nil},
	} {
		hits := must(x.Search(ctx, query, test.filter))(t)
		if d := cmp.Diff(test.want, kinds(hits)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	var pages []string
	for after := ""; len(pages) < 9; {
		hits := must(x.Search(ctx, query, ledger.ViolationFilter{Limit: 1, After: after}))(t)
		if len(hits) == 0 {
			break
		}
		pages, after = append(pages, kinds(hits)...), hits[0].Cursor
	}
	if d := cmp.Diff([]string{"violation 1", "notes 2", "notes 1"}, pages); d != "" {
		t.Errorf("page by page (-want +got):\n%s", d)
	}
	hit := must(x.Search(ctx, query, ledger.ViolationFilter{Slot: 2}))(t)[0]
	want := ledger.SlotNotes{
		Run: x.run.ID, Ref: ledger.SlotRef{Job: quality, Slot: 2, Iteration: 1}, EntryPoint: "src", Gate: "code-quality",
		Adapter: "claude", At: hit.Notes.At,
	}
	if d := cmp.Diff(want, *hit.Notes); d != "" || hit.Notes.At.IsZero() || hit.Snippet.String() != "Nothing leaks here." || hit.Disposition() != "" {
		t.Errorf("%q, %q (-want +got):\n%s", hit.Snippet, hit.Disposition(), d)
	}
	x.ok(x.CloseRun(ctx, x.run.ID, ledger.StatusAbandoned))
	next := must(x.StartRun(ctx, newRun()))(t) // the latest run in a place is kept
	x.ok(x.CloseRun(ctx, next.ID, ledger.StatusAbandoned))
	if removed := must(x.RemoveRuns(ctx, start.Add(time.Hour), nil))(t); removed.Runs != 1 {
		t.Fatalf("%+v", removed)
	}
	if hits := must(x.Search(ctx, query, ledger.ViolationFilter{}))(t); len(hits) > 0 {
		t.Errorf("%d hits of a run that is gone", len(hits))
	}
	sound(t, x.Store)
}

// kinds returns the kinds of the hits, with their slots.
func kinds(hits []ledger.SearchHit) (list []string) {
	for _, h := range hits {
		switch {
		case h.Violation != nil:
			list = append(list, fmt.Sprintf("%s %d", h.Kind(), h.Violation.Slot))
		case h.Notes != nil:
			list = append(list, fmt.Sprintf("%s %d", h.Kind(), h.Notes.Ref.Slot))
		}
	}
	return list
}

// Repairs are counted for the reviewers that were asked again, in the period and scope of the
// filter.
func TestRepairsAreCounted(t *testing.T) {
	t.Parallel()
	x := found(t, made(ledger.Call{Number: 1, Misfit: "no object"}, ledger.Call{Number: 2, Repair: true}, ledger.Call{Number: 3, Repair: true, Part: 2}))
	ctx := t.Context()
	for name, test := range map[string]struct {
		filter figures.Filter
		want   int
	}{
		"all":             {figures.Filter{}, 2},
		"the run":         {figures.Filter{Run: x.run.ID}, 2},
		"the gate":        {figures.Filter{Gate: "code-quality", Adapter: "claude"}, 2},
		"another adapter": {figures.Filter{Adapter: "codex"}, 0},
		"another branch":  {figures.Filter{Branch: "other"}, 0},
		"another time":    {figures.Filter{Period: ledger.Period{Until: start}}, 0},
	} {
		n := 0
		for _, a := range must(x.Statistics(ctx, test.filter))(t).Adapters {
			n += a.Repairs
		}
		if n != test.want {
			t.Errorf("%s: %d repairs, want %d", name, n, test.want)
		}
	}
}

// A claim that is not fixed, but is not reported again either, is open in its slot's file. An agent
// may mark it fixed again with the same explanation.
func TestNotFixedIsListedAsOpen(t *testing.T) {
	t.Parallel()
	x := found(t)
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	r := x.begin(2)
	answer := r.answer(1)
	answer.Answer.Claims[0].Verdict, answer.Answer.Claims[0].Evidence = ledger.ClaimNotFixed, "still there"
	result := must(r.RecordAnswer(t.Context(), answer))(t)
	if d := cmp.Diff([]string{"leaks new"}, listed(result.Document)); d != "" {
		t.Errorf("the slot's file (-want +got):\n%s", d)
	}
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	x.want(map[string]ledger.Status{"leaks": ledger.StatusFixed})
}

// Joining a claim after a reviewer could not tell does not count as marking it again with another
// explanation.
func TestDoubtOutlivesAJoin(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{"closed": true, "closed by the caller": false} {
		x := found(t)
		x.edit(1, "leaks", ledger.StatusFixed, "closed")
		r := x.begin(2)
		answer := r.answer(1, entry(at("a.go", 5, 5), "stays open", ledger.High))
		answer.Answer.Claims[0].Verdict, answer.Answer.Claims[0].Evidence = ledger.ClaimCannotTell, "no caller is shown"
		must(r.RecordAnswer(t.Context(), answer))(t)
		r.end()
		x.edit(1, "stays open", ledger.StatusFixed, words)
		of := x.find("stays open")
		must(x.MarkViolations(t.Context(), x.run.ID, []string{x.find("leaks").ID}, nil, ledger.Mark{Status: ledger.StatusDuplicate, Result: of.ShortID, Actor: ledger.ActorHuman}))(t)
		v := x.find("leaks")
		if v.Status != ledger.StatusDuplicate || v.Author() != words {
			t.Errorf("joined: %s, %q", v.Status, v.Author())
		}
		if got := ledger.SameText(v.Author(), v.DoubtedWords); got != want {
			t.Errorf("claimed as %q, doubted as %q", v.Author(), v.DoubtedWords)
		}
	}
}

// An original has the priority of its duplicates even if theirs rises later.
//
// Rule: A duplicate has the fate of what it was joined to.
func TestAProblemRisesWithWhatIsJoined(t *testing.T) {
	t.Parallel()
	x := found(t)
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	r := x.begin(2)
	must(r.RecordAnswer(t.Context(), r.answer(1, entry(at("a.go", 5, 5), "stays open", ledger.High))))(t)
	r.end()
	of := x.find("leaks")
	must(x.MarkViolations(t.Context(), x.run.ID, []string{x.find("stays open").ID}, nil, ledger.Mark{Status: ledger.StatusDuplicate, Result: of.ShortID, Actor: ledger.ActorHuman}))(t)
	r = x.begin(2)
	must(r.RecordAnswer(t.Context(), r.answer(1, entry(at("a.go", 5, 5), "stays open", ledger.Critical))))(t)
	r.end()
	if v := x.find("leaks"); v.Priority != ledger.Critical {
		t.Errorf("the problem is %s", v.Priority)
	}
}

// A slot's file has the related violations also of what is reported again. It is returned as it was
// written, wherever lines have moved since and whatever was joined since.
func TestAFileIsToldAsItWasWritten(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	written := func(d ledger.SlotDocument) (entries []string) {
		for _, e := range d.Violations {
			entries = append(entries, fmt.Sprintf("%v %s related: %d", e.Place(), e.Status, len(e.Related)))
		}
		return entries
	}
	told := func(number int) []string {
		return written(must(x.Written(t.Context(), x.state(), ledger.SlotRef{Job: quality, Slot: 1, Iteration: number}))(t))
	}
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1, 4), "leaks", ledger.High), entry(at("a.go", 9), "never closes", ledger.High))
	r.end()
	of, joined := x.find("leaks"), x.find("never closes")
	must(x.MarkViolations(t.Context(), x.run.ID, []string{joined.ID}, nil, ledger.Mark{Status: ledger.StatusDuplicate, Result: of.ShortID, Actor: ledger.ActorHuman}))(t)
	r = x.begin(1)
	must(r.Move(t.Context(), map[string][]ledger.Place{of.ID: {at("a.go", 11, 14)}}))(t)
	// A join pairs the two.
	if d := cmp.Diff([]string{"a.go:1-4 new related: 1", "a.go:9 new related: 1"}, told(1)); d != "" {
		t.Errorf("the first file (-want +told):\n%s", d)
	}
	second := must(r.RecordAnswer(t.Context(), r.answer(1, entry(at("a.go", 1, 4), "leaks", ledger.High))))(t)
	r.end()
	want := []string{"a.go:1-4 new related: 1", "a.go:9 duplicate related: 1"}
	if d := cmp.Diff(want, written(second.Document)); d != "" {
		t.Errorf("the second file (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, told(2)); d != "" {
		t.Errorf("the second file (-written +told):\n%s", d)
	}
}
