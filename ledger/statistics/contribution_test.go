package statistics_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// monday is when the runs of these tests start.
var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

var (
	lint    = statistics.Job{Kind: "check", EntryPoint: "src", Gate: "lint"}
	quality = statistics.Job{Kind: "review", EntryPoint: "src", Gate: "quality"}
)

func of[V any](v V) *V { return &v }

// record returns a run with what figures need: its head and lists of its rows.
func record(head exchange.Head, rows ...any) *statistics.Run {
	r := &exchange.Run{Head: head}
	for _, list := range rows {
		switch list := list.(type) {
		case []exchange.Iteration:
			r.Iterations = list
		case []exchange.Gate:
			r.Gates = list
		case []exchange.Slot:
			r.Slots = list
		case []reported:
			for i, v := range list {
				v.Violation.Violation = fmt.Sprint("V", i)
				for _, e := range v.events {
					e.Violation = v.Violation.Violation
					r.Events = append(r.Events, e)
				}
				r.Violations = append(r.Violations, v.Violation)
			}
		}
	}
	return &statistics.Run{Run: r, Jobs: map[string]statistics.Job{"lint": lint, "quality": quality}}
}

// reported is a violation with its events.
type reported struct {
	exchange.Violation
	events []exchange.Event
}

// in returns the place of a slot of the review.
func in(iteration, slot int64) exchange.InSlot {
	return exchange.InSlot{Iteration: iteration, Job: "quality", Slot: slot}
}

// lines returns the counts of some measures in readable form.
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

