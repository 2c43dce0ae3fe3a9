package ledger

// RunResult is the result of one invocation of the gates.
type RunResult struct {
	// Run is empty where the invocation belonged to none, and Iteration 0 where nothing
	// was executed; Reason then says why. Status is that of the run.
	Run       string
	Iteration int
	Status    RunStatus
	Reason    string
	// Error says why the invocation could not do its work, or is empty.
	Error    string
	ExitCode int
	// ChangedFiles is how many files were compared.
	ChangedFiles int
	// State is that of the run; nil where the invocation belonged to none. Gates are those of the
	// iteration.
	State *State
	Gates []RunGate
	// Open and Unverified are the run's violations that keep it from passing.
	Open, Unverified []ListedViolation
	Summary          Summary
	Next             string
}

// RunGate is the result of a gate in the iteration, with its log and files.
type RunGate struct {
	Gate
	// Log is the path of a check's log, and Paths are those of the files of its slots: the
	// JSON, or the log of one without an answer. They are empty where there is none.
	Log   string
	Paths []string
	// FailsOnBase says whether a check that failed fails on the base, too; nil where that
	// is not known.
	FailsOnBase *bool
}
