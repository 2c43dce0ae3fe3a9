// Package setup proposes a configuration for a repository that has none: the checks that its
// tooling offers, the reviewer CLIs that can review it, and the files in .gauntlet/ that configure
// them.
//
// [Propose] is a pure function of [Facts], so that its proposals can be tested without a
// repository, git or an installed tool. Everything that it copies from the repository (folder
// names, script names) is quoted. The package reads only through Facts, and writes nothing.
package setup

import (
	"path"
	"slices"
	"strings"
)

// Facts are what a proposal depends on: the repository's files and the installed programs.
type Facts struct {
	// Files are all files that git does not ignore, with slashes.
	Files []string
	// Read returns a file's text, or "" if it cannot be read.
	Read func(name string) string
	// Exists reports whether a file or folder exists, even if git ignores it.
	Exists func(name string) bool
	// Installed reports whether a program is on PATH.
	Installed func(program string) bool
	// BaseBranch is the branch that changes are counted from.
	BaseBranch string
	// Reviewers are the adapters of the installed reviewer CLIs, in order of preference.
	Reviewers []string
	// Reviews are further reviews that get gates of their own.
	Reviews []string
	// Commands are the user's own reviewers. If there are any, only they review: Reviewers has
	// their names.
	Commands []Command
}

// Command is a user's own reviewer.
type Command struct{ Name, Command string }

// Check is a proposed check gate.
type Check struct {
	Name, Command string
	// Why names the file because of which the check is proposed.
	Why string
	// Missing is the program that it needs and that is not on PATH, if any. The file of such a
	// check is written, but no entry point lists it.
	Missing string
}

// Entry is a proposed entry point.
type Entry struct {
	Path   string
	Checks []Check
}

// File is a file to write, relative to the repository's root.
type File struct{ Name, Text string }

// Proposal is a proposed configuration.
type Proposal struct {
	// Languages are the names of the recognized languages, to be shown.
	Languages []string
	Entries   []Entry
	// Reviews are the review gates on the entry point ".".
	Reviews []string
	// Further are the reviews that are left, to be gates of their own. There are none if the built-in
	// reviewer is the only one.
	Further []string
	// Lacking is what the checks need and what is not installed.
	Lacking []Lack
	Files   []File
}

// maxProjects is how many projects of a repository become entry points at most.
const maxProjects = 20

// project is a folder with a manifest of a language.
type project struct {
	dir, manifest string
	language      language
}

// Propose returns the proposal for a repository.
func Propose(facts Facts) Proposal {
	p := Proposal{Reviews: []string{builtinReview}}
	if len(facts.Reviewers) > 0 {
		p.Reviews = []string{mainReview}
		p.Further = slices.DeleteFunc(FurtherReviews(), func(name string) bool { return slices.Contains(facts.Reviews, name) })
	}
	p.Reviews = append(p.Reviews, facts.Reviews...)
	byDir := map[string][]Check{}
	dirs := []string{"."}
	for _, found := range projects(facts.Files) {
		if name := found.language.name; !slices.Contains(p.Languages, name) {
			p.Languages = append(p.Languages, name)
		}
		if !slices.Contains(dirs, found.dir) {
			dirs = append(dirs, found.dir)
		}
		in := folder{facts: facts, dir: found.dir, manifest: found.manifest}
		byDir[found.dir] = addChecks(byDir[found.dir], found.language.checks(in))
		if lack, ok := missingModules(facts, found.dir); ok && found.manifest == "package.json" && len(byDir[found.dir]) > 0 {
			p.Lacking = append(p.Lacking, lack)
		}
	}
	root := folder{facts: facts, dir: "."}
	byDir["."] = addChecks(byDir["."], root.general(byDir["."]))
	commands := map[string]string{}
	for _, dir := range dirs {
		if checks := distinct(byDir[dir], dir, commands); dir == "." || len(checks) > 0 {
			p.Entries = append(p.Entries, Entry{Path: dir, Checks: checks})
		}
	}
	p.Files = files(facts, p)
	return p
}

// projects returns the projects at most two folders below the root, the root first. It leaves out
// copies of other people's code, and folders whose names would have to be escaped.
func projects(all []string) (found []project) {
	labels := map[string]string{}
	for _, file := range all {
		dir, name := path.Dir(file), path.Base(file)
		language, is := languageOf(name)
		if !is || strings.Count(file, "/") > 2 || isVendored(file) || dir != "." && !isPlain(dir) {
			continue
		}
		// Two folders that have the same name in the names of logs cannot both be entry points.
		label := strings.ReplaceAll(dir, "/", "_")
		if other, taken := labels[label]; taken && other != dir {
			continue
		}
		labels[label] = dir
		found = append(found, project{dir, name, language})
	}
	slices.SortStableFunc(found, func(a, b project) int {
		return strings.Compare(strings.TrimPrefix(a.dir, "."), strings.TrimPrefix(b.dir, "."))
	})
	return found[:min(len(found), maxProjects)]
}

// isVendored reports whether a file belongs to an example, a test, or a copy of other people's
// code.
func isVendored(file string) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains([]string{"vendor", "node_modules", "third_party", "testdata", "fixtures", "examples"}, segment) ||
			segment != "." && strings.HasPrefix(segment, ".") {
			return true
		}
	}
	return false
}

// addChecks adds the checks whose names are not taken.
func addChecks(have, more []Check) []Check {
	for _, check := range more {
		if !slices.ContainsFunc(have, func(c Check) bool { return c.Name == check.Name }) {
			have = append(have, check)
		}
	}
	return have
}

// distinct gives a check a name of its own if a check with its name elsewhere runs another command.
func distinct(checks []Check, dir string, commands map[string]string) []Check {
	for i := range checks {
		c := &checks[i]
		if command, taken := commands[c.Name]; taken && command != c.Command {
			c.Name += "-" + strings.Map(nameCharacter, dir)
		}
		commands[c.Name] = c.Command
	}
	return checks
}

// nameCharacter replaces characters of a folder's name that are not allowed in a gate's name.
func nameCharacter(c rune) rune {
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' {
		return c
	}
	return '-'
}
