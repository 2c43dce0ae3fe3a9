// Package modeltest has the model of a run: what reviewers, agents and crashes can do, and
// what becomes of it by the rules of package ledger. It is for tests: those beside it try
// every sequence, and a test of the program compares the model with what the program does.
package modeltest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// The model has one review gate with two slots and one check, over a change at two places,
// A and B. What the ledger has of a run is held in a small value, from which the rows are
// made that the rules read: the latest of each kind, for no rule reads others.
const (
	modelReview     = "review:.:quality"
	modelCheck      = "check:.:test"
	modelIterations = 6
	modelViolations = 3
)

type modelPhase uint8

const (
	modelIdle    modelPhase = iota // between two invocations
	modelRunning                   // gates run
	modelJudged                    // the gates are done
	modelPassing                   // the iteration has passed, the run is not closed yet
	modelClosed                    // the run has passed
)

// modelTree is the state of the code: a version at each place.
type modelTree [2]uint8

// modelUnknown is the tree of what was restored from files.
var modelUnknown = modelTree{9, 9}

const modelVersions = 3

func (t modelTree) String() string {
	if t == modelUnknown {
		return ""
	}
	return fmt.Sprintf("A%dB%d", t[0], t[1])
}

// Words and places by number: finding A and B, and each in other words.
var (
	Places     = [2]ledger.Place{{File: "a.go", Start: 10, End: 10}, {File: "b.go", Start: 20, End: 20}}
	modelWords = [4]string{"A leaks", "B races", "A still loses memory", "B is not safe"}
	modelNames = [modelViolations]string{"v1", "v2", "v3"}
	modelIDs   = [modelViolations]string{"V1", "V2", "V3"}
)

// modelViolation is a violation, and what the model itself saw of it.
type modelViolation struct {
	status ledger.Status
	place  uint8
	words  uint8
	high   bool
	// reported says that a report of it was of high priority, and raised that one of a violation that
	// is joined to it was.
	reported, raised bool
	slot             uint8 // the first reporter, from 1; 0: there is no violation
	more             uint8 // the others, a bit for each slot
	dup              uint8 // what it was joined to, from 1; 0: nothing
	// wasPlace is where it was when the iteration began: slots review apart.
	wasPlace uint8
	// born says that this iteration made it, wasClaim and wasOpen what it was when the
	// iteration began, put to which slots it was put, and said what they said of it.
	// disputes are the slots that a dispute was put to, and answered says that one was
	// answered ever.
	born, wasClaim, wasOpen, wasDisputed, answered bool
	put, disputes                                  uint8
	said                                           [2]modelWord
	// reporters are the slots that reported it, and confirmed those that have said that it
	// is fixed, or have withdrawn it, since it was last claimed or disputed, as the model saw
	// them.
	reporters, confirmed uint8
	// taken is the iteration of the file that lists it since it was taken up; 0 once the slot has
	// a later one.
	taken uint8
}

// modelLeft is the latest report that a filter left out and nobody took up.
type modelLeft struct {
	slot         uint8 // from 1; 0: there is none
	place, words uint8
	high         bool
}

// modelWord is a word on a claim or a dispute.
type modelWord uint8

var modelVerdicts = [...]ledger.ClaimVerdict{"", ledger.ClaimFixed, ledger.ClaimNotFixed, ledger.ClaimCannotTell, ledger.DisputeWithdrawn, ledger.DisputeStands}

func modelWordOf(v ledger.ClaimVerdict) modelWord {
	return modelWord(max(0, slices.Index(modelVerdicts[:], v)))
}

// modelSlot is the latest row of a slot, and the latest in which it answered.
type modelSlot struct {
	status           ledger.SlotStatus
	iteration, since uint8 // since: where it really passed, of one that is skipped
	reviewed         modelTree
	answered         uint8
	saw              modelTree
	// shown are the places in the diff that it is shown in this iteration, and before
	// whether it has answered in an earlier one.
	shown  [2]bool
	before bool
}

type modelGate struct {
	status    ledger.GateStatus
	iteration uint8
}

// World is a state of the model.
type World struct {
	phase         modelPhase
	tree          modelTree
	last, failed  uint8
	session       uint8
	sessionTree   modelTree
	trees         [modelIterations + 1]modelTree // by iteration
	check, review modelGate
	slots         [2]modelSlot
	violations    [modelViolations]modelViolation
	// inRange are the places that a diff has shown, and seen the versions of each place that
	// a slot which answered was shown: a bit for each.
	inRange [2]bool
	seen    [2]uint8
	left    modelLeft
	// runs is how many runs have passed before, the latest of them on the tree passed, and
	// dropped says that a filter left out a report of high priority, or that the run was restored. option is what the next
	// run begins with, rests that this one rests on that pass, and gone that git no longer has
	// the tree.
	runs        uint8
	passed      modelTree
	dropped     bool
	option      modelOption
	rests, gone bool
	doubted     bool // the pass has what keeps others from resting on it
	// restored says that the run was read back from its files.
	restored bool
}

