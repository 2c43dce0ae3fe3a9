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
