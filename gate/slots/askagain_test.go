package slots

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// saying is a reviewer that gives these texts, one at each call. A text that begins with "!" is the
// error of a call.
type saying struct {
	texts   []string
	stderr  string
	limit   int
	prompts []string
	took    time.Duration
	left    []time.Duration
}

func (s *saying) ReadsPrompts() bool   { return true }
func (s *saying) ByAbsence() bool      { return false }
func (s *saying) InputLimit() int      { return s.limit }
func (*saying) Preamble(string) string { return "before\n\n" }

func (s *saying) Review(_ context.Context, call clients.Call) (clients.Reply, error) {
	text := s.texts[len(s.prompts)]
	s.prompts, s.left = append(s.prompts, string(call.Prompt)), append(s.left, call.Timeout)
	if words, fails := strings.CutPrefix(text, "!"); fails {
		return clients.Reply{}, &clients.CallError{Kind: ledger.ErrorCrashed, What: words}
	}
	return clients.Reply{Text: text, Stderr: []byte(s.stderr), Duration: s.took}, nil
}

// askedOf returns the result of asking a slot whose reviewer gives these texts.
func askedOf(t *testing.T, reviewer *saying, change func(*Asker, *Slot)) *Answer {
	t.Helper()
	lines := numbered(t, 9, nil)
	text := []byte("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-word0\n+word1\n")
	whole := &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 1, OldCount: 1, NewStart: 1, NewCount: 1}},
		Hunks: []diff.Hunk{{Block: diff.Block{OldStart: 1, OldCount: 1, NewStart: 1, NewCount: 1}}}, Text: text}}}
	rows := &keptLogs{}
	asker := &Asker{Logs: rows, Rows: rows, Now: time.Now, Progress: quiet{},
		Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: lines.root}, Config: &config.Config{}}}
	slot := Slot{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "saying", Reviewer: reviewer, Diff: whole}
	if change != nil {
		change(asker, &slot)
	}
	job := Job{ID: "review:.:q"}
	job.Kind, job.Name, job.Review = config.KindReview, "q", &config.Review{Prompt: "Look."}
	answer, err := asker.Ask(t.Context(), job, slot)
	if rows.refuse != nil {
		if !errors.Is(err, rows.refuse) || len(reviewer.prompts) > rows.allowed {
			t.Errorf("a call that could not be recorded was made: %v", err)
		}
		if said := reviewer.texts[:len(reviewer.prompts)]; rows.end.Raw != strings.Join(said, "") || !strings.Contains(rows.end.Reason, rows.refuse.Error()) {
			t.Errorf("the log ends with %+v, and the reviewer said %q", rows.end, said)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if want := answer.Call.Calls; rows.calls != want {
		t.Errorf("%d calls were counted when they began, %d were made", rows.calls, want)
	}
	return answer
}

// A reviewer is not called if the call cannot be recorded, and that is not an answer. What it said
// before is kept in the log.
func TestCallThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	for allowed, texts := range [][]string{
		{`{"status": "pass", "violations": []}`},
		{`{"status": "fail", "violations": [{"file": "f", "line": 1, "issue": "leaks", "priority": "high"}], "more": }`, ""},
	} {
		askedOf(t, &saying{texts: texts}, func(a *Asker, _ *Slot) {
			a.Rows.(*keptLogs).refuse, a.Rows.(*keptLogs).allowed = errors.New("the disk is full"), allowed
		})
	}
}

type quiet struct{ Progress }

func (quiet) GateStarted(string)                           {}
func (quiet) Planned([]ledger.Running)                     {}
func (quiet) Running(ledger.Running)                       {}
func (quiet) Ended(string, int)                            {}
func (quiet) Cost(ledger.Spent)                            {}
func (quiet) CheckDone(string, ledger.CheckResult, string) {}
func (quiet) SlotDone(ledger.SlotOutcome)                  {}
func (quiet) Warn(...string)                               {}

