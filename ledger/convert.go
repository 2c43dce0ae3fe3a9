package ledger

import (
	"time"

	"github.com/reviewledger/reviewledger/db"
)

func runFrom(row db.Run) Run {
	return Run{
		ID: row.Ulid, Kind: RunKind(row.Kind), Worktree: row.Worktree, LogDir: row.LogDir,
		Branch: text(row.Branch), BaseRef: row.BaseRef, Base: row.Base, Head: text(row.Head),
		SessionRef: text(row.SessionRef), Status: RunStatus(row.Status),
		StartedAt: time.Time(row.StartedAt), FinishedAt: moment(row.FinishedAt),
		Iterations: int(row.Iterations), Fixed: int(row.Fixed), Skipped: int(row.Skipped), Open: int(row.Open),
	}
}

func iterationFrom(row db.Iteration) Iteration {
	return Iteration{
		Number: int(row.Number), Mode: Mode(row.Mode), Source: row.Source,
		From: text(row.FromTree), To: text(row.ToTree), Snapshot: text(row.Snapshot), Tree: text(row.Tree),
		Head: text(row.Head), Status: RunStatus(row.Status),
		StartedAt: time.Time(row.StartedAt), FinishedAt: moment(row.FinishedAt),
	}
}

func gateFrom(row db.GatesOfRunRow) Gate {
	return Gate{
		Iteration: int(row.Iteration), Job: row.Job, Kind: GateKind(row.Kind),
		EntryPoint: row.EntryPoint, Name: row.Name,
		Status: GateStatus(row.Gate.Status), Reason: row.Gate.Reason, Problems: int(row.Gate.Problems),
		NumReviews: integer(row.Gate.NumReviews),
		Duration:   time.Duration(row.Gate.DurationMs) * time.Millisecond,
	}
}

func slotFrom(row db.SlotsOfRunRow) Slot {
	s := row.Slot
	return Slot{
		Iteration: int(row.Iteration), Job: row.Job, Index: int(s.ReviewIndex), Adapter: s.Adapter,
		Status: SlotStatus(s.Status), PassIteration: integer(s.PassIteration), Reason: s.Reason,
		Reviewed: text(s.Reviewed),
		Usage: Usage{
			Model: text(s.Model), InputTokens: s.InputTokens, CachedTokens: s.CachedTokens,
			OutputTokens: s.OutputTokens, CostUSD: s.CostUSD,
		},
		Calls: int(s.Calls), Duration: time.Duration(s.DurationMs) * time.Millisecond,
		FinishedAt: moment(s.FinishedAt),
		Counts: SlotCounts{
			Accepted: int(s.Accepted), OutOfDiff: int(s.OutOfDiff), BelowThreshold: int(s.BelowThreshold),
			PreviouslySkipped: int(s.PreviouslySkipped), Malformed: int(s.Malformed), Merged: int(s.Merged),
			OutsideVerify: int(s.OutsideVerify), New: int(s.New), Reopened: int(s.Reopened),
			Verified: int(s.Verified), Carried: int(s.Carried),
		},
	}
}

// violationRow is what every query for violations returns.
type violationRow db.ViolationsOfRunRow

func violationFrom(row violationRow) Violation {
	v := row.Violation
	return Violation{
		ID: v.Ulid, ShortID: v.ShortID, Job: row.Job, Slot: int(v.Slot), Adapter: v.Adapter,
		First: int(v.FirstIteration), Last: int(v.LastIteration),
		Status: Status(v.Status), Result: text(v.Result), Reason: text(v.Reason),
		Place: Place{File: v.File, Start: int(row.LineStart), End: int(row.LineEnd)},
		Tree:  text(row.Reviewed), Issue: row.Issue, Fix: row.Fix, Priority: Priority(v.Priority),
		Answered:  integer(v.AnsweredIteration),
		FirstSeen: time.Time(v.FirstSeen), LastSeen: time.Time(v.LastSeen), StatusAt: time.Time(v.StatusAt),
	}
}
