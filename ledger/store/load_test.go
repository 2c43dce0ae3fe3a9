package store_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// sound fails the test if rows of the ledger contradict each other.
func sound(t *testing.T, l *store.Store) {
	t.Helper()
	if problems := must(l.Problems(t.Context()))(t); len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
}

// seeds is set in .ci/slow.
var seeds = flag.Uint64("store.seeds", 1, "how many times as many random ledgers are dumped and imported")

// Dumps of one ledger from many moments of its life, imported in any order and more than once,
// always result in the ledger of the newest dump.
//
// Rule: A database that cannot be used is left as it is.
func TestDumpsInAnyOrder(t *testing.T) {
	t.Parallel()
	forwarded, older := 0, 0
	for seed := range *seeds * 2 {
		r := rand.New(rand.NewPCG(seed, 2))
		var dumps []string
		randomLife(t, r, func(x *loop) { dumps = append(dumps, dump(t, x.Store)) })
		for range 3 {
			l := emptyLedger(t)
			newest := 0
			for range 6 {
				n := r.IntN(len(dumps))
				if r.IntN(2) == 0 { // a dump close to the newest, which differs least
					n = min(max(0, newest-1+r.IntN(3)), len(dumps)-1)
				}
				got, err := load(t, l, dumps[n])
				if err != nil {
					t.Fatalf("seed %d, dump %d after %d: %v", seed, n, newest, err)
				}
				if len(got.Different) > 0 || len(got.LeftOut) > 0 {
					t.Errorf("seed %d, dump %d after %d: %+v", seed, n, newest, got)
				}
				if n < newest {
					older++
					if d := cmp.Diff(store.Loaded{Known: got.Known}, got); d != "" {
						t.Errorf("seed %d, dump %d after %d (-want +got):\n%s", seed, n, newest, d)
					}
				}
				forwarded += got.Forwarded
				newest = max(newest, n)
				if d := cmp.Diff(dumps[newest], dump(t, l)); d != "" {
					t.Fatalf("seed %d, dump %d after %d (-want +got):\n%s", seed, n, newest, d)
				}
				sound(t, l)
			}
		}
	}
	if forwarded < 7 || older < 7 {
		t.Errorf("only %d runs were brought forward, and %d older dumps imported: the test is too weak", forwarded, older)
	}
}

// runLines returns the lines of a dump that are about runs.
func runLines(dump string) []string {
	var lines []string
	for line := range strings.Lines(dump) {
		if strings.Contains(line, `,"run":"`) || strings.Contains(line, `"row":{"run":"`) {
			lines = append(lines, line)
		}
	}
	return lines
}

// Two clones of one repository, at different paths, each have an open run of the worktree that has
// no name. One place has only one open run, so the second one must wait for its end.
func TestTwoClonesOfOneRepository(t *testing.T) {
	t.Parallel()
	texts := make([]string, 2)
	for i, path := range []string{"/one", "/two"} {
		clone := emptyLedger(t)
		run := newRun()
		run.Worktree = path
		run.Repository = ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "example.com/a/b"}
		must(clone.StartRun(t.Context(), run))(t)
		texts[i] = dump(t, clone)
	}
	l := emptyLedger(t)
	if got := must(load(t, l, texts[0]))(t); got.Added != 1 || len(got.LeftOut) != 0 {
		t.Errorf("the first clone: %+v", got)
	}
	if got := must(load(t, l, texts[1]))(t); got.Added != 0 || len(got.LeftOut) != 1 {
		t.Errorf("the second clone: %+v", got)
	}
	sound(t, l)
}

