package store_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/store/storetest"
)

// counted fails the test if the sums, once they have caught up, are not those of the runs.
func counted(t *testing.T, l *store.Store) {
	t.Helper()
	if _, err := l.Statistics(t.Context(), ledger.StatisticsFilter{}); err != nil {
		t.Fatal(err)
	}
	s := must(l.SumsState(t.Context(), true))(t)
	if !s.There || !s.Usable || s.Behind != 0 || len(s.Wrong) > 0 {
		t.Fatalf("sums: %+v", s)
	}
}

// Sums that catch up after every step of a ledger's life equal sums that are computed at its end.
//
// Rule: Sums are a cache.
func TestSumsFollowEveryChange(t *testing.T) {
	t.Parallel()
	steps := 0
	for seed := range uint64(6) {
		randomLife(t, rand.New(rand.NewPCG(seed, 24)), func(x *loop) {
			steps++
			counted(x.T, x.Store)
		})
	}
	if steps < 50 {
		t.Errorf("only %d steps", steps)
	}
}

// A line that a second run reports recurs, also in the first run. If one of the two runs is
// removed, it no longer does.
func TestSumsOfLinesThatRecur(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 120, Iterations: 2, Violations: 4})
	if _, err := rows(t, path).Exec("UPDATE violations SET fingerprint = printf('%032x', id % 170)"); err != nil {
		t.Fatal(err)
	}
	l := openLedger(t, path)
	recurring := func() int {
		t.Helper()
		counted(t, l)
		facets := must(l.Facets(t.Context(), ledger.ViolationFilter{}))(t)
		listed := must(l.Violations(t.Context(), ledger.ViolationFilter{Recurring: true}))(t)
		if len(listed) != facets.Recurring.Violations {
			t.Errorf("%d violations recur, and %d are listed", facets.Recurring.Violations, len(listed))
		}
		return len(listed)
	}
	before := recurring()
	dumped := dump(t, l)
	other := emptyLedger(t)
	counted(t, other)
	must(load(t, other, dumped))(t)
	counted(t, other)
	must(l.SumsState(t.Context(), false))(t)
	kept := must(os.ReadFile(store.SumsPath(path)))(t)
	removed := must(l.RemoveRuns(t.Context(), now().AddDate(0, 0, -70), nil))(t)
	if s := must(l.SumsState(t.Context(), false))(t); s.There {
		t.Error("sums are left that name what was removed")
	}
	writeFile(t, store.SumsPath(path), kept) // as if the command had been killed before
	if after := recurring(); removed.Runs == 0 || after >= before || before == 0 {
		t.Errorf("%d violations recurred, and %d do after %d runs are gone", before, after, removed.Runs)
	}
}

// The run that first had a line is counted again when a second run has it.
func TestSumsOfALineThatComesBack(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	for n, want := range []int{0, 2, 3} {
		r := x.begin(1)
		a := r.answer(1, high(n+1, "leaks"))
		a.Facts.Entries[0].Line = ledger.LineFact{Known: true, Text: "return f.Close()"}
		must(r.RecordAnswer(x.Context(), a))(t)
		x.ok(x.CloseRun(x.Context(), x.run.ID, ledger.StatusAbandoned))
		counted(t, x.Store)
		facets := must(x.Facets(t.Context(), ledger.ViolationFilter{}))(t)
		listed := must(x.Violations(t.Context(), ledger.ViolationFilter{Recurring: true}))(t)
		if facets.Recurring.Violations != want || len(listed) != want {
			t.Errorf("in %d runs: %d violations recur, and %d are listed", n+1, facets.Recurring.Violations, len(listed))
		}
		x.run, x.number = must(x.StartRun(x.Context(), newRun()))(t), 0
	}
}

func generatedLedger(t *testing.T, size storetest.Size) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, size, now()); err != nil {
		t.Fatal(err)
	}
	return path
}

// figures returns the figures of a ledger that is opened again.
func figures(t *testing.T, path string, o store.Options) ledger.Statistics {
	t.Helper()
	o.Now = now
	l := must(store.OpenReadOnly(t.Context(), path, o))(t)
	defer l.Close()
	return must(l.Statistics(t.Context(), ledger.StatisticsFilter{}))(t)
}

