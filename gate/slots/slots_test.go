package slots

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// namedReviewer is a reviewer with only a name.
type namedReviewer struct {
	clients.Reviewer
	name string
}

func (r namedReviewer) ByAbsence() bool { return r.name == "b" }

func jobOf(distinct bool, preference string) *Job {
	job := &Job{ID: "review:src:quality"}
	job.Review = &config.Review{CLIPreference: strings.Fields(preference), DistinctAdapters: distinct}
	return job
}

// Rule: Slots are filled round-robin.
func TestFill(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 3, 2, 14, 30, 0, 0, time.Local)
	limit := "cool (at its limit, not asked until " + until.Format("Jan 2 15:04 MST") + ", or until `reviewledger doctor --reset cool`)"
	for name, test := range map[string]struct {
		job                   *Job
		slots, broken, shared string
	}{
		"each its own":             {jobOf(true, "a b c"), "a=a b=b c=c", "", ""},
		"more adapters than slots": {jobOf(true, "a b c d"), "a=a b=b c=c", "", ""},
		"the others take turns":    {jobOf(false, "gone a b"), "a=a b=b a=a", "", "review:src:quality: missing: gone (not on PATH); a fills 2 of 3 slots"},
		"fewer by choice":          {jobOf(false, "a b"), "a=a b=b a=a", "", ""},
		"one for all":              {jobOf(false, "cool a gone"), "a=a a=a a=a", "", "review:src:quality: missing: " + limit + ", gone (not on PATH); a fills 3 of 3 slots"},
		"as many as slots":         {jobOf(true, "a gone b c"), "a=a b=b c=c", "", ""},
		"nobody":                   {jobOf(false, "gone cool"), "gone= gone= gone=", "no healthy adapters: gone (not on PATH), " + limit, ""},
		"a path":                   {jobOf(false, "lost"), "lost= lost= lost=", `no healthy adapters: lost ("./lost.sh" does not exist)`, ""},
		"too few": {jobOf(true, "a b gone"), "a= b= a=",
			"3 slots need as many different adapters (require_distinct_adapters), and only a, b can be asked: gone (not on PATH)", ""},
		"too few by choice": {jobOf(true, "a"), "a= a= a=", "3 slots need as many different adapters (require_distinct_adapters), and only a can be asked", ""},
	} {
		looked := map[string]int{}
		health := Adapters{
			Reviewer: func(adapter string) (clients.Reviewer, error) { return namedReviewer{name: adapter}, nil },
			Missing: func(adapter string) (program, why string) {
				switch looked[adapter]++; adapter {
				case "gone":
					return "gone", "is not on PATH"
				case "lost":
					return "./lost.sh", "does not exist"
				}
				return adapter, ""
			},
		}.Health(map[string]time.Time{"cool": until})
		for range 2 { // the result counts for the next job, too
			if err := health.Fill(test.job, 3); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		var got []string
		for n, slot := range test.job.Slots {
			who, filler := "", ledger.Filler{}
			if slot.Reviewer != nil {
				who = slot.Reviewer.(namedReviewer).name
				filler = ledger.Filler{Adapter: who, ByAbsence: who == "b"}
			}
			if slot.Index != n+1 || test.job.Fillers[n] != filler {
				t.Errorf("%s: slot %d has index %d and filler %+v", name, n+1, slot.Index, test.job.Fillers[n])
			}
			got = append(got, slot.Adapter+"="+who)
		}
		if strings.Join(got, " ") != test.slots || test.job.Unfillable != test.broken || test.job.Shortage != test.shared {
			t.Errorf("%s: %q, broken %q, shared %q", name, got, test.job.Unfillable, test.job.Shortage)
		}
		for adapter, n := range looked {
			if n != 1 || adapter == "cool" {
				t.Errorf("%s: looked %d times for %s", name, n, adapter)
			}
		}
	}
	broken := errors.New("no such adapter")
	health := Adapters{Reviewer: func(string) (clients.Reviewer, error) { return nil, broken }, Missing: func(string) (program, why string) { return "", "" }}.Health(nil)
	if err := health.Fill(jobOf(false, "a"), 1); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A slot is asked about the claims on violations that it reported, and told everything else that
// the gate knows.
//
// Rule: Only an answer confirms.
// Rule: A mark is not a fix.
func TestShow(t *testing.T) {
	t.Parallel()
	var all []ledger.Violation
	for slot := 1; slot <= 3; slot++ {
		for _, status := range ledger.Statuses() {
			line := len(all) + 1
			all = append(all, ledger.Violation{ID: fmt.Sprintf("%s%d", status, slot), Slot: slot, Status: status, Place: ledger.Place{File: "f", Start: line, End: line}})
		}
	}
	all = append(all, ledger.Violation{ID: "both", Slot: 3, MoreSlots: []int{2}, Status: ledger.StatusFixed, Place: ledger.Place{File: "f", Start: 3, End: 3}})
	changed := &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 1, OldCount: 6, NewStart: 1, NewCount: 6}}}}}
	for _, test := range []struct {
		index, numReviews int
		oneCommit         bool
		claims            string
	}{
		{1, 3, false, "fixed1"}, {2, 3, false, "fixed2 both"}, {3, 3, false, "fixed3 both"},
		{1, 2, false, "fixed1 fixed3 both"}, // its slot no longer exists
		{2, 2, false, "fixed2 both"}, {1, 1, false, "fixed1 fixed2 fixed3 both"},
		{1, 1, true, "fixed1 both"}, // the others are in lines that the commit did not change
	} {
		slot := Slot{SlotPlan: ledger.SlotPlan{Index: test.index}, Diff: changed}
		if err := slot.Show(t.Context(), nil, &ledger.State{Violations: all}, Job{Fillers: make([]ledger.Filler, test.numReviews)}, nil, test.oneCommit, nil); err != nil {
			t.Fatal(err)
		}
		var claims []string
		for _, v := range slot.Claims {
			claims = append(claims, v.ID)
		}
		if got := strings.Join(claims, " "); got != test.claims || len(slot.Known) != len(all)-len(claims)-len(slot.Disputed) {
			t.Errorf("slot %d of %d, one commit %t: %q, and %d known", test.index, test.numReviews, test.oneCommit, got, len(slot.Known))
		}
	}
}

