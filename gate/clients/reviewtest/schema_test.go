package reviewtest

import "testing"

// These results were measured with Claude Code 2.1.330, except for topFault, which its server
// reports.
func TestSchemaFaultsOfClaude(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`: "",
		`{"type":"object","properties":{"a":{"type":["integer","string","null"],"pattern":"^[0-9]+$","minimum":1},
			"minContains":{"type":"array","allOf":[{"contains":{"properties":{"id":{"const":"x"}},"required":["id"]}}]}},
			"if":{"required":["a"]},"then":{"required":["b"]},"$defs":{"p":true}}`: "",
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`:      `no schema with key or ref "https://json-schema.org/draft/2020-12/schema"`,
		`{"type":"object","properties":{"a":{"contains":{},"minContains":1}}}`:            `strict mode: unknown keyword: "minContains"`,
		`{"type":"object","properties":{"a":{"anyOf":[{"items":{"unknownKeyword":1}}]}}}`: `strict mode: unknown keyword: "unknownKeyword"`,
		`{"type":`: "it is not a JSON object", `[]`: "it is not a JSON object", `null`: "it is not a JSON object",
	} {
		if got := draft7Fault(schema); got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
	for schema, refused := range map[string]bool{
		`{"type":"object","properties":{"a":{"anyOf":[]}}}`: false, `{"type":"object","allOf":[]}`: true,
		`{"type":"object","anyOf":[]}`: true, `{"type":"object","oneOf":[]}`: true, `{"type":"array"}`: true, `{}`: true,
	} {
		if got := topFault(schema); (got != "") != refused {
			t.Errorf("%s at the top: %q", schema, got)
		}
	}
}

func TestStrictFault(t *testing.T) {
	t.Parallel()
	const strict = `{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]},"b":{"type":"array","items":{"$ref":"#/$defs/c"}}},` +
		`"required":["a","b"],"additionalProperties":false,"$defs":{"c":{"type":"string","enum":["x"]}}}`
	for schema, want := range map[string]string{
		strict: "",
		`{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}`:                                "In context=(), 'required' is required to be an array including every key in properties. Missing 'a'.",
		`{"type":"object","properties":{},"required":[]}`:                                                                                  "In context=(), 'additionalProperties' is required to be supplied and to be false.",
		`{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`:                                            "In context=(properties/a), schema must have a 'type' key.",
		`{"type":"object","properties":{"a":{"type":"array","contains":{"type":"string"}}},"required":["a"],"additionalProperties":false}`: "In context=(properties/a), 'contains' is not permitted.",
		`{"anyOf":[]}`: `schema must be a JSON Schema of 'type: "object"'.`,
	} {
		if got := strictFault(schema); got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}

func TestWantsSchema(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{"x\n# Answer\n\nIn the form.\n": true, "x\n# Answer it\n": false, "x": false, "": false} {
		if got := wantsSchema([]byte(prompt)); got != want {
			t.Errorf("%q must have a schema: %t", prompt, got)
		}
	}
}
