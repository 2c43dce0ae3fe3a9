// Package schema has the JSON Schemas of the files that agents read and edit, embedded in
// the program.
package schema

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.schema.json
var schemas embed.FS

const schemaExt = ".schema.json"

// Names lists the formats that have a JSON Schema.
func Names() []string {
	names, err := fs.Glob(schemas, "*"+schemaExt)
	if err != nil {
		return nil // the pattern is well formed
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, schemaExt)
	}
	return names
}

// Of is the JSON Schema (draft 2020-12) of a format.
func Of(name string) ([]byte, error) {
	data, err := schemas.ReadFile(name + schemaExt)
	if err != nil {
		return nil, fmt.Errorf("unknown schema %q: use %s", name, strings.Join(Names(), " or "))
	}
	return data, nil
}
