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
	// Part is the number of the part, from 1, if the prompt was split by file.
	Part int
	// Repair reports whether the call asked the reviewer to repeat its answer in the right form.
	Repair   bool
	Usage    Usage
	Duration time.Duration
	// Misfit is what in the answer did not fit the form, or "".
	Misfit string
	// Prompt and Answer are the texts of the call. Lists of calls do not have them.
	Prompt []byte `column:"-"`
	Answer string `column:"-"`
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

// SlotNotes are the notes of a slot's reviewer, without their text.
type SlotNotes struct {
	Run        string // ULID
	Ref        SlotRef
	EntryPoint string
	Gate       string
	Adapter    string
	// At is when the answer was recorded.
	At time.Time
}

// Running is a check or a slot that has started.
type Running struct {
	Job  string
	Slot int // 0 for a check
	// Adapter is the slot's reviewer, "" for a check.
	Adapter string
	// Log is the path of the log that is being written, in the form that is shown.
	Log string
}

// Address returns the job, with "@" and the index for a slot.
func (r Running) Address() string {
	if r.Slot == 0 {
		return r.Job
	}
	return fmt.Sprintf("%s@%d", r.Job, r.Slot)
}

// Reviewer is an adapter as the reviewer of one job.
type Reviewer struct{ Job, Adapter string }
