package ledger

import "slices"

// Choice is what the user chose to have reviewed instead of what the run compares by itself.
type Choice string

// The choices.
const (
	ChoseNothing     Choice = ""
	ChoseCommit      Choice = "commit"
	ChoseUncommitted Choice = "uncommitted"
)

// View is what one iteration compares.
type View struct {
	// Number is the number of the iteration. Rerun reports whether its run had started before it.
	Number int
	Rerun  bool
	Choice Choice
	Source Source
	// From and To are the trees that the iteration compares. FromBase is the base that the run had
	// when From was reviewed; it is empty if it is not known, or if From is not a reviewed tree.
	From, FromBase, To string
	// Unchanged reports whether nothing differs between the two.
	Unchanged bool
	// SessionIteration is the iteration whose tree the session reference has, if the iteration
	// compares with it, or 0.
	SessionIteration int
	// Tree is the working tree as it is now.
	Tree string
	// Head is the commit that HEAD names now.
	Head string
	// Restricted reports whether the user restricts which gates run.
	Restricted bool
	// Whole reports whether the user wants everything reviewed.
	Whole bool
}

// Seen is a commit or tree that somebody saw, with the base of the run at that time. The base is
// empty if it is the present one, or not known.
type Seen struct{ Tree, Base string }

// SeenBy returns what the slot saw when it answered.
func (s *State) SeenBy(slot *Slot) Seen {
	if at := s.Iteration(slot.Iteration); at != nil {
		return Seen{slot.Reviewed, s.BaseAt(at)}
	}
	return Seen{Tree: slot.Reviewed}
}

// Part is what one job looks at in the diff between two trees. Base is the former base of the run if
// From was seen compared with that, or "".
type Part struct{ From, Base, To, Job string }

// PartFact is what git knows about a [Part].
type PartFact struct {
	// Changed reports whether anything in it differs.
	Changed bool
	// Beyond reports whether the iteration's own diff does not show all of the part.
	Beyond bool
}

// Planned is a job that an iteration is about to execute.
type Planned struct {
	Job  string
	Name string // of its gate
	Kind GateKind
	// ConfigHash is the hash of its own configuration, as [Gate.ConfigHash].
	ConfigHash string
	// Fillers are the fillers of the slots of a review, in order. They are known at least if the
	// job has a claim or a dispute.
	Fillers []Filler
	// Applies reports whether the job runs here: some jobs run only in continuous integration,
	// others never do.
	Applies bool
}

// Shown is what a slot must be shown: the changes from each of the trees in From to the tree To.
type Shown struct {
	From []Seen
	To   string
	// Last is what the slot saw when it answered last. Only what has changed since is new to it; its tree
	// is empty if that is not known, or if the user chose what the slot is shown.
	Last Seen
	// Other is what another slot of the gate saw later, if one did: what differs from that, and not from
	// Last, was undone after that slot had seen it.
	Other Seen
}

// Reason is why something is stale, or owed.
type Reason string

// Reasons why a gate is stale: what it said is about other code than there is now.
const (
	// TreeChanged: the working tree is not the one that the latest iteration ran on.
	TreeChanged Reason = "tree_changed"
	// PartChanged: its part of the tree has changed since it ran.
	PartChanged Reason = "part_changed"
	// NotShown: because of the user's choice, a change was not shown to one of its slots.
	NotShown Reason = "not_shown"
	// TreeUnknown: it was restored from files, which do not say on which tree it ran.
	TreeUnknown Reason = "tree_unknown"
	// BaseChanged: the base of the run has moved since it ran.
	BaseChanged Reason = "base_moved"
)

