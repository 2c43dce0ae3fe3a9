package ledger

import "slices"

// Rest is what a review gate of a run rests on: the pass of an earlier run.
type Rest struct {
	// Run is its ULID.
	Run string
	// Tree is the tree that passed; empty where it is not known any more.
	Tree string
}

// RestReason is why a review gate rests on nothing, so that its reviewers are shown all that
// the run changed.
type RestReason string

// The reasons, in the order in which they are looked for.
const (
	// RestGranted: there is no reason; it rests on the pass.
	RestGranted RestReason = ""
	// RestWhole: the user wants everything reviewed.
	RestWhole RestReason = "whole"
	// RestAgain: all has passed as it is, and the user wants it reviewed again.
	RestAgain RestReason = "again"
	// RestDetached: HEAD is detached, so that nobody knows which branch it is.
	RestDetached RestReason = "detached"
	// RestNoRun: no run on this branch has ended here.
	RestNoRun RestReason = "no_run"
	// RestRestored: the latest run was restored from files.
	RestRestored RestReason = "restored"
	// RestNotPassed: it was abandoned.
	RestNotPassed RestReason = "not_passed"
	// RestInPart: it passed, but not with every gate over the whole change.
	RestInPart RestReason = "in_part"
	// RestBaseMoved: it compared with another commit.
	RestBaseMoved RestReason = "base_moved"
	// RestTakenBack: its pass, or one that it rests on, does not count any more.
	RestTakenBack RestReason = "taken_back"
	// RestSkips: something in it was skipped, and no person did it.
	RestSkips RestReason = "skips"
	// RestWithdrawn: a reviewer took a finding back.
	RestWithdrawn RestReason = "withdrawn"
	// RestDropped: a filter left out a report of high or critical priority.
	RestDropped RestReason = "dropped"
	// RestTreeGone: git no longer has the tree that passed.
	RestTreeGone RestReason = "tree_gone"
	// RestConfig: the gate is not configured as it was, or did not run.
	RestConfig RestReason = "config"
)

// PrecedingRun is the latest run of a branch that has ended in a place, with what decides
// whether others may rest on it.
type PrecedingRun struct {
	// State has its iterations, gates and transitions.
	*State
	// Stands reports whether it passed as a whole, as the runs did that it rests on, and no
	// later run took that back.
	Stands bool
	// Skips counts what was skipped in it and not by a person, Withdrawn what its reporters
	// took back, and Dropped the reports of high or critical priority that filters left out.
	Skips, Withdrawn, Dropped int
}

// Tree is the tree that passed, or empty.
func (p *PrecedingRun) Tree() string {
	last := p.Iteration(p.LastIteration())
	if last == nil {
		return ""
	}
	return last.Tree
}

// RestFacts is what decides whether the review gates of a run rest on an earlier pass.
type RestFacts struct {
	// Whole reports whether the user wants everything reviewed, and Again that it is because all
	// has passed already.
	Whole, Again bool
	// Branch is the one that is checked out, empty: HEAD is detached.
	Branch string
	// Base is the commit that the run's whole diff begins at.
	Base string
	// Preceding is nil where no run on the branch has ended.
	Preceding *PrecedingRun
	// TreeGone reports whether git no longer has the tree that passed.
	TreeGone bool
}

// Refuse says why no gate rests on the pass, or [RestGranted] if those may that are configured as
// they were.
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

// RefuseGate is Refuse for one gate, by the hash of its configuration.
func (f RestFacts) RefuseGate(job, hash string) RestReason {
	if reason := f.Refuse(); reason != RestGranted {
		return reason
	}
	if gate := f.Preceding.LatestGate(job); gate == nil || gate.ConfigHash == "" || gate.ConfigHash != hash {
		return RestConfig
	}
	return RestGranted
}

// CoveredByPass reports whether the gate was left alone because nothing in its part has changed
// since the pass that it rests on.
//
// Rule: Done means passed as it is now.
func (g Gate) CoveredByPass() bool { return g.NotRun == NotRunUnchanged && g.RestsOn != "" }

// coveredByPass reports whether nobody has been asked in the job, which rests on a pass.
func (s *State) coveredByPass(job string) bool {
	gate := s.LatestGate(job)
	return gate == nil || gate.CoveredByPass()
}

// RestsOn are the runs that the state's gates rest on, each once.
func (s *State) RestsOn() (runs []string) {
	for _, g := range s.Gates {
		if g.RestsOn != "" && !slices.Contains(runs, g.RestsOn) {
			runs = append(runs, g.RestsOn)
		}
	}
	return runs
}
