package answer

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/reviewledger/reviewledger/ledger"
)

// SchemaOptions select a variant of the schema.
type SchemaOptions struct {
	CodeReview bool // with the keys of an entry that only code reviews have
	// Enforced is for clients that make a model follow a schema. It omits $schema and conditions,
	// which some refuse, adds types where the form accepts anything, and requires violations and
	// not_reviewed. An answer that fits it can still be unfit.
	Enforced bool
	// Strict is for clients whose models follow a schema token by token. It is like Enforced, but
	// every key is required, optional ones may be null, and no other key is allowed.
	Strict bool
}

var formKeys = []string{"status", "violations", "claims", "disputes", "known", "not_reviewed", "notes", "message", "reason"}

// filledPattern matches a character that is not blank ([ledger.Invisible]), as JSON. It lists the
// blanks one by one, because dialects of regular expressions differ in theirs; those that need
// two units in UTF-16 are left out, because not every dialect can list them.
var filledPattern = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString(`"[^`)
	for from := rune(0); from <= 0xFFFF; from++ {
		to := from
		for to <= 0xFFFF && ledger.Invisible(to) {
			to++
		}
		switch to - from {
		case 0:
			continue
		case 1:
			fmt.Fprintf(&b, `\u%04x`, from)
		default:
			fmt.Fprintf(&b, `\u%04x-\u%04x`, from, to-1)
		}
		from = to
	}
	b.WriteString(`]"`)
	return b.String()
})

//go:embed schema.tmpl
var schemaText string

var schemaTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(schemaText)) })

// Schema returns the JSON Schema (draft 2020-12) of the form. Without Enforced and Strict, an
// answer fits it if and only if it fits [Read], except for keys that appear twice in an object and
// for what only the prompt knows.
func Schema(o SchemaOptions) []byte {
	var filled, indented bytes.Buffer
	var formOnly []string
	for _, key := range formKeys {
		if !slices.Contains(plainKeys, key) {
			formOnly = append(formOnly, strconv.Quote(key))
		}
	}
	err := schemaTemplate().Execute(&filled, map[string]any{"FormOnly": formOnly, "CodeReview": o.CodeReview, "Strict": o.Strict, "Full": !o.Enforced && !o.Strict,
		"MaxViolations": maxViolations, "Filled": filledPattern()})
	if err == nil {
		err = json.Indent(&indented, filled.Bytes(), "", "  ")
	}
	if err != nil {
		panic(err) // the template is part of the program, and each option has a test
	}
	return indented.Bytes()
}
