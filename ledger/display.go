package ledger

// These types hand to logs and to the console what a check or a slot did.

import (
	"fmt"
	"time"
)

// CheckLog is a check's log of a run that is restored.
type CheckLog struct {
	FileID    string
	Iteration int
	// Status is "pass", "fail" or "error", or empty when the log has no clear
	// end.
	Status string
}

// SlotLogHeader is written at the start of a slot's log.
type SlotLogHeader struct {
	Job, EntryPoint, Adapter string
	Slot, Iteration          int
	// Base names what the slot's diff compares with.
	Base string
	// Plan is what was decided about the slot.
	Plan SlotPlan
	// Notes say what the slot is shown, a line each.
	Notes []string
}

// SlotLogEnd is written at the end of a slot's log.
type SlotLogEnd struct {
	// Asked reports whether there is an answer to show, which may be empty.
	Asked bool
	Raw   string
	// Document shows what counts of the answer. It is empty if the slot has no answer that was
	// recorded, and was not skipped: then the answer itself is all that can be read back.
	Document SlotDocument
	// Notes are warnings, counts and what the reviewer wrote to stderr, a line each.
	Notes  []string
	Status SlotStatus
	Reason string
}

// SlotCall holds the input and output of a slot's reviewer, over all its calls.
type SlotCall struct {
	Job     string
	Slot    int
	Adapter string
	Prompts [][]byte
	// Raw is the answer that counts, as it was received; the answers to all parts of a prompt.
	Raw string
	// Made are the calls in their order; nil where nobody was called.
	Made     []Call
	Stderr   []byte
	Usage    Usage
	Calls    int
	Duration time.Duration
	// Started is when the reviewer was started; if zero, it is computed from the duration.
	Started time.Time
	// Elsewhere counts what a tool reported in files that the change does not touch.
	Elsewhere int
	// ErrorKind says why there is no answer; empty: not known.
	ErrorKind ErrorKind
}

// CheckOutcome is how a check ended, or that a gate could not be run, for the
// console.
type CheckOutcome struct {
	Job    string
	Status GateStatus
	Reason string
	// Log is the check's log as it is shown, or empty; Excerpt is what in the output of a
	// failed one says what failed.
	Log      string
	Excerpt  string
	Duration time.Duration
}

// SlotOutcome is how a slot ended, for the console.
type SlotOutcome struct {
	Job           string
	Adapter       string
	Slot          int
	Status        SlotStatus
	PassIteration int
	// Violations are those of its file: new, or still open.
	Violations []SlotEntry
	// Filtered are reports that a filter left out, the most important first, of LeftOut in all.
	Filtered []FilteredEntry
	LeftOut  int
	Reason   string
	// Path is the file to read: see InReview.
	Path     string
	Duration time.Duration
	// Notes are shown below the result, a line each.
	Notes []string
	// Suppressed counts the results that are suppressed in the tool.
	Suppressed int
}

// InReview reports whether the file to read is the slot's JSON file, and not its log: it is
// the file of a slot that failed, and of one in error that has violations.
func (o SlotOutcome) InReview() bool { return o.Status == SlotFail || len(o.Violations) > 0 }

// SuppressedLine says how many results are suppressed in the tool; empty if none.
func (o SlotOutcome) SuppressedLine() string {
	if o.Suppressed == 0 {
		return ""
	}
	return fmt.Sprintf("%d suppressed in the tool", o.Suppressed)
}
