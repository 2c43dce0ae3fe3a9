package ledger

import "time"

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
}

// CheckOutcome is how a check ended, or that a gate could not be run, for the
// console.
type CheckOutcome struct {
	Job    string
	Status GateStatus
	Reason string
	// Log is the check's log as it is shown, or empty.
	Log      string
	Duration time.Duration
}

// SlotOutcome is how a slot ended, for the console.
type SlotOutcome struct {
	Job           string
	Adapter       string
	Slot          int
	Status        SlotStatus
	PassIteration int
	Violations    int
	Reason        string
	// Path is the file to read: the JSON of a slot with violations, else the
	// log.
	Path     string
	Duration time.Duration
}
