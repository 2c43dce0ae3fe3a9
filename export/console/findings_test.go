package console

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestFindingLines(t *testing.T) {
	t.Parallel()
	got := findingLines([]ledger.SlotEntry{
		{ID: "one", File: "a.go", Issue: "is whole", Priority: "low"},
		{ID: "two", File: "a.go", Line: 3, EndLine: 3, Issue: "has a line", Priority: "low"},
		{ID: "three", File: "b.go", Line: 10, EndLine: 14, Issue: "has a range and many words\nand more", Priority: "high", Gone: "codex@2: it was removed: see a.go"},
	}, 44)
	want := "  three  high      b.go:10-14 has a range a…\n" +
		"    codex@2 says that this is gone: mark it\n" +
		"  one  low       a.go is whole\n" +
		"  two  low       a.go:3 has a line\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for gone, want := range map[string]string{
		"":                     "",
		"claude@1: it is \x1b": "claude@1 says that this is gone: mark it",
		"\x1b@1: it is":        `\x1b@1 says that this is gone: mark it`,
	} {
		if got := GoneText(gone); got != want {
			t.Errorf("%q: %q, want %q", gone, got, want)
		}
	}
}
