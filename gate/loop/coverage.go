package loop

import (
	"context"
	"errors"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// cover asks package ledger what each gate and slot has not seen yet. It finds the facts about
// diffs that the decision turns out to need ([ledger.Coverage]), and then asks again.
func (i *iteration) cover(ctx context.Context, state *ledger.State, ask func(*ledger.Coverage)) error {
	if i.parts == nil {
		i.parts = map[ledger.Part]ledger.PartFact{}
	}
	for {
		coverage := ledger.NewCoverage(state, i.view(), i.parts)
		ask(coverage)
		if len(coverage.Unknown()) == 0 {
			return nil
		}
		for _, part := range coverage.Unknown() {
			fact, err := i.examinePart(ctx, part)
			if err != nil {
				return err
			}
			i.parts[part] = fact
		}
	}
}

// examinePart finds the facts about a job's part of a diff.
func (i *iteration) examinePart(ctx context.Context, part ledger.Part) (ledger.PartFact, error) {
	from := ledger.Seen{Tree: part.From, Base: part.Base}
	between, err := i.scope.diffs.Over(ctx, i.span(from, part.To))
	if job, ok := i.Config.JobByID(part.Job); ok && err == nil {
		between, err = i.part(ctx, from, part.To, job)
	}
	if errors.Is(err, diff.ErrGone) && i.scope.narrowed == nil { // without a scope nothing is executed
		return ledger.PartFact{Changed: true}, nil
	}
	if err != nil {
		return ledger.PartFact{}, err
	}
	narrowed := i.scope.narrowed != nil && i.scope.narrowed.Covers(between)
	return ledger.PartFact{Changed: !between.Empty(), Beyond: !narrowed}, nil
}

// view tells package ledger what this iteration compares.
func (i *iteration) view() ledger.View {
	v := ledger.View{
		Number: i.number, Rerun: i.rerun, Source: i.scope.source, From: i.scope.from, FromBase: i.scope.fromBase, To: i.scope.to,
		Unchanged:        i.scope.narrowed != nil && i.scope.narrowed.Empty(),
		SessionIteration: i.scope.sessionIteration,
		Tree:             i.snapshot.Tree, Head: i.Repo.Head,
		Restricted: i.options.Command != CommandRun || len(i.options.Gates) > 0,
		Whole:      i.whole(),
	}
	switch {
	case i.options.Commit != "":
		v.Choice = ledger.ChoseCommit
	case i.options.Uncommitted:
		v.Choice = ledger.ChoseUncommitted
	}
	return v
}

// whole reports whether every slot is shown everything that the run changed.
func (i *iteration) whole() bool { return i.options.Whole || i.emptied && !i.options.explicit() }

func (i *iteration) planned(job config.Job) ledger.Planned {
	p := ledger.Planned{Job: job.ID(), Name: job.Name, Kind: ledger.GateKind(job.Kind), Applies: i.Applies(job), ConfigHash: i.gateHash(job)}
	if job.Review != nil {
		p.Fillers = make([]ledger.Filler, job.Review.NumReviews)
	}
	return p
}

// configured returns the jobs of the run that are still configured.
func (i *iteration) configured(state *ledger.State) (configured []ledger.Planned) {
	for _, id := range state.Jobs() {
		if job, ok := i.Config.JobByID(id); ok {
			configured = append(configured, i.planned(job))
		}
	}
	return configured
}

// show sets what a slot is shown: the diff, the tree at which it ends, what of it is new to the slot, if
// that is not all, and what another slot has seen in another state since.
func (i *iteration) show(ctx context.Context, job config.Job, slot *slots.Slot) error {
	var shown ledger.Shown
	err := i.cover(ctx, i.state, func(c *ledger.Coverage) { shown = c.Shown(i.planned(job), slot.Index) })
	if err != nil {
		return err
	}
	slot.Diff, slot.To = &diff.Diff{}, shown.To
	slot.Everything = shown.To == i.snapshot.Tree && shown.From[0] == i.state.Whole() && !i.restored(job.ID(), slot.Index)
	for n, from := range shown.From {
		part, err := i.part(ctx, from, shown.To, job)
		if err != nil {
			return err
		}
		if n == 0 {
			slot.Diff = part
		} else {
			slot.Diff = slot.Diff.With(part)
		}
	}
	if shown.Last.Tree == "" {
		return nil
	}
	if slot.New, err = i.part(ctx, shown.Last, shown.To, job); err == nil && shown.Other.Tree != "" {
		slot.Undone, err = i.part(ctx, shown.Other, shown.To, job)
	}
	return err
}

// restored reports whether the slot's latest answer was restored from a file, which does not say what it saw.
func (i *iteration) restored(job string, index int) bool {
	answered := i.state.LatestAnswer(job, index)
	return answered != nil && answered.Reviewed == ""
}

// covered reports whether the review job need not run, and since which iteration.
func (i *iteration) covered(ctx context.Context, job config.Job) (iteration int, covered bool, err error) {
	err = i.cover(ctx, i.state, func(c *ledger.Coverage) { iteration, covered = c.Covered(i.planned(job)) })
	return iteration, covered, err
}

// owed returns the gates that a rerun must run although nothing that it compares has changed.
func (i *iteration) owed(ctx context.Context, jobs []config.Job) (owed []ledger.Owed, err error) {
	planned, err := i.plannedWith(ctx, jobs)
	if err != nil {
		return nil, err
	}
	i.warnWaiting(planned)
	err = i.cover(ctx, i.state, func(c *ledger.Coverage) { owed = c.Owed(planned, i.configured(i.state)) })
	return owed, err
}

// stale returns the gates that are stale by the rows as they are, so that the run does not pass.
func (i *iteration) stale(ctx context.Context) (stale []ledger.Owed, err error) {
	err = i.cover(ctx, i.state, func(c *ledger.Coverage) { stale = c.Stale(i.configured(i.state)) })
	return stale, err
}

// staleAfter returns the gates that this iteration, whose rows are in the state, left stale.
func (i *iteration) staleAfter(ctx context.Context, state *ledger.State) (stale []ledger.Owed, err error) {
	err = i.cover(ctx, state, func(c *ledger.Coverage) { stale = c.StaleAfter(i.configured(state)) })
	return stale, err
}
