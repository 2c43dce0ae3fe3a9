package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Explanation is why something is as it is, in plain sentences, with the rows that show it.
type Explanation struct {
	// Kind is "run", "gate", "slot", "violation" or "report", and Subject its id or address.
	Kind, Subject string
	Sentences     []string
	Rows          []Evidence
	// Report is the latest report of a violation, whose fix and code show what the violation is
	// about. It is nil for other subjects.
	Report *Report
	// Log is the address of the log of a check that failed, or "".
	Log string
	// LookedAt is who looked at the change of a run that passed, or nil.
	LookedAt *LookedAt
}

// Evidence is one row of the ledger, in words.
type Evidence struct {
	Table string // "transition", "iteration", "gate", "slot", "violation", "report" or "event"
	Text  string
	At    time.Time // zero if the row has none
}

// Say adds a sentence.
func (e *Explanation) Say(format string, args ...any) {
	e.Sentences = append(e.Sentences, fmt.Sprintf(format, args...))
}

func (e *Explanation) rest(table, format string, args ...any) {
	e.Rows = append(e.Rows, Evidence{Table: table, Text: fmt.Sprintf(format, args...)})
}

// ExplainRun returns why a run has its status: why it passed, or what keeps it from passing.
func ExplainRun(state *State) Explanation {
	run := state.Run
	e := Explanation{Kind: "run", Subject: run.ID}
	a := Assess(state)
	switch {
	case run.Kind == KindCodeReview:
		e.Say("This code review has no verdict; its status is %s%s.", run.Status, causeOf(state, a))
	case run.Status.Passes():
		e.sayPassed(state, a)
	case run.Status == StatusAbandoned:
		e.sayAbandoned(state.Transitions)
		e.sayOutstanding(a)
	case run.Status == StatusRetryLimitExceeded:
		tree := "" // the working tree is not known here
		if last := state.Iteration(state.LastIteration()); last != nil {
			tree = last.Tree
		}
		e.Say("The run has not passed, and max_retries does not allow another iteration: %s.", StepAtLimit(state, tree))
		e.sayOutstanding(a)
	default:
		e.Say("The run has not passed; its status is %s%s.", run.Status, causeOf(state, a))
		e.sayOutstanding(a)
	}
	for _, t := range state.Transitions {
		e.Rows = append(e.Rows, Evidence{Table: "transition", Text: fmt.Sprintf("%s by the %s (%s)", t.Status, t.By, t.Cause), At: t.At})
	}
	e.RestOnRun(state)
	return e
}

// causeOf returns the first error of a run that is in error, with its cause.
func causeOf(state *State, a Assessment) string {
	erred := a.Erred
	if state.Run.Kind == KindCodeReview {
		erred = nil
		for _, job := range state.Jobs() {
			if g := state.LatestGate(job); g.Status == GateError {
				erred = append(erred, *g)
			}
		}
	}
	if state.Run.Status != StatusError || len(erred) == 0 {
		return ""
	}
	return ": " + erred[0].Job + " is in error" + because(erred[0].cause())
}

// cause returns why a gate has its status: the reason of its first slot in error or, if there is
// none, its own reason, which only counts the slots.
func (g *Gate) cause() string {
	for _, s := range g.Slots {
		if s.Status == SlotError && s.Reason != "" {
			return s.Reason
		}
	}
	return g.Reason
}

// RestOnRun adds the rows of a run: its iterations, the latest execution of each of its gates, and
// its violations.
func (e *Explanation) RestOnRun(state *State) {
	for _, i := range state.Iterations {
		e.Rows = append(e.Rows, Evidence{Table: "iteration", Text: fmt.Sprintf("iteration %d (%s): %s", i.Number, i.Mode, i.Status), At: i.StartedAt})
	}
	for _, job := range state.Jobs() {
		g := state.LatestGate(job)
		e.rest("gate", "%s: %s in iteration %d, its latest execution%s", job, g.Status, g.Iteration, because(g.Reason))
	}
	for _, r := range state.filteredProblems() {
		e.rest("report", "%s %s %s: %s%s", r.ID, r.Place, r.Disposition, firstLine(r.Issue), because(r.Reason))
	}
	for _, v := range state.Violations {
		e.rest("violation", "%s %s %s: %s%s", v.ShortID, v.Place, v.Status, firstLine(v.Issue), because(v.Reason, v.Result))
	}
}

