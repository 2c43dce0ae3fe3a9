package export

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed schema/*.schema.json
var schemas embed.FS

const schemaExt = ".schema.json"

// SchemaNames lists the formats that have a JSON Schema.
func SchemaNames() []string {
	names, err := fs.Glob(schemas, "schema/*"+schemaExt)
	if err != nil {
		return nil // the pattern is well formed
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(name, "schema/"), schemaExt)
	}
	return names
}

// Schema is the JSON Schema (draft 2020-12) of a format.
func Schema(name string) ([]byte, error) {
	data, err := schemas.ReadFile("schema/" + name + schemaExt)
	if err != nil {
		return nil, fmt.Errorf("no schema is called %q: there are %s", name, strings.Join(SchemaNames(), " and "))
	}
	return data, nil
}
