package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/reviewledger/reviewledger/ledger"
)

// Relation is how two states of a run compare.
type Relation int

// A run only ever grows: each change adds rows, if only a transition, or changes what files show.
// So the newer of two states of a run contains the older one, and if neither contains the other,
// they have diverged.
const (
	// Same: both have the same rows.
	Same Relation = iota
	// Later: the other state contains this one, and more.
	Later
	// Earlier: this state contains the other one, and more.
	Earlier
	// Diverged: each has rows that the other does not have.
	Diverged
)

// Compare returns how another state of the same run relates to the one that is here. The rows that
// are only ever added show which state contains the other; if they are the same, the revision shows
// which state is later. Content that was removed from either is not compared.
func Compare(here, other *Run) Relation {
	a, b := alike(here, other)
	ahead, behind, same := true, true, a.Head.Equal(b.Head)
	for _, t := range OfRun() {
		news, olds := b.Rows[t.Kind], a.Rows[t.Kind]
		if slices.EqualFunc(news, olds, Row.Equal) {
			continue
		}
		ahead, behind, same = ahead && contains(news, olds), behind && contains(olds, news), false
		if !ahead && !behind {
			return Diverged
		}
	}
	closed := a.Head.Value("finished_at") != nil && ledger.RunKind(a.Head.Text("kind")) == ledger.KindGates
	newer := other.Head.Number("revision") - here.Head.Number("revision")
	switch {
	case !behind:
		return Later
	case !ahead:
		return Earlier
	case closed && same:
		return Same
	case newer > 0:
		return Later
	case newer < 0:
		return Earlier
	case same:
		return Same
	}
	return Diverged
}

// contains reports whether there is each of the older rows, possibly changed if such rows may change.
func contains(newer, older []Row) bool {
	if len(older) > len(newer) {
		return false
	}
	at := indexed(newer)
	for i, was := range older {
		n, there := at[was.among(i)]
		if !there || !was.Grows() && !was.Equal(newer[n]) {
			return false
		}
	}
	return true
}

// indexed returns the indexes of rows of one kind by place.
func indexed(rows []Row) map[Place]int {
	at := make(map[Place]int, len(rows))
	for i, row := range rows {
		at[row.among(i)] = i
	}
	return at
}

// among returns the place of a row that has the index i among those of its kind. Transitions, which are only
// ever added, have only that.
func (r Row) among(i int) Place {
	if r.Kind == "transition" {
		return Place(strconv.Itoa(i))
	}
	return r.At()
}

// Missing returns the rows to add and the rows to change to get from the earlier state of a run to
// the later one.
func Missing(earlier, later *Run) (added, changed *Run) {
	added, changed = &Run{Head: later.Head, Rows: map[string][]Row{}}, &Run{Head: later.Head, Rows: map[string][]Row{}}
	for _, t := range OfRun() {
		have := earlier.Rows[t.Kind]
		at := indexed(have)
		for i, row := range later.Rows[t.Kind] {
			if n, there := at[row.among(i)]; !there {
				added.Rows[t.Kind] = append(added.Rows[t.Kind], row)
			} else if !have[n].Equal(row) {
				changed.Rows[t.Kind] = append(changed.Rows[t.Kind], row)
			}
		}
	}
	return added, changed
}

// Sound returns an error if a row refers to something that does not come before it, if a violation does
// not have a report, without which no list would show it, or if the last transition of a row does not
// have the row's status.
func (r *Run) Sound() error {
	if r.dangling != nil {
		return r.dangling
	}
	for _, v := range r.Rows["violation"] {
		if v.Value("report_position") == nil {
			return fmt.Errorf("violation %s does not have a report", v.Text("short_id"))
		}
	}
	last := map[Place]string{}
	for _, t := range r.Rows["transition"] {
		last[t.subject()] = t.Text("status")
	}
	check := func(row Row) error {
		if status := row.Text("status"); last[row.At()] != status {
			return fmt.Errorf("the last transition of %s has the status %q, and its record %q", row.At(), last[row.At()], status)
		}
		return nil
	}
	if err := check(r.Head); err != nil {
		return err
	}
	for _, kind := range []string{"iteration", "gate", "slot"} {
		for _, row := range r.Rows[kind] {
			if err := check(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// alike returns copies of both states without what cannot be compared.
func alike(here, other *Run) (a, b Run) {
	a, b = *here, *other
	removed := here.Head.Value("content_removed_at") != nil || other.Head.Value("content_removed_at") != nil
	unknown := string(ledger.RepositoryUnknown)
	moved := here.Head.Text("repository_kind") == unknown || other.Head.Text("repository_kind") == unknown
	for _, r := range []*Run{&a, &b} {
		r.Head = r.Head.With("revision", nil)
		if moved {
			r.Head = r.Head.With("repository_kind", unknown).With("repository", "")
		}
		if !removed {
			continue
		}
		r.Head, r.Rows = r.Head.With("content_removed_at", nil), maps.Clone(r.Rows)
		maps.DeleteFunc(r.Rows, func(kind string, _ []Row) bool { return TableOf(kind).Texts() })
		r.Rows["gate"] = slices.Clone(r.Rows["gate"])
		for i, gate := range r.Rows["gate"] {
			r.Rows["gate"][i] = gate.With("excerpt", nil)
		}
	}
	return a, b
}