// Reasons why something is owed although nothing has changed.
const (
	NeverRan      Reason = "never_ran"
	NeverAnswered Reason = "never_answered"
	WasInError    Reason = "in_error"
	Interrupted   Reason = "interrupted"
	NotFinished   Reason = "not_finished"
	// CouldNotStart: a shell could not start the program of a check, which may exist now.
	CouldNotStart Reason = "could_not_start"
	// SkipForgotten: a report of the slot was filtered because of a remembered skip that was
	// forgotten since.
	SkipForgotten Reason = "skip_forgotten"
	// ClaimRestated: a reviewer could not tell whether a claim is fixed, and the claim was marked
	// again since.
	ClaimRestated Reason = "claim_restated"
	// ClaimUnanswered: the latest answer about a claim has no word on it.
	ClaimUnanswered Reason = "claim_unanswered"
	// ClaimOnOther: a slot has a claim to answer, and the tree is not the one that it last saw.
	ClaimOnOther Reason = "claim_on_other"
	// DisputeOpen: a violation that the slot reported is disputed, and the slot has not answered
	// the dispute.
	DisputeOpen Reason = "dispute_open"
	// FailedBefore: a check failed, on a tree other than the current one.
	FailedBefore Reason = "failed_before"
)

// Owed is a gate or a slot that must run, or must be shown more, before the run can pass.
type Owed struct {
	// Job is empty if the reason applies to all gates.
	Job string
	// Slot is a review index, or 0 for the gate itself.
	Slot   int
	Reason Reason
	// Iteration is the iteration that the reason refers to, or 0.
	Iteration int
}

// Coverage decides what each gate and slot of a run has not seen yet, from the run's rows, the
// trees that the iteration compares, and facts about parts of diffs. A part without a fact counts
// as changed, and [Coverage.Unknown] lists it: the caller finds the missing facts and asks again
// until nothing is unknown.
type Coverage struct {
	state   *State
	view    View
	facts   map[Part]PartFact
	unknown []Part
}

// NewCoverage returns a Coverage of the run's rows. What iterations from the view's on have seen
// does not count.
func NewCoverage(state *State, view View, facts map[Part]PartFact) *Coverage {
	return &Coverage{state: state, view: view, facts: facts}
}

// Unknown lists the parts that were asked about and have no fact.
func (c *Coverage) Unknown() []Part { return c.unknown }

// fact returns what is known about a job's part of what has changed since somebody saw a tree. If
// the base has moved since then, equal trees may differ in what they change.
func (c *Coverage) fact(from Seen, to, job string) PartFact {
	if from.Tree == to && from.Base == "" {
		return PartFact{}
	}
	part := Part{from.Tree, from.Base, to, job}
	fact, known := c.facts[part]
	if known {
		return fact
	}
	if !slices.Contains(c.unknown, part) {
		c.unknown = append(c.unknown, part)
	}
	return PartFact{Changed: true, Beyond: true}
}

// seen returns the tree with the base that the run had then, unless that is the present one.
func (c *Coverage) seen(tree, base string) Seen {
	if base == c.state.BaseNow() {
		base = ""
	}
	return Seen{tree, base}
}

// answeredOn returns what the slot saw when it answered.
func (c *Coverage) answeredOn(slot *Slot) Seen {
	on := c.state.SeenBy(slot)
	return c.seen(on.Tree, on.Base)
}

// Shown returns what a slot must be shown for the job. A file that is back in its state in the
// iteration's first tree has not changed since then; it is shown nevertheless if the slot, or
// another one that is skipped now, has seen it in another state, because the change may undo a
// confirmed fix.
//
// Rule: No slot passes what it was not shown.
func (c *Coverage) Shown(p Planned, index int) Shown {
	from, to := c.compared(p, index)
	shown := Shown{From: []Seen{from}, To: to}
	if c.view.Whole {
		return shown
	}
	own := c.lastSeen(p.Job, index)
	if !c.view.Rerun || c.view.Choice == ChoseCommit || own == nil || c.state.Reconfigured(p, own) {
		return shown
	}
	// With this choice, what was committed since is not shown; what went back to the commit's state
	// is an uncommitted change.
	if c.view.Choice == ChoseUncommitted && c.headMoved(own) {
		return shown
	}
	newest := own
	for other := 1; other <= len(p.Fillers); other++ {
		if seen := c.lastSeen(p.Job, other); seen != nil && seen.Iteration > newest.Iteration {
			newest = seen
		}
	}
	shown.Last = c.answeredOn(own)
	if newest != own {
		shown.Other = c.answeredOn(newest)
	}
	for _, seen := range []*Slot{own, newest} {
		if on := c.answeredOn(seen); on.Tree != "" && !slices.Contains(shown.From, on) {
			shown.From = append(shown.From, on)
		}
	}
	return shown
}

