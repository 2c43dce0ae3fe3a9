package push

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// contributor is what figures need of the record of a run. Its texts are those that the tables
// have.
func contributor(r *exchange.Run, jobs []exchange.Job, of team.Home) *statistics.Run {
	names := make(map[string]statistics.Job, len(jobs))
	for _, j := range jobs {
		names[j.Job] = statistics.Job{Kind: team.Clean(j.Kind), EntryPoint: team.Clean(j.EntryPoint), Gate: team.Clean(j.Name)}
	}
	h := &r.Head
	run := &statistics.Run{
		Repository: of.Name(), Own: of.Own(), Kind: ledger.RunKind(h.Kind), Branch: cleaned(h.Branch), Status: ledger.RunStatus(h.Status),
		Iterations: int(h.Iterations), Started: timeOf(&h.StartedAt), Finished: timeOf(h.FinishedAt),
	}
	iterations := make(map[int64]*exchange.Iteration, len(r.Iterations))
	for i := range r.Iterations {
		iterations[r.Iterations[i].Number] = &r.Iterations[i]
	}
	for i := range r.Gates {
		g := &r.Gates[i]
		gate := statistics.Gate{Job: names[g.Job], Status: ledger.GateStatus(g.Status), Took: time.Duration(g.DurationMs) * time.Millisecond}
		if in := iterations[g.Iteration]; in != nil {
			gate.Tree, gate.Began = cleaned(in.Tree), timeOf(&in.StartedAt)
		}
		run.Gates = append(run.Gates, gate)
	}
	for i := range r.Slots {
		run.Slots = append(run.Slots, slotOf(&r.Slots[i], names))
	}
	events := make(map[string][]statistics.Event, len(r.Violations))
	for i := range r.Events {
		e := &r.Events[i]
		events[e.Violation] = append(events[e.Violation], statistics.Event{
			Status: ledger.Status(team.Clean(e.Status)), Actor: ledger.Actor(team.Clean(e.Actor)), Iteration: int(e.Iteration), At: timeOf(&e.At),
		})
	}
	for i := range r.Violations {
		v := &r.Violations[i]
		run.Violations = append(run.Violations, statistics.Violation{
			Job: names[v.Job], Slot: int(v.Slot), Adapter: team.Clean(v.Adapter), FirstIteration: int(v.FirstIteration), FirstSeen: timeOf(&v.FirstSeen),
			File: team.Clean(v.File), Priority: ledger.Priority(team.Clean(v.Priority)), Status: ledger.Status(team.Clean(v.Status)), Reason: cleaned(v.Reason),
			Fingerprint: cleaned(v.Fingerprint), Shared: v.Shared != 0, InFixLines: v.InFixLines != 0, Events: events[v.Violation],
		})
	}
	return run
}

func slotOf(s *exchange.Slot, names map[string]statistics.Job) statistics.Slot {
	slot := statistics.Slot{
		Job: names[s.Job], Iteration: int(s.Iteration), Index: int(s.Slot), Adapter: team.Clean(s.Adapter), Model: cleaned(s.Model),
		Status: ledger.SlotStatus(s.Status), PassIteration: int(rows.Value(s.PassIteration)), Took: time.Duration(s.DurationMs) * time.Millisecond,
		Repairs: int(s.Repairs), Calls: int(s.Calls), Counts: ledger.SlotCounts{
			Accepted: int(s.Accepted), OutOfDiff: int(s.OutOfDiff), BelowThreshold: int(s.BelowThreshold),
			PreviouslySkipped: int(s.PreviouslySkipped), RememberedSkip: int(s.RememberedSkip), Malformed: int(s.Malformed),
			Merged: int(s.Merged), OutsideVerify: int(s.OutsideVerify), Reopened: int(s.Reopened), Verified: int(s.Verified), Carried: int(s.Carried),
		},
		InputTokens: s.InputTokens, OutputTokens: s.OutputTokens, CostUSD: s.CostUSD,
	}
	if slot.Ended = timeOf(s.FinishedAt); slot.Ended.IsZero() {
		slot.Ended = timeOf(s.NoticedAt)
	}
	return slot
}

// cleaned is a text as the tables have it, or an empty one.
func cleaned(text *string) string { return team.Clean(rows.Value(text)) }

// timeOf is a time of a record. The server refuses the run of one that is not a time.
func timeOf(at *exchange.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	parsed, _ := time.Parse(time.RFC3339, string(*at))
	return parsed.UTC()
}

// recordOf reads the record of a run as [pack] wrote it.
func recordOf(data []byte) (run *exchange.Run, jobs []exchange.Job, err error) {
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, fmt.Errorf("unpack its record: %w", err)
	}
	for lines := exchange.NewReader(packed); ; {
		record, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read its record: %w", err)
		}
		switch r := record.Row.(type) {
		case *exchange.Run:
			run = r
		case exchange.Job:
			jobs = append(jobs, r)
		}
	}
	if run == nil {
		return nil, nil, errors.New("read its record: it has no run")
	}
	return run, jobs, nil
}
