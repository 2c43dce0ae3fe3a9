package ledger

import (
	"fmt"
	"slices"
)

// Owed returns what the next iteration owes although nothing that it compares has changed: slots
// that were in error, were interrupted or never answered, or that have a claim or a dispute to answer;
// checks that never ran; gates that were in error or interrupted; failed checks, if the tree is not
// the one that they failed on; and, if the run would pass by its rows, gates that are stale.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func (c *Coverage) Owed(planned, configured []Planned) []Owed {
	if !c.view.Rerun {
		return nil
	}
	var owed []Owed
	absent := Absent(c.state.Violations, planned)
	for _, p := range planned {
		if p.Kind == KindCheck {
			owed = append(owed, c.owedCheck(p.Job)...)
		} else {
			owed = append(owed, c.owedReview(p, absent)...)
		}
	}
	// The user's own choice of a diff does not say anything about the rest.
	if c.view.Choice != ChoseNothing || !Assess(c.state).Status.Passes() {
		return owed
	}
	for _, stale := range c.Stale(configured) {
		if !slices.Contains(owed, stale) {
			owed = append(owed, stale)
		}
	}
	return owed
}

// owedReview returns the slots that owe an answer. A gate may owe one although all its slots have
// answered before: no slot could be asked the last time, or the process ended before the gate did.
func (c *Coverage) owedReview(p Planned, absent map[string][]Reporter) (owed []Owed) {
	if c.coveredByPass(p) {
		return nil
	}
	for index := 1; index <= len(p.Fillers); index++ {
		slot := c.state.LatestSlot(p.Job, index)
		if slot == nil {
			owed = append(owed, Owed{Job: p.Job, Slot: index, Reason: NeverAnswered})
			continue
		}
		switch slot.Status {
		case SlotError:
			owed = append(owed, Owed{Job: p.Job, Slot: index, Reason: WasInError, Iteration: slot.Iteration})
		case SlotInterrupted, SlotRunning:
			owed = append(owed, Owed{Job: p.Job, Slot: index, Reason: Interrupted, Iteration: slot.Iteration})
		}
	}
	owed = slices.Concat(owed, c.forgotten(p), c.restated(p), c.unanswered(p), c.claimed(p), c.disputed(p, absent))
	gate := c.state.LatestGate(p.Job)
	if len(owed) == 0 && gate != nil && gate.Status != GatePassed && gate.Status != GateFailed {
		owed = append(owed, Owed{Job: p.Job, Reason: NotFinished, Iteration: gate.Iteration})
	}
	return owed
}

// restated returns the slots that could not tell whether a claim is fixed, if the claim was marked
// again since with a different explanation.
func (c *Coverage) restated(p Planned) (owed []Owed) {
	doubts := c.state.doubts()
	for _, v := range c.state.Violations {
		if v.Job != p.Job || !v.Claim() || !doubts[v.Problem()].answered {
			continue
		}
		for _, index := range v.Reporters(p.Fillers) {
			again := Owed{Job: p.Job, Slot: index, Reason: ClaimRestated, Iteration: v.decides().Answered}
			if !slices.Contains(owed, again) {
				owed = append(owed, again)
			}
		}
	}
	return owed
}

// unanswered returns the slots with a claim on which the latest answer has no word.
//
// Rule: Only an answer confirms.
func (c *Coverage) unanswered(p Planned) (owed []Owed) {
	for _, v := range c.state.Violations {
		if v.Job != p.Job || !v.Claim() || !v.Unanswered {
			continue
		}
		for _, index := range v.Reporters(p.Fillers) {
			again := Owed{Job: p.Job, Slot: index, Reason: ClaimUnanswered}
			if !slices.Contains(owed, again) {
				owed = append(owed, again)
			}
		}
	}
	return owed
}

// claimed returns the slots that have a claim to answer, if the iteration compares equal trees but
// their latest answer was about another one: the fix was to go back to the tree that reruns compare
// with.
func (c *Coverage) claimed(p Planned) (owed []Owed) {
	if !c.view.Unchanged {
		return nil
	}
	for _, v := range c.state.Violations {
		if v.Job != p.Job || !v.Claim() {
			continue
		}
		for _, index := range v.Reporters(p.Fillers) {
			seen := c.state.LatestAnswer(p.Job, index)
			if seen == nil {
				continue // it is owed anyway
			}
			again := Owed{Job: p.Job, Slot: index, Reason: ClaimOnOther, Iteration: seen.Iteration}
			if at := c.state.Iteration(seen.Iteration); (at == nil || at.Tree != c.view.Tree || c.baseMoved(at)) && !slices.Contains(owed, again) {
				owed = append(owed, again)
			}
		}
	}
	return owed
}

