package prompt

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
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
	return template.Must(template.New("").Funcs(template.FuncMap{"oneLine": oneLine, "displayed": displayed, "trim": strings.TrimSpace, "quoted": quoted, "verdicts": exampleVerdicts}).Parse(fixedText))
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

// GoneInExample returns the id of the known problem that the example calls gone, or "" if no other
// id is left for the example's violation.
func (f filled) GoneInExample() string {
	if listed := f.Listed(); len(f.Known) > 0 && len(listed) > 1 {
		return listed[len(listed)-1]
	}
	return ""
}

// longestVerdict is the longest verdict that an example gives on a claim or dispute.
const longestVerdict = "cannot_tell"

// exampleVerdicts returns one entry for each id, with each of the words in turn.
func exampleVerdicts(ids []string, words ...string) string {
	var all strings.Builder
	for i, id := range ids {
		all.WriteString(exampleVerdict(id, words[i%len(words)]))
	}
	return strings.TrimSuffix(all.String(), ",\n")
}

func exampleVerdict(id, verdict string) string {
	return fmt.Sprintf(`    {"id": %s, "verdict": %q, "evidence": "…"},`+"\n", quoted(id), verdict)
}

// quoted returns an id as JSON.
func quoted(id string) string {
	text, _ := json.Marshal(id) // encoding a string never fails
	return string(text)
}
