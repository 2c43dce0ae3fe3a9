package answer

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"sync"
	"text/template"
)

// SchemaOptions say which schema of the form is wanted.
type SchemaOptions struct {
	CodeReview bool // with the keys of an entry that only code reviews have
	// Enforced is for clients that make a model follow a schema: without $schema and
	// conditions, which some refuse, with types where the form takes anything, and with
	// violations and not_reviewed required. What fits it can still be unfit.
	Enforced bool
	// Strict is for clients whose models follow a schema token by token: as Enforced, and
	// every key is required, may be null where it is optional, and no other is allowed.
	Strict bool
}

var formKeys = []string{"status", "violations", "claims", "disputes", "known", "not_reviewed", "notes", "reason"}

// filledPattern finds a character that is not blank. The blanks are those of
// [unicode.IsSpace], one by one: dialects of regular expressions differ in theirs.
const filledPattern = `"[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"`

//go:embed schema.tmpl
var schemaText string

var schemaTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(schemaText)) })

// Schema is the JSON Schema (draft 2020-12) of the form. What fits it without Enforced and
// Strict fits [Read] and the other way round, but for keys that appear twice in an object
// and for what only the prompt knows.
func Schema(o SchemaOptions) []byte {
	var filled, indented bytes.Buffer
	err := schemaTemplate().Execute(&filled, map[string]any{"CodeReview": o.CodeReview, "Strict": o.Strict, "Full": !o.Enforced && !o.Strict,
		"MaxViolations": maxViolations, "Filled": filledPattern})
	if err == nil {
		err = json.Indent(&indented, filled.Bytes(), "", "  ")
	}
	if err != nil {
		panic(err) // the template is part of the program, and each option has a test
	}
	return indented.Bytes()
}
