package setup

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// folder is a project for which checks are looked for.
type folder struct {
	facts         Facts
	dir, manifest string
	workspaces    []workspace
}

func (f folder) path(name string) string { return path.Join(f.dir, name) }

// has returns the first of the files that exists, or "".
func (f folder) has(names ...string) string {
	for _, name := range names {
		if f.facts.lists(f.path(name)) {
			return f.path(name)
		}
	}
	return ""
}

func (f folder) read(name string) string {
	if f.has(name) == "" {
		return ""
	}
	return f.facts.Read(f.path(name))
}

// maxTexts is how many files with a name that matches a pattern are searched for a text.
const maxTexts = 100

// shown returns the file that shows one of the alternatives, or "".
func (f folder) shown(list string) string {
	for _, one := range alternatives(list) {
		name, expression, hasText := strings.Cut(one, ": ")
		found := []string{f.has(expanded(name)...)}
		if strings.Contains(name, "*") {
			found = f.matching(name)
		}
		for _, file := range found {
			if file != "" && (!hasText || regexp.MustCompile(expression).MatchString(f.facts.Read(file))) {
				return file
			}
		}
	}
	return ""
}

// expanded returns the names that a name with one list in braces stands for.
func expanded(name string) (names []string) {
	before, rest, _ := strings.Cut(name, "{")
	list, after, _ := strings.Cut(rest, "}")
	for one := range strings.SplitSeq(list, ",") {
		names = append(names, before+one+after)
	}
	return names
}

// matching returns files of the project that match a pattern, but none of tests' data and of other
// people's code.
func (f folder) matching(pattern string) (found []string) {
	for _, file := range f.inside() {
		name := strings.TrimPrefix(strings.TrimPrefix(file, f.dir), "/")
		if f.dir == "." {
			name = file
		}
		fits, _ := doublestar.Match(pattern, name) // the patterns of the table are well-formed
		if fits && (strings.HasPrefix(pattern, ".") || !isVendored(name)) {
			if found = append(found, file); len(found) == maxTexts {
				break
			}
		}
	}
	return found
}

// inside returns the files of the folder and below it.
func (f folder) inside() []string {
	if f.dir == "." {
		return f.facts.Files
	}
	first, _ := slices.BinarySearch(f.facts.Files, f.dir+"/")
	end, _ := slices.BinarySearch(f.facts.Files, f.dir+"0") // "0" follows "/"
	return f.facts.Files[first:end]
}

// evidence returns the file because of which the check is proposed, or "".
func (f folder) evidence(c candidate) string {
	if c.unless != "" && f.shown(c.unless) != "" || c.and != "" && f.shown(c.and) == "" {
		return ""
	}
	if c.when == "" {
		return f.manifest
	}
	return f.shown(c.when)
}

// propose returns the checks that the project had, and those of a row of the table.
func (f folder) propose(e ecosystem, have []Check) []Check {
	if e.scripts != nil {
		have = addChecks(have, e.scripts(f, have))
	}
	evidence, command := folder.evidence, func(_ folder, c candidate) string { return c.command }
	if e.evidence != nil {
		evidence = e.evidence
	}
	if e.command != nil {
		command = e.command
	}
	for _, c := range e.checks {
		if c.command == "" || runsAlready(have, c) {
			continue
		}
		if why := evidence(f, c); why != "" {
			check := f.check(c.name, command(f, c), why)
			check.Files, check.writes = c.files, c.writes
			have = addChecks(have, []Check{check})
		}
	}
	if e.more != nil {
		have = addChecks(have, e.more(f, have))
	}
	return have
}

// runsAlready reports whether a script of the project runs the tool of the check.
func runsAlready(have []Check, c candidate) bool {
	return slices.ContainsFunc(have, func(h Check) bool {
		return c.purpose != "" && len(h.runs) > 0 && strings.HasPrefix(h.Name, c.purpose) ||
			slices.ContainsFunc(h.runs, func(word string) bool { return path.Base(word) == c.name })
	})
}

// check returns a check. If its program is not installed, Missing names it. A program in the
// repository is not looked for.
func (f folder) check(name, command, why string) Check {
	c := Check{Name: name, Command: command, Why: why}
	if program := Needs(command); !strings.Contains(program, "/") && !f.facts.Installed(program) {
		c.Missing = program
	}
	return c
}

// isPlain reports whether a name can be used in a shell command without quotes.
func isPlain(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`).MatchString(name)
}

// wrapper makes a command run the script that stands in for its program, where the project or a
// folder above has it.
func wrapper(script string) func(folder, candidate) string {
	return func(f folder, c candidate) string {
		for up, dir := range upwards(f.dir) {
			if f.facts.lists(path.Join(dir, script)) {
				_, arguments, _ := strings.Cut(c.command, " ")
				return cmp.Or(strings.Repeat("../", up), "./") + script + " " + arguments
			}
		}
		return c.command
	}
}

// bundled makes a command of Ruby run what the Gemfile selects.
func (f folder) bundled(c candidate) string {
	if f.has("Gemfile") == "" || strings.HasPrefix(c.command, "bin/") {
		return c.command
	}
	return "bundle exec " + c.command
}

// solution names the solution in a command of .NET where the folder has more than one file that it
// could mean.
func (f folder) solution(c candidate) string {
	projects := f.matching("*.{sln,slnx,csproj,fsproj,vbproj}")
	solutions := f.matching("*.{sln,slnx}")
	if len(projects) < 2 || len(solutions) == 0 || !isPlain(path.Base(solutions[0])) {
		return c.command
	}
	words := strings.SplitN(c.command, " ", 3)
	return strings.Join(slices.Insert(words, 2, path.Base(solutions[0])), " ")
}
