package ledger

// The types in this file pass what a check or a slot did to logs and to the console.

import (
	"fmt"
	"time"
)

// CheckLog is the log of a check in a run that is restored.
type CheckLog struct {
	FileID    string
	Iteration int
	// Status is passed, failed or error, or "" if the log has no clear end.
	Status GateStatus
}

// SlotLogHeader is written at the start of a slot's log.
type SlotLogHeader struct {
	Job, EntryPoint, Adapter string
	Slot, Iteration          int
	// Base describes what the slot's diff compares with.
	Base string
	// Plan is what was decided about the slot.
	Plan SlotPlan
	// Notes say what the slot is shown, one line each.
	Notes []string
}

// SlotLogEnd is written at the end of a slot's log.
type SlotLogEnd struct {
	// Asked reports whether there is an answer to show, which may be empty.
	Asked bool
	Raw   string
	// Document has the part of the answer that counts. It is empty if the slot has no recorded
	// answer and was not skipped: then only the answer itself can be read back.
	Document SlotDocument
	// Notes are warnings, counts and what the reviewer wrote to stderr, one line each.
	Notes  []string
	Status SlotStatus
	Reason string
}

// SlotCall is the input and output of a slot's reviewer, over all its calls.
type SlotCall struct {
	Job     string
	Slot    int
	Adapter string
	Prompts [][]byte
	// Raw is the answer that counts, as it was received, or the answers to all parts of the prompt.
	Raw string
	// Made are the calls in order, or nil if nobody was called.
	Made     []Call
	Stderr   []byte
	Usage    Usage
	Calls    int
	Duration time.Duration
	// Started is when the reviewer was started; if zero, it is computed from the duration.
	Started time.Time
	// Elsewhere is how many results a tool reported in files that the change does not touch.
	Elsewhere int
	// Unseen is what the slot's tool says that it did not look at, of what is under review, one line
	// for each statement. Denied names what its client was not allowed to do, or what failed.
	Unseen, Denied string
	// ErrorKind is why there is no answer, or "" if that is not known.
	ErrorKind ErrorKind
}

// CheckResult is how a check ended.
type CheckResult struct {
	Status GateStatus
	// Reason says in a few words why it did not pass, for example "exited with code 1".
	Reason   string
	ExitCode int // -1 if the command did not end by itself
	// Problems is how many problems the output of a failed check names, at least 1.
	Problems int
	// Excerpt is the part of the output of a failed check that shows what failed.
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
	// Violations are the violations in its file: new, or still open.
	Violations []SlotEntry
	// Filtered are filtered reports, the most important first, out of LeftOut in all.
	Filtered []FilteredEntry
	LeftOut  int
	Reason   string
	// Path is the file to read: see [SlotOutcome.InReview].
	Path     string
	Duration time.Duration
	// Notes are shown below the result, one line each.
	Notes []string
	// Suppressed is how many results are suppressed in the tool.
	Suppressed int
}

// InReview reports whether the file to read is the slot's JSON file, and not its log: that is so if
// the slot failed, or if it is in error and has violations.
func (o SlotOutcome) InReview() bool { return o.Status == SlotFail || len(o.Violations) > 0 }

// SuppressedLine returns how many results are suppressed in the tool, or "" if none are.
func (o SlotOutcome) SuppressedLine() string {
	if o.Suppressed == 0 {
		return ""
	}
	return fmt.Sprintf("%d suppressed in the tool", o.Suppressed)
}
