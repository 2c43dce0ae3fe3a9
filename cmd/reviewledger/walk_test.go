package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/internal/testing/modeltest"
	"github.com/reviewledger/reviewledger/ledger"
)

var (
	walkSteps = flag.Int("walk.steps", 40, "how many steps the random walk makes")
	walkSeed  = flag.Uint64("walk.seed", 3, "which walk it is")
)

// TestWalk makes random moves that reviewers, agents and crashes can cause, with the program and
// with the model, and compares what the ledger shows after each step. It makes the requested number
// of steps, and more until it has covered everything: where a seed leads is chance.
//
// Rule: A run passes only if nothing is outstanding.
// Rule: Only an answer confirms.
func TestWalk(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*walkSeed, 0))
	var done walked
	for limit := *walkSteps; done.steps < limit; {
		w := newWalker(t, done.repositories%2 == 0)
		w.missing = done.missing()
		err := w.wander(random, min(walkMoves, limit-done.steps))
		done.add(w)
		if err == nil {
			if done.steps >= limit && !done.everywhere() && limit < *walkSteps+20*walkMoves {
				limit += walkMoves / 2
			}
			continue
		}
		t.Logf("%d moves; looking for fewer: %v", len(w.moves), err)
		moves, err := shortest(t, w, err)
		t.Fatalf("seed %d, after %d steps:\n%s%v", *walkSeed, done.steps, w.story(moves), err)
	}
	t.Logf("%d steps in %d repositories; %d runs passed, %d rested on one that had; %d iterations, %d kills, %d ledgers deleted, %d reports taken up, %d joined, %d blocks marked, %d logs deleted, %d bases moved, %d branches left, %d gates renamed, %d edited", done.steps, done.repositories, done.passed, done.rested, done.iterations, done.kills, done.restores, done.taken, done.joined, done.blocks, done.emptied, done.moved, done.left, done.renamed, done.edited)
	if !done.everywhere() {
		t.Error("the walk has not come everywhere")
	}
}

// walked counts what a walk covered.
type walked struct {
	steps, repositories, passed, rested, iterations, kills, restores, taken, joined, blocks, emptied, moved, left, renamed, edited int
}

// missing returns the kinds of moves that the walk has not made yet.
func (d *walked) missing() map[modeltest.MoveKind]bool {
	return map[modeltest.MoveKind]bool{
		modeltest.MoveKill: d.kills == 0, modeltest.MoveRestore: d.restores == 0, modeltest.MoveEmpty: d.emptied == 0, modeltest.MoveBase: d.moved == 0,
		modeltest.MoveSwitch: d.left == 0, modeltest.MoveConfigure: d.renamed == 0 || d.edited == 0, modeltest.MoveNext: d.rested == 0,
	}
}

func (d *walked) everywhere() bool {
	return d.passed > 0 && d.rested > 0 && d.kills > 0 && d.restores > 0 && d.joined > 0 && d.blocks > 0 && d.emptied > 0 && d.moved > 0 &&
		d.left > 0 && d.renamed > 0 && d.edited > 0
}

func (d *walked) add(w *walker) {
	d.steps += len(w.moves)
	d.repositories++
	d.iterations += w.iterations
	d.rested += w.rested
	d.left += w.left
	if w.world.Closed() {
		d.passed++
	}
	for _, m := range w.moves {
		switch m.Kind {
		case modeltest.MoveKill:
			d.kills++
		case modeltest.MoveRestore:
			d.restores++
		case modeltest.MoveTakeUp:
			d.taken++
		case modeltest.MoveJoin:
			d.joined++
		case modeltest.MoveGroup:
			d.blocks++
		case modeltest.MoveEmpty:
			d.emptied++
		case modeltest.MoveBase:
			d.moved++
		case modeltest.MoveConfigure:
			if _, renames := modeltest.ConfiguresAnew(m); renames {
				d.renamed++
			} else {
				d.edited++
			}
		case modeltest.MoveNext:
			d.passed++
		}
	}
}

func (w *walker) story(moves []modeltest.Move) string {
	var b strings.Builder
	world := modeltest.Start()
	for n, m := range moves {
		fmt.Fprintf(&b, "%2d. %s\n", n+1, world.Say(m))
		_, _ = w.advance(&world, m)
	}
	return b.String()
}

