package exchange

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/reviewledger/reviewledger/internal/strictjson"
)

// A Document is a run with everything that its rows refer to, as the team store keeps it.
type Document struct {
	Run  *Run
	Jobs []Row
	// Forgotten are the skips of the run's violations that were forgotten.
	Forgotten []Row
	// Texts are the long texts that its rows refer to, if they may leave the machine.
	Texts []Row
}

// Encode returns the document as a JSON object, whose keys are the kinds of records of a dump, each with
// a list of rows. What only [ContentFull] has is apart from it, as lines of a dump, compressed; it is nil
// if there is nothing of that. NUL, which PostgreSQL does not accept, and what is not UTF-8 become
// U+FFFD in the object.
func (d Document) Encode() (record, texts []byte, err error) {
	var packed bytes.Buffer
	long, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, nil, err
	}
	lines := NewWriter(long)
	for _, text := range d.Texts {
		if err := lines.row(text); err != nil {
			return nil, nil, err
		}
	}
	words := map[string]any{"run": d.Run.Head}
	if d.Jobs != nil {
		words["job"] = d.Jobs
	}
	if d.Forgotten != nil {
		words["forgotten_skip"] = d.Forgotten
	}
	for _, t := range OfRun() {
		rows := d.Run.Rows[t.Kind]
		if !t.Texts() {
			if rows != nil {
				words[t.Kind] = rows
			}
			continue
		}
		for _, row := range rows {
			if err := lines.row(row); err != nil {
				return nil, nil, err
			}
		}
	}
	record, err = json.Marshal(words)
	if err := errors.Join(err, long.Close()); err != nil || lines.rows == 0 {
		return withoutNUL(record), nil, err
	}
	return withoutNUL(record), packed.Bytes(), nil
}

// withoutNUL replaces NUL in the strings of a JSON text.
func withoutNUL(data []byte) []byte {
	nul, instead := []byte(`\u0000`), `\ufffd`
	if !bytes.Contains(data, nul) {
		return data
	}
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(data[i:], nul) {
			copy(data[i:], instead)
		}
		i++ // the escaped character may be a backslash
	}
	return data
}

// maxTexts limits the size of the long texts of one run, so that a compressed one does not fill the
// memory.
const maxTexts = 1 << 30

// Decode reads a document. It accepts what a [Reader] accepts in a dump; in particular, rows refer
// only to rows of the same run. texts may be nil, or empty.
func Decode(record, texts []byte) (d Document, err error) {
	lines := map[string][]dumpLine{}
	if err := readObject(record, lines); err != nil {
		return d, err
	}
	if err := readLines(texts, lines); err != nil {
		return d, fmt.Errorf("its texts: %w", err)
	}
	r := NewReader(nil)
	for _, t := range Tables() {
		if t.Kind == "run" && len(lines["run"]) == 0 {
			return d, errors.New("it does not have a run")
		}
		for _, line := range lines[t.Kind] {
			row, err := r.read(line)
			if err != nil {
				return d, err
			}
			switch {
			case t.Kind == "job":
				d.Jobs = append(d.Jobs, row)
			case t.Kind == "forgotten_skip":
				d.Forgotten = append(d.Forgotten, row)
			case t.Kind == "blob":
				d.Texts = append(d.Texts, row)
			case t.Kind != "run" && t.Of == "":
				return d, fmt.Errorf("record %s: it does not belong to a run", t.Kind)
			}
		}
		d.Run = r.run
		delete(lines, t.Kind)
	}
	for kind := range lines {
		return d, fmt.Errorf("unknown record %q", kind)
	}
	return d, nil
}

// readObject reads the rows of a JSON object by kind.
func readObject(data []byte, into map[string][]dumpLine) error {
	if !json.Valid(data) {
		return errors.New("not valid JSON")
	}
	members, err := strictjson.ReadObject(data)
	if err != nil {
		return fmt.Errorf("the record %w", err)
	}
	for _, m := range members {
		if into[m.Key] != nil {
			return fmt.Errorf("duplicate key %q", m.Key)
		}
		rows := []json.RawMessage{m.Value}
		if m.Key != "run" {
			if err := json.Unmarshal(m.Value, &rows); err != nil {
				return fmt.Errorf("record %s: %w", m.Key, err)
			}
		}
		into[m.Key] = []dumpLine{}
		for _, row := range rows {
			into[m.Key] = append(into[m.Key], dumpLine{Record: m.Key, Row: row})
		}
	}
	return nil
}

// readLines reads compressed lines of a dump by kind.
func readLines(data []byte, into map[string][]dumpLine) error {
	if len(data) == 0 {
		return nil
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	lines := dumpLines{r: bufio.NewReader(io.LimitReader(unpacked, maxTexts))}
	for {
		text, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, err := openLine(bytes.Clone(text))
		if err != nil {
			return err
		}
		if t := TableOf(line.Record); t == nil || !t.Texts() {
			return fmt.Errorf("unknown record %q", line.Record)
		}
		into[line.Record] = append(into[line.Record], line)
	}
}
