package slots

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// numbered makes a folder with a file f of so many lines: "word1", "word2" and so on.
func numbered(t *testing.T, lines int, change func([]string)) *Lines {
	t.Helper()
	var text []string
	for n := range lines {
		text = append(text, fmt.Sprintf("word%d", n+1))
	}
	if change != nil {
		change(text)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte(strings.Join(text, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return NewLines(dir)
}

func place(lines ...int) ledger.Place {
	switch len(lines) {
	case 0:
		return ledger.Place{File: "f"}
	case 1:
		return ledger.Place{File: "f", Start: lines[0], End: lines[0]}
	}
	return ledger.Place{File: "f", Start: lines[0], End: lines[1]}
}

// What is shown and kept of a place is bounded, within the file, and says where it begins.
func TestLinesAround(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 300, nil)
	for _, test := range []struct {
		place            ledger.Place
		from, to, last   int // of the prompt
		keptFrom, keptTo int // of the excerpt
	}{
		{place(50), 40, 60, 0, 44, 56},
		{place(1), 1, 11, 0, 1, 7},
		{place(3, 5), 1, 15, 0, 1, 11},
		{place(299), 289, 300, 0, 293, 300},
		{place(300), 290, 300, 0, 294, 300},
		{place(11, 90), 1, 100, 0, 5, 96},
		{place(11, 91), 1, 100, 101, 5, 97},
		{place(50, 250), 40, 139, 260, 44, 143},
		{place(250, 900), 240, 300, 0, 244, 300},
		{place(), 0, 0, 0, 0, 0},
		{ledger.Place{File: "gone", Start: 3, End: 3}, 0, 0, 0, 0, 0},
	} {
		now := lines.around(test.place)
		around, last := now.Lines, now.Last
		if test.from == 0 != (len(around) == 0) || last != test.last {
			t.Errorf("%v: %d lines up to %d", test.place, len(around), last)
		} else if n := len(around); n > 0 && (around[0].Number != test.from || around[n-1].Number != test.to || around[n-1].Text != fmt.Sprintf("word%d", test.to)) {
			t.Errorf("%v: shown from %+v to %+v", test.place, around[0], around[n-1])
		}
		kept := lines.excerpt(test.place)
		want := ledger.Excerpt{First: test.keptFrom}
		for n := test.keptFrom; n > 0 && n <= test.keptTo; n++ {
			want.Text += fmt.Sprintf("word%d\n", n)
		}
		if kept != want {
			t.Errorf("%v: kept %+v", test.place, kept)
		}
	}
	if beyond := lines.excerpt(place(301)); beyond != (ledger.Excerpt{}) {
		t.Errorf("behind the end: %+v", beyond)
	}
}

// A line is identified by its text, and by how often the text occurs above it.
func TestLineFacts(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 8, func(text []string) { text[1], text[3], text[5] = "  same", "same\t", "same" })
	hashes := map[string]bool{}
	for n, want := range map[int]ledger.LineFact{
		1: {Known: true, Text: "word1"}, 2: {Known: true, Text: "same", Repeated: true}, 4: {Known: true, Text: "same", Occurrence: 1, Repeated: true},
		6: {Known: true, Text: "same", Occurrence: 2, Repeated: true}, 8: {Known: true, Text: "word8"}, 9: {},
	} {
		got := lines.At(place(n))
		if (got.Hash == "") != (n == 9) || got.Hash != "" && hashes[got.Hash] {
			t.Errorf("line %d has the hash %q", n, got.Hash)
		}
		hashes[got.Hash] = true
		got.Hash = ""
		if got != want {
			t.Errorf("line %d: %+v, want %+v", n, got, want)
		}
	}
	if whole := lines.At(place()); !whole.Known || whole.Text != "" || whole.Hash != lines.At(place(1)).Hash {
		t.Errorf("the whole file: %+v", whole)
	}
	if err := os.WriteFile(filepath.Join(lines.root, "empty"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"empty": "c129715d7a2bc9a3:1", "gone": ""} {
		if got := lines.At(ledger.Place{File: file}).Hash; got != want {
			t.Errorf("%s has the hash %q, want %q", file, got, want)
		}
	}
}

// Whatever a name or a link says, no file outside of the tree is read, and nothing that is not a
// file.
func TestLinesStayInside(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 3, nil)
	secret := filepath.Join(t.TempDir(), "secret")
	for path, text := range map[string]string{secret: "secret\n", filepath.Join(lines.root, "large"): strings.Repeat("x\n", maxContextFile/2) + "x\n", filepath.Join(lines.root, "full"): strings.Repeat("x\n", maxContextFile/2)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(lines.root, "link")); err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, file := range []string{"f", "link", "../" + filepath.Base(filepath.Dir(secret)) + "/secret", secret, ".", "large", "full", ""} {
		if lines.of(file).lines != nil {
			read = append(read, file)
		}
	}
	if !slices.Equal(read, []string{"f", "full"}) {
		t.Errorf("read: %q", read)
	}
}

// A file has the lines up to its last one; a file that cannot be read may have any line.
//
// Rule: A report is never filtered for its name.
func TestLinesThatAreThere(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 8, nil)
	if err := os.WriteFile(filepath.Join(lines.root, "empty"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(file string, start, end int) ledger.Place {
		return ledger.Place{File: file, Start: start, End: end}
	}
	for given, want := range map[ledger.Place]bool{
		place(): true, place(8): true, in("f", 7, 99): true, place(9): false, in("f", 11, 12): false,
		in("empty", 1, 1): false, in("empty", 0, 0): true, in("gone", 3, 3): true,
	} {
		if got := lines.has(given); got != want {
			t.Errorf("%v: %t", given, got)
		}
	}
}

// The line of an earlier finding is where its text is now, and nowhere if that no longer exists.
//
// Rule: A human's skip is remembered.
func TestStillStanding(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 8, func(text []string) { text[1], text[5] = "  same", "same" })
	print := func(text string, occurrence int) string {
		return ledger.Fingerprint("review:src:q", "f", ledger.LineFact{Known: true, Text: text, Occurrence: occurrence})
	}
	for name, test := range map[string]struct {
		print string
		was   ledger.Place
		want  ledger.Place
		there bool
	}{
		"moved": {print("word5", 0), place(40), place(5), true}, "a range": {print("word5", 0), place(40, 42), place(5, 7), true}, "the first of two": {print("same", 0), place(2), place(2), true},
		"the second": {print("same", 1), place(2), place(6), true}, "a third": {print("same", 2), place(2), ledger.Place{}, false}, "gone": {print("word2", 0), place(2), ledger.Place{}, false},
		"the file": {print("", 0), place(), place(), true}, "not known": {"", place(2), ledger.Place{}, false},
		"another file": {print("word5", 0), ledger.Place{File: "gone", Start: 5, End: 5}, ledger.Place{}, false},
	} {
		got, there := lines.still(ledger.EarlierViolation{Job: "review:src:q", Place: test.was, Fingerprint: test.print})
		if got != test.want || there != test.there {
			t.Errorf("%s: %v, %t", name, got, there)
		}
		if expired := lines.Expired(ledger.Skip{Line: test.print, ListedViolation: ledger.ListedViolation{Violation: ledger.Violation{Job: "review:src:q", Place: test.was}}}); expired == there {
			t.Errorf("%s: expired %t", name, expired)
		}
	}
}

// The words of a file are counted by line, once for all that ask.
func TestNamesOfAFile(t *testing.T) {
	t.Parallel()
	lines := numbered(t, 3, func(text []string) { text[2] = "word1() + word1" })
	for range 2 {
		names := lines.Names("f")
		if len(names) != 2 || names["word1"].Lines != 2 || !names["word1"].AsName || names["word2"].Lines != 1 {
			t.Errorf("%+v", names)
		}
	}
	if names := lines.Names("missing"); len(names) > 0 {
		t.Errorf("of a missing file: %+v", names)
	}
}