// shortest removes moves that the failure does not need: half of them, a quarter and so on, while
// there is time.
func shortest(t *testing.T, failed *walker, failure error) ([]modeltest.Move, error) {
	moves := failed.moves
	deadline := time.Now().Add(time.Minute)
	for size := len(moves) / 2; size > 0; size /= 2 {
		for at := 0; at+size < len(moves) && time.Now().Before(deadline); { // the last move shows the failure
			w := newWalker(t, failed.loses)
			if err := w.replay(slices.Delete(slices.Clone(moves), at, at+size)); err != nil {
				moves, failure = w.moves, err
			} else {
				at += size
			}
			w.stop()
		}
	}
	return moves, failure
}

// walkIterations and walkMoves limit the iterations and moves of a run: at the retry limit nothing
// changes any more.
const (
	walkIterations = 6
	walkMoves      = 80
)

// walkAll is the number of steps of a walk that compares everything after each of them.
const walkAll = 1000

// advance applies the move to the model, and what the program does on its own after it. It reports
// false if the move has no effect.
func (w *walker) advance(world *modeltest.World, m modeltest.Move) (ok bool, err error) {
	apply := func(m modeltest.Move) bool {
		recorder := modeltest.Recorder{Iterations: walkIterations, Retries: w.retries()}
		done := recorder.Apply(world, m)
		if recorder.Wrong != "" {
			err = errors.Join(err, errors.New(recorder.Wrong))
		}
		return done
	}
	if unfit(world, m) {
		m = modeltest.Move{Kind: modeltest.MoveDown, A: m.A}
	}
	ok = apply(m)
	if m.Kind == modeltest.MoveKill {
		return ok, err
	}
	for _, kind := range []modeltest.MoveKind{modeltest.MoveJudge, modeltest.MoveFinish, modeltest.MoveClose} {
		if next := (modeltest.Move{Kind: kind}); slices.Contains(world.Moves(), next) {
			apply(next)
		}
	}
	return ok, err
}

// unfit reports whether the move is an answer that omits claims or disputes, and is therefore
// rejected.
func unfit(world *modeltest.World, m modeltest.Move) bool {
	if m.Kind != modeltest.MoveAnswer {
		return false
	}
	a := world.Answers(int(m.A))[m.B]
	return a.Error == "" && !plain(a.Answer) && (len(a.Claims) < len(world.Put(int(m.A))) || len(a.Disputes) < len(world.PutDisputes(int(m.A))))
}

// plain reports whether an answer has no words, as reviewers answer that know nothing of claims.
func plain(a ledger.Answer) bool {
	return a.Error == "" && len(a.Claims)+len(a.Disputes) == 0 && (a.Passed || len(a.Entries) > 0)
}

// asksAgain reports whether the program asks the reviewer once more after the answer.
func asksAgain(world *modeltest.World, m modeltest.Move) bool {
	a := world.Answers(int(m.A))[m.B].Answer
	return unfit(world, m) || plain(a) && len(world.Put(int(m.A)))+len(world.PutDisputes(int(m.A))) > 0
}

// walker is a repository in which the program runs, with the model of it.
type walker struct {
	*scratchRepository
	calls *callServer
	world modeltest.World
	moves []modeltest.Move
	run   *walkRun // set while gates run
	// iterations counts the iterations that started, rested the runs that rested on another one, and
	// left the invocations that were refused because another branch was checked out.
	iterations, rested, left int
	// ids has the violations of the run in the order in which they were reported, and past those of
	// earlier runs.
	ids, past []string
	// configured counts how often the gate was reconfigured, and renamed how often it was renamed. passed
	// has the versions of the files on which runs have passed since then: the model knows only the latest.
	configured, renamed int
	passed              [][2]int
	// inError has the answers with an error that nevertheless reported something.
	inError map[modeltest.Move]bool
	// joined is set if something in the run was joined.
	joined bool
	// doubtful means that the run went back to code on which a run that it may rest on had passed,
	// and may have taken that pass back. The model does not know.
	doubtful bool
	// missing has the kinds of moves that were not made before, in other repositories.
	missing map[modeltest.MoveKind]bool
	// unread means that the ledger does not show the latest moves yet: the next invocation notices
	// a kill, or reads the files if the ledger is gone. gone means the latter.
	unread, gone bool
	// loses means that ledgers are deleted. The files do not tell which iterations count as
	// retries, so such a run can have any number of them.
	loses bool
}

func (w *walker) retries() int {
	if w.loses {
		return 100
	}
	return 2
}

