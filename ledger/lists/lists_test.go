package lists_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	for path, want := range map[string]string{"src/a/b.go": "src", "b.go": "", "": "", "/x": ""} {
		if got := lists.FirstOf(path); got != want {
			t.Errorf("%q is in %q", path, got)
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

// reports are found by their words newest first, and by the filter, each so many at a time.
type reports struct {
	matching, filtered int // how many there are
	rare               int // one in so many of those that the filter keeps matches; 0: all do
	fail               error
	asked              string
}

func (r *reports) Matching(_ context.Context, batch int) (kept []int, all bool, err error) {
	r.asked += fmt.Sprintf(" %d by words", batch)
	n := min(batch, r.matching)
	r.matching -= n
	return make([]int, n/10), r.matching == 0, r.fail // the filter keeps every tenth
}

func (r *reports) Filtered(_ context.Context, atMost int) ([]int, bool, error) {
	r.asked += fmt.Sprintf(" %d by filter", atMost)
	return slices.Repeat([]int{1}, min(atMost, r.filtered)/max(r.rare, 1)), r.filtered <= atMost, nil
}

// Whichever way has enough first, or all, is the answer.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reports reports
		limit   int
		want    int
		byWords bool
		asked   string
	}{
		"few match":                       {reports{matching: 50, filtered: 1 << 20}, 20, 5, true, "1000 by words"},
		"the filter leaves few":           {reports{matching: 1 << 20, filtered: 30}, 20, 30, false, "1000 by words 500 by filter"},
		"the filter leaves just enough":   {reports{matching: 1 << 20, filtered: 1 << 20}, 20, 500, false, "1000 by words 500 by filter"},
		"more are wanted than are ranked": {reports{matching: 2500, filtered: 1 << 20}, 600, 1000, false, "1000 by words 500 by filter 1000 by filter"},
		"most of the filter do not match": {reports{matching: 1 << 20, filtered: 1 << 20, rare: 4}, 400, 500, false, "1000 by words 500 by filter 2000 by filter"},
		"the filter yields fewer":         {reports{matching: 1 << 20, filtered: 1 << 20, rare: 50}, 20, 300, true, "1000 by words 500 by filter 2000 by words"},
		"all are wanted":                  {reports{matching: 2500, filtered: 1 << 20}, 0, 250, true, "1000 by words 500 by filter 4000 by filter 2000 by words"},
		"all of the filter are wanted":    {reports{matching: 1 << 20, filtered: 900}, 0, 900, false, "1000 by words 500 by filter 4000 by filter"},
	} {
		found, err := lists.Find(t.Context(), &test.reports, test.limit)
		if err != nil || len(found) != test.want || (slices.Max(found) == 0) != test.byWords || test.reports.asked != " "+test.asked {
			t.Errorf("%s: %d found, %v, asked for%s", name, len(found), err, test.reports.asked)
		}
	}
	failed := errors.New("it failed")
	if _, err := lists.Find(t.Context(), &reports{matching: 5000, fail: failed}, 0); !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
}

// hit is a report of a violation, or of none, with what it is sorted by.
type hit struct {
	of  string
	key int
}

func (h hit) Of() string { return h.of }
func (h hit) Key() int   { return h.key }

