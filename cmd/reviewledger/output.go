package main

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// style returns how text is printed: in color on a terminal, unless NO_COLOR is set.
func (g *globalOptions) style() text.Style {
	return text.Style{Color: isTerminal(g.stdout) && g.getenv("NO_COLOR") == "" && g.getenv("TERM") != "dumb", Width: g.width()}
}

// width returns the width of the terminal in columns, or 0 without a terminal: then nothing is cut.
// COLUMNS overrides it.
func (g *globalOptions) width() int {
	if n, err := strconv.Atoi(g.getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	file := terminalOf(g.stdout)
	if file == nil {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil { // the size is unknown
		return 0
	}
	return width
}

// isTerminal reports whether a stream of the process is a terminal.
func isTerminal(stream any) bool { return terminalOf(stream) != nil }

// terminalOf returns the terminal that shows a stream of the process, with a pager or without, or nil.
func terminalOf(stream any) *os.File {
	if paged, ok := stream.(*pagedOutput); ok {
		return paged.terminal
	}
	if file, ok := stream.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// format is an output format of a command.
type format string

const (
	formatTable  format = "table"
	formatText   format = "text" // of commands that say what they did
	formatJSON   format = "json"
	formatNDJSON format = "ndjson"
	formatCSV    format = "csv"  // only for some listings
	formatUnix   format = "unix" // only for violations
	formatHTML   format = "html" // only for report
)

// printItems prints a listing as one JSON array, or as one JSON object per line.
func printItems[T any](w io.Writer, f format, items []T) error {
	return printEach(w, f, text.All(items))
}

// printEach is printItems for a sequence.
func printEach[T any](w io.Writer, f format, items iter.Seq2[T, error]) error {
	if f == formatJSON {
		return text.WriteJSONList(w, items)
	}
	return text.WriteJSONLines(w, items)
}

// printNext prints the command to run next, below a listing for people.
func printNext(global *globalOptions, f format, command string) error {
	if f != formatTable || command == "" {
		return nil
	}
	return console.WriteNext(global.stdout, command)
}

// listing is a sequence of rows that can be printed in several formats, each row as it comes. Only
// a table needs all of them at once.
type listing[R any] struct {
	rows    iter.Seq2[R, error]
	columns listings.Columns[R]
	table   func([]R) text.Table
	nothing string        // printed if there are no rows
	cut     cut           // of a table
	next    func() string // the command to run next, printed below a table; may be nil
}

// printListing prints a listing. A table is fitted to the terminal.
func printListing[R any](global *globalOptions, f format, l listing[R]) error {
	switch f {
	case formatTable:
	case formatCSV:
		return listings.WriteCSV(global.stdout, l.columns, l.rows)
	default:
		return printEach(global.stdout, f, text.Mapped(l.rows, l.columns.Object))
	}
	rows, err := lists.Collect(cutRows(&l.cut, l.rows))
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(global.stdout, l.nothing)
		return err
	}
	if err := l.table(rows).Write(global.stdout, global.style()); err != nil {
		return err
	}
	if l.next != nil {
		if err := printNext(global, f, l.next()); err != nil {
			return err
		}
	}
	return l.cut.print(global)
}

// tableRows is how many rows a list for people has without --limit.
const tableRows = 50

// cut says how many rows of a list are shown to people.
type cut struct {
	rows  int                    // 0 means all
	which string                 // which ones come first, as in "newest"
	all   func() (string, error) // counts all rows
	more  bool                   // there are more
}

// cutOnTerminal returns the number of rows that a table has on a terminal without --limit, or 0 if all
// are shown.
func (g *globalOptions) cutOnTerminal(cmd *cobra.Command, f format) int {
	if f != formatTable || cmd.Flags().Changed("limit") || !isTerminal(g.stdout) {
		return 0
	}
	return tableRows
}

// cutRows yields the rows that are shown, and finds out whether there are more.
func cutRows[R any](c *cut, rows iter.Seq2[R, error]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		shown := 0
		for row, err := range rows {
			if shown++; err == nil && c.rows > 0 && shown > c.rows {
				c.more = true
				return
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// print says how many rows there are, if not all of them are shown.
func (c *cut) print(global *globalOptions) error {
	if !c.more {
		return nil
	}
	all, err := c.all()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(global.stdout, "\nThese are the %s %d of %s. To list all: --limit 0\n", c.which, c.rows, all)
	return err
}

// countRows counts the rows of a list.
func countRows[R any](rows iter.Seq2[R, error]) (string, error) {
	all, err := lists.Collect(rows)
	return strconv.Itoa(len(all)), err
}

// printOne prints one value: as JSON, on one line for ndjson, or as show shows it.
func printOne(global *globalOptions, f format, value any, show func(*text.Page) error) error {
	switch f {
	case formatJSON:
		return printJSON(global.stdout, value)
	case formatNDJSON:
		return printItems(global.stdout, f, []any{value})
	}
	page := global.newPage()
	if err := show(page); err != nil {
		return err
	}
	return global.print(page)
}

// newPage returns an empty page for stdout.
func (g *globalOptions) newPage() *text.Page { return &text.Page{Style: g.style()} }

func (g *globalOptions) print(p *text.Page) error {
	_, err := p.WriteTo(g.stdout)
	return err
}

func printJSON(w io.Writer, value any) error {
	return text.WriteJSON(w, value, "  ")
}

// missingError is [ledger.ErrNotFound] with a message of its own.
type missingError struct{ message string }

// Error returns the message.
func (m *missingError) Error() string { return m.message }

// Is makes it an [ledger.ErrNotFound].
func (m *missingError) Is(target error) bool { return target == ledger.ErrNotFound }

func missing(format string, args ...any) error {
	return &missingError{fmt.Sprintf(format, args...)}
}

// writeTo writes to the file that the user names, whole or not at all, or to stdout without a name.
func (g *globalOptions) writeTo(name string, data []byte) error {
	return g.writeStream(name, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// writeStream is writeTo for content that the function write produces.
func (g *globalOptions) writeStream(name string, write func(io.Writer) error) error {
	if name == "" {
		return write(g.stdout)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(g.dir, name)
	}
	return files.WriteNamedOf(name, write)
}

func usageError(format string, args ...any) error {
	return &worktree.UsageError{Message: fmt.Sprintf(format, args...)}
}

// confirm asks whether to remove or delete something for good; the verb is one of them. What else goes
// is printed before. If nobody can be asked, because stdin is not a terminal, that is a usage error, which
// ends with the words otherwise.
func confirm(global *globalOptions, verb, what, before, otherwise string) error {
	if !isTerminal(global.stdin) {
		return usageError("this would %s %s: --yes %[1]ss without asking%[3]s", verb, what, otherwise)
	}
	if _, err := io.WriteString(global.stderr, before); err != nil {
		return err
	}
	if !confirmed(global.stderr, bufio.NewReader(global.stdin), strings.ToUpper(verb[:1])+verb[1:]+" "+what+" for good?") {
		return fmt.Errorf("not confirmed: nothing was %sd (--yes %[1]ss without asking)", verb)
	}
	return nil
}

// confirmed asks the question and reports whether the answer is yes. No answer means no.
func confirmed(w io.Writer, answers *bufio.Reader, question string) bool {
	_, _ = fmt.Fprintf(w, "%s [y/N] ", text.EscapeLine(question))
	answer, err := answers.ReadString('\n')
	if err != nil {
		_, _ = fmt.Fprintln(w)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
