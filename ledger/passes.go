package ledger

import "slices"

// Assessment is the state of a run: what is outstanding, and the status that follows.
type Assessment struct {
	Status RunStatus
	// Open are the violations that wait for the agent or for an answer.
	Open []*Violation
	// Claims are the violations that are fixed and not verified yet.
	Claims []*Violation
	// Skipped are the violations that somebody decided not to fix.
	Skipped []*Violation
	// Handed are the verified ones that another gate confirmed, because the reporter's was gone.
	Handed []*Violation
	// Withdrawn are the violations that their reporters withdrew.
	Withdrawn []*Violation
	// Failing are the checks whose latest execution failed.
	Failing []Gate
	// Erred are the gates whose latest execution was in error, was interrupted or did not finish.
	Erred []Gate
	// Filtered are the filtered problems that nobody took up, the most important first.
	Filtered []Report
	// Unseen are the latest answers of tools that say that they did not look at something.
	Unseen []Slot
	// ErredSlots is the number of slots in error of the gates in Erred. A gate without slots counts
	// as one.
	ErredSlots int

	unanswered map[string]bool // see unansweredDisputes
}

// Outstanding returns how many violations keep the run from passing.
func (a Assessment) Outstanding() int { return len(a.Open) + len(a.Claims) }

// Abandoned returns what a run that is abandoned leaves, as the end of a sentence, or "".
func (a Assessment) Abandoned() string {
	left := inNumbers(problems(a.Open), problems(a.Claims), len(a.Failing), len(a.Erred))
	if left == "" {
		return ""
	}
	return ", and left " + left
}

// Failed returns the number that the summary calls failed.
func (a Assessment) Failed() int { return len(a.Open) + len(a.Failing) + a.ErredSlots }

// checksFailed returns how many of [Assessment.Failed] are checks.
func (a Assessment) checksFailed() int {
	n := len(a.Failing)
	for _, gate := range a.Erred {
		if gate.Kind == KindCheck {
			n++
		}
	}
	return n
}

// OnlyGone reports whether only gates that are gone keep the run from passing: no further iteration
// executes them here, so nobody confirms a fix. gone are the jobs that are no longer configured, or
// run only in another environment.
func (a Assessment) OnlyGone(gone []string) bool {
	gate := func(g Gate) bool { return !slices.Contains(gone, g.Job) }
	violation := func(v *Violation) bool { return !slices.Contains(gone, v.Job) }
	return a.Outstanding()+len(a.Failing)+len(a.Erred) > 0 &&
		!slices.ContainsFunc(a.Open, violation) && !slices.ContainsFunc(a.Claims, violation) &&
		!slices.ContainsFunc(a.Failing, gate) && !slices.ContainsFunc(a.Erred, gate)
}

// Stuck reports whether [Assessment.OnlyGone] holds, and the gates found nothing: they are in error.
// Nobody is told to give up the run because of something that was found.
func (a Assessment) Stuck(gone []string) bool {
	return a.Outstanding()+len(a.Failing) == 0 && a.OnlyGone(gone)
}

// Assess computes the state of a run from its rows. It has passed only if nothing is open, no claim
// is unverified, and the latest execution of every job that it ever executed succeeded. A run that
// executed nothing has not passed.
//
// Rule: A run passes only if nothing is outstanding.
func Assess(state *State) Assessment {
	a := Assessment{
		Open:    state.violations(func(v *Violation) bool { return v.Status.Open() || v.lost() }),
		Claims:  state.violations(func(v *Violation) bool { return v.Status == StatusFixed }),
		Skipped: state.violations(func(v *Violation) bool { return v.Fate() == StatusSkipped }),

		Handed:    state.violations(func(v *Violation) bool { return v.Status == StatusVerified && v.HandedFrom != "" }),
		Withdrawn: state.violations(func(v *Violation) bool { return v.Fate() == StatusWithdrawn }),
		Filtered:  state.filteredProblems(),
		Unseen:    state.unseen(),
		Failing:   state.FailingChecks(),
	}
	for _, gate := range state.LatestGates() {
		a.assessGate(gate)
	}
	a.unanswered = a.unansweredDisputes(state)
	a.Status = a.status()
	if len(state.Gates) == 0 && a.Status.Passes() {
		a.Status = StatusError // nothing was executed, so nothing has passed
	}
	return a
}

// violations returns the violations for which fits is true.
func (s *State) violations(fits func(*Violation) bool) (list []*Violation) {
	for i := range s.Violations {
		if fits(&s.Violations[i]) {
			list = append(list, &s.Violations[i])
		}
	}
	return list
}

// unseen returns the latest answers of tools that say that they did not look at something.
//
// Rule: A tool that could not look has not passed.
func (s *State) unseen() (list []Slot) {
	for _, gate := range s.LatestGates() {
		for _, slot := range gate.Slots {
			if last := s.LatestAnswer(gate.Job, slot.Index); last != nil && last.Unseen != "" {
				list = append(list, *last)
			}
		}
	}
	return list
}

// FailingChecks returns the checks whose latest execution failed. Failed review gates are not
// needed: their violations show whether they still fail.
func (s *State) FailingChecks() (failing []Gate) {
	for _, gate := range s.LatestGates() {
		if gate.Kind == KindCheck && gate.Status == GateFailed {
			failing = append(failing, gate)
		}
	}
	return failing
}

func (a *Assessment) assessGate(gate Gate) {
	finished := gate.Status == GatePassed || gate.Status == GateFailed || gate.CoveredByPass()
	if !finished || erredSlots(gate) > 0 {
		a.Erred = append(a.Erred, gate)
		a.ErredSlots += max(1, erredSlots(gate))
	}
}

func erredSlots(gate Gate) int {
	n := 0
	for _, slot := range gate.Slots {
		if slot.Status.Unanswered() {
			n++
		}
	}
	return n
}

// Rule: Only its reporter withdraws a finding.
func (a *Assessment) status() RunStatus {
	switch {
	case slices.ContainsFunc(a.Open, func(v *Violation) bool { return !a.unanswered[v.ID] }) || len(a.Failing) > 0:
		return StatusFailed
	case len(a.Erred) > 0:
		return StatusError
	case a.Outstanding() > 0:
		return StatusFailed
	case len(a.Skipped)+len(a.Handed)+len(a.Withdrawn)+len(a.Unseen) > 0 || slices.ContainsFunc(a.Filtered, func(r Report) bool { return r.Warns() }):
		return StatusPassedWithWarnings
	}
	return StatusPassed
}

// unansweredDisputes returns, by ULID, the disputed violations that a gate in error could not
// answer. They do not make the run failed.
func (a *Assessment) unansweredDisputes(state *State) map[string]bool {
	unanswered := map[string]bool{}
	for _, v := range state.Violations {
		if v.Fate() == StatusDisputed && slices.ContainsFunc(a.Erred, func(g Gate) bool { return g.Job == v.Job }) {
			unanswered[v.Problem()] = true
		}
	}
	return unanswered
}

// GateResult derives the status of a review gate from its slots: error if one is in error or there
// are none, or else failed if one failed.
//
// Rule: A passed slot is skipped while another runs.
func GateResult(slots []Slot) GateStatus {
	if len(slots) == 0 {
		return GateError
	}
	status := GatePassed
	for _, slot := range slots {
		switch slot.Status {
		case SlotInterrupted, SlotRunning:
			return GateInterrupted
		case SlotError:
			status = GateError
		case SlotFail:
			if status == GatePassed {
				status = GateFailed
			}
		}
	}
	return status
}
