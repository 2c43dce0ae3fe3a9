package ledger

import (
	"context"
	"iter"
)

// Questions are what commands and pages ask, of a ledger or of the store of a team, which
// answer alike. Each answer is of one state. What belongs to one machine alone is not
// asked here: the place of a loop, its lock, the size of a file, and all that is written.
//
// The store of a team does not know worktrees and folders of logs: they are empty in its
// answers, and a filter by one is [ErrLocal]. A text that was not sent there is missing as
// if it had been removed.
type Questions interface {
	RunQuestions
	ListQuestions
	NameQuestions

	// Team reports whether it is the store of a team: commands ask it with --team.
	Team() bool
	// Schema is the version of the tables; 0: there is no ledger.
	Schema() int
	// Statistics are the sections that the filter chooses.
	Statistics(ctx context.Context, f StatisticsFilter) (Statistics, error)
}

// RunQuestions are about one run, by its ULID. They are [ErrNotFound] where there is no such
// run.
type RunQuestions interface {
	// RunDetail is a run with its iterations and gates, without its violations.
	RunDetail(ctx context.Context, run string) (*State, error)
	// State is all of a run that decisions need.
	State(ctx context.Context, run string) (*State, error)
	// RunEvents are the events of all violations of a run, in the order in which they
	// happened, without hunks.
	RunEvents(ctx context.Context, run string) ([]Event, error)
	// ExplainRun says why a run passed or not.
	ExplainRun(ctx context.Context, run string) (Explanation, error)
	// CheckLog is the log of a check; it is [ErrNotFound] where none was kept.
	CheckLog(ctx context.Context, run string, iteration int, job string) (string, error)
	// SlotTexts are the texts of a slot, in the order of its calls. It is [ErrNotFound]
	// where the run has no such slot.
	SlotTexts(ctx context.Context, run string, ref SlotRef, kind TextKind) ([]SlotText, error)
	// SlotCalls are the calls of a slot's reviewer in order, without their texts; none where
	// they were not recorded one by one. It is [ErrNotFound] where the run has no such slot.
	SlotCalls(ctx context.Context, run string, ref SlotRef) ([]Call, error)
	// History is the history of the violation with this id, or unique prefix of one. It is
	// [ErrNotFound] or [ErrAmbiguous].
	History(ctx context.Context, id string) (History, error)
	// Excerpts are the code at the places of the latest reports of violations, by ULID,
	// where that was kept.
	Excerpts(ctx context.Context, found []ListedViolation) (map[string]Excerpt, error)
}

// ListQuestions choose rows of all runs.
type ListQuestions interface {
	// FindRunByPrefix is the run whose ULID begins with the prefix, in any letter case. It
	// is [ErrNotFound] or [ErrAmbiguous].
	FindRunByPrefix(ctx context.Context, prefix string) (Run, error)
	// Runs lists runs, newest first. A key that is not a run's is [ErrCursor].
	Runs(ctx context.Context, f RunFilter) ([]Run, error)
	// OpenRuns are the runs that go on, newest first.
	OpenRuns(ctx context.Context) ([]Run, error)
	// RunsByStatus counts all runs.
	RunsByStatus(ctx context.Context) (map[RunStatus]RunsByStatus, error)
	// CountRuns counts the runs of the filter's period, gate, entry point and adapter.
	CountRuns(ctx context.Context, f RunFilter) ([]RunCount, error)
	// RunOutcomes are what became of runs, by their ULIDs.
	RunOutcomes(ctx context.Context, runs []Run) (map[string]RunOutcome, error)
	// CountViolations is how many violations there are.
	CountViolations(ctx context.Context) (int, error)
	// CountOpen is how many violations are open now.
	CountOpen(ctx context.Context) (int, error)
	// OpenByPriority is how many of each priority are open now.
	OpenByPriority(ctx context.Context) (map[Priority]int, error)
	// Violations lists violations in the filter's order. A cursor that is not of this order
	// is [ErrCursor].
	Violations(ctx context.Context, f ViolationFilter) ([]ListedViolation, error)
	// EachViolation yields what Violations lists while it is read, for a list that may be
	// long. An error is the last that it yields. Before it has ended, nothing else can be
	// asked.
	EachViolation(ctx context.Context, f ViolationFilter) iter.Seq2[ListedViolation, error]
	// Discarded lists the reports that filters removed, newest first.
	Discarded(ctx context.Context, f ViolationFilter, dispositions []Disposition) ([]ListedReport, error)
	// EachDiscarded yields what Discarded lists, as EachViolation does.
	EachDiscarded(ctx context.Context, f ViolationFilter, dispositions []Disposition) iter.Seq2[ListedReport, error]
	// Facets are what a list of violations can be narrowed to.
	Facets(ctx context.Context, f ViolationFilter) (Facets, error)
	// Search finds what reviewers said, best first, and of equals the newest first.
	Search(ctx context.Context, q SearchQuery, f ViolationFilter) ([]SearchHit, error)
	// EachHit yields what Search finds, as EachViolation does.
	EachHit(ctx context.Context, q SearchQuery, f ViolationFilter) iter.Seq2[SearchHit, error]
	// SkipsOf adds to violations that are skipped what is known of the memory of the skips,
	// in the order of the list. Others are left out.
	SkipsOf(ctx context.Context, found []ListedViolation) ([]Skip, error)
}

// NameQuestions are what rows are called, for completion and for checking what a user names.
type NameQuestions interface {
	// Names are what filters can ask for.
	Names(ctx context.Context) (Names, error)
	// JobNames are the jobs that ever ran, with their names.
	JobNames(ctx context.Context) ([]Gate, error)
	// Branches are those that runs were on.
	Branches(ctx context.Context) ([]string, error)
	// Files lists files that violations were in and that begin with the prefix.
	Files(ctx context.Context, prefix string, limit int) ([]string, error)
}
