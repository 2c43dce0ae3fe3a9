package exchange

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// row returns a row of a kind with some of its values; the others are nil.
func row(kind string, pairs ...any) Row {
	r := Row{Table: TableOf(kind), Values: make([]any, len(TableOf(kind).Columns))}
	for i := 0; i < len(pairs); i += 2 {
		r = r.With(pairs[i].(string), pairs[i+1])
	}
	return r
}

// in returns a row of the slot of the sample, or of the violation if the kind belongs to that.
func in(kind string, pairs ...any) Row {
	all := []any{"run", "R"}
	for key, value := range map[string]any{"iteration": int64(1), "job": quality, "slot": int64(1), "violation": "V"} {
		if slices.Contains(TableOf(kind).names, key) {
			all = append(all, key, value)
		}
	}
	return row(kind, append(all, pairs...)...)
}

const quality = "review:.:quality"

// number is a number as rows have it.
type number = int64

// sample returns a run of one iteration with a gate, a slot, and a claim.
func sample() *Run {
	const done = "2026-01-02T03:04:06.000Z"
	return &Run{
		Head: row("run", "run", "R", "kind", "gates", "status", "failed", "iterations", number(1), "claimed", number(1),
			"repository_kind", "origin", "repository", "host/a", "revision", number(7)),
		Rows: map[string][]Row{
			"iteration": {in("iteration", "status", "failed", "finished_at", done, "claimed", number(1))},
			"gate":      {in("gate", "status", "failed", "finished_at", done)},
			"slot":      {in("slot", "status", "fail", "finished_at", done, "accepted", number(1))},
			"violation": {in("violation", "job", quality, "slot", number(1), "status", "fixed", "last_iteration", number(1),
				"report_iteration", number(1), "report_job", quality, "report_slot", number(1), "report_position", number(1))},
			"report":     {in("report", "position", number(1), "violation", "V", "issue", "leaks")},
			"event":      {in("event", "event", number(1), "iteration", number(1), "status", "new"), in("event", "event", number(2), "iteration", number(1), "status", "fixed")},
			"slot_entry": {in("slot_entry", "position", number(1), "violation", "V", "status", "new")},
			"slot_blob":  {in("slot_blob", "kind", "prompt", "call", number(1), "sha256", "p")},
			"transition": {
				in("transition", "subject", "run", "status", "failed", "cause", "finished"),
				in("transition", "subject", "iteration", "iteration", number(1), "status", "failed", "cause", "finished"),
				in("transition", "subject", "gate", "iteration", number(1), "job", quality, "status", "failed", "cause", "finished"),
				in("transition", "subject", "slot", "iteration", number(1), "job", quality, "slot", number(1), "status", "fail", "cause", "finished"),
			},
		},
	}
}

// set changes values of a row of the run, and of its head if the kind is "run".
func set(r *Run, kind string, i int, pairs ...any) {
	of := &r.Head
	if kind != "run" {
		of = &r.Rows[kind][i]
	}
	for i := 0; i < len(pairs); i += 2 {
		*of = of.With(pairs[i].(string), pairs[i+1])
	}
}

// more adds a row to the run.
func more(r *Run, row Row) { r.Rows[row.Kind] = append(r.Rows[row.Kind], row) }

func review(r *Run) { set(r, "run", 0, "kind", "code_review") }

