package ledger_test

import (
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// listed returns a violation as lists have it. Its id is also its short id.
func listed(id string, status ledger.Status, place ledger.Place) ledger.ListedViolation {
	v := violation(id, quality, 1, status)
	v.ShortID, v.Place, v.Issue = id, place, "issue "+id
	return ledger.ListedViolation{Violation: v, Run: "R", RunStatus: ledger.StatusFailed, RunOpen: true}
}

// A number in a list is not an id: a mark must name enough of an id not to be a slip.
//
// Rule: A mark is not a fix.
func TestMarkNamesEnough(t *testing.T) {
	t.Parallel()
	skip, join := ledger.Mark{Status: ledger.StatusSkipped}, ledger.Mark{Status: ledger.StatusDuplicate, Result: "zz"}
	for name, test := range map[string]struct {
		request ledger.MarkRequest
		short   string
	}{
		"a number":           {ledger.MarkRequest{Mark: skip, IDs: []string{"0"}}, "0"},
		"three characters":   {ledger.MarkRequest{Mark: skip, IDs: []string{"abcd", "8f3"}}, "8f3"},
		"four characters":    {ledger.MarkRequest{Mark: skip, IDs: []string{"8f3k"}}, ""},
		"a place":            {ledger.MarkRequest{Mark: skip, IDs: []string{"f:8"}}, ""},
		"like another skip":  {ledger.MarkRequest{Mark: skip, IDs: []string{"8f3k"}, Like: "1"}, "1"},
		"joined to another":  {ledger.MarkRequest{Mark: join, IDs: []string{"8f3k"}}, "zz"},
		"a filter, no names": {ledger.MarkRequest{Mark: skip, Filter: &ledger.ViolationFilter{}}, ""},
	} {
		err, want := test.request.CheckIDs(), ""
		if test.short != "" {
			want = `"` + test.short + `" is too short for an ID: give at least 4 characters of it`
		}
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// A mark that was decided on an earlier state of a violation is refused, whatever the mark, of a run
// of gates and of a code review. What the mark itself allows is decided as ever.
//
// Rule: A mark is not a fix.
func TestMarkOfWhatHasChanged(t *testing.T) {
	t.Parallel()
	seen := listed("a", ledger.StatusNew, at("a.go", 7))
	seen.Last, seen.StatusAt = 1, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	const changed = "violation a has changed since you saw it, and is "
	const again = " now: look at it again before you mark it"
	for name, test := range map[string]struct {
		change func(*ledger.ListedViolation)
		want   string
	}{
		"unchanged":        {func(*ledger.ListedViolation) {}, ""},
		"in another zone":  {func(v *ledger.ListedViolation) { v.StatusAt = v.StatusAt.In(time.FixedZone("", 3600)) }, ""},
		"marked":           {func(v *ledger.ListedViolation) { v.Status = ledger.StatusSkipped }, changed + "skipped" + again},
		"marked, and back": {func(v *ledger.ListedViolation) { v.StatusAt = v.StatusAt.Add(time.Millisecond) }, changed + "new" + again},
		"reported again":   {func(v *ledger.ListedViolation) { v.Last = 2 }, changed + "new" + again},
		"verified":         {func(v *ledger.ListedViolation) { v.Status = ledger.StatusVerified }, changed + "verified" + again},
		"abandoned":        {func(v *ledger.ListedViolation) { v.RunOpen, v.RunStatus = false, ledger.StatusAbandoned; v.Last = 2 }, changed + "abandoned" + again},
	} {
		now := seen
		test.change(&now)
		request := ledger.MarkRequest{Version: seen.Version(), Mark: ledger.Mark{Status: ledger.StatusFixed, Actor: ledger.ActorHuman}}
		for kind, check := range map[string]func([]ledger.ListedViolation) error{"gates": request.Check, "code review": request.CheckFindings} {
			got := ""
			if err := check([]ledger.ListedViolation{now}); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%s, of a %s: %q, want %q", name, kind, got, test.want)
			}
		}
		request.Version = ""
		if got, want := request.Check([]ledger.ListedViolation{now}), request.Mark.Check([]ledger.ListedViolation{now}); (got == nil) != (want == nil) {
			t.Errorf("%s, without a version: %v, and the mark says %v", name, got, want)
		}
	}
}

// A mark that repeats what a violation already has writes nothing. With another explanation it is
// another mark.
func TestMarkRepeats(t *testing.T) {
	t.Parallel()
	const said, why = "done so", "style"
	for _, test := range []struct {
		mark, is       ledger.Status
		result, reason string
		want           bool
	}{
		{ledger.StatusNew, ledger.StatusNew, "", "", true},
		{ledger.StatusNew, ledger.StatusReopened, "other", "", true},
		{ledger.StatusNew, ledger.StatusDisputed, "", "", false},
		{ledger.StatusNew, ledger.StatusSkipped, said, why, false},
		{ledger.StatusSkipped, ledger.StatusSkipped, "", "", true},
		{ledger.StatusSkipped, ledger.StatusSkipped, said, why, true},
		{ledger.StatusSkipped, ledger.StatusSkipped, said, "", true},
		{ledger.StatusSkipped, ledger.StatusSkipped, "", why, true},
		{ledger.StatusSkipped, ledger.StatusSkipped, "other", "", false},
		{ledger.StatusSkipped, ledger.StatusSkipped, said, "false_positive", false},
		{ledger.StatusFixed, ledger.StatusSkipped, "", "", false},
		{ledger.StatusFixed, ledger.StatusSkipped, said, why, false},
		{ledger.StatusSkipped, ledger.StatusNew, "", "", false},
	} {
		v := listed("a", test.is, at("a.go", 7))
		v.Result, v.Reason = said, why
		mark := ledger.Mark{Status: test.mark, Result: test.result, Reason: ledger.SkipReason(test.reason)}
		if got := mark.Repeats(v); got != test.want {
			t.Errorf("%+v repeats %s: %t", mark, test.is, got)
		}
	}
}

// A second mark with the same status keeps the explanation if it has none of its own.
//
// Rule: A mark is not a fix.
func TestMarkOver(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ mark, is, result, reason, want string }{
		{"skipped", "skipped", "", "", "said style"},
		{"skipped", "skipped", " ", "false_positive", "said false_positive"},
		{"skipped", "skipped", "other", "", "other style"},
		{"fixed", "skipped", "", "", " "},
		{"new", "skipped", "", "", " "},
	} {
		v := listed("a", ledger.Status(test.is), at("a.go", 7))
		v.Result, v.Reason = "said", "style"
		got := ledger.Mark{Status: ledger.Status(test.mark), Result: test.result, Reason: ledger.SkipReason(test.reason)}.Over(v)
		if is := got.Result + " " + string(got.Reason); is != test.want {
			t.Errorf("%+v: %q", test, is)
		}
	}
}

// Only violations of an open run with a status that the actor may change can be marked. Each of the
// others has a line in the error, and if there is one, nothing is marked.
func TestMarkRefuses(t *testing.T) {
	t.Parallel()
	closed, abandoned := listed("c", ledger.StatusNew, at("a.go", 7)), listed("d", ledger.StatusReopened, at("a.go", 7))
	closed.RunOpen, closed.RunStatus = false, ledger.StatusPassed
	abandoned.RunOpen, abandoned.RunStatus = false, ledger.StatusAbandoned
	skipped := listed("e", ledger.StatusSkipped, at("a.go", 7))
	verified := listed("f", ledger.StatusVerified, at("a.go", 7))
	open, duplicate := listed("g", ledger.StatusNew, at("a.go", 7)), listed("h", ledger.StatusDuplicate, at("a.go", 7))
	duplicate.DuplicateOf = "g" // which is marked in its place
	disputed := listed("i", ledger.StatusDisputed, at("a.go", 7))
	isDisputed := "violation i is disputed already, and its reporter has not answered yet: to dispute it in other words, mark it new first"
	again := "; if reviewers still see it, the next `reviewledger run` reports it with a new ID"
	ofClosed := "violation c belongs to run R, which is closed (passed): only violations of an open run can be marked" + again
	ofAbandoned := "violation d belongs to run R, which was abandoned: nothing waits for it" + again
	isVerified := "violation f is verified: a reviewer confirmed the fix, so it cannot be marked"
	wordless := "violation g cannot be skipped without words: say why with --result or --reason"
	for name, test := range map[string]struct {
		mark           ledger.Status
		actor          ledger.Actor
		found          []ledger.ListedViolation
		gates, verdict string
	}{
		"nothing":        {ledger.StatusFixed, ledger.ActorAgent, nil, "", ""},
		"open":           {ledger.StatusFixed, ledger.ActorAgent, []ledger.ListedViolation{open, skipped}, "", ""},
		"of other runs":  {ledger.StatusFixed, ledger.ActorAgent, []ledger.ListedViolation{open, closed, abandoned}, ofClosed + "\n" + ofAbandoned, ""},
		"abandoned":      {ledger.StatusSkipped, ledger.ActorAgent, []ledger.ListedViolation{abandoned}, "violation d cannot be skipped without words: say why with --result or --reason", ""},
		"verified":       {ledger.StatusSkipped, ledger.ActorHuman, []ledger.ListedViolation{verified, open}, isVerified + "\n" + wordless, isVerified},
		"no words":       {ledger.StatusSkipped, ledger.ActorAgent, []ledger.ListedViolation{open, skipped}, wordless, ""},
		"open already":   {ledger.StatusNew, ledger.ActorAgent, []ledger.ListedViolation{skipped, open}, "violation g is already open (new): mark it fixed or skipped", "violation g is already open (new): mark it fixed or skipped"},
		"by a reviewer":  {ledger.StatusSkipped, ledger.ActorReviewer, []ledger.ListedViolation{open}, "violation g is new, and the reviewer cannot mark it skipped", "violation g is new, and the reviewer cannot mark it skipped"},
		"another status": {ledger.StatusDuplicate, ledger.ActorHuman, []ledger.ListedViolation{skipped, verified}, "violation e is skipped: mark it new first, then duplicate\n" + isVerified, "violation e is skipped: mark it new first, then duplicate\n" + isVerified},
		"opened again":   {ledger.StatusNew, ledger.ActorHuman, []ledger.ListedViolation{skipped}, "", ""},
		"a duplicate":    {ledger.StatusFixed, ledger.ActorAgent, []ledger.ListedViolation{duplicate}, "", ""},
		"disputed":       {ledger.StatusFixed, ledger.ActorAgent, []ledger.ListedViolation{disputed}, "", ""},
		"disputed again": {ledger.StatusDisputed, ledger.ActorAgent, []ledger.ListedViolation{disputed}, isDisputed, isDisputed},
		"no dispute":     {ledger.StatusNew, ledger.ActorAgent, []ledger.ListedViolation{disputed}, "", ""},
		"closed, opened": {ledger.StatusNew, ledger.ActorAgent, []ledger.ListedViolation{closed}, ofClosed, "violation c is already open (new): mark it fixed or skipped"},
	} {
		mark := ledger.Mark{Status: test.mark, Actor: test.actor}
		for kind, check := range map[string]struct {
			err  error
			want string
		}{"gates": {mark.Check(test.found), test.gates}, "verdict": {mark.CheckFindings(test.found), test.verdict}} {
			if got := check.err; (got == nil) != (check.want == "") || got != nil && got.Error() != check.want {
				t.Errorf("%s, %s: %v\nwant %s", name, kind, got, check.want)
			}
		}
	}
}

// A skip takes from another skip only what it does not have itself.
func TestMarkLikewise(t *testing.T) {
	t.Parallel()
	other := listed("a", ledger.StatusSkipped, at("a.go", 7))
	other.Result, other.Reason = "as agreed", "style"
	for _, test := range []struct{ result, reason, wantResult, wantReason string }{
		{"", "", "as agreed", "style"}, {"own", "", "own", "style"}, {"", "own", "as agreed", "own"}, {"own", "own", "own", "own"},
	} {
		got, err := ledger.Mark{Status: ledger.StatusSkipped, Result: test.result, Reason: ledger.SkipReason(test.reason)}.Likewise(other)
		if err != nil || got.Result != test.wantResult || string(got.Reason) != test.wantReason || got.Status != ledger.StatusSkipped {
			t.Errorf("%+v: %+v, %v", test, got, err)
		}
	}
	other.Status = ledger.StatusFixed
	if _, err := (ledger.Mark{}).Likewise(other); err == nil || err.Error() != "violation a is fixed: --like takes the reason and result of one that is skipped" {
		t.Error(err)
	}
}