// A run that is not added leaves no text behind, and neither does one whose texts were removed here.
func TestTextsOfWhatIsNotAdded(t *testing.T) {
	t.Parallel()
	theirs, ours := newLoop(t), newLoop(t)
	r := theirs.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	text := dump(t, theirs.Store)
	texts := func(l *store.Store) (n int) {
		t.Helper()
		if err := rows(t, l.Path()).QueryRow("SELECT count(*) FROM blobs").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := must(load(t, ours.Store, text))(t); len(got.LeftOut) != 1 || texts(ours.Store) != 0 {
		t.Errorf("open in the same place: %+v, %d texts", got, texts(ours.Store))
	}
	if texts(theirs.Store) == 0 {
		t.Fatal("the run has no text")
	}
	theirs.ok(theirs.CloseRun(t.Context(), theirs.run.ID, ledger.StatusAbandoned))
	must(theirs.RemoveContent(t.Context(), time.Now().Add(time.Hour), nil))(t)
	if got := must(load(t, theirs.Store, text))(t); got.Known != 1 || texts(theirs.Store) != 0 {
		t.Errorf("content that was removed: %+v, %d texts", got, texts(theirs.Store))
	}
}

// Two machines have a worktree with the same path, and both are collected in one ledger at
// different times. A run that is open at the same time as one of the other machine is left out, but
// in the end the ledger has every run in its final state.
func TestTwoMachinesInOneLedger(t *testing.T) {
	t.Parallel()
	leftOut := 0
	for seed := range *seeds * 2 {
		r := rand.New(rand.NewPCG(seed, 3))
		var dumps [2][]string
		for i := range dumps {
			x := randomLife(t, r, func(x *loop) { dumps[i] = append(dumps[i], dump(t, x.Store)) })
			_ = x.CloseRun(t.Context(), x.run.ID, ledger.StatusAbandoned)
			dumps[i] = append(dumps[i], dump(t, x.Store))
		}
		l, next := emptyLedger(t), [2]int{}
		for range 12 {
			i := r.IntN(2)
			next[i] = min(next[i]+r.IntN(5), len(dumps[i])-1)
			text := dumps[i][next[i]]
			got := must(load(t, l, text))(t)
			if len(got.Different) > 0 {
				t.Errorf("seed %d: %+v", seed, got)
			}
			leftOut += len(got.LeftOut)
			sound(t, l)
			before := dump(t, l)
			again := must(load(t, l, text))(t)
			if again.Added+again.Forwarded > 0 || len(again.LeftOut) != len(got.LeftOut) {
				t.Errorf("seed %d: again: %+v", seed, again)
			}
			if d := cmp.Diff(before, dump(t, l)); d != "" {
				t.Errorf("seed %d: again (-before +after):\n%s", seed, d)
			}
		}
		for i := range dumps {
			if got := must(load(t, l, dumps[i][len(dumps[i])-1]))(t); len(got.Different)+len(got.LeftOut) > 0 && i == 1 {
				t.Errorf("seed %d: %+v", seed, got)
			}
		}
		must(load(t, l, dumps[0][len(dumps[0])-1]))(t)
		all := dump(t, l)
		for i := range dumps {
			for _, line := range runLines(dumps[i][len(dumps[i])-1]) {
				if !strings.Contains(all, line) {
					t.Fatalf("seed %d: the ledger lacks %s", seed, line)
				}
			}
		}
	}
	if leftOut < 5 {
		t.Errorf("only %d runs were left out: the test is too weak", leftOut)
	}
}

// grown returns a run in two states: with a report, and later with a claim and a verified fix.
func grown(t *testing.T) (x *loop, early, late string) {
	t.Helper()
	x = newLoop(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High), entry(at("b.go", 9), "races", ledger.High))
	r.end()
	early = dump(t, x.Store)
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	r = x.begin(1)
	r.says(1, entry(at("c.go", 7), "is new", ledger.High))
	r.end()
	return x, early, dump(t, x.Store)
}

