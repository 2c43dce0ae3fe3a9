package exchange

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
)

// maxDumpLine limits the length of a line of a dump, in bytes: large enough for a long text in
// base64, but so that a file that is not a dump does not fill the memory.
const maxDumpLine = 512 << 20

// Record is one record of a dump, with the 1-based number of its first line.
type Record struct {
	Line int
	// Row is a value that [Writer.Put] accepts.
	Row any
}

// A Reader reads the records of a dump. At most one run is in memory.
type Reader struct {
	lines  dumpLines
	rows   int // number of lines read
	jobs   map[string]bool
	run    *Run
	begins int // the first line of the run
	// seen has the rows of the run that others may refer to.
	seen map[Place]struct{}
	// next is the record that follows the run that was just returned.
	next  *Record
	ended bool
}

// NewReader returns a Reader of the dump in r.
func NewReader(r io.Reader) *Reader {
	return &Reader{lines: dumpLines{r: bufio.NewReaderSize(r, 64<<10)}, jobs: map[string]bool{}}
}

// newDocumentReader returns a Reader for the rows of a [Document], which are not lines.
func newDocumentReader() *Reader { return &Reader{jobs: map[string]bool{}} }

// Next returns the next record, and [io.EOF] after the record end, which must be the last. A run is
// returned with all its rows. If a line is not a record of a dump, or is not allowed in its place,
// the error names the line. If a row refers to something that does not come before it, its run is
// unsound instead: see [Run.Sound].
func (r *Reader) Next() (Record, error) {
	if r.next != nil {
		record := *r.next
		r.next = nil
		return record, nil
	}
	for {
		line, err := r.lines.next()
		switch {
		case errors.Is(err, io.EOF) && r.ended:
			return Record{}, io.EOF
		case errors.Is(err, io.EOF):
			return Record{}, errors.New("the dump was cut short: its last record, end, is missing; write it again with `reviewledger export ndjson`")
		case err == nil && r.ended:
			return Record{}, fmt.Errorf("line %d: nothing may follow the record end", r.lines.number)
		}
		var record dumpRecord
		if err == nil {
			record, err = openRecord(line)
		}
		if err != nil {
			return Record{}, fmt.Errorf("line %d: not a record of a dump: %w", r.lines.number, err)
		}
		row, err := r.read(record)
		if err != nil {
			return Record{}, fmt.Errorf("line %d: %w", r.lines.number, err)
		}
		r.rows++
		if record, ok := r.give(row); ok {
			return record, nil
		}
	}
}

// give returns a record, or the run that ends before it. The start of a run and the rows of a run
// return nothing yet.
func (r *Reader) give(row any) (Record, bool) {
	if row == nil {
		return Record{}, false
	}
	record, run := Record{Line: r.lines.number, Row: row}, Record{Line: r.begins, Row: r.run}
	ended := r.run
	r.run, _ = row.(*Run)
	switch begins := r.run != nil; {
	case begins:
		r.begins = record.Line
	case ended == nil:
		return record, true
	default:
		r.next = &record
	}
	return run, ended != nil
}

// read returns the record on a line, or nil if it is a row of the run.
func (r *Reader) read(line dumpRecord) (row any, err error) {
	if (r.rows == 0) != (line.Record == "header") && r.lines.r != nil {
		return nil, errors.New("a dump begins with one record header: is this the output of `reviewledger export ndjson`?")
	}
	switch line.Record {
	case "header":
		return header(line)
	case "meta":
		return decoded[Meta](line)
	case "job":
		job, err := decoded[Job](line)
		r.jobs[job.Job] = true
		return job, err
	case "cooldown":
		return decoded[Cooldown](line)
	case "file":
		return decoded[File](line)
	case "forgotten_skip":
		return decoded[ForgottenSkip](line)
	case "blob":
		return blobOf(line)
	case "end":
		end, err := decoded[End](line)
		if r.ended = true; err == nil && end.Rows != r.rows {
			err = fmt.Errorf("record end: there should be %d records before it, not %d", end.Rows, r.rows)
		}
		return end, err
	case "run":
		head, err := decoded[Head](line)
		r.seen = map[Place]struct{}{{Kind: "run"}: {}}
		return &Run{Head: head}, err
	}
	return nil, r.row(line)
}

func decoded[R any](line dumpRecord) (row R, err error) {
	return row, line.decode(&row)
}

func header(line dumpRecord) (header Header, err error) {
	// Another format may have other keys, so the format is checked first.
	if err := json.Unmarshal(line.Row, &header); err == nil && header.Format != Format {
		return header, fmt.Errorf("the dump has format %d, and this program reads format %d: import it with the reviewledger that wrote it, or a newer one", header.Format, Format)
	}
	return decoded[Header](line)
}

