package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export/text"
)

// A list that is printed item by item looks as if it were printed as a whole.
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
