package ledger

import (
	"slices"
)

// Outcome is the outcome of a violation or a check in a summary line.
type Outcome string

// The outcomes that a summary shows.
const (
	OutcomeFixed      Outcome = "fixed"
	OutcomeSkipped    Outcome = "skipped"
	OutcomeUnverified Outcome = "unverified"
	OutcomeWithdrawn  Outcome = "withdrawn"
)

// Summary is what is printed at the end of every iteration.
type Summary struct {
	// Iterations are the iterations that contributed, in ascending order.
	Iterations []SummaryIteration
	// Fixed, Skipped and Withdrawn are the numbers of problems with these outcomes. Violations that
	// are joined have a line each.
	Fixed, Skipped, Withdrawn int
	// Failed is the number of open violations, failing checks and slots in error.
	Failed int
	// ChecksFixed and ChecksFailed are how many of Fixed and Failed are checks.
	ChecksFixed, ChecksFailed int
	Status                    RunStatus
	// Took is how many iterations the run has had. Left is how many more iterations of the open run
	// may fail, or nil if no run is open.
	Took int
	Left *int
	// Open and Unresolved are what keeps the run from passing.
	Open       []*Violation
	Unresolved []Unresolved
	// Joined are the duplicates, which share the fate of their originals.
	Joined []*Violation
	// Filtered are the filtered problems that nobody took up.
	Filtered []Report
	// Unseen are the latest answers of tools that say that they did not look at something.
	Unseen []Slot
	// Config are the configuration files that the change under review changes.
	Config []string
	// Uncovered are changed files that no gate looks at.
	Uncovered []string
	// LookedAt is who looked at the change, or nil if the run has not passed.
	LookedAt *LookedAt
	// Spent is what the run has cost so far.
	Spent Spent
}

// Unverified reports whether the summary lists a claim that nobody has confirmed.
func (s Summary) Unverified() bool {
	return slices.ContainsFunc(s.Iterations, func(i SummaryIteration) bool {
		return slices.ContainsFunc(i.Lines, func(l SummaryLine) bool { return l.Outcome == OutcomeUnverified })
	})
}

// SummaryIteration is what one iteration contributed: the outcomes of its reports.
type SummaryIteration struct {
	Number int
	Lines  []SummaryLine
}

// SummaryLine is one violation, or one check whose problems were resolved.
type SummaryLine struct {
	Outcome Outcome
	// Problems is how many problems of a check were resolved, or 0 for a violation.
	Problems int
	// Violation has only the job if the line is about a check.
	Violation
}

// Summarize returns the summary of a run: what was fixed and confirmed, skipped, withdrawn or only
// claimed, each once and under the iteration whose report it answers.
//
// Rule: A failure shows what was found.
func Summarize(state *State, a Assessment) Summary {
	lines := map[int][]SummaryLine{}
	for _, job := range state.Jobs() {
		for iteration, problems := range resolvedProblems(state, job) {
			lines[iteration] = append(lines[iteration], SummaryLine{Outcome: OutcomeFixed, Problems: problems, Violation: Violation{Job: job}})
		}
	}
	for _, outcome := range []Outcome{OutcomeFixed, OutcomeSkipped, OutcomeWithdrawn, OutcomeUnverified} {
		for _, v := range state.Violations {
			if outcomeOf(v) == outcome {
				at := v.decides().Answered
				lines[at] = append(lines[at], SummaryLine{Outcome: outcome, Violation: v})
			}
		}
	}
	s := Summary{Failed: a.Failed(), ChecksFailed: a.checksFailed(), Status: a.Status, Open: a.Open, Filtered: a.Filtered, Unseen: a.Unseen, Unresolved: append(failing(a), errored(a)...), Took: len(state.Iterations), Spent: SpentIn(state)}
	s.Joined = state.violations(func(v *Violation) bool { return v.Status == StatusDuplicate })
	for _, i := range state.Iterations {
		if len(lines[i.Number]) == 0 {
			continue
		}
		s.Iterations = append(s.Iterations, SummaryIteration{Number: i.Number, Lines: lines[i.Number]})
		for _, line := range lines[i.Number] {
			switch {
			case line.Status == StatusDuplicate:
			case line.Outcome == OutcomeFixed:
				s.Fixed++
				if line.Problems > 0 {
					s.ChecksFixed++
				}
			case line.Outcome == OutcomeSkipped:
				s.Skipped++
			case line.Outcome == OutcomeWithdrawn:
				s.Withdrawn++
			}
		}
	}
	return s
}

func outcomeOf(v Violation) Outcome {
	switch {
	case v.Status == StatusVerified:
		return OutcomeFixed
	case v.Fate() == StatusSkipped:
		return OutcomeSkipped
	case v.Fate() == StatusWithdrawn:
		return OutcomeWithdrawn
	case v.Status == StatusFixed:
		return OutcomeUnverified
	}
	return ""
}

// resolvedProblems returns, by iteration, how many problems of a check were resolved: the problems
// of its last failure before it passed again.
func resolvedProblems(state *State, job string) map[int]int {
	resolved := map[int]int{}
	var failed *Gate
	for i := range state.Gates {
		gate := &state.Gates[i]
		if gate.Job != job || gate.Kind != KindCheck {
			continue
		}
		switch gate.Status {
		case GateFailed:
			failed = gate
		case GatePassed:
			if failed != nil {
				resolved[failed.Iteration] = max(1, failed.Problems)
			}
		}
	}
	return resolved
}

// RunResult is the result of one invocation of the gates.
type RunResult struct {
	// Run is empty if the invocation did not belong to a run, and Iteration is 0 if nothing was
	// executed; then Reason is why. Status is the status of the run.
	Run       string
	Iteration int
	Status    RunStatus
	Reason    string
	// Error is why the invocation could not do its work, or "".
	Error    string
	ExitCode int
	// ChangedFiles is how many files were compared.
	ChangedFiles int
	// State is the state of the run, or nil if the invocation did not belong to one. Gates are the
	// gates of the iteration.
	State *State
	Gates []RunGate
	// Open and Unverified are the violations that keep the run from passing.
	Open, Unverified []ListedViolation
	Summary          Summary
	Next             string
}

// RunGate is the result of a gate in the iteration, with its log and files.
type RunGate struct {
	Gate
	// Log is the path of a check's log. Paths are the paths of its slots' files: the JSON files, or
	// the logs of slots without an answer. They are empty if there are none.
	Log   string
	Paths []string
	// FailsOnBase reports whether a check that failed also fails on the base, or is nil if that is
	// not known.
	FailsOnBase *bool
}
