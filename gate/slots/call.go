package slots

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// call makes one call of the reviewer and returns its text.
func (a *Answer) call(ctx context.Context, text []byte, part int, repair bool, left time.Duration) (string, error) {
	if left <= 0 {
		return "", &clients.CallError{Kind: ledger.ErrorTimeout, Timeout: a.timeout()}
	}
	a.Call.Calls++
	if a.Slot.Reviewer.ReadsPrompts() {
		preamble := a.Slot.Reviewer.Preamble(a.asker.Worktree.Repo.Root)
		a.Call.Prompts = append(a.Call.Prompts, append([]byte(preamble), text...))
		if a.failed = a.countCall(ctx); a.failed != nil {
			return "", a.failed
		}
	}
	reply, err := a.Slot.Reviewer.Review(ctx, clients.Call{
		Dir: a.asker.Worktree.Repo.Root, Prompt: text, Model: a.Job.Review.Model, Timeout: left, Subject: a.subject(),
		Schema:       answer.Schema(answer.SchemaOptions{CodeReview: a.asker.CodeReview, Enforced: true}),
		StrictSchema: answer.Schema(answer.SchemaOptions{CodeReview: a.asker.CodeReview, Strict: true}),
	})
	a.asker.pay(a.Slot.Adapter, reply)
	a.addReply(reply, part, repair)
	a.reply = reply
	var late *clients.CallError
	if errors.As(err, &late) && late.Kind == ledger.ErrorTimeout {
		late.Timeout = a.timeout() // the configured timeout, not what an earlier call left of it
	}
	return reply.Text, err
}

// countCall records that a model is called, before it is: the process may be killed meanwhile.
func (a *Answer) countCall(ctx context.Context) error {
	if a.Slot.Adapter == ledger.BuiltinAdapter {
		return nil
	}
	return a.asker.Rows.CountCall(ctx, a.Job.ID, a.Slot.Index)
}

// asked returns what only the prompt knows about its answer.
func (a *Answer) asked(p prompt.Prompt) answer.Asked {
	return answer.Asked{
		Claims: p.Claims, Disputes: p.Disputed, Known: p.Known,
		ByAbsence: a.Slot.Reviewer.ByAbsence(), Tool: !a.Slot.Reviewer.ReadsPrompts(), CodeReview: a.asker.CodeReview,
		WordsRequired: a.asker.Worktree.Config.RequiresWords(a.Slot.Adapter),
	}
}

// timeout returns the review's timeout, else the adapter's, else the default. It bounds both calls
// of a part together.
func (a *Answer) timeout() time.Duration {
	switch {
	case a.Job.Review.Timeout > 0:
		return a.Job.Review.Timeout
	case a.asker.Worktree.Config.Adapters[a.Slot.Adapter].Timeout > 0:
		return a.asker.Worktree.Config.Adapters[a.Slot.Adapter].Timeout
	}
	return clients.DefaultTimeout
}

// addReply keeps the result of one call, for the log and the ledger.
func (a *Answer) addReply(reply clients.Reply, part int, repair bool) {
	text := reply.Text
	if text == "" {
		text = string(reply.Stdout)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	a.calls = append(a.calls, ledger.Call{
		Number: a.Call.Calls, Part: part, Repair: repair, Usage: reply.Usage, Duration: reply.Duration, Answer: text,
	})
	if reply.Waited > 0 {
		a.notes = append(a.notes, fmt.Sprintf("Waited %s for a rate limit to end", reply.Waited.Round(time.Millisecond)))
	}
	for _, before := range reply.Before {
		a.notes = append(a.notes, "A message before the answer: "+before)
	}
	a.notes, a.remarks = slices.Concat(a.notes, reply.Log, reply.Notes), append(a.remarks, reply.Notes...)
	a.Warnings = append(a.Warnings, reply.Warnings...)
	a.Call.Unseen, a.Call.Denied = withLine(a.Call.Unseen, reply.Unseen), withLine(a.Call.Denied, reply.Denied)
	a.Call.Elsewhere += reply.Elsewhere
	a.suppressed += reply.Suppressed
	a.Call.Stderr = append(a.Call.Stderr, reply.Stderr...)
	a.Call.Usage, a.Call.Duration = a.Call.Usage.Add(reply.Usage), a.Call.Duration+reply.Duration
}

// withLine adds a line to a text.
func withLine(text, line string) string { return strings.Trim(text+"\n"+line, "\n") }

// kindOf returns the kind of the error that left a slot without an answer.
func kindOf(err error) ledger.ErrorKind {
	var call *clients.CallError
	switch {
	case errors.As(err, new(*budgetError)):
		return ledger.ErrorBudget
	case errors.As(err, new(*prompt.TooLargeError)):
		return ledger.ErrorInputLimit
	case errors.As(err, &call):
		return call.Kind
	}
	return ledger.ErrorBadAnswer
}

// budgetError means that no more reviewers may be called.
type budgetError struct{ reason string }

func (e *budgetError) Error() string { return e.reason }

// pay adds the cost of an adapter's call to what has been spent.
func (a *Asker) pay(adapter string, reply clients.Reply) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Spent.Add(adapter, 1, reply.Usage)
	a.Progress.Cost(a.Spent)
}

// afford returns a [budgetError] if the budget is spent.
//
// Rule: Slots are filled round-robin.
func (a *Asker) afford() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if reason := a.Worktree.Config.Budget.Reached(a.Spent); reason != "" {
		return &budgetError{reason}
	}
	return nil
}