// What a slot is shown has its place in the tree that is reviewed, which also decides whether a
// chosen commit changed it.
func TestShowWhereItIs(t *testing.T) {
	t.Parallel()
	at := func(lines ...int) ledger.Place { return ledger.Place{File: "f", Start: lines[0], End: lines[1]} }
	changed := &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 1, OldCount: 6, NewStart: 1, NewCount: 6}}}}}
	all := []ledger.Violation{
		{ID: "open", Slot: 1, Status: ledger.StatusNew, Place: at(2, 2)}, {ID: "kept", Slot: 1, Status: ledger.StatusReopened, Place: at(3, 4)},
		{ID: "into", Slot: 1, Status: ledger.StatusFixed, Place: at(90, 90)}, {ID: "away", Slot: 1, Status: ledger.StatusFixed, Place: at(2, 2)},
		{ID: "still", Slot: 2, Status: ledger.StatusFixed, Place: at(6, 7)},
	}
	for oneCommit, want := range map[bool][]string{
		true:  {"into 6-6, still 6-7", "open 50-51, kept 3-4, away 91-92"},
		false: {"into 6-6, away 91-92, still 6-7", "open 50-51, kept 3-4"},
	} {
		slot := Slot{SlotPlan: ledger.SlotPlan{Index: 1}, Diff: changed, carried: map[string]ledger.Whereabouts{
			"open": {Here: at(50, 51)}, "into": {Here: at(6, 6)}, "away": {Here: at(91, 92)},
		}}
		slot.sortOut(all, make([]ledger.Filler, 1), nil, oneCommit)
		var got []string
		for _, list := range [][]ledger.Violation{slot.Claims, slot.Known} {
			var places []string
			for _, v := range list {
				places = append(places, fmt.Sprintf("%s %d-%d", v.ID, v.Place.Start, v.Place.End))
			}
			got = append(got, strings.Join(places, ", "))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("one commit %t: claims and known (-want +got):\n%s", oneCommit, d)
		}
	}
}

