package prompt

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reviewledger/reviewledger/ledger"
)

// repeatedWords returns the texts that an author gave for more than two claims: such a text cannot
// be about each of them.
func repeatedWords(claims []Finding) map[string]bool {
	times := map[string]int{}
	repeated := map[string]bool{}
	for _, claim := range claims {
		words := strings.TrimSpace(claim.Author())
		times[words]++
		repeated[words] = times[words] > 2
	}
	return repeated
}

// entry returns the entry of a claim or dispute on the unit's file.
func (u *unit) entry(e Finding, author string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "- %s %s [%s] %s\n", oneLine(e.ShortID), placeText(e.Place), oneLine(string(e.Priority)), indented(e.Issue))
	for _, words := range e.EarlierWords {
		fmt.Fprintf(&b, "  Reported before as: %s\n", indented(words))
	}
	if strings.TrimSpace(e.Fix) != "" {
		fmt.Fprintf(&b, "  Proposed fix: %s\n", indented(e.Fix))
	}
	if e.Again != "" {
		fmt.Fprintf(&b, "  Put to you again: %s.\n", e.Again)
	}
	if strings.TrimSpace(author) != "" {
		fmt.Fprintf(&b, "  The author says: %s\n", indented(author))
	}
	for i, place := range e.Places() {
		now := e.Now[i]
		switch {
		case i > 0 && len(now.Lines) > 0:
			fmt.Fprintf(&b, "  Also %s, now:\n", placeText(place))
		case i > 0:
			fmt.Fprintf(&b, "  Also %s\n", placeText(place))
		case e.Gone && len(now.Lines) > 0:
			b.WriteString("  Its lines are gone. Where they were:\n")
		case e.Gone:
			b.WriteString("  Its lines are gone.\n")
		case len(now.Lines) > 0:
			b.WriteString("  The place now:\n")
		}
		u.lines(&b, place.File, now)
	}
	return b.Bytes()
}

// These are the places where a line is shown.
const (
	shownHere  = ""
	shownDiff  = "in the diff"
	shownAbove = "see above"
)

// worthLeavingOut is the least number of adjacent lines that are left out because they are shown
// elsewhere: a shorter gap only makes the place hard to read.
const worthLeavingOut = 3

// lines writes the lines of a place in a file. For lines that it leaves out it says where they are
// shown.
func (u *unit) lines(b *bytes.Buffer, file string, now Excerpt) {
	above := u.fromClaims[file]
	if above == nil {
		above = map[int]bool{}
		u.fromClaims[file] = above
	}
	where := func(line Line) string {
		// The lines of another file may be in another part of the prompt.
		if there, found := u.shown[line.Number]; found && file == u.path && there == strings.TrimRight(line.Text, "\r") {
			return shownDiff
		}
		if above[line.Number] {
			return shownAbove
		}
		return shownHere
	}
	var written []int
	for i := 0; i < len(now.Lines); {
		end, there := i, where(now.Lines[i])
		for end < len(now.Lines) && where(now.Lines[end]) == there {
			end++
		}
		if there != shownHere && end-i >= worthLeavingOut {
			fmt.Fprintf(b, "    %d-%d: %s\n", now.Lines[i].Number, now.Lines[end-1].Number, there)
			i = end
			continue
		}
		for ; i < end; i++ {
			fmt.Fprintf(b, "  %5d  %s\n", now.Lines[i].Number, strings.Join(strings.FieldsFunc(now.Lines[i].Text, breaksLine), " "))
			written = append(written, now.Lines[i].Number)
		}
	}
	if now.Last > 0 {
		fmt.Fprintf(b, "    (and so on, to line %d: read the file)\n", now.Last)
	}
	for _, number := range written {
		above[number] = true
	}
}

func knownText(k Known) []byte {
	place := placeText(k.Place)
	if k.Gone {
		place = displayed(k.Place.File) + " (its lines are gone)"
	}
	about := strings.Trim(oneLine(string(k.Priority))+", "+k.State, ", ")
	return fmt.Appendf(nil, "- %s %s [%s] %s\n", oneLine(k.ShortID), place, about, indented(k.Issue))
}

// fileSummary returns a file's line in a list of changed files.
func fileSummary(path string, added, removed int, whole bool) []byte {
	counts := ""
	if !whole && added+removed > 0 {
		counts = fmt.Sprintf(" +%d −%d", added, removed)
	}
	return fmt.Appendf(nil, "- %s%s\n", displayed(path), counts)
}

// placeText returns the place in the form "a.go:10-14".
func placeText(p ledger.Place) string {
	p.File = displayed(p.File)
	return p.String()
}

// oneLine returns a text without line breaks and control characters.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// indented keeps a text of several lines within its item: none of its lines can be taken for a
// heading or the next item.
func indented(text string) string {
	lines := strings.FieldsFunc(text, breaksLine)
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	for i, line := range lines {
		lines[i] = strings.TrimRightFunc(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\t' {
				return ' '
			}
			return r
		}, line), unicode.IsSpace)
	}
	return strings.TrimSpace(strings.Join(lines, "\n  | "))
}

// breaksLine reports whether a reader of the prompt may take a character for a line break.
func breaksLine(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }

// displayed returns a path unchanged, or quoted if it could be taken for more than a path.
func displayed(path string) string {
	for _, r := range path {
		if !strconv.IsPrint(r) {
			return strconv.Quote(path)
		}
	}
	return path
}