// sayAbandoned says who abandoned a run, and how.
func (e *Explanation) sayAbandoned(transitions []Transition) {
	var last Transition
	for _, t := range transitions {
		if t.Status == StatusAbandoned {
			last = t
		}
	}
	switch last.Cause {
	case CauseClean:
		e.Say("The run was abandoned before it passed: somebody ran `reviewledger clean`.")
	case CauseNewerRun:
		e.Say("The run was abandoned before it passed: another run began in its place.")
	case CauseLogsGone:
		e.Say("The run was abandoned before it passed: its logs were gone when the next run began.")
	default:
		e.Say("The run was abandoned before it passed: by `reviewledger clean`, or because another run began in its place; that was not recorded then.")
	}
}

func (e *Explanation) sayPassed(state *State, a Assessment) {
	last := state.LastIteration()
	reported := "everything that reviewers reported"
	if len(a.Filtered) > 0 {
		reported = "every report that was not filtered"
	}
	became := "confirmed as fixed or skipped"
	if len(a.Withdrawn) > 0 {
		became = "confirmed as fixed, skipped or withdrawn"
	}
	e.Say("The run passed after %s: %s was %s, every check passed in its latest execution, and no review is in error.", Plural(last, "iteration"), reported, became)
	e.LookedAt = state.Passed()
	for _, run := range state.RestsOn() {
		e.Say("It rests on run %s, which passed before: reviewers were shown what changed since.", run)
	}
	e.sayLeft(state.Run.ID, a)
	e.sayWarned(state, a)
	verified, silently := 0, []string(nil)
	for _, v := range state.Violations {
		if v.Status == StatusVerified {
			verified++
		}
		if v.Confirmed == ConfirmedByPass {
			silently = append(silently, v.ShortID)
		}
	}
	if n := problems(a.Withdrawn); n > 0 {
		e.Say("%s disputed, and %s.", choose(n, "One violation was", fmt.Sprintf("%d violations were", n)), choose(n, "its reporter took it back", "their reporters took them back"))
	}
	switch {
	case len(state.Violations) == 0 && len(a.Filtered) == 0:
		e.Say("No reviewer reported a violation.")
	case verified > 0:
		e.Say("%s fixed, and a reviewer confirmed %s.", PluralVerb(verified, "violation", "was", "were"), choose(verified, "it", "each"))
	}
	if n := len(silently); n > 0 {
		e.Say("Without a word on %s confirmed %s.", choose(n, "it, a pass of its reviewer", "them, passes of their reviewers"), strings.Join(silently, ", "))
	}
	if n := problems(a.Skipped); n > 0 {
		e.Say("%s skipped, so it passed with warnings.", PluralVerb(n, "violation", "was", "were"))
	}
	for _, v := range a.Skipped {
		name, decides := v.ShortID, v.decides()
		if v.Status == StatusDuplicate {
			name += ", joined to " + v.Result + ","
		}
		e.Say("%s was skipped, %s: %s%s.", name, v.Place, Sentence(v.Issue), because(decides.Reason, decides.Result))
	}
	if !a.Status.Passes() {
		e.Say("With its present rows it would be %s: something changed after it passed.", a.Status)
	}
}

// sayLeft says what was filtered.
//
// Rule: What is filtered is counted and kept.
func (e *Explanation) sayLeft(run string, a Assessment) {
	if len(a.Filtered) == 0 {
		return
	}
	e.Say("Left for later: %s: `reviewledger violations --discarded --run %s`.", CountFiltered(a.Filtered), run)
	for _, r := range a.Filtered {
		if r.Warns() {
			e.Say("%s was not counted, because it is %s, and is %s, so it passed with warnings: %s, %s.", r.ID, r.Reason, r.Priority, r.Place, Sentence(r.Issue))
		}
	}
}

