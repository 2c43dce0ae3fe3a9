package rows_test

import (
	"database/sql"
	"reflect"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/reviewledger/reviewledger/internal/rows"
)

type word string

type place struct {
	File  string
	Start int
}

type embedded struct {
	ShortID string
	Place   place
}

type row struct {
	embedded
	Kind   word
	At     time.Time
	Took   time.Duration
	Open   bool
	Cost   *float64
	Tokens *int64
	Data   []byte
	Slots  []int
	Words  []string
	Also   []place
	Later  *row `column:"-"`
}

func database(t *testing.T) *sql.DB {
	t.Helper()
	handle, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

func read[T any](t *testing.T, query string) (all []T, err error) {
	t.Helper()
	found, err := database(t).QueryContext(t.Context(), query)
	err = rows.Each(found, err, func(one *T) { all = append(all, *one) })
	return all, err
}

func TestColumnsAreFieldsByName(t *testing.T) {
	t.Parallel()
	got, err := read[row](t, `
		SELECT 'k' AS kind, 'abc' AS short_id, 'a'||char(10) AS place_file, 3 AS place_start, '2026-01-02T03:04:05.678Z' AS at, 1500 AS took, 1 AS open,
		  0.5 AS cost, 7 AS tokens, x'00ff' AS data, '[1,3]' AS slots, '["x y","z"]' AS words, json_array(json_array(hex(CAST(x'61ff' AS TEXT)), 2)) AS also
		UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', '[]'`)
	cost, tokens := 0.5, int64(7)
	want := []row{{
		embedded: embedded{"abc", place{"a\n", 3}}, Kind: "k", At: time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC), Took: 1500 * time.Millisecond, Open: true,
		Cost: &cost, Tokens: &tokens, Data: []byte{0, 255}, Slots: []int{1, 3}, Words: []string{"x y", "z"}, Also: []place{{"a\xff", 2}},
	}, {}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("rows are %+v, %v; want %+v", got, err, want)
	}
	if got, err := read[int](t, "SELECT 1 AS n UNION ALL SELECT 2"); err != nil || !reflect.DeepEqual(got, []int{1, 2}) {
		t.Errorf("numbers are %v, %v", got, err)
	}
}

func TestColumnsThatAreNotFields(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"SELECT 'a' AS file":                                  `there is not a column for field "start"`,
		"SELECT 'a' AS file, 1 AS start, 2 AS line":           `column "line" is not a field`,
		"SELECT 'a' AS file, 1 AS start, 2 AS start":          `column "start" is not a field of rows_test.place, or there are two`,
		"SELECT 'a' AS file, 'b' AS start":                    `column "start": a text does not fit into int`,
		"SELECT 1 AS file, 1 AS start":                        `column "file": a number does not fit into string`,
		"SELECT 'a' AS file, 1.5 AS start":                    `column "start": float64 does not fit into int`,
		"SELECT x'00' AS file, 1 AS start":                    `column "file": []uint8 does not fit into string`,
		"SELECT 'a' AS file, 1 AS start FROM no_such_table":   "no_such_table",
		"SELECT 'a' AS file, abs(-9223372036854775808) start": "overflow",
	} {
		if got, err := read[place](t, query); err == nil || !strings.Contains(err.Error(), want) || got != nil {
			t.Errorf("%s: %v, %v; want %s", query, got, err, want)
		}
	}
	for query, want := range map[string]string{
		`SELECT '[["61"]]' AS also`:    "1 values do not fit into rows_test.place",
		`SELECT '[["x", 1]]' AS also`:  "invalid byte",
		`SELECT '[[null, 1]]' AS also`: "<nil> does not fit into string",
		`SELECT '[1]' AS also`:         "cannot unmarshal",
	} {
		if _, err := read[struct{ Also []place }](t, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", query, err, want)
		}
	}
	if _, err := read[struct{ At time.Time }](t, "SELECT 'yesterday' AS at"); err == nil {
		t.Error("a word is a time")
	}
}
