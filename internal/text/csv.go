package text

import (
	"encoding/csv"
	"io"
	"iter"
	"strings"
)

// WriteCSV writes a line of titles and rows of text. A cell that a spreadsheet would take for a
// formula is prefixed with an apostrophe. Control characters are escaped, and a line break becomes
// a space.
func WriteCSV(w io.Writer, titles []string, rows iter.Seq2[[]string, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(titles); err != nil {
		return err
	}
	safe := make([]string, len(titles))
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, cell := range row {
			safe[i] = neutral(OnOneLine(cell))
		}
		if err := out.Write(safe); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// neutral keeps a spreadsheet from evaluating a cell as a formula. Some programs skip white space
// and quotes before they look for one.
func neutral(cell string) string {
	bare := strings.TrimLeft(cell, " \u00a0\ufeff\"")
	if bare != "" && strings.ContainsRune("=+-@|%\uff1d\uff0b\uff0d\uff20", []rune(bare)[0]) {
		return "'" + cell
	}
	return cell
}
