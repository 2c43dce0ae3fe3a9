package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func compiledSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := Schema(name)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// valid reports whether a text of YAML fits the schema.
func valid(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	data, err := json.Marshal(withTextKeys(value))
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(document)
}

// withTextKeys makes the keys of mappings texts, as in JSON.
func withTextKeys(value any) any {
	switch v := value.(type) {
	case map[any]any:
		texts := map[string]any{}
		for key, in := range v {
			texts[fmt.Sprint(key)] = withTextKeys(in)
		}
		return texts
	case map[string]any:
		for key, in := range v {
			v[key] = withTextKeys(in)
		}
	case []any:
		for i, in := range v {
			v[i] = withTextKeys(in)
		}
	}
	return value
}

// place is a mapping of a file, in which a key is tried.
type place struct {
	schema string
	keys   []Key
	// file is the text of the file, with %s for the line of the key; empty for config.yml itself.
	file string
}

func places() []place {
	const entry = "entry_points: [{path: src, checks: [lint], reviews: [quality]}]\n"
	return []place{
		{"config", ProjectKeys(), ""},
		{"config", budgetKeys(), "budget: {%s}\n" + entry + "cli: {default_preference: [claude]}\n"},
		{"config", CLIKeys(), "cli: {%s}\n" + entry},
		{"config", AdapterKeys(), "cli: {default_preference: [claude], adapters: {claude: {%s}}}\n" + entry},
		{"config", AdapterKeys(), "cli: {default_preference: [claude], adapters: {mine: {command: x, %s}}}\n" + entry},
		{"config", AdapterKeys(), "cli: {default_preference: [claude], adapters: {mine: {command: x, output: sarif, %s}}}\n" + entry},
		{"config", EntryKeys(), "cli: {default_preference: [claude]}\nentry_points: [{path: src, checks: [lint], reviews: [quality]}, {%s}]\n"},
		{"config", EntryKeys(), "cli: {default_preference: [claude]}\nentry_points: [{path: src, checks: [lint], reviews: [quality]}, {path: doc, %s}]\n"},
		{"config", teamKeys(), "cli: {default_preference: [claude]}\nteam: {%s}\n" + entry},
		{"check", CheckKeys(), "%s\n"},
		{"check", CheckKeys(), "command: x\n%s\n"},
		{"review", ReviewKeys(), "%s\n"},
	}
}

// samples are values of every kind, and whatever words the keys know.
func samples() map[string][]string {
	words := []string{"text", "-x", `""`, `"  "`, "true", "false", "3", "0", "-1", "1.5", "0.0001", "99999999999", "90d", "0d", `"5.00"`, "src/a", "../x", "postgres://a@b/c", "sarif"}
	for _, p := range places() {
		for _, k := range p.keys {
			words = append(words, k.words...)
		}
	}
	slices.Sort(words)
	return map[string][]string{
		"scalar":   slices.Compact(words),
		"sequence": {"[]", "[lint]", "[quality]", "[claude]", "[src]", "[1, 2]", "[300]", "[[a]]", "[{a: b}]", "[{path: src, checks: [lint]}]", "['*.go']"},
		"mapping":  {"{}", "{a: b}", "{a: [b]}", "{0: ok, 1: findings}", "{1: other}", "{cost_usd: 5}", "{tokens: 5}", "{url: postgres://a@b/c}", "{repair: false}", "{default_preference: [claude]}", "{adapters: {claude: {model: x}}}"},
	}
}

// trial is a folder with a configuration, of which one file is written again and again.
type trial struct{ root, schema string }

func newTrial(t *testing.T, schema string) trial { return trial{minimal().write(t), schema} }

// accepts reports whether Load accepts the text of the file.
func (r trial) accepts(t *testing.T, text string) bool {
	t.Helper()
	name := File
	switch r.schema {
	case "check":
		name = ChecksDir + "/lint.yml"
	case "review":
		name, text = ReviewsDir+"/quality.md", "---\n"+text+"---\nLook.\n"
	}
	if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(r.root)
	if problems := (*Error)(nil); err != nil && !errors.As(err, &problems) {
		t.Fatal(err)
	}
	return err == nil
}