// What is known is listed with its state: open ones first, then the nearest, at most 30, if their file is
// under review or they are open ones of the gate.
//
// Rule: What is known is listed with its state.
func TestKnown(t *testing.T) {
	t.Parallel()
	at := func(file string, line int) ledger.Place { return ledger.Place{File: file, Start: line, End: line} }
	slot := Slot{SlotPlan: ledger.SlotPlan{Index: 2}, Diff: &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 10, OldCount: 1, NewStart: 10, NewCount: 1}}}}}}
	slot.Claims = []ledger.Violation{{ShortID: "claim", Place: at("g", 20), Also: []ledger.Place{at("f", 90)}}}
	of := func(id string, status ledger.Status, place ledger.Place) ledger.Violation {
		return ledger.Violation{ID: id, ShortID: id, Status: status, Place: place, Issue: id}
	}
	saidGone := of("called gone", ledger.StatusNew, at("f", 9))
	saidGone.Gone = ledger.Gone{By: "a@2", Evidence: "e"}
	slot.Known = []ledger.Violation{
		of("away", ledger.StatusSkipped, at("f", 30)), of("near", ledger.StatusVerified, at("f", 12)), of("claimed", ledger.StatusFixed, at("g", 21)), of("also", ledger.StatusNew, at("f", 90)),
		of("taken up", ledger.StatusReopened, at("h", 9)), of("elsewhere", ledger.StatusVerified, at("h", 10)), of("settled", ledger.StatusVerified, at("f", 10)),
		of("disputed", ledger.StatusDisputed, at("f", 11)), saidGone, of("gone for others", ledger.StatusNew, at("f", 10)), of("file", ledger.StatusWithdrawn, ledger.Place{File: "f"}),
	}
	slot.own = map[string]bool{"also": true, "called gone": true, "away": true}
	slot.settled = map[string]bool{"settled": true, "gone for others": true, "called gone": true}
	slot.carried = map[string]ledger.Whereabouts{"away": {Gone: true}}
	slot.Others = []ledger.Violation{of("other gate", ledger.StatusNew, at("f", 40)), of("other gate, elsewhere", ledger.StatusNew, at("h", 40))}
	known := func() (list []string, more int) {
		all, more := slot.known(numbered(t, 40, nil))
		for _, k := range all {
			text := fmt.Sprintf("%s %s: %s", k.ShortID, k.Place, k.State)
			if k.Gone {
				text += " (gone)"
			}
			if k.Own {
				text += "!"
			}
			list = append(list, text)
		}
		return list, more
	}
	open := []string{"also f:90: open, yours!", "disputed f:11: open, disputed by the author", "called gone f:9: open, yours, and you called it gone!", "other gate f:40: open, another gate's", "taken up h:9: open"}
	if got, more := known(); !slices.Equal(got, append(slices.Clone(open), "file f: withdrawn", "claimed g:21: claimed to be fixed", "near f:12: verified, and its lines have changed since", "away f:30: skipped (gone)")) || more != 0 {
		t.Errorf("%q, %d more", got, more)
	}
	print := ledger.Fingerprint("j", "f", ledger.LineFact{Known: true, Text: "word11"})
	slot.Earlier = []ledger.EarlierViolation{
		{ID: "1", ShortID: "gone", Job: "j", Place: at("f", 10), Fingerprint: "x"}, {ShortID: "small", Job: "j", Place: at("f", 3), Fingerprint: print, Issue: "small"},
		{ID: "2", ShortID: "skipped", Job: "j", Place: at("f", 3), Fingerprint: print, Status: ledger.StatusSkipped, Issue: "s"}, {ID: "3", ShortID: "left", Job: "j", Place: at("f", 3), Fingerprint: print, Status: "abandoned", Issue: "l"},
		{ID: "4", ShortID: "said again", Job: "j", Place: at("f", 3), Fingerprint: print, Status: ledger.StatusSkipped, Issue: "Disputed."},
	}
	if got, _ := known(); !slices.Equal(got, append(slices.Clone(open), "file f: withdrawn", "claimed g:21: claimed to be fixed", "small f:11: left for later", "skipped f:11: skipped in an earlier run", "left f:11: left open in an earlier run", "near f:12: verified, and its lines have changed since", "away f:30: skipped (gone)")) {
		t.Errorf("with earlier runs: %q", got)
	}
	for n := range 40 {
		slot.Known = append(slot.Known, of(fmt.Sprint(n), ledger.StatusSkipped, at("f", 10)))
	}
	if got, more := known(); len(got) != 30 || !slices.Equal(got[:5], open) || slices.Contains(got, "away f:30: skipped (gone)") || more != 22 {
		t.Errorf("of many: %q, %d more", got, more)
	}
}

