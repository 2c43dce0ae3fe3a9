package statistics_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// monday is when the runs of these tests begin.
var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

var (
	lint    = statistics.Job{Kind: "check", EntryPoint: "src", Gate: "lint"}
	quality = statistics.Job{Kind: "review", EntryPoint: "src", Gate: "quality"}
)

func of[V any](v V) *V { return &v }

// lines are the counts of some measures, as a reader sees them.
func lines(t *testing.T, counts statistics.Counts, measures ...statistics.Measure) (lines []string) {
	t.Helper()
	for _, c := range counts {
		if !slices.Contains(measures, c.Measure) {
			continue
		}
		o, err := statistics.ParseKey(c.Key)
		if err != nil {
			t.Fatal(err)
		}
		parts := []string{string(c.Measure)}
		if c.At != 0 {
			parts = append(parts, time.UnixMilli(c.At).UTC().Format("Jan 2 15:04"))
		}
		for _, part := range []string{c.Bucket, o.Repository, strings.Trim(o.Job.ID(), ":"), o.Adapter, o.Model} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		if o.Iteration != 0 {
			parts = append(parts, fmt.Sprint("#", o.Iteration))
		}
		lines = append(lines, fmt.Sprintf("%s [%s] %d", strings.Join(parts, " "), strings.Join(o.Labels, "|"), c.N))
	}
	return lines
}

