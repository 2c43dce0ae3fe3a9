package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/reviewledger/reviewledger/internal/strictjson"
)

// A Document is a run with everything that its rows refer to, as the team store keeps it.
type Document struct {
	Run  *Run
	Jobs []Job
	// Forgotten are the skips of the run's violations that were forgotten.
	Forgotten []ForgottenSkip
	// Texts are the long texts that its rows refer to, if they may leave the machine.
	Texts []Blob
}

// Encode returns the document as two JSON objects, whose keys are the kinds of records of a dump,
// each with a list of rows. What only [ContentFull] has is in the second one, compressed; it is nil
// if there is nothing of that. NUL, which PostgreSQL does not accept, and what is not UTF-8 become
// U+FFFD.
func (d Document) Encode() (record, texts []byte, err error) {
	words, texted := object{}, object{}
	words.put("run", d.Run.Head, 1)
	words.put("job", d.Jobs, len(d.Jobs))
	words.put("forgotten_skip", d.Forgotten, len(d.Forgotten))
	for kind, list := range d.Run.Lists() {
		rows := reflect.ValueOf(list).Elem()
		into := &words
		if slices.Contains(columnRules(kind, rows.Type().Elem()), long) {
			into = &texted
		}
		into.put(kind, rows.Interface(), rows.Len())
	}
	if texted.keys == 0 {
		return words.end(), nil, words.err
	}
	texted.put("blob", d.Texts, len(d.Texts))
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, nil, err
	}
	_, err = w.Write(texted.end())
	return words.end(), packed.Bytes(), errors.Join(err, w.Close(), words.err, texted.err)
}

// object is a JSON object that is being written.
type object struct {
	bytes.Buffer
	keys int
	err  error
}

// put adds a key, unless its list is empty.
func (o *object) put(key string, value any, length int) {
	if length == 0 || o.err != nil {
		return
	}
	data, err := json.Marshal(value)
	if err != nil {
		o.err = fmt.Errorf("write record %s: %w", key, err)
		return
	}
	begin := ","
	if o.keys == 0 {
		begin = "{"
	}
	o.keys++
	fmt.Fprintf(o, "%s%q:", begin, key)
	o.Write(withoutNUL(data))
}

func (o *object) end() []byte { return append(o.Bytes(), '}') }

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
	parts, err := openObject(record)
	if err != nil {
		return d, err
	}
	if len(texts) > 0 {
		unpacked, err := gzip.NewReader(bytes.NewReader(texts))
		if err != nil {
			return d, fmt.Errorf("its texts: %w", err)
		}
		long, err := io.ReadAll(io.LimitReader(unpacked, maxTexts))
		if err != nil {
			return d, fmt.Errorf("its texts: %w", err)
		}
		more, err := openObject(long)
		if err != nil {
			return d, fmt.Errorf("its texts: %w", err)
		}
		for kind, rows := range more {
			if _, twice := parts[kind]; twice {
				return d, fmt.Errorf("its texts: duplicate key %q", kind)
			}
			parts[kind] = rows
		}
	}
	return parts.document()
}

// parts are the values of an object by key.
type parts map[string]json.RawMessage

func openObject(data []byte) (parts, error) {
	if !json.Valid(data) {
		return nil, errors.New("not valid JSON")
	}
	members, err := strictjson.ReadObject(data)
	if err != nil {
		return nil, fmt.Errorf("the record %w", err)
	}
	all := parts{}
	for _, m := range members {
		if _, twice := all[m.Key]; twice {
			return nil, fmt.Errorf("duplicate key %q", m.Key)
		}
		all[m.Key] = m.Value
	}
	return all, nil
}

// document reads the rows in the order of a dump.
func (p parts) document() (d Document, err error) {
	r := newDocumentReader()
	if err := r.each(p, "job", func(row any) { d.Jobs = append(d.Jobs, row.(Job)) }); err != nil {
		return d, err
	}
	if err := r.each(p, "forgotten_skip", func(row any) { d.Forgotten = append(d.Forgotten, row.(ForgottenSkip)) }); err != nil {
		return d, err
	}
	if err := r.each(p, "blob", func(row any) { d.Texts = append(d.Texts, row.(Blob)) }); err != nil {
		return d, err
	}
	head, err := r.read(dumpRecord{Record: "run", Row: p["run"]})
	if err != nil {
		return d, err
	}
	delete(p, "run")
	d.Run = head.(*Run)
	r.run = d.Run
	for _, t := range tables {
		if err := r.each(p, t.name(), nil); err != nil {
			return d, err
		}
	}
	for kind := range p {
		return d, fmt.Errorf("unknown record %q", kind)
	}
	return d, nil
}

// each reads the rows of a kind, and removes them from the parts.
func (r *Reader) each(p parts, kind string, take func(row any)) error {
	list, there := p[kind]
	if !there {
		return nil
	}
	delete(p, kind)
	var rows []json.RawMessage
	if err := json.Unmarshal(list, &rows); err != nil {
		return fmt.Errorf("record %s: %w", kind, err)
	}
	for _, row := range rows {
		r.rows++
		read, err := r.read(dumpRecord{Record: kind, Row: row})
		if err != nil {
			return err
		}
		if take != nil {
			take(read)
		}
	}
	return nil
}
