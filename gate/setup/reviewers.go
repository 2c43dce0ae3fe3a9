package setup

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// toolReviewers are the tools that can fill a slot like a reviewer, and that the repository
// configures.
func toolReviewers(facts Facts) (found []tool) {
	for _, t := range tools() {
		if t.review != "" && slices.ContainsFunc(facts.Files, func(file string) bool { return t.isConfiguredBy(facts, file) }) {
			found = append(found, t)
		}
	}
	return found
}

func (t tool) isConfiguredBy(facts Facts, file string) bool {
	if t.folder != "" && strings.HasPrefix(file, t.folder) {
		return true
	}
	name := path.Base(file)
	switch {
	case isVendored(file):
		return false
	case slices.Contains(t.files, name):
		return true
	case name != "pyproject.toml" && name != "package.json":
		return false
	}
	return slices.ContainsFunc(t.sections, func(section string) bool { return strings.Contains(facts.Read(file), section) })
}

// writeToolReviewers writes the tools into the configuration as comments: a tool that is a
// check already would report everything twice.
func writeToolReviewers(b *strings.Builder, tools []tool, style Style) {
	if len(tools) == 0 {
		return
	}
	b.WriteString("  # These tools can review like the CLIs: their findings get an identity, claims\n" +
		"  # and a history. List their names in the cli_preference of a review.\n  # adapters:\n")
	for _, tool := range tools {
		fmt.Fprintf(b, "  #   %s:\n  #     command: %s\n  #     output: sarif\n", tool.name, style.quoted(tool.review))
	}
}
