package ledger

import "fmt"

// WordSaid is what a slot of a job said about a violation, by ULID, in an iteration.
type WordSaid struct {
	Violation, Job  string
	Slot, Iteration int
	Verdict         ClaimVerdict
}

// PutAgain returns why the claim is put to the slot a second time, as a phrase, or "" if the slot has said
// nothing about it before. said are the words on all violations that report the problem, in order, and
// changed reports whether the claim's lines have changed since an iteration.
//
// Rule: Only an answer confirms.
func (v Violation) PutAgain(slot int, said []WordSaid, changed func(iteration int) (bool, error)) (string, error) {
	var own *WordSaid
	for i := range said {
		if w := &said[i]; w.Violation == v.ID && w.Job == v.Job && w.Slot == slot {
			own = w
		}
	}
	if own == nil {
		return "", nil
	}
	in := fmt.Sprintf("in iteration %d you ", own.Iteration)
	switch own.Verdict {
	case NoWord:
		return in + "had no word on it", nil
	case ClaimNotFixed:
		return in + "called it not fixed, and the author says that it is fixed now", nil
	}
	moved, err := changed(own.Iteration)
	if own.Verdict == ClaimCannotTell {
		if in += "could not tell"; moved {
			in += ", and its lines have changed since"
		}
		return in, err
	}
	in += "called it fixed, and "
	switch {
	case v.Last > own.Iteration:
		return in + "it was reported again since", err
	case moved:
		return in + "its lines have changed since", err
	}
	for _, w := range said {
		if w.Iteration == own.Iteration && w.Verdict == ClaimCannotTell {
			return in + "another reporter could not tell", err
		}
	}
	return in + "the answer of another reporter is missing", err
}
