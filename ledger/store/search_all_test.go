package store

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// A result is decoded from its record unchanged, and records sort as their keys do.
func TestRecordsAreSortedAsKeys(t *testing.T) {
	t.Parallel()
	const older, newer = "2026-01-02T03:04:05.006Z", "2026-01-02T03:04:05.007Z"
	snippet := ledger.MarkedText{{Text: "…a \x02 text "}, {Text: "matches", Match: true}, {Text: ""}, {Text: "\xff"}}
	var found []foundReport
	for _, score := range []float64{0, 5e-324, 0.1, 0.25, 1, 9.5} {
		for _, at := range []string{"", older, newer} {
			for _, id := range []int64{-1 << 62, -7, -1, 1, 2, 1 << 40, 1<<63 - 1} {
				found = append(found,
					foundReport{id: id, at: at, score: score},
					foundReport{id: id, at: at, score: score, violation: 1 << 50, SearchHit: ledger.SearchHit{Title: "a title", Snippet: snippet}})
			}
		}
	}
	for _, a := range found {
		back, err := readRecord(a.record())
		if d := cmp.Diff(a, back, cmp.AllowUnexported(foundReport{})); d != "" || err != nil {
			t.Errorf("came back with %v (-want +got):\n%s", err, d)
		}
		for _, b := range found {
			want, got := a.Key().compare(b.Key()), bytes.Compare(a.record(), b.record())
			if want != 0 && want != got {
				t.Errorf("%+v and %+v: the keys compare as %d, the records as %d", a.Key(), b.Key(), want, got)
			}
		}
	}
}

// A damaged record is an error, wherever it was truncated.
func TestDamagedRecords(t *testing.T) {
	t.Parallel()
	whole := foundReport{id: 1, SearchHit: ledger.SearchHit{Title: "title", Snippet: ledger.MarkedText{{Text: "text", Match: true}}}}.record()
	for n := range len(whole) {
		back, err := readRecord(whole[:n])
		if err == nil && len(back.Snippet) > 0 {
			t.Errorf("the first %d bytes of %d were read: %+v", n, len(whole), back)
		}
	}
}

// A set contains what was added to it, and nothing else.
func TestRowSet(t *testing.T) {
	t.Parallel()
	var set rowSet
	for _, row := range []int64{1, 63, 64, 65, 1 << 40, 1<<63 - 1} {
		if !set.add(row) || set.add(row) {
			t.Errorf("row %d: not new at first, or new again", row)
		}
	}
}