// The schemas accept every value that Load accepts, and refuse a key's values of a kind that Load
// never accepts.
func TestSchemasAgreeWithLoad(t *testing.T) {
	t.Parallel()
	for _, p := range places() {
		t.Run(p.schema+" "+p.file, func(t *testing.T) {
			t.Parallel()
			schema, files := compiledSchema(t, p.schema), newTrial(t, p.schema)
			for _, k := range p.keys {
				for kind, values := range samples() {
					ever, refused := false, 0
					for _, value := range values {
						text := fileWith(p, k.Name, value)
						loads, fits := files.accepts(t, text), valid(t, schema, text)
						ever = ever || loads
						if fits != nil {
							refused++
						}
						if loads && fits != nil {
							t.Errorf("%s: %s is accepted, but not by the schema: %v", k.Name, value, fits)
						}
					}
					if !ever && refused == 0 && !k.withoutEffect {
						t.Errorf("%s: Load accepts no %s, and the schema refuses none", k.Name, kind)
					}
				}
			}
		})
	}
}

// fileWith returns the file with the key, once.
func fileWith(p place, key, value string) string {
	line := key + ": " + value
	if p.file == "" { // all of config.yml
		text := line + "\n"
		for _, other := range []string{"cli: {default_preference: [claude]}", "entry_points: [{path: src, checks: [lint], reviews: [quality]}]"} {
			if !strings.HasPrefix(other, key+":") {
				text += other + "\n"
			}
		}
		return text
	}
	file := p.file
	for _, twice := range []string{key + ": x, ", key + ": sarif, ", key + ": x\n", key + ": doc, "} {
		file = strings.Replace(file, twice, "", 1)
	}
	return fmt.Sprintf(file, line)
}

// The schemas accept the examples of docs/configuration.md, and refuse a key that is not in the table.
func TestSchemasAcceptDocumentedExamples(t *testing.T) {
	t.Parallel()
	examples := regexp.MustCompile("(?s)```(?:yaml|markdown)\n# (\\S+)\n(.*?)```").FindAllStringSubmatch(configurationDoc(t), -1)
	if len(examples) != len(Schemas()) {
		t.Fatalf("found %d examples", len(examples))
	}
	for i, name := range Schemas() {
		text := examples[i][2]
		if frontmatter, _, ok := splitFrontmatter(text); ok && name == "review" {
			text = frontmatter
		}
		schema := compiledSchema(t, name)
		if err := valid(t, schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if valid(t, schema, text+"\nunknown: 1\n") == nil {
			t.Errorf("%s: an unknown key fits", name)
		}
	}
	if _, err := Schema("x"); err == nil || err.Error() != `unknown schema "x": use config or check or review` {
		t.Errorf("error %v", err)
	}
}

// Each optional key in a comment can be used as it stands there, and each key of the table is in
// docs/configuration.md (see TestEveryKeyIsDocumented).
func TestOptional(t *testing.T) {
	t.Parallel()
	for schema, keys := range map[string][]Key{"config": ProjectKeys(), "check": CheckKeys(), "review": ReviewKeys()} {
		lines := Optional(keys, "command", "num_reviews")
		if len(lines) < 8 {
			t.Errorf("%s: %q", schema, lines)
		}
		files := newTrial(t, schema)
		for _, line := range lines {
			text := strings.TrimPrefix(line, "# ") + "\n"
			switch schema {
			case "config":
				text += "cli: {default_preference: [claude]}\nentry_points: [{path: src, checks: [lint], reviews: [quality]}]\n"
			case "check":
				text += "command: x\n"
			}
			if !files.accepts(t, text) {
				t.Errorf("%s: %q cannot be used", schema, line)
			}
			if len(line) > 110 {
				t.Errorf("%s: the line %q is long", schema, line)
			}
		}
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "# num_reviews") }) {
			t.Errorf("%s: a key that is used is in %q", schema, lines)
		}
	}
}
