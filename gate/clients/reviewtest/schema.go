package reviewtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// wantsSchema reports whether a prompt must come with a schema.
func wantsSchema(prompt []byte) bool {
	const manyClaims = 100
	return bytes.Contains(prompt, []byte("\n# Answer\n")) && len(listed(string(prompt), "Claims")) < manyClaims
}

func isObject(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}

// draft7Fault returns the reason why Claude Code (2.1.330) refuses a schema, or "". An older
// version (2.1.197) does not report it, and asks the model without the schema.
func draft7Fault(schema string) (fault string) {
	if !isObject(schema) {
		return "it is not a JSON object"
	}
	known := strings.Fields(`$id $schema $ref $defs $comment title description default examples type enum const
		minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern
		items additionalItems minItems maxItems uniqueItems contains
		properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependencies definitions
		if then else allOf anyOf oneOf not readOnly writeOnly`)
	eachSchema(json.RawMessage(schema), func(_ string, object map[string]json.RawMessage) {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			switch {
			case !slices.Contains(known, key): // "format" too, because it does not know its names
				fault = fmt.Sprintf("strict mode: unknown keyword: %q", key)
			case key == "$schema" && !bytes.Contains(object[key], []byte("draft-07")):
				fault = "no schema with key or ref " + string(object[key])
			}
		}
	})
	return fault
}

// topFault returns the reason why the server of Claude Code refuses a schema, or "".
func topFault(schema string) string {
	var top map[string]json.RawMessage
	if json.Unmarshal([]byte(schema), &top) != nil || string(top["type"]) != `"object"` {
		return `input_schema.type: Input should be "object"`
	}
	if top["allOf"] != nil || top["anyOf"] != nil || top["oneOf"] != nil {
		return "input_schema does not support oneOf, allOf, or anyOf at the top level"
	}
	return ""
}

// strictFault returns the reason why a server refuses a schema for strict output, or "". It follows
// OpenAI's documentation.
func strictFault(schema string) (fault string) {
	banned := strings.Fields(`allOf oneOf not if then else contains dependentRequired dependentSchemas dependencies
		patternProperties propertyNames prefixItems uniqueItems unevaluatedProperties`)
	eachSchema(json.RawMessage(schema), func(at string, object map[string]json.RawMessage) {
		var properties map[string]json.RawMessage
		var required []string
		hasProperties := json.Unmarshal(object["properties"], &properties) == nil
		_ = json.Unmarshal(object["required"], &required) // if it is not a list, nothing is required
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if slices.Contains(banned, key) {
				fault = fmt.Sprintf("In context=(%s), '%s' is not permitted.", at, key)
			}
		}
		for key := range properties {
			if !slices.Contains(required, key) {
				fault = fmt.Sprintf("In context=(%s), 'required' is required to be an array including every key in properties. Missing '%s'.", at, key)
			}
		}
		switch {
		case hasProperties && string(object["additionalProperties"]) != "false":
			fault = fmt.Sprintf("In context=(%s), 'additionalProperties' is required to be supplied and to be false.", at)
		case object["type"] == nil && object["$ref"] == nil && object["anyOf"] == nil:
			fault = fmt.Sprintf("In context=(%s), schema must have a 'type' key.", at)
		case at == "" && string(object["type"]) != `"object"`:
			fault = "schema must be a JSON Schema of 'type: \"object\"'."
		}
	})
	return fault
}

// eachSchema visits a schema and all schemas in it, with the path of keys to each.
func eachSchema(schema json.RawMessage, visit func(at string, object map[string]json.RawMessage)) {
	type place struct {
		at  string
		raw json.RawMessage
	}
	for todo := []place{{"", schema}}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var object map[string]json.RawMessage
		if json.Unmarshal(next.raw, &object) != nil {
			continue // true and false are schemas too
		}
		visit(next.at, object)
		for key, raw := range object {
			at := strings.TrimPrefix(next.at+"/"+key, "/")
			switch key {
			case "items", "additionalItems", "contains", "additionalProperties", "propertyNames", "if", "then", "else", "not":
				todo = append(todo, place{at, raw})
			case "properties", "patternProperties", "definitions", "$defs":
				var parts map[string]json.RawMessage
				_ = json.Unmarshal(raw, &parts) // if it is not an object, it has no parts
				for name, part := range parts {
					todo = append(todo, place{at + "/" + name, part})
				}
			case "allOf", "anyOf", "oneOf":
				var parts []json.RawMessage
				_ = json.Unmarshal(raw, &parts) // if it is not a list, it has no parts
				for i, part := range parts {
					todo = append(todo, place{fmt.Sprintf("%s/%d", at, i), part})
				}
			}
		}
	}
}
