package slots

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// unfitError says that an answer is not the form.
type unfitError struct{ misfit *answer.Misfit }

// Error names what does not fit.
//
// Rule: What is not an answer is an error.
func (e *unfitError) Error() string { return "JSON parsing failed: " + e.misfit.Error() }

// askPart puts one prompt to the slot's reviewer, and once more where the answer is not
// the form. Beside an error there may be a form: what was said all the same.
//
// Rule: What is not an answer is an error.
func (a *Answer) askPart(ctx context.Context, p prompt.Prompt, part int) (answer.Form, error) {
	asked := a.asked(p)
	asked.Last = !a.repairs()
	text, err := a.call(ctx, p.Text, part, false, a.timeout())
	if err != nil {
		return answer.Form{}, err
	}
	form, misfit := answer.Read(text, asked)
	if misfit == nil {
		return form, nil
	}
	a.calls[len(a.calls)-1].Misfit = misfit.Error()
	if err := a.refused(p.Text); err != nil {
		return answer.Form{}, err
	}
	first := salvage(text, p, asked)
	if asked.Last {
		return first, &unfitError{misfit}
	}
	a.notes = append(a.notes, "Asked once more: "+misfit.Error())
	asked.Last = true
	return a.askAgain(ctx, p, part, text, first, asked, misfit)
}

// askAgain asks for the same review in the form. What the first answer has more stands.
//
// Rule: What is not an answer is an error.
func (a *Answer) askAgain(ctx context.Context, p prompt.Prompt, part int, before string, first answer.Form, asked answer.Asked, misfit *answer.Misfit) (answer.Form, error) {
	if err := a.asker.afford(); err != nil {
		return first, err
	}
	left := a.timeout() - a.calls[len(a.calls)-1].Duration
	text, err := a.call(ctx, prompt.Again(p, before, misfit.Error()), part, true, left)
	if err != nil {
		return first, fmt.Errorf("asked once more for the form (%s): %w", misfit, err)
	}
	second, again := answer.Read(text, asked)
	if again != nil {
		a.calls[len(a.calls)-1].Misfit = again.Error()
		if err := a.refused(p.Text); err != nil {
			return first, err
		}
		form, _ := answer.Combine(first, salvage(text, p, asked))
		return form, &unfitError{again}
	}
	return answer.Combine(first, second)
}

// salvage is what stands of an answer that does not fit. Where it repeats the prompt, that
// part holds the prompt's example, and whatever stands in the data under review.
func salvage(text string, p prompt.Prompt, asked answer.Asked) answer.Form {
	return answer.Salvage(strings.ReplaceAll(text, strings.TrimSpace(string(p.Text)), " "), asked)
}

// call makes one call of the reviewer, and returns its answer.
func (a *Answer) call(ctx context.Context, text []byte, part int, repair bool, left time.Duration) (string, error) {
	if left <= 0 {
		return "", &clients.CallError{Kind: clients.KindTimeout, ExitCode: -1, Timeout: a.timeout()}
	}
	a.Call.Calls++
	if clients.ReadsPrompts(a.Slot.Reviewer) {
		preamble := a.Slot.Reviewer.Preamble(a.asker.Worktree.Repo.Root)
		a.Call.Prompts = append(a.Call.Prompts, append([]byte(preamble), text...))
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
	if errors.As(err, &late) && late.Kind == clients.KindTimeout {
		late.Timeout = a.timeout() // what the configuration says, not what an earlier call left of it
	}
	return reply.Text, err
}

// refused is the error of a client that printed its refusal as if it were an answer, or
// nil.
func (a *Answer) refused(text []byte) error { return clients.Refusal(a.reply, text) }

// asked is what only the prompt knows of the answer to it.
func (a *Answer) asked(p prompt.Prompt) answer.Asked {
	return answer.Asked{
		Claims: p.Claims, Disputes: p.Disputed, Known: p.Known,
		ByAbsence: clients.ByAbsence(a.Slot.Reviewer), CodeReview: a.asker.CodeReview,
	}
}

// repairs reports whether an answer that is not the form is asked for once more.
func (a *Answer) repairs() bool {
	return clients.ReadsPrompts(a.Slot.Reviewer) && a.asker.Worktree.Config.Repairs(a.Slot.Adapter)
}

// timeout is the review's, else the adapter's, else that of package clients. It bounds
// both calls of a part together.
func (a *Answer) timeout() time.Duration {
	switch {
	case a.Job.Review.Timeout > 0:
		return a.Job.Review.Timeout
	case a.asker.Worktree.Config.Adapters[a.Slot.Adapter].Timeout > 0:
		return a.asker.Worktree.Config.Adapters[a.Slot.Adapter].Timeout
	}
	return clients.DefaultTimeout
}

// addReply keeps what one call gave, for the log and the ledger.
func (a *Answer) addReply(reply clients.Reply, part int, repair bool) {
	text := reply.Text
	if text == "" {
		text = string(reply.Stdout)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	a.calls = append(a.calls, ledger.Call{
		Number: a.Call.Calls, Part: part, Repair: repair, Usage: ledger.Usage(reply.Usage), Duration: reply.Duration, Answer: text,
	})
	if reply.Waited > 0 {
		a.notes = append(a.notes, fmt.Sprintf("Waited %s for a rate limit to end", reply.Waited.Round(time.Millisecond)))
	}
	for _, before := range reply.Before {
		a.notes = append(a.notes, "A message before the answer: "+before)
	}
	a.notes, a.remarks = append(a.notes, reply.Notes...), append(a.remarks, reply.Notes...)
	a.Call.Elsewhere += reply.Elsewhere
	a.Call.Stderr = append(a.Call.Stderr, reply.Stderr...)
	a.usage, a.Call.Duration = a.usage.Add(reply.Usage), a.Call.Duration+reply.Duration
	a.Call.Usage = ledger.Usage(a.usage)
}

// standing is what counts of a form although its slot is in error.
func standing(form answer.Form) bool {
	denies := func(words []answer.Word, verdict answer.Verdict) bool {
		for _, word := range words {
			if word.Verdict == verdict {
				return true
			}
		}
		return false
	}
	return len(form.Violations) > 0 || denies(form.Claims, answer.NotFixed) || denies(form.Disputes, answer.Stands)
}

// kindOf is why a slot has no answer.
func kindOf(err error) ledger.ErrorKind {
	var call *clients.CallError
	switch {
	case errors.As(err, new(*budgetError)):
		return ledger.ErrorBudget
	case errors.As(err, new(*prompt.TooLargeError)):
		return ledger.ErrorInputLimit
	case errors.As(err, &call):
		return ledger.ErrorKind(call.Kind)
	}
	return ledger.ErrorBadAnswer
}
