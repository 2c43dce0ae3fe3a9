package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Who may change which status to which: all else is refused.
//
// Rule: Only an answer confirms.
func TestMayChange(t *testing.T) {
	t.Parallel()
	const (
		new, fixed, skipped, verified     = ledger.StatusNew, ledger.StatusFixed, ledger.StatusSkipped, ledger.StatusVerified
		reopened, duplicate, disputed, wd = ledger.StatusReopened, ledger.StatusDuplicate, ledger.StatusDisputed, ledger.StatusWithdrawn
	)
	type statuses = []ledger.Status
	agent := map[ledger.Status]statuses{
		new: {fixed, skipped, duplicate, disputed}, fixed: {new, fixed, skipped, reopened, disputed}, skipped: {new, fixed, skipped, reopened, disputed},
		duplicate: {new, reopened, fixed, duplicate}, disputed: {new, reopened},
	}
	human := map[ledger.Status]statuses{new: {fixed, skipped, duplicate, disputed, wd}}
	for _, to := range (statuses{fixed, skipped, duplicate, disputed}) {
		human[to] = agent[to]
	}
	for actor, may := range map[ledger.Actor]map[ledger.Status]statuses{
		ledger.ActorReviewer: {verified: {fixed}, wd: {disputed}, reopened: {fixed, verified, disputed, wd}},
		ledger.ActorAgent:    agent, ledger.ActorHuman: human, "somebody": {},
	} {
		for _, from := range ledger.Statuses() {
			for _, to := range ledger.Statuses() {
				if got, want := ledger.MayChange(actor, from, to), slices.Contains(may[to], from); got != want {
					t.Errorf("%s, from %s to %s: %t", actor, from, to, got)
				}
				if got := ledger.MayChange(ledger.ActorSystem, from, to); got != (from != to || to == duplicate) {
					t.Errorf("restored from %s to %s: %t", from, to, got)
				}
			}
		}
	}
}

// Each word says for itself what follows from it.
func TestWhatWordsMean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, got, want string
	}{
		{"runs that passed", those(ledger.RunStatuses(), ledger.RunStatus.Passes), "[passed passed_with_warnings]"},
		{"open violations", those(ledger.ShownStatuses(), ledger.Status.Open), "[new reopened disputed]"},
		{"violations that wait for their author", those(ledger.ShownStatuses(), ledger.Status.ForAuthor), "[new reopened]"},
		{"what keeps a run from passing", those(ledger.ShownStatuses(), ledger.Status.Outstanding), "[new fixed reopened disputed]"},
		{"how violations count", fmt.Sprint(mapped(ledger.ShownStatuses(), ledger.Status.Tally)), "[open claimed skipped verified open duplicate open withdrawn abandoned]"},
		{"marks", fmt.Sprint(ledger.MarkStatuses()), "[fixed skipped disputed new duplicate]"},
		{"marks of one violation", ledger.OneOf(ledger.OwnMarks()), "fixed, skipped, disputed or new"},
		{"what follows from another word", fmt.Sprint(ledger.Status("x").Open(), ledger.Status("").ForAuthor()), "false false"},
		{"reports that were left out", those(ledger.Dispositions(), ledger.Disposition.Filtered), "[out_of_diff below_threshold malformed]"},
		{"slots with an answer", those(slotStatuses, ledger.SlotStatus.Answered), "[pass fail]"},
		{"slots without one", those(slotStatuses, ledger.SlotStatus.Unanswered), "[running error interrupted]"},
		{"what agents read", fmt.Sprint(mapped(ledger.Statuses(), ledger.Status.Exported)), "[new fixed skipped fixed new duplicate disputed disputed]"},
		{"verdicts", fmt.Sprint(mapped(ledger.VerdictWords(), ledger.VerdictWord.RunStatus)), "[passed passed_with_warnings failed failed]"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
}

var slotStatuses = []ledger.SlotStatus{ledger.SlotRunning, ledger.SlotPass, ledger.SlotFail, ledger.SlotError, ledger.SlotSkipped, ledger.SlotInterrupted}

func those[W any](words []W, are func(W) bool) string {
	return fmt.Sprint(slices.DeleteFunc(slices.Clone(words), func(w W) bool { return !are(w) }))
}

func mapped[W, V any](words []W, to func(W) V) (list []V) {
	for _, w := range words {
		list = append(list, to(w))
	}
	return list
}

// A priority that is not known counts as high, so that it is not filtered for a typing error.
//
// Rule: A rerun filters what is new and below the threshold.
func TestPriorities(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]ledger.Priority{" High\n": ledger.High, "CRITICAL": ledger.Critical, "info": ledger.Info, "severe": "", "": ""} {
		p, ok := ledger.ParsePriority(text)
		if ok != (want != "") || ok && p != want || !ok && p != ledger.High {
			t.Errorf("%q is %s, %t", text, p, ok)
		}
	}
	meets := map[ledger.Priority]string{
		ledger.Critical: "[critical]", ledger.High: "[critical high severe]", ledger.Medium: "[critical high medium severe]",
		ledger.Low: "[critical high medium low info severe]", ledger.Info: "[critical high medium low info severe]",
	}
	all := append(ledger.Priorities(), "severe")
	for threshold, want := range meets {
		if got := those(all, func(p ledger.Priority) bool { return p.Meets(threshold) }); got != want {
			t.Errorf("%s is met by %s", threshold, got)
		}
	}
	for p, want := range map[ledger.Priority]string{ledger.Critical: "[]", ledger.High: "[critical]", ledger.Info: "[critical high medium low severe]", "severe": "[critical]"} {
		if got := those(all, func(other ledger.Priority) bool { return other.Higher(p) }); got != want {
			t.Errorf("higher than %s: %s", p, got)
		}
	}
}

// What becomes part of a file name has only characters that no file system minds.
func TestSanitize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"review:src:code-quality": "review_src_code-quality",
		"check:./a b/c:1.2_x":     "check_._a_b_c_1.2_x",
		"review:grün:日本":          "review_gr_n___",
		"a@1\x00\n../":            "a_1__.._",
		"bad\xff\xfeutf":          "bad__utf",
		"`az{@AZ[/09:,-.":         "_az__AZ__09__-.",
		"":                        "",
	} {
		if got := ledger.Sanitize(in); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

// A report is one of its violation if it was accepted, or left out and then taken up.
func TestReportsThatCount(t *testing.T) {
	t.Parallel()
	counts := func(violation string) func(ledger.Disposition) bool {
		return func(d ledger.Disposition) bool { return ledger.Report{Violation: violation, Disposition: d}.Counts() }
	}
	if got := those(ledger.Dispositions(), counts("")); got != "[accepted]" {
		t.Errorf("without a violation: %s", got)
	}
	if got := those(ledger.Dispositions(), counts("V")); got != "[accepted out_of_diff below_threshold malformed]" {
		t.Errorf("with one: %s", got)
	}
}