// Whatever happens to the file of sums, the figures are right.
func TestSumsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, path string){
		"gone":  func(t *testing.T, path string) { removeSums(t, path) },
		"empty": func(t *testing.T, path string) { removeSums(t, path); writeFile(t, path, nil) },
		"no sums": func(t *testing.T, path string) {
			removeSums(t, path)
			writeFile(t, path, []byte("these are not sums, but more than 512 bytes of a text: "+string(make([]byte, 600))))
		},
		"cut": func(t *testing.T, path string) {
			data := must(os.ReadFile(path))(t)
			removeSums(t, path)
			writeFile(t, path, data[:len(data)/2])
		},
		"scribbled": func(t *testing.T, path string) {
			data := must(os.ReadFile(path))(t)
			for i := 4096; i < len(data); i += 61 {
				data[i] ^= 0x5a
			}
			removeSums(t, path)
			writeFile(t, path, data)
		},
		"with a damaged table": func(t *testing.T, path string) { // which is noticed only by a query
			handle, _, err := db.OpenSums(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			var page, size int64
			err = handle.QueryRow("SELECT s.rootpage, p.page_size FROM sqlite_schema AS s, pragma_page_size AS p WHERE s.name = 'sums'").Scan(&page, &size)
			if err := errors.Join(err, handle.Close()); err != nil {
				t.Fatal(err)
			}
			file := must(os.OpenFile(path, os.O_WRONLY, 0))(t)
			must(file.WriteAt([]byte{0x77}, (page-1)*size))(t)
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"of another version": func(t *testing.T, path string) {
			execute(t, path, "PRAGMA user_version = 99; DROP TABLE lines; UPDATE sums SET n = n + 1")
		},
		"of another ledger": func(t *testing.T, path string) {
			execute(t, path, "UPDATE state SET ledger = 'other'; UPDATE sums SET n = n + 1")
		},
		"ahead": func(t *testing.T, path string) {
			execute(t, path, "UPDATE state SET changed = 1000000; UPDATE sums SET n = n + 1")
		},
		"of a state that was replaced": func(t *testing.T, path string) {
			execute(t, path, "UPDATE state SET changed = changed - 1; UPDATE contributions SET revision = revision + 1; UPDATE sums SET n = n + 1")
		},
		"with a contribution that cannot be read": func(t *testing.T, path string) {
			execute(t, path, "UPDATE state SET changed = 0; UPDATE contributions SET counts = x'00'")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := generatedLedger(t, storetest.Size{Runs: 20, Iterations: 2, Violations: 8})
			want := figures(t, path, store.Options{})
			before := must(os.ReadFile(path))(t)
			spoil(t, store.SumsPath(path))
			if d := cmp.Diff(want, figures(t, path, store.Options{}), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("figures (-want +got):\n%s", d)
			}
			if after := must(os.ReadFile(path))(t); !cmp.Equal(before, after) {
				t.Error("the ledger was written to")
			}
			l := openLedger(t, path)
			counted(t, l)
		})
	}
}

// killedExit is the exit code of a process that kills itself while it adds up runs.
const killedExit = 9

// dieWhileAdding asks for figures, and ends the process when some of the runs have been added up.
// It returns only if none were.
func dieWhileAdding(path string) error {
	l, err := store.OpenReadOnly(context.Background(), path, store.Options{Adding: func(p store.Progress) {
		if p.Done > 0 && p.Done < p.Steps {
			os.Exit(killedExit)
		}
	}})
	if err != nil {
		return err
	}
	_, err = l.Statistics(context.Background(), ledger.StatisticsFilter{})
	return errors.Join(err, l.Close())
}

// After a process was killed while it wrote the sums, the next one gets the right figures: if there
// were no sums, and if most runs had changed.
func TestSumsAfterAKill(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]string{"made anew": "", "caught up": "UPDATE runs SET branch = 'main', changed = changed + 1000; UPDATE changes SET number = number + 1000"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := generatedLedger(t, storetest.Size{Runs: 250, Iterations: 1, Violations: 2})
			if prepare != "" {
				figures(t, path, store.Options{})
				if _, err := rows(t, path).Exec(prepare); err != nil {
					t.Fatal(err)
				}
			}
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), addingEnv+"="+path)
			var ended *exec.ExitError
			if out, err := child.CombinedOutput(); !errors.As(err, &ended) || ended.ExitCode() != killedExit {
				t.Fatalf("%v: %s", err, out)
			}
			got := figures(t, path, store.Options{})
			counted(t, openLedger(t, path))
			removeSums(t, store.SumsPath(path))
			if d := cmp.Diff(figures(t, path, store.Options{}), got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("figures (-made anew +after the kill):\n%s", d)
			}
		})
	}
}

func removeSums(t *testing.T, path string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, path, statements string) {
	t.Helper()
	handle, _, err := db.OpenSums(t.Context(), path)
	if err == nil {
		_, err = handle.Exec(statements)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
}

// Sums that cannot be kept are computed in memory, and the reason is reported.
func TestSumsThatCannotBeKept(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 10, Iterations: 2, Violations: 8})
	want := figures(t, path, store.Options{})
	removeSums(t, store.SumsPath(path))
	if err := os.Mkdir(store.SumsPath(path), 0o700); err != nil { // nobody can write it, not even root
		t.Fatal(err)
	}
	var reasons []error
	got := figures(t, path, store.Options{Unkept: func(err error) { reasons = append(reasons, err) }})
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || len(reasons) != 1 {
		t.Errorf("told %v, figures (-want +got):\n%s", reasons, d)
	}
}

