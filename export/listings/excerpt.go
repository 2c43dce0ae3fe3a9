package listings

// This file prints excerpts of reviewed code.

import (
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// codeContext is how many lines around a place are shown, and maxCode the maximum number of lines.
const (
	codeContext = 3
	maxCode     = 24
)

// WriteCode writes the proposed fix, and the code at the place as it was reviewed, with a mark
// beside the lines of the place. It writes nothing if both are missing.
func WriteCode(p *text.Page, place ledger.Place, fix string, code ledger.Excerpt, indent string) {
	if fix = text.EscapeLine(fix); fix != "" {
		p.Words("%sFix: %s", indent, fix)
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
			p.Line("%s     ...", indent)
			break
		}
		code := strings.ReplaceAll(line, "\t", "    ")
		p.Line("%s", text.Cut(strings.TrimRight(fmt.Sprintf("%s%c %4d  %s", indent, mark, n, text.OnOneLine(code)), " "), p.Style.Width))
	}
}

// WriteWide writes violations for people, with the proposed fix and the code at the place. The code
// is given by ULID.
func WriteWide(p *text.Page, found []ledger.ListedViolation, code map[string]ledger.Excerpt) {
	for i, v := range found {
		if i > 0 {
			p.Line("")
		}
		p.Words("%s  %s  %s  %s  %s:%s (%s@%d)\n  %s", v.ShortID, p.Style.Paint(colorOf(v.Status), string(v.Status)), v.Priority,
			text.EscapeLine(v.Place.String()), text.EscapeLine(text.OrElse(v.EntryPoint, "-")), text.EscapeLine(v.Gate),
			text.EscapeLine(v.Adapter), v.Slot, text.EscapeLine(withResult(v)))
		writeViolationCode(p, v, code[v.ID])
	}
}

// writeViolationCode writes the fix, and the code as it was reported: it may have changed since.
func writeViolationCode(p *text.Page, v ledger.ListedViolation, code ledger.Excerpt) {
	const indent = "  "
	WriteCode(p, v.Place, v.Fix, ledger.Excerpt{}, indent)
	if code.First >= 1 {
		p.Line(indent + "The code as it was reported:")
		WriteCode(p, v.ReportedAt(), "", code, indent)
	}
}
