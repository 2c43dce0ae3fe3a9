package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
)

// A list that is printed item by item looks the same as one printed at once.
func TestPrintArray(t *testing.T) {
	t.Parallel()
	type inner struct {
		Name string   `json:"name"`
		List []string `json:"list"`
	}
	for _, items := range [][]inner{
		{},
		{{Name: "<a> & \"b\"\n", List: []string{}}},
		{{Name: "one", List: []string{"x", "y"}}, {Name: "two"}, {}},
	} {
		var whole, pieces bytes.Buffer
		if err := printJSON(&whole, items); err != nil {
			t.Fatal(err)
		}
		if err := text.WriteJSONList(&pieces, text.All(items)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole.String(), pieces.String()); diff != "" {
			t.Error(diff)
		}
	}
}

var numbered = listings.Columns[int]{{Key: "n", Value: func(n *int) any { return *n }}}

// A list that ends with an error does not look like a complete one.
func TestAListThatBreaksOff(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, f := range []format{formatTable, formatJSON, formatNDJSON, formatCSV} {
		var out bytes.Buffer
		err := printListing(&globalOptions{environment: environment{stdout: &out, lookupenv: func(string) (string, bool) { return "", false }}}, f, listing[int]{
			rows: func(yield func(int, error) bool) {
				for n := range 20_000 {
					if !yield(n, nil) {
						return
					}
				}
				yield(0, broken)
			},
			columns: numbered, table: func([]int) text.Table { return text.Table{} },
		})
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v", f, err)
		}
		if begun := out.Len() > 0; begun != (f != formatTable) || strings.HasSuffix(out.String(), "]\n") {
			t.Errorf("%s: %d bytes, which end with %q", f, out.Len(), out.String()[max(0, out.Len()-10):])
		}
	}
}