// A file that is removed while a page is shown is created again for the next page.
func TestSumsThatGoWhileTheyAreLookedAt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open cannot be removed there")
	}
	path := generatedLedger(t, storetest.Size{Runs: 10, Iterations: 2, Violations: 8})
	l := openLedger(t, path)
	counted(t, l)
	removeSums(t, store.SumsPath(path))
	counted(t, l)
}

// A ledger that was restored from a copy, and has changed differently since, has the figures of its
// current content.
func TestSumsOfALedgerThatWasPutBack(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	path := x.Path()
	randomRound(x, rand.New(rand.NewPCG(1, 1)), func(*loop) {})
	counted(t, x.Store)
	copied := filepath.Join(t.TempDir(), "copy.db")
	x.ok(x.Backup(t.Context(), copied))
	for seed := range uint64(3) {
		randomRound(x, rand.New(rand.NewPCG(seed, 2)), func(*loop) {})
	}
	counted(t, x.Store)
	x.ok(x.Close())
	for _, suffix := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
	from := must(os.Open(copied))(t)
	defer from.Close()
	to := must(os.Create(path))(t)
	must(io.Copy(to, from))(t)
	x.ok(to.Close())
	y := &loop{T: t, Store: openLedger(t, path), run: x.run, number: 1}
	counted(t, y.Store)
	for seed := range uint64(4) {
		randomRound(y, rand.New(rand.NewPCG(seed, 3)), func(*loop) {})
		counted(t, y.Store)
	}
}

// If several readers come at the same time, the sums are computed once, and all get the same
// figures.
func TestSumsAreMadeOnce(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 60, Iterations: 2, Violations: 20})
	type answer struct {
		s   ledger.Statistics
		err error
	}
	answers := make(chan answer)
	for range 4 {
		go func() {
			l, err := store.OpenReadOnly(context.Background(), path, store.Options{Now: now})
			if err != nil {
				answers <- answer{err: err}
				return
			}
			defer l.Close()
			s, err := l.Statistics(context.Background(), ledger.StatisticsFilter{})
			answers <- answer{s, err}
		}()
	}
	var all []ledger.Statistics
	for range 4 {
		a := <-answers
		if a.err != nil {
			t.Fatal(a.err)
		}
		all = append(all, a.s)
	}
	for _, s := range all[1:] {
		if d := cmp.Diff(all[0], s, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("two readers (-one +other):\n%s", d)
		}
	}
}

// A reader that goes away while runs are added up does not stop the work: the next one finds the
// sums ready.
func TestSumsAreMadeThoughTheirReaderGoesAway(t *testing.T) {
	t.Parallel()
	size := storetest.Size{Runs: 60, Iterations: 2, Violations: 20}
	once := 0 // how often progress is reported if the sums are computed once
	figures(t, generatedLedger(t, size), store.Options{Adding: func(store.Progress) { once++ }})
	path := generatedLedger(t, size)
	reader, goAway := context.WithCancel(t.Context())
	gone, told := make(chan struct{}), 0
	l := store.Watch(path, store.Options{Now: now, Adding: func(store.Progress) {
		if told++; told == 1 {
			goAway()
			<-gone
		}
	}})
	t.Cleanup(func() { _ = l.Close() })
	first, done, err := l.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = first.Statistics(reader, ledger.StatisticsFilter{})
	done()
	close(gone)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the reader who went away got %v", err)
	}
	next, done, err := l.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := next.Statistics(t.Context(), ledger.StatisticsFilter{}); err != nil {
		t.Fatal(err)
	}
	if s := must(next.SumsState(t.Context(), true))(t); !s.Usable || s.Behind != 0 || len(s.Wrong) > 0 {
		t.Errorf("sums: %+v", s)
	}
	if told != once {
		t.Errorf("the progress was told %d times: the sums were not made once, which is %d", told, once)
	}
}

// Closing a ledger stops the adding up, and leaves nothing behind.
func TestSumsOfALedgerThatIsClosed(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 60, Iterations: 2, Violations: 20})
	reader, goAway := context.WithCancel(t.Context())
	l, err := store.OpenReadOnly(t.Context(), path, store.Options{Now: now, Adding: func(store.Progress) { goAway() }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Statistics(reader, ledger.StatisticsFilter{}); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	counted(t, openLedger(t, path))
}
