package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// handedIn returns a code review with four findings of two domains, and its verdict.
func handedIn(t *testing.T) (*loop, verdict.Verdict) {
	t.Helper()
	return handIn(t, emptyLedger(t), "a3f8c12b")
}

func handIn(t *testing.T, l *store.Store, reviewID string) (*loop, verdict.Verdict) {
	t.Helper()
	x := &loop{T: t, Store: l}
	var findings []verdict.FindingEntry
	for _, f := range []struct{ domain, file string }{{"api", "a.go"}, {"data", "a.go"}, {"api", "b.go"}, {"data", "b.go"}} {
		findings = append(findings, verdict.FindingEntry{
			Domain: f.domain, Severity: "High", Confidence: 0.9, File: f.file, Title: "Leaks", Recommendation: "Stop",
		})
	}
	x.run = must(x.StartReview(t.Context(), newRun(), verdict.CodeReview{ReviewID: reviewID, Scope: ledger.ScopeFile, Target: "."}))(t)
	r, record := review(t, l, x.run.ID, "file", findings)
	record()
	must(r.Conclude(t.Context(), verdict.Full))(t)
	return x, must(x.Verdict(t.Context(), x.run.ID))(t)
}

// edited records the statuses that the team set in the verdict's file.
func (x *loop) edited(file verdict.Document) (v verdict.Verdict, warnings []string) {
	x.Helper()
	edits, warnings := verdict.Compare(must(x.Verdict(x.Context(), x.run.ID))(x.T), file)
	refused := must(x.RecordEdits(x.Context(), x.run.ID, ledger.ActorAgent, edits, nil))(x.T)
	return must(x.Verdict(x.Context(), x.run.ID))(x.T), append(warnings, refused...)
}

// What a team sets is recorded once, counted as one verdict.
func TestImportVerdict(t *testing.T) {
	t.Parallel()
	x, v := handedIn(t)
	file := v.Document()
	for i, status := range []string{"fixed", "wont_fix", "fixed", "verified"} {
		file.Findings[i].Status = status
	}
	file.Findings[0], file.Findings[1] = file.Findings[1], file.Findings[0] // in any order
	want := []ledger.Status{ledger.StatusFixed, ledger.StatusSkipped, ledger.StatusFixed, ledger.StatusNew}
	for range 2 {
		imported, warnings := x.edited(file)
		if len(warnings) != 1 || !strings.Contains(warnings[0], "a team cannot set the status verified") {
			t.Errorf("warnings %q", warnings)
		}
		for i, f := range imported.Findings {
			if f.Status != want[i] {
				t.Errorf("%s is %s, want %s", f.ID, f.Status, want[i])
			}
		}
	}
	events := column(t, rows(t, x.Path()), "SELECT status || ' ' || actor || ' ' || count(*) FROM events GROUP BY status, actor ORDER BY status")
	if d := cmp.Diff([]string{"fixed agent 2", "new reviewer 4", "skipped agent 1"}, events); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	if run := x.state().Run; run.Open != 1 || run.Skipped != 1 {
		t.Errorf("counts of %+v", run)
	}
	if problems := must(x.Problems(t.Context()))(t); len(problems) > 0 {
		t.Error(problems)
	}
}

// A verdict that is not in the ledger is restored with every status, through the rules of the
// ledger.
func TestRestoreReview(t *testing.T) {
	t.Parallel()
	_, v := handedIn(t)
	file := v.Document()
	want := slices.Clone(ledger.Statuses()[1:5]) // a finding is not disputed, and has no duplicates
	for i, status := range want {
		file.Findings[i].Status = verdict.FindingStatusOf(status)
	}
	x := &loop{T: t, Store: emptyLedger(t)}
	x.run = must(x.RestoreReview(t.Context(), newRun(), file, v.At))(t)
	restored := must(x.Verdict(t.Context(), x.run.ID))(t)
	if d := cmp.Diff(file, restored.Document()); d != "" {
		t.Errorf("restored (-file +ledger):\n%s", d)
	}
	if problems := must(x.Problems(t.Context()))(t); len(problems) > 0 {
		t.Error(problems)
	}
}

// A verification that was killed before its verdict has confirmed a claim, which the file does not
// show. What the team then sets is refused with a warning.
//
// Rule: A file settles no finding.
func TestImportVerdictAfterAKilledVerification(t *testing.T) {
	t.Parallel()
	x, v := handedIn(t)
	file := v.Document()
	file.Findings[0].Status = "fixed"
	v, _ = x.edited(file)
	claim, before := v.Findings[0], x.state()
	job := verdict.FindingsJob(claim.Domain)
	plan := []ledger.GatePlan{{
		Job: job, Kind: ledger.KindReview, EntryPoint: ".", Name: claim.Domain, NumReviews: 1,
		Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "claude", Reviewed: "tree2"}},
	}}
	r := must(x.BeginIteration(t.Context(), x.run.ID, ledger.Iteration{Number: 2, Mode: ledger.ModeRerun, Source: ledger.SourceVerify}, plan))(t)
	must(r.RecordAnswer(t.Context(), store.SlotAnswer{
		SlotCall: ledger.SlotCall{Job: job, Slot: 1, Adapter: "claude"}, Rules: ledger.Rules{Slot: 1, WholeFiles: true, Verify: true, ByAbsence: true},
		Before: before, Fillers: map[string][]ledger.Filler{job: make([]ledger.Filler, 1)}, Asked: map[string]bool{claim.Violation: true},
	}))(t)

	file.Findings[0].Status = "wont_fix"
	imported, warnings := x.edited(file)
	want := []string{"violation " + claim.ShortID + " is verified and cannot be marked skipped"}
	if d := cmp.Diff(want, warnings); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
	if got := imported.Findings[0].Status; got != ledger.StatusVerified {
		t.Errorf("the finding is %s", got)
	}
	if _, again := x.edited(file); len(again) > 0 {
		t.Errorf("read again: %q", again)
	}
}