func newWalker(t *testing.T, loses bool) *walker {
	t.Helper()
	w := &walker{calls: newCallServer(t), world: modeltest.Start(), loses: loses, inError: map[modeltest.Move]bool{}}
	// The configuration is not committed: the model knows only two files that differ from the base.
	w.scratchRepository = newScratchRepository(t, map[string]string{
		".gitignore": "gauntlet_logs\n.gauntlet\n",
		"a.go":       walkFile("a.go", 0), "b.go": walkFile("b.go", 0),
	})
	w.write("repo/.gauntlet/checks/test.yml", "command: walk-gate check "+w.calls.address+"\n")
	w.configure()
	w.writeCode()
	if err := w.git(`git update-ref HEAD "$(git commit-tree -p HEAD -m own HEAD^{tree})"`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.stop)
	return w
}

// configure writes the configuration, in which the name and the text of the review gate change.
func (w *walker) configure() {
	command := func(name string) string { return fmt.Sprintf("{command: [walk-gate, %s, %q]}", name, w.calls.address) }
	gate := fmt.Sprintf("quality%d", w.renamed)
	w.write("repo/.gauntlet/config.yml", fmt.Sprintf("base_branch: main\nafter_pass: changes\nmax_retries: %d\n", w.retries())+
		"cli:\n  default_preference: [one, two]\n  adapters:\n    one: "+command("one")+"\n    two: "+command("two")+
		"\nentry_points:\n  - {path: ., checks: [test], reviews: ["+gate+"]}\n")
	if err := os.RemoveAll(filepath.Join(w.dir, ".gauntlet", "reviews")); err != nil {
		w.Fatal(err)
	}
	w.write("repo/.gauntlet/reviews/"+gate+".md", fmt.Sprintf("---\nnum_reviews: 2\n---\nReview, %d.\n", w.configured))
}

// git executes a shell script in the repository.
func (w *walker) git(script string, input ...string) error {
	cmd := w.command("sh", "-c", "set -e\n"+script)
	cmd.Stdin = strings.NewReader(strings.Join(input, ""))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	return nil
}

// walkFile returns the text of a file. The lines at the places of the model have a version and
// differ between files, because a place moves with its lines.
func walkFile(file string, version int) string {
	var b strings.Builder
	for n := 1; n <= 30; n++ {
		if n%10 == 0 {
			fmt.Fprintf(&b, "line %d of %s, version %d\n", n, file, version)
			continue
		}
		fmt.Fprintf(&b, "line %d\n", n)
	}
	return b.String()
}

func (w *walker) writeCode() {
	for p, place := range modeltest.Places {
		w.write("repo/"+place.File, walkFile(place.File, w.world.Version(p)))
	}
}

// stop kills the program if it still runs.
func (w *walker) stop() {
	if w.run != nil {
		w.run.kill()
		w.run = nil
		clear(w.calls.waiting)
	}
}

// wander makes random steps until the last run has ended, or until there are enough.
func (w *walker) wander(random *rand.Rand, most int) error {
	for len(w.moves) < most && !(w.doubtful && w.world.Closed()) && w.world.Shown().Iteration < walkIterations {
		m, ok := w.choose(random)
		if !ok {
			return nil
		}
		if err := w.step(m); err != nil {
			return err
		}
	}
	return nil
}

