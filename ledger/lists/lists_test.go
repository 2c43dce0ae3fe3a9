package lists_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

var day = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// Each field of a filter keeps what has its value, and leaves out what has another one.
func TestKeepsReportsAndNotes(t *testing.T) {
	t.Parallel()
	report := ledger.Report{
		Run: "R", Gate: "quality", EntryPoint: "src", Adapter: "claude", Iteration: 2, Slot: 3, Priority: ledger.High, Place: ledger.Place{File: "src/a.go"}, At: day.Add(time.Hour),
	}
	notes := ledger.SlotNotes{Run: "R", Gate: "quality", EntryPoint: "src", Adapter: "claude", Ref: ledger.SlotRef{Iteration: 2, Slot: 3}, At: day.Add(time.Hour)}
	after := ledger.Period{Since: day.Add(2 * time.Hour)}
	with := func(change func(f *ledger.ViolationFilter)) ledger.ViolationFilter {
		f := ledger.ViolationFilter{
			Run: "R", Gate: "quality", EntryPoint: "src", Adapter: "claude", Iteration: 2, Slot: 3, Priorities: []ledger.Priority{ledger.Low, ledger.High},
			File: "src/*.go", Reported: ledger.Period{Since: day.Add(time.Hour), Until: day.Add(2 * time.Hour)}, Changed: after,
		}
		change(&f)
		return f
	}
	for name, test := range map[string]struct {
		filter         ledger.ViolationFilter
		reports, notes bool
	}{
		"all": {ledger.ViolationFilter{}, true, true}, "what has all values": {with(func(*ledger.ViolationFilter) {}), true, true},
		"of a run":             {with(func(f *ledger.ViolationFilter) { f.Run = "S" }), false, false},
		"of a gate":            {with(func(f *ledger.ViolationFilter) { f.Gate = "style" }), false, false},
		"of an entry point":    {with(func(f *ledger.ViolationFilter) { f.EntryPoint = "docs" }), false, false},
		"of an adapter":        {with(func(f *ledger.ViolationFilter) { f.Adapter = "codex" }), false, false},
		"of an iteration":      {with(func(f *ledger.ViolationFilter) { f.Iteration = 1 }), false, false},
		"of any iteration":     {with(func(f *ledger.ViolationFilter) { f.Iteration = 0 }), true, true},
		"of a slot":            {with(func(f *ledger.ViolationFilter) { f.Slot = 1 }), false, false},
		"of any slot":          {with(func(f *ledger.ViolationFilter) { f.Slot = 0 }), true, true},
		"of a priority":        {with(func(f *ledger.ViolationFilter) { f.Priorities = []ledger.Priority{ledger.Low} }), false, true},
		"of a file":            {with(func(f *ledger.ViolationFilter) { f.File = "docs/*.go" }), false, true},
		"of the very file":     {with(func(f *ledger.ViolationFilter) { f.File = "src/a.go" }), true, true},
		"later":                {with(func(f *ledger.ViolationFilter) { f.Reported = after }), false, false},
		"earlier":              {with(func(f *ledger.ViolationFilter) { f.Reported = ledger.Period{Until: day.Add(time.Hour)} }), false, false},
		"changed later":        {with(func(f *ledger.ViolationFilter) { f.Reported = ledger.Period{} }), false, false},
		"changed in the hour":  {with(func(f *ledger.ViolationFilter) { f.Reported, f.Changed = ledger.Period{}, f.Reported }), true, true},
		"of no priority":       {with(func(f *ledger.ViolationFilter) { f.Priorities = nil }), true, true},
		"of any of the others": {ledger.ViolationFilter{Iteration: 2, Adapter: "codex"}, false, false},
	} {
		if got := lists.KeepsDiscard(test.filter, report); got != test.reports {
			t.Errorf("%s: the report is kept: %t", name, got)
		}
		if got := lists.KeepsNotes(test.filter, notes); got != test.notes {
			t.Errorf("%s: the notes are kept: %t", name, got)
		}
	}
}

