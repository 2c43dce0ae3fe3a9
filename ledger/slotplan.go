package ledger

import "fmt"

// SlotPlan is the decision whether a slot is asked in this iteration.
type SlotPlan struct {
	Index int
	// Skip reports whether the slot is not asked because it passed before.
	Skip bool
	// PassIteration is the iteration in which a skipped slot passed.
	PassIteration int
	// Latch reports whether the slot is asked only because every slot of its gate had passed.
	Latch bool
}

// GatePlan is a gate that an iteration is about to execute.
type GatePlan struct {
	Job        string
	Kind       GateKind
	EntryPoint string
	Name       string
	Command    string // of a check
	NumReviews int    // of a review
	// Error is set if the gate cannot be executed; it is then recorded as being in error.
	Error string
	// NotRun is set if the gate is not run. NotRunText is the reason in words.
	NotRun     NotRunReason
	NotRunText string
	// ConfigHash is a hash of the gate's own configuration. RestsOn is the run whose pass it rests
	// on, or "".
	ConfigHash, RestsOn string
	Slots               []PlannedSlot
}

// PlannedSlot is a slot of a [GatePlan], with the adapter that fills it.
type PlannedSlot struct {
	SlotPlan
	Adapter string
	// Reviewed is the commit, or tree, that the slot's reviewer is shown.
	Reviewed string
}

// Log returns the line about the plan in the slot's log, or "".
//
// Rule: A passed slot is skipped while another runs.
func (p SlotPlan) Log() string {
	switch {
	case p.Skip:
		return fmt.Sprintf("Skipping @%d: previously passed in iteration %d (num_reviews > 1)", p.Index, p.PassIteration)
	case p.Latch:
		return fmt.Sprintf("Running @%d: safety latch (all slots previously passed)", p.Index)
	}
	return ""
}

// PlanSlots decides which slots of a review job are asked. A slot has passed if its latest row in
// this run is a pass, or a skip because of one, and none of its violations, or of their originals,
// is open or claimed. If there are several slots, those that passed are skipped; if all of them
// passed, slot 1 is asked anyway. Slots are identified by review index, whichever adapter fills
// them.
//
// Rule: A passed slot is skipped while another runs.
func PlanSlots(state *State, job string, fillers []Filler) []SlotPlan {
	numReviews := len(fillers)
	plans := make([]SlotPlan, 0, numReviews)
	passed := 0
	outstanding := state.outstandingSlots(job, fillers)
	for index := 1; index <= numReviews; index++ {
		plan := SlotPlan{Index: index}
		if at := passIteration(state.LatestSlot(job, index)); at > 0 && state.forgotten(job, index) == nil && !outstanding[index] && numReviews > 1 {
			plan.Skip, plan.PassIteration = true, at
			passed++
		}
		plans = append(plans, plan)
	}
	if passed == numReviews && passed > 0 {
		plans[0] = SlotPlan{Index: 1, Latch: true}
	}
	return plans
}

// passIteration returns the iteration in which the slot passed, or 0 if its latest row is not a
// pass.
func passIteration(slot *Slot) int {
	switch {
	case slot == nil:
		return 0
	case slot.Status == SlotPass:
		return slot.Iteration
	case slot.Status == SlotSkipped:
		return slot.PassIteration
	}
	return 0
}

// ResponsibleSlot returns the slot that a violation of the given slot belongs to now: slot 1 takes
// over from slots that no longer exist.
func ResponsibleSlot(slot, numReviews int) int {
	if slot > numReviews {
		return 1
	}
	return slot
}

func (s *State) outstandingSlots(job string, fillers []Filler) map[int]bool {
	slots := map[int]bool{}
	for _, v := range s.Violations {
		if v.Job == job && (v.Fate().Open() || v.Claim()) {
			for _, slot := range v.Reporters(fillers) {
				slots[slot] = true
			}
		}
	}
	return slots
}
