package ledger

// RunOutcome is the course of a run, for a list of runs.
type RunOutcome struct {
	// Remaining has the number of violations that were not closed, after each iteration.
	Remaining []int
	Cost      Cost
}

// RunCount counts the runs that have all of these values in common.
type RunCount struct {
	Status           RunStatus
	Kind             RunKind
	Branch, Worktree string
	Repository       string // its key
	Runs             int
}

// RunsByStatus is the number of runs with one status, and of their violations that are open or, in
// abandoned runs, were left open.
type RunsByStatus struct{ Runs, Open int }

// Names are the names in a ledger that filters can select.
type Names struct {
	Gates, EntryPoints, Adapters, Models, Repositories []string
}