// Slots are asked in parallel only if the job and the configuration allow that. All slots are
// asked, whatever happens to one.
func TestEach(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ allowed, parallel bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		a := &Asker{Worktree: &worktree.Worktree{Config: &config.Config{}}}
		a.Worktree.Config.AllowParallel = test.allowed
		job := *jobOf(false, "a")
		job.Slots, job.Review.Parallel = make([]Slot, 3), test.parallel
		var mu sync.Mutex
		var met sync.WaitGroup // of all, if they run in parallel
		if test.allowed && test.parallel {
			met.Add(len(job.Slots))
		}
		var asked []int
		failed := errors.New("failed")
		err := a.Each(job, func(n int) error {
			if test.allowed && test.parallel {
				met.Done()
				met.Wait()
			}
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, n)
			if n == 0 {
				return failed
			}
			return nil
		})
		inOrder := slices.Equal(asked, []int{0, 1, 2})
		slices.Sort(asked)
		if !errors.Is(err, failed) || !slices.Equal(asked, []int{0, 1, 2}) || !inOrder && !(test.allowed && test.parallel) {
			t.Errorf("%+v: asked %v, %v", test, asked, err)
		}
	}
}

// Jobs of the lane run one after another, at the same time as the others. No error is lost.
func TestSpread(t *testing.T) {
	t.Parallel()
	var jobs []Job
	for _, id := range []string{"1", "2", "3", "4"} {
		job := Job{ID: id}
		job.Review = &config.Review{Gate: config.Gate{Parallel: id == "2" || id == "4"}}
		jobs = append(jobs, job)
	}
	a := &Asker{Worktree: &worktree.Worktree{Config: &config.Config{AllowParallel: true}}, Progress: quiet{}}
	var met sync.WaitGroup
	met.Add(3) // two jobs, and the lane
	one, lane := errors.New("one"), errors.New("lane")
	var inLane []Job
	err := a.Spread(jobs, func(job Job) error {
		met.Done()
		met.Wait()
		if job.ID == "4" {
			return one
		}
		return nil
	}, func(list []Job) error {
		met.Done()
		met.Wait()
		inLane = list
		return lane
	})
	if len(inLane) != 2 || inLane[0].ID != "1" || inLane[1].ID != "3" || !errors.Is(err, one) || !errors.Is(err, lane) {
		t.Errorf("in the lane %v, %v", inLane, err)
	}
	// Without a lane, what may not run in parallel runs in order, up to the first error.
	a.Worktree.Config.AllowParallel = false
	var ran []string
	err = a.Spread(jobs, func(job Job) error {
		if ran = append(ran, job.ID); job.ID == "3" {
			return one
		}
		return nil
	}, nil)
	if !slices.Equal(ran, []string{"1", "2", "3"}) || !errors.Is(err, one) {
		t.Errorf("ran %q, %v", ran, err)
	}
}

