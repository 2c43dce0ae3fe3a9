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

// fixed holds the parts of prompts that are the same in all, but for ids and what does not
// apply.
var fixed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"oneLine": oneLine, "displayed": displayed, "trim": strings.TrimSpace, "quoted": quoted, "verdicts": exampleVerdicts}).Parse(fixedText))
})

// filled is what the fixed parts of a prompt are filled in with.
type filled struct {
	Prompt
	In Input
	// Closed are the folders that a reviewer must not read.
	Closed string
	// Seen reports whether parts of the diff were shown before.
	Seen bool
	// Summary lists the changed files that are shown.
	Summary string
}

// write writes a fixed part.
func (f filled) write(b *bytes.Buffer, name string) {
	if err := fixed().ExecuteTemplate(b, name, f); err != nil {
		panic(err) // the template is part of the program, and writing to memory cannot fail
	}
}

// Listed are the ids of all that the prompt lists.
func (f filled) Listed() []string { return slices.Concat(f.Claims, f.Disputed, f.Known) }

// GoneInExample is the id of the known problem that the example calls gone, if there is another
// one for its entry.
func (f filled) GoneInExample() string {
	if listed := f.Listed(); len(f.Known) > 0 && len(listed) > 1 {
		return listed[len(listed)-1]
	}
	return ""
}

// longestVerdict is the longest word that an example gives on a claim or dispute.
const longestVerdict = "cannot_tell"

// exampleVerdicts is one entry for each id, with each of the words in turn.
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

// quoted writes an id as JSON.
func quoted(id string) string {
	text, _ := json.Marshal(id) // of a string it never fails
	return string(text)
}
