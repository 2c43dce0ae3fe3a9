package db

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/queries"
)

// ViewTotals makes the views of [queries.Made], which last as long as the connection.
func (q *Queries) ViewTotals(ctx context.Context) error {
	for _, statement := range statements(queries.Made) {
		if _, err := q.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("make the views of totals: %w", err)
		}
	}
	return nil
}
