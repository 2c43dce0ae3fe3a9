// Package modeltest has a model of a run: what reviewers, agents and crashes can do, and what
// follows by the rules of package ledger. It is for tests: the tests of this package try every
// sequence, and a test of the program compares the program with the model.
package modeltest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// The model has one review gate with two slots, and one check, on a change at two places, A and B.
// The state of a run is a small value, from which the rows that the rules read are made: only the
// latest of each kind, because no rule reads others.
const (
	modelReview     = "review:.:quality"
	modelCheck      = "check:.:test"
	modelConfig     = "configured" // the hash of a gate's configuration
	modelBranch     = "main"       // the base branch
	modelIterations = 6
	modelViolations = 3
)

type modelPhase uint8

const (
	modelIdle    modelPhase = iota // between two invocations
	modelRunning                   // gates are running
	modelJudged                    // the gates are done
	modelPassing                   // the iteration has passed, but the run is not closed yet
	modelClosed                    // the run has passed
)

// modelTree is the state of the code: a version at each place.
type modelTree [2]uint8

// modelUnknown is the tree of what was restored from files.
var modelUnknown = modelTree{9, 9}

// The versions of a place: 0 is that of the first base, and modelMain what main makes of it later.
const (
	modelMain     = 3
	modelVersions = 4
)

func (t modelTree) String() string {
	if t == modelUnknown {
		return ""
	}
	return string([]byte{'A', '0' + t[0], 'B', '0' + t[1]})
}

// treeOf is the reverse of [modelTree.String].
func treeOf(text string) modelTree { return modelTree{text[1] - '0', text[3] - '0'} }

// Texts and places by number: finding A and finding B, and each in other words.
var (
	Places     = [2]ledger.Place{{File: "a.go", Start: 10, End: 10}, {File: "b.go", Start: 20, End: 20}}
	modelWords = [4]string{"A leaks", "B races", "A still loses memory", "B is not safe"}
	modelNames = [modelViolations]string{"v1", "v2", "v3"}
	modelIDs   = [modelViolations]string{"V1", "V2", "V3"}
)

// modelViolation is a violation, and what the model itself has seen of it.
type modelViolation struct {
	status ledger.Status
	place  uint8
	words  uint8
	high   bool
	// reported is set if one of its reports was of high priority, and raised if a report of one of
	// its duplicates was.
	reported, raised bool
	slot             uint8 // the first reporter, from 1; 0 if there is no violation
	more             uint8 // the other reporters, one bit for each slot
	dup              uint8 // its original, from 1; 0 if it has none
	same             bool  // it is joined because of its words
	// wasPlace is its place when the iteration began, because slots review independently.
	wasPlace uint8
	// born is set if it began in this iteration. wasClaim, wasOpen and wasDisputed are what it was
	// when the iteration began. put has the slots that it was put to as a claim, disputes those
	// that it was put to as a dispute, and said what they said. answered is set if a dispute of it
	// was ever answered.
	born, wasClaim, wasOpen, wasDisputed, answered bool
	put, disputes                                  uint8
	said                                           [2]modelWord
	// unanswered is set if the latest iteration with a word on it has an answer without one.
	unanswered bool
	// reporters has the slots that reported it, and confirmed those that have confirmed its fix, or
	// withdrawn it, since it was last claimed or disputed, as the model saw them.
	reporters, confirmed uint8
	// taken is the iteration of the file that lists it since it was taken up, or 0 once the slot
	// has a later file.
	taken uint8
	// ended is set if the iteration that found it has ended. near has the violations that are perhaps
	// the same, one bit for each.
	ended bool
	near  uint8
	// first is the iteration that found it. apart has the violations that one answer reported beside it,
	// and takenOut is set if it was joined once, and somebody ended that.
	first, apart uint8
	takenOut     bool
	// unplaced is set if it was restored from files and not reported since: nobody knows where it is.
	unplaced bool
	// byAgent is set if an agent skipped it, and former if it belongs to the gate under its former name.
	byAgent, former bool
}

// modelLeft is the latest filtered report that nobody took up.
type modelLeft struct {
	slot         uint8 // from 1; 0 if there is none
	place, words uint8
	high, ended  bool
	iteration    uint8
}

// modelWord is a word on a claim or a dispute.
type modelWord uint8

var modelVerdicts = [...]ledger.ClaimVerdict{"", ledger.ClaimFixed, ledger.ClaimNotFixed, ledger.ClaimCannotTell, ledger.DisputeWithdrawn, ledger.DisputeStands, ledger.NoWord}

func modelWordOf(v ledger.ClaimVerdict) modelWord {
	return modelWord(max(0, slices.Index(modelVerdicts[:], v)))
}

