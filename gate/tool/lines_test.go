package tool

import (
	"testing"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: In range is what a diff of this run showed.
func TestChooseChanged(t *testing.T) {
	t.Parallel()
	in := &clients.Subject{
		Files: []diff.File{
			{New: "a.go", Text: []byte("--- a/a.go\n+++ b/a.go\n@@ -3,4 +3,4 @@\n three\n-four\n+FOUR\n five\n six\n@@ -10,0 +11 @@\n+eleven\n@@ -20 +19,0 @@\n-gone\n\\ No newline at end of file\n")},
			{New: "moved.go", Text: []byte("similarity index 100%\n")},
		},
		Claims: []ledger.Violation{{Place: ledger.Place{File: "a.go", Start: 30}}, {Place: ledger.Place{File: "same.go", Start: 7, End: 9}}, {Place: ledger.Place{File: "first.go", Start: 1}}, {Place: ledger.Place{File: "about.go"}}, {Place: ledger.Place{File: "moved.go", Start: 1, End: 1}}},
	}
	at := func(file string, line int) ledger.Place {
		return ledger.Place{File: file, Start: line, End: line}
	}
	tests := []struct {
		name  string
		first ledger.Place
		also  []ledger.Place
		want  ledger.Place
	}{
		{"one place", at("a.go", 1), nil, at("a.go", 1)},
		{"a changed line behind another", at("a.go", 1), []ledger.Place{at("a.go", 5), at("a.go", 4)}, at("a.go", 4)},
		{"a changed line first", at("a.go", 4), []ledger.Place{at("moved.go", 1)}, at("a.go", 4)},
		{"a new line", at("a.go", 22), []ledger.Place{at("a.go", 10), at("a.go", 12), at("a.go", 11)}, at("a.go", 11)},
		{"no changed line", at("a.go", 1), []ledger.Place{at("a.go", 6)}, at("a.go", 1)},
		{"beside a removed line", at("a.go", 22), []ledger.Place{at("a.go", 20)}, at("a.go", 20)},
		{"before a removed line", at("a.go", 22), []ledger.Place{at("a.go", 19)}, at("a.go", 19)},
		{"a claim", at("a.go", 22), []ledger.Place{at("a.go", 30)}, at("a.go", 30)},
		{"a claim in a file that is as it was", at("same.go", 1), []ledger.Place{at("same.go", 8)}, at("same.go", 8)},
		{"several lines that begin before a changed one", at("a.go", 22), []ledger.Place{{File: "a.go", Start: 1, End: 2}, {File: "a.go", Start: 2, End: 4}}, ledger.Place{File: "a.go", Start: 2, End: 4}},
		{"a claim about the first line", at("first.go", 9), []ledger.Place{at("first.go", 1)}, at("first.go", 1)},
		{"a claim about a file that is as it was", at("z.go", 1), []ledger.Place{at("about.go", 50)}, at("about.go", 50)},
		{"after a line without an end", at("a.go", 22), []ledger.Place{at("a.go", 21)}, at("a.go", 22)},
		{"a file without lines", at("a.go", 1), []ledger.Place{at("moved.go", 99)}, at("moved.go", 99)},
		{"a whole file", at("a.go", 0), []ledger.Place{at("a.go", 4)}, at("a.go", 0)},
		{"a file that is not under review", at("a.go", 1), []ledger.Place{at("b.go", 1)}, at("a.go", 1)},
		{"several lines", ledger.Place{File: "a.go", Start: 1, End: 4}, []ledger.Place{at("a.go", 4)}, ledger.Place{File: "a.go", Start: 1, End: 4}},
	}
	for _, test := range tests {
		results := []ledger.Entry{{Place: test.first, Also: test.also}}
		chooseChanged(results, in)
		if got := results[0].Place; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	results := []ledger.Entry{{Place: at("a.go", 4), Also: []ledger.Place{at("a.go", 6), at("a.go", 11), at("a.go", 4)}}}
	if chooseChanged(results, in); len(results[0].Also) != 1 || results[0].Also[0] != at("a.go", 11) {
		t.Errorf("of the other places %v", results[0].Also)
	}
	whole := []ledger.Entry{{Place: ledger.Place{File: "a.go", Start: 1, End: 1}, Also: []ledger.Place{at("a.go", 4)}}}
	if chooseChanged(whole, &clients.Subject{WholeFiles: true, Files: in.Files}); whole[0].Place.Start != 1 {
		t.Errorf("of whole files, %v", whole)
	}
}