// modelOption is what is so when a run begins after one that passed.
type modelOption uint8

const (
	afterPassChanges    modelOption = iota // after_pass: changes
	afterPassEverything                    // the key is not set
	afterPassGone                          // git no longer has the tree that passed
	afterPassConfig                        // the gate is configured in another way
)

// modelRuns is how many runs may pass before the last one.
const modelRuns = 2

// modelPass is the run that passed before.
const modelPass = "P"

// Start is a change at both places, before the first iteration.
func Start() World { return World{tree: modelTree{1, 1}} }

// snapshot is the tree that this iteration runs on.
func (w *World) snapshot() modelTree { return w.trees[w.last] }

// tidy forgets what no rule reads any more, so that equal states are equal.
func (w *World) tidy() {
	if w.phase == modelRunning || w.phase == modelJudged {
		return
	}
	for i := range w.slots {
		w.slots[i].shown, w.slots[i].before = [2]bool{}, false
	}
	for i := range w.violations {
		v := &w.violations[i]
		if v.taken > 0 && v.taken != w.slots[v.slot-1].iteration {
			v.taken = 0
		}
		v.wasPlace, v.born, v.wasClaim, v.wasOpen, v.wasDisputed, v.put, v.disputes, v.said = 0, false, false, false, false, 0, 0, [2]modelWord{}
	}
	if !w.rests && w.last > 0 {
		w.passed, w.doubted = modelTree{}, false
	}
	for n := uint8(1); n < w.last; n++ {
		if n != w.check.iteration && n != w.review.iteration {
			w.trees[n] = modelTree{}
		}
	}
}

// rows are what the ledger has of the state.
func (w *World) rows() *ledger.State {
	s := &ledger.State{Run: ledger.Run{ID: "R", Base: modelTree{}.String()}}
	if w.session > 0 {
		s.Run.SessionRef = w.sessionTree.String()
	}
	if w.rests {
		rest := ledger.Rest{Run: modelPass, Tree: w.passed.String()}
		if w.gone {
			rest.Tree = ""
		}
		s.Rests = map[string]ledger.Rest{modelReview: rest}
	}
	s.Iterations = make([]ledger.Iteration, 0, w.last)
	s.Gates = make([]ledger.Gate, 0, 5)
	for n := 1; n <= int(w.last); n++ {
		it := ledger.Iteration{Number: n, Tree: w.trees[n].String(), Status: ledger.StatusError, Mode: ledger.ModeRerun, Source: ledger.SourceSession}
		switch {
		case n == int(w.last) && w.phase == modelRunning:
			it.Status = ledger.StatusRunning
		case n <= int(w.failed):
			it.Status = ledger.StatusFailed
		}
		s.Iterations = append(s.Iterations, it)
		if int(w.check.iteration) == n {
			s.Gates = append(s.Gates, ledger.Gate{Iteration: n, Job: modelCheck, Kind: ledger.KindCheck, Status: w.check.status})
		}
		if gate, there := w.reviewRow(n); there {
			s.Gates = append(s.Gates, gate)
		}
	}
	for i := range w.violations {
		if v := &w.violations[i]; v.slot > 0 {
			s.Violations = append(s.Violations, w.violation(i))
		}
	}
	return s
}

// reviewRow is the review gate's row of an iteration, if a rule reads it.
func (w *World) reviewRow(n int) (gate ledger.Gate, there bool) {
	gate = ledger.Gate{Iteration: n, Job: modelReview, Kind: ledger.KindReview, Status: ledger.GateFailed}
	if there = int(w.review.iteration) == n; there {
		gate.Status = w.review.status
		if gate.Status == ledger.GateNotRun {
			gate.NotRun, gate.RestsOn = ledger.NotRunUnchanged, modelPass
		}
	}
	for i, slot := range w.slots {
		row := ledger.Slot{Iteration: n, Job: modelReview, Index: i + 1}
		switch n {
		case int(slot.iteration):
			row.Status, row.Reviewed, row.PassIteration = slot.status, slot.reviewed.String(), int(slot.since)
		case int(slot.answered):
			row.Status, row.Reviewed = ledger.SlotFail, slot.saw.String()
		default:
			continue
		}
		gate.Slots, there = append(gate.Slots, row), true
	}
	return gate, there
}

// raise gives problems at least the priority of what is joined to them.
func (w *World) raise() {
	for _, joined := range w.violations {
		if joined.dup > 0 && (joined.high || joined.raised) {
			w.violations[joined.dup-1].raised = true
		}
	}
}

