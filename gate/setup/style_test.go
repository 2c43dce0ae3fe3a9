package setup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStyleOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		files map[string]string
		want  Style
	}{
		{"none", nil, Style{Indent: 2}},
		{"Prettier", map[string]string{".prettierrc": `{"tabWidth": 4, "singleQuote": true}`}, Style{Indent: 4, SingleQuotes: true}},
		{"Prettier in YAML", map[string]string{".prettierrc.yaml": "useTabs: true\n"}, Style{Indent: 2, Tabs: true}},
		{"Prettier in package.json", map[string]string{"package.json": `{"prettier": {"singleQuote": true}}`}, Style{Indent: 2, SingleQuotes: true}},
		{"a shared configuration", map[string]string{"package.json": `{"prettier": "@my/config"}`}, Style{Indent: 2}},
		{"Windows", map[string]string{".prettierrc": `{"endOfLine": "crlf"}`}, Style{Indent: 2, CRLF: true}},
		{"Windows by editorconfig", map[string]string{".editorconfig": "[*]\nend_of_line = crlf\n"}, Style{Indent: 2, CRLF: true}},
		{"overrides", map[string]string{".prettierrc": `{"overrides": [{"files": "*.yml", "options": {"tabWidth": 4}}, {"files": ["*.md", ".gauntlet/**"], "options": {"singleQuote": true}}, {"files": "*.json", "options": {"useTabs": true}}]}`}, Style{Indent: 4, SingleQuotes: true}},
		{"excluded", map[string]string{".prettierrc": `{"overrides": [{"files": "*.yml", "excludeFiles": ".gauntlet/*.yml", "options": {"tabWidth": 4}}]}`}, Style{Indent: 2}},
		{"overrides of npm", map[string]string{"package.json": `{"overrides": {"a": "1"}, "prettier": {"tabWidth": 4}}`}, Style{Indent: 4}},
		{"broken", map[string]string{".prettierrc": `{"tabWidth": `}, Style{Indent: 2}},
		{"absurd", map[string]string{".prettierrc": `{"tabWidth": 1000000}`}, Style{Indent: 2}},
		{"editorconfig", map[string]string{".editorconfig": "root = true\n[*]\nindent_style = tab\n[*.{yml,json}]\nindent_style = space\nindent_size = 4\n[*.md]\nindent_size=8\n[[\nindent_size=1\n"}, Style{Indent: 4}},
		{"Prettier before editorconfig", map[string]string{".editorconfig": "[*]\nindent_size = 4\n", ".prettierrc": "tabWidth: 2"}, Style{Indent: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(test.want, StyleOf(facts(test.files), ".gauntlet/config.yml")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Wider indentations are written so that Prettier 3 does not change them.
func TestIndentation(t *testing.T) {
	t.Parallel()
	const given = "# c\ncli:\n  adapters:\n    a:\n      command: b\n\nentry_points:\n  - path: x\n    checks:\n      - y\n"
	want := "# c\ncli:\n    adapters:\n        a:\n            command: b\n\nentry_points:\n    - path: x\n      checks:\n          - y\n"
	if d := cmp.Diff(want, Style{Indent: 4}.yaml(given)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(given, Style{Indent: 2}.yaml(given)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := (Style{Indent: 2, Tabs: true}).JSON("{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"); got != "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n" {
		t.Errorf("with tabs: %q", got)
	}
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"a":       {`"a"`, `'a'`},
		`a "b"`:   {`'a "b"'`, `'a "b"'`},
		`it's`:    {`"it's"`, `"it's"`},
		`"it's"`:  {`'"it''s"'`, `'"it''s"'`},
		"a\nb":    {`"a\nb"`, `"a\nb"`},
		`a\"b`:    {`"a\\\"b"`, `"a\\\"b"`},
		"a && <b": {`"a && <b"`, `'a && <b'`},
	} {
		if got := [2]string{Style{}.quoted(text), Style{SingleQuotes: true}.quoted(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
