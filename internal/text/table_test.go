package text_test

import (
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
)

// Widths are those of a terminal in any locale, and cutting does not split what a reader sees as
// one character.
func TestWidthAndCut(t *testing.T) {
	t.Parallel()
	const family = "👨‍👩‍👧"
	for _, test := range []struct {
		in    string
		width int
		cut   string // to 5 columns
	}{
		{"plain", 5, "plain"},
		{"longer", 6, "long…"},
		{"ünïc–", 5, "ünïc–"},
		{"e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", 6, "e\u0301e\u0301e\u0301e\u0301…"},
		{"日本語", 6, "日本…"},
		{"a日本", 5, "a日本"},
		{family + family + family, 6, family + family + "…"},
		{"abc" + family + "d", 6, "abc…"},
	} {
		if got := text.Width(test.in); got != test.width {
			t.Errorf("Width(%q) = %d, want %d", test.in, got, test.width)
		}
		if got := text.Cut(test.in, 5); got != test.cut {
			t.Errorf("Cut(%q) = %q, want %q", test.in, got, test.cut)
		}
	}
	long := strings.Repeat("日", 1000)
	if got := text.Cut(long, 0); got != long {
		t.Errorf("a width of 0 cut to %q", got)
	}
}

// A table that is too wide keeps what tells rows apart: the end of addresses, the minutes of times,
// and the width of the issue.
func TestNarrowTable(t *testing.T) {
	t.Parallel()
	at := func(year, day int) time.Time { return time.Date(year, 3, day, 14, 5, 0, 0, time.Local) }
	table := func(years ...int) text.Table {
		var times []time.Time
		for _, year := range years {
			times = append(times, at(year, 7))
		}
		when, cells := text.TimeColumn("WHEN", times)
		t := text.Table{Columns: []text.Column{
			when, {Title: "PLACE", Cut: true, End: true, Min: 10}, {Title: "GATE", Cut: true, Spare: true}, {Title: "ISSUE", Cut: true, Min: 20},
		}}
		for _, cell := range cells {
			t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{cell, {Text: "internal/parser/parser.go:120"}, {Text: "go:quality"}, {Text: "The last line of a file is never read by it"}}})
		}
		return t
	}
	for _, test := range []struct {
		width int
		years []int
		want  string
	}{
		{200, []int{2026}, "2026-03-07 14:05  internal/parser/parser.go:120  go:quality  The last line of a file is never read by it"},
		{46, []int{2026, 2026}, "03-07 14:05  …ser.go:120  The last line of a …"},
		{46, []int{2025, 2026}, "2026-03-07  …rser.go:120  The last line of a …"},
	} {
		var out strings.Builder
		if err := table(test.years...).Write(&out, text.Style{Width: test.width}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if got := lines[len(lines)-1]; got != test.want {
			t.Errorf("%d columns: got\n%s, want\n%s", test.width, got, test.want)
		}
	}
}

// Whatever the width, no line is wider; what must not be cut is there in full, and columns without
// text are not.
func TestTableOfEachWidth(t *testing.T) {
	t.Parallel()
	const gate, why = "review:packages/frontend-application:quality@2", "exited with code 3: 日本語 and /a/path/that/is/longer/than/a/very/narrow/line/would/be"
	table := text.Table{Columns: []text.Column{
		{Title: "GATE", Cut: true, Late: true, Whole: true}, {Title: "NOTHING"}, {Title: "STATUS"}, {Title: "FOUND", Right: true}, {Title: "WHY", Whole: true},
	}}
	for _, reason := range []string{"", why} {
		table.Rows = append(table.Rows, text.Row{Heading: "Iteration 1 over the changes since main"},
			text.Row{Cells: []text.Cell{{Text: gate}, {}, {Text: "failed", Color: text.Red}, text.Number(12345), {Text: reason}}})
	}
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for width := 8; width < 200; width++ {
		var out strings.Builder
		if err := table.Write(&out, text.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if got := text.Width(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("%d columns instead of %d: %q", got, width, line)
			}
		}
		if all := bare(out.String()); strings.Count(all, gate) != 2 || !strings.Contains(all, bare(why)) || strings.Contains(all, "NOTHING") {
			t.Errorf("in %d columns:\n%s", width, &out)
		}
	}
}

// The title of a column of times names their zone, and each time does if summer time lies between them.
// Not parallel: it sets the local zone.
func TestTimeColumn(t *testing.T) {
	defer func(local *time.Location) { time.Local = local }(time.Local)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	time.Local = berlin
	winter, summer := time.Date(2026, 1, 31, 23, 30, 0, 0, time.UTC), time.Date(2026, 7, 31, 23, 30, 0, 0, time.UTC)
	for _, test := range []struct {
		times              []time.Time
		title, text, short string
	}{
		{[]time.Time{winter}, "WHEN CET", "2026-02-01 00:30", "02-01 00:30"},
		{[]time.Time{summer, {}, winter}, "WHEN", "2026-08-01 01:30 CEST", "08-01 01:30 CEST"},
		{[]time.Time{winter.AddDate(1, 0, 0), winter}, "WHEN CET", "2027-02-01 00:30", "2027-02-01"},
		{[]time.Time{{}}, "WHEN", "", ""},
	} {
		column, cells := text.TimeColumn("WHEN", test.times)
		if got := cells[0]; column.Title != test.title || got.Text != test.text || got.Short != test.short {
			t.Errorf("%v: %q, %q, %q", test.times, column.Title, got.Text, got.Short)
		}
	}
	if got, want := text.LocalTime(summer), "2026-08-01 01:30 CEST"; got != want {
		t.Errorf("a time is %q, want %q", got, want)
	}
}