// All calls of a slot are recorded: their cost and their notes.
func TestAddReply(t *testing.T) {
	t.Parallel()
	a := &Answer{}
	tokens := func(n int64) ledger.Usage { return ledger.Usage{OutputTokens: &n} }
	for i, reply := range []clients.Reply{
		{Text: "", Stdout: []byte(""), Notes: []string{"first"}, Before: []string{"I look"}},
		{Text: "one", Stdout: []byte("envelope"), Stderr: []byte("e1;"), Elsewhere: 1, Usage: tokens(3), Duration: time.Second},
		{Stdout: []byte("bare \xff"), Waited: 1500 * time.Millisecond, Stderr: []byte("e2;"), Elsewhere: 2, Notes: []string{"last"}, Usage: tokens(4), Duration: time.Minute},
	} {
		a.Call.Calls++
		a.addReply(reply, 1+i/2, i == 1)
	}
	seven := int64(7)
	want := ledger.SlotCall{Stderr: []byte("e1;e2;"), Calls: 3, Elsewhere: 3, Usage: ledger.Usage{OutputTokens: &seven}, Duration: 61 * time.Second}
	if d := cmp.Diff(want, a.Call); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"A message before the answer: I look", "first", "Waited 1.5s for a rate limit to end", "last"}, a.notes); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
	var calls []string
	for _, c := range a.calls {
		calls = append(calls, fmt.Sprintf("%d of part %d, repair %t: %q in %s", c.Number, c.Part, c.Repair, c.Answer, c.Duration))
	}
	if d := cmp.Diff([]string{`1 of part 1, repair false: "" in 0s`, `2 of part 1, repair true: "one" in 1s`, "3 of part 2, repair false: \"bare \uFFFD\" in 1m0s"}, calls); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
}

// Without an answer a slot is in error, unless the call was interrupted. What was reported
// nevertheless is recorded with the error, except in a code review.
func TestFail(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	found := answer.Form{Violations: []ledger.Entry{{Issue: "i"}}}
	denied := answer.Form{Claims: []ledger.ClaimWord{{Verdict: ledger.ClaimNotFixed}}}
	for name, test := range map[string]struct {
		cause      error
		form       answer.Form
		codeReview bool
		status     ledger.SlotStatus
		reason     string
		kind       ledger.ErrorKind
		cooldown   time.Duration
		given      string
	}{
		"any":            {errors.New("oh"), answer.Form{}, false, ledger.SlotError, "oh", ledger.ErrorBadAnswer, 0, ""},
		"a fixed claim":  {errors.New("oh"), answer.Form{Claims: []ledger.ClaimWord{{Verdict: ledger.ClaimFixed}}}, false, ledger.SlotError, "oh", ledger.ErrorBadAnswer, 0, ""},
		"with a finding": {errors.New("oh"), found, false, "", "", ledger.ErrorBadAnswer, 0, "oh"},
		"with a denial":  {errors.New("oh"), denied, false, "", "", ledger.ErrorBadAnswer, 0, "oh"},
		"code review":    {errors.New("oh"), found, true, ledger.SlotError, "oh", ledger.ErrorBadAnswer, 0, ""},
		"too large":      {&prompt.TooLargeError{File: "f", Size: 9, Limit: 8}, answer.Form{}, false, ledger.SlotError, (&prompt.TooLargeError{File: "f", Size: 9, Limit: 8}).Error(), ledger.ErrorInputLimit, 0, ""},
		"budget":         {fmt.Errorf("asking: %w", &budgetError{"spent"}), answer.Form{}, false, ledger.SlotError, "asking: spent", ledger.ErrorBudget, 0, ""},
		"crashed":        {&clients.CallError{Kind: ledger.ErrorCrashed, What: "exited with code 3"}, answer.Form{}, false, ledger.SlotError, "exited with code 3", ledger.ErrorCrashed, 0, ""},
		"interrupted":    {&clients.CallError{Kind: ledger.ErrorInterrupted, Err: context.Canceled}, found, false, ledger.SlotInterrupted, "interrupted", ledger.ErrorInterrupted, 0, ""},
		"limit":          {&clients.CallError{Kind: ledger.ErrorUsageLimit, Until: now.Add(time.Hour)}, answer.Form{}, false, ledger.SlotError, "usage limit reached", ledger.ErrorUsageLimit, time.Hour + time.Second, ""},
	} {
		a := &Answer{asker: &Asker{Now: func() time.Time { return now }, CodeReview: test.codeReview}}
		a.fail(test.cause, test.form)
		if a.Status != test.status || a.Reason != test.reason || a.Call.ErrorKind != test.kind || a.cooldown != test.cooldown || a.Given.Error != test.given {
			t.Errorf("%s: %s, %q, %s, %s, %q", name, a.Status, a.Reason, a.Call.ErrorKind, a.cooldown, a.Given.Error)
		}
	}
}

