package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// Schemas lists the files that people write and that have a JSON Schema.
func Schemas() []string { return []string{"config", "check", "review"} }

// Schema returns the JSON Schema (draft 2020-12) of one of [Schemas]. It accepts whatever [Load]
// accepts, and refuses what is wrong about single keys; Load also looks at what belongs together.
func Schema(name string) ([]byte, error) {
	file := map[string]struct {
		title, doc string
		keys       []Key
	}{
		"config": {"Configuration", "The project, " + File + ".", ProjectKeys()},
		"check":  {"Check", "A check gate, a file in " + ChecksDir + ".", CheckKeys()},
		"review": {"Review", "The frontmatter of a review gate, a file in " + ReviewsDir + ".", ReviewKeys()},
	}[name]
	if file.keys == nil {
		return nil, fmt.Errorf("unknown schema %q: use %s", name, strings.Join(Schemas(), " or "))
	}
	schema := objectOf(file.keys)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["$id"] = "https://github.com/reviewledger/reviewledger/schema/" + name + ".schema.json"
	schema["title"], schema["description"] = file.title, file.doc
	if name == "review" {
		schema["type"] = []string{"object", "null"} // a frontmatter may be empty
	}
	data, err := json.MarshalIndent(schema, "", "  ")
	return append(data, '\n'), err
}

type object = map[string]any

// objectOf returns the schema of a mapping with these keys and no others.
func objectOf(keys []Key) object {
	properties, required := object{}, []string{}
	for _, k := range keys {
		properties[k.Name] = k.schema()
		if k.required {
			required = append(required, k.Name)
		}
	}
	return object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

// plainText is a plain scalar of any kind, which is used as it is written.
func plainText() object {
	return object{"type": []string{"string", "number", "boolean"}, "pattern": `\S`}
}

func listOf(items object, least int) object {
	return object{"type": "array", "items": items, "minItems": least}
}

// schema returns the schema of the key's value.
func (k Key) schema() object {
	if k.withoutEffect {
		return object{"description": k.Doc, "deprecated": true}
	}
	s := k.formSchema()
	s["description"] = k.Doc
	return s
}

func (k Key) formSchema() object {
	switch k.form {
	case formBoolean:
		return object{"type": "boolean"}
	case formWhole:
		return object{"type": "integer", "minimum": k.least, "maximum": k.most}
	case formSeconds:
		return object{"type": "number", "minimum": minTimeout, "maximum": maxTimeout}
	case formAmount:
		return object{"type": []string{"number", "string"}, "exclusiveMinimum": 0, "maximum": maxCost, "pattern": `^\+?[0-9._eExXpP+-]+$`}
	case formDays:
		return object{"type": "string", "pattern": "^[0-9]+d$"}
	case formWord:
		return object{"enum": k.words}
	case formTexts:
		return listOf(plainText(), k.least)
	case formCommand:
		return object{"anyOf": []object{plainText(), listOf(plainText(), k.least)}}
	case formExitCodes:
		code := object{"type": "integer", "minimum": 0, "maximum": 255}
		meaning := object{"enum": clients.ExitMeanings()}
		return object{"anyOf": []object{listOf(code, 1), {"type": "object", "minProperties": 1, "additionalProperties": meaning}}}
	case formKeys:
		return objectOf(k.keys)
	case formNamed:
		return object{"type": "object", "additionalProperties": objectOf(k.keys)}
	case formLists:
		return object{"type": "object", "additionalProperties": listOf(plainText(), 0)}
	case formEntries:
		return listOf(objectOf(k.keys), 1)
	}
	return plainText()
}