const (
	plain    = `{"status":"pass","message":"fine"}`
	noted    = `{"status":"pass","violations":[],"notes":"fine"}`
	empty    = `{"status":"pass","violations":[],"claims":[]}`
	passes   = `{"status":"pass","violations":[]}`
	finds    = `{"status":"fail","violations":[{"file":"f","line":1,"issue":"leaks","priority":"high"}]}`
	lacks    = `{"status":"fail","violations":[{"file":"f","line":1,"issue":"leaks","priority":"high"},{"file":"f","issue":"races"}]}`
	finds2   = `{"status":"fail","violations":[{"file":"f","line":2,"issue":"races","priority":"low"}]}`
	cannot   = `{"status":"error","reason":"cannot read"}`
	misses   = `{"status":"pass","violations":[],"not_reviewed":["./f"]}`
	misses2  = `{"status":"fail","violations":[{"file":"f","line":1,"issue":"leaks","priority":"high"}],"not_reviewed":["other"]}`
	fixes    = `{"status":"pass","violations":[],"claims":[{"id":"c1","verdict":"fixed","evidence":"e"}]}`
	denies   = `{"status":"fail","violations":[],"claims":[{"id":"c1","verdict":"not_fixed","evidence":"e"}]}`
	fixesTwo = `{"status":"pass","violations":[],"claims":[{"id":"c1","verdict":"fixed","evidence":"e"},{"id":"c2","verdict":"fixed","evidence":"e"}]}`
)

