package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func dump(t *testing.T, l *store.Store) string {
	t.Helper()
	var out bytes.Buffer
	if err := l.Dump(t.Context(), exchange.NewWriter(&out).Put); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func load(t *testing.T, l *store.Store, text string) (store.Loaded, error) {
	t.Helper()
	return l.Load(t.Context(), exchange.NewReader(strings.NewReader(text)).Next)
}

func emptyLedger(t *testing.T) *store.Store {
	t.Helper()
	return openLedger(t, filepath.Join(t.TempDir(), "ledger.db"))
}

// hostile are texts that JSON, SQL or a terminal could corrupt.
var hostile = []string{"leaks", "überläuft 🙂", "a\xff\xfeb", "line\nbreak \x00 nul", `quote " \ </script>`, "\u2028", "x"}

// randomLedger records loops that end in different ways. Some stay open.
func randomLedger(t *testing.T, r *rand.Rand) *loop {
	t.Helper()
	return randomLife(t, r, func(*loop) {})
}

// randomLife is like randomLedger, and calls step after each step.
func randomLife(t *testing.T, r *rand.Rand, step func(*loop)) *loop {
	t.Helper()
	x := &loop{T: t, Store: emptyLedger(t)}
	for range 1 + r.IntN(3) {
		run := newRun()
		run.Branch = hostile[r.IntN(len(hostile))]
		x.run, x.number = must(x.StartRun(t.Context(), run))(t), 0
		step(x)
		for range r.IntN(4) {
			randomRound(x, r, step)
		}
		if r.IntN(3) == 0 {
			x.ok(x.SetSessionRef(t.Context(), x.run.ID, "session"))
			x.ok(x.CloseRun(t.Context(), x.run.ID, ledger.StatusRetryLimitExceeded))
			step(x)
		}
	}
	return x
}

func randomRound(x *loop, r *rand.Rand, step func(*loop)) {
	slots := 1 + r.IntN(3)
	round := x.begin(slots)
	step(x)
	killed := r.IntN(6) == 0
	for _, slot := range x.state().LatestGate(quality).Slots {
		if slot.Status != ledger.SlotRunning || killed && r.IntN(2) == 0 {
			continue
		}
		var entries []ledger.Entry
		for range r.IntN(4) {
			priority := []ledger.Priority{ledger.Critical, ledger.High, ledger.Low}[r.IntN(3)]
			place := at(fmt.Sprintf("dir/%s.go", hostile[r.IntN(len(hostile))]), 1+r.IntN(30))
			entries = append(entries, entry(place, hostile[r.IntN(len(hostile))], priority))
		}
		round.says(slot.Index, entries...)
		step(x)
	}
	if killed {
		x.ok(x.Recover(x.Context(), x.run.ID))
	} else {
		round.end()
	}
	step(x)
	for _, v := range x.state().Violations {
		status := []ledger.Status{ledger.StatusFixed, ledger.StatusSkipped, ledger.StatusNew, v.Status}[r.IntN(4)]
		if open := !v.Claim() && v.Status != ledger.StatusSkipped; status == v.Status || v.Status == ledger.StatusVerified || v.Slot > slots || open && status == ledger.StatusNew {
			continue
		}
		if r.IntN(2) == 0 {
			randomMark(x, r, v, status, step)
			continue
		}
		_, err := x.RecordEdits(x.Context(), x.run.ID, ledger.ActorAgent, []ledger.Edit{{
			Violation: v.ID, Status: status, Result: hostile[r.IntN(len(hostile))], Job: quality, Slot: v.Slot, Iteration: x.number,
		}}, nil)
		if err != nil && !errors.Is(err, store.ErrConflict) { // its slot's latest file may not list it
			x.Fatal(err)
		}
		step(x)
	}
}

// randomMark marks a violation, and then records what the files of its slots show.
func randomMark(x *loop, r *rand.Rand, v ledger.Violation, status ledger.Status, step func(*loop)) {
	marked := must(x.MarkViolations(x.Context(), x.run.ID, []string{v.ID}, nil, ledger.Mark{
		Status: status, Result: "so: " + hostile[r.IntN(len(hostile))], Actor: ledger.ActorHuman,
	}))(x.T)
	step(x)
	for _, ref := range marked.Listed {
		x.ok(x.NoteExported(x.Context(), x.run.ID, must(x.Current(x.Context(), x.run.ID, ref))(x.T)))
		step(x)
	}
}

// A ledger that is dumped and imported is the same ledger: its dump is byte-identical, and no row
// contradicts another.
func TestDumpRoundTrip(t *testing.T) {
	t.Parallel()
	violations := 0
	for seed := range *seeds * 7 {
		x := randomLedger(t, rand.New(rand.NewPCG(seed, 1)))
		want := dump(t, x.Store)
		violations += strings.Count(want, `"record":"violation"`)
		copied := emptyLedger(t)
		if _, err := load(t, copied, want); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, want)
		}
		if d := cmp.Diff(want, dump(t, copied)); d != "" {
			t.Fatalf("seed %d (-dumped +imported):\n%s", seed, d)
		}
		before, after := must(x.Problems(t.Context()))(t), must(copied.Problems(t.Context()))(t)
		if d := cmp.Diff(before, after); d != "" {
			t.Errorf("seed %d: problems (-dumped +imported):\n%s", seed, d)
		}
	}
	if violations < 14 {
		t.Errorf("only %d violations were dumped: the test is too weak", violations)
	}
}

