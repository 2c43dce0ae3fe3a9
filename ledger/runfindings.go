package ledger

import (
	"cmp"
	"slices"
)

// RunFindings is a run for export to other tools: with all its findings, not only the reports of
// one iteration. A tool that closes whatever is absent would otherwise close everything that a
// rerun did not review.
type RunFindings struct {
	// State is the run without its violations.
	State *State
	// Violations are the run's violations, the most important first.
	Violations []ListedViolation
	// LineHashes has GitHub's primaryLocationLineHash of their lines, by ULID, if it is known.
	LineHashes map[string]string
	// Reworded has the ULIDs of the violations whose latest report has other words than the one
	// before it.
	Reworded map[string]bool
}

// SortWorstFirst sorts violations by priority, then by place.
func SortWorstFirst(violations []ListedViolation) {
	slices.SortFunc(violations, func(a, b ListedViolation) int { return cmp.Or(worstFirst(a, b), cmp.Compare(a.ID, b.ID)) })
}

// Baseline is how a violation compares with the iteration before the latest one.
type Baseline string

// The words of SARIF.
const (
	// BaselineNew was first reported in the latest iteration.
	BaselineNew Baseline = "new"
	// BaselineUnchanged is as it was before.
	BaselineUnchanged Baseline = "unchanged"
	// BaselineUpdated was reopened or reworded in the latest iteration.
	BaselineUpdated Baseline = "updated"
	// BaselineAbsent is verified or withdrawn: its reviewers confirmed that it is fixed, or
	// withdrew it.
	BaselineAbsent Baseline = "absent"
)

// Baseline compares the violation with the iteration before the latest one.
func (f *RunFindings) Baseline(v ListedViolation) Baseline {
	last := f.State.LastIteration()
	switch {
	case v.Status == StatusVerified, v.Status == StatusWithdrawn:
		return BaselineAbsent
	case v.First == last:
		return BaselineNew
	case v.Status == StatusReopened && f.duringLast(v):
		return BaselineUpdated
	case v.Last == last && f.Reworded[v.ID]:
		return BaselineUpdated
	}
	return BaselineUnchanged
}

// duringLast reports whether the violation got its status in the latest iteration.
func (f *RunFindings) duringLast(v ListedViolation) bool {
	last := f.State.Iteration(f.State.LastIteration())
	return last != nil && !v.StatusAt.Before(last.StartedAt)
}

// Problems returns the violations that are not duplicates, each with its duplicates.
//
// Rule: A duplicate has the fate of what it was joined to.
func (f *RunFindings) Problems() []ListedViolation {
	there := map[string]bool{}
	for _, v := range f.Violations {
		there[v.ShortID] = true
	}
	return slices.DeleteFunc(slices.Clone(WithDuplicates(f.Violations)), func(v ListedViolation) bool {
		return v.DuplicateOf != "" && there[v.DuplicateOf]
	})
}

// Outstanding returns the problems that keep the run from passing: open ones, and claims that
// nobody has confirmed.
func (f *RunFindings) Outstanding() []ListedViolation {
	return slices.DeleteFunc(f.Problems(), func(v ListedViolation) bool { return !v.Fate().Outstanding() })
}

// Skipped returns the problems that somebody decided not to fix.
func (f *RunFindings) Skipped() []ListedViolation {
	return slices.DeleteFunc(f.Problems(), func(v ListedViolation) bool { return v.Fate() != StatusSkipped })
}

// Withdrawn returns the problems that their reporters withdrew.
func (f *RunFindings) Withdrawn() []ListedViolation {
	return slices.DeleteFunc(f.Problems(), func(v ListedViolation) bool { return v.Fate() != StatusWithdrawn })
}

// Warnings returns the filtered problems because of which the run passes only with warnings.
func (f *RunFindings) Warnings() []FilteredEntry {
	state := State{Filtered: f.State.Filtered}
	for _, v := range f.Violations {
		state.Violations = append(state.Violations, v.Violation)
	}
	return Warning(state.filteredProblems())
}

// LatestGates returns the latest execution of each job, in the order in which the jobs were first
// executed.
func (s *State) LatestGates() []Gate {
	var gates []Gate
	for _, job := range s.Jobs() {
		gates = append(gates, *s.LatestGate(job))
	}
	return gates
}