// For each pair of answers the test has what is recorded: how often the reviewer was asked, why the
// slot is in error, what it reports and says about claims.
//
// Rule: What is not an answer is an error.
func TestAskAgain(t *testing.T) {
	t.Parallel()
	claim := func(_ *Asker, s *Slot) {
		s.Claims = []ledger.Violation{{ID: "C1", ShortID: "c1", Place: place(1), Issue: "was wrong"}}
	}
	claims := func(a *Asker, s *Slot) {
		claim(a, s)
		s.Claims = append(s.Claims, ledger.Violation{ID: "C2", ShortID: "c2", Place: place(2), Issue: "was wrong, too"})
	}
	claimOnce := func(a *Asker, s *Slot) { a.Worktree.Config.AskOnce = true; claim(a, s) }
	requiredOfAll := func(a *Asker, s *Slot) { a.Worktree.Config.WordsRequired = true; claim(a, s) }
	required := func(a *Asker, s *Slot) {
		a.Worktree.Config.Adapters = map[string]config.Adapter{"saying": {WordsRequired: true}}
		claim(a, s)
	}
	once := func(a *Asker, _ *Slot) { a.Worktree.Config.AskOnce = true }
	never := func(a *Asker, _ *Slot) {
		a.Worktree.Config.Adapters = map[string]config.Adapter{"saying": {AskOnce: true}}
	}
	review := func(a *Asker, _ *Slot) { a.CodeReview = true }
	for name, test := range map[string]struct {
		says   []string
		change func(*Asker, *Slot)
		calls  int
		reason string // of an error, with or without something to record
		given  string // issues, and words on claims
	}{
		"the form":                               {[]string{passes}, nil, 1, "", ""},
		"a finding":                              {[]string{finds}, nil, 1, "", "leaks"},
		"prose, then the form":                   {[]string{"It is fine.", passes}, nil, 2, "", ""},
		"prose twice":                            {[]string{"It is fine.", "Really."}, nil, 2, `JSON parsing failed: `, ""},
		"prose, and asked once":                  {[]string{"It is fine."}, once, 1, `JSON parsing failed: `, ""},
		"prose, and the adapter once":            {[]string{"It is fine."}, never, 1, `JSON parsing failed: `, ""},
		"a finding in prose, then none":          {[]string{"Sure: " + finds, passes}, nil, 2, `the first answer said "fail"`, "leaks"},
		"a finding in prose, then it":            {[]string{"Sure: " + finds, finds}, nil, 2, "", "leaks"},
		"a finding, then another":                {[]string{finds + " ok", finds2}, nil, 2, "", "races, leaks"},
		"a finding in prose, once":               {[]string{"Sure: " + finds}, once, 1, "JSON parsing failed: ", "leaks"},
		"prose, then a finding beside":           {[]string{"Hm.", "Sure: " + finds}, nil, 2, "JSON parsing failed: ", "leaks"},
		"a finding, then a failed call":          {[]string{"Sure: " + finds, "!broke"}, nil, 2, "asked once more", "leaks"},
		"a failed call":                          {[]string{"!broke"}, nil, 1, "broke", ""},
		"an entry lacks something":               {[]string{lacks, finds}, nil, 2, "", "leaks"},
		"it lacks it again":                      {[]string{lacks, lacks}, nil, 2, "", "leaks, races without priority"},
		"it lacks it, asked once":                {[]string{lacks}, once, 1, "", "leaks, races without priority"},
		"cannot review":                          {[]string{cannot}, nil, 1, "the reviewer could not review: cannot read", ""},
		"prose, then cannot":                     {[]string{"Sure: " + finds, cannot}, nil, 2, "the reviewer could not review: cannot read", "leaks"},
		"a file was not reviewed":                {[]string{misses}, nil, 1, `the reviewer did not review "./f"`, ""},
		"a file that nobody knows":               {[]string{misses2}, nil, 1, `the reviewer did not review "other"`, "leaks"},
		"code review in error":                   {[]string{misses2}, review, 1, `the reviewer did not review "other"`, ""},
		"no word on a claim":                     {[]string{passes, fixes}, claim, 2, "", "c1 fixed"},
		"a plain pass":                           {[]string{passes, plain}, claim, 2, "", "passed"},
		"a plain pass where claims were not put": {[]string{plain}, nil, 1, "", ""},
		"a plain pass, asked once":               {[]string{plain}, claimOnce, 1, "", "passed"},
		"prose, then a plain pass":               {[]string{"Fine.", plain}, claim, 2, "", "passed"},
		"a plain fail":                           {[]string{finds, finds}, claim, 2, "", "leaks"},
		"a plain fail, then a pass":              {[]string{finds, plain}, claim, 2, `the first answer said "fail"`, "leaks"},
		"a plain pass, then a fail":              {[]string{plain, finds}, claim, 2, "", "leaks"},
		"a plain pass, then prose":               {[]string{plain, "Fine."}, claim, 2, "JSON parsing failed: ", ""},
		"a plain pass, then a failed call":       {[]string{plain, "!broke"}, claim, 2, "asked once more", ""},
		"a plain error":                          {[]string{`{"status":"error","message":"no network"}`}, claim, 1, "could not review: no network", ""},
		"claims in part, then none":              {[]string{fixes, plain}, claims, 2, `JSON parsing failed: /claims: "c1", "c2" have no entry`, ""},
		"not fixed, then none":                   {[]string{denies, plain}, claims, 2, `JSON parsing failed: /claims: "c1", "c2" have no entry`, "c1 not_fixed"},
		"an empty list of claims":                {[]string{empty, empty}, claim, 2, `/claims: "c1" has no entry`, ""},
		"half a violation, then none":            {[]string{`{"status":"pass","violations":[{"file":"f","issue":"leaks"}]}`, plain}, claim, 2, `/claims: "c1" has no entry`, ""},
		"another key of the form":                {[]string{noted, noted}, claim, 2, `/claims: "c1" has no entry`, ""},
		"words are required of all":              {[]string{plain, plain}, requiredOfAll, 2, `/claims: "c1" has no entry`, ""},
		"words are required of it":               {[]string{plain, plain}, required, 2, `/claims: "c1" has no entry`, ""},
		"not fixed, then fixed":                  {[]string{"So: " + denies, fixes}, claim, 2, `the first answer said "fail"`, "c1 not_fixed"},
		"a claim that was not put":               {[]string{fixesTwo, fixes}, claim, 2, "", "c1 fixed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reviewer := &saying{texts: test.says}
			a := askedOf(t, reviewer, test.change)
			var given []string
			for _, e := range a.Given.Entries {
				given = append(given, e.Issue)
				if len(e.Missing) > 0 {
					given[len(given)-1] += " without " + strings.Join(e.Missing, ", ")
				}
			}
			for _, w := range a.Given.Claims {
				given = append(given, w.ID+" "+string(w.Verdict))
			}
			if a.Given.Passed && len(a.Slot.Claims) > len(a.Given.Claims) {
				given = append(given, "passed")
			}
			if got := strings.Join(given, ", "); got != test.given {
				t.Errorf("given %q, want %q", got, test.given)
			}
			reason := a.Reason + a.Given.Error
			if (reason == "") != (test.reason == "") || !strings.Contains(reason, test.reason) {
				t.Errorf("reason %q, want %q", reason, test.reason)
			}
			if unanswered := a.Status == ledger.SlotError; unanswered != (test.reason != "" && test.given == "") {
				t.Errorf("status %q with %q", a.Status, test.given)
			}
			if len(reviewer.prompts) != test.calls || a.Call.Calls != test.calls || len(a.Call.Made) != test.calls || len(a.Call.Prompts) != test.calls {
				t.Errorf("%d prompts, recorded as %+v", len(reviewer.prompts), a.Call)
			}
		})
	}
}

