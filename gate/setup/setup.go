// Package setup proposes a configuration for a repository that has none: the checks that its
// tooling offers, the reviewer CLIs that can review it, and the files in .gauntlet/ that configure
// them.
//
// [Propose] is a pure function of [Facts], so that its proposals can be tested without a
// repository, git or an installed tool. Everything that it copies from the repository (folder
// names, script names) is quoted. The package reads only through Facts, and writes nothing.
package setup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
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
	// Checks are the user's own checks.
	Checks []Command
	// Commands are the user's own reviewers. If there are any, only they review: Reviewers has
	// their names.
	Commands []Command
}

// Command is a user's own reviewer or check.
type Command struct{ Name, Command string }

// Check is a proposed check gate.
type Check struct {
	Name, Command string
	// Why names the file because of which the check is proposed.
	Why string
	// Files restricts it to changes of such files.
	Files []string
	// Missing is the program that it needs and that is not on PATH, if any. The file of such a
	// check is written, but no entry point lists it.
	Missing string
	// runs are the words of a script that the check runs.
	runs []string
	// writes is a folder that it creates.
	writes string
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
	// Found are the names of the recognized ecosystems, to be shown.
	Found   []string
	Entries []Entry
	// Reviews are the review gates on the entry point ".".
	Reviews []string
	// Further are the reviews that are left, to be gates of their own. There are none if the built-in
	// reviewer is the only one.
	Further []string
	// Notes are sentences about what was odd or left out.
	Notes []string
	// Ignore are the folders that checks create, which git has to ignore.
	Ignore []string
	// Lacking is what the checks need and what is not installed.
	Lacking []Lack
	Files   []File
}

// project is a folder with a file that shows an ecosystem.
type project struct {
	dir, manifest string
	ecosystem     ecosystem
}

// Propose returns the proposal for a repository.
func Propose(facts Facts) Proposal {
	facts.Files = slices.Sorted(slices.Values(facts.Files))
	p := Proposal{Reviews: []string{builtinReview}}
	if len(facts.Reviewers) > 0 {
		p.Reviews = []string{mainReview}
		p.Further = slices.DeleteFunc(FurtherReviews(), func(name string) bool { return slices.Contains(facts.Reviews, name) })
	}
	p.Reviews = append(p.Reviews, facts.Reviews...)
	byDir := map[string][]Check{}
	for _, own := range facts.Checks {
		byDir["."] = append(byDir["."], OwnCheck(own))
	}
	spaces, notes := workspacesOf(facts, declaring(facts.Files))
	p.Notes = notes
	dirs := []string{"."}
	for _, found := range ordered(withPackages(projects(facts.Files), spaces)) {
		if name := found.ecosystem.name; !slices.Contains(p.Found, name) {
			p.Found = append(p.Found, name)
		}
		if !slices.Contains(dirs, found.dir) {
			dirs = append(dirs, found.dir)
		}
		if note := unreadable(facts, found.manifest); note != "" {
			p.Notes = append(p.Notes, note)
		}
		in := folder{facts: facts, dir: found.dir, manifest: found.manifest, workspaces: spaces}
		byDir[found.dir] = in.propose(found.ecosystem, byDir[found.dir])
	}
	for _, w := range spaces {
		byDir[w.dir] = w.withoutRepeats(byDir[w.dir], byDir)
	}
	p.enter(facts, dirs, byDir)
	p.Files = files(facts, p)
	return p
}

// enter makes the folders with checks entry points, and the root in any case.
func (p *Proposal) enter(facts Facts, dirs []string, byDir map[string][]Check) {
	var left []string
	commands := map[string]string{}
	for _, dir := range dirs {
		switch {
		case dir != "." && len(byDir[dir]) == 0:
			continue
		case len(p.Entries) > maxEntries: // the root is one more
			left = append(left, dir)
			continue
		}
		checks := distinct(byDir[dir], dir, commands)
		p.Entries = append(p.Entries, Entry{Path: dir, Checks: checks})
		p.lack(facts, dir, checks)
	}
	if len(left) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d more folders have checks; only %d became entry points, without %s", len(left), maxEntries, shortList(left)))
	}
}

