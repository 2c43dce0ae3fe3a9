package ledger

// RunOutcome is what came of a run, for a list of runs.
type RunOutcome struct {
	// Remaining is how many violations were not closed after each iteration.
	Remaining []int
	Cost      Cost
}

// RunCount counts the runs that have all of these in common.
type RunCount struct {
	Status           RunStatus
	Kind             RunKind
	Branch, Worktree string
	Repository       string // its key
	Runs             int
}

// RunsByStatus counts the runs of one status, and their violations that are open or, of
// abandoned runs, were left open.
type RunsByStatus struct{ Runs, Open int }

// Names are what the rows of a ledger are called, which filters ask for.
type Names struct {
	Gates, EntryPoints, Adapters, Models, Repositories []string
}
