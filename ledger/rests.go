package ledger

import "slices"

// Rest is the pass of an earlier run that a review gate rests on: its reviewers are shown only what
// has changed since that pass.
type Rest struct {
	// Run is the ULID of that run.
	Run string
	// Tree is the tree that passed, or "" if it is no longer known, and Base the base that the run had
	// then.
	Tree, Base string
}

// RestReason is why a review gate does not rest on a pass, so that its reviewers are shown the
// whole change of the run.
type RestReason string

// The reasons, in the order in which they are checked.
const (
	// RestGranted: the gate rests on the pass.
	RestGranted RestReason = ""
	// RestWhole: the user wants everything reviewed.
	RestWhole RestReason = "whole"
	// RestAgain: everything has passed as it is, and the user wants it reviewed again.
	RestAgain RestReason = "again"
	// RestDetached: HEAD is detached, so the branch is unknown.
	RestDetached RestReason = "detached"
	// RestNoRun: no run on this branch has ended here.
	RestNoRun RestReason = "no_run"
	// RestRestored: the latest run was restored from files.
	RestRestored RestReason = "restored"
	// RestNotPassed: the latest run was abandoned.
	RestNotPassed RestReason = "not_passed"
	// RestInPart: the latest run passed, but not with every gate over the whole change.
	RestInPart RestReason = "in_part"
	// RestBaseMoved: the latest run compared with another commit.
	RestBaseMoved RestReason = "base_moved"
	// RestTakenBack: the pass of the latest run, or one that it rests on, no longer counts.
	RestTakenBack RestReason = "taken_back"
	// RestSkips: something in the latest run was skipped, but not by a person.
	RestSkips RestReason = "skips"
	// RestWithdrawn: a reviewer withdrew a finding.
	RestWithdrawn RestReason = "withdrawn"
	// RestDropped: a report of high or critical priority was filtered.
	RestDropped RestReason = "dropped"
	// RestTreeGone: git no longer has the tree that passed.
	RestTreeGone RestReason = "tree_gone"
	// RestConfig: the gate's configuration has changed, or the gate did not run.
	RestConfig RestReason = "config"
)

// PrecedingRun is the latest ended run of the branch in this worktree and log directory, with what
// decides whether a new run may rest on it.
type PrecedingRun struct {
	// State has the run's iterations, gates and transitions.
	*State
	// Stands reports whether it and the runs that it rests on passed as a whole, and no later run
	// took that back.
	Stands bool
	// Skips is the number of violations that were skipped, but not by a person, Withdrawn the
	// number that were withdrawn, and Dropped the number of filtered reports of high or critical
	// priority.
	Skips, Withdrawn, Dropped int
}

// Tree returns the tree that passed, or "".
func (p *PrecedingRun) Tree() string {
	last := p.Iteration(p.LastIteration())
	if last == nil {
		return ""
	}
	return last.Tree
}

// RestFacts is what decides whether the review gates of a run rest on an earlier pass.
type RestFacts struct {
	// Whole reports whether the user wants everything reviewed, and Again whether that is because
	// everything has already passed.
	Whole, Again bool
	// Branch is the branch that is checked out, or "" if HEAD is detached.
	Branch string
	// Base is the commit at which the run's whole diff begins.
	Base string
	// Preceding is nil if no run on the branch has ended.
	Preceding *PrecedingRun
	// TreeGone reports whether git no longer has the tree that passed.
	TreeGone bool
}

// Refuse returns why no gate may rest on the pass. It returns [RestGranted] if the gates whose
// configuration is unchanged may.
//
// Rule: No slot passes what it was not shown.
func (f RestFacts) Refuse() RestReason {
	switch p := f.Preceding; {
	case f.Whole && f.Again:
		return RestAgain
	case f.Whole:
		return RestWhole
	case f.Branch == "":
		return RestDetached
	case p == nil:
		return RestNoRun
	case slices.ContainsFunc(p.Iterations, func(i Iteration) bool { return i.Mode == ModeRebuilt }):
		return RestRestored
	case !p.Run.Status.Passes():
		return RestNotPassed
	case !slices.ContainsFunc(p.Transitions, func(t Transition) bool { return t.Cause == CausePassedWhole }):
		return RestInPart
	case p.Run.Base != f.Base:
		return RestBaseMoved
	case !p.Stands:
		return RestTakenBack
	case p.Skips > 0:
		return RestSkips
	case p.Withdrawn > 0:
		return RestWithdrawn
	case p.Dropped > 0:
		return RestDropped
	case f.TreeGone || p.Tree() == "":
		return RestTreeGone
	}
	return RestGranted
}

// RefuseGate is like [RestFacts.Refuse], for one gate with this hash of its configuration.
func (f RestFacts) RefuseGate(job, hash string) RestReason {
	if reason := f.Refuse(); reason != RestGranted {
		return reason
	}
	if gate := f.Preceding.LatestGate(job); gate == nil || gate.ConfigHash == "" || gate.ConfigHash != hash {
		return RestConfig
	}
	return RestGranted
}

// RestOf returns the pass that the job rests on. There is none any more if git has lost its tree, or once
// the gate was executed with another configuration than the present one.
//
// Rule: No slot passes what it was not shown.
func (s *State) RestOf(p Planned) Rest {
	otherwise := func(gate Gate) bool { return gate.Job == p.Job && gate.ConfigHash != p.ConfigHash }
	if rest := s.Rests[p.Job]; rest.Tree != "" && !slices.ContainsFunc(s.Gates, otherwise) {
		return rest
	}
	return Rest{}
}

// CoveredByPass reports whether the gate was not run because nothing in its part has changed since
// the pass that it rests on.
//
// Rule: Done means passed as it is now.
func (g Gate) CoveredByPass() bool { return g.NotRun == NotRunUnchanged && g.RestsOn != "" }

// coveredByPass reports whether no reviewer of the job, which rests on a pass, has been asked yet.
func (s *State) coveredByPass(job string) bool {
	gate := s.LatestGate(job)
	return gate == nil || gate.CoveredByPass()
}

// RestsOn returns the runs that the gates rest on, each once.
func (s *State) RestsOn() (runs []string) {
	for _, g := range s.Gates {
		if g.RestsOn != "" && !slices.Contains(runs, g.RestsOn) {
			runs = append(runs, g.RestsOn)
		}
	}
	return runs
}
