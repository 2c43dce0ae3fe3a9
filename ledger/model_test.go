package ledger_test

import (
	"flag"
	"fmt"
	"hash/maphash"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

var modelFull = flag.Bool("model.full", false, "explore more than 1,000,000 states of the model")

// modelMove is a step from one state to the next.
type modelMove struct {
	kind moveKind
	a, b uint8
}

type moveKind uint8

const (
	moveStart    moveKind = iota
	moveCheck             // a: whether it fails
	moveAnswer            // a: the slot, b: the answer
	moveDown              // a: the slot
	moveJudge             // the gates are done
	moveFinish            // the iteration ends
	moveClose             // the run is closed
	moveKill              // the process is killed
	moveMark              // a: the violation, b: the status and the actor
	moveChange            // a: the place, b: the version
	moveRestore           // the ledger is deleted
	moveCommands          // how many there are
)

var modelMarks = []struct {
	status ledger.Status
	actor  ledger.Actor
}{{ledger.StatusFixed, ledger.ActorAgent}, {ledger.StatusSkipped, ledger.ActorHuman}, {ledger.StatusNew, ledger.ActorAgent}}

// unusual reports whether the move does not belong to a loop in which all goes well: an agent that
// repairs, slots that find A or B, or nothing.
func (m modelMove) unusual() bool {
	switch m.kind {
	case moveStart, moveJudge, moveFinish, moveClose:
		return false
	case moveCheck:
		return m.a != 0
	case moveAnswer:
		return m.b > 2
	case moveMark:
		return modelMarks[m.b].status != ledger.StatusFixed
	case moveChange:
		return m.b != 2
	}
	return true
}

// modelIterationsAtMost is how many iterations are explored.
const modelIterationsAtMost = 3

// moves are all that may happen in the state.
func (w *world) moves() (list []modelMove) {
	add := func(kind moveKind, a, b int) { list = append(list, modelMove{kind, uint8(a), uint8(b)}) }
	switch w.phase {
	case modelClosed:
		return nil
	case modelPassing:
		add(moveClose, 0, 0)
	case modelJudged:
		add(moveFinish, 0, 0)
	case modelIdle:
		add(moveStart, 0, 0)
		if w.last > 0 {
			add(moveRestore, 0, 0)
		}
	case modelRunning:
		w.running(add)
	}
	if w.phase != modelIdle {
		add(moveKill, 0, 0)
	}
	w.edits(add)
	return list
}

// edits are what agents and humans do to the code and to violations.
func (w *world) edits(add func(kind moveKind, a, b int)) {
	idle, running := w.phase == modelIdle && w.last > 0, w.phase == modelRunning
	for p, version := range w.tree {
		if idle || running && p == 0 && w.tree == w.snapshot() {
			add(moveChange, p, int(3-max(1, version)))
			if p == 0 && version != 0 { // undone
				add(moveChange, p, 0)
			}
		}
	}
	for i, v := range w.violations {
		for n, mark := range modelMarks {
			if v.slot > 0 && (idle || running && v.wasClaim && mark.status != ledger.StatusFixed) {
				add(moveMark, i, n)
			}
		}
	}
}

// running are the moves of what runs: the check first, then the slots in any order.
func (w *world) running(add func(kind moveKind, a, b int)) {
	if w.check.status == ledger.GateRunning {
		add(moveCheck, 0, 0)
		add(moveCheck, 1, 0)
		return
	}
	done := true
	for s := range w.slots {
		if slot := &w.slots[s]; slot.iteration == w.last && slot.status == ledger.SlotRunning {
			done = false
			add(moveDown, s, 0)
			for n := range w.answers(s) {
				add(moveAnswer, s, n)
			}
		}
	}
	if done {
		add(moveJudge, 0, 0)
	}
}

// apply makes the move; ok is false if nothing comes of it, or if it goes beyond what the
// model holds.
func (r *recorder) apply(w *world, m modelMove) (ok bool) {
	before := *w
	switch m.kind {
	case moveStart:
		if ok = r.start(w); !ok || w.last > modelIterationsAtMost {
			return false
		}
	case moveCheck:
		w.check.status = []ledger.GateStatus{ledger.GatePassed, ledger.GateFailed}[m.a]
	case moveAnswer:
		answer := w.answers(int(m.a))[m.b].Answer
		if w.violations[modelViolations-2].slot > 0 && len(answer.Entries) > 0 && (w.violations[modelViolations-1].slot > 0 || len(answer.Entries) > 1) {
			return false // there is no room for another violation
		}
		r.answer(w, int(m.a), answer)
		r.checkAnswer(&before, w, int(m.a), answer)
	case moveDown:
		r.down(w, int(m.a))
	case moveJudge:
		r.judge(w)
	case moveFinish:
		r.finish(w)
	case moveClose:
		r.close(w)
	case moveKill:
		r.kill(w)
	case moveMark:
		mark := modelMarks[m.b]
		if !r.mark(w, int(m.a), mark.status, mark.actor) {
			return false
		}
		r.checkMark(&before, w, int(m.a))
	case moveChange:
		w.tree[m.a] = m.b
	case moveRestore:
		r.restore(w)
	}
	r.checkChanges(&before, w)
	w.tidy()
	return *w != before
}

// say describes the move in the state.
func (w *world) say(m modelMove) string {
	switch m.kind {
	case moveStart:
		return "reviewledger run"
	case moveCheck:
		return []string{"the check passes", "the check fails"}[m.a]
	case moveAnswer:
		return fmt.Sprintf("slot %d: %s", m.a+1, w.answers(int(m.a))[m.b].name)
	case moveDown:
		return fmt.Sprintf("slot %d gives no answer", m.a+1)
	case moveMark:
		return fmt.Sprintf("the %s marks %s as %s", modelMarks[m.b].actor, modelNames[m.a], modelMarks[m.b].status)
	case moveChange:
		return fmt.Sprintf("%s becomes version %d", modelPlaces[m.a].File, m.b)
	}
	return map[moveKind]string{
		moveJudge: "the gates are done", moveFinish: "the iteration ends", moveClose: "the run is closed",
		moveKill: "the process is killed", moveRestore: "the ledger is deleted and read back from the files",
	}[m.kind]
}

// modelKey is what stands for a state.
type modelKey [2]uint64

var modelSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func keyOf(w *world) modelKey {
	return modelKey{maphash.Comparable(modelSeeds[0], *w), maphash.Comparable(modelSeeds[1], *w)}
}

// modelLink is how a state was reached.
type modelLink struct {
	from modelKey
	move modelMove
}

type modelShard struct {
	sync.Mutex
	links map[modelKey]modelLink
}

// explorer visits each state once, breadth first: those first that are reached with the
// fewest unusual moves, and of these the nearest.
type explorer struct {
	broken modelBreak
	limit  int64
	// shards are the states that were visited, later those that unusual moves lead to, and
	// honest those whose repair was tried.
	shards, later, honest [64]modelShard
	states, closed        atomic.Int64
	reached               [modelIterations + 1]atomic.Int64 // by iteration
	unusual               int                               // moves, in the states that are looked at
	wrong                 string                            // what broke, with the path to it
}

func newExplorer(broken modelBreak, limit int64) *explorer {
	x := &explorer{broken: broken, limit: limit}
	for i := range x.shards {
		x.shards[i].links, x.later[i].links, x.honest[i].links = map[modelKey]modelLink{}, map[modelKey]modelLink{}, map[modelKey]modelLink{}
	}
	return x
}

// visit reports whether the state is new.
func visit(shards *[64]modelShard, w *world, link modelLink) bool {
	key := keyOf(w)
	shard := &shards[key[0]%64]
	shard.Lock()
	defer shard.Unlock()
	if _, seen := shard.links[key]; seen {
		return false
	}
	shard.links[key] = link
	return true
}

// explore visits states until something is wrong, all are visited, or there are enough.
func (x *explorer) explore() {
	root := modelStart()
	visit(&x.later, &root, modelLink{})
	for level := []world{root}; len(level) > 0; x.unusual++ {
		var later []world
		for first := true; len(level) > 0; first = false {
			found := x.round(level, first)
			level, later = found.usual, append(later, found.unusual...)
			if x.wrong = found.wrong; x.wrong != "" || x.states.Load() >= x.limit {
				return
			}
		}
		level = later
	}
}

// round looks at all states of a level, on all processors. Those that unusual moves have led
// to count only now, for usual ones may have led to them, too.
func (x *explorer) round(level []world, unusual bool) (found frontier) {
	parts := make([]frontier, runtime.GOMAXPROCS(0))
	var at atomic.Int64
	var group sync.WaitGroup
	for n := range parts {
		group.Go(func() {
			for i := at.Add(1) - 1; i < int64(len(level)) && x.states.Load() < x.limit && parts[n].wrong == ""; i = at.Add(1) - 1 {
				if unusual {
					link := linkOf(&x.later, keyOf(&level[i]))
					if r := (recorder{broken: x.broken}); !visit(&x.shards, &level[i], link) {
						continue
					} else if x.count(&r, &level[i]); r.wrong != "" {
						parts[n].wrong = x.path(link.from, link.move) + r.wrong
						return
					}
				}
				x.expand(&level[i], &parts[n])
			}
		})
	}
	group.Wait()
	for _, part := range parts {
		found.usual, found.unusual = append(found.usual, part.usual...), append(found.unusual, part.unusual...)
		if found.wrong == "" {
			found.wrong = part.wrong
		}
	}
	return found
}

func linkOf(shards *[64]modelShard, key modelKey) modelLink {
	shard := &shards[key[0]%64]
	shard.Lock()
	defer shard.Unlock()
	return shard.links[key]
}

// frontier is what one worker has found.
type frontier struct {
	usual, unusual []world
	wrong          string
}

func (x *explorer) expand(w *world, next *frontier) {
	from := keyOf(w)
	for _, m := range w.moves() {
		after, r := *w, recorder{broken: x.broken}
		if !r.apply(&after, m) && r.wrong == "" {
			continue
		}
		link := modelLink{from, m}
		switch {
		case r.wrong != "":
		case m.unusual():
			if visit(&x.later, &after, link) {
				next.unusual = append(next.unusual, after)
			}
		case visit(&x.shards, &after, link):
			x.count(&r, &after)
			next.usual = append(next.usual, after)
		}
		if r.wrong != "" {
			next.wrong = x.path(from, m) + r.wrong
			return
		}
	}
}

// count counts a state that is new, and looks at it.
func (x *explorer) count(r *recorder, w *world) {
	x.states.Add(1)
	x.reached[w.last].Add(1)
	if w.phase == modelClosed {
		x.closed.Add(1)
	}
	if w.phase == modelIdle {
		r.checkHonest(*w, func(w *world) bool { return !visit(&x.honest, w, modelLink{}) })
	}
}

// path tells how the state was reached, and the move that broke something.
func (x *explorer) path(from modelKey, last modelMove) string {
	moves := []modelMove{last}
	root := modelStart()
	for start := keyOf(&root); from != start; {
		link := linkOf(&x.shards, from)
		moves = append([]modelMove{link.move}, moves...)
		from = link.from
	}
	var b strings.Builder
	w := root
	for n, m := range moves {
		fmt.Fprintf(&b, "%2d. %s\n", n+1, w.say(m))
		r := recorder{broken: x.broken}
		r.apply(&w, m)
		fmt.Fprintf(&b, "    %v\n", w)
	}
	return b.String()
}

// Rule: A run passes only if nothing is outstanding.
// Rule: Only an answer confirms.
// Rule: All who reported it confirm it.
// Rule: The tree that passes is the tree that was reviewed.
func TestModel(t *testing.T) {
	t.Parallel()
	limit := int64(150_000)
	if *modelFull {
		limit = 1_000_000
	}
	x := newExplorer("", limit)
	x.explore()
	t.Logf("%d states, %d of them passed; by iteration %d, %d, %d; all with less than %d unusual moves", x.states.Load(), x.closed.Load(),
		x.reached[1].Load(), x.reached[2].Load(), x.reached[3].Load(), x.unusual)
	if x.wrong != "" {
		t.Fatal(x.wrong)
	}
	if x.states.Load() < limit || x.closed.Load() == 0 || x.reached[modelIterationsAtMost].Load() == 0 {
		t.Errorf("there are only %d states, of which %d passed", x.states.Load(), x.closed.Load())
	}
}
