package listings

import (
	"fmt"
	"io"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// excerptJSON is the code at the place of a report, as it was reviewed.
type excerptJSON struct {
	FirstLine int    `json:"first_line"`
	Text      string `json:"text"`
}

// newExcerptJSON is nil where there is no code.
func newExcerptJSON(x ledger.Excerpt) *excerptJSON {
	if x.First < 1 {
		return nil
	}
	return &excerptJSON{x.First, x.Text}
}

// codeContext is how many lines around a place are shown, and maxCode how many at most.
const (
	codeContext = 3
	maxCode     = 24
)

// WriteCode shows what a reviewer proposes, and the code at the place as it was reviewed,
// with a mark beside the lines that are meant. Where there is neither it writes nothing.
func WriteCode(w io.Writer, place ledger.Place, fix string, code ledger.Excerpt, indent string, width int) error {
	var b strings.Builder
	if fix = text.EscapeLine(fix); fix != "" {
		fmt.Fprintf(&b, "%sFix: %s\n", indent, fix)
	}
	shown := 0
	for i, line := range strings.Split(strings.TrimSuffix(code.Text, "\n"), "\n") {
		n, mark := code.First+i, ' '
		switch {
		case code.First < 1 || n < place.Start-codeContext || n > max(place.Start, place.End)+codeContext:
			continue
		case n >= place.Start && n <= max(place.Start, place.End):
			mark = '>'
		}
		if shown++; shown > maxCode {
			fmt.Fprintf(&b, "%s     ...\n", indent)
			break
		}
		code := strings.ReplaceAll(line, "\t", "    ")
		b.WriteString(text.Cut(strings.TrimRight(fmt.Sprintf("%s%c %4d  %s", indent, mark, n, text.OnOneLine(code)), " "), width) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteWide shows violations with what was proposed and the code at their places, by
// ULID, to people.
func WriteWide(w io.Writer, found []ledger.ListedViolation, code map[string]ledger.Excerpt, style text.Style, width int) error {
	for i, v := range found {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(w, "%s  %s  %s  %s  %s:%s (%s@%d)\n  %s\n", v.ShortID, style.Paint(statusColorOf(v.Status), string(v.Status)), v.Priority,
			text.EscapeLine(v.Place.String()), text.EscapeLine(text.OrElse(v.EntryPoint, "-")), text.EscapeLine(v.Gate),
			text.EscapeLine(v.Adapter), v.Slot, text.EscapeLine(withResult(v)))
		if err != nil {
			return err
		}
		if err := writeViolationCode(w, v, code[v.ID], width); err != nil {
			return err
		}
	}
	return nil
}

// writeViolationCode shows the code as it was reported, and says so where the lines are elsewhere
// now.
func writeViolationCode(w io.Writer, v ledger.ListedViolation, code ledger.Excerpt, width int) error {
	const indent = "  "
	if len(v.Reported) == 0 || code.First < 1 {
		return WriteCode(w, v.Place, v.Fix, code, indent, width)
	}
	if err := WriteCode(w, v.Place, v.Fix, ledger.Excerpt{}, indent, width); err != nil {
		return err
	}
	if _, err := io.WriteString(w, indent+"The code as it was reported:\n"); err != nil {
		return err
	}
	return WriteCode(w, v.ReportedAt(), "", code, indent, width)
}
