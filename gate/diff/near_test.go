package diff

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSandbox(t)
	var before []string
	for n := 1; n <= 60; n++ {
		before = append(before, fmt.Sprintf("line %d", n))
	}
	after := append([]string{}, before...)
	after[9], after[39], after[54] = "ten", "forty\nand more", "line 55\nand one more"
	s.write("f", strings.Join(before, "\n")+"\n")
	s.write("other", "1\n")
	s.commit()
	r := s.open()
	s.write("f", strings.Join(after, "\n")+"\n")
	s.write("other", "2\n")
	snapshot, err := r.Snapshot(ctx, SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.Diff(ctx, r.Head, snapshot.Tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file              string
		start, end, lines int
		want, not         string
		count             int // of lines
	}{
		"at the change":       {"f", 10, 10, 200, "\n-line 10\n+ten\n", "forty", 9},
		"three lines from it": {"f", 43, 50, 200, "+forty\n+and more\n", "ten", 10},
		"four lines from it":  {"f", 44, 50, 200, "", "@@", 0},
		"behind new lines":    {"f", 59, 60, 200, "+and one more\n", "forty", 8},
		"far behind them":     {"f", 60, 60, 200, "", "@@", 0},
		"at the top":          {"f", 1, 1, 200, "", "@@", 0},
		"both":                {"f", 10, 40, 200, "+forty\n", "other", 19},
		"the whole file":      {"f", 0, 0, 200, "+ten\n", "+2", 27},
		"cut to a line":       {"f", 0, 0, 1, "@@ -", "ten", 1},
		"cut to nothing":      {"f", 0, 0, 0, "", "@@", 0},
		"cut between hunks":   {"f", 0, 0, 9, "+ten\n", "forty", 9},
		"cut":                 {"f", 0, 0, 11, "+ten\n", "forty", 11},
		"another file":        {"other", 1, 1, 200, "-1\n+2\n", "ten", 3},
		"no such file":        {"none", 1, 1, 200, "", "@@", 0},
	} {
		got := d.Near(test.file, test.start, test.end, test.lines)
		if !strings.Contains(got, test.want) || strings.Contains(got, test.not) || strings.Count(got, "\n") != test.count {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