// shortList returns the first names of a list.
func shortList(names []string) string {
	const shown = 3
	if len(names) > shown {
		return strings.Join(names[:shown], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// unreadable says what of a file cannot be used, or nothing.
func unreadable(facts Facts, name string) string {
	switch path.Ext(name) {
	case ".json":
		var any json.RawMessage
		if facts.Read(name) == "" {
			return fmt.Sprintf("%s is empty or cannot be read; nothing that it names is proposed", name)
		}
		if err := json.Unmarshal([]byte(facts.Read(name)), &any); err != nil {
			return fmt.Sprintf("%s is not JSON (%v); nothing that it names is proposed", name, err)
		}
	case ".yml", ".yaml":
		var any yaml.Node
		if err := yaml.Unmarshal([]byte(facts.Read(name)), &any); err != nil {
			return fmt.Sprintf("%s is not YAML (%v); nothing that it names is proposed", name, err)
		}
	case ".xml":
		if strings.Contains(facts.Read(name), "<!ENTITY") {
			return fmt.Sprintf("%s declares entities, which are not resolved: what is in them is not seen", name)
		}
	}
	return ""
}

// lack adds what the checks need and what is not there, and what they create.
func (p *Proposal) lack(facts Facts, dir string, checks []Check) {
	for _, check := range checks {
		if lack, ok := MissingFor(facts, dir, check.Command); ok && !slices.Contains(p.Lacking, lack) {
			p.Lacking = append(p.Lacking, lack)
		}
		if created := path.Join(dir, check.writes); check.writes != "" && !slices.Contains(p.Ignore, created) {
			p.Ignore = append(p.Ignore, created)
		}
	}
}

// OwnCheck returns the check that a user named. It is never left out: doctor says if its program is
// missing.
func OwnCheck(c Command) Check { return Check{Name: c.Name, Command: c.Command, Why: "init --check"} }

// HasChecks reports whether the proposal has a check.
func (p Proposal) HasChecks() bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return len(e.Checks) > 0 })
}

// lists reports whether the file is one of the repository's.
func (f Facts) lists(name string) bool {
	_, found := slices.BinarySearch(f.Files, name)
	return found
}

// projects returns the projects at most two folders below the root. It leaves out copies of other
// people's code, and folders whose names would have to be escaped.
func projects(all []string) (found []project) {
	shown := showing(all)
	for _, e := range ecosystems() {
		in := shown[e.name]
		if dirs := slices.Sorted(maps.Keys(in)); e.scope == anywhere && len(dirs) > 0 {
			in = map[string]string{".": in[dirs[0]]}
		}
		for _, dir := range slices.Sorted(maps.Keys(in)) {
			switch {
			case dir != "." && (e.scope == onlyRoot || strings.Count(dir, "/") > 1 || !isPlain(dir)),
				e.scope == topFolders && isBelowOther(in, dir):
				continue
			default:
				found = append(found, project{dir, in[dir], e})
			}
		}
	}
	return found
}

// ordered sorts projects by their folders, the root first, and those of one folder as in the table. Two folders that have the same name in the
// names of logs cannot both be entry points.
func ordered(found []project) []project {
	row := map[string]int{}
	for n, e := range ecosystems() {
		row[e.name] = n
	}
	slices.SortFunc(found, func(a, b project) int {
		return cmp.Or(strings.Compare(strings.TrimPrefix(a.dir, "."), strings.TrimPrefix(b.dir, ".")), cmp.Compare(row[a.ecosystem.name], row[b.ecosystem.name]))
	})
	labels := map[string]string{}
	return slices.DeleteFunc(found, func(p project) bool {
		label := strings.ReplaceAll(p.dir, "/", "_")
		if _, taken := labels[label]; !taken {
			labels[label] = p.dir
		}
		return labels[label] != p.dir
	})
}

// declaring returns the folders at most two below the root that may declare a workspace.
func declaring(all []string) (dirs []string) {
	names := []string{"package.json", "pnpm-workspace.yaml", "Cargo.toml", "go.work", "settings.gradle", "settings.gradle.kts"}
	for _, file := range all {
		dir := path.Dir(file)
		if slices.Contains(names, path.Base(file)) && strings.Count(file, "/") < 3 && !isVendored(file) && (dir == "." || isPlain(dir)) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// showing returns for each ecosystem the folders that are of it, each with the file that shows it.
func showing(all []string) map[string]map[string]string {
	byFile := map[string][]string{} // the names of ecosystems by that of a file
	shown := map[string]map[string]string{}
	for _, e := range ecosystems() {
		shown[e.name] = map[string]string{}
		for _, name := range alternatives(e.files) {
			byFile[name] = append(byFile[name], e.name)
		}
	}
	for _, file := range all {
		name := path.Base(file)
		for _, ecosystem := range slices.Concat(byFile[name], byFile["*"+path.Ext(name)]) {
			if in := shown[ecosystem]; in[path.Dir(file)] == "" && !isVendored(file) {
				in[path.Dir(file)] = file
			}
		}
	}
	return shown
}

// isBelowOther reports whether a folder is below another one of the ecosystem.
func isBelowOther(in map[string]string, dir string) bool {
	for dir != "." {
		dir = path.Dir(dir)
		if in[dir] != "" {
			return true
		}
	}
	return false
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
