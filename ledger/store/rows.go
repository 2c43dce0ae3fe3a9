package store

import (
	"context"
	"database/sql"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

const (
	violations      db.Rows[violation] = "Violations"
	violationsOfRun db.Rows[violation] = "ViolationsOfRun"
)

// violation is a violation as the ledger has it.
type violation struct {
	Row, ReportRow int64
	ledger.ListedViolation
	// Position is that of its latest report in the answer. SlotRows are the slots that reported it, if it
	// is not settled. TakenOut is set if it was joined to another one once.
	Position int64
	SlotRows []int64
	TakenOut bool
}

const (
	reportsOfSlot      db.Rows[report] = "ReportsOfSlot"
	reportsOfViolation db.Rows[report] = "ReportsOfViolation"
	filteredReports    db.Rows[report] = "FilteredReports"
	discardedReport    db.Rows[report] = "DiscardedReport"
	discardedReports   db.Rows[report] = "DiscardedReports"
	foundReports       db.Rows[report] = "FoundReports"
	foundNotes         db.Rows[notes]  = "FoundNotes"

	eventsOfViolation db.Rows[ledger.Event]        = "EventsOfViolation"
	eventsOfRun       db.Rows[ledger.Event]        = "EventsOfRun"
	wordsOfViolation  db.Rows[ledger.ReviewerWord] = "WordsOfViolation"
	wordsOfIteration  db.Rows[ledger.ReviewerWord] = "WordsOfIteration"
	wordsOnClaims     db.Rows[ledger.ReviewerWord] = "WordsOnClaims"
	transitionsOfRun  db.Rows[ledger.Transition]   = "TransitionsOfRun"

	skipsOf           db.Rows[skip]                    = "SkipsOf"
	rememberedOnLines db.Rows[ledger.EarlierViolation] = "RememberedOnLines"
	skippedOnLines    db.Rows[ledger.EarlierViolation] = "SkippedOnLines"
	leftInFiles       db.Rows[ledger.EarlierViolation] = "LeftInFiles"
	filteredInFiles   db.Rows[ledger.EarlierViolation] = "FilteredInFiles"
)

// report is a report as the ledger has it.
type report struct {
	Row, SlotRow int64
	Fingerprint  *string
	ledger.Report
}

// listed returns the reports without their rows.
func listed(reports []report, err error) ([]ledger.Report, error) {
	var list []ledger.Report
	for _, r := range reports {
		list = append(list, r.Report)
	}
	return list, err
}

// notes are the notes of a slot.
type notes struct {
	Row int64
	ledger.SlotNotes
}

// skip is a skip without its violation, of which it has the ULID.
type skip struct {
	Of string
	ledger.Skip
}

const (
	slotEntries db.Rows[slotEntry]       = "SlotEntries"
	pairedOfRun db.Rows[paired]          = "PairedOfRun"
	disputed    db.Rows[ledger.Disputed] = "Disputed"
)

// slotEntry is an entry of a slot's file, as it was written. Its violation has the other statuses and words
// now, and had them then, at the time that was asked about.
type slotEntry struct {
	Position int64
	ULID     string
	ledger.SlotEntry
	Fate                  ledger.Status // at that time
	StatusNow, StatusThen ledger.Status
	ResultNow, ResultThen string
	ReasonNow             string
}

// paired is a violation that is perhaps the same as others, with the block that it is in so far.
type paired struct {
	Row   int64
	Block string
	ledger.Paired
}

const (
	runByULID      db.Rows[runRow] = "RunByULID"
	runByRow       db.Rows[runRow] = "RunByRow"
	runsWithPrefix db.Rows[runRow] = "RunsWithPrefix"
	listRuns       db.Rows[runRow] = "ListRuns"
	openRuns       db.Rows[runRow] = "OpenRuns"
	passedRuns     db.Rows[runRow] = "PassedRuns"
	lastRun        db.Rows[runRow] = "LastRun"
	runOfReview    db.Rows[runRow] = "RunOfReview"
)

// runRow is a run as the ledger has it.
type runRow struct {
	Row, RepositoryRow int64
	ledger.Run
	// WorktreeKnown is set if the name of its worktree is known. That of the main one is empty.
	WorktreeKnown bool
}

// runRows reads runs, without paths that are not known in this ledger.
func (t *tx) runRows(ctx context.Context, statement db.Rows[runRow], args ...any) ([]runRow, error) {
	found, err := statement.All(ctx, t.Queries, args...)
	for i := range found {
		found[i].Worktree, found[i].LogDir = exchange.Known(found[i].Worktree), exchange.Known(found[i].LogDir)
	}
	return found, err
}

// runRow is like [tx.runRows], for one run. The error is [sql.ErrNoRows] if there is none.
func (t *tx) runRow(ctx context.Context, statement db.Rows[runRow], args ...any) (runRow, error) {
	found, err := t.runRows(ctx, statement, args...)
	if err == nil && len(found) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return runRow{}, err
	}
	return found[0], nil
}

func (t *tx) runByULID(ctx context.Context, id string) (runRow, error) {
	return t.runRow(ctx, runByULID, sql.Named("ulid", id))
}

func (t *tx) runByRow(ctx context.Context, row int64) (runRow, error) {
	return t.runRow(ctx, runByRow, sql.Named("row", row))
}

// runsOf returns the runs without their rows.
func runsOf(rows []runRow, err error) ([]ledger.Run, error) {
	runs := make([]ledger.Run, 0, len(rows))
	for _, row := range rows {
		runs = append(runs, row.Run)
	}
	return runs, err
}

const (
	iterationsOfRun db.Rows[iteration]   = "IterationsOfRun"
	gatesOfRun      db.Rows[ledger.Gate] = "GatesOfRun"
	slotsOfRun      db.Rows[slot]        = "SlotsOfRun"
	slotOfRun       db.Rows[slot]        = "Slot"
	callsOfSlot     db.Rows[ledger.Call] = "CallsOfSlot"
)

// iteration is an iteration as the ledger has it.
type iteration struct {
	Row int64
	ledger.Iteration
}

// slot is a slot as the ledger has it.
type slot struct {
	Row int64
	ledger.Slot
}

// details returns the violations with these rows, in the order of the list.
func (t *tx) details(ctx context.Context, ids []int64) ([]ledger.ListedViolation, error) {
	read := make(map[int64]*violation, len(ids))
	err := violations.Each(ctx, t.Queries, func(v *violation) { read[v.Row] = v.known() }, sql.Named("rows", asJSON(ids)))
	found := make([]ledger.ListedViolation, 0, len(ids))
	for _, id := range ids {
		if v, there := read[id]; there {
			found = append(found, v.ListedViolation)
		}
	}
	return found, err
}

// known returns a copy of the row, without what is not known in this ledger.
func (v violation) known() *violation {
	v.Worktree = exchange.Known(v.Worktree)
	return &v
}

// violationsOf returns the violations of a run in the order in which they were recorded.
func (t *tx) violationsOf(ctx context.Context, run int64) ([]*violation, error) {
	var found []*violation
	var all []*ledger.Violation
	err := violationsOfRun.Each(ctx, t.Queries, func(v *violation) {
		kept := v.known()
		found, all = append(found, kept), append(all, &kept.Violation)
	}, sql.Named("run", run))
	ledger.LookUpOriginals(all)
	return found, err
}