// A pattern says which part of it is a plain name, and which folder it is all of.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]struct {
		prefix, folder string
		whole          bool
	}{
		"": {}, "src/a.go": {prefix: "src/a.go"}, "src/*.go": {prefix: "src/"}, "*": {}, "a?c": {prefix: "a"}, "a[bc]": {prefix: "a"}, "a{b,c}": {prefix: "a"}, `a\*`: {prefix: "a"},
		"src/**": {"src/", "src", true}, "src/in/**": {"src/in/", "src/in", true}, "/**": {prefix: "/"}, "s*c/**": {prefix: "s"}, "**": {}, "src/**/x": {prefix: "src/"},
	} {
		folder, whole := lists.FolderOf(pattern)
		if prefix := lists.LiteralPrefix(pattern); prefix != want.prefix || whole != want.whole || whole && folder != want.folder {
			t.Errorf("%q begins with %q, and is all of %q: %t", pattern, prefix, folder, whole)
		}
	}
}

func TestOnlyOpen(t *testing.T) {
	t.Parallel()
	for want, list := range map[bool][][]ledger.Status{
		true:  {{ledger.StatusNew}, {ledger.StatusReopened, ledger.StatusDisputed}},
		false: {nil, {ledger.StatusFixed}, {ledger.StatusNew, ledger.StatusSkipped}, {ledger.ShownAbandoned}},
	} {
		for _, statuses := range list {
			if got := lists.OnlyOpen(ledger.ViolationFilter{Statuses: statuses}); got != want {
				t.Errorf("%q are open: %t", statuses, got)
			}
		}
	}
}

// A cursor keeps the place of a violation in each order, and is no cursor of another one.
func TestCursors(t *testing.T) {
	t.Parallel()
	v := ledger.ListedViolation{}
	v.ID, v.Priority, v.Place, v.FirstSeen, v.StatusAt = "V", ledger.Medium, ledger.Place{File: "a/b", Start: 7}, day.Add(1500*time.Millisecond), day.Add(time.Hour)
	v.Status = ledger.StatusFixed
	for _, sort := range []ledger.Sort{"", ledger.SortNewest, ledger.SortOldest, ledger.SortPriority, ledger.SortFile, ledger.SortStatus, ledger.SortChanged} {
		key, err := lists.ReadCursor(ledger.ViolationFilter{Sort: sort, After: lists.Cursor(sort, v)})
		if err != nil || key == nil || key.ID != "V" {
			t.Errorf("%s: %+v, %v", sort, key, err)
			continue
		}
		if seen, err := key.Seen(); err != nil || !seen.Equal(v.FirstSeen) {
			t.Errorf("%s: first seen %v, %v", sort, seen, err)
		}
		changed, err := key.Changed()
		if is := sort == ledger.SortChanged; (err == nil) != is || is && !changed.Equal(v.StatusAt) || !is && !errors.Is(err, ledger.ErrCursor) {
			t.Errorf("%s: changed %v, %v", sort, changed, err)
		}
		if word := map[ledger.Sort]string{ledger.SortPriority: "medium", ledger.SortStatus: "fixed"}[sort]; key.Word() != word {
			t.Errorf("%s: the word %q", sort, key.Word())
		}
		if sort == ledger.SortFile && (key.File() != "a/b" || key.Line() != 7) {
			t.Errorf("%s: %q, line %d", sort, key.File(), key.Line())
		}
		for _, other := range []ledger.Sort{ledger.SortNewest, ledger.SortFile} {
			if other == lists.Order(sort) {
				continue
			}
			if key, err := lists.ReadCursor(ledger.ViolationFilter{Sort: other, After: lists.Cursor(sort, v)}); !errors.Is(err, ledger.ErrCursor) {
				t.Errorf("a cursor of %s in the order %s: %+v, %v", sort, other, key, err)
			}
		}
	}
	if key, err := lists.ReadCursor(ledger.ViolationFilter{}); key != nil || err != nil {
		t.Errorf("no cursor: %+v, %v", key, err)
	}
	for _, text := range []string{"x", "!", lists.Opaque("text"), lists.Opaque(lists.Key{Sort: ledger.SortNewest})} {
		if key, err := lists.ReadCursor(ledger.ViolationFilter{After: text}); !errors.Is(err, ledger.ErrCursor) {
			t.Errorf("%q: %+v, %v", text, key, err)
		}
	}
}

