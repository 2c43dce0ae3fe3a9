package teamtest

import (
	_ "embed"
	"fmt"
	"testing"
	"time"
)

// fillSQL makes a function for the session that fills the tables.
//
//go:embed fill.sql
var fillSQL string

// Fill fills a new team store with the runs of a year that ended at a time, with so many
// violations in each on average, and makes its totals.
func Fill(t testing.TB, url string, runs, violations int, end time.Time) {
	t.Helper()
	Exec(t, url, fillSQL, fmt.Sprintf("SELECT pg_temp.fill(%d, %d, '%s')", runs, violations, end.Format(time.RFC3339)),
		"SELECT make_totals()", "ANALYZE")
}
