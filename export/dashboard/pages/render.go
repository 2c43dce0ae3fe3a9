// Package pages renders the history of reviews as HTML pages, from rows, filters and figures.
//
// A page is first converted to content, down to its words and addresses; templates only lay it out.
// The package is pure: it does not query a ledger and reads no files other than its embedded ones.
// All foreign text goes through html/template, and the whole document through [text.Escape], so
// that no control character from a reviewer reaches a browser.
package pages

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

// Static returns the style sheet app.css and the script app.js.
func Static() fs.FS {
	static, err := fs.Sub(staticFiles, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return static
}

// templates are parsed when the first page is rendered, because most commands do not render any.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").ParseFS(templateFiles, "templates/*.html"))
})

// document is the data of the outer template.
type document struct {
	Frame
	Title   string
	Tabs    []tab
	Keys    []tab // those with a letter
	Content content
	Search  string
	Home    string
	AsOf    string
}

// tab is an entry of the navigation. Letter is the key that opens it after g, if there is one.
type tab struct {
	Name, Href, Key, Letter string
	Current                 bool
	Count                   string
}

// Word names the page in a sentence.
func (t tab) Word() string { return strings.ToLower(t.Name) }

// Render writes a page as a complete document.
func Render(w io.Writer, f Frame, p Page) error {
	l := links{team: !f.Pulled.IsZero(), now: f.Now}
	c := p.content(f, l)
	d := document{
		Frame: f, Title: cmp.Or(c.Name, c.Head.Title), Tabs: tabs(f, l, c.Tab), Content: c,
		Search: l.to("/violations"), Home: l.to("/"), AsOf: asOf(f.Now, f.Now),
	}
	d.Keys = slices.DeleteFunc(slices.Clone(d.Tabs), func(t tab) bool { return t.Letter == "" })
	if !f.Pulled.IsZero() {
		d.AsOf = asOf(f.Pulled, f.Now)
	}
	return execute(w, "document", d)
}

// asOf formats a time with its day, in the zone of now and with its name.
func asOf(t, now time.Time) string { return t.In(now.Location()).Format("2 Jan 2006, 15:04 MST") }

func tabs(f Frame, l links, current string) []tab {
	list := []tab{
		{Name: "Overview", Href: l.to("/"), Key: "index", Letter: "o"},
		{Name: "Runs", Href: l.to("/runs"), Key: "runs", Letter: "r"},
		{Name: "Violations", Href: l.to("/violations"), Key: "violations", Letter: "v"},
		{Name: "Skips", Href: l.to("/skips"), Key: "skips", Letter: "s"},
		{Name: "Reviewers", Href: l.to("/reviewers"), Key: "reviewers", Letter: "a"},
		{Name: "Files", Href: l.to("/files"), Key: "files", Letter: "f"},
		{Name: "Checks", Href: l.to("/checks"), Key: "checks", Letter: "c"},
		{Name: "Verdicts", Href: l.to("/verdicts"), Key: "verdicts", Letter: "d"},
		{Name: "Compare", Href: l.to("/compare"), Key: "compare"},
	}
	for i := range list {
		list[i].Current = list[i].Href == current
		if list[i].Key == "violations" && f.Open != nil && *f.Open > 0 {
			list[i].Count = count(*f.Open)
		}
	}
	return list
}

func execute(w io.Writer, name string, data any) error {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		return fmt.Errorf("render the page: %w", err)
	}
	_, err := io.WriteString(w, text.Escape(out.String()))
	return err
}
