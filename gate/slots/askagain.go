package slots

import (
	"context"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/prompt"
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

// repairs reports whether an answer that is not the form is asked for once more.
func (a *Answer) repairs() bool {
	return a.Slot.Reviewer.ReadsPrompts() && a.asker.Worktree.Config.Repairs(a.Slot.Adapter)
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