// modelSlot is the latest row of a slot, and the latest row with an answer.
type modelSlot struct {
	status           ledger.SlotStatus
	iteration, since uint8 // since: the iteration in which a skipped slot passed
	reviewed         modelTree
	answered         uint8
	saw              modelTree
	// shown has the places in the diff that it is shown in this iteration. before is set if it has
	// answered in an earlier iteration.
	shown  [2]bool
	before bool
}

type modelGate struct {
	status    ledger.GateStatus
	iteration uint8
}

// World is a state of the model.
type World struct {
	phase        modelPhase
	tree         modelTree
	last, failed uint8
	session      uint8
	sessionTree  modelTree
	trees        [modelIterations + 1]modelTree // by iteration
	// main is the merge base with main, and base what the run compares with: the merge base when the
	// latest iteration began. bases has it by iteration, sessionBase that of the session's, and
	// passedBase that of the run before.
	main, base, sessionBase, passedBase modelTree
	bases                               [modelIterations + 1]modelTree
	check, review                       modelGate
	slots                               [2]modelSlot
	violations                          [modelViolations]modelViolation
	// inRange has the places that a diff has shown. seen has the versions of each place that a slot
	// that answered was shown, one bit for each, compared with each base ([World.seenBit]).
	inRange [2]bool
	seen    [2]uint8
	left    modelLeft
	// runs is how many runs have passed before, the latest of them on the tree passed. dropped is
	// set if a report of high priority was filtered or the run was restored. option is the
	// condition under which the next run begins, rests is set if this run rests on the pass, and
	// gone if git no longer has its tree.
	runs        uint8
	passed      modelTree
	dropped     bool
	option      modelOption
	rests, gone bool
	doubted     bool // something about the pass keeps other runs from resting on it
	// rebuilt is the last iteration that was restored from files, or 0, and lost is set if one of the
	// run before was. whole is set if the run, or the run before, passed as a whole.
	rebuilt     uint8
	lost, whole bool
	// emptied is set if the logs were deleted, and no iteration has written others since. ended is set if
	// an iteration has ended.
	emptied, ended bool
	// head is what is checked out, and heads what was by iteration. passedOn is the branch on which the
	// run before began.
	head     modelHead
	heads    [modelIterations + 1]modelHead
	passedOn modelBranches
	// renamed is the latest iteration before the gate was renamed in this run, and former what is known of
	// the gate from then. edited is the latest iteration before its configuration was edited, and ran that
	// of its latest row then. Each is 0 if that did not happen.
	renamed, edited, ran uint8
	former               modelGate
}

// modelOption is a condition under which a run begins after one that passed.
type modelOption uint8

const (
	afterPassChanges    modelOption = iota // after_pass: changes
	afterPassEverything                    // after_pass is not set
	afterPassGone                          // git no longer has the tree that passed
	afterPassConfig                        // the gate is configured differently
)

// modelRuns is how many runs may pass before the last one.
const modelRuns = 2

// modelPass is the id of the run that passed before.
const modelPass = "P"

// Start returns the first state: a change at both places, before the first iteration.
func Start() World { return World{tree: modelTree{1, 1}} }

// snapshot returns the tree that this iteration runs on.
func (w *World) snapshot() modelTree { return w.trees[w.last] }

// tidy clears what no rule reads any more, so that states in which the rules do the same are equal.
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
		w.passed, w.passedBase, w.doubted, w.lost = modelTree{}, modelTree{}, false, false
	}
	for n := uint8(1); n < w.last; n++ {
		if n == w.check.iteration || n == w.review.iteration {
			continue
		}
		w.trees[n] = modelTree{}
		// The first iteration tells on which branch the run began, and whether its base has moved since.
		if n > 1 && !slices.ContainsFunc(w.slots[:], func(s modelSlot) bool { return s.iteration == n || s.answered == n }) {
			w.bases[n], w.heads[n] = modelTree{}, modelHead{}
		}
	}
}

// seenBit is the bit of [World.seen] for a version of a place, compared with what the base has there.
func seenBit(version, base uint8) uint8 {
	if base == modelMain {
		version += modelVersions
	}
	return 1 << version
}