// An import adds the missing runs, leaves the others as they are, and does nothing the second time.
func TestLoadIntoAFilledLedger(t *testing.T) {
	t.Parallel()
	theirs := randomLedger(t, rand.New(rand.NewPCG(3, 1)))
	_ = theirs.CloseRun(t.Context(), theirs.run.ID, ledger.StatusAbandoned)
	ours := newLoop(t)
	r := ours.begin(1)
	r.says(1, entry(at("own.go", 1), "is ours", ledger.High))
	r.end()
	before, text := dump(t, ours.Store), dump(t, theirs.Store)
	runs := strings.Count(text, `"record":"run"`)
	got := must(load(t, ours.Store, text))(t)
	if d := cmp.Diff(store.Loaded{Added: runs}, got); d != "" {
		t.Errorf("first (-want +got):\n%s", d)
	}
	merged := dump(t, ours.Store)
	for _, want := range []string{before, text} {
		for line := range strings.Lines(want) {
			ofDatabase := strings.Contains(line, `"record":"header"`) || strings.Contains(line, `"record":"meta"`) || strings.Contains(line, `"record":"end"`)
			if !ofDatabase && !strings.Contains(merged, line) {
				t.Errorf("the merged ledger lacks %s", line)
			}
		}
	}
	if line, _, _ := strings.Cut(before, "\n"); !strings.HasPrefix(merged, line) {
		t.Errorf("the ledger is no longer itself: %.100s", merged)
	}
	got = must(load(t, ours.Store, text))(t)
	if d := cmp.Diff(store.Loaded{Known: runs}, got); d != "" {
		t.Errorf("again (-want +got):\n%s", d)
	}
	if d := cmp.Diff(merged, dump(t, ours.Store)); d != "" {
		t.Errorf("importing again changed the ledger:\n%s", d)
	}
	ours.ok(ours.CloseRun(t.Context(), ours.run.ID, ledger.StatusAbandoned))
	got = must(load(t, ours.Store, before))(t)
	if d := cmp.Diff(store.Loaded{Known: 1}, got); d != "" {
		t.Errorf("an older state (-want +got):\n%s", d)
	}
}

