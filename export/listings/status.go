package listings

import (
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Status returns the JSON form of the state of a loop.
func Status(p ledger.Progress) text.Object {
	var run, iteration, status any
	if p.Run.ID != "" {
		run, iteration, status = p.Run.ID, p.Iteration, orNull(p.Run.Status)
	}
	return text.Object{
		{Key: "state", Value: p.State},
		{Key: "done", Value: p.Done()},
		{Key: "reason", Value: p.Sentence()},
		{Key: "cause", Value: orNull(p.Reason)},
		{Key: "run", Value: run},
		{Key: "iteration", Value: iteration},
		{Key: "status", Value: status},
		{Key: "iterations_left", Value: p.Left},
		{Key: "tree_changed", Value: p.TreeChanged},
		{Key: "open", Value: Outstanding.Objects(p.Open)},
		{Key: "unverified", Value: Outstanding.Objects(p.Unverified)},
		{Key: "failing", Value: unresolved.Objects(p.Failing)},
		{Key: "errors", Value: unresolved.Objects(p.Errors)},
		{Key: "filtered", Value: ledger.FilteredEntries(p.Filtered)},
		{Key: "lacks", Value: inJSON(p.Lacks)},
		{Key: "files", Value: inJSON(p.Files)},
		{Key: "looked_at", Value: lookedAt(p.LookedAt)},
		{Key: "warnings", Value: inJSON(p.Warnings)},
		{Key: "next", Value: p.Next},
	}
}

// lookedAt returns who looked at a change that passed, or nil.
func lookedAt(l *ledger.LookedAt) any {
	if l == nil {
		return nil
	}
	return text.Object{{Key: "by", Value: looks.Objects(l.By)}, {Key: "not_by", Value: inJSON(l.NotBy)}}
}

var looks = Columns[ledger.Look]{
	{Key: "gate", Value: func(l *ledger.Look) any { return l.Gate }},
	{Key: "adapter", Value: func(l *ledger.Look) any { return orNull(l.Adapter) }},
}

// unresolved describe failed checks, and gates and slots in error. An excerpt has line feeds between its
// lines.
var unresolved = Columns[ledger.Unresolved]{
	{Key: "job", Value: func(u *ledger.Unresolved) any { return u.Job }},
	{Key: "slot", Value: func(u *ledger.Unresolved) any { return orNoNumber(u.Slot) }},
	{Key: "reason", Value: func(u *ledger.Unresolved) any { return u.Reason }},
	{Key: "log", Value: func(u *ledger.Unresolved) any { return orNull(u.Log) }},
	{Key: "excerpt", Value: func(u *ledger.Unresolved) any { return orNull(u.Excerpt) }},
}