// What a run contributes, one measure after the other.
func TestContribution(t *testing.T) {
	t.Parallel()
	at := func(minutes int) exchange.Time {
		return exchange.Time(monday.Add(time.Duration(minutes) * time.Minute).Format("2006-01-02T15:04:05.000Z"))
	}
	violation := func(change func(*reported)) reported {
		v := reported{exchange.Violation{
			Job: "quality", Slot: 1, Adapter: "claude", FirstIteration: 1, FirstSeen: at(1), File: "src/a.go", Priority: "high", Status: "new",
		}, []exchange.Event{{Status: "new", At: at(1)}}}
		change(&v)
		return v
	}
	reopenedAfter := func(status string) []exchange.Event {
		return []exchange.Event{{Status: "new", Iteration: 1, At: at(1)}, {Status: status, Iteration: 1, At: at(1)}, {Status: "reopened", Iteration: 2, At: at(2)}}
	}
	gates := record(exchange.Head{Kind: "gates", Branch: of("topic"), Status: "passed", Iterations: 2, StartedAt: at(0), FinishedAt: of(at(61))},
		[]exchange.Gate{{Job: "lint", Status: "failed"}})
	gates.Repository = "host/a"
	ofMain := func(r *statistics.Run) *statistics.Run {
		r.Repository, r.Head.Branch = "r", of("main")
		return r
	}
	for name, c := range map[string]struct {
		run      *statistics.Run
		measures []statistics.Measure
		want     []string
	}{
		"a run that passed": {gates, []statistics.Measure{statistics.Runs, statistics.RunTimes}, []string{
			"run_times Mar 2 10:00 host/a [3660000|] 1", "run_times Mar 2 10:00 host/a [3660000|entry:src] 1",
			"run_times Mar 2 10:00 host/a [3660000|gate:lint] 1", "run_times Mar 2 10:00 host/a [3660000|job:src:lint] 1",
			"runs Mar 2 10:00 host/a [passed|2|] 1", "runs Mar 2 10:00 host/a [passed|2|entry:src] 1",
			"runs Mar 2 10:00 host/a [passed|2|gate:lint] 1", "runs Mar 2 10:00 host/a [passed|2|job:src:lint] 1",
		}},
		"a run with reviewers": {record(exchange.Head{Kind: "gates", Status: "failed", Iterations: 1, StartedAt: at(0)},
			[]exchange.Gate{{Job: "quality", Status: "failed"}, {Job: "quality", Iteration: 2, Status: "passed"}},
			[]exchange.Slot{{InSlot: in(1, 1), Adapter: "claude"}, {InSlot: in(2, 1), Adapter: "codex"}, {InSlot: in(2, 2), Adapter: "claude"}}), []statistics.Measure{statistics.Runs}, []string{
			"runs Mar 2 10:00 [failed|1|] 1", "runs Mar 2 10:00 [failed|1|adapter:claude] 1", "runs Mar 2 10:00 [failed|1|adapter:codex] 1",
			"runs Mar 2 10:00 [failed|1|entry:src] 1", "runs Mar 2 10:00 [failed|1|gate:quality] 1", "runs Mar 2 10:00 [failed|1|job:src:quality] 1",
		}},
		"a run that was left has no time": {
			record(exchange.Head{Kind: "gates", Status: "abandoned", StartedAt: at(0), FinishedAt: of(at(61))}),
			[]statistics.Measure{statistics.RunTimes}, nil,
		},
		"a run that does not say when it passed has no time": {record(exchange.Head{Kind: "gates", Status: "passed", StartedAt: at(0)}), []statistics.Measure{statistics.RunTimes}, nil},
		"a code review is not a run of gates": {
			record(exchange.Head{Kind: "code_review", Status: "passed", StartedAt: at(0)}),
			[]statistics.Measure{statistics.Runs, statistics.RunTimes}, nil,
		},
		"checks that were executed": {record(exchange.Head{}, []exchange.Iteration{
			{Number: 1, StartedAt: at(0), Tree: of("t1")}, {Number: 2, StartedAt: at(5), Tree: of("t1")}, {Number: 3, StartedAt: at(6), Tree: of("t2")},
			{Number: 4, StartedAt: at(7), Tree: of("t3")},
		}, []exchange.Gate{
			{Job: "lint", Iteration: 1, Status: "failed", DurationMs: 12345}, {Job: "lint", Iteration: 2, Status: "passed", DurationMs: 1000},
			{Job: "lint", Iteration: 3, Status: "error"}, {Job: "lint", Iteration: 4, Status: "not_run"},
			{Job: "lint", Iteration: 4, Status: "interrupted"}, {Job: "quality", Iteration: 4, Status: "passed"},
		}), []statistics.Measure{statistics.Checks, statistics.Trees}, []string{
			"checks Mar 2 10:00 check:src:lint [failed|12300] 1", "checks Mar 2 10:05 check:src:lint [passed|1000] 1",
			"checks Mar 2 10:06 check:src:lint [failed|0] 1",
			"trees failed check:src:lint [t1] 1", "trees passed check:src:lint [t1] 1",
		}},
		"slots": {record(exchange.Head{}, []exchange.Slot{
			{
				InSlot: in(1, 1), Adapter: "claude", Model: of("opus"), Status: "pass", FinishedAt: of(at(1)), DurationMs: 65_000,
				Accepted: 2, Malformed: 1, Repairs: 1, Calls: 2, InputTokens: of[int64](100), OutputTokens: of[int64](10), CostUSD: of(0.25),
			},
			{InSlot: in(2, 1), Adapter: "claude", Status: "skipped_prior_pass", PassIteration: of[int64](1), FinishedAt: of(at(2))},
			{InSlot: in(2, 2), Adapter: "codex", Status: "error", FinishedAt: of(at(3)), Calls: 1, CostUSD: of(0.5)},
			{InSlot: in(3, 2), Adapter: "codex", Status: "interrupted", NoticedAt: of(at(4)), Calls: 1, CostUSD: of(1.0)},
			{InSlot: in(4, 2), Adapter: "codex", Status: "running"},
			{InSlot: in(4, 3), Adapter: "builtin", Status: "pass", FinishedAt: of(at(5)), Calls: 1, CostUSD: of(0.0)}, // no model
		}), []statistics.Measure{statistics.Slots, statistics.Costs, statistics.AnswerTimes, statistics.Reviewers}, []string{
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
		"violations": {ofMain(record(exchange.Head{}, []exchange.Slot{{InSlot: in(1, 1), Adapter: "claude", Model: of("opus"), Status: "fail"}}, []reported{
			violation(func(*reported) {}), violation(func(*reported) {}),
			violation(func(v *reported) {
				v.File, v.Status, v.Reason, v.Shared, v.InFixLines, v.Fingerprint = "b.go", "skipped", of("deferred"), 1, 1, of("twice")
			}),
			violation(func(v *reported) { v.Slot, v.Fingerprint, v.Status = 2, of("once"), "verified" }),
		})), []statistics.Measure{statistics.Violations, statistics.Folders, statistics.Files, statistics.Lines}, []string{
			"files in_fix_lines [b.go|r] 1", "files open [src/a.go|r] 2", "files runs [b.go|r] 1", "files runs [src/a.go|r] 1", "files skipped [b.go|r] 1", "files verified [src/a.go|r] 1",
			"files violations [b.go|r] 1", "files violations [src/a.go|r] 3",
			"folders / r review:src:quality claude opus #1 [high|skipped|deferred|shared,fix_lines,recurring] 1",
			"folders /src r review:src:quality claude opus #1 [high|new||] 2", "folders /src r review:src:quality claude unknown #1 [high|verified||] 1",
			"lines [once|r] 1", "lines [twice|r] 1",
			"violations Mar 2 10:01 r review:src:quality claude opus #1 [high|new||] 2",
			"violations Mar 2 10:01 r review:src:quality claude opus #1 [high|skipped|deferred|shared,fix_lines,recurring] 1",
			"violations Mar 2 10:01 r review:src:quality claude unknown #1 [high|verified||] 1",
		}},
		"a problem counts once in its file, and each reviewer's find": {record(exchange.Head{}, []reported{
			violation(func(v *reported) { v.Shared = 1 }),
			violation(func(v *reported) {
				v.Slot, v.Adapter, v.Status, v.Shared, v.InFixLines, v.Fingerprint = 2, "codex", "duplicate", 1, 1, of("twice")
				v.events = append(v.events, exchange.Event{Status: "reopened", At: at(2)}, exchange.Event{Status: "duplicate", At: at(3)})
			}),
			violation(func(v *reported) { v.File, v.Status = "src/b.go", "duplicate" }),
			violation(func(v *reported) { v.File, v.Status = "c.go", "withdrawn" }),
		}), []statistics.Measure{statistics.Violations, statistics.Files, statistics.Lines, statistics.Reviewers, statistics.WeekEvents}, []string{
			"files open [src/a.go|] 1", "files runs [c.go|] 1", "files runs [src/a.go|] 1", "files violations [c.go|] 1", "files violations [src/a.go|] 1",
			"files withdrawn [c.go|] 1", "lines [twice|] 1",
			"reviewers claude unknown [violations] 3", "reviewers codex unknown [violations] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|duplicate||] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|new||shared] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|withdrawn||] 1",
			"violations Mar 2 10:01 review:src:quality codex unknown #1 [high|duplicate||shared,fix_lines,recurring] 1",
			"week_events Mar 2 00:00 review:src:quality claude unknown [new] 2", "week_events Mar 2 00:00 review:src:quality codex unknown [duplicate] 1",
		}},
		"a dispute that stands contradicts no claim": {record(exchange.Head{}, []exchange.Slot{
			{InSlot: in(2, 1), Adapter: "claude", Status: "fail", FinishedAt: of(at(2)), Reopened: 4},
			{InSlot: in(2, 2), Adapter: "codex", Status: "fail", FinishedAt: of(at(3))}, // reported the same as slot 1, later
		}, []reported{
			violation(func(v *reported) { v.events = reopenedAfter("disputed") }),
			violation(func(v *reported) { v.events = reopenedAfter("fixed") }),
			violation(func(v *reported) { v.Slot, v.events = 3, reopenedAfter("disputed") }), // slot 3 no longer exists
			violation(func(v *reported) { v.Slot, v.events = 2, reopenedAfter("disputed") }),
		}), []statistics.Measure{statistics.Slots}, []string{
			"slots Mar 2 10:02 review:src:quality claude unknown #2 [answered] 1", "slots Mar 2 10:02 review:src:quality claude unknown #2 [contradicted] 1",
			"slots Mar 2 10:02 review:src:quality claude unknown #2 [reopened] 4",
			"slots Mar 2 10:03 review:src:quality codex unknown #2 [answered] 1",
		}},
		"what was taken up": {record(exchange.Head{}, []reported{
			violation(func(v *reported) { v.events[0].Actor = "agent" }),
			violation(func(v *reported) { v.events[0].Actor = "human" }),
			violation(func(v *reported) { v.events[0].Actor = "system" }), // restored from files
			violation(func(v *reported) {
				v.events[0].Actor = "reviewer"
				v.events = append(v.events, exchange.Event{Status: "fixed", Actor: "agent", At: at(2)})
			}),
		}), []statistics.Measure{statistics.Violations}, []string{
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|new||] 2",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|new||taken_up] 2",
		}},
		"what is open in a run that was abandoned": {record(exchange.Head{Status: "abandoned"}, []reported{
			violation(func(*reported) {}), violation(func(v *reported) { v.Status = "fixed" }),
		}), []statistics.Measure{statistics.Violations, statistics.Files}, []string{
			"files abandoned [src/a.go|] 1", "files claimed [src/a.go|] 1", "files runs [src/a.go|] 1", "files violations [src/a.go|] 2",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|abandoned||] 1",
			"violations Mar 2 10:01 review:src:quality claude unknown #1 [high|fixed||] 1",
		}},
		"events count once a day and once a week": {record(exchange.Head{}, []reported{violation(func(v *reported) {
			v.events = nil
			for _, hours := range []int{0, 5, 20, 7 * 24} { // the third on Tuesday, the fourth a week later
				v.events = append(v.events, exchange.Event{Status: "fixed", At: at(60 * hours)})
			}
		})}), []statistics.Measure{statistics.DayEvents, statistics.WeekEvents}, []string{
			"day_events Mar 2 00:00 review:src:quality claude unknown [fixed] 1", "day_events Mar 3 00:00 review:src:quality claude unknown [fixed] 1",
			"day_events Mar 9 00:00 review:src:quality claude unknown [fixed] 1",
			"week_events Mar 2 00:00 review:src:quality claude unknown [fixed] 1", "week_events Mar 9 00:00 review:src:quality claude unknown [fixed] 1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := statistics.Contribution(c.run, func(fingerprint string) bool { return fingerprint != "once" })
			if diff := cmp.Diff(c.want, lines(t, counts, c.measures...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := counts.Text().Counts()
			if diff := cmp.Diff(counts, again); diff != "" || err != nil {
				t.Errorf("read again: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// A count is added to the buckets of its time, and to those of a branch that others start from.
// Subtracting it leaves nothing.
func TestCells(t *testing.T) {
	t.Parallel()
	run := record(exchange.Head{Kind: "gates", Status: "failed", StartedAt: "2026-03-02T10:00:00.000Z"})
	buckets := map[string][]string{"topic": {"", "2026-03", "2026-03-02", "W2026-03-02"}, "maintenance": {"", "2026-03", "2026-03-02", "W2026-03-02"}}
	for _, name := range []string{"main", "master", "trunk", "develop"} {
		of := "@" + name + "@"
		buckets[name] = []string{"", "2026-03", "2026-03-02", of, of + "2026-03", of + "2026-03-02", of + "W2026-03-02", "W2026-03-02"}
	}
	for branch, want := range buckets {
		counts := statistics.Contribution(run, func(string) bool { return false })
		var cells statistics.Cells
		counts.AddTo(&cells, branch, 1)
		var got []string
		for cell, n := range cells.All() {
			if cell.Measure == statistics.Runs && n == 1 {
				got = append(got, cell.Bucket)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of %s (-want +got):\n%s", branch, diff)
		}
		counts.AddTo(&cells, branch, -1)
		for cell, n := range cells.All() {
			t.Errorf("%+v is left with %d", cell, n)
		}
	}
}

// Cells are written in the order of their index. What adds up to nothing is not written, nor are
// lines.
func TestCellsInOrder(t *testing.T) {
	t.Parallel()
	count := func(m statistics.Measure, bucket, key string, n int64) statistics.Count {
		return statistics.Count{Measure: m, Bucket: bucket, Key: key, N: n}
	}
	var cells statistics.Cells
	for range cells.All() {
		t.Error("there is a cell before any is added")
	}
	statistics.Counts{
		count(statistics.Trees, "b", "k", 1), count(statistics.Files, "b", "l", 2), count(statistics.Lines, "", "line", 7), count(statistics.Files, "b", "k", 3),
		count(statistics.Files, "a", "z", 4), count(statistics.Folders, "b", "k", 5), count(statistics.Files, "b", "k", 1),
	}.AddTo(&cells, "topic", 1)
	statistics.Counts{count(statistics.Folders, "b", "k", 5), count(statistics.Trees, "b", "k", 3)}.AddTo(&cells, "topic", -1)
	var got []string
	for cell, n := range cells.All() {
		got = append(got, fmt.Sprint(cell.Measure, " ", cell.Bucket, " ", cell.Key, " ", n))
	}
	want := []string{"files a z 4", "files b k 4", "files b l 2", "trees b k -2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Which buckets of its time a count has depends on what is counted.
func TestBucketsOfMeasures(t *testing.T) {
	t.Parallel()
	for measure, want := range map[statistics.Measure][]string{
		statistics.DayEvents: {"2026-03-04"}, statistics.WeekEvents: {"W2026-03-02"}, statistics.Costs: {"2026-03-04", "W2026-03-02"},
		statistics.Checks: {"", "2026-03", "2026-03-04", "W2026-03-02"}, statistics.Slots: {"", "2026-03", "2026-03-04"}, statistics.Files: {"open"}, statistics.Lines: nil,
	} {
		var cells statistics.Cells
		statistics.Counts{{Measure: measure, At: monday.AddDate(0, 0, 2).UnixMilli(), Bucket: "open", Key: "k", N: 3}}.AddTo(&cells, "topic", 1)
		var got []string
		for cell := range cells.All() {
			got = append(got, cell.Bucket)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", measure, diff)
		}
	}
}

// Names may contain the separators of fields and lines.
func FuzzKeys(f *testing.F) {
	f.Add("host/a", "src", "a\x1fb", `back\slash\n`, "new\nline", 3)
	f.Add("", "", "", "", "", 0)
	f.Fuzz(func(t *testing.T, repository, gate, adapter, label, bucket string, iteration int) {
		if iteration < 0 {
			t.Skip("iterations are numbered from 1")
		}
		o := statistics.Of{Repository: repository, Job: statistics.Job{Gate: gate}, Adapter: adapter, Iteration: iteration, Labels: []string{label, "last"}}
		other := o
		other.Repository += "another"
		name, rest := statistics.SplitKey(o.Key())
		if _, same := statistics.SplitKey(other.Key()); name+rest != o.Key() || rest != same || rest == "" {
			t.Errorf("%q and %q of %q", name, rest, o.Key())
		}
		got, err := statistics.ParseKey(o.Key())
		if diff := cmp.Diff(o, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		counts := statistics.Counts{{Measure: statistics.Files, At: 7, Bucket: bucket, Key: o.Key(), N: -3}, {Measure: statistics.Runs, Key: o.Key(), N: 1}}
		again, err := counts.Text().Counts()
		if diff := cmp.Diff(counts, again); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// A text that does not have the form of counts is an error.
func TestCountsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"runs\n", "runs\x1f1\n", "runs\x1fx\x1f1\x1f\x1f\n", "runs\x1f1\x1fx\x1f\x1f\n", "runs\x1f1\x1f1\x1f\n"} {
		if counts, err := statistics.Text(text).Counts(); err == nil {
			t.Errorf("%q is %v", text, counts)
		}
	}
	for _, key := range []string{"", "a\x1fb", "r\x1fk\x1fe\x1fg\x1fa\x1fm\x1fx"} {
		if o, err := statistics.ParseKey(key); err == nil {
			t.Errorf("%q is %+v", key, o)
		}
	}
}

// The lines and the reviewers of a run's violations, whatever became of them.
func TestLinesAndReviewersOfARun(t *testing.T) {
	t.Parallel()
	run := record(exchange.Head{}, []exchange.Slot{{InSlot: in(1, 1), Adapter: "claude", Model: of("opus"), Status: "fail"}}, []reported{
		{Violation: exchange.Violation{Job: "quality", Slot: 1, Adapter: "claude", FirstIteration: 1, Fingerprint: of("f1"), Status: "skipped"}},
		{Violation: exchange.Violation{Job: "quality", Slot: 2, Adapter: "codex", FirstIteration: 1, Status: "new"}},
		{Violation: exchange.Violation{Job: "quality", Slot: 1, Adapter: "claude", FirstIteration: 1, Fingerprint: of("f2"), Status: "duplicate"}},
	})
	if diff := cmp.Diff(map[string]bool{"f1": true, "f2": true}, run.Fingerprints()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	var got []string
	for _, o := range run.Reviewers() {
		got = append(got, o.Adapter+" "+o.Model)
	}
	if diff := cmp.Diff([]string{"claude opus", "codex unknown", "claude opus"}, got); diff != "" {
		t.Errorf("reviewers (-want +got):\n%s", diff)
	}
}