// A dump that is incomplete or breaks the rules is refused, with the number of the line, and
// nothing of it stays.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(1)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	good := dump(t, x.Store)
	last := good[strings.LastIndex(strings.TrimSuffix(good, "\n"), "\n")+1:]
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the dump has no %s:\n%s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	tests := []struct{ name, text, want string }{
		{"nothing", "", "cut short"},
		{"cut short", strings.TrimSuffix(good, last), "cut short"},
		{"no JSON", replace(`{"record":"job"`, `{"record:"job"`), "line 4: not a record of a dump"},
		{"no dump", "[1, 2]\n", "line 1: not a record of a dump"},
		{"another format", replace(`"format":1`, `"format":2,"more":0`), "format 2, and this program reads format 1: import it with the reviewledger that wrote it"},
		{"newer schema", replace(`"schema":`, `"schema":9`), "update reviewledger"},
		{"no header", good[strings.Index(good, "\n")+1:], "line 1: a dump begins with one record header"},
		{"two headers", good[:strings.Index(good, "\n")+1] + good, "line 2: a dump begins with one record header"},
		{"more after it", good + last, "nothing may follow"},
		{"unknown record", replace(`"record":"event"`, `"record":"evening"`), `unknown record "evening"`},
		{"unknown key", replace(`"short_id"`, `"shorty":1,"short_id"`), `unknown key "shorty"`},
		{"missing key", replace(`"actor":"reviewer",`, ``), "it has no actor"},
		{"null", replace(`"actor":"reviewer"`, `"actor":null`), "line 13: record event: constraint failed: NOT NULL constraint failed: events.actor"},
		{"a violation without a report", replace(`"report_position":1,`, `"report_position":null,`), "does not have a report"},
		{"a text for a number", replace(`"line_start":1`, `"line_start":"one"`), "line 12: record report: constraint failed: cannot store TEXT value in INTEGER column reports.line_start"},
		{"not a time", replace(`"at":"2026`, `"at":"x2026`), "line 13: record event: constraint failed: CHECK constraint failed: at IS strftime"},
		{"a list", replace(`"line_start":1`, `"line_start":[1]`), `record report: key "line_start": it must be a string, a number or null`},
		{"a line less", replace(good[strings.Index(good, `{"record":"slot_entry"`):strings.Index(good, `{"record":"slot_blob"`)], ""), "records before it, not"},
		{"changed blob", replace(`"record":"blob","row":{"sha256":"`, `"record":"blob","row":{"sha256":"0000`), "SHA-256"},
		{"forbidden change", replace(`"event":2,"iteration":1,"status":"fixed"`, `"event":2,"iteration":1,"status":"verified"`), "may not change the status so"},
		{"another status", replace(`"status":"fixed","answered`, `"status":"verified","answered`), "do not lead to"},
		{"another run's row", replace(`{"record":"iteration","row":{"run":"0`, `{"record":"iteration","row":{"run":"1`), "is among the records of run"},
		{"an iteration that is not there", replace(`"event":2,"iteration":1`, `"event":2,"iteration":9`), "record event: it refers to iteration 9, which is not before it"},
		{"a slot that is not there", replace(`"slot":1,"position":1,"violation":"`, `"slot":3,"position":1,"violation":"`), `record report: it refers to slot 3 of job "review:src:code-quality" in iteration 1, which is not`},
		{"a job that is not there", replace(`"job":"review:src:code-quality","report_iteration"`, `"job":"review:src:x","report_iteration"`), `record violation: it refers to job "review:src:x", which`},
		{"a report that is not there", replace(`"report_position":1,"status"`, `"report_position":7,"status"`), "record slot_entry: it refers to the report at position 7"},
		{"another violation", replace(`","event":2`, `X","event":2`), "the run has no violation"},
	}
	for _, test := range tests {
		l := emptyLedger(t)
		before := dump(t, l)
		_, err := load(t, l, test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "nothing was imported") {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if d := cmp.Diff(before, dump(t, l)); d != "" {
			t.Errorf("%s: it stays (-before +after):\n%s", test.name, d)
		}
	}
}

// A generated ledger with far more violations than one run has survives a dump and an import.
func TestDumpOfAGeneratedLedger(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 42, Iterations: 2, Violations: 8}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	copied, want := emptyLedger(t), dump(t, openLedger(t, path))
	if _, err := load(t, copied, want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, dump(t, copied)); d != "" {
		t.Errorf("(-dumped +imported):\n%s", d)
	}
}

// Whatever a file contains, reading it ends with an error or a ledger.
func FuzzLoad(f *testing.F) {
	f.Add(`{"record":"header","row":{"format":1,"database":"","schema":1}}` + "\n" + `{"record":"end","row":{"rows":1}}`)
	f.Add(`{"record":"job","base64":["name"],"row":{"name":"/w=="}}`)
	f.Add(`{"record":"blob","row":null}`)
	l, err := store.Open(f.Context(), filepath.Join(f.TempDir(), "ledger.db"), store.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = l.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = load(t, l, `{"record":"header","row":{"format":1,"database":"","schema":1}}`+"\n"+text)
	})
}
