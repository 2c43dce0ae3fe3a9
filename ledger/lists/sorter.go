package lists

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
)

// sorterMemory is how many bytes of records a [Sorter] keeps in memory.
const sorterMemory = 2 << 20

// mergeBuffer is how many bytes of each part of a [Sorter]'s file are read at a time.
const mergeBuffer = 4 << 10

// A Sorter sorts records by their bytes, even if they do not fit into memory: whenever it is full,
// it writes its records to a temporary file in order, and at the end it merges these parts. A list
// that fits into memory needs no file.
type Sorter struct {
	memory  []byte
	records []span
	file    *os.File
	parts   []span
}

// span is the start and end of a record in memory, or of a part of the file.
type span struct{ begin, end int64 }

// Add adds a copy of the record.
func (s *Sorter) Add(record []byte) error {
	if len(s.memory) > 0 && len(s.memory)+len(record) > sorterMemory {
		if err := s.spill(); err != nil {
			return s.explain(err)
		}
	}
	begin := int64(len(s.memory))
	s.memory = append(s.memory, record...)
	s.records = append(s.records, span{begin, int64(len(s.memory))})
	return nil
}

// Close removes the file.
func (s *Sorter) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if removed := os.Remove(s.file.Name()); !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// Each yields the records in order. Each record is overwritten by the next one.
func (s *Sorter) Each() iter.Seq2[[]byte, error] {
	if s.file == nil {
		return s.inMemory()
	}
	return func(yield func([]byte, error) bool) {
		for record, err := range s.merged() {
			if err != nil {
				yield(nil, s.explain(err))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
	}
}

func (s *Sorter) inMemory() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		s.sort()
		for _, r := range s.records {
			if !yield(s.memory[r.begin:r.end], nil) {
				return
			}
		}
	}
}

func (s *Sorter) sort() {
	slices.SortFunc(s.records, func(a, b span) int {
		return bytes.Compare(s.memory[a.begin:a.end], s.memory[b.begin:b.end])
	})
}

// spill writes the records in memory to the file as its next part.
func (s *Sorter) spill() (err error) {
	part := span{}
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "reviewledger-sort-*"); err != nil {
			return err
		}
		// Where the system allows it, the file no longer has a name, so that a killed process
		// leaves nothing behind. Elsewhere Close removes it.
		_ = os.Remove(s.file.Name())
	} else {
		part.begin = s.parts[len(s.parts)-1].end
	}
	part.end = part.begin
	s.sort()
	out := bufio.NewWriterSize(s.file, 1<<16)
	for _, r := range s.records {
		length := binary.AppendUvarint(nil, uint64(r.end-r.begin))
		_, _ = out.Write(length)
		_, _ = out.Write(s.memory[r.begin:r.end]) // Flush returns the error
		part.end += int64(len(length)) + r.end - r.begin
	}
	s.parts = append(s.parts, part)
	s.memory, s.records = s.memory[:0], s.records[:0]
	return out.Flush()
}

// merged yields the records of all parts in order.
func (s *Sorter) merged() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if len(s.records) > 0 {
			if err := s.spill(); err != nil {
				yield(nil, err)
				return
			}
		}
		s.memory, s.records = nil, nil
		var parts mergeHeap
		for _, at := range s.parts {
			part := &sortedPart{from: bufio.NewReaderSize(io.NewSectionReader(s.file, at.begin, at.end-at.begin), mergeBuffer)}
			if err := part.next(); err != nil { // no part is empty
				yield(nil, err)
				return
			}
			parts = append(parts, part)
		}
		heap.Init(&parts)
		for len(parts) > 0 {
			if !yield(parts[0].record, nil) {
				return
			}
			switch err := parts[0].next(); {
			case errors.Is(err, io.EOF):
				heap.Pop(&parts)
			case err != nil:
				yield(nil, err)
				return
			default:
				heap.Fix(&parts, 0)
			}
		}
	}
}

// explain adds to an error with the file what can be done about it.
func (s *Sorter) explain(err error) error {
	return fmt.Errorf("sort a long list in a file in %q: %w: free some disk space there, let TMPDIR name another folder, or ask for fewer with a limit", os.TempDir(), err)
}

// sortedPart is a part of the file that is being read.
type sortedPart struct {
	from   *bufio.Reader
	record []byte
}

// next reads the next record. The error is [io.EOF] after the last one.
func (p *sortedPart) next() error {
	length, err := binary.ReadUvarint(p.from)
	if err != nil {
		return err
	}
	p.record = slices.Grow(p.record[:0], int(length))[:length]
	if _, err = io.ReadFull(p.from, p.record); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// mergeHeap has the part with the smallest record first.
type mergeHeap []*sortedPart

// Len implements [heap.Interface], as Less and Swap do.
func (h mergeHeap) Len() int           { return len(h) }
func (h mergeHeap) Less(i, j int) bool { return bytes.Compare(h[i].record, h[j].record) < 0 }
func (h mergeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements [heap.Interface].
func (h *mergeHeap) Push(part any) { *h = append(*h, part.(*sortedPart)) }

// Pop implements [heap.Interface].
func (h *mergeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
