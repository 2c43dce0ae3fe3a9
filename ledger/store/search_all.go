package store

// This file yields all results of a search. They are sorted in a temporary file because they may
// not fit in memory.

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"math"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// allBatch is how many matching reports are read at a time when all results are listed.
const allBatch = 1000

// fewKept is the most violations that a filter may select for each to be looked up in the index
// when all results are listed. If it selects more, all matching reports are read.
const fewKept = 64_000

// all yields all results after the key, best first. They are sorted in a file, because their order
// is known only when all are found, and there may be as many as the ledger has reports.
func (w *wordSearch) all(ctx context.Context, after *searchKey) iter.Seq2[foundReport, error] {
	return func(yield func(foundReport, error) bool) {
		var sorter lists.Sorter
		defer func() { _ = sorter.Close() }() // everything was read
		err := w.eachFound(ctx, func(found []foundReport) error {
			for _, r := range found {
				if err := sorter.Add(r.record()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			yield(foundReport{}, err)
			return
		}
		var seen rowSet
		for record, err := range sorter.Each() {
			var r foundReport
			if err == nil {
				r, err = readRecord(record)
			}
			if err != nil {
				yield(foundReport{}, err)
				return
			}
			repeated := r.violation != 0 && !seen.add(r.violation)
			before := after != nil && r.Key().compare(*after) <= 0
			if !repeated && !before && !yield(r, nil) {
				return
			}
		}
	}
}

// eachFound passes all matching reports and notes that the filter keeps to add, in batches.
func (w *wordSearch) eachFound(ctx context.Context, add func([]foundReport) error) error {
	violations, discards, few, err := w.fewerKept(ctx)
	switch {
	case err != nil:
		return err
	case few:
		err = w.eachKept(ctx, violations, discards, add)
	default:
		err = w.eachMatching(ctx, add)
	}
	if err != nil {
		return err
	}
	for notes, err := range w.matchingNotes(ctx) {
		if err == nil {
			err = add(notes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fewerKept returns the violations and the discarded reports that the filter selects, if they are
// fewer than the matching reports, so that the shorter of the two lists is read.
func (w *wordSearch) fewerKept(ctx context.Context) (violations, discards []int64, fewer bool, err error) {
	for n := 1000; n <= fewKept; n *= 4 {
		matching, err := idsOf(w.MatchingReports(ctx, db.MatchingReportsParams{Query: w.match, Before: math.MaxInt64, AtMost: int64(n)}))
		if err != nil || len(matching) < n {
			return nil, nil, false, err
		}
		violations, discards, all, err := w.kept(ctx, n)
		if err != nil || all {
			return violations, discards, all, err
		}
	}
	return nil, nil, false, nil
}

func (w *wordSearch) eachMatching(ctx context.Context, add func([]foundReport) error) error {
	for {
		found, all, err := w.Matching(ctx, allBatch)
		if err == nil {
			err = add(found)
		}
		if err != nil || all {
			return err
		}
	}
}

func (w *wordSearch) eachKept(ctx context.Context, violations, discards []int64, add func([]foundReport) error) error {
	for len(violations)+len(discards) > 0 {
		v, d := min(len(violations), allBatch), min(len(discards), allBatch)
		found, err := w.matchingOf(ctx, violations[:v], discards[:d])
		if err == nil {
			err = add(found)
		}
		if err != nil {
			return err
		}
		violations, discards = violations[v:], discards[d:]
	}
	return nil
}

// timeBytes is the length of a time in the database.
const timeBytes = len("2006-01-02T15:04:05.000Z")

// record encodes a result as bytes that sort by its key; [readRecord] decodes them. The fields
// Discard and Notes are left out: they are read again when the result is listed.
func (r foundReport) record() []byte {
	record := binary.BigEndian.AppendUint64(nil, ^math.Float64bits(r.score)) // scores are never negative
	var at [timeBytes]byte
	copy(at[:], r.at)
	for _, c := range at {
		record = append(record, ^c)
	}
	row := uint64(r.id) // notes come after reports
	if r.id >= 0 {
		row = uint64(math.MaxInt64 - r.id)
	}
	record = binary.BigEndian.AppendUint64(record, row)
	record = binary.AppendVarint(record, r.violation)
	record = appendText(record, r.Title)
	for _, part := range r.Snippet {
		mark := byte(0)
		if part.Match {
			mark = 1
		}
		record = appendText(append(record, mark), part.Text)
	}
	return record
}

func appendText(record []byte, text string) []byte {
	return append(binary.AppendUvarint(record, uint64(len(text))), text...)
}

func readRecord(record []byte) (r foundReport, err error) {
	const key = 8 + timeBytes + 8
	if len(record) < key {
		return r, errRecord
	}
	r.score = math.Float64frombits(^binary.BigEndian.Uint64(record))
	at := make([]byte, 0, timeBytes)
	for _, c := range record[8 : 8+timeBytes] {
		if c != ^byte(0) {
			at = append(at, ^c)
		}
	}
	r.at = string(at)
	if row := binary.BigEndian.Uint64(record[8+timeBytes:]); row <= math.MaxInt64 {
		r.id = math.MaxInt64 - int64(row)
	} else {
		r.id = int64(row)
	}
	violation, n := binary.Varint(record[key:])
	if n <= 0 {
		return r, errRecord
	}
	r.violation = violation
	if r.Title, record, err = cutText(record[key+n:]); err != nil {
		return r, err
	}
	for len(record) > 0 {
		part := ledger.SnippetPart{Match: record[0] == 1}
		if part.Text, record, err = cutText(record[1:]); err != nil {
			return r, err
		}
		r.Snippet = append(r.Snippet, part)
	}
	return r, nil
}

// errRecord means that another process wrote to the file in which a list was sorted.
var errRecord = errors.New("the temporary file that the list was sorted in was changed: search again")

func cutText(record []byte) (text string, rest []byte, err error) {
	length, n := binary.Uvarint(record)
	if n <= 0 || length > uint64(len(record)-n) {
		return "", nil, errRecord
	}
	end := n + int(length)
	return string(record[n:end]), record[end:], nil
}

// rowSet is a set of row numbers, many of which are close together.
type rowSet map[int64]uint64

// add adds the row, and reports false if it was in the set already.
func (s *rowSet) add(row int64) bool {
	if *s == nil {
		*s = rowSet{}
	}
	bit := uint64(1) << (row & 63)
	if (*s)[row>>6]&bit != 0 {
		return false
	}
	(*s)[row>>6] |= bit
	return true
}