// rows returns the rows that the ledger has in this state.
func (w *World) rows() *ledger.State {
	s := &ledger.State{Run: ledger.Run{ID: "R", Base: w.base.String(), BaseRef: modelBranch, ConfigHash: modelConfig}}
	if w.session > 0 {
		s.Run.SessionRef = w.sessionTree.String()
	}
	if w.rests {
		rest := ledger.Rest{Run: modelPass, Tree: w.passed.String(), Base: w.passedBase.String()}
		if w.gone {
			rest.Tree = ""
		}
		s.Rests = map[string]ledger.Rest{modelReview: rest}
	}
	s.Iterations = make([]ledger.Iteration, 0, w.last)
	s.Gates = make([]ledger.Gate, 0, 5)
	for n := 1; n <= int(w.last); n++ {
		it := ledger.Iteration{Number: n, Tree: w.trees[n].String(), Status: ledger.StatusError, Mode: ledger.ModeRerun, Source: ledger.SourceSession, Base: w.bases[n].String()}
		it.Head, it.Branch = w.heads[n].String(), modelBranchNames[w.heads[n].branch]
		if n <= int(max(w.renamed, w.edited)) {
			it.ConfigHash = modelBefore
		}
		if n == 1 {
			it.Mode, it.Source = ledger.ModeFirst, ledger.SourceBase
		}
		if n <= int(w.rebuilt) {
			it.Mode, it.Source = ledger.ModeRebuilt, ledger.SourceFiles
		}
		switch {
		case n == int(w.last) && w.phase == modelRunning:
			it.Status = ledger.StatusRunning
		case n <= int(w.failed):
			it.Status = ledger.StatusFailed
		}
		s.Iterations = append(s.Iterations, it)
		if int(w.check.iteration) == n {
			s.Gates = append(s.Gates, ledger.Gate{Iteration: n, Job: modelCheck, Kind: ledger.KindCheck, Status: w.check.status, ConfigHash: w.configAt(n, false)})
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

// configAt returns the hash of a gate's configuration in an iteration. No file tells it.
func (w *World) configAt(n int, review bool) string {
	switch {
	case n <= int(w.rebuilt):
		return ""
	case review && n <= int(w.edited):
		return modelBefore
	}
	return modelConfig
}

// reviewRow returns the review gate's row of an iteration. there is false if no rule reads it.
func (w *World) reviewRow(n int) (gate ledger.Gate, there bool) {
	if n <= int(w.renamed) {
		return w.formerRow(), n == int(w.former.iteration)
	}
	gate = ledger.Gate{Iteration: n, Job: modelReview, EntryPoint: ".", Kind: ledger.KindReview, Status: ledger.GateFailed, ConfigHash: w.configAt(n, true)}
	if there = n == int(w.ran); w.rests {
		gate.RestsOn = modelPass
	}
	if int(w.review.iteration) == n {
		there = true
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

// raise gives originals the highest priority of their reports and of their duplicates.
func (w *World) raise() {
	for _, joined := range w.violations {
		if joined.dup > 0 {
			original := &w.violations[joined.dup-1]
			original.high, original.raised = original.reported, original.raised || joined.high || joined.raised
		}
	}
}

// fall sets the priority of a violation that has lost a duplicate to the highest of its own reports
// and of its remaining duplicates.
func (w *World) fall(i int) {
	v := &w.violations[i]
	v.high, v.raised = v.reported, false
	w.raise()
}

func (w *World) violation(i int) ledger.Violation {
	v := &w.violations[i]
	row := ledger.Violation{
		ID: modelIDs[i], ShortID: modelNames[i], Job: modelReview, Slot: int(v.slot), Status: v.status, Place: Places[v.place],
		Reviewed: "x", Issue: modelWords[v.words], Priority: ledger.Low, Unanswered: v.unanswered,
	}
	if v.high || v.raised {
		row.Priority = ledger.High
	}
	switch {
	case v.former:
		row.Job = modelFormer
	case v.first <= w.renamed && w.renamed > 0:
		row.HandedFrom = modelFormer
	}
	if v.dup > 0 {
		row.DuplicateOf = modelNames[v.dup-1]
		if v.same {
			row.Reason = ledger.ReasonSameWords
		}
		row.Original = &ledger.Original{ID: modelIDs[v.dup-1], Status: w.violations[v.dup-1].status}
	}
	if !v.ended {
		row.First = modelIterations + 1
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

// rowsWithBlocks returns the rows with the blocks that violations are shown in.
func (w *World) rowsWithBlocks() *ledger.State {
	state := w.rows()
	var paired []ledger.Paired
	for i := range state.Violations {
		row := &state.Violations[i]
		paired = append(paired, ledger.Paired{ID: row.ShortID, Status: row.Status, Priority: row.Priority, Related: namesIn(w.violations[w.find(row.ID)].near)})
	}
	blocks := ledger.Blocks(paired)
	for i := range state.Violations {
		state.Violations[i].Block = blocks[state.Violations[i].ShortID]
	}
	return state
}

func namesIn(bits uint8) (names []string) {
	for i, name := range modelNames {
		if bits&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// pair notes that two violations are perhaps the same.
func (w *World) pair(i, of int) {
	w.violations[i].near |= 1 << of
	w.violations[of].near |= 1 << i
}

// problem returns the violation's original, or the violation itself if it is not a duplicate.
func (w *World) problem(i int) int {
	if dup := w.violations[i].dup; dup > 0 {
		return int(dup - 1)
	}
	return i
}

func (w *World) fate(i int) ledger.Status { return w.violations[w.problem(i)].status }

func (w *World) find(id string) int { return slices.Index(modelIDs[:], id) }

// view returns what an invocation compares.
func (w *World) view(number int) ledger.View {
	v := ledger.View{Number: number, Rerun: number > 1, Source: ledger.SourceBase, From: w.base.String(), To: w.tree.String(), Tree: w.tree.String(), Head: w.head.String(), Unchanged: w.unchanged()}
	switch {
	case w.emptied:
	case w.session > 0:
		v.Source, v.From, v.FromBase, v.SessionIteration = ledger.SourceSession, w.sessionTree.String(), w.sessionBase.String(), int(w.session)
	case v.Rerun && w.ended:
		v.Source = ledger.SourceUncommitted
	}
	return v
}

// narrowed returns what an invocation compares the tree with: another tree, with the base that the run
// had then.
func (w *World) narrowed() (tree, base modelTree) {
	if w.session > 0 && !w.emptied {
		return w.sessionTree, w.sessionBase
	}
	return w.base, w.base
}

// unchanged reports whether nothing differs in what an invocation compares.
func (w *World) unchanged() bool {
	tree, base := w.narrowed()
	return w.differs(tree, base) == [2]bool{}
}

// differs reports for each place whether it is shown to somebody who saw the tree compared with the
// base.
//
// Rule: No slot passes what it was not shown.
func (w *World) differs(from, base modelTree) (places [2]bool) {
	for p, version := range w.tree {
		places[p] = from[p] != version
		if base != w.base {
			show := ledger.ShowPath(base[p] != w.base[p], version != w.base[p])
			places[p] = show == ledger.PathWhole || places[p] && show == ledger.PathSinceSeen
		}
	}
	return places
}

// modelFillers fill the slots in every iteration.
var modelFillers = []ledger.Filler{{Adapter: "one"}, {Adapter: "two"}}

var modelPlanned = []ledger.Planned{
	{Job: modelCheck, Kind: ledger.KindCheck, Applies: true, ConfigHash: modelConfig},
	{Job: modelReview, Kind: ledger.KindReview, Fillers: modelFillers, Applies: true, ConfigHash: modelConfig},
}

// modelFacts caches the facts about parts, by what an iteration compares.
var modelFacts sync.Map

func (w *World) coverage(state *ledger.State, number int, whole bool) *ledger.Coverage {
	tree, base := w.narrowed()
	key := [4]modelTree{tree, base, w.tree, w.base}
	facts, known := modelFacts.Load(key)
	if !known {
		facts, _ = modelFacts.LoadOrStore(key, w.makeFacts())
	}
	view := w.view(number)
	view.Whole = whole
	return ledger.NewCoverage(state, view, facts.(map[ledger.Part]ledger.PartFact))
}

// makeFacts returns the facts about all parts that end at the tree.
func (w *World) makeFacts() map[ledger.Part]ledger.PartFact {
	narrow := w.differs(w.narrowed())
	facts := map[ledger.Part]ledger.PartFact{}
	for n := range modelVersions * modelVersions {
		from := modelTree{uint8(n % modelVersions), uint8(n / modelVersions)}
		for _, base := range []modelTree{{0, 0}, {modelMain, 0}, {0, modelMain}, {modelMain, modelMain}} {
			changed := w.differs(from, base)
			fact := ledger.PartFact{Changed: changed != [2]bool{}, Beyond: changed[0] && !narrow[0] || changed[1] && !narrow[1]}
			for _, job := range []string{modelCheck, modelReview} {
				part := ledger.Part{From: from.String(), Base: base.String(), To: w.tree.String(), Job: job}
				if base == w.base {
					part.Base = ""
				}
				facts[part] = fact
			}
		}
	}
	return facts
}

// shows reports for each place whether it is in the diff.
func (w *World) shows(shown ledger.Shown) (places [2]bool) {
	for _, from := range shown.From {
		base := w.base
		if from.Base != "" {
			base = treeOf(from.Base)
		}
		for p, differs := range w.differs(treeOf(from.Tree), base) {
			places[p] = places[p] || differs
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
