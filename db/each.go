package db

import (
	"context"

	"github.com/reviewledger/reviewledger/internal/rows"
)

// EachViolationOfRun calls each for the rows of [Queries.ViolationsOfRun], one by one: the rows of
// a large run take several times the memory of what is computed from them. A row is only valid
// until each returns.
func (q *Queries) EachViolationOfRun(ctx context.Context, arg ViolationsOfRunParams, each func(*ViolationsOfRunRow)) error {
	found, err := q.db.QueryContext(ctx, violationsOfRun, arg.RunID, arg.Job)
	return rows.Each(found, err, each)
}

// EachViolationDetails does the same for the rows of [Queries.ViolationDetails].
func (q *Queries) EachViolationDetails(ctx context.Context, ids string, each func(*ViolationDetailsRow)) error {
	found, err := q.db.QueryContext(ctx, violationDetails, ids)
	return rows.Each(found, err, each)
}