func TestCompare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		here, other func(*Run) // how each state differs
		want, back  Relation   // seen from the other state
	}{
		"the same": {nil, nil, Same, Same},
		"an event more": {nil, func(r *Run) {
			more(r, in("event", "event", number(3)))
			set(r, "violation", 0, "status", "new")
		}, Later, Earlier},
		"an iteration more": {nil, func(r *Run) { more(r, in("iteration", "iteration", number(2))) }, Later, Earlier},
		"closed later": {nil, func(r *Run) {
			set(r, "run", 0, "finished_at", "t", "status", "abandoned")
			more(r, in("transition", "subject", "run", "status", "abandoned"))
		}, Later, Earlier},
		"two events": {func(r *Run) { set(r, "event", 1, "status", "skipped") }, nil, Diverged, Diverged},
		"each its own": {
			func(r *Run) { more(r, in("event", "event", number(3), "status", "new")) },
			func(r *Run) { more(r, in("iteration", "iteration", number(2))) }, Diverged, Diverged,
		},
		"a violation seen again": {nil, func(r *Run) {
			set(r, "violation", 0, "last_seen", "t", "last_iteration", number(2))
			set(r, "run", 0, "revision", number(8))
		}, Later, Earlier},
		"another violation": {nil, func(r *Run) { set(r, "violation", 0, "violation", "W"); set(r, "run", 0, "revision", number(8)) }, Diverged, Diverged},
		"a report more of each": {
			func(r *Run) { more(r, in("report", "position", number(2))) },
			func(r *Run) { more(r, in("report", "position", number(3))) }, Diverged, Diverged,
		},
		"a review, opened again": {func(r *Run) { review(r); more(r, in("transition", "status", "running")) }, review, Earlier, Later},
		"another wording":        {nil, func(r *Run) { set(r, "report", 0, "issue", "leaked") }, Diverged, Diverged},
		"another branch":         {nil, func(r *Run) { set(r, "run", 0, "branch", "b") }, Diverged, Diverged},
		"another gate end":       {nil, func(r *Run) { set(r, "gate", 0, "status", "passed") }, Diverged, Diverged},
		"a gate that ended": {
			func(r *Run) {
				set(r, "gate", 0, "status", "running", "finished_at", nil)
				r.Rows["transition"] = r.Rows["transition"][:2]
			}, nil, Later, Earlier,
		},
		"a transition less": {func(r *Run) { r.Rows["transition"] = r.Rows["transition"][:3] }, nil, Later, Earlier},
		"another cause":     {nil, func(r *Run) { set(r, "transition", 0, "cause", "interrupted") }, Diverged, Diverged},
		// What a row shows may change in both directions; the revision shows which state is later.
		"shown later":                {nil, func(r *Run) { set(r, "slot_entry", 0, "status", "fixed"); set(r, "run", 0, "revision", number(8)) }, Later, Earlier},
		"shown in the same revision": {nil, func(r *Run) { set(r, "slot_entry", 0, "status", "fixed") }, Diverged, Diverged},
		"only the revision":          {nil, func(r *Run) { set(r, "run", 0, "revision", number(8)) }, Later, Earlier},
		"content removed":            {nil, func(r *Run) { delete(r.Rows, "slot_blob"); set(r, "run", 0, "content_removed_at", "t") }, Same, Same},
		"other content":              {nil, func(r *Run) { set(r, "slot_blob", 0, "sha256", "q") }, Diverged, Diverged},
		"a repository known later":   {nil, func(r *Run) { set(r, "run", 0, "repository_kind", "unknown", "repository", "") }, Same, Same},
		"another repository":         {nil, func(r *Run) { set(r, "run", 0, "repository", "host/b") }, Diverged, Diverged},
		"a closed run stays": {
			func(r *Run) { set(r, "run", 0, "finished_at", "t") }, func(r *Run) { set(r, "run", 0, "finished_at", "t", "open", number(1)) }, Diverged, Diverged,
		},
	} {
		here, other := sample(), sample()
		for change, r := range map[int]*Run{0: here, 1: other} {
			if f := []func(*Run){test.here, test.other}[change]; f != nil {
				f(r)
			}
		}
		if got := Compare(here, other); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
		if got := Compare(other, here); got != test.back {
			t.Errorf("%s, from the other: %d, want %d", name, got, test.back)
		}
	}
}

// The missing rows turn the earlier state into the later one.
func TestMissing(t *testing.T) {
	t.Parallel()
	later := sample()
	more(later, in("event", "event", number(3), "iteration", number(1), "status", "new"))
	set(later, "slot_entry", 0, "status", "fixed")
	more(later, in("transition", "subject", "run", "status", "passed"))
	added, changed := Missing(sample(), later)
	want := map[string][]Row{"event": later.Rows["event"][2:], "transition": later.Rows["transition"][4:]}
	if !maps.EqualFunc(added.Rows, want, func(a, b []Row) bool { return slices.EqualFunc(a, b, Row.Equal) }) {
		t.Errorf("added: %+v", added)
	}
	want = map[string][]Row{"slot_entry": later.Rows["slot_entry"]}
	if !maps.EqualFunc(changed.Rows, want, func(a, b []Row) bool { return slices.EqualFunc(a, b, Row.Equal) }) {
		t.Errorf("changed: %+v", changed)
	}
}

func TestSound(t *testing.T) {
	t.Parallel()
	if err := sample().Sound(); err != nil {
		t.Error(err)
	}
	unseen := sample()
	set(unseen, "violation", 0, "report_position", nil)
	if err := unseen.Sound(); err == nil || !strings.Contains(err.Error(), "does not have a report") {
		t.Error(err)
	}
	for _, change := range []func(*Run){
		func(r *Run) { delete(r.Rows, "transition") },
		func(r *Run) { set(r, "run", 0, "status", "passed") },
		func(r *Run) { set(r, "slot", 0, "status", "pass") },
		func(r *Run) { set(r, "gate", 0, "status", "passed") },
		func(r *Run) { set(r, "iteration", 0, "status", "passed") },
	} {
		r := sample()
		change(r)
		if err := r.Sound(); err == nil || !strings.Contains(err.Error(), "the last transition of") {
			t.Error(err)
		}
	}
}
