package setup

import (
	"path"
	"slices"
	"strings"
)

// toolReviewers returns the tools that can fill a slot like a reviewer and that the repository
// configures. The configuration has them in comments, because a tool that is a check already would
// report everything twice.
func toolReviewers(facts Facts) (found []Command) {
	for _, t := range tools() {
		if t.review != "" && slices.ContainsFunc(facts.Files, func(file string) bool { return t.isConfiguredBy(facts, file) }) {
			found = append(found, Command{t.name, t.review})
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
