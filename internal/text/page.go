package text

import (
	"bytes"
	"fmt"
)

// Page is what a command shows to people. It is collected in memory, where writing cannot fail, and
// written at once, which is much faster than line by line.
type Page struct {
	bytes.Buffer
	Style Style
}

// Line adds a line.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// Words adds lines of text, broken between words where they are too wide.
func (p *Page) Words(format string, args ...any) {
	p.WriteString(Fit(fmt.Sprintf(format, args...)+"\n", p.Style.Width))
}

// Table adds a table.
func (p *Page) Table(t Table) { _ = t.Write(p, p.Style) }

// Below adds tables, each after an empty line. Tables without rows are left out.
func (p *Page) Below(tables ...Table) {
	for _, t := range tables {
		if len(t.Rows) > 0 {
			p.Line("")
			p.Table(t)
		}
	}
}

// Style says how text is shown on the output.
type Style struct {
	// Color is true only on terminals, and never with NO_COLOR.
	Color bool
	// Width is the width in columns. It is 0 if unknown, as in a pipe: nothing is cut then.
	Width int
}

// Terminal escape sequences for colors.
const (
	Red    = "\x1b[31m"
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// Paint colors text of this program. It must not be used for foreign text.
func (s Style) Paint(color, text string) string {
	if !s.Color || color == "" {
		return text
	}
	return color + text + reset
}
