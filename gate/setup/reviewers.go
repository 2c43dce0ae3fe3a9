package setup

import (
	"maps"
	"path"
	"slices"
)

// toolReviewers returns the tools that can fill a slot like a reviewer and that the repository
// configures. The configuration has them in comments, because a tool that is a check already would
// report everything twice.
func toolReviewers(facts Facts) (found []Command) {
	with := map[string]bool{".": true}
	for _, file := range facts.Files {
		if !isVendored(file) {
			with[path.Dir(file)] = true
		}
	}
	dirs := slices.Sorted(maps.Keys(with))
	for _, e := range ecosystems() {
		for _, c := range e.checks {
			if c.review != "" && slices.ContainsFunc(dirs, func(dir string) bool { return folder{facts: facts, dir: dir}.shown(c.when) != "" }) {
				found = append(found, Command{c.name, c.review})
			}
		}
	}
	return found
}
