package ledger

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

// SlotLogHeader is what a slot's log begins with.
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

// SlotLogEnd is what a slot's log ends with.
type SlotLogEnd struct {
	// Asked reports whether there is an answer to show, which may be empty.
	Asked bool
	Raw   string
	// Document is what became of the answer. It is left out if the slot neither
	// answered nor was skipped.
	Document SlotDocument
	// Notes are warnings, counts and what the reviewer wrote to stderr, a line each.
	Notes  []string
	Status SlotStatus
	Reason string
}

// SlotCall is what went to a slot's reviewer and what came back, over all its
// calls.
type SlotCall struct {
	Job     string
	Slot    int
	Adapter string
	Prompts [][]byte
	// Raw is the answer that counts, as it was received: of several parts all of them.
	Raw string
	// Made are the calls in their order; nil where nobody was called.
	Made     []Call
	Stderr   []byte
	Usage    Usage
	Calls    int
	Duration time.Duration
	// Started is when the reviewer was started; zero: as long ago as it took.
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
	// Path is the file to read: the JSON of a slot with violations, else the
	// log.
	Path     string
	Duration time.Duration
	// Notes are shown below the result, a line each.
	Notes []string
	// Suppressed counts the results that are suppressed in the tool.
	Suppressed int
}

// SuppressedLine says how many results are suppressed in the tool; it is empty where none is.
func (o SlotOutcome) SuppressedLine() string {
	if o.Suppressed == 0 {
		return ""
	}
	return fmt.Sprintf("%d suppressed in the tool", o.Suppressed)
}
