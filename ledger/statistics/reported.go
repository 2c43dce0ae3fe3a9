package statistics

import (
	"encoding/binary"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// Reported is what lists of files and of recurring lines need to know about a violation.
type Reported struct {
	// At is when the violation was first reported, as in a [Count], and ID its number in the
	// ledger.
	At, ID int64
	// File, Line and Reviewer are the numbers of these in the sums. Line is 0 if the line does not
	// recur.
	File, Line, Reviewer int64
	Outcome              Outcome
}

// Outcome is what became of a violation, as it is counted by file.
type Outcome struct {
	// Bucket is a bucket of [Files], or [notCounted] for a duplicate: its original is counted in
	// its place.
	Bucket     string
	InFixLines bool
}

// notCounted stands in for a bucket.
const notCounted = ""

// outcomes lists the outcomes; a packed violation holds an index into it.
var outcomes = []string{notCounted, FileOpen, FileAbandoned, FileClaimed, FileVerified, FileSkipped, FileWithdrawn}

// AddTo adds a violation with this outcome to the counts of a file.
func (o Outcome) AddTo(f *File) {
	if o.Bucket == notCounted {
		return
	}
	f.add(FileViolations, 1)
	f.add(o.Bucket, 1)
	if o.InFixLines {
		f.add(FileInFixLines, 1)
	}
}

// OutcomeOf returns the outcome of a violation of the run. A problem counts once in a file.
//
// Rule: A duplicate has the fate of what it was joined to.
func (r *Run) OutcomeOf(v *exchange.Violation) Outcome {
	o := Outcome{InFixLines: v.InFixLines != 0}
	switch status := r.shown(v); {
	case status.Open():
		o.Bucket = FileOpen
	case status == ledger.ShownAbandoned:
		o.Bucket = FileAbandoned
	case status == ledger.StatusFixed:
		o.Bucket = FileClaimed
	case status == ledger.StatusVerified:
		o.Bucket = FileVerified
	case status == ledger.StatusSkipped:
		o.Bucket = FileSkipped
	case status == ledger.StatusWithdrawn:
		o.Bucket = FileWithdrawn
	}
	return o
}

// PackReported encodes violations compactly: most differ little from the previous one.
func PackReported(list []Reported) []byte {
	packed := []byte{}
	var before Reported
	for _, v := range list {
		outcome := int64(slices.Index(outcomes, v.Outcome.Bucket)) << 1
		if v.Outcome.InFixLines {
			outcome |= 1
		}
		for _, n := range []int64{v.At - before.At, v.ID - before.ID, v.File, v.Line, v.Reviewer, outcome} {
			packed = binary.AppendVarint(packed, n)
		}
		before = v
	}
	return packed
}

// EachReported calls add with each violation that [PackReported] encoded.
func EachReported(packed []byte, add func(Reported)) error {
	var v Reported
	for len(packed) > 0 {
		var numbers [6]int64
		for i := range numbers {
			n, length := binary.Varint(packed)
			if length <= 0 {
				return ErrDamaged
			}
			numbers[i], packed = n, packed[length:]
		}
		outcome := numbers[5]
		if outcome < 0 || outcome>>1 >= int64(len(outcomes)) || min(numbers[2], numbers[3], numbers[4]) < 0 {
			return ErrDamaged
		}
		v = Reported{
			At: v.At + numbers[0], ID: v.ID + numbers[1], File: numbers[2], Line: numbers[3], Reviewer: numbers[4],
			Outcome: Outcome{outcomes[outcome>>1], outcome&1 == 1},
		}
		add(v)
	}
	return nil
}
