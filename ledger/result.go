package ledger

// RunResult is the result of one invocation of the gates.
type RunResult struct {
	// Run is empty if the invocation did not belong to a run, and Iteration is 0 if nothing was
	// executed; then Reason is why. Status is the status of the run.
	Run       string
	Iteration int
	Status    RunStatus
	Reason    string
	// Error is why the invocation could not do its work, or "".
	Error    string
	ExitCode int
	// ChangedFiles is how many files were compared.
	ChangedFiles int
	// State is the state of the run, or nil if the invocation did not belong to one. Gates are the
	// gates of the iteration.
	State *State
	Gates []RunGate
	// Open and Unverified are the violations that keep the run from passing.
	Open, Unverified []ListedViolation
	Summary          Summary
	Next             string
}

// RunGate is the result of a gate in the iteration, with its log and files.
type RunGate struct {
	Gate
	// Log is the path of a check's log. Paths are the paths of its slots' files: the JSON files, or
	// the logs of slots without an answer. They are empty if there are none.
	Log   string
	Paths []string
	// FailsOnBase reports whether a check that failed also fails on the base, or is nil if that is
	// not known.
	FailsOnBase *bool
}
