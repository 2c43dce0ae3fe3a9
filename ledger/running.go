package ledger

import "fmt"

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
