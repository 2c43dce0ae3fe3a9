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
