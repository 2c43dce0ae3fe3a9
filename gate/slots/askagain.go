package slots

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// formError is the error of an answer that does not have the form.
type formError struct{ misfit *answer.Misfit }

// Error returns what does not fit.
//
// Rule: What is not an answer is an error.
func (e *formError) Error() string { return "JSON parsing failed: " + e.misfit.Error() }

// askPart puts one prompt to the slot's reviewer, and once more if the answer does not have the
// form, or is a plain one where words are asked for. If the reviewer cannot be asked again, a plain
// answer is decided as it is. The form returned with an error is what could be read of the answer.
//
// Rule: What is not an answer is an error.
// Rule: Only an answer confirms.
func (a *Answer) askPart(ctx context.Context, p prompt.Prompt, part int) (answer.Form, error) {
	asked := a.asked(p)
	asked.Last = !a.asksAgain()
	text, err := a.call(ctx, p.Text, part, false, a.timeout())
	if err != nil {
		return answer.Form{}, err
	}
	form, misfit := answer.Read(text, asked)
	if misfit == nil {
		if misfit = form.Silence(asked); misfit == nil || asked.Last || !a.affordsAgain() {
			return form, nil
		}
	}
	a.calls[len(a.calls)-1].Misfit = misfit.Error()
	first := salvage(text, p, asked)
	if asked.Last {
		return first, cmp.Or(a.refusal(first, p), error(&formError{misfit}))
	}
	a.notes = append(a.notes, "Asked once more: "+misfit.Error())
	asked.Last = true
	return a.askAgain(ctx, p, part, text, first, asked, misfit)
}

// affordsAgain reports whether the budget and the slot's timeout leave room for a second call.
func (a *Answer) affordsAgain() bool {
	return a.asker.afford() == nil && a.timeout() > a.calls[len(a.calls)-1].Duration
}

// askAgain asks for the same review in the form. It keeps what only the first answer has.
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
	if again == nil && (first.UsesClaims || first.Incomplete) {
		again = second.Silence(asked)
	}
	if again != nil {
		a.calls[len(a.calls)-1].Misfit = again.Error()
		last := salvage(text, p, asked)
		form, _ := answer.Combine(first, last)
		return form, cmp.Or(a.refusal(last, p), error(&formError{again}))
	}
	return answer.Combine(first, second)
}

// refusal returns the error of a last reply that reports a limit instead of an answer. A text that
// has something of the form is an answer, whatever its client says beside it. Before the last reply
// nothing is taken for a limit: a few words on code that handles limits read the same, and whoever
// has reached one says so again at once.
func (a *Answer) refusal(form answer.Form, p prompt.Prompt) error {
	if form.Status != "" || countsInError(form) {
		return nil
	}
	return clients.Refusal(a.reply, p.Text)
}

// salvage returns what can be read from an answer that does not fit. It removes the prompt's own
// text first, because an answer that repeats the prompt also repeats its example and the data under
// review.
func salvage(text string, p prompt.Prompt, asked answer.Asked) answer.Form {
	return answer.Salvage(strings.ReplaceAll(text, strings.TrimSpace(string(p.Text)), " "), asked)
}

// asksAgain reports whether the reviewer is asked once more if its answer does not have the form.
func (a *Answer) asksAgain() bool {
	return a.Slot.Reviewer.ReadsPrompts() && a.asker.Worktree.Config.Repairs(a.Slot.Adapter)
}

// countsInError reports whether a form has anything that counts although its slot is in error.
func countsInError(form answer.Form) bool {
	denies := func(words []ledger.ClaimWord, verdict ledger.ClaimVerdict) bool {
		for _, word := range words {
			if word.Verdict == verdict {
				return true
			}
		}
		return false
	}
	return len(form.Violations) > 0 || denies(form.Claims, ledger.ClaimNotFixed) || denies(form.Disputes, ledger.DisputeStands)
}