// disputed returns the slots that have a dispute to answer. A dispute that waits for an absent
// adapter is not owed by any slot.
//
// Rule: Only its reporter withdraws a finding.
func (c *Coverage) disputed(p Planned, absent map[string][]Reporter) (owed []Owed) {
	for _, v := range c.state.Violations {
		if v.Job != p.Job {
			continue
		}
		for index := 1; index <= len(p.Fillers); index++ {
			dispute := Owed{Job: p.Job, Slot: index, Reason: DisputeOpen, Iteration: v.decides().Answered}
			if v.PutTo(index, len(p.Fillers), absent) && !slices.Contains(owed, dispute) {
				owed = append(owed, dispute)
			}
		}
	}
	return owed
}

// doubt is what became of a problem of which a reviewer could not tell whether it is fixed.
type doubt struct {
	doubted bool
	// answered means that the problem was marked again since with a different explanation.
	answered bool
}

// doubts returns the doubts of all problems, by [Violation.Problem]. What has the same fate has the
// same doubt.
func (s *State) doubts() map[string]doubt {
	doubts := map[string]doubt{}
	for _, v := range s.Violations {
		if !v.Doubted.IsZero() {
			d := doubts[v.Problem()]
			d.doubted = true
			d.answered = d.answered || v.decides().StatusAt.After(v.Doubted) && !SameText(v.Author(), v.DoubtedWords)
			doubts[v.Problem()] = d
		}
	}
	return doubts
}

// AskAgain returns the next command where only these claims are left and nothing has changed since
// they were made. Unexplained means that it helps only after each was explained in other words,
// because a reviewer could tell of none: asked the same again, it says the same again.
func (s *State) AskAgain(claims []*Violation) (next string, unexplained bool) {
	doubts := s.doubts()
	unexplained = true
	for _, v := range claims {
		d := doubts[v.Problem()]
		if d.answered {
			return CommandRun, false // that is owed
		}
		unexplained = unexplained && d.doubted
	}
	if unexplained {
		return CommandRun, true
	}
	return CommandForce, false
}

func (c *Coverage) owedCheck(job string) []Owed {
	gate := c.state.LatestGate(job)
	if gate == nil {
		return []Owed{{Job: job, Reason: NeverRan}}
	}
	switch gate.Status {
	case GateError:
		return []Owed{{Job: job, Reason: WasInError, Iteration: gate.Iteration}}
	case GateInterrupted, GateNotRun, GateRunning:
		return []Owed{{Job: job, Reason: NotFinished, Iteration: gate.Iteration}}
	case GateFailed:
		if gate.CouldNotStart() {
			return []Owed{{Job: job, Reason: CouldNotStart, Iteration: gate.Iteration}}
		}
		if i := c.state.Iteration(gate.Iteration); i == nil || i.Tree != c.view.Tree || c.baseMoved(i) {
			return []Owed{{Job: job, Reason: FailedBefore, Iteration: gate.Iteration}}
		}
	}
	return nil
}

// CouldNotStart reports whether a shell reports that the check's program was not found or could not
// be executed. That is repaired outside the tree.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func (g Gate) CouldNotStart() bool { return g.ExitCode == 126 || g.ExitCode == 127 }

// PutAgain returns why the claim is put to the slot a second time, as a phrase, or "" if the slot has said
// nothing about it before. said are the words on all violations that report the problem, in order, and
// changed reports whether the claim's lines have changed since an iteration.
//
// Rule: Only an answer confirms.
func (v Violation) PutAgain(slot int, said []ReviewerWord, changed func(iteration int) (bool, error)) (string, error) {
	var own *ReviewerWord
	for i := range said {
		if w := &said[i]; w.Violation == v.ID && w.Job == v.Job && w.Slot == slot {
			own = w
		}
	}
	if own == nil {
		return "", nil
	}
	in := fmt.Sprintf("in iteration %d you ", own.Iteration)
	switch own.Verdict {
	case NoWord:
		return in + "had no word on it", nil
	case ClaimNotFixed:
		return in + "called it not fixed, and the author says that it is fixed now", nil
	}
	moved, err := changed(own.Iteration)
	if own.Verdict == ClaimCannotTell {
		if in += "could not tell"; moved {
			in += ", and its lines have changed since"
		}
		return in, err
	}
	in += "called it fixed, and "
	switch {
	case v.Last > own.Iteration:
		return in + "it was reported again since", err
	case moved:
		return in + "its lines have changed since", err
	}
	for _, w := range said {
		if w.Iteration == own.Iteration && w.Verdict == ClaimCannotTell {
			return in + "another reporter could not tell", err
		}
	}
	return in + "the answer of another reporter is missing", err
}
