package listings

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// WriteUnix writes a violation as a line, as compilers write errors: file:line:column: message, then
// its priority and id. Editors jump to such lines. What is about a whole file is at its first line.
func WriteUnix(w io.Writer, found iter.Seq2[ledger.ListedViolation, error]) error {
	out := bufio.NewWriter(w)
	for v, err := range found {
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "%s:%d:1: %s [%s %s]\n", unixFile(v.Place.File), max(v.Place.Start, 1), text.EscapeLine(v.Issue), v.Priority, v.ShortID)
	}
	return out.Flush() // it has the first error
}

// unixFile escapes a file's name. A colon in it would end it, and could name another file.
func unixFile(name string) string {
	return strings.ReplaceAll(text.EscapeLine(name), ":", `\x3a`)
}