func blobOf(line dumpRecord) (Blob, error) {
	blob, err := decoded[Blob](line)
	if sum := sha256.Sum256(blob.Data); err == nil && !bytes.Equal(sum[:], blob.Sha256) {
		err = fmt.Errorf("record blob: its data have the SHA-256 %x, not %x", sum, blob.Sha256)
	}
	return blob, err
}

// row adds a row to the run. It may refer only to rows of the same run, so that the rows of one run
// cannot change another run.
func (r *Reader) row(line dumpRecord) error {
	table := tableNamed()[line.Record]
	if table == nil {
		return fmt.Errorf("unknown record %q", line.Record)
	}
	run := r.run
	if run == nil {
		run = &Run{} // it has no rows, so the row is refused
	}
	at, needs, err := table.take(run, line.decode)
	if err == nil && r.run == nil {
		err = fmt.Errorf("record %s: it comes before the first run", line.Record)
	}
	if err != nil {
		return err
	}
	for _, need := range needs {
		_, there := r.seen[need]
		switch {
		case there, need.Kind == "job" && r.jobs[need.Job]:
		case need.Kind == "violation":
			return fmt.Errorf("record %s: the run has no violation %q before this line", line.Record, need.ID)
		case run.dangling == nil:
			run.dangling = fmt.Errorf("%srecord %s: it refers to %s, which is not before it", r.lines.where(), line.Record, need)
		}
	}
	if referred[at.Kind] {
		r.seen[at] = struct{}{}
	}
	return nil
}

// referred lists the kinds of rows that other rows refer to.
var referred = map[string]bool{
	"iteration": true, "gate": true, "slot": true, "violation": true, "report": true, "event": true, "code_review": true,
}

var tableNamed = sync.OnceValue(func() map[string]table {
	named := map[string]table{}
	for _, t := range tables {
		named[t.name()] = t
	}
	return named
})

// dumpLines reads lines into one buffer.
type dumpLines struct {
	r      *bufio.Reader
	line   []byte
	number int
}

// where begins an error about the line, or is "" if there are no lines.
func (l *dumpLines) where() string {
	if l.number == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", l.number)
}

// keptLine limits the size of the buffer that is kept for the next line, because few lines have a
// long text.
const keptLine = 1 << 20

func (l *dumpLines) next() ([]byte, error) {
	if l.line = l.line[:0]; cap(l.line) > keptLine {
		l.line = nil
	}
	l.number++
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil && len(l.line) == 0 {
			return part, nil // the whole line is in the reader's buffer
		}
		l.line = append(l.line, part...)
		switch {
		case len(l.line) > maxDumpLine:
			return nil, fmt.Errorf("the line has more than %d bytes", maxDumpLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.line) > 0:
			return l.line, nil
		}
		return l.line, err
	}
}

// dumpRecord is a line of a dump.
type dumpRecord struct {
	Record string
	// Base64 has the keys of row whose text is not valid UTF-8 and is encoded in base64.
	Base64 []string
	Row    json.RawMessage
}

// openRecord parses a line except for its row, which is decoded when its kind is known.
func openRecord(line []byte) (d dumpRecord, err error) {
	if !json.Valid(line) {
		return d, errors.New("not valid JSON")
	}
	object, err := strictjson.ReadObject(bytes.TrimSpace(line))
	if err != nil {
		return d, fmt.Errorf("the line %w", err)
	}
	for _, m := range object {
		switch {
		case m.Key == "record" && d.Record == "":
			err = json.Unmarshal(m.Value, &d.Record)
		case m.Key == "row" && d.Row == nil:
			d.Row = m.Value
		case m.Key == "base64" && d.Base64 == nil:
			err = json.Unmarshal(m.Value, &d.Base64)
		default:
			err = fmt.Errorf("unknown or duplicate key %q", m.Key)
		}
		if err != nil {
			return d, err
		}
	}
	if d.Record == "" || d.Row == nil {
		return d, errors.New("it has no record, or no row")
	}
	return d, nil
}

// decode fills a struct with the row: see [decodeRow].
func (d dumpRecord) decode(into any) error {
	err := decodeRow(d.Row, into)
	if err == nil {
		err = disarmour(reflect.ValueOf(into).Elem(), d.Base64)
	}
	if err != nil {
		return fmt.Errorf("record %s: %w", text.EscapeLine(d.Record), err)
	}
	return nil
}
