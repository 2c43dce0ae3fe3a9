package clients

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Earlier is a violation that was reported before: a claim, which the author of the
// change says is fixed, or one that is known and still open.
type Earlier struct {
	ID, File string
	// Start and End are its lines now; 0 and 0 mean the whole file.
	Start, End      int
	Issue, Priority string
	// Result is what the author says of the fix; it may be empty.
	Result string
	// Lines are a claim's current lines at and around the place, in ascending order. Of
	// a very long place they are the first ones, and Last is where it ends, else 0.
	Lines []Line
	Last  int
}

// Line is a line of a file, without its line break. Lines count from 1.
type Line struct {
	Number int
	Text   string
}

// contradicts reports whether an open violation lies where a claim is. A reviewer that is
// told not to report it again might not report either.
func (k Earlier) contradicts(claims []Earlier) bool {
	return slices.ContainsFunc(claims, func(c Earlier) bool {
		return c.File == k.File && (c.Start == 0 || k.Start == 0 || c.Start <= max(k.Start, k.End) && k.Start <= max(c.Start, c.End))
	})
}

// claimWriter writes the claims on one file. It shows each line once.
type claimWriter struct {
	// diff are the lines that the diff shows, and above those that an earlier claim does.
	diff, above map[int]string
	out         bytes.Buffer
}

func (w *claimWriter) write(c Earlier) {
	fmt.Fprintf(&w.out, "- %s: %s [%s] %s\n", c.ID, place(c.File, c.Start, c.End), indented(c.Priority), indented(c.Issue))
	if c.Result != "" {
		fmt.Fprintf(&w.out, "  The author says: %s\n", indented(c.Result))
	}
	if slices.ContainsFunc(c.Lines, func(line Line) bool { return w.shown(line) == shownHere }) {
		w.lines(c)
	}
}

// where a line is shown.
const (
	shownHere  = ""
	shownDiff  = "in the diff"
	shownAbove = "see above"
)

func (w *claimWriter) shown(line Line) string {
	text := strings.TrimRight(line.Text, "\r")
	if there, ok := w.diff[line.Number]; ok && there == text {
		return shownDiff
	}
	if _, ok := w.above[line.Number]; ok {
		return shownAbove
	}
	return shownHere
}

// lines writes the claim's lines, and where those that are left out are shown.
func (w *claimWriter) lines(c Earlier) {
	w.out.WriteString("  The place now:\n")
	for i := 0; i < len(c.Lines); {
		line := c.Lines[i]
		where := w.shown(line)
		if where == shownHere {
			fmt.Fprintf(&w.out, "    %d: %s\n", line.Number, line.Text)
			w.above[line.Number] = line.Text
			i++
			continue
		}
		last := i
		for last+1 < len(c.Lines) && w.shown(c.Lines[last+1]) == where {
			last++
		}
		fmt.Fprintf(&w.out, "    %s: %s\n", lineNumbers(line.Number, c.Lines[last].Number), where)
		i = last + 1
	}
	if c.Last > 0 {
		fmt.Fprintf(&w.out, "    (and so on, to line %d: read the file)\n", c.Last)
	}
}

func lineNumbers(start, end int) string {
	if end <= start {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d-%d", start, end)
}

func knownText(k Earlier) []byte {
	return fmt.Appendf(nil, "- %s [%s] %s\n", place(k.File, k.Start, k.End), indented(k.Priority), indented(k.Issue))
}

func place(file string, start, end int) string {
	if start == 0 {
		return displayed(file)
	}
	return displayed(file) + ":" + lineNumbers(start, end)
}