// compared returns the trees that a slot compares. Until the slot has answered, that is all that
// the run changed, whatever the user chose for this iteration, or all that changed since the pass
// that the gate rests on. After that it is what the iteration compares, but never from a tree later
// than the one that the slot last reviewed, because the slot has not seen what changed in between.
//
// Rule: No slot passes what it was not shown.
func (c *Coverage) compared(p Planned, index int) (from Seen, to string) {
	rest, whole, own := c.rest(p), c.state.Whole(), c.seen(c.view.From, c.view.FromBase)
	switch {
	case c.view.Whole:
		return whole, c.view.Tree
	case rest.Tree != "" && (!c.answered(p.Job, index) || c.view.Choice == ChoseNothing && c.view.Source == SourceUncommitted):
		return rest, c.view.Tree
	case !c.view.Rerun || c.view.Choice != ChoseNothing && c.answered(p.Job, index):
		return own, c.view.To
	}
	seen := c.lastSeen(p.Job, index)
	switch {
	case seen == nil, seen.Reviewed == "", // restored from a file, which does not say what it saw
		c.state.Reconfigured(p, seen): // what it saw, it saw with other instructions
		return whole, c.view.Tree
	case c.uncovered(p, seen):
		return c.answeredOn(seen), c.view.To
	}
	return own, c.view.To
}

// Reconfigured reports whether the gate was configured otherwise when the slot answered.
//
// Rule: No slot passes what it was not shown.
func (s *State) Reconfigured(p Planned, answer *Slot) bool {
	return slices.ContainsFunc(s.Gates, func(gate Gate) bool {
		return gate.Job == p.Job && gate.Iteration == answer.Iteration && gate.ConfigHash != p.ConfigHash
	})
}

// rest returns what was seen by the pass that the job rests on.
func (c *Coverage) rest(p Planned) Seen {
	rest := c.state.RestOf(p)
	return c.seen(rest.Tree, rest.Base)
}

// uncovered reports whether something in the job that the slot has not seen is missing in the
// iteration's own diff: because the session reference is younger than the slot's answer, because
// HEAD or the base moved, or because a file went back to its state in HEAD.
func (c *Coverage) uncovered(p Planned, seen *Slot) bool {
	switch c.view.Source {
	case SourceSession:
		return c.view.SessionIteration > seen.Iteration
	case SourceUncommitted:
		on := c.answeredOn(seen)
		return c.headMoved(seen) || on.Base != "" || c.fact(on, c.view.To, p.Job).Beyond
	}
	return false
}

// lastSeen returns the slot's latest answer after which it had seen everything that the run had
// changed until then, or nil. On a rerun, --commit shows the slot only one commit, and
// --uncommitted shows nothing that was committed since its previous answer.
func (c *Coverage) lastSeen(job string, index int) (seen *Slot) {
	var head string
	for _, gate := range c.before(job) {
		at := c.state.Iteration(gate.Iteration)
		if at == nil {
			continue
		}
		rerun := at.Mode == ModeRerun
		if rerun && (at.Source == SourceCommit || at.Source == SourceUncommittedOnly && seen != nil && at.Head != head) {
			continue
		}
		for n := range gate.Slots {
			if slot := &gate.Slots[n]; slot.Index == index && slot.Answered() {
				seen, head = slot, at.Head
			}
		}
	}
	return seen
}

// answered reports whether the slot answered before this iteration.
func (c *Coverage) answered(job string, index int) bool {
	return slices.ContainsFunc(c.before(job), func(gate Gate) bool {
		return slices.ContainsFunc(gate.Slots, func(slot Slot) bool { return slot.Index == index && slot.Answered() })
	})
}

