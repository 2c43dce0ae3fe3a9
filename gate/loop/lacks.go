package loop

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// lacks returns the gates because of which the latest run, which passed, does not count as a pass
// of the present state: gates that it did not execute, or that have changed. The decision itself is
// made by [ledger.AssessProgress].
func (r *Runner) lacks(ctx context.Context, p ledger.Progress, now diff.Snapshot, last *ledger.State) ([]string, error) {
	if p.Reason != ledger.PassedInPart && p.Reason != ledger.ConfigChanged {
		return nil, nil
	}
	state, err := r.Ledger.State(ctx, last.Run.ID)
	if err != nil {
		return nil, err
	}
	if p.Reason == ledger.PassedInPart {
		return r.missingGates(ctx, state, now)
	}
	var changed []string // none if git no longer has the tree
	if began := state.Iterations[0].Tree; began != "" {
		if changed, _, err = r.Repo.ChangedSince(ctx, began, now, r.Exclude()); err != nil {
			return nil, err
		}
	}
	if names := r.changedGates(state, changed); len(names) > 0 {
		return names, nil
	}
	return r.missingGates(ctx, state, now) // what was added, or runs here and not where it passed
}

// missingGates returns the gates that apply to what a run changed and that it did not execute. It
// returns none if git no longer has the run's base.
func (r *Runner) missingGates(ctx context.Context, state *ledger.State, now diff.Snapshot) (names []string, err error) {
	changed, _, err := r.Repo.ChangedSince(ctx, state.Run.Base, now, r.Exclude())
	if err != nil {
		return nil, err
	}
	touched, err := r.Config.Jobs(changed)
	if err != nil {
		return nil, err
	}
	for _, job := range touched {
		if r.Applies(job) && state.LatestGate(job.ID()) == nil && !slices.Contains(names, job.Name) {
			names = append(names, job.Name)
		}
	}
	return names, nil
}

// ungated reports whether no gate of the present configuration applies to any of the changed files,
// and returns one that did in the base's configuration: a change must not free itself of its gates.
//
// Rule: Done means passed as it is now.
func (r *Runner) ungated(ctx context.Context, base string, changed []string) (ungated bool, former string, err error) {
	jobs, err := r.Config.Jobs(changed)
	if err != nil || slices.ContainsFunc(jobs, r.Applies) {
		return false, "", err
	}
	text, there, err := r.Repo.FileIn(ctx, base, config.File)
	if err == nil && !there { // the base's tree does not have the target of a link by this name
		if _, linked, err := r.Repo.FileIn(ctx, base, config.Dir); err != nil || linked {
			return true, config.File, err
		}
	}
	if err != nil || !there {
		return true, "", err
	}
	return true, r.Config.FormerGate(text, changed, r.CI), nil
}

// changedGates returns the gates that are not configured as they were when the run began: those whose
// files are among the changed ones and, because git may not track the configuration, those whose
// configuration does not have the hash that was recorded.
func (r *Runner) changedGates(state *ledger.State, changed []string) []string {
	names := gatesIn(changed)
	if slices.Contains(names, path.Base(config.File)) { // with which the hashes of all gates change
		return names
	}
	compared := map[string]bool{}
	for _, gate := range state.Gates {
		if compared[gate.Job] || gate.ConfigHash == "" {
			continue
		}
		compared[gate.Job] = true
		job, configured := r.Config.JobByID(gate.Job)
		if (!configured || r.gateHash(job) != gate.ConfigHash) && !slices.Contains(names, gate.Name) {
			names = append(names, gate.Name)
		}
	}
	return names
}

// gatesIn returns the gates whose files are among the changed files, and config.yml if it is.
func gatesIn(changed []string) (names []string) {
	for _, file := range changed {
		name := ""
		switch path.Dir(file) {
		case config.Dir:
			if file == config.File {
				name = path.Base(file)
			}
		case config.ChecksDir, config.ReviewsDir:
			name = strings.TrimSuffix(path.Base(file), path.Ext(file))
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// sayConfigMoved says that the gates changed during the loop, or may have, so that the pass does
// not count for the gates as they are now.
//
// Rule: Done means passed as it is now.
func (i *iteration) sayConfigMoved(ctx context.Context, state *ledger.State) error {
	switch {
	case state.Restored() && !state.AnsweredAgain():
		i.Console.Conclude("This run was restored from its files, which prove nothing, and not every gate has answered again: to review the whole change, `reviewledger run`")
		return nil
	case !state.ConfigMoved(i.ConfigHash()):
		return nil
	}
	var changed []string
	if began := state.Iterations[0].Tree; began != "" {
		between, err := i.scope.diffs.Between(ctx, began, i.snapshot.Tree)
		if err != nil && !errors.Is(err, diff.ErrGone) {
			return err
		}
		if err == nil {
			changed = between.Paths()
		}
	}
	which := ""
	if names := i.changedGates(state, changed); len(names) > 0 {
		which = " (" + strings.Join(names, ", ") + ")"
	}
	i.Console.Conclude("The configuration changed during this loop" + which + ": to review the whole change by it, `reviewledger run`")
	return nil
}
