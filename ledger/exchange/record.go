// Package exchange defines the records in which whole runs are passed between stores. They are the
// lines of a dump; they can be cut down to what may leave the machine, and compared with what the
// other store has. The package does not open a database.
package exchange

import (
	"fmt"
	"strconv"
	"time"
)

// Format is the version of the records in a dump. It changes when an older program would misread
// them.
const Format = 1

// Run is one run as a record: all of its rows, in the order in which they were recorded. Rows refer
// to others in the same way in every ledger: to runs and violations by ULID, to an iteration by
// number, to a slot by review index, to a long text by SHA-256. Unknown values are nil.
type Run struct {
	Head Row
	// Rows are the other rows, by kind.
	Rows map[string][]Row

	// dangling is the error for the first row that refers to something that does not come before
	// it.
	dangling error
}

// ID returns the ULID of the run.
func (r *Run) ID() string { return r.Head.Text("run") }

// Each calls do with every row of the run but its head, in the order of a dump, in which no row
// refers to a later one.
func (r *Run) Each(do func(Row) error) error {
	for _, t := range OfRun() {
		for _, row := range r.Rows[t.Kind] {
			if err := do(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Texts returns the hashes of the long texts that rows of the run refer to, each once.
func (r *Run) Texts() (hashes []string) {
	seen := map[string]bool{}
	for _, t := range OfRun() {
		if !t.Texts() {
			continue
		}
		for _, row := range r.Rows[t.Kind] {
			if hash := row.Text("sha256"); !seen[hash] {
				seen[hash] = true
				hashes = append(hashes, hash)
			}
		}
	}
	return hashes
}

// Place identifies a row of a run in any ledger, in words.
type Place string

// placeOf returns the place of the row of a kind with this key.
func placeOf(kind string, key []any) Place {
	text := make([]byte, 0, 64)
	names := TableOf(kind).names
	for i := len(names) - 1; i >= 0; i-- {
		switch {
		case i == len(names)-1:
		case names[i] == "iteration":
			text = append(text, " in "...)
		default:
			text = append(text, " of "...)
		}
		text = append(append(text, names[i]...), ' ')
		switch value := key[i].(type) {
		case string:
			text = strconv.AppendQuote(text, value)
		case int64:
			text = strconv.AppendInt(text, value, 10)
		default:
			text = fmt.Append(text, value)
		}
	}
	switch {
	case len(names) == 0:
		return Place("the " + kind)
	case kind == "report":
		return Place("the report at " + string(text))
	}
	return Place(text)
}

// At returns the row's place. Transitions do not have one.
func (r Row) At() Place { return r.place(r.Kind, r.keys) }

// place returns the place of the row of a kind whose key is in these columns.
func (r Row) place(kind string, columns []int) Place {
	var key [8]any
	for i, column := range columns {
		key[i] = r.Values[column]
	}
	return placeOf(kind, key[:len(columns)])
}

// Refers returns the place of the row that r refers to, if it does: unknown keys are nil, and a
// transition refers to its subject only.
func (r Row) Refers(ref Ref) (at Place, refers bool) {
	if r.Kind == "transition" && ref.Kind != "run" {
		return r.place(ref.Kind, ref.Keys), ref.Kind == r.Text("subject")
	}
	for _, key := range ref.Keys {
		if r.Values[key] == nil {
			return "", false
		}
	}
	return r.place(ref.Kind, ref.Keys), true
}

// Refer fills in the key of the row that r refers to, and the ULID of its run.
func (r Row) Refer(ref Ref, to Row) {
	for i, key := range to.keys {
		r.Values[ref.Keys[i]] = to.Values[key]
	}
	r.Values[0] = to.Text("run")
}

// subject returns the place whose status a transition changed. If the transition is inconsistent, no
// row has that place.
func (r Row) subject() Place {
	given := 0
	for _, key := range []string{"iteration", "job", "slot"} {
		if r.Value(key) != nil {
			given++
		}
	}
	for _, ref := range r.Refs {
		if ref.Kind == r.Text("subject") && len(ref.Keys) == given {
			return r.place(ref.Kind, ref.Keys)
		}
	}
	return Place(fmt.Sprintf("the subject %q", r.Text("subject")))
}

// Begun returns the row as it began: transitions and events, which come later in a record, set the
// rest. A slot had neither an error nor notes then.
func (r Row) Begun() Row {
	switch r.Kind {
	case "run":
		return r.With("status", "running")
	case "slot":
		return r.With("error_kind", nil).With("notes", nil)
	case "violation":
		r = r.With("status", "new").With("status_at", r.Value("first_seen")).With("shared", int64(0)).With("in_fix_lines", int64(0))
		return r.With("result", nil).With("reason", nil).With("answered_iteration", nil)
	}
	return r
}

// Revision identifies the state of a run.
type Revision struct {
	Run            string
	Kind           string
	Revision       int64
	Status         string
	StartedAt      Time
	FinishedAt     *Time
	RepositoryKind string
	Repository     string
}

// Update updates the state of the run to the one that its record begins with.
func (r *Revision) Update(head Row) {
	r.Revision, r.Status, r.FinishedAt = head.Number("revision"), head.Text("status"), nil
	if at := Time(head.Text("finished_at")); at != "" {
		r.FinishedAt = &at
	}
}

// Time is a point in time as the ledger stores it: a text in UTC with milliseconds. The texts sort
// as the times do.
type Time string

// Moment returns the point in time, or the zero time if t is nil or invalid. A server refuses a run
// with an invalid time.
func (t *Time) Moment() time.Time {
	if t == nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, string(*t))
	return at.UTC()
}
