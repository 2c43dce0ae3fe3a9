package exchange

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxDumpLine limits the length of a line of a dump, in bytes: large enough for a long text in
// base64, but so that a file that is not a dump does not fill the memory.
const maxDumpLine = 512 << 20

// Record is one record of a dump: a row, or a run with all its rows. Line is the 1-based number of its
// first line.
type Record struct {
	Line int
	Row  Row
	Run  *Run // nil if it is a row
}

// A Reader reads the records of a dump. At most one run is in memory.
type Reader struct {
	lines dumpLines
	rows  int // number of lines read
	jobs  map[Place]struct{}
	run   *Run
	// seen has the rows of the run that others may refer to.
	seen map[Place]struct{}
	// next is the record that follows the run that was just returned.
	next  *Record
	ended bool
}

// NewReader returns a Reader of the dump in r.
func NewReader(r io.Reader) *Reader {
	return &Reader{lines: dumpLines{r: bufio.NewReaderSize(r, 64<<10)}, jobs: map[Place]struct{}{}}
}

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
		line, err := r.line()
		if err != nil {
			return Record{}, err
		}
		before := r.run
		row, err := r.read(line)
		if err != nil {
			return Record{}, fmt.Errorf("line %d: %w", line.number, err)
		}
		r.rows++
		switch {
		case row.Of != "" || row.Kind == "run" && before == nil:
			continue // it is returned with all rows of its run
		case before == nil:
			return Record{Line: line.number, Row: row}, nil
		case row.Kind != "run":
			r.run, r.next = nil, &Record{Line: line.number, Row: row}
		}
		return Record{Line: before.Head.Line, Run: before}, nil
	}
}

// line returns the next line.
func (r *Reader) line() (line dumpLine, err error) {
	text, err := r.lines.next()
	switch {
	case errors.Is(err, io.EOF) && r.ended:
		return line, io.EOF
	case errors.Is(err, io.EOF):
		return line, errors.New("the dump was cut short: its last record, end, is missing; write it again with `reviewledger export ndjson`")
	case err == nil && r.ended:
		return line, fmt.Errorf("line %d: nothing may follow the record end", r.lines.number)
	case err == nil:
		line, err = openLine(text)
	}
	switch line.number = r.lines.number; {
	case err != nil:
		return line, fmt.Errorf("line %d: not a record of a dump: %w", line.number, err)
	case (r.rows == 0) != (line.Record == "header"):
		return line, fmt.Errorf("line %d: a dump begins with one record header: is this the output of `reviewledger export ndjson`?", line.number)
	}
	return line, nil
}

// read returns the row of a line, and adds it to its run.
func (r *Reader) read(line dumpLine) (Row, error) {
	t := TableOf(line.Record)
	if t == nil {
		return Row{}, fmt.Errorf("unknown record %q", line.Record)
	}
	if t.Kind == "header" {
		// Another format may have other keys, so the format is checked first.
		var header struct{ Format int }
		if err := json.Unmarshal(line.Row, &header); err == nil && header.Format != Format {
			return Row{}, fmt.Errorf("the dump has format %d, and this program reads format %d: import it with the reviewledger that wrote it, or a newer one", header.Format, Format)
		}
	}
	row, err := line.decode(t)
	if err != nil {
		return row, err
	}
	switch t.Kind {
	case "job":
		r.jobs[row.At()] = struct{}{}
	case "blob":
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(row.Text("data")))); sum != row.Text("sha256") {
			return row, fmt.Errorf("record blob: its data have the SHA-256 %s, not %q", sum, row.Text("sha256"))
		}
	case "end":
		if r.ended = true; row.Number("rows") != int64(r.rows) {
			return row, fmt.Errorf("record end: there should be %d records before it, not %d", row.Number("rows"), r.rows)
		}
	case "run":
		r.run, r.seen = &Run{Head: row, Rows: map[string][]Row{}}, map[Place]struct{}{row.At(): {}}
	}
	if t.Of == "" {
		return row, nil
	}
	return row, r.add(row)
}

// add adds a row to the run. It may refer only to rows of the same run, so that the rows of one run
// cannot change another run.
func (r *Reader) add(row Row) error {
	switch {
	case r.run == nil:
		return fmt.Errorf("record %s: it comes before the first run", row.Kind)
	case row.Text("run") != r.run.ID():
		return fmt.Errorf("record %s: it is of run %q, but is among the records of run %q", row.Kind, row.Text("run"), r.run.ID())
	}
	r.run.Rows[row.Kind] = append(r.run.Rows[row.Kind], row)
	if err := r.refers(row); err != nil {
		return err
	}
	if row.named {
		r.seen[row.At()] = struct{}{}
	}
	return nil
}

// refers checks that what the row refers to comes before it.
func (r *Reader) refers(row Row) error {
	var needs []Place
	for _, ref := range row.Refs {
		at, refers := row.Refers(ref)
		_, there := r.seen[at]
		switch {
		case !refers || there || ref.Later || ref.Kind == "blob": // of a blob, only the hash may be there
		case ref.Kind == "violation":
			return fmt.Errorf("record %s: the run has no %s before this line", row.Kind, at)
		default:
			needs = append(needs, at)
		}
	}
	if row.Kind == "transition" {
		needs = append(needs, row.subject())
	}
	for _, at := range needs {
		_, there := r.seen[at]
		_, job := r.jobs[at]
		if !there && !job && r.run.dangling == nil {
			where := ""
			if row.Line > 0 {
				where = fmt.Sprintf("line %d: ", row.Line)
			}
			r.run.dangling = fmt.Errorf("%srecord %s: it refers to %s, which is not before it", where, row.Kind, at)
		}
	}
	return nil
}

// dumpLines reads lines into one buffer.
type dumpLines struct {
	r      *bufio.Reader
	line   []byte
	number int
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
