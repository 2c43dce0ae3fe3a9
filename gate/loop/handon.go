package loop

import (
	"context"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// handOn finds the facts for [ledger.State.HandOn]: which gates are no longer configured, and which ones
// may answer for what they left.
func (r *Runner) handOn(state *ledger.State) map[string]string {
	gone := func(id string) bool {
		_, configured := r.Config.JobByID(id)
		return !configured
	}
	if !slices.ContainsFunc(state.Violations, func(v ledger.Violation) bool { return gone(v.Job) }) {
		return nil
	}
	withWords := func(adapter string) bool {
		return r.Config.AsksModel(adapter) && !r.Config.Adapters[adapter].ByAbsence
	}
	var heirs []ledger.Heir
	for _, job := range r.knownJobs() {
		if job.Review != nil && r.Applies(job) && slices.ContainsFunc(job.Review.CLIPreference, withWords) {
			heirs = append(heirs, ledger.Heir{Job: job.ID(), EntryPoint: job.Entry, Covers: job.Covers})
		}
	}
	byTool := func(v *ledger.Violation) bool { return !withWords(v.Adapter) }
	return state.HandOn(gone, byTool, heirs)
}

// handOn records that other gates answer for what gates left that are gone.
//
// Rule: Flags restrict what runs, never what is outstanding.
func (i *iteration) handOn(ctx context.Context) error {
	if !i.rerun {
		return nil
	}
	to := i.Runner.handOn(i.state)
	if len(to) == 0 {
		return nil
	}
	if err := i.Ledger.HandOn(ctx, i.state.Run.ID, to); err != nil {
		return err
	}
	type move struct{ from, to string }
	var moves []move
	count := map[move]int{}
	for _, v := range i.state.Violations {
		if job := to[v.ID]; job != "" {
			m := move{v.Job, job}
			if count[m]++; count[m] == 1 {
				moves = append(moves, m)
			}
		}
	}
	i.state.Hand(to)
	for _, m := range moves {
		i.Console.Warn(fmt.Sprintf("%s is no longer configured: %s answers for what it left (%s)", m.from, m.to, ledger.Plural(count[m], "violation")))
	}
	return nil
}