func (e *Explanation) sayOutstanding(a Assessment) {
	for _, v := range a.Open {
		e.Say("%s is open (%s): %s, %s.", v.ShortID, v.Status, v.Place, Sentence(v.Issue))
	}
	for _, v := range a.Claims {
		e.Say("%s was marked fixed, and no reviewer has confirmed it yet: %s, %s.", v.ShortID, v.Place, Sentence(v.Issue))
	}
	for _, g := range a.Failing {
		e.Say("The check %s failed in iteration %d%s.", g.Job, g.Iteration, because(g.Reason))
	}
	for _, g := range a.Erred {
		e.Say("The latest execution of %s, in iteration %d, is %s%s: it will run again.", g.Job, g.Iteration, g.Status, because(g.cause()))
	}
	if a.Status.Passes() {
		e.Say("Nothing is outstanding: the next `reviewledger run` closes the run.")
	}
}

// ExplainGate returns why a gate has its status in an iteration.
func ExplainGate(state *State, g *Gate) Explanation {
	e := Explanation{Kind: "gate", Subject: fmt.Sprintf("%s/%d/%s", state.Run.ID, g.Iteration, g.Job)}
	what := "review"
	if g.Kind == KindCheck {
		what = "check"
	}
	switch g.Status {
	case GatePassed:
		e.Say("The %s passed%s.", what, because(g.Reason))
	case GateFailed:
		e.Say("The %s failed%s.", what, because(g.Reason))
	case GateError:
		e.Say("The %s is in error%s: it has neither passed nor failed, and will run again.", what, because(g.cause()))
	case GateInterrupted:
		e.Say("The %s was interrupted%s, and will run again.", what, because(g.Reason))
	case GateNotRun:
		e.Say("The %s did not run%s.", what, because(g.Reason))
	case GateRunning:
		e.Say("The %s is running, or its process was killed.", what)
	}
	if g.RestsOn != "" {
		e.Say("It rests on run %s, which passed before: reviewers are shown what changed since.", g.RestsOn)
	}
	if g.Kind == KindCheck && g.Status == GateFailed {
		e.Say("It reported %s.", Plural(max(g.Problems, 1), "problem"))
		e.Log = e.Subject
	}
	for _, s := range g.Slots {
		e.Say("Slot %d (%s): %s%s.", s.Index, s.Adapter, s.Status, because(s.Reason))
	}
	for _, other := range state.Gates {
		if other.Job == g.Job {
			e.Rows = append(e.Rows, Evidence{
				Table: "gate", At: other.StartedAt,
				Text: fmt.Sprintf("%s in iteration %d: %s%s", other.Job, other.Iteration, other.Status, because(other.Reason)),
			})
		}
	}
	for i := range g.Slots {
		e.restSlot(&g.Slots[i])
	}
	return e
}

// ExplainSlot returns why a slot was skipped or asked, and why its answer resulted in its status.
// The error is [ErrNotFound] if the run has no such slot.
func ExplainSlot(state *State, ref SlotRef, reports []Report) (Explanation, error) {
	e := Explanation{Kind: "slot", Subject: SlotName(state.Run.ID, ref)}
	slot := state.slotAt(ref)
	if slot == nil {
		return e, ErrNotFound
	}
	switch slot.Status {
	case SlotSkipped:
		e.Say("The slot was skipped: it passed in iteration %d, none of its violations is open or claimed, and another slot of its gate runs.", slot.PassIteration)
		e.Say("If every slot could be skipped, slot 1 would run anyway.")
		if passed := state.slotAt(SlotRef{Job: ref.Job, Slot: ref.Slot, Iteration: slot.PassIteration}); passed != nil {
			e.restSlot(passed)
		}
	case SlotPass:
		e.Say("The slot passed: %s answered, and %s.", slot.Adapter, passReason(slot.Counts))
	case SlotFail:
		e.Say("The slot failed: %s.", failReason(slot))
	case SlotError:
		e.Say("The slot is in error%s: without an answer it has neither passed nor failed, and will be asked again.", because(slot.Reason))
	case SlotInterrupted:
		e.Say("The slot was interrupted%s and will be asked again.", because(slot.Reason))
	case SlotRunning:
		e.Say("The slot is running, or its process was killed.")
	}
	if slot.Unseen != "" {
		e.Say("It says that it did not look at everything: %s.", oneSentence(slot.Unseen))
	}
	if slot.Denied != "" {
		e.sayDenied(slot)
	}
	if slot.Latch {
		e.Say("It ran although every slot of its gate had passed: at least one reviewer of a gate always runs.")
	}
	c := slot.Counts
	if c.Verified > 0 {
		e.Say("Its answer verified %s.", Plural(c.Verified, "claim"))
	}
	if c.Reopened > 0 {
		e.Say("Its answer reopened %s.", Plural(c.Reopened, "violation"))
	}
	e.restSlot(slot)
	for _, r := range reports {
		e.restReport(r)
	}
	return e, nil
}

