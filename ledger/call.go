package ledger

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Call is one call of a slot's reviewer.
type Call struct {
	Number int // 1-based
	// Part is the number of the part, from 1, where the prompt was split by file.
	Part int
	// Repair reports whether the call asked the reviewer to repeat its answer in the right form.
	Repair   bool
	Usage    Usage
	Duration time.Duration
	// Misfit says what of the answer did not fit the form; empty if it fit.
	Misfit string
	// Prompt and Answer are its texts. A list of calls leaves them out.
	Prompt []byte
	Answer string
}

// Words describes the call on one line, for logs.
func (c Call) Words() string {
	words := []string{fmt.Sprintf("call %d", c.Number)}
	if c.Repair {
		words = append(words, "asked once more")
	}
	if c.Usage.InputTokens != nil || c.Usage.OutputTokens != nil {
		words = append(words, fmt.Sprintf("%d tokens in, %d out", deref(c.Usage.InputTokens), deref(c.Usage.OutputTokens)))
	}
	words = append(words, cmp.Or(c.Misfit, "fits the form"))
	return strings.Join(words, "; ")
}

func deref(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// EarlierViolation is a result of an earlier run that reviewers are shown: a violation that was
// skipped or still open when its run ended, or a report below the threshold or outside the changes.
type EarlierViolation struct {
	// ID is the violation's ULID; empty for a report.
	ID string
	// ShortID names it in prompts.
	ShortID string
	Job     string // the id of the gate
	Place   Place  // in the tree that its reviewer was shown
	Issue   string
	// Status is skipped, new, reopened, or left where its run was abandoned; empty for a
	// report, which has a Disposition instead.
	Status      Status
	Disposition Disposition
	// At is when the violation got its status, or when the report was made.
	At time.Time
	// Result and Reason are those of a skip.
	Result, Reason string
	// Fingerprint recognises its line; empty: not known.
	Fingerprint string
}

// Reported reports whether it is a report that a filter left out.
func (v EarlierViolation) Reported() bool { return v.ID == "" }

// SlotNotes is the free text of a reviewer, with its slot.
type SlotNotes struct {
	Run        string // ULID
	Ref        SlotRef
	EntryPoint string
	Gate       string
	Adapter    string
	// At is when the answer was recorded.
	At time.Time
}

// Decided says in a phrase what became of the violation in its run.
func (v EarlierViolation) Decided() string {
	switch {
	case v.Reported():
		where := "below the threshold"
		if v.Disposition == OutOfDiff {
			where = "outside the changes"
		}
		return "reported " + where + " on " + v.At.UTC().Format(time.DateOnly)
	case v.Status == StatusSkipped:
		return Remembered{At: v.At, Reason: v.Reason, Result: v.Result}.Decided()
	}
	return "left open on " + v.At.UTC().Format(time.DateOnly)
}
