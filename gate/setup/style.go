package setup

import (
	"path"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"
)

// Style is how a project's own formatter writes YAML and JSON, as far as that concerns what
// init writes.
type Style struct {
	// Indent is the number of blanks of a level; with Tabs, JSON is indented by a tab
	// instead.
	Indent int
	Tabs   bool
	// SingleQuotes are preferred in YAML.
	SingleQuotes bool
}

// maxIndent is the largest indentation that is accepted from a configuration.
const maxIndent = 8

// StyleOf is the style of files with an extension, by .editorconfig and Prettier's
// configuration in the root, of which the latter counts more, as Prettier has it.
func StyleOf(facts Facts, extension string) Style {
	style := Style{Indent: 2}
	style.editorConfig(facts.Read(".editorconfig"), "file."+extension)
	for _, text := range []string{facts.Read("package.json"), facts.Read(".prettierrc"), facts.Read(".prettierrc.json"), facts.Read(".prettierrc.yaml"), facts.Read(".prettierrc.yml")} {
		style.prettier(text)
	}
	return style
}

// prettier reads the configuration of Prettier. One that cannot be read says nothing.
func (s *Style) prettier(text string) {
	type options struct {
		TabWidth    *int  `yaml:"tabWidth"`
		UseTabs     *bool `yaml:"useTabs"`
		SingleQuote *bool `yaml:"singleQuote"`
	}
	var found struct {
		options `yaml:",inline"`
		// Prettier is the key in a package.json.
		Prettier options `yaml:"prettier"`
	}
	if yaml.Unmarshal([]byte(text), &found) != nil {
		return
	}
	for _, o := range []options{found.options, found.Prettier} {
		if o.TabWidth != nil && *o.TabWidth > 0 && *o.TabWidth <= maxIndent {
			s.Indent = *o.TabWidth
		}
		if o.UseTabs != nil {
			s.Tabs = *o.UseTabs
		}
		if o.SingleQuote != nil {
			s.SingleQuotes = *o.SingleQuote
		}
	}
}

// editorConfig reads what an .editorconfig says of a file, the last section that fits it
// counting.
func (s *Style) editorConfig(text, file string) {
	fits := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if pattern, ok := strings.CutPrefix(line, "["); ok {
			fits, _ = doublestar.Match(path.Base(strings.TrimSuffix(pattern, "]")), file) // a malformed one fits nothing
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
		case "indent_size", "tab_width":
			if n, err := strconv.Atoi(value); err == nil && n > 0 && n <= maxIndent {
				s.Indent = n
			}
		}
	}
}

// JSON is a text that is indented by two blanks, in the style.
func (s Style) JSON(text string) string {
	unit := strings.Repeat(" ", s.Indent)
	if s.Tabs {
		unit = "\t"
	}
	return indented(text, func(depth int) string { return strings.Repeat(unit, depth) })
}

// yaml is a text that is indented by two blanks, in the style. What follows the dash of a
// list stands beside it in every style.
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

// indented gives each line of a text, whose levels are two blanks, another indentation.
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

// quoted is a text as YAML reads it, whatever is in it, with the quotes that Prettier would
// choose.
func (s Style) quoted(text string) string {
	double := quoted(text)
	inside := double[1 : len(double)-1]
	withoutQuotes := strings.ReplaceAll(inside, `\"`, "")
	switch {
	case strings.Contains(withoutQuotes, `\`):
		return double // only there are escapes
	case strings.Contains(text, `"`), s.SingleQuotes && !strings.Contains(text, "'"):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return double
}
