package ledger

import (
	"slices"
	"time"
)

// State has the rows of one run that decisions read.
type State struct {
	Run        Run
	Iterations []Iteration // in ascending order
	Gates      []Gate      // by iteration, then in the order of execution
	Violations []Violation // oldest first
	// Filtered are the filtered reports that nobody took up, the most important first.
	Filtered []Report
	// Transitions are the transitions of the run itself, oldest first.
	Transitions []Transition
	// Rests has the passes that its gates rest on, by job.
	Rests map[string]Rest
	// Anew is the latest iteration before which no answer counts, see [Iteration.Anew], or 0.
	Anew int
	// Fork is where the base branch was left, if the base is the user's choice and the branch has gained
	// commits of the base branch since.
	Fork Fork
}

// Iteration returns the iteration with this number, or nil.
func (s *State) Iteration(number int) *Iteration {
	for i := range s.Iterations {
		if s.Iterations[i].Number == number {
			return &s.Iterations[i]
		}
	}
	return nil
}

// IterationAt returns the latest iteration that had begun at the time, or nil.
func (s *State) IterationAt(at time.Time) (running *Iteration) {
	for i := range s.Iterations {
		if !s.Iterations[i].StartedAt.After(at) {
			running = &s.Iterations[i]
		}
	}
	return running
}

// endsOn reports whether the latest iteration ran on this working tree.
func (s *State) endsOn(tree string) bool {
	last := s.Iteration(s.LastIteration())
	return last != nil && last.Tree == tree
}

// LastIteration returns the highest iteration number, or 0.
func (s *State) LastIteration() int {
	if len(s.Iterations) == 0 {
		return 0
	}
	return s.Iterations[len(s.Iterations)-1].Number
}

// Restored reports whether the run was restored from its files.
func (s *State) Restored() bool { return len(s.Iterations) > 0 && s.Iterations[0].Mode == ModeRebuilt }

// AnsweredAgain reports whether nothing rests on files: every check has run, and every slot has
// answered, after the iterations that were restored. Slots are then shown the whole change first.
//
// Rule: A file does not prove a pass.
func (s *State) AnsweredAgain() bool {
	rebuilt := map[int]bool{}
	for _, it := range s.Iterations {
		rebuilt[it.Number] = it.Mode == ModeRebuilt
	}
	for _, gate := range s.LatestGates() {
		if rebuilt[gate.Iteration] {
			return false
		}
		for _, slot := range gate.Slots {
			if last := s.LatestAnswer(gate.Job, slot.Index); last == nil || rebuilt[last.Iteration] {
				return false
			}
		}
	}
	return true
}

// NeverEnded reports whether every iteration of the run was interrupted or killed, so that none could
// leave a session reference.
//
// Rule: A rerun shows what changed since the session reference.
func (s *State) NeverEnded() bool {
	return !slices.ContainsFunc(s.Iterations, func(it Iteration) bool { return !it.CutOff() })
}

// ReviewFailed reports whether a reviewer reported violations in the iteration.
func (s *State) ReviewFailed(iteration int) bool {
	return slices.ContainsFunc(s.Gates, func(gate Gate) bool {
		return gate.Iteration == iteration && slices.ContainsFunc(gate.Slots, func(slot Slot) bool { return slot.Status == SlotFail })
	})
}

// LatestGate returns the job's latest execution in the run, or nil. If the job was not run because
// nothing in its part had changed, its previous execution counts.
func (s *State) LatestGate(job string) *Gate {
	var leftAlone *Gate
	for i := len(s.Gates) - 1; i >= 0; i-- {
		switch gate := &s.Gates[i]; {
		case gate.Job != job:
		case gate.NotRun != NotRunUnchanged:
			return gate
		case leftAlone == nil:
			leftAlone = gate
		}
	}
	return leftAlone
}

// LatestSlot returns the slot's latest row in the run that counts, or nil.
func (s *State) LatestSlot(job string, index int) *Slot {
	return s.latestSlot(job, index, func(Slot) bool { return true })
}

// LatestAnswer returns the latest row of the slot in which its reviewer answered, or nil.
func (s *State) LatestAnswer(job string, index int) *Slot {
	return s.latestSlot(job, index, Slot.Answered)
}

func (s *State) latestSlot(job string, index int, want func(Slot) bool) *Slot {
	for i := len(s.Gates) - 1; i >= 0; i-- {
		if s.Gates[i].Job != job || s.Gates[i].Iteration < s.Anew {
			continue
		}
		for j := range s.Gates[i].Slots {
			if slot := &s.Gates[i].Slots[j]; slot.Index == index && want(*slot) {
				return slot
			}
		}
	}
	return nil
}

// forgotten returns the first of the slot's latest answers that no longer count because a skip was
// forgotten, or nil if its latest answer counts.
func (s *State) forgotten(job string, index int) (first *Slot) {
	s.latestSlot(job, index, func(slot Slot) bool {
		if slot.Status.Answered() && slot.Forgotten {
			first = &slot
		}
		return slot.Status.Answered() && !slot.Forgotten
	})
	return first
}

// AnyForgotten reports whether the latest answer of any slot no longer counts because a skip was
// forgotten.
func (s *State) AnyForgotten() bool {
	for _, gate := range s.Gates {
		for _, slot := range gate.Slots {
			if slot.Forgotten && s.forgotten(gate.Job, slot.Index) != nil {
				return true
			}
		}
	}
	return false
}

// Jobs returns every job that the run has executed, in the order of their first execution.
func (s *State) Jobs() []string {
	var jobs []string
	seen := map[string]bool{}
	for _, g := range s.Gates {
		if !seen[g.Job] {
			seen[g.Job] = true
			jobs = append(jobs, g.Job)
		}
	}
	return jobs
}

// ViolationsOf returns the job's violations, oldest first.
func (s *State) ViolationsOf(job string) []Violation {
	var of []Violation
	for _, v := range s.Violations {
		if v.Job == job {
			of = append(of, v)
		}
	}
	return of
}