func (s *State) slotAt(ref SlotRef) *Slot {
	for g := range s.Gates {
		for i := range s.Gates[g].Slots {
			if slot := &s.Gates[g].Slots[i]; slot.Job == ref.Job && slot.Index == ref.Slot && slot.Iteration == ref.Iteration {
				return slot
			}
		}
	}
	return nil
}

func passReason(c SlotCounts) string {
	switch {
	case c.Discarded() > 0:
		return fmt.Sprintf("everything that it reported was filtered (%s)", discardedText(c))
	case c.Verified > 0:
		return "it reported nothing new"
	}
	return "it reported nothing"
}

func failReason(slot *Slot) string {
	var parts []string
	c := slot.Counts
	if c.Accepted > 0 {
		part := fmt.Sprintf("%s reported %s", slot.Adapter, Plural(c.Accepted, "violation"))
		if c.New != c.Accepted {
			part += fmt.Sprintf(" (%d of them new)", c.New)
		}
		parts = append(parts, part)
	}
	if c.Carried > 0 {
		parts = append(parts, fmt.Sprintf("%s from before, which nobody addressed, %s still open", Plural(c.Carried, "violation"), choose(c.Carried, "is", "are")))
	}
	if c.Discarded() > 0 || c.Elsewhere > 0 {
		parts = append(parts, "filtered: "+discardedText(c))
	}
	if len(parts) == 0 {
		return "something that its file lists, or that it was asked about, is still open"
	}
	return strings.Join(parts, "; ")
}

func discardedText(c SlotCounts) string {
	var parts []string
	reports := c.Reports()
	for _, d := range Dispositions() {
		if d != Accepted && reports[d] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", reports[d], d))
		}
	}
	if c.Elsewhere > 0 {
		parts = append(parts, fmt.Sprintf("%d in files that the change does not touch", c.Elsewhere))
	}
	return strings.Join(parts, ", ")
}

func (e *Explanation) restSlot(slot *Slot) {
	e.Rows = append(e.Rows, Evidence{
		Table: "slot", At: slot.Ended(),
		Text: fmt.Sprintf("%s@%d in iteration %d: %s by %s%s", slot.Job, slot.Index, slot.Iteration, slot.Status, slot.Adapter, because(slot.Reason)),
	})
}

func (e *Explanation) restReport(r Report) {
	about := ""
	if r.ShortID != "" {
		about = ", violation " + r.ShortID
	}
	e.rest("report", "iteration %d, %s@%d: %s %s: %s, %s%s%s", r.Iteration, r.Adapter, r.Slot, r.Priority, r.Place, firstLine(r.Issue), r.Disposition, because(r.Reason), about)
}