// A cursor may hold any number: only that of a priority is one.
func TestWordsOf(t *testing.T) {
	t.Parallel()
	number := func(n float64) *lists.Key { return &lists.Key{Sort: ledger.SortPriority, Up: n} }
	all := ledger.Priorities()
	for name, test := range map[string]struct {
		wanted []ledger.Priority
		after  *lists.Key
		want   string
	}{
		"all": {nil, nil, "critical high medium low info"}, "wanted": {[]ledger.Priority{ledger.Low, ledger.High}, nil, "high low"},
		"from the first on": {nil, number(0), "critical high medium low info"}, "from one on": {nil, number(3), "low info"}, "from the last on": {nil, number(4), "info"},
		"wanted, from one on": {[]ledger.Priority{ledger.Critical, ledger.Low}, number(1), "low"}, "none left": {[]ledger.Priority{ledger.High}, number(2), ""},
		"no such number": {nil, number(5), "critical high medium low info"}, "a number below": {nil, number(-1), "critical high medium low info"},
		"of another order": {nil, &lists.Key{Sort: ledger.SortNewest, Up: 3.0}, "critical high medium low info"}, "a word": {nil, &lists.Key{Sort: ledger.SortPriority, Up: "low"}, "critical high medium low info"},
	} {
		if got := strings.Join(lists.WordsOf(all, test.wanted, test.after), " "); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	after := &lists.Key{Sort: ledger.SortStatus, Up: "verified"}
	if got := lists.WordsOf(ledger.Statuses(), nil, after); len(got) == 0 || got[0] != "verified" {
		t.Errorf("from verified on: %q", got)
	}
}

// The numbers of a facet ignore the filter of that facet. Folders are those of all files, or of a
// first folder.
func TestFacetsOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		filter     ledger.ViolationFilter
		n, folders int
	}{
		"all": {ledger.ViolationFilter{}, 5, 2}, "of an iteration": {ledger.ViolationFilter{Iteration: 2}, 2, 1},
		"with a reason": {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusSkipped}, Reasons: []ledger.SkipReason{"deferred"}}, 2, 1},
		"of a folder":   {ledger.ViolationFilter{File: "src/**"}, 3, 2}, "of a folder in one": {ledger.ViolationFilter{File: "src/in/**"}, 5, 0}, "of a file": {ledger.ViolationFilter{File: "src/a.go"}, 5, 0},
	} {
		facets := lists.FacetsOf(test.filter, []ledger.FacetTotals{
			{Status: ledger.StatusNew, Iteration: 1, Violations: 3, Folder: "src"},
			{Status: ledger.StatusSkipped, Reason: "deferred", Iteration: 2, Violations: 2, Folder: "docs"},
		})
		if facets.Violations.Violations != test.n || len(facets.Folders) != test.folders {
			t.Errorf("%s: %d in %d folders: %+v", name, facets.Violations.Violations, len(facets.Folders), facets)
		}
	}
	whole := ledger.ViolationFilter{Model: "m", Branch: "b", File: "src/in/**"}
	narrow := ledger.ViolationFilter{
		Model: "m", Branch: "b", File: "src/in/**", Statuses: []ledger.Status{ledger.StatusNew}, Priorities: []ledger.Priority{ledger.High}, Gate: "g",
		Adapter: "a", Iteration: 1, Reasons: []ledger.SkipReason{"style"}, Alone: true, InFixLines: true, Recurring: true, NoDuplicates: true,
	}
	if d := gocmp.Diff(whole, lists.BeforeFacets(narrow)); d != "" {
		t.Errorf("before facets (-want +got):\n%s", d)
	}
	if f := lists.BeforeFacets(ledger.ViolationFilter{File: "src/**"}); f.File != "" {
		t.Errorf("the first folder is a facet, too: %+v", f)
	}
}