// replay makes those of the moves that are possible.
func (w *walker) replay(moves []modeltest.Move) error {
	for _, m := range moves {
		if w.world.Shown().Iteration < walkIterations && slices.Contains(w.possible(), m) {
			if err := w.step(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// walkWeights is the relative frequency of each kind of move.
var walkWeights = map[modeltest.MoveKind]int{
	modeltest.MoveStart: 6, modeltest.MoveCheck: 20, modeltest.MoveAnswer: 20, modeltest.MoveDown: 1, modeltest.MoveKill: 1,
	modeltest.MoveMark: 8, modeltest.MoveChange: 4, modeltest.MoveRestore: 1, modeltest.MoveTakeUp: 8,
	modeltest.MoveJoin: 4, modeltest.MoveGroup: 8, modeltest.MoveNext: 1, modeltest.MoveEmpty: 1, modeltest.MoveBase: 1,
	modeltest.MoveSwitch: 2, modeltest.MoveConfigure: 1,
}

// weight is the relative frequency of a kind of move in this repository. What is rare and was not made
// before is made soon.
func (w *walker) weight(kind modeltest.MoveKind) int {
	if w.missing[kind] && !slices.ContainsFunc(w.moves, func(m modeltest.Move) bool { return m.Kind == kind }) {
		return 10 * walkWeights[kind]
	}
	return walkWeights[kind]
}

// walkMarks are the moves that `mark` makes.
var walkMarks = []modeltest.MoveKind{modeltest.MoveMark, modeltest.MoveTakeUp, modeltest.MoveJoin, modeltest.MoveGroup}

// possible returns the moves of the model that can be made with the program from outside.
func (w *walker) possible() (list []modeltest.Move) {
	for _, m := range w.world.Moves() {
		after := w.world
		fits, _ := w.advance(&after, m)
		switch {
		case walkWeights[m.Kind] == 0, m.Kind == modeltest.MoveAnswer && (!fits || !w.listed(m)):
		case m.Kind == modeltest.MoveRestore && (!w.loses || w.untold()):
		case m.Kind == modeltest.MoveEmpty && w.gone: // with both, the loop is lost
		case m.Kind == modeltest.MoveNext && !modeltest.InRepository(m):
		case m.Kind == modeltest.MoveStart && m.A == 0 && w.passedBefore():
		case slices.Contains(walkMarks, m.Kind) && (w.run != nil || w.gone): // the command rejects it
		default:
			list = append(list, m)
		}
	}
	return list
}

func failedWith(a ledger.Answer) bool { return a.Error != "" && len(a.Entries) > 0 }

// untold reports whether the files of the run lack something. They do not have the status of a
// problem with joined duplicates; and what a slot in error reported is read from its log, including
// filtered reports. After they were deleted, only some are there.
func (w *walker) untold() bool {
	for _, m := range slices.Backward(w.moves) {
		if m.Kind == modeltest.MoveNext {
			break
		}
		if w.inError[m] || m.Kind == modeltest.MoveEmpty {
			return true
		}
	}
	return w.joined
}

// choose chooses a kind of move, and then one move of that kind.
func (w *walker) choose(random *rand.Rand) (modeltest.Move, bool) {
	kinds, total := map[modeltest.MoveKind][]modeltest.Move{}, 0
	for _, m := range w.possible() {
		if kinds[m.Kind] == nil {
			total += w.weight(m.Kind)
		}
		kinds[m.Kind] = append(kinds[m.Kind], m)
	}
	if total == 0 {
		return modeltest.Move{}, false
	}
	at := random.IntN(total)
	switch { // little happens until the branch is back
	case !w.world.Left():
	case w.missing[modeltest.MoveSwitch] && w.left == 0 && kinds[modeltest.MoveStart] != nil:
		return kinds[modeltest.MoveStart][0], true
	case random.IntN(2) == 0:
		if back := w.goingBack(kinds[modeltest.MoveSwitch]); back != nil {
			return *back, true
		}
	}
	for kind := range modeltest.MoveGone {
		if kinds[kind] == nil {
			continue
		}
		if at -= w.weight(kind); at >= 0 {
			continue
		}
		moves, usual := kinds[kind], random.IntN(3) > 0 || w.missing[modeltest.MoveNext] && !w.loses // a pass to rest on
		if left := w.leavingOut(moves); len(left) > 0 && random.IntN(3) == 0 {
			moves, usual = left, false
		}
		if usual { // a check that passes, or a slot that confirms
			return moves[0], true
		}
		return moves[random.IntN(len(moves))], true
	}
	panic("the weights add up to less than their sum")
}

// goingBack returns the move that checks out the branch of the run again.
func (w *walker) goingBack(moves []modeltest.Move) *modeltest.Move {
	for _, m := range moves {
		after := w.world
		if _, err := w.advance(&after, m); err == nil && !after.Left() {
			return &m
		}
	}
	return nil
}

// leavingOut returns the moves that filter a report that can then be taken up. Few answers do.
func (w *walker) leavingOut(moves []modeltest.Move) (list []modeltest.Move) {
	for _, m := range moves {
		after := w.world
		if _, err := w.advance(&after, m); err == nil && after.LeavesOut() && !w.world.LeavesOut() {
			list = append(list, m)
		}
	}
	return list
}

// step makes a move with the program and with the model, and compares them.
func (w *walker) step(m modeltest.Move) error {
	before, ran := w.world, w.run != nil
	w.moves = append(w.moves, m)
	changed, err := w.advance(&w.world, m)
	if err != nil {
		return err
	}
	w.joined = w.joined && m.Kind != modeltest.MoveNext || w.world.Joined()
	if err := w.act(m, &before, changed); err != nil {
		return err
	}
	if w.unread {
		return nil
	}
	// Most moves leave it as it is whether the loop is done, and to ask takes most of a step.
	if ran || w.world.Done() != before.Done() || len(w.moves)%3 == 0 || *walkSteps >= walkAll {
		if err := w.compareDone(); err != nil {
			return err
		}
	}
	if w.world.Shown().Iteration == 0 {
		return nil
	}
	shown, err := w.shown()
	if err != nil {
		return err
	}
	want := w.world.Shown()
	if slices.ContainsFunc(w.moves, func(m modeltest.Move) bool { return m.Kind == modeltest.MoveRestore }) {
		sameOpen(want.Violations)
		sameOpen(shown.Violations)
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		return fmt.Errorf("the program differs from the model (-model +program):\n%s", diff)
	}
	return nil
}

func (w *walker) versions() [2]int { return [2]int{w.world.Version(0), w.world.Version(1)} }

// passedBefore reports whether no run is open and a run before the latest passed on this code.
func (w *walker) passedBefore() bool {
	return w.world.Shown().Iteration == 0 && !w.world.Done() && slices.Contains(w.passed, w.versions())
}

// compareDone compares `status` with the model: the loop is done if a run passed on the present
// code.
func (w *walker) compareDone() error {
	if w.run != nil || w.passedBefore() {
		return nil
	}
	code, out := w.execute("status")
	if want := w.world.Done(); want != (code == 0) && !(w.doubtful && want) {
		return fmt.Errorf("status: exit code %d, though the model is done: %t\n%s", code, want, out)
	}
	return nil
}

// sameOpen changes reopened to new, because not all files tell which it is.
func sameOpen(violations []modeltest.ShownViolation) {
	for i, v := range violations {
		if v.Status == ledger.StatusReopened {
			violations[i].Status = ledger.StatusNew
		}
	}
}

func (w *walker) act(m modeltest.Move, before *modeltest.World, changed bool) error {
	switch m.Kind {
	case modeltest.MoveStart:
		if before.Left() {
			return w.refused([]string{"run", "--whole", "--again"}[:1+2*m.A]...)
		}
		w.unread, w.gone = false, false
		return w.start([]string{"run", "--whole", "--again"}[:1+2*m.A]...)
	case modeltest.MoveCheck:
		return w.tell("check", reply{Code: int(m.A)}, "check:.:test")
	case modeltest.MoveDown:
		name := w.adapter(int(m.A))
		return w.tell(name, reply{Code: 1}, w.label(int(m.A)))
	case modeltest.MoveAnswer:
		w.inError[m] = w.inError[m] || failedWith(before.Answers(int(m.A))[m.B].Answer)
		return w.answer(int(m.A), before.Answers(int(m.A))[m.B].Answer, asksAgain(before, m))
	case modeltest.MoveKill:
		w.stop()
		w.unread = true
	case modeltest.MoveMark:
		return w.mark(int(m.A), modeltest.Marks[m.B], changed)
	case modeltest.MoveGroup:
		return w.mark(int(m.A), modeltest.GroupMarks[m.B], changed, "--group")
	case modeltest.MoveTakeUp:
		return w.takeUp(changed)
	case modeltest.MoveJoin:
		return w.join(int(m.A), int(m.B), changed)
	case modeltest.MoveNext, modeltest.MoveConfigure:
		w.goOn(m)
	case modeltest.MoveSwitch:
		return w.checkOut(w.world.Branch())
	case modeltest.MoveChange:
		w.writeCode()
	case modeltest.MoveBase:
		w.writeCode()
		return w.moveBase(modeltest.Places[m.A].File)
	case modeltest.MoveEmpty:
		return os.RemoveAll(filepath.Join(w.dir, "gauntlet_logs"))
	case modeltest.MoveRestore:
		w.unread, w.gone = true, true
		return os.RemoveAll(filepath.Join(w.dir, ".git", "reviewledger"))
	}
	return nil
}

// moveBase commits another version of the file on main, and rebases the branch onto that or merges it.
// The author's changes are not committed.
func (w *walker) moveBase(file string) error {
	onto := `-p "$main"`
	if len(w.moves)%2 == 0 {
		onto += " -p HEAD" // a merge
	}
	return w.git(`blob=$(git hash-object -w --stdin)
git read-tree main
git update-index --cacheinfo "100644,$blob,`+file+`"
tree=$(git write-tree)
main=$(git commit-tree -p main -m theirs "$tree")
git update-ref refs/heads/main "$main"
git update-ref HEAD "$(git commit-tree `+onto+` -m own "$tree")"`, walkFile(file, modeltest.MainVersion))
}

// goOn lets another run follow, or configures the gate differently.
func (w *walker) goOn(m modeltest.Move) {
	if m.Kind == modeltest.MoveNext {
		w.past, w.ids = append(w.past, w.ids...), nil
		w.passed = append(w.passed, w.versions())
	}
	anew, renames := modeltest.ConfiguresAnew(m)
	if renames {
		w.renamed++
	}
	if anew {
		w.configured++
		w.passed = nil
		w.configure()
	}
}

// checkOut checks out a branch. "copy" has a commit after those of "feature", and "other" one after those
// of main. All have the same files, and the author's changes are not committed.
func (w *walker) checkOut(branch string) error {
	from := map[string]string{"copy": "feature", "other": "main"}[branch]
	if from == "" {
		return w.git("git symbolic-ref HEAD refs/heads/" + branch)
	}
	return w.git(`git merge-base --is-ancestor ` + from + ` ` + branch + ` 2>/dev/null ||
	git update-ref refs/heads/` + branch + ` "$(git commit-tree -p ` + from + ` -m more HEAD^{tree})"
git symbolic-ref HEAD refs/heads/` + branch)
}

// refused runs the command while another branch is checked out than that of the open run.
func (w *walker) refused(command ...string) error {
	w.left++
	if code, out := w.execute(command...); code == 0 || !strings.Contains(out, "is checked out") {
		return fmt.Errorf("%q: exit code %d, and another branch is checked out\n%s", command, code, out)
	}
	return nil
}

// start starts an iteration and waits until all its gates wait for a reply. If there is nothing to
// do, it waits for the end.
func (w *walker) start(command ...string) error {
	w.run = startWalk(w.scratchRepository, command...)
	slots, check := w.world.Running()
	if len(slots) == 0 && !check {
		return w.end()
	}
	w.doubtful = w.doubtful || w.world.Rests() && slices.Contains(w.passed, w.versions())
	if w.iterations++; w.world.Rests() && w.world.Shown().Iteration == 1 {
		w.rested++
	}
	if err := w.calls.await("check", w.run); err != nil {
		return err
	}
	for _, s := range slots {
		if err := w.calls.await(w.adapter(s), w.run); err != nil {
			return err
		}
	}
	return w.comparePut(slots)
}

// comparePut compares the files, claims and disputes in the prompts with those of the model.
func (w *walker) comparePut(slots []int) error {
	if err := w.learn(); err != nil {
		return err
	}
	for _, s := range slots {
		want, got := w.world.ShownTo(s), [2]bool{}
		for p, place := range modeltest.Places {
			got[p] = w.calls.shows(w.adapter(s), place.File)
			if !w.calls.nothingNew(w.adapter(s)) {
				continue
			}
			if want[p] && !got[p] && w.world.SawLast(s, p) {
				want[p] = false // the slot has seen it as it is, and nothing is asked about it
			}
			if !want[p] && got[p] && w.world.PutAt(s, p) {
				want[p] = true // it was seen in an earlier run, and is asked about
			}
		}
		if want != got {
			return fmt.Errorf("slot %d is shown %v of the files, not %v:\n%s", s+1, got, want, w.calls.prompts[w.adapter(s)])
		}
		for heading, put := range map[string][]int{"# Claims": w.world.Put(s), "# Disputed": w.world.PutDisputes(s)} {
			want := []string{}
			for _, v := range put {
				want = append(want, w.ids[v])
			}
			got := w.calls.listed(w.adapter(s), heading)
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				return fmt.Errorf("slot %d is asked for others under %q (-model +program):\n%s", s+1, heading, diff)
			}
		}
	}
	return nil
}

// listed reports whether the prompt lists everything that the answer names. The reviewers of the
// model know everything.
func (w *walker) listed(m modeltest.Move) bool {
	for _, entry := range w.world.Answers(int(m.A))[m.B].Entries {
		n := modeltest.Number(strings.ToLower(entry.SameAs))
		name := w.adapter(int(m.A))
		if n >= 0 && !slices.Contains(slices.Concat(w.calls.listed(name, "# Claims"), w.calls.listed(name, "# Disputed"), w.calls.listed(name, "# Known")), w.ids[n]) {
			return false
		}
	}
	return true
}

// answer sends the answer of a slot, twice if it is asked for once more.
func (w *walker) answer(slot int, a ledger.Answer, again bool) error {
	name := w.adapter(slot)
	text := reply{Out: w.form(a)}
	if again {
		if err := w.calls.say(name, text); err != nil {
			return err
		}
		if err := w.calls.await(name, w.run); err != nil {
			return err
		}
	}
	return w.tell(name, text, w.label(slot))
}

// form returns the answer in the form that reviewers use.
func (w *walker) form(a ledger.Answer) string {
	type object = map[string]any
	id := func(name string) string {
		n := modeltest.Number(strings.ToLower(name))
		switch {
		case n < 0:
			return name
		case name != strings.ToLower(name):
			return strings.ToUpper(w.ids[n])
		}
		return w.ids[n]
	}
	violations, claims, disputes := []object{}, []object{}, []object{}
	status := "pass"
	for _, e := range a.Entries {
		entry := object{"file": e.Place.File, "line": e.Place.Start, "issue": e.Issue, "priority": e.Priority}
		if e.SameAs != "" {
			entry["same_as"] = id(e.SameAs)
		}
		violations = append(violations, entry)
		status = "fail"
	}
	for _, c := range a.Claims {
		claims = append(claims, object{"id": id(c.ID), "verdict": c.Verdict, "evidence": c.Evidence})
	}
	for _, d := range a.Disputes {
		disputes = append(disputes, object{"id": id(d.ID), "verdict": d.Verdict, "evidence": d.Evidence})
	}
	form := object{"status": status, "violations": violations, "claims": claims, "disputes": disputes}
	if plain(a) {
		form = object{"status": status, "violations": violations, "message": "seen"}
	}
	if a.Error != "" {
		form["status"], form["reason"] = "error", a.Error
	}
	text, err := json.Marshal(form)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// tell lets a gate end, and waits until the program has printed its result or, after the last gate,
// has ended.
func (w *walker) tell(name string, r reply, label string) error {
	if err := w.calls.say(name, r); err != nil {
		return err
	}
	if slots, check := w.world.Running(); len(slots) == 0 && !check {
		return w.end()
	}
	return w.run.await(label)
}

// end waits until the program has ended.
func (w *walker) end() error {
	code, err := w.run.end()
	output := w.run.output()
	w.run = nil
	if err == nil {
		err = w.learn()
	}
	if err == nil && w.world.Closed() && code != 0 {
		err = fmt.Errorf("the run has passed with the exit code %d", code)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// mark marks a violation with the command. A mark that changes nothing is rejected or has no
// effect.
func (w *walker) mark(violation int, mark modeltest.SetMark, changed bool, more ...string) error {
	ids, err := w.known(violation)
	if err != nil {
		return err
	}
	args := []string{"mark", ids[0], string(mark.Status), "--as", string(mark.Actor)}
	if mark.Status != ledger.StatusNew {
		args = append(args, "--result", "words")
	}
	if mark.Status == ledger.StatusSkipped { // the model does not remember skips
		args = append(args, "--no-remember")
	}
	return w.say(changed, append(args, more...)...)
}

// say runs a command that marks something. It may be rejected if it changes nothing.
func (w *walker) say(changed bool, args ...string) error {
	if code, out := w.execute(args...); code != 0 && changed {
		return fmt.Errorf("%q: exit code %d\n%s", args, code, out)
	}
	return nil
}

// join makes one problem of two violations.
func (w *walker) join(violation, of int, changed bool) error {
	ids, err := w.known(violation, of)
	if err != nil {
		return err
	}
	return w.say(changed, "mark", ids[0], "duplicate", ids[1], "--as", "human")
}

// known returns the IDs of violations. After a kill the ledger has not been read yet.
func (w *walker) known(violations ...int) (ids []string, err error) {
	if err := w.learn(); err != nil {
		return nil, err
	}
	for _, v := range violations {
		if v >= len(w.ids) {
			return nil, fmt.Errorf("the ledger has %d violations, and the model has violation %d", len(w.ids), v)
		}
		ids = append(ids, w.ids[v])
	}
	return ids, nil
}

// takeUp takes up the latest filtered report.
func (w *walker) takeUp(changed bool) error {
	id := ""
	err := w.each("SELECT r.report FROM v_reports AS r CROSS JOIN reports AS p ON p.short_id = r.report WHERE r.violation IS NULL AND r.disposition IN ('below_threshold', 'out_of_diff') AND "+walkRunNow+" ORDER BY p.id",
		func(scan func(...any) error) error { return scan(&id) })
	if err != nil || !changed {
		return err
	}
	return w.say(true, "mark", id, "new", "--as", "agent")
}

// label returns what the program calls a slot.
func (w *walker) label(slot int) string { return fmt.Sprintf("(%s@%d)", w.adapter(slot), slot+1) }

// adapter returns the adapter of the slot.
func (w *walker) adapter(slot int) string { return []string{"one", "two"}[slot] }

func (w *walker) open() (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+filepath.Join(w.dir, ".git", "reviewledger", "ledger.db")+"?mode=ro&_pragma=busy_timeout(10000)")
}

// walkRunNow is a condition for rows r of the latest run.
const walkRunNow = "r.run = (SELECT max(run) FROM v_runs)"

// learn adds new violations.
func (w *walker) learn() error {
	return w.each("SELECT short_id FROM violations ORDER BY id", func(scan func(...any) error) error {
		var id string
		if err := scan(&id); err != nil {
			return err
		}
		if !slices.Contains(w.ids, id) && !slices.Contains(w.past, id) {
			w.ids = append(w.ids, id)
		}
		return nil
	})
}

// each calls read for each row of a query.
func (w *walker) each(query string, read func(scan func(...any) error) error) error {
	handle, err := w.open()
	if err != nil {
		return err
	}
	defer handle.Close()
	rows, err := handle.QueryContext(w.Context(), query)
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
	}
	return rows.Err()
}

// shown returns what the ledger shows.
func (w *walker) shown() (shown modeltest.Shown, err error) {
	if err := w.learn(); err != nil {
		return shown, err
	}
	gate := func(g *modeltest.ShownGate, kind ledger.GateKind) error {
		return w.each(fmt.Sprintf("SELECT status, iteration FROM v_gates AS r WHERE kind = '%s' AND status <> '%s' AND %s ORDER BY iteration DESC LIMIT 1", kind, ledger.GateNotRun, walkRunNow),
			func(scan func(...any) error) error { return scan(&g.Status, &g.Iteration) })
	}
	err = errors.Join(
		w.each("SELECT r.status, (SELECT max(i.iteration) FROM v_iterations AS i WHERE i.run = r.run) FROM v_runs AS r WHERE "+walkRunNow, func(scan func(...any) error) error {
			var status ledger.RunStatus
			err := scan(&status, &shown.Iteration)
			shown.Passed = status.Passes()
			return err
		}),
		gate(&shown.Check, ledger.KindCheck),
		gate(&shown.Review, ledger.KindReview),
		w.each("SELECT slot, status, iteration, coalesce(pass_iteration, 0) FROM v_slots AS r WHERE "+walkRunNow+" ORDER BY iteration", func(scan func(...any) error) error {
			var n int
			var slot modeltest.ShownSlot
			err := scan(&n, &slot.Status, &slot.Iteration, &slot.Passed)
			shown.Slots[n-1] = slot
			return err
		}),
	)
	found := map[string]modeltest.ShownViolation{}
	err = errors.Join(err, w.each(`SELECT v.short_id, l.status, l.file, l.line, l.issue, l.priority, v.slot,
		(SELECT json_group_array(DISTINCT s.review_index ORDER BY s.review_index) FROM reports AS r JOIN slots AS s ON s.id = r.slot_id
		WHERE r.violation_id = v.id AND r.counts = 1 AND s.review_index <> v.slot)
		FROM violations AS v JOIN v_violations AS l ON l.violation = v.short_id`, func(scan func(...any) error) error {
		var id, more string
		var slot int
		var v modeltest.ShownViolation
		if err := scan(&id, &v.Status, &v.File, &v.Line, &v.Issue, &v.Priority, &slot, &more); err != nil {
			return err
		}
		var others []int
		err := json.Unmarshal([]byte(more), &others)
		v.Slots = append([]int{slot}, others...)
		found[id] = v
		return err
	}))
	for _, id := range w.ids {
		shown.Violations = append(shown.Violations, found[id])
	}
	return shown, err
}