// fall gives a violation that something is not joined to any more the highest priority of its reports
// and of what still is.
func (w *World) fall(i int) {
	v := &w.violations[i]
	v.high, v.raised = v.reported, false
	w.raise()
}

func (w *World) violation(i int) ledger.Violation {
	v := &w.violations[i]
	row := ledger.Violation{
		ID: modelIDs[i], ShortID: modelNames[i], Job: modelReview, Slot: int(v.slot), Status: v.status, Place: Places[v.place],
		Reviewed: "x", Issue: modelWords[v.words], Priority: ledger.Low,
	}
	if v.high || v.raised {
		row.Priority = ledger.High
	}
	if v.dup > 0 {
		row.DuplicateOf = modelNames[v.dup-1]
		row.Original = &ledger.Original{ID: modelIDs[v.dup-1], Status: w.violations[v.dup-1].status}
	}
	for slot := range 2 {
		if v.more&(1<<slot) != 0 {
			row.MoreSlots = append(row.MoreSlots, slot+1)
		}
		if v.more&(1<<slot) != 0 || int(v.slot) == slot+1 {
			row.ReportedBy = append(row.ReportedBy, ledger.Reporter{Slot: slot + 1, Adapter: modelFillers[slot].Adapter})
		}
	}
	return row
}

// problem is what the violation was joined to, or itself, and fate how that stands.
func (w *World) problem(i int) int {
	if dup := w.violations[i].dup; dup > 0 {
		return int(dup - 1)
	}
	return i
}

func (w *World) fate(i int) ledger.Status { return w.violations[w.problem(i)].status }

func (w *World) find(id string) int { return slices.Index(modelIDs[:], id) }

// view is what an invocation compares.
func (w *World) view(number int) ledger.View {
	v := ledger.View{Number: number, Rerun: number > 1, Source: ledger.SourceBase, From: modelTree{}.String(), To: w.tree.String(), Tree: w.tree.String()}
	switch {
	case w.session > 0:
		v.Source, v.From, v.SessionIteration = ledger.SourceSession, w.sessionTree.String(), int(w.session)
	case v.Rerun:
		v.Source = ledger.SourceUncommitted
	}
	return v
}

// narrowed is the tree that an invocation compares with.
func (w *World) narrowed() modelTree {
	if w.session > 0 {
		return w.sessionTree
	}
	return modelTree{}
}

// modelFillers fill the slots, always the same.
var modelFillers = []ledger.Filler{{Adapter: "one"}, {Adapter: "two"}}

var modelPlanned = []ledger.Planned{
	{Job: modelCheck, Kind: ledger.KindCheck, Applies: true},
	{Job: modelReview, Kind: ledger.KindReview, Fillers: modelFillers, Applies: true},
}

// modelFacts are the facts about parts for what an iteration compares.
var modelFacts sync.Map

func (w *World) coverage(state *ledger.State, number int, whole bool) *ledger.Coverage {
	key := [2]modelTree{w.narrowed(), w.tree}
	facts, known := modelFacts.Load(key)
	if !known {
		facts, _ = modelFacts.LoadOrStore(key, modelPartFacts(key[0], key[1]))
	}
	view := w.view(number)
	view.Whole = whole
	return ledger.NewCoverage(state, view, facts.(map[ledger.Part]ledger.PartFact))
}

func modelPartFacts(narrowFrom, narrowTo modelTree) map[ledger.Part]ledger.PartFact {
	var trees []modelTree
	for a := range uint8(modelVersions) {
		for b := range uint8(modelVersions) {
			trees = append(trees, modelTree{a, b})
		}
	}
	facts := map[ledger.Part]ledger.PartFact{}
	for _, from := range trees {
		for _, to := range trees {
			beyond := false
			for p := range 2 {
				beyond = beyond || from[p] != to[p] && narrowFrom[p] == narrowTo[p]
			}
			for _, job := range []string{modelCheck, modelReview} {
				facts[ledger.Part{From: from.String(), To: to.String(), Job: job}] = ledger.PartFact{Changed: from != to, Beyond: beyond}
			}
		}
	}
	return facts
}

// shows are the places that the diff has.
func (w *World) shows(shown ledger.Shown) (places [2]bool) {
	for _, from := range shown.From {
		for p := range 2 {
			places[p] = places[p] || !strings.HasPrefix(from[2*p:], shown.To[2*p:2*p+2])
		}
	}
	return places
}

func (w World) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %v, iteration %d, check %s, review %s (%s, %s)", w.tree, w.last, w.check.status, w.review.status, w.slots[0].status, w.slots[1].status)
	for i, v := range w.violations {
		if v.slot > 0 {
			fmt.Fprintf(&b, "; %s %q %s of slot %d", modelNames[i], modelWords[v.words], v.status, v.slot)
			if v.more != 0 {
				b.WriteString(" and another")
			}
		}
	}
	return b.String()
}