// The second call has the first answer, and the sentence about what does not fit. It has the time
// that is left. What was received in both calls is kept.
func TestSecondCall(t *testing.T) {
	t.Parallel()
	reviewer := &saying{texts: []string{"It is fine.", passes}, took: time.Minute}
	a := askedOf(t, reviewer, func(a *Asker, _ *Slot) {
		a.Worktree.Config.Adapters = map[string]config.Adapter{"saying": {Timeout: time.Hour}}
	})
	first, second := reviewer.prompts[0], reviewer.prompts[1]
	if !strings.HasPrefix(second, strings.TrimRight(first, "\n")) || !strings.Contains(second, "\n# Your answer so far\n") || !strings.Contains(second, "It is fine.") || !strings.Contains(second, "\n# What does not fit\n") {
		t.Errorf("the second prompt is\n%s", second)
	}
	if d := cmp.Diff([]time.Duration{time.Hour, 59 * time.Minute}, reviewer.left); d != "" {
		t.Errorf("time left (-want +got):\n%s", d)
	}
	if a.Call.Raw != passes || a.Call.Made[0].Answer != "It is fine." || a.Call.Made[0].Misfit == "" || a.Call.Made[0].Repair || a.Call.Made[1].Misfit != "" || !a.Call.Made[1].Repair {
		t.Errorf("recorded as %+v", a.Call)
	}
	if !strings.Contains(second, a.Call.Made[0].Misfit) || len(a.notes) != 1 || a.notes[0] != "Asked once more: "+a.Call.Made[0].Misfit {
		t.Errorf("notes %q", a.notes)
	}
	late := &saying{texts: []string{"It is fine.", passes}, took: time.Hour}
	a = askedOf(t, late, func(a *Asker, _ *Slot) {
		a.Worktree.Config.Adapters = map[string]config.Adapter{"saying": {Timeout: time.Hour}}
	})
	if len(late.prompts) != 1 || a.Call.Calls != 1 || a.Status != ledger.SlotError || a.Call.ErrorKind != ledger.ErrorTimeout {
		t.Errorf("without time left: %d calls, %s, %q", len(late.prompts), a.Status, a.Reason)
	}
}

// A call that would exceed the budget is not made; what was reported before it counts, and a plain
// answer is decided without one. So it is if the first call took all the time.
//
// Rule: Slots are filled round-robin.
func TestSecondCallBeyondTheBudget(t *testing.T) {
	t.Parallel()
	reviewer := &spending{saying{texts: []string{"Sure: " + finds, finds}}}
	a := askedOf(t, &reviewer.saying, func(a *Asker, s *Slot) {
		a.Worktree.Config.Budget = ledger.Budget{Tokens: 100}
		s.Reviewer = reviewer
	})
	if len(reviewer.prompts) != 1 || !strings.Contains(a.Given.Error, "budget") || len(a.Given.Entries) != 1 || a.Call.ErrorKind != ledger.ErrorBudget {
		t.Errorf("%d calls, %q, %+v", len(reviewer.prompts), a.Given.Error, a.Given.Entries)
	}
	quiet := &spending{saying{texts: []string{plain}, took: time.Hour}}
	for name, change := range map[string]func(*Asker, *Slot){
		"the budget": func(a *Asker, s *Slot) { a.Worktree.Config.Budget, s.Reviewer = ledger.Budget{Tokens: 100}, quiet },
		"the time": func(a *Asker, s *Slot) {
			a.Worktree.Config.Adapters = map[string]config.Adapter{"saying": {Timeout: time.Hour}}
		},
	} {
		quiet.prompts = nil
		a := askedOf(t, &quiet.saying, func(a *Asker, s *Slot) {
			s.Claims = []ledger.Violation{{ID: "C1", ShortID: "c1", Place: place(1), Issue: "was wrong"}}
			change(a, s)
		})
		if len(quiet.prompts) != 1 || a.Status != "" || a.Given.Error != "" || !a.Given.Passed {
			t.Errorf("%s: %d calls, %q, %q, %+v", name, len(quiet.prompts), a.Status, a.Reason, a.Given)
		}
	}
}

