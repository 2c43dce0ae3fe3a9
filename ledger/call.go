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
