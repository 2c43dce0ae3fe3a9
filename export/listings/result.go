package listings

import (
	"slices"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// resultGates describe gates as the result of a run has them: with the paths of their files.
var resultGates = append(gates.without("slots"),
	Column[gate]{Key: "log", Value: func(g *gate) any { return orNull(g.Log) }},
	Column[gate]{Key: "fails_on_base", Value: func(g *gate) any { return g.FailsOnBase }},
	gates[gates.index("slots")])

var resultSlots = append(slices.Clip(slots), Column[slot]{Key: "path", Value: func(s *slot) any { return orNull(s.path) }})

// RunResult returns the JSON form of the result of `run`, `check` or `review`.
func RunResult(r ledger.RunResult) text.Object {
	ended := []text.Object{}
	for _, g := range r.Gates {
		shown := gate{g, []text.Object{}}
		for n, s := range g.Slots {
			shown.slots = append(shown.slots, resultSlots.Object(slot{s, r.State.FilteredOf(s), g.Paths[n]}))
		}
		ended = append(ended, resultGates.Object(shown))
	}
	return text.Object{
		{Key: "run", Value: orNull(r.Run)},
		{Key: "iteration", Value: orNoNumber(r.Iteration)},
		{Key: "status", Value: orNull(r.Status)},
		{Key: "exit_code", Value: r.ExitCode},
		{Key: "reason", Value: orNull(r.Reason)},
		{Key: "error", Value: orNull(r.Error)},
		{Key: "changed_files", Value: r.ChangedFiles},
		{Key: "gates", Value: ended},
		{Key: "open", Value: Outstanding.Objects(r.Open)},
		{Key: "unverified", Value: Outstanding.Objects(r.Unverified)},
		{Key: "summary", Value: text.Object{
			{Key: "verified", Value: r.Summary.Fixed},
			{Key: "skipped", Value: r.Summary.Skipped},
			{Key: "failed", Value: r.Summary.Failed},
			{Key: "withdrawn", Value: r.Summary.Withdrawn},
			{Key: "checks_fixed", Value: r.Summary.ChecksFixed},
			{Key: "checks_failed", Value: r.Summary.ChecksFailed},
		}},
		{Key: "iterations_left", Value: r.Summary.Left},
		{Key: "uncovered", Value: inJSON(r.Summary.Uncovered)},
		{Key: "looked_at", Value: lookedAt(r.Summary.LookedAt)},
		{Key: "spent", Value: r.Summary.Spent},
		{Key: "next", Value: r.Next},
	}
}