type spending struct{ saying }

func (s *spending) Review(ctx context.Context, call clients.Call) (clients.Reply, error) {
	reply, err := s.saying.Review(ctx, call)
	tokens := int64(1000)
	reply.Usage.OutputTokens = &tokens
	return reply, err
}

// For each part of a prompt the reviewer is asked again by itself. If a part has no answer, the
// answers to the parts before it count.
func TestAskInParts(t *testing.T) {
	t.Parallel()
	two := func(_ *Asker, s *Slot) {
		more := s.Diff.Files[0]
		more.Old, more.New, more.Text = "g", "g", []byte(strings.Repeat("+x\n", 2000))
		first := s.Diff.Files[0]
		first.Text = more.Text
		s.Diff = &diff.Diff{Files: []diff.File{first, more}}
	}
	for name, test := range map[string]struct {
		says   []string
		reason string
		issues int
	}{
		"both pass":           {[]string{passes, passes}, "", 0},
		"the second fails":    {[]string{passes, finds}, "", 1},
		"the second is prose": {[]string{finds, "no", "no"}, "part 2 of 2: JSON parsing failed", 1},
		"the first is asked":  {[]string{"no", finds, finds2}, "", 2},
	} {
		reviewer := &saying{texts: test.says, limit: 12000}
		a := askedOf(t, reviewer, two)
		if len(reviewer.prompts) != len(test.says) || len(a.Given.Entries) != test.issues || !strings.Contains(a.Given.Error+a.Reason, test.reason) || test.reason == "" && a.Given.Error+a.Reason != "" {
			t.Errorf("%s: %d calls, %d entries, %q", name, len(reviewer.prompts), len(a.Given.Entries), a.Given.Error+a.Reason)
		}
		parts := []string{}
		for _, c := range a.Call.Made {
			parts = append(parts, fmt.Sprintf("%d:%d", c.Number, c.Part))
		}
		if name == "the first is asked" && strings.Join(parts, " ") != "1:1 2:1 3:2" {
			t.Errorf("calls %q", parts)
		}
	}
}

// A file must be reviewed if the prompt shows lines of it. Of a binary file there are none.
//
// Rule: What is not an answer is an error.
func TestNotReviewed(t *testing.T) {
	t.Parallel()
	const binary = `binary, and not reviewed: "logo.png"`
	for name, test := range map[string]struct {
		names, reason string
		warnings      []string
	}{
		"shown":            {`"f"`, `the reviewer did not review "f"`, nil},
		"binary":           {`"logo.png"`, "", []string{binary}},
		"both":             {`"./logo.png", "f"`, `the reviewer did not review "f"`, []string{`binary, and not reviewed: "./logo.png"`}},
		"only named":       {`"written.md"`, "", nil},
		"a claim is there": {`"old.png"`, `the reviewer did not review "old.png"`, nil},
	} {
		words := fmt.Sprintf(`{"status": "pass", "violations": [], "claims": [{"id": "abcd1234", "verdict": "fixed", "evidence": "gone"}], "not_reviewed": [%s]}`, test.names)
		a := askedOf(t, &saying{texts: []string{words}}, func(a *Asker, s *Slot) {
			a.Worktree.Written = func(file string) bool { return file == "written.md" }
			s.Diff.Files = append(s.Diff.Files, diff.File{Old: "logo.png", New: "logo.png", Kind: diff.Modified, Binary: true},
				diff.File{Old: "written.md", New: "written.md", Kind: diff.Modified},
				diff.File{Old: "old.png", New: "old.png", Kind: diff.Modified, Binary: true})
			s.Claims = []ledger.Violation{{ID: "V", ShortID: "abcd1234", Slot: 1, Status: ledger.StatusFixed, Place: ledger.Place{File: "old.png"}}}
		})
		if a.Reason+a.Given.Error != test.reason {
			t.Errorf("%s: in error: %q", name, a.Reason+a.Given.Error)
		}
		if d := cmp.Diff(test.warnings, a.Warnings); d != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, d)
		}
	}
}