// A run that has diverged, or that the dump does not continue soundly, stays exactly as it is. The
// other runs of the dump are imported nevertheless.
func TestRunsThatDiffer(t *testing.T) {
	t.Parallel()
	x, early, late := grown(t)
	replace := func(old, new string) string {
		if strings.Count(late, old) != 1 {
			t.Fatalf("the dump has %s %d times:\n%s", old, strings.Count(late, old), late)
		}
		return strings.Replace(late, old, new, 1)
	}
	mark := func(l *store.Store, status ledger.Status) {
		t.Helper()
		must(l.MarkViolations(t.Context(), x.run.ID, []string{x.find("leaks").ID}, nil, ledger.Mark{Status: status, Result: "is so", Actor: ledger.ActorHuman}))(t)
	}
	same := func(*store.Store) {}
	tests := []struct {
		name string
		here func(*store.Store)
		text string
	}{
		{"marked here", func(l *store.Store) { mark(l, ledger.StatusSkipped) }, late},
		{"closed here", func(l *store.Store) {
			x.ok(l.CloseRun(t.Context(), x.run.ID, ledger.StatusAbandoned))
		}, late},
		{"gone on here", func(l *store.Store) {
			must(l.BeginIteration(t.Context(), x.run.ID, ledger.Iteration{Number: 2, Mode: ledger.ModeRerun, Source: "base"}, nil))(t)
		}, late},
		{"another branch", same, replace(`"branch":"topic"`, `"branch":"other"`)},
		{"another wording", same, replace(`"issue":"leaks"`, `"issue":"leaked"`)},
		{"a report less", same, replace(late[strings.Index(late, `{"record":"report"`):strings.Index(late, `{"record":"event"`)], "")},
		{"a report that is no longer taken up", same, replace(`"position":1,"violation":"`+x.find("leaks").ID+`","line_start"`, `"position":1,"violation":null,"line_start"`)},
		{"a change that is forbidden", same, replace(`"event":2,"iteration":1,"status":"fixed"`, `"event":2,"iteration":1,"status":"verified"`)},
		{"a status that does not follow", same, replace(`"status":"verified","answered_iteration"`, `"status":"fixed","answered_iteration"`)},
		{"counts that nothing leads to", same, replace(`"status":"failed","started_at":"2026-03-04T05:06:11.000Z"`, `"status":"error","started_at":"2026-03-04T05:06:11.000Z"`)},
	}
	for _, test := range tests {
		l := emptyLedger(t)
		must(load(t, l, early))(t)
		test.here(l)
		before := runLines(dump(t, l))
		text := test.text
		text = text[:strings.Index(text, `{"record":"end"`)] + fmt.Sprintf(`{"record":"end","row":{"rows":%d}}`+"\n", strings.Count(text, "\n")-1)
		got := must(load(t, l, text))(t)
		if d := cmp.Diff(store.Loaded{Known: 1, Different: []string{x.run.ID}}, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
		if d := cmp.Diff(before, runLines(dump(t, l))); d != "" {
			t.Errorf("%s: it did not stay (-before +after):\n%s", test.name, d)
		}
		sound(t, l)
	}
}

// A filtered report is a violation in the later state.
func TestTakenUpReportIsBroughtForward(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	if _, err := rows(t, x.Path()).Exec(`
		INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, short_id)
		VALUES (1, 8, 'b.go', 5, 6, 'is small', 'low', 'below_threshold', 'small123');
		UPDATE slots SET below_threshold = 1 WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	l := emptyLedger(t)
	must(load(t, l, dump(t, x.Store)))(t)
	must(x.MarkViolations(t.Context(), x.run.ID, nil, []string{"small123"}, ledger.Mark{Status: ledger.StatusNew, Actor: ledger.ActorHuman}))(t)
	late := dump(t, x.Store)
	if got := must(load(t, l, late))(t); got.Forwarded != 1 {
		t.Errorf("%+v", got)
	}
	if d := cmp.Diff(late, dump(t, l)); d != "" {
		t.Errorf("(-dumped +imported):\n%s", d)
	}
	sound(t, l)
}

// A row of a known run that refers to another run's violation is refused, because it would change a
// closed run.
func TestLoadKeepsRunsApart(t *testing.T) {
	t.Parallel()
	x, early, late := grown(t)
	theirs := newLoop(t)
	r := theirs.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	theirs.ok(theirs.CloseRun(t.Context(), theirs.run.ID, ledger.StatusAbandoned))
	l := emptyLedger(t)
	must(load(t, l, early))(t)
	must(load(t, l, dump(t, theirs.Store)))(t)
	before := runLines(dump(t, l))
	_, err := load(t, l, strings.ReplaceAll(late, `"violation":"`+x.find("leaks").ID+`","event"`, `"violation":"`+theirs.find("leaks").ID+`","event"`))
	if err == nil || !strings.Contains(err.Error(), "the run has no violation") {
		t.Error(err)
	}
	// The other run's violation in place of this run's own.
	got := must(load(t, l, strings.ReplaceAll(late, x.find("is new").ID, theirs.find("leaks").ID)))(t)
	if d := cmp.Diff([]string{x.run.ID}, got.Different); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(before, runLines(dump(t, l))); d != "" {
		t.Errorf("it stays (-before +after):\n%s", d)
	}
}

// A code review is brought forward even after it was closed, because it is then marked, and
// reopened for a verification.
func TestCodeReviewIsBroughtForward(t *testing.T) {
	t.Parallel()
	x := &loop{T: t, Store: emptyLedger(t)}
	run := newRun()
	run.Kind = ledger.KindCodeReview
	x.run = must(x.StartReview(t.Context(), run, verdict.CodeReview{ReviewID: "01234567", Scope: ledger.ScopeChangeset, Target: "main..HEAD"}))(t)
	dumps := []string{dump(t, x.Store)}
	findings := []verdict.FindingEntry{{
		Domain: "api", Severity: "High", Confidence: 0.9, File: "a.go", LineRange: "1-2", Title: "Leaks", Recommendation: "Close it",
	}}
	r, record := review(t, x.Store, x.run.ID, "base", findings)
	dumps = append(dumps, dump(t, x.Store))
	record()
	dumps = append(dumps, dump(t, x.Store))
	must(r.Conclude(t.Context(), verdict.Full))(t)
	closed := dump(t, x.Store)

	l := emptyLedger(t)
	must(load(t, l, dumps[0]))(t)
	for _, text := range append(dumps[1:], closed) {
		if got := must(load(t, l, text))(t); got.Forwarded != 1 {
			t.Errorf("%+v", got)
		}
		if d := cmp.Diff(text, dump(t, l)); d != "" {
			t.Errorf("(-dumped +imported):\n%s", d)
		}
	}
	must(x.MarkViolations(t.Context(), x.run.ID, []string{x.state().Violations[0].ID}, nil, ledger.Mark{Status: ledger.StatusFixed, Actor: ledger.ActorAgent}))(t)
	later := dump(t, x.Store)
	if got := must(load(t, l, later))(t); got.Forwarded != 1 {
		t.Errorf("marked after it was closed: %+v", got)
	}
	if d := cmp.Diff(later, dump(t, l)); d != "" {
		t.Errorf("marked after it was closed (-dumped +imported):\n%s", d)
	}
	// Older states do not change a ledger that has a newer one.
	for _, text := range append(dumps, closed) {
		got := must(load(t, x.Store, text))(t)
		if d := cmp.Diff(store.Loaded{Known: 1}, got); d != "" {
			t.Errorf("older (-want +got):\n%s", d)
		}
	}
	must(x.BeginIteration(t.Context(), x.run.ID, ledger.Iteration{Number: 2, Mode: ledger.ModeRerun, Source: ledger.SourceVerify}, nil))(t)
	reopened := dump(t, x.Store)
	if got := must(load(t, l, reopened))(t); got.Forwarded != 1 || dump(t, l) != reopened {
		t.Errorf("opened again: %+v", got)
	}
	if got := must(load(t, x.Store, later))(t); got.Forwarded+len(got.Different) > 0 || dump(t, x.Store) != reopened {
		t.Errorf("opened again, and then imported as it was before: %+v", got)
	}
}

// If there is no ledger, an import that is refused does not create one, however far it got.
func TestImportMakesAWholeLedgerOrNone(t *testing.T) {
	t.Parallel()
	_, early, late := grown(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "new", "ledger.db")
	importing := func(text string) (store.Loaded, error) {
		return store.Import(t.Context(), path, store.Options{}, exchange.NewReader(strings.NewReader(text)).Next)
	}
	for _, text := range []string{"", "x", late[:len(late)/2], late + late} {
		if _, err := importing(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("import: ledger %q: ", path)) {
			t.Error(err)
		}
		if entries := must(os.ReadDir(folder))(t); len(entries) > 0 {
			t.Errorf("it left %v", entries)
		}
	}
	if got := must(importing(early))(t); got.Added != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := importing(late[:len(late)/2]); err == nil {
		t.Error("a dump that was cut short was imported")
	}
	if d := cmp.Diff(early, dump(t, openLedger(t, path))); d != "" {
		t.Errorf("(-dumped +imported):\n%s", d)
	}
	if got := must(importing(late))(t); got.Forwarded != 1 {
		t.Errorf("%+v", got)
	}
	// Another process creates the ledger while the dump is read.
	path = filepath.Join(folder, "other.db")
	read := exchange.NewReader(strings.NewReader(late)).Next
	lines := 0
	_, err := store.Import(t.Context(), path, store.Options{}, func() (exchange.Record, error) {
		if lines++; lines == 2 {
			theirs := &loop{T: t, Store: openLedger(t, path)}
			theirs.run = must(theirs.StartRun(t.Context(), newRun()))(t)
		}
		return read()
	})
	if err == nil || !strings.Contains(err.Error(), "nothing was imported: import again") {
		t.Error(err)
	}
	if got := runLines(dump(t, openLedger(t, path))); len(got) != 2 || !strings.Contains(got[1], `"record":"transition"`) {
		t.Errorf("the other process's ledger has %q", got)
	}
}
