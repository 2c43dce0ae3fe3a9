package ledger

import "slices"

// Rest is the pass of an earlier run that a review gate rests on: reviewers are shown only what has
// changed since.
type Rest struct {
	// Run is its ULID.
	Run string
	// Tree is the tree that passed; empty where it is not known any more.
	Tree string
}

// RestReason is why a review gate does not rest on a pass, so that its reviewers are shown the whole
// change of the run.
type RestReason string

// The reasons, in the order in which they are looked for.
const (
	// RestGranted: the gate rests on the pass.
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
	// RestTakenBack: its pass, or one that it rests on, no longer counts.
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

// PrecedingRun is the latest ended run of the branch in this worktree and log directory, with what
// decides whether a new run may rest on it.
type PrecedingRun struct {
	// State has its iterations, gates and transitions.
	*State
	// Stands reports whether it passed as a whole, the runs that it rests on did, and no later
	// run took that back.
	Stands bool
	// Skips counts violations that were skipped, but not by a person; Withdrawn those that were
	// withdrawn; and Dropped the filtered reports of high or critical priority.
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

// Refuse says why no gate may rest on the pass, or [RestGranted] if the gates may whose configuration
// is unchanged.
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

// coveredByPass reports whether no reviewer of the job, which rests on a pass, has been asked.
func (s *State) coveredByPass(job string) bool {
	gate := s.LatestGate(job)
	return gate == nil || gate.CoveredByPass()
}

// RestsOn lists the runs that the gates rest on, each once.
func (s *State) RestsOn() (runs []string) {
	for _, g := range s.Gates {
		if g.RestsOn != "" && !slices.Contains(runs, g.RestsOn) {
			runs = append(runs, g.RestsOn)
		}
	}
	return runs
}
