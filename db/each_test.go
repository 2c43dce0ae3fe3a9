package db

import (
	"reflect"
	"testing"
)

// A row is scanned into its fields one after the other, as generated code does: where the query
// embeds the row of a table, into its fields.
func TestColumnsOf(t *testing.T) {
	t.Parallel()
	row := ViolationsOfRunRow{}
	columns := columnsOf(reflect.ValueOf(&row).Elem(), nil)
	want := map[int]any{0: &row.Violation.ID, 23: &row.Violation.FirstSeen, 27: &row.Violation.Shown, 28: &row.Violation.DuplicateOf, 29: &row.Job, 40: &row.Doubted, 41: &row.DoubtedWords, 47: &row.OriginalAt}
	for i, field := range want {
		if columns[i] != field {
			t.Errorf("column %d is scanned into a %T that is not its field", i, columns[i])
		}
	}
	if len(columns) != 48 {
		t.Errorf("there are %d columns", len(columns))
	}
}
