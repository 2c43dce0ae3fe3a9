package statistics

import (
	"cmp"
	"time"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// Source describes the ledger or team store that the record of a run comes from.
type Source struct {
	// Jobs are its jobs by their ids.
	Jobs map[string]Job
	// Repository and Own are as in [Run].
	Repository, Own string
	// Clean returns a text as the tables of the source have it.
	Clean func(string) string
}

// Of takes from the record of a run what figures need: its iterations, gates, slots, violations and
// events.
func (s Source) Of(r *exchange.Run) *Run {
	h := &r.Head
	run := &Run{
		Repository: s.Repository, Own: s.Own, Kind: ledger.RunKind(h.Kind), Branch: s.text(h.Branch), Status: ledger.RunStatus(h.Status),
		Iterations: int(h.Iterations), Started: timeOf(&h.StartedAt), Finished: timeOf(h.FinishedAt),
		Violations: make([]Violation, 0, len(r.Violations)),
	}
	iterations := make(map[int64]*exchange.Iteration, len(r.Iterations))
	for i := range r.Iterations {
		iterations[r.Iterations[i].Number] = &r.Iterations[i]
	}
	for i := range r.Gates {
		g := &r.Gates[i]
		gate := Gate{Job: s.Jobs[g.Job], Status: ledger.GateStatus(g.Status), Took: time.Duration(g.DurationMs) * time.Millisecond}
		if in := iterations[g.Iteration]; in != nil {
			gate.Tree, gate.Began = s.text(in.Tree), timeOf(&in.StartedAt)
		}
		run.Gates = append(run.Gates, gate)
	}
	for i := range r.Slots {
		run.Slots = append(run.Slots, s.slot(&r.Slots[i]))
	}
	events := make(map[string][]Event, len(r.Violations))
	for i := range r.Events {
		e := &r.Events[i]
		events[e.Violation] = append(events[e.Violation], Event{
			Status: ledger.Status(s.Clean(e.Status)), Actor: ledger.Actor(s.Clean(e.Actor)), Iteration: int(e.Iteration), At: timeOf(&e.At),
		})
	}
	for i := range r.Violations {
		v := &r.Violations[i]
		run.Violations = append(run.Violations, Violation{
			Job: s.Jobs[v.Job], Slot: int(v.Slot), Adapter: s.Clean(v.Adapter), FirstIteration: int(v.FirstIteration), FirstSeen: timeOf(&v.FirstSeen),
			File: s.Clean(v.File), Priority: ledger.Priority(s.Clean(v.Priority)), Status: ledger.Status(s.Clean(v.Status)), Reason: s.text(v.Reason),
			Fingerprint: s.text(v.Fingerprint), Shared: v.Shared != 0, InFixLines: v.InFixLines != 0, Events: events[v.Violation],
		})
	}
	return run
}

func (s Source) slot(r *exchange.Slot) Slot {
	return Slot{
		Job: s.Jobs[r.Job], Iteration: int(r.Iteration), Index: int(r.Slot), Adapter: s.Clean(r.Adapter), Model: s.text(r.Model),
		Status: ledger.SlotStatus(r.Status), PassIteration: int(rows.Value(r.PassIteration)), Ended: timeOf(cmp.Or(r.FinishedAt, r.NoticedAt)),
		Took: time.Duration(r.DurationMs) * time.Millisecond, Repairs: int(r.Repairs), Calls: int(r.Calls), Counts: ledger.SlotCounts{
			Accepted: int(r.Accepted), OutOfDiff: int(r.OutOfDiff), BelowThreshold: int(r.BelowThreshold),
			PreviouslySkipped: int(r.PreviouslySkipped), RememberedSkip: int(r.RememberedSkip), Malformed: int(r.Malformed),
			Merged: int(r.Merged), OutsideVerify: int(r.OutsideVerify), Reopened: int(r.Reopened), Verified: int(r.Verified), Carried: int(r.Carried),
		},
		InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD,
	}
}

// text returns a text as the tables have it, or "" for none.
func (s Source) text(text *string) string { return s.Clean(rows.Value(text)) }

// timeOf parses a time of a record. A server refuses a run with a time that cannot be parsed.
func timeOf(at *exchange.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	parsed, _ := time.Parse(time.RFC3339, string(*at))
	return parsed.UTC()
}
