package prompt

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"text/template"
)

//go:embed prompt.tmpl
var fixedText string

// fixed returns the template for the parts that are the same in all prompts, except for ids and for
// what does not apply.
var fixed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"oneLine": oneLine, "displayed": displayed, "trim": strings.TrimSpace}).Parse(fixedText))
})

// filled is the data for the fixed parts of a prompt.
type filled struct {
	Prompt
	In Input
	// Closed are the folders that a reviewer must not read.
	Closed string
	// Seen reports that parts of the diff were shown before.
	Seen bool
	// Own reports that the known problems include some that the slot reported and that are open.
	Own bool
	// Summary lists the changed files that are shown.
	Summary string
}

// write writes the fixed part with that name.
func (f filled) write(b *bytes.Buffer, name string) {
	if err := fixed().ExecuteTemplate(b, name, f); err != nil {
		panic(err) // the template is part of the program, and writing to memory cannot fail
	}
}

// Listed returns the ids of everything that the prompt lists.
func (f filled) Listed() []string { return slices.Concat(f.Claims, f.Disputed, f.Known) }
