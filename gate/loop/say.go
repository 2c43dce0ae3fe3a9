package loop

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Sentence returns a sentence about why a gate or slot runs again, or does not count.
func Sentence(o ledger.Owed) string {
	name := o.Job
	if o.Slot > 0 {
		name = fmt.Sprintf("%s@%d", o.Job, o.Slot)
	}
	at := fmt.Sprintf("in iteration %d", o.Iteration)
	switch o.Reason {
	case ledger.TreeChanged:
		return fmt.Sprintf("The working tree has changed since iteration %d", o.Iteration)
	case ledger.BaseChanged:
		if o.Job == "" {
			return fmt.Sprintf("The base has moved since iteration %d", o.Iteration)
		}
		return fmt.Sprintf("%s will run again: it %s", name, staleness(o))
	case ledger.PartChanged, ledger.NotShown, ledger.TreeUnknown, ledger.SkipForgotten:
		return fmt.Sprintf("%s will run again: it %s", name, staleness(o))
	case ledger.NeverRan:
		return name + " will run: it has not run yet"
	case ledger.NeverAnswered:
		return name + " will run: it has not answered yet"
	case ledger.WasInError:
		return fmt.Sprintf("%s will run again: it ended in error %s", name, at)
	case ledger.Interrupted:
		return fmt.Sprintf("%s will run again: it was interrupted %s", name, at)
	case ledger.NotFinished:
		return fmt.Sprintf("%s will run again: it did not finish %s", name, at)
	case ledger.CouldNotStart:
		return fmt.Sprintf("%s will run again: its program could not be started %s", name, at)
	case ledger.ClaimRestated:
		return fmt.Sprintf("%s will run again: it could not tell whether a claim is fixed, which was marked again", name)
	case ledger.ClaimUnanswered:
		return fmt.Sprintf("%s will run again: its last answer had no word on a claim", name)
	case ledger.ClaimOnOther:
		return fmt.Sprintf("%s will run again: it has a claim to answer, and the code has changed since its answer %s", name, at)
	case ledger.DisputeOpen:
		return fmt.Sprintf("%s will run again: it has a dispute to answer", name)
	}
	// Only FailedBefore is left.
	return fmt.Sprintf("%s will run again: it failed %s and the code has changed since", name, at)
}

// staleness returns the reason why a gate is stale, as the end of a sentence about it.
func staleness(o ledger.Owed) string {
	switch o.Reason {
	case ledger.NotShown:
		return "has not seen all changes"
	case ledger.SkipForgotten:
		return fmt.Sprintf("filtered a report in iteration %d because of a forgotten skip", o.Iteration)
	case ledger.BaseChanged:
		return fmt.Sprintf("last ran in iteration %d, before the base moved", o.Iteration)
	case ledger.TreeUnknown:
		return fmt.Sprintf("last ran in iteration %d, on code that was not recorded", o.Iteration)
	}
	return fmt.Sprintf("last ran in iteration %d, before the latest changes", o.Iteration)
}

// notBySkips returns the reason why a run does not pass although everything that was left is
// skipped.
func notBySkips(o ledger.Owed) string {
	why := o.Job + " " + staleness(o)
	if o.Reason == ledger.TreeChanged || o.Job == "" {
		why = Sentence(o)
	}
	return why + ", so skipping alone does not pass the run"
}

// step returns what to do next: the next command, and what to do before it if the command alone
// would not help.
func (o Outcome) step() string {
	s := o.Summary
	switch {
	case o.Status == ledger.StatusRetryLimitExceeded:
		return o.AtLimit
	case o.LackStep != "":
		return o.LackStep
	case o.OnlyGone && o.Next == ledger.CommandRun:
		return ledger.StepGone
	case o.Unexplained:
		return ledger.StepExplain
	case o.Status == "" || o.Next != ledger.CommandRun:
		return o.Next
	case o.Status == ledger.StatusError && !slices.ContainsFunc(s.Open, func(v *ledger.Violation) bool { return v.Status != ledger.StatusDisputed }):
		return "resolve what is in error, then: " + o.Next // perhaps a reviewer that was to verify a claim or answer a dispute
	case len(s.Open) > 0:
		return ledger.StepOpen
	case s.Unverified() && !o.Unasked:
		return ledger.StepExplain
	case len(s.Unresolved) > 0:
		return ledger.StepFix
	}
	return o.Next
}