// The review's timeout takes precedence over the adapter's.
func TestTimeout(t *testing.T) {
	t.Parallel()
	a := &Answer{asker: &Asker{Worktree: &worktree.Worktree{Config: &config.Config{Adapters: map[string]config.Adapter{"a": {Timeout: time.Hour}}}}}}
	a.Job.Review = &config.Review{}
	for _, test := range []struct {
		adapter         string
		review, timeout time.Duration
	}{{"a", time.Minute, time.Minute}, {"a", 0, time.Hour}, {"b", 0, clients.DefaultTimeout}} {
		a.Slot.Adapter, a.Job.Review.Timeout = test.adapter, test.review
		if got := a.timeout(); got != test.timeout {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// A slot that is skipped has not reviewed anything.
func TestReviewed(t *testing.T) {
	t.Parallel()
	slot := Slot{To: "tree"}
	if slot.reviewed() != "tree" {
		t.Error(slot.reviewed())
	}
	if slot.Skip = true; slot.reviewed() != "" {
		t.Error(slot.reviewed())
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	var slots []ledger.Slot
	for _, status := range []ledger.SlotStatus{ledger.SlotPass, ledger.SlotPass, ledger.SlotFail, ledger.SlotError, ledger.SlotInterrupted, ledger.SlotSkipped} {
		slots = append(slots, ledger.Slot{Status: status})
	}
	if got := Reviews(slots); got != "2 passed, 1 failed, 2 in error, 1 skipped" {
		t.Error(got)
	}
}

// A file is under review under its old and its new name. An entry is recorded with the new name,
// and with the code at its place. A line that does not exist becomes the whole file.
//
// Rule: A report is never filtered for its name.
func TestFacts(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 60, nil)
	renamed := &diff.Diff{Files: []diff.File{{Old: "old", New: "f", Kind: diff.Renamed, Blocks: []diff.Block{{OldStart: 10, OldCount: 1, NewStart: 30, NewCount: 1}}}}}
	a := &Answer{asker: &Asker{Worktree: &worktree.Worktree{Repo: &diff.Repo{Root: lines.root}}}}
	a.Slot.Diff, a.Slot.hunks = renamed, map[string]string{"V": "hunk"}
	a.Slot.carried = map[string]ledger.Whereabouts{"V": {Here: place(3)}}
	a.Slot.renamed = map[string]string{"former": "f"} // between two answers
	entry := func(position int, file string, line int) ledger.Entry {
		return ledger.Entry{Position: position, Place: ledger.Place{File: file, Start: line, End: line}}
	}
	a.Given.Entries = []ledger.Entry{entry(1, "old", 10), entry(2, "f", 30), entry(3, "old", 30), entry(4, "f", 10), entry(5, "f", 0), entry(6, "gone", 7), entry(7, "gone", 8), entry(8, "former", 5), entry(9, "f", 99)}
	a.Given.Entries[6].WholeChange = true
	for _, e := range a.Given.Entries {
		a.given = append(a.given, e.Place)
	}
	since := &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Blocks: []diff.Block{{OldStart: 30, OldCount: 1, NewStart: 30, NewCount: 1}}}}}
	var got []string
	if err := a.findFacts(since); err != nil {
		t.Fatal(err)
	}
	facts := a.Facts
	for i, e := range a.Given.Entries {
		excerpt := a.Content.Excerpts[e.Position]
		got = append(got, fmt.Sprintf("%s:%d %t %t %q %d", e.Place.File, e.Place.Start, facts.Entries[i].InRange, facts.Entries[i].InFixLines, facts.Entries[i].Line.Text, excerpt.First))
	}
	want := []string{
		`f:10 true false "word10" 4`, `f:30 true true "word30" 24`, `f:30 true true "word30" 24`, `f:10 false false "word10" 4`,
		`f:0 true true "" 0`, `gone:7 false false "" 0`, `gone:8 true false "" 0`, `f:5 false false "word5" 1`, `f:0 true true "" 0`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if want := []string{`violation 9 names line 99 of "f", which has no such line; it counts as about the file`}; !slices.Equal(a.notes, want) {
		t.Errorf("notes %q", a.notes)
	}
	if a.Content.Hunks["V"] != "hunk" || facts.Whereabouts["V"].Here != place(3) {
		t.Errorf("%+v, %+v", a.Content, facts)
	}
}

// keptLogs keeps what logs end with, and counts calls until it refuses.
type keptLogs struct {
	Logs
	end     ledger.SlotLogEnd
	calls   int
	refuse  error
	allowed int // calls that are not refused
}

func (*keptLogs) StartSlotLog(ledger.SlotLogHeader) (string, error) { return "", nil }

func (l *keptLogs) EndSlotLog(_ ledger.SlotLogHeader, end ledger.SlotLogEnd) (io.ReadCloser, error) {
	l.end = end
	return io.NopCloser(strings.NewReader("")), nil
}

func (*keptLogs) WriteSlot(ledger.SlotDocument) (string, error) { return "", nil }

// These rows are not recorded in a ledger.
func (l *keptLogs) CountCall(context.Context, string, int) error {
	if l.calls++; l.calls <= l.allowed {
		return nil
	}
	return l.refuse
}

func (*keptLogs) RecordSlotError(context.Context, ledger.SlotCall, ledger.SlotStatus, string) error {
	return nil
}

func (*keptLogs) KeepLog(string, int, io.ReadCloser) error { return nil }

// A log begins with what the slot is shown, and ends with the reason why there is no answer.
func TestLogOfASlot(t *testing.T) {
	t.Parallel()
	asker := &Asker{}
	d := &diff.Diff{Files: []diff.File{{Old: "f", New: "f", Kind: diff.Modified, Text: []byte("12345")}}}
	for _, test := range []struct {
		slot  Slot
		whole bool
		want  []string
	}{
		{Slot{}, false, nil},
		{Slot{Diff: d}, false, []string{"Reviewing 1 changed file, 5 bytes of diff"}},
		{Slot{Diff: d}, true, []string{"Reviewing 1 file, 5 bytes"}},
		{Slot{Claims: make([]ledger.Violation, 2)}, false, []string{"To verify: 2 claims"}},
		{Slot{Diff: &diff.Diff{}, Claims: make([]ledger.Violation, 1)}, true, []string{"Reviewing 0 files, 0 bytes", "To verify: 1 claim"}},
	} {
		asker.WholeFiles = test.whole
		if d := cmp.Diff(test.want, asker.Header(Job{ID: "review:src:quality"}, test.slot).Notes); d != "" {
			t.Errorf("whole files %t (-want +got):\n%s", test.whole, d)
		}
	}
	for stderr, want := range map[string][]string{"": {"waited"}, " \n": {"waited"}, "one\ntwo\n": {"waited", "--- Stderr ---", "one", "two"}} {
		logs := &keptLogs{}
		a := &Answer{asker: &Asker{Logs: logs, Rows: logs, Progress: quiet{}}, Status: ledger.SlotError, Reason: "timed out", notes: []string{"waited"}}
		a.Call.Stderr, a.Call.Raw = []byte(stderr), "raw"
		if err := a.Unanswered(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(ledger.SlotLogEnd{Asked: true, Raw: "raw", Notes: want, Status: ledger.SlotError, Reason: "timed out"}, logs.end); d != "" {
			t.Errorf("%q (-want +got):\n%s", stderr, d)
		}
	}
	logs := &keptLogs{}
	failed := Settled{Status: ledger.SlotFail, Document: ledger.SlotDocument{Violations: make([]ledger.SlotEntry, 2)}}
	if err := (&Answer{asker: &Asker{Logs: logs, Rows: logs, Progress: quiet{}}}).Settle(failed); err != nil || logs.end.Reason != "2 violations" {
		t.Errorf("a failing slot ends with %q, %v", logs.end.Reason, err)
	}
}