// If one answer of a verification is in error, only that one is recorded, and nothing is decided.
//
// Rule: The verdict counts what is open.
func TestRecordVerification(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		errors         []string // of the answers of api and data, "" if there is none
		results, slots string
		want           ledger.Status // of the claims
	}{
		"all usable":   {[]string{"", ""}, "pass pass", "pass pass", ledger.StatusVerified},
		"one in error": {[]string{"cut", ""}, "error ", "error running", ledger.StatusFixed},
		"all in error": {[]string{"cut", "cut"}, "error error", "error error", ledger.StatusFixed},
	} {
		x, v := handedIn(t)
		file := v.Document()
		claims := map[string]bool{}
		for i := range file.Findings {
			file.Findings[i].Status = "fixed"
			claims[v.Findings[i].Violation] = true
		}
		x.edited(file)
		before := x.state()
		var plans []ledger.GatePlan
		var answers []store.SlotAnswer
		fillers := map[string][]ledger.Filler{}
		for n, domain := range []string{"api", "data"} {
			job := verdict.FindingsJob(domain)
			fillers[job] = make([]ledger.Filler, 1)
			plans = append(plans, ledger.GatePlan{
				Job: job, Kind: ledger.KindReview, EntryPoint: ".", Name: domain, NumReviews: 1,
				Slots: []ledger.PlannedSlot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "claude", Reviewed: "tree2"}},
			})
			answers = append(answers, store.SlotAnswer{
				SlotCall: ledger.SlotCall{Job: job, Slot: 1, Adapter: "claude"}, Answer: ledger.Answer{Error: test.errors[n]},
				Rules: ledger.Rules{Slot: 1, WholeFiles: true, Verify: true, ByAbsence: true}, Before: before, Fillers: fillers, Asked: claims,
			})
		}
		r := must(x.BeginIteration(t.Context(), x.run.ID, ledger.Iteration{Number: 2, Mode: ledger.ModeRerun, Source: ledger.SourceVerify}, plans))(t)
		results := must(r.RecordVerification(t.Context(), answers))(t)
		if got := string(results[0].Status + " " + results[1].Status); got != test.results {
			t.Errorf("%s: the results are %q, want %q", name, got, test.results)
		}
		state := x.state()
		if got := string(state.LatestGate("review:.:api").Slots[0].Status + " " + state.LatestGate("review:.:data").Slots[0].Status); got != test.slots {
			t.Errorf("%s: the slots are %q, want %q", name, got, test.slots)
		}
		for _, violation := range state.Violations {
			if violation.Status != test.want {
				t.Errorf("%s: a claim is %s, want %s", name, violation.Status, test.want)
			}
		}
	}
}

// A run of gates is shown as a verdict with the time when its last iteration ended, or began if it
// has not ended: full after one iteration, verify after more.
func TestVerdictOfGatesTime(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	check := func(when string, mode verdict.Mode, at func(*ledger.State) time.Time) {
		t.Helper()
		v, state := must(x.Verdict(t.Context(), x.run.ID))(t), x.state()
		if want := at(state); v.Mode != mode || !v.At.Equal(want) || want.IsZero() {
			t.Errorf("%s: a verdict %s of %s, want %s of %s", when, v.Mode, v.At, mode, want)
		}
	}
	last := func(s *ledger.State) ledger.Iteration { return s.Iterations[len(s.Iterations)-1] }
	began := func(s *ledger.State) time.Time { return last(s).StartedAt }
	ended := func(s *ledger.State) time.Time { return last(s).FinishedAt }
	check("before the first iteration", verdict.Full, func(s *ledger.State) time.Time { return s.Run.StartedAt })
	for _, mode := range []verdict.Mode{verdict.Full, verdict.Verify} {
		r := x.begin(1)
		check("in an iteration", mode, began)
		r.says(1, entry(at("a.go", 1), "one", ledger.High), entry(at("a.go", 1), "two", ledger.Critical))
		r.end()
		check("after an iteration", mode, ended)
	}
	v := must(x.Verdict(t.Context(), x.run.ID))(t)
	var got []string
	for _, f := range v.Findings {
		got = append(got, f.ID+" "+f.Title)
	}
	place := verdict.FindingID(v.Findings[0].Domain, "a.go", "1")
	if d := cmp.Diff([]string{place + "-2 two", place + " one"}, got); d != "" {
		t.Errorf("findings of one place (-want +got):\n%s", d)
	}
}

// cycling repeats what it returns after eleven draws.
type cycling struct{ draws int }

func (r *cycling) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.draws % 11)
	}
	r.draws++
	return len(p), nil
}

// A finding never gets the short id of one of an earlier review.
func TestShortIDsOfReviewsAreUnique(t *testing.T) {
	t.Parallel()
	l := must(store.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), store.Options{Now: ticking(), Entropy: &cycling{}}))(t)
	defer l.Close()
	seen := map[string]bool{}
	for _, id := range []string{"a3f8c12b", "b3f8c12b"} {
		_, v := handIn(t, l, id)
		for _, f := range v.Findings {
			if f.ShortID == "" || seen[f.ShortID] {
				t.Errorf("finding %s of review %s has the short id %q", f.ID, id, f.ShortID)
			}
			seen[f.ShortID] = true
		}
	}
}