// A page has each violation once, with its best report, and all reports that are of none.
func TestPage(t *testing.T) {
	t.Parallel()
	three := 3
	for name, test := range map[string]struct {
		after *int
		limit int
		want  string
	}{
		"all": {nil, 0, "[{A 1} { 2} {B 3} { 4} { 5}]"}, "the first": {nil, 2, "[{A 1} { 2}]"}, "as many as there are": {nil, 5, "[{A 1} { 2} {B 3} { 4} { 5}]"},
		"after one": {&three, 0, "[{ 4} { 5}]"}, "the first after one": {&three, 1, "[{ 4}]"},
	} {
		found := []hit{{"", 5}, {"A", 6}, {"B", 3}, {"A", 1}, {"", 2}, {"", 4}, {"B", 7}}
		if got := fmt.Sprint(lists.Page(found, cmp.Compare[int], test.after, test.limit)); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// totals has violations in two folders.
type totals struct{ fail error }

func (s totals) ViolationTotals(_ context.Context, into *ledger.Rows) error {
	into.Violations = []ledger.ViolationTotals{{Gate: "quality", Status: ledger.StatusNew, Violations: 5}, {Gate: "style", Status: ledger.StatusFixed, Violations: 2}}
	return s.fail
}

func (s totals) InFolder(_ context.Context, folder string) ([]ledger.ViolationTotals, error) {
	return []ledger.ViolationTotals{{Gate: folder, Status: ledger.StatusNew, Violations: 3}}, s.fail
}

func (s totals) Folders(_ context.Context, keeps func(ledger.ViolationTotals) bool) (map[string]int, error) {
	folders := map[string]int{}
	for folder, v := range map[string]ledger.ViolationTotals{"src": {Gate: "quality", Violations: 5}, "docs": {Gate: "style", Violations: 2}} {
		if keeps(v) {
			folders[folder] = v.Violations
		}
	}
	return folders, nil
}

// Totals answer what they know; the folders of a period are counted by row, if they are few.
func TestFacetsOfTotals(t *testing.T) {
	t.Parallel()
	period := ledger.Period{Since: day}
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		known  bool
		n      int
		byRow  bool
	}{
		"all": {ledger.ViolationFilter{}, true, 7, false}, "of a gate": {ledger.ViolationFilter{Gate: "style"}, true, 2, false},
		"of a period": {ledger.ViolationFilter{Reported: period}, true, 7, true}, "of a folder": {ledger.ViolationFilter{File: "src/**"}, true, 3, false},
		"of a folder in a period": {ledger.ViolationFilter{File: "src/**", Reported: period}, false, 0, false}, "of a folder in one": {ledger.ViolationFilter{File: "src/a/**"}, false, 0, false},
		"of a file": {ledger.ViolationFilter{File: "src/a.go"}, false, 0, false}, "of a run": {ledger.ViolationFilter{Run: "R"}, false, 0, false},
		"of a branch": {ledger.ViolationFilter{Branch: "b"}, false, 0, false}, "of a worktree": {ledger.ViolationFilter{Worktree: "/w"}, false, 0, false},
		"of a slot": {ledger.ViolationFilter{Slot: 1}, false, 0, false}, "of a line": {ledger.ViolationFilter{Fingerprint: "f"}, false, 0, false},
		"with an event": {ledger.ViolationFilter{Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusNew}}}, false, 0, false},
		"that changed":  {ledger.ViolationFilter{Changed: period}, false, 0, false}, "with what was left out": {ledger.ViolationFilter{Discards: []ledger.Disposition{ledger.OutOfDiff}}, false, 0, false},
	} {
		folder, known := lists.TotalsKnow(test.filter)
		if known != test.known {
			t.Errorf("%s: known %t", name, known)
		}
		if !known {
			continue
		}
		byRow := false
		facets, err := lists.FacetsOfTotals(t.Context(), test.filter, folder, totals{}, func(context.Context, ledger.ViolationFilter) (ledger.Facets, error) {
			byRow = true
			return ledger.Facets{FoldersUnknown: true}, nil
		})
		if err != nil || facets.Violations.Violations != test.n || byRow != test.byRow || facets.FoldersUnknown != test.byRow {
			t.Errorf("%s: %d, by row %t, folders unknown %t, %v", name, facets.Violations.Violations, byRow, facets.FoldersUnknown, err)
		}
		failed := errors.New("it failed")
		if _, err := lists.FacetsOfTotals(t.Context(), test.filter, folder, totals{failed}, nil); !errors.Is(err, failed) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// Columns hold what was written into them, and what is not as it should be is left out.
func TestColumns(t *testing.T) {
	t.Parallel()
	places := []ledger.Place{{File: "a\xff", Start: 1, End: 2}, {File: ""}}
	if d := gocmp.Diff(places, lists.HexPlaces(lists.PlacesText(places))); d != "" {
		t.Errorf("places (-want +got):\n%s", d)
	}
	if got := lists.HexPlaces(lists.PlacesText(nil)); got != nil {
		t.Errorf("no places: %v", got)
	}
	names := " a  b "
	if got := lists.Names(&names); !slices.Equal(got, []string{"a", "b"}) || lists.Names(nil) != nil {
		t.Errorf("names: %q", got)
	}
	if evidence, answers := lists.Words(`["e", null]`); evidence != "e" || answers != "" {
		t.Errorf("words: %q, %q", evidence, answers)
	}
	if gone := lists.Gone(`["r", "e"]`); gone.By != "r" || gone.Evidence != "e" || lists.Gone("") != (ledger.Gone{}) {
		t.Errorf("gone: %+v", gone)
	}
	if got := lists.Slots("[1,3]"); !slices.Equal(got, []int{1, 3}) || lists.Slots("") != nil {
		t.Errorf("slots: %v", got)
	}
}

// Facets that are counted by row have the iteration and the reason of the filter. Folders are those
// of all files, or of a first folder.
func TestFacetsOfRows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		filter  ledger.ViolationFilter
		n       int
		folders int
	}{
		"all": {ledger.ViolationFilter{}, 5, 2}, "of an iteration": {ledger.ViolationFilter{Iteration: 2}, 5, 2},
		"with a reason": {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusSkipped}, Reasons: []ledger.SkipReason{"deferred"}}, 2, 1},
		"of a folder":   {ledger.ViolationFilter{File: "src/**"}, 5, 2}, "of a folder in one": {ledger.ViolationFilter{File: "src/in/**"}, 5, 0}, "of a file": {ledger.ViolationFilter{File: "src/a.go"}, 5, 0},
	} {
		facets := lists.FacetsOf(test.filter, []ledger.FacetTotals{
			{ViolationTotals: ledger.ViolationTotals{Status: ledger.StatusNew, Violations: 3}, Folder: "src"},
			{ViolationTotals: ledger.ViolationTotals{Status: ledger.StatusSkipped, Violations: 2}, Folder: "docs"},
		})
		if facets.Violations.Violations != test.n || len(facets.Folders) != test.folders || facets.Unknown || facets.FoldersUnknown {
			t.Errorf("%s: %d in %d folders: %+v", name, facets.Violations.Violations, len(facets.Folders), facets)
		}
	}
	if facets := lists.TooMany(ledger.ViolationFilter{}, 7); facets.Violations.Violations != 7 || !facets.Unknown || !facets.FoldersUnknown {
		t.Errorf("too many: %+v", facets)
	}
	few := func(context.Context, ledger.ViolationFilter) (ledger.Facets, error) {
		t.Error("too many violations are counted row by row")
		return ledger.Facets{}, nil
	}
	facets, err := lists.FacetsOfTotals(t.Context(), ledger.ViolationFilter{Reported: ledger.Period{Since: day}}, "", manyTotals{}, few)
	if err != nil || facets.Violations.Violations != lists.Counted+1 || len(facets.Folders) > 0 {
		t.Errorf("of a period with many: %+v, %v", facets, err)
	}
}

// manyTotals has more violations than are counted row by row.
type manyTotals struct{ totals }

func (manyTotals) ViolationTotals(_ context.Context, into *ledger.Rows) error {
	into.Violations = []ledger.ViolationTotals{{Status: ledger.StatusNew, Violations: lists.Counted + 1}}
	return nil
}