// If a client prints a refusal instead of an answer and again when it is asked once more, the slot
// is in error with the kind of that refusal, and its adapter is left alone for a time: also if what
// it said before counts.
func TestRefusalInPlaceOfAnAnswer(t *testing.T) {
	t.Parallel()
	const refusal = "You've hit your usage limit"
	for _, texts := range [][]string{{refusal, refusal}, {"Hm.", refusal}, {"Sure: " + finds, refusal}} {
		var cooled []string
		a := askedOf(t, &saying{texts: texts}, func(a *Asker, _ *Slot) {
			a.Cool = func(_ context.Context, adapter, reason string, d time.Duration) error {
				cooled = append(cooled, fmt.Sprintf("%s %s %v", adapter, reason, d > 0))
				return nil
			}
		})
		if a.Call.ErrorKind != ledger.ErrorUsageLimit || a.Call.Calls != len(texts) {
			t.Errorf("%q: %s after %d calls: %q", texts, a.Call.ErrorKind, a.Call.Calls, a.Reason)
		}
		if want := []string{"saying usage limit reached: " + refusal + " true"}; !slices.Equal(cooled, want) {
			t.Errorf("%q: left alone: %q", texts, cooled)
		}
	}
}

// An answer is asked for once more also if its client speaks of a limit that it has waited out.
func TestAnswerBesideALimit(t *testing.T) {
	t.Parallel()
	for _, texts := range [][]string{
		{"Sure: " + finds, finds}, {"Sure: " + finds, "Sure: " + finds}, {`{"status":"pass"`, finds}, {"It says \"usage limit\" where the rate limit is meant.", finds},
	} {
		a := askedOf(t, &saying{texts: texts, stderr: "429 Too Many Requests: retried"}, nil)
		if a.Call.Calls != 2 || len(a.Given.Entries) != 1 || a.Call.ErrorKind == ledger.ErrorRateLimit || a.cooldown != 0 {
			t.Errorf("%q: %d calls, %d entries, %s: %s", texts, a.Call.Calls, len(a.Given.Entries), a.Call.ErrorKind, a.Given.Error)
		}
	}
}

// An answer that repeats the prompt has its example, which is not a finding. An answer that quotes
// the prompt and also reports something loses no report.
//
// Rule: What is not an answer is an error.
func TestEchoOfThePrompt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer func(prompt string) string
		want   int
	}{
		"the prompt":            {func(prompt string) string { return prompt }, 0},
		"a report, the prompt":  {func(prompt string) string { return finds + prompt }, 1},
		"a report, and a fence": {func(prompt string) string { return finds + " as under BEGIN" + strings.Split(prompt, "BEGIN")[1] }, 1},
	} {
		echo := &echoing{answer: test.answer}
		a := askedOf(t, &echo.saying, func(_ *Asker, s *Slot) { s.Reviewer = echo })
		if a.Status == "" && a.Given.Error == "" || len(a.Given.Entries) != test.want || a.Call.Calls != 2 {
			t.Errorf("%s: %s, %+v after %d calls", name, a.Status, a.Given, a.Call.Calls)
		}
	}
}

type echoing struct {
	saying
	answer func(prompt string) string
}

func (e *echoing) Review(_ context.Context, call clients.Call) (clients.Reply, error) {
	return clients.Reply{Text: e.answer(string(call.Prompt))}, nil
}