// ExplainViolation returns why a violation has its status: who reported it; who claimed, confirmed
// or contradicted what; and when.
func ExplainViolation(h History) Explanation {
	v := h.Violation
	e := Explanation{Kind: "violation", Subject: v.ShortID}
	e.sayReports(h)
	if n := len(h.Events); n > 0 {
		before := Status("")
		if n > 1 {
			before = h.Events[n-2].Status
		}
		e.sayStatus(h, h.Events[n-1], before)
	}
	if joined := v.JoinedToIt(); joined != "" {
		e.Say("Joined to it: %s. They are one problem: a claim is put to each reporter, and each has to confirm it.", joined)
	}
	if v.SeenBefore != "" {
		e.Say("Its reviewer said that it is %s, which was known before: `reviewledger why %s`.", v.SeenBefore, v.SeenBefore)
	}
	if v.SaidGone() {
		e.Say("%s says that it is gone%s, but nobody has marked it fixed.", v.Gone.By, because(v.Gone.Evidence))
	}
	if v.Status.Open() && v.RunOpen && v.RunStatus != StatusRunning {
		e.Say("The run cannot pass until it is marked fixed and a reviewer confirms it, or it is marked skipped.")
	}
	if v.LeftBehind() && !v.RunOpen {
		e.Say("Its run was abandoned, so nothing depends on it any longer; while its line stands, each pass of the branch names it, until it is marked skipped.")
	}
	again := 0
	for _, r := range h.Reports {
		if r.Disposition == PreviouslySkipped {
			again++
		}
	}
	if again > 0 {
		e.Say("After it was skipped, it was reported again %s in the same words and with no higher priority, which does not fail the gate.", times(again))
	}
	e.saySkip(h.Skip)
	if latest := h.Latest(); latest.Position > 0 {
		e.Report = &latest
	}
	if v.Recurring {
		e.Say("Other runs have a violation on the same line (same fingerprint).")
	}
	if v.InFixLines {
		e.Say("It is in lines that the previous fix changed.")
	}
	for _, event := range h.Events {
		e.Rows = append(e.Rows, Evidence{
			Table: "event", At: event.At,
			Text: fmt.Sprintf("%s by %s, %s%s", event.Status, event.Actor, whenOf(event), because(event.Reason, event.Result)),
		})
	}
	for _, w := range h.Words {
		about := ""
		if w.Of != "" {
			about = " of " + w.Of
		}
		e.rest("word", "iteration %d, %s@%d%s: %s%s", w.Iteration, w.Adapter, w.Slot, about, w.Verdict, because(w.Evidence))
	}
	for _, r := range h.Reports {
		r.ShortID = ""
		e.restReport(r)
	}
	return e
}

// ExplainReport returns why a report was not counted, and what became of it.
//
// Rule: What is filtered is counted and kept.
func ExplainReport(r Report, run Run) Explanation {
	e := Explanation{Kind: "report", Subject: r.ID, Report: &r}
	e.Say("%s reported it in iteration %d, in %s: %s.", r.Adapter, r.Iteration, r.Place, Sentence(r.Issue))
	e.Say("It was not counted (%s): %s.", r.Disposition, r.Reason)
	refused := Mark{Status: StatusNew}.RefuseTakeUp(r, run)
	switch {
	case !r.Disposition.Filtered():
	case refused == "":
		e.Say("Nobody has taken it up; to do so: `reviewledger mark %s new`.", r.ID)
	case r.Warns() && run.Status.Passes():
		e.Say("Nobody took it up before its run ended. It is %s, so the run passed with warnings.", r.Priority)
	default:
		e.Say("Nobody took it up before its run ended.")
	}
	e.Rows = append(e.Rows, Evidence{Table: "report", Text: fmt.Sprintf("%s@%d in iteration %d, %d. of its answer: %s (%s)", r.Job, r.Slot, r.Iteration, r.Position, r.Disposition, r.Reason), At: r.At})
	return e
}

// sayReports quotes the first report and, if it has other words, the latest report, because the
// violation shows the text of the latest.
func (e *Explanation) sayReports(h History) {
	v := h.Violation
	first := Report{Iteration: v.First, Adapter: v.Adapter, Place: v.Place, Issue: v.Issue}
	last := first
	for i, r := range slices.DeleteFunc(slices.Clone(h.Reports), func(r Report) bool { return !r.Counts() }) {
		if i == 0 {
			first = r
		}
		last = r
	}
	e.Say("%s reported it first, in iteration %d, in %s: %s.", first.Adapter, first.Iteration, first.Place, Sentence(first.Issue))
	if last.Place != first.Place || last.Issue != first.Issue {
		e.Say("%s reported it last, in iteration %d, in %s: %s.", last.Adapter, last.Iteration, last.Place, Sentence(last.Issue))
	}
}