// before returns the job's executions before this iteration, as far as they count.
func (c *Coverage) before(job string) (gates []Gate) {
	for _, gate := range c.state.Gates {
		if gate.Job == job && gate.Iteration < c.view.Number && gate.Iteration >= c.state.Anew {
			gates = append(gates, gate)
		}
	}
	return gates
}

// headMoved reports whether another commit is checked out than when the slot answered.
func (c *Coverage) headMoved(seen *Slot) bool {
	at := c.state.Iteration(seen.Iteration)
	return at == nil || at.Head != c.view.Head
}

// Covered reports whether a review job need not run because it is covered: it has passed as it is
// configured now, and each of its slots has seen all of its part. iteration is since when, or 0 if that is the pass that it
// rests on. What a slot has seen is checked separately, because a commit may have emptied the
// iteration's diff, or the session reference may be younger than the slot's answer.
//
// Rule: Nothing changed and nothing owed means nothing runs.
func (c *Coverage) Covered(p Planned) (iteration int, covered bool) {
	if p.Kind != KindReview || c.view.Whole {
		return 0, false
	}
	if c.coveredByPass(p) {
		return 0, true
	}
	gate := c.state.LatestGate(p.Job)
	if gate == nil || gate.Status != GatePassed || gate.Iteration < c.state.Anew || gate.ConfigHash != p.ConfigHash {
		return 0, false
	}
	for _, v := range c.state.Violations {
		if v.Job == p.Job && (v.Fate().Open() || v.Claim()) {
			return 0, false
		}
	}
	for index := 1; index <= len(p.Fillers); index++ {
		if c.state.LatestSlot(p.Job, index) == nil || c.state.forgotten(p.Job, index) != nil {
			return 0, false
		}
		shown := c.Shown(p, index)
		for _, from := range shown.From {
			if c.fact(from, shown.To, p.Job).Changed {
				return 0, false
			}
		}
	}
	return gate.Iteration, true
}

// coveredByPass reports whether the job rests on a pass, no slot has been asked since, and nothing
// in its part has changed.
//
// Rule: No slot passes what it was not shown.
func (c *Coverage) coveredByPass(p Planned) bool {
	rest := c.rest(p)
	return rest.Tree != "" && c.state.coveredByPass(p.Job) && !c.fact(rest, c.view.Tree, p.Job).Changed
}

// Stale returns why the run does not pass although its rows would let it, or nothing if it may
// pass: every gate must have seen the working tree as it is now. The latest iteration may have run
// only some gates, or shown them only what the user chose.
//
// Rule: A run passes only over code that its gates have seen.
func (c *Coverage) Stale(configured []Planned) []Owed {
	last := c.state.Iteration(c.state.LastIteration())
	if last == nil || last.Tree != c.view.Tree {
		return []Owed{{Reason: TreeChanged, Iteration: c.state.LastIteration()}}
	}
	if c.baseMoved(last) {
		return []Owed{{Reason: BaseChanged, Iteration: last.Number}}
	}
	var stale []Owed
	for _, id := range c.state.Jobs() {
		p, known := find(configured, id)
		if !known {
			continue
		}
		stale = append(stale, c.forgotten(p)...)
		gate := c.state.LatestGate(id)
		if gate.Iteration >= c.state.Anew && !c.sawAll(gate) {
			stale = append(stale, Owed{Job: id, Reason: NotShown, Iteration: gate.Iteration})
		} else if reason := c.partChanged(p, gate); reason != "" {
			stale = append(stale, Owed{Job: id, Reason: reason, Iteration: gate.Iteration})
		}
	}
	return stale
}

