package setup

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"
)

// Style is how a project's own formatter writes YAML and JSON, as far as that affects the files
// that init writes.
type Style struct {
	// Indent is the number of spaces per level; with Tabs, JSON is indented by tabs instead.
	Indent int
	Tabs   bool
	// SingleQuotes means that YAML prefers single quotes.
	SingleQuotes bool
	// CRLF means that lines end with CRLF.
	CRLF bool
}

// maxIndent is the largest indentation that is accepted from a configuration.
const maxIndent = 8

// StyleOf returns the style of a file, according to .editorconfig and Prettier's configuration in
// the root. As in Prettier, the latter takes precedence. A configuration that cannot be parsed has
// no effect.
func StyleOf(facts Facts, name string) Style {
	style := Style{Indent: 2}
	style.editorConfig(facts.Read(".editorconfig"), path.Base(name))
	var manifest struct {
		Prettier prettierConfig `yaml:"prettier"`
	}
	if yaml.Unmarshal([]byte(facts.Read("package.json")), &manifest) == nil {
		style.prettier(manifest.Prettier, name)
	}
	for _, file := range []string{".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml"} {
		var found prettierConfig
		if yaml.Unmarshal([]byte(facts.Read(file)), &found) == nil {
			style.prettier(found, name)
		}
	}
	return style
}

type prettierOptions struct {
	TabWidth    *int    `yaml:"tabWidth"`
	UseTabs     *bool   `yaml:"useTabs"`
	SingleQuote *bool   `yaml:"singleQuote"`
	EndOfLine   *string `yaml:"endOfLine"`
}

// prettierConfig is the configuration of Prettier. The last override that matches a file applies.
type prettierConfig struct {
	prettierOptions `yaml:",inline"`
	Overrides       []struct {
		Files        patterns        `yaml:"files"`
		ExcludeFiles patterns        `yaml:"excludeFiles"`
		Options      prettierOptions `yaml:"options"`
	} `yaml:"overrides"`
}

// patterns is one pattern or a list of them.
type patterns []string

// UnmarshalYAML implements [yaml.Unmarshaler].
func (p *patterns) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*p = patterns{node.Value}
		return nil
	}
	return node.Decode((*[]string)(p))
}

// fit reports whether one of them matches the file. A pattern without a slash is matched with the
// base name.
func (p patterns) fit(name string) bool {
	return slices.ContainsFunc(p, func(pattern string) bool {
		of := name
		if !strings.Contains(pattern, "/") {
			of = path.Base(name)
		}
		fits, _ := doublestar.Match(pattern, of) // a malformed pattern does not match
		return fits
	})
}

func (s *Style) prettier(c prettierConfig, name string) {
	all := []prettierOptions{c.prettierOptions}
	for _, o := range c.Overrides {
		if o.Files.fit(name) && !o.ExcludeFiles.fit(name) {
			all = append(all, o.Options)
		}
	}
	for _, o := range all {
		if o.TabWidth != nil && *o.TabWidth > 0 && *o.TabWidth <= maxIndent {
			s.Indent = *o.TabWidth
		}
		if o.UseTabs != nil {
			s.Tabs = *o.UseTabs
		}
		if o.SingleQuote != nil {
			s.SingleQuotes = *o.SingleQuote
		}
		if o.EndOfLine != nil {
			s.CRLF = *o.EndOfLine == "crlf"
		}
	}
}

// editorConfig applies what an .editorconfig says about a file. The last section that matches it
// takes precedence.
func (s *Style) editorConfig(text, file string) {
	fits := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if pattern, ok := strings.CutPrefix(line, "["); ok {
			fits, _ = doublestar.Match(path.Base(strings.TrimSuffix(pattern, "]")), file) // a malformed pattern does not match
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		value = strings.ToLower(strings.TrimSpace(value))
		if !fits {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "indent_style":
			s.Tabs = value == "tab"
		case "end_of_line":
			s.CRLF = value == "crlf"
		case "indent_size", "tab_width":
			if n, err := strconv.Atoi(value); err == nil && n > 0 && n <= maxIndent {
				s.Indent = n
			}
		}
	}
}

// Lines returns a text with the line ends of the style.
func (s Style) Lines(text string) string {
	if s.CRLF {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// JSON converts a text that is indented by two spaces per level to the style.
func (s Style) JSON(text string) string {
	unit := strings.Repeat(" ", s.Indent)
	if s.Tabs {
		unit = "\t"
	}
	return indented(text, func(depth int) string { return strings.Repeat(unit, depth) })
}

// yaml converts a text that is indented by two spaces per level to the style. What follows the dash
// of a list is not moved away from it in any style.
func (s Style) yaml(text string) string {
	inList := false
	return indented(text, func(depth int) string {
		if depth == 0 {
			inList = false
			return ""
		}
		if inList && depth > 1 {
			return strings.Repeat(" ", s.Indent+2+s.Indent*(depth-2))
		}
		return strings.Repeat(" ", s.Indent*depth)
	}, func(line string) { inList = inList || strings.HasPrefix(line, "entry_points:") })
}

// indented gives each line of a text, which has two spaces per level, another indentation.
func indented(text string, indentation func(depth int) string, after ...func(line string)) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, " ")
		if rest != "\n" {
			b.WriteString(indentation((len(line) - len(rest)) / 2))
		}
		b.WriteString(rest)
		for _, look := range after {
			look(line)
		}
	}
	return b.String()
}

// quoted returns a text quoted for YAML, whatever it contains, with the quotes that Prettier would
// choose.
func (s Style) quoted(text string) string {
	double := quoted(text)
	inside := double[1 : len(double)-1]
	withoutQuotes := strings.ReplaceAll(inside, `\"`, "")
	switch {
	case strings.Contains(withoutQuotes, `\`):
		return double // only double quotes allow escapes
	case strings.Contains(text, `"`), s.SingleQuotes && !strings.Contains(text, "'"):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return double
}