// sayStatus says which event set the status, and what the status was before.
func (e *Explanation) sayStatus(h History, last Event, before Status) {
	v := h.Violation
	switch v.Status {
	case StatusNew:
		if last.Actor == ActorReviewer {
			e.Say("It is new: nobody has marked it yet.")
			return
		}
		if last.Reason == ReasonTakenUp {
			e.Say("It is new: it was left out at first, and the %s took it up.", last.Actor)
			return
		}
		e.Say("It is open: the %s removed the mark.", last.Actor)
	case StatusReopened:
		e.sayReopened(last, before, h.SaidBy(last))
	case StatusDuplicate:
		e.Say("The %s joined it to %s: one problem, with one fate. To see how that stands: `reviewledger why %s`.", last.Actor, v.DuplicateOf, v.DuplicateOf)
	case StatusDisputed:
		e.Say("It is open: the %s disputes it%s, and its reviewer has not answered yet.", last.Actor, because(last.Result))
	case StatusWithdrawn:
		e.Say("It is withdrawn: it was disputed%s, and in iteration %d all who reported it took it back%s.", because(v.Result), last.Iteration, because(last.Result))
	case StatusFixed:
		e.Say("The %s marked it fixed%s; no reviewer has confirmed that yet.", last.Actor, because(last.Result))
	case StatusSkipped:
		reason := ""
		if last.Reason != "" {
			reason = " as " + last.Reason
		}
		e.Say("The %s skipped it%s%s. Reviewers are not asked about it.", last.Actor, reason, because(last.Result))
	case StatusVerified:
		if last.Confirmed == ConfirmedByPass {
			e.Say("It is verified: it was marked fixed%s, and in iteration %d its reviewer, which was asked about it, passed without a word on it.", because(v.Result), last.Iteration)
			return
		}
		e.Say("It is verified: it was marked fixed%s, and in iteration %d all who reported it confirmed that%s.", because(v.Result), last.Iteration, because(last.Result))
	}
}

// sayReopened says what reopened the violation, judging by the previous events. by is who
// contradicted a claim, or "".
func (e *Explanation) sayReopened(last Event, before Status, by string) {
	switch before {
	case StatusDisputed:
		e.Say("It is open again: it was disputed, and its reviewer said in iteration %d that it stands%s. A person may still decide otherwise.", last.Iteration, because(last.Result))
	case StatusWithdrawn:
		e.Say("It is open again: it was withdrawn, and a reviewer reported it again in iteration %d.", last.Iteration)
	default:
		e.Say("It is open again: it was marked fixed, and %s said in iteration %d that it is not%s.", cmp.Or(by, "a reviewer"), last.Iteration, because(last.Result))
	}
}

// saySkip says whether the violation's skip is remembered.
func (e *Explanation) saySkip(s *Skip) {
	switch {
	case s == nil:
	case s.Remembered:
		e.Say("Later runs remember the skip: a report of the same gate that says the same of this line, with no higher priority, is left out (so far %s).", times(s.Met))
	case !s.ForgottenAt.IsZero():
		e.Say("The skip was remembered in later runs until the %s ended that.", s.ForgottenBy)
	}
}

// whenOf returns which iteration an event belongs to: a reviewer's event happened in one, and other
// events answer the report of one.
func whenOf(e Event) string {
	if e.Actor == ActorReviewer {
		return fmt.Sprintf("in iteration %d", e.Iteration)
	}
	return fmt.Sprintf("to the report of iteration %d", e.Iteration)
}

// SlotName returns a slot's address on the command line: RUN/ITERATION/JOB@INDEX.
func SlotName(run string, ref SlotRef) string {
	return fmt.Sprintf("%s/%d/%s@%d", run, ref.Iteration, ref.Job, ref.Slot)
}

// Sentence returns the first line of a text without the full stop at its end.
func Sentence(text string) string { return strings.TrimRight(firstLine(text), ".! ") }

// because joins the reasons that are not empty in one pair of parentheses.
func because(reasons ...string) string {
	var given []string
	for _, reason := range reasons {
		if reason != "" {
			given = append(given, Sentence(reason))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return " (" + strings.Join(given, ": ") + ")"
}

// times formats how often something happened, as in "once" and "3 times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return Plural(n, "time")
}
