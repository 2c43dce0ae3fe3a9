// Package schema embeds the JSON Schemas of the files that agents read and edit.
package schema

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.schema.json
var schemas embed.FS

// Names lists the formats that have a JSON Schema.
func Names() []string { return []string{"slot", "verdict"} }

// Of returns the JSON Schema (draft 2020-12) of a format.
func Of(name string) ([]byte, error) {
	data, err := schemas.ReadFile(name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("unknown schema %q: use %s", name, strings.Join(Names(), " or "))
	}
	return data, nil
}
