package store

import (
	"database/sql"
	"math"
	"slices"
	"testing"

	_ "modernc.org/sqlite"
)

// SQLite reads rows in JSON byte for byte as they were added.
func TestJSONRows(t *testing.T) {
	t.Parallel()
	handle, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer handle.Close()
	texts := []string{"", "plain", `"quoted" \u0041 \`, "a\x00b", "\x01\x1f\x7f\n\t", "a\xff\xc3", "\u2028 é \U0001F600", "</script>"}
	numbers := []float64{0.5, 1, 0.1, 1.0 / 3, math.Nextafter(1, 0), 5e-324, math.MaxFloat64}
	var list jsonRows
	for i, text := range texts {
		list.add(int64(i), text, optional(text), &numbers[i%len(numbers)], (*int64)(nil))
	}
	rows, err := handle.Query("SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4 FROM json_each(?) AS j", list.String())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var at int
		var is string
		var maybe, null *string
		var number float64
		if err := rows.Scan(&at, &is, &maybe, &number, &null); err != nil {
			t.Fatal(err)
		}
		if at != len(got) || text(maybe) != is || (maybe == nil) != (is == "") || number != numbers[at%len(numbers)] || null != nil {
			t.Errorf("row %d is %d, %q, %q, %v, %v", len(got), at, is, text(maybe), number, null)
		}
		got = append(got, is)
	}
	if err := rows.Err(); err != nil || !slices.Equal(got, texts) {
		t.Errorf("texts are %q, %v; want %q", got, err, texts)
	}
	if empty := new(jsonRows).String(); empty != "[]" {
		t.Errorf("no rows are %q", empty)
	}
}