// What a run contributes is decided here, one measure after the other.
func TestContribution(t *testing.T) {
	t.Parallel()
	at := func(minutes int) time.Time { return monday.Add(time.Duration(minutes) * time.Minute) }
	violation := func(change func(*statistics.Violation)) statistics.Violation {
		v := statistics.Violation{
			Job: quality, Slot: 1, Adapter: "claude", FirstIteration: 1, FirstSeen: at(1), File: "src/a.go", Priority: ledger.High,
			Status: ledger.StatusNew, Events: []statistics.Event{{Status: ledger.StatusNew, At: at(1)}},
		}
		change(&v)
		return v
	}
	reopenedAfter := func(status ledger.Status) []statistics.Event {
		return []statistics.Event{{Status: ledger.StatusNew, Iteration: 1, At: at(1)}, {Status: status, Iteration: 1, At: at(1)}, {Status: ledger.StatusReopened, Iteration: 2, At: at(2)}}
	}
	gates := statistics.Run{
		Repository: "host/a", Kind: ledger.KindGates, Branch: "topic", Status: ledger.StatusPassed, Iterations: 2, Started: monday, Finished: at(61),
		Gates: []statistics.Gate{{Job: lint, Status: ledger.GateFailed, Tree: "t1", Began: monday, Took: 12345 * time.Millisecond}},
	}
	for name, c := range map[string]struct {
		run      statistics.Run
		measures []statistics.Measure
		want     []string
	}{
		"a run that passed": {gates, []statistics.Measure{statistics.Runs, statistics.RunTimes}, []string{
			"run_times Mar 2 10:00 host/a [3660000|] 1", "run_times Mar 2 10:00 host/a [3660000|entry:src] 1",
			"run_times Mar 2 10:00 host/a [3660000|gate:lint] 1", "run_times Mar 2 10:00 host/a [3660000|job:src:lint] 1",
			"runs Mar 2 10:00 host/a [passed|2|] 1", "runs Mar 2 10:00 host/a [passed|2|entry:src] 1",
			"runs Mar 2 10:00 host/a [passed|2|gate:lint] 1", "runs Mar 2 10:00 host/a [passed|2|job:src:lint] 1",
		}},
		"a code review is not a run of gates": {
			statistics.Run{Kind: ledger.KindCodeReview, Status: ledger.StatusPassed, Started: monday},
			[]statistics.Measure{statistics.Runs, statistics.RunTimes}, nil,
		},
		"checks that were executed": {statistics.Run{Gates: []statistics.Gate{
			{Job: lint, Status: ledger.GateFailed, Tree: "t1", Began: at(0), Took: 12345 * time.Millisecond},
			{Job: lint, Status: ledger.GatePassed, Tree: "t1", Began: at(5), Took: time.Second},
			{Job: lint, Status: ledger.GateError, Tree: "t2", Began: at(6)},
			{Job: lint, Status: ledger.GateNotRun, Tree: "t3", Began: at(7)}, {Job: lint, Status: ledger.GateInterrupted, Tree: "t3", Began: at(8)},
			{Job: quality, Status: ledger.GatePassed, Tree: "t1", Began: at(9)},
		}}, []statistics.Measure{statistics.Checks, statistics.Trees}, []string{
			"checks Mar 2 10:00 check:src:lint [failed|12300] 1", "checks Mar 2 10:05 check:src:lint [passed|1000] 1",
			"checks Mar 2 10:06 check:src:lint [failed|0] 1",
			"trees failed check:src:lint [t1] 1", "trees passed check:src:lint [t1] 1",
		}},
		"slots": {statistics.Run{Slots: []statistics.Slot{
			{
				Job: quality, Iteration: 1, Index: 1, Adapter: "claude", Model: "opus", Status: ledger.SlotPass, Ended: at(1), Took: 65 * time.Second,
				Counts: ledger.SlotCounts{Accepted: 2, Malformed: 1}, Repairs: 1, Calls: 2, InputTokens: of[int64](100), OutputTokens: of[int64](10), CostUSD: of(0.25),
			},
			{Job: quality, Iteration: 2, Index: 1, Adapter: "claude", Status: ledger.SlotSkipped, PassIteration: 1, Ended: at(2)},
			{Job: quality, Iteration: 2, Index: 2, Adapter: "codex", Status: ledger.SlotError, Ended: at(3), Calls: 1, CostUSD: of(0.5)},
			{Job: quality, Iteration: 3, Index: 2, Adapter: "codex", Status: ledger.SlotInterrupted, Ended: at(4), Calls: 1, CostUSD: of(1.0)},
			{Job: quality, Iteration: 4, Index: 2, Adapter: "codex", Status: ledger.SlotRunning},
			{Job: quality, Iteration: 4, Index: 3, Adapter: "builtin", Status: ledger.SlotPass, Ended: at(5), Calls: 1, CostUSD: of(0.0)}, // no model
		}}, []statistics.Measure{statistics.Slots, statistics.Costs, statistics.AnswerTimes, statistics.Reviewers}, []string{
			"answer_times Mar 2 10:01 review:src:quality claude opus [65000] 1", "answer_times Mar 2 10:05 review:src:quality builtin unknown [0] 1",
			"costs Mar 2 10:01 review:src:quality claude opus [calls] 2", "costs Mar 2 10:01 review:src:quality claude opus [cost_nano] 250000000",
			"costs Mar 2 10:01 review:src:quality claude opus [with_cost] 2",
			"costs Mar 2 10:03 review:src:quality codex unknown [calls] 1", "costs Mar 2 10:03 review:src:quality codex unknown [cost_nano] 500000000",
			"costs Mar 2 10:03 review:src:quality codex unknown [with_cost] 1",
			"costs Mar 2 10:04 review:src:quality codex unknown [calls] 1", "costs Mar 2 10:04 review:src:quality codex unknown [cost_nano] 1000000000",
			"costs Mar 2 10:04 review:src:quality codex unknown [with_cost] 1",
			"reviewers builtin unknown [slots] 1", "reviewers claude opus [slots] 1", "reviewers claude unknown [slots] 1", "reviewers codex unknown [slots] 3",
			"slots Mar 2 10:01 review:src:quality claude opus #1 [accepted] 2", "slots Mar 2 10:01 review:src:quality claude opus #1 [answered] 1",
			"slots Mar 2 10:01 review:src:quality claude opus #1 [calls] 2",
			"slots Mar 2 10:01 review:src:quality claude opus #1 [cost_nano] 250000000", "slots Mar 2 10:01 review:src:quality claude opus #1 [input_tokens] 100",
			"slots Mar 2 10:01 review:src:quality claude opus #1 [malformed] 1", "slots Mar 2 10:01 review:src:quality claude opus #1 [output_tokens] 10",
			"slots Mar 2 10:01 review:src:quality claude opus #1 [repairs] 1", "slots Mar 2 10:01 review:src:quality claude opus #1 [with_cost] 2",
			"slots Mar 2 10:01 review:src:quality claude opus #1 [with_tokens] 1",
			"slots Mar 2 10:02 review:src:quality claude unknown #2 [saved_nano] 250000000", "slots Mar 2 10:02 review:src:quality claude unknown #2 [saved_tokens] 110",
			"slots Mar 2 10:02 review:src:quality claude unknown #2 [skipped] 1",
			"slots Mar 2 10:03 review:src:quality codex unknown #2 [calls] 1", "slots Mar 2 10:03 review:src:quality codex unknown #2 [cost_nano] 500000000", "slots Mar 2 10:03 review:src:quality codex unknown #2 [errors] 1",
			"slots Mar 2 10:03 review:src:quality codex unknown #2 [with_cost] 1",
			"slots Mar 2 10:04 review:src:quality codex unknown #3 [calls] 1",
			"slots Mar 2 10:04 review:src:quality codex unknown #3 [cost_nano] 1000000000", "slots Mar 2 10:04 review:src:quality codex unknown #3 [interrupted] 1",
			"slots Mar 2 10:04 review:src:quality codex unknown #3 [with_cost] 1", "slots Mar 2 10:05 review:src:quality builtin unknown #4 [answered] 1",
		}},
		"violations": {statistics.Run{
			Repository: "r", Branch: "main",
			Slots: []statistics.Slot{{Job: quality, Iteration: 1, Index: 1, Adapter: "claude", Model: "opus", Status: ledger.SlotFail}},
			Violations: []statistics.Violation{
				violation(func(*statistics.Violation) {}), violation(func(*statistics.Violation) {}),
				violation(func(v *statistics.Violation) {
					v.File, v.Status, v.Reason, v.Shared, v.InFixLines, v.Fingerprint = "b.go", ledger.StatusSkipped, "deferred", true, true, "twice"
				}),
				violation(func(v *statistics.Violation) { v.Slot, v.Fingerprint, v.Status = 2, "once", ledger.StatusVerified }),
			},
		}, []statistics.Measure{statistics.Violations, statistics.Folders, statistics.Files, statistics.Lines}, []string{
			"files in_fix_lines [b.go|r] 1", "files open [src/a.go|r] 2", "files runs [b.go|r] 1", "files runs [src/a.go|r] 1", "files skipped [b.go|r] 1", "files verified [src/a.go|r] 1",
			"files violations [b.go|r] 1", "files violations [src/a.go|r] 3",
			"folders / r review:src:quality claude opus #1 [high|skipped|deferred|shared,fix_lines,recurring] 1",
			"folders /src r review:src:quality claude opus #1 [high|new||] 2", "folders /src r review:src:quality claude unknown #1 [high|verified||] 1",
			"lines [once|r] 1", "lines [twice|r] 1",
			"violations Mar 2 10:01 r review:src:quality claude opus #1 [high|new||] 2",
			"violations Mar 2 10:01 r review:src:quality claude opus #1 [high|skipped|deferred|shared,fix_lines,recurring] 1",
			"violations Mar 2 10:01 r review:src:quality claude unknown #1 [high|verified||] 1",
		}},
		"a problem counts once in its file, and each reviewer's find": {statistics.Run{Violations: []statistics.Violation{
			violation(func(v *statistics.Violation) { v.Shared = true }),
			violation(func(v *statistics.Violation) {
				v.Slot, v.Adapter, v.Status, v.Shared, v.InFixLines, v.Fingerprint = 2, "codex", ledger.StatusDuplicate, true, true, "twice"
				v.Events = append(v.Events, statistics.Event{Status: ledger.StatusReopened, At: at(2)}, statistics.Event{Status: ledger.StatusDuplicate, At: at(3)})
			}),
			violation(func(v *statistics.Violation) { v.File, v.Status = "src/b.go", ledger.StatusDuplicate }),
			violation(func(v *statistics.Violation) { v.File, v.Status = "c.go", ledger.StatusWithdrawn }),
		}}, []statistics.Measure{statistics.Violations, statistics.Files, statistics.Lines, statistics.Reviewers, statistics.WeekEvents}, []string{
			"files open [src/a.go|] 1", "files runs [c.go|] 1", "files runs [src/a.go|] 1", "files violations [c.go|] 1", "files violations [src/a.go|] 1",
			"files withdrawn [c.go|] 1", "lines [twice|] 1",
			"reviewers claude unknown [violations] 3", "reviewers codex unknown [violations] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|duplicate||] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|new||shared] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|withdrawn||] 1",
			"violations Mar 2 10:01 review:src:quality codex unknown #1 [high|duplicate||shared,fix_lines,recurring] 1",
			"week_events Mar 2 00:00 review:src:quality claude unknown [new] 2", "week_events Mar 2 00:00 review:src:quality codex unknown [duplicate] 1",
		}},
		"a dispute that stands contradicts no claim": {statistics.Run{
			Slots: []statistics.Slot{
				{Job: quality, Iteration: 2, Index: 1, Adapter: "claude", Status: ledger.SlotFail, Ended: at(2), Counts: ledger.SlotCounts{Reopened: 4}},
				{Job: quality, Iteration: 2, Index: 2, Adapter: "codex", Status: ledger.SlotFail, Ended: at(3)}, // said the same as slot 1, after it
			},
			Violations: []statistics.Violation{
				violation(func(v *statistics.Violation) { v.Events = reopenedAfter(ledger.StatusDisputed) }),
				violation(func(v *statistics.Violation) { v.Events = reopenedAfter(ledger.StatusFixed) }),
				violation(func(v *statistics.Violation) { v.Slot, v.Events = 3, reopenedAfter(ledger.StatusDisputed) }), // slot 3 is gone
				violation(func(v *statistics.Violation) { v.Slot, v.Events = 2, reopenedAfter(ledger.StatusDisputed) }),
			},
		}, []statistics.Measure{statistics.Slots}, []string{
			"slots Mar 2 10:02 review:src:quality claude unknown #2 [answered] 1", "slots Mar 2 10:02 review:src:quality claude unknown #2 [contradicted] 1",
			"slots Mar 2 10:02 review:src:quality claude unknown #2 [reopened] 4",
			"slots Mar 2 10:03 review:src:quality codex unknown #2 [answered] 1",
		}},
		"what was taken up": {statistics.Run{Violations: []statistics.Violation{
			violation(func(v *statistics.Violation) { v.Events[0].Actor = ledger.ActorAgent }),
			violation(func(v *statistics.Violation) { v.Events[0].Actor = ledger.ActorHuman }),
			violation(func(v *statistics.Violation) { v.Events[0].Actor = ledger.ActorSystem }), // restored from files
			violation(func(v *statistics.Violation) {
				v.Events[0].Actor = ledger.ActorReviewer
				v.Events = append(v.Events, statistics.Event{Status: ledger.StatusFixed, Actor: ledger.ActorAgent, At: at(2)})
			}),
		}}, []statistics.Measure{statistics.Violations}, []string{
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|new||] 2",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|new||taken_up] 2",
		}},
		"what is open in a run that was abandoned": {statistics.Run{Status: ledger.StatusAbandoned, Violations: []statistics.Violation{
			violation(func(*statistics.Violation) {}), violation(func(v *statistics.Violation) { v.Status = ledger.StatusFixed }),
		}}, []statistics.Measure{statistics.Violations, statistics.Files}, []string{
			"files abandoned [src/a.go|] 1", "files claimed [src/a.go|] 1", "files runs [src/a.go|] 1", "files violations [src/a.go|] 2",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|abandoned||] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|fixed||] 1",
		}},
		"events count once a day and once a week": {statistics.Run{Violations: []statistics.Violation{violation(func(v *statistics.Violation) {
			v.Events = nil
			for _, hours := range []int{0, 5, 20, 7 * 24} { // the third on Tuesday, the fourth a week later
				v.Events = append(v.Events, statistics.Event{Status: ledger.StatusFixed, At: monday.Add(time.Duration(hours) * time.Hour)})
			}
		})}}, []statistics.Measure{statistics.DayEvents, statistics.WeekEvents}, []string{
			"day_events Mar 2 00:00 review:src:quality claude unknown [fixed] 1", "day_events Mar 3 00:00 review:src:quality claude unknown [fixed] 1",
			"day_events Mar 9 00:00 review:src:quality claude unknown [fixed] 1",
			"week_events Mar 2 00:00 review:src:quality claude unknown [fixed] 1", "week_events Mar 9 00:00 review:src:quality claude unknown [fixed] 1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := statistics.Contribution(&c.run, func(fingerprint string) bool { return fingerprint != "once" })
			if diff := cmp.Diff(c.want, lines(t, counts, c.measures...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := statistics.ParseCounts(counts.Text())
			if diff := cmp.Diff(counts, again); diff != "" || err != nil {
				t.Errorf("read again: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// A count is added to the buckets of its time, and to those of a branch that others start
// from; what is taken away leaves nothing.
func TestCells(t *testing.T) {
	t.Parallel()
	run := statistics.Run{Kind: ledger.KindGates, Status: ledger.StatusFailed, Started: monday}
	for branch, want := range map[string][]string{
		"topic": {"", "2026-03", "2026-03-02", "W2026-03-02"},
		"main":  {"", "2026-03", "2026-03-02", "@main@", "@main@2026-03", "@main@2026-03-02", "@main@W2026-03-02", "W2026-03-02"},
	} {
		counts := statistics.Contribution(&run, func(string) bool { return false })
		cells := map[statistics.Cell]int64{}
		counts.AddTo(cells, branch, 1)
		var got []string
		for cell, n := range cells {
			if cell.Measure == statistics.Runs && n == 1 {
				got = append(got, cell.Bucket)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of %s (-want +got):\n%s", branch, diff)
		}
		counts.AddTo(cells, branch, -1)
		for cell, n := range cells {
			if n != 0 {
				t.Errorf("%+v is left with %d", cell, n)
			}
		}
	}
}

// Names may hold what separates fields and lines.
func FuzzKeys(f *testing.F) {
	f.Add("host/a", "src", "a\x1fb", `back\slash\n`, "new\nline", 3)
	f.Add("", "", "", "", "", 0)
	f.Fuzz(func(t *testing.T, repository, gate, adapter, label, bucket string, iteration int) {
		if iteration < 0 {
			t.Skip("iterations are numbered from 1")
		}
		o := statistics.Of{Repository: repository, Job: statistics.Job{Gate: gate}, Adapter: adapter, Iteration: iteration, Labels: []string{label, "last"}}
		got, err := statistics.ParseKey(o.Key())
		if diff := cmp.Diff(o, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		counts := statistics.Counts{{Measure: statistics.Files, At: 7, Bucket: bucket, Key: o.Key(), N: -3}, {Measure: statistics.Runs, Key: o.Key(), N: 1}}
		again, err := statistics.ParseCounts(counts.Text())
		if diff := cmp.Diff(counts, again); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// What is not a text of counts is an error.
func TestCountsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"runs\n", "runs\x1f1\n", "runs\x1fx\x1f1\x1f\x1f\n", "runs\x1f1\x1fx\x1f\x1f\n", "runs\x1f1\x1f1\x1f\n"} {
		if counts, err := statistics.ParseCounts(text); err == nil {
			t.Errorf("%q is %v", text, counts)
		}
	}
	for _, key := range []string{"", "a\x1fb", "r\x1fk\x1fe\x1fg\x1fa\x1fm\x1fx"} {
		if o, err := statistics.ParseKey(key); err == nil {
			t.Errorf("%q is %+v", key, o)
		}
	}
}