// StaleAfter is like [Coverage.Stale], for an iteration that is ending, whose rows are already in
// the state. Only an iteration that restricts what runs or what is reviewed leaves stale gates,
// unless a skip was forgotten meanwhile.
//
// Rule: A run passes only over code that its gates have seen.
func (c *Coverage) StaleAfter(configured []Planned) []Owed {
	var stale []Owed
	for _, id := range c.state.Jobs() {
		if p, _ := find(configured, id); p.Applies {
			stale = append(stale, c.forgotten(p)...)
		}
	}
	if !c.view.Restricted && !c.chose() {
		return stale
	}
	for _, id := range c.state.Jobs() {
		p, _ := find(configured, id)
		if !p.Applies {
			continue
		}
		gate := c.state.LatestGate(id)
		reason := Reason("")
		if gate.Iteration < c.view.Number {
			reason = c.partChanged(p, gate)
		} else if c.hidden(gate) {
			reason = NotShown
		}
		if reason != "" {
			stale = append(stale, Owed{Job: id, Reason: reason, Iteration: gate.Iteration})
		}
	}
	return stale
}

// forgotten returns the slots whose latest answer no longer counts because a skip was forgotten.
func (c *Coverage) forgotten(p Planned) (owed []Owed) {
	for index := 1; index <= len(p.Fillers); index++ {
		if slot := c.state.forgotten(p.Job, index); slot != nil {
			owed = append(owed, Owed{Job: p.Job, Slot: index, Reason: SkipForgotten, Iteration: slot.Iteration})
		}
	}
	return owed
}

func find(configured []Planned, job string) (Planned, bool) {
	i := slices.IndexFunc(configured, func(p Planned) bool { return p.Job == job })
	if i < 0 {
		return Planned{}, false
	}
	return configured[i], true
}

// chose reports whether a rerun reviews what the user chose with a flag.
func (c *Coverage) chose() bool { return c.view.Rerun && c.view.Choice != ChoseNothing }

// partChanged returns why the gate's latest execution was on other code than there is now, or "".
func (c *Coverage) partChanged(p Planned, gate *Gate) Reason {
	at := c.state.Iteration(gate.Iteration)
	switch {
	case !p.Applies:
		return ""
	case at == nil || at.Tree == "":
		return TreeUnknown
	case gate.Iteration < c.state.Anew, p.Kind == KindCheck && c.baseMoved(at):
		return BaseChanged
	case c.fact(c.seen(at.Tree, c.state.BaseAt(at)), c.view.Tree, p.Job).Changed:
		return PartChanged
	}
	return ""
}

// baseMoved reports whether the base of the run is known to have moved since the iteration.
func (c *Coverage) baseMoved(at *Iteration) bool { return at.Base != "" && at.Base != c.state.Run.Base }

// sawAll reports whether the user's choice of a diff kept no change from the slots that answered in
// the gate. It is false if what a slot last saw is unknown.
func (c *Coverage) sawAll(gate *Gate) bool {
	return !slices.ContainsFunc(gate.Slots, func(slot Slot) bool {
		if !slot.Answered() {
			return false
		}
		seen := c.lastSeen(gate.Job, slot.Index)
		return seen == nil || seen.Iteration != gate.Iteration
	})
}

// hidden reports whether the user's choice of a diff kept a change from a slot that answered in
// this iteration: a change of another commit, or a committed change. A slot that had never answered
// was shown everything.
func (c *Coverage) hidden(gate *Gate) bool {
	return c.chose() && slices.ContainsFunc(gate.Slots, func(slot Slot) bool {
		return slot.Answered() && c.answered(gate.Job, slot.Index) && c.hiddenFrom(slot)
	})
}

func (c *Coverage) hiddenFrom(slot Slot) bool {
	from := c.state.Whole()
	if seen := c.lastSeen(slot.Job, slot.Index); seen != nil && seen.Reviewed != "" {
		if from = c.answeredOn(seen); c.view.Choice == ChoseUncommitted && !c.headMoved(seen) && from.Base == "" {
			return false // everything that changed since is uncommitted
		}
	}
	return c.fact(c.seen(slot.Reviewed, ""), c.view.Tree, slot.Job).Changed || c.fact(from, c.view.Tree, slot.Job).Beyond
}
