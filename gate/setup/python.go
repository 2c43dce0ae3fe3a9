package setup

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// pythonTexts returns the files of a Python project that name its tools, beginning with those that
// configure them.
func pythonTexts() []string {
	return []string{"pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "Pipfile", "uv.lock", "poetry.lock", "pdm.lock"}
}

// unittest proposes the test runner of the standard library for tests that nothing else runs.
func (f folder) unittest(have []Check) []Check {
	tests := f.pythonTests()
	others := []string{"pytest", "tox", "nox"}
	if tests == "" || slices.ContainsFunc(have, func(c Check) bool { return slices.Contains(others, c.Name) }) {
		return nil
	}
	command := f.asPython("python3", "python3 -m unittest discover -s "+testFolder(f.dir, tests))
	return []Check{f.check("unittest", f.onPath(command), tests)}
}

// pythonCommand returns the command of a tool as the project runs it, for the folders that it has.
func (f folder) pythonCommand(c candidate) string {
	switch {
	case c.name == "mypy" && f.mypySelects():
		return f.asPython("mypy", "mypy")
	case c.name == "mypy" && f.sources() != "":
		return f.asPython("mypy", "mypy "+f.sources())
	case c.name == "pytest" && f.shown("pyproject.toml: (?m)^pythonpath | pytest.ini: (?m)^pythonpath | setup.cfg: (?m)^pythonpath | tox.ini: (?m)^pythonpath") == "":
		return f.onPath(f.asPython(c.name, c.command))
	}
	return f.asPython(c.name, c.command)
}

// sources returns "src" if the packages of the project are in that folder, or "".
func (f folder) sources() string {
	if f.shown("src/*/__init__.py | src/*.py") != "" {
		return "src"
	}
	return ""
}

// onPath makes a command find the packages in src, unless the environment in which it runs has them
// installed.
func (f folder) onPath(command string) string {
	program := Program(command)
	if f.sources() == "" || strings.Contains(program, "/") || program == f.lockProgram() {
		return command
	}
	return "PYTHONPATH=src " + command
}

// hasOwnPytest reports whether pytest runs in an environment of the project, where it is faster than
// tox and nox, which make their own.
func (f folder) hasOwnPytest() bool {
	return f.asPython("pytest", "pytest") != "pytest"
}

// pythonEvidence returns the file that shows that the project uses the tool, or "".
func (f folder) pythonEvidence(c candidate) string {
	environments := c.name == "tox" || c.name == "nox"
	switch {
	case environments && f.hasOwnPytest() && f.namesPython(candidateNamed(pythonTools(), "pytest")) != "":
		return ""
	case environments:
		return f.shown(c.when)
	case c.and != "" && f.shown(c.and) == "":
		return ""
	case c.name == "pytest" && !f.hasOwnPytest() && (f.shown(candidateNamed(pythonTools(), "tox").when) != "" || f.has("noxfile.py") != ""):
		return ""
	}
	return f.namesPython(c)
}

// namesPython returns the file that configures the tool or requires it, or the tool itself in the
// virtual environment.
func (f folder) namesPython(c candidate) string {
	if config := f.shown(c.when); config != "" {
		return config
	}
	word := regexp.MustCompile(`(?m)(^|[\s"'\[,])` + c.name + `($|[\s"'\],<>=~!;\[])`)
	for _, name := range pythonTexts() {
		text := f.read(name)
		if strings.HasSuffix(name, ".lock") {
			// Only if it is a package of its own, because other packages may name it as an extra.
			if strings.Contains(text, "\nname = \""+c.name+"\"\n") {
				return f.path(name)
			}
			continue
		}
		if word.MatchString(withoutComments(text)) {
			return f.path(name)
		}
	}
	for _, venv := range virtualEnvironments() {
		if name := f.path(path.Join(venv, "bin", c.name)); f.facts.Exists(name) {
			return name
		}
	}
	return ""
}

func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)^\s*[#;].*$`).ReplaceAllString(text, "")
}

// virtualEnvironments returns the folders in which a project may keep its virtual environment.
func virtualEnvironments() []string { return []string{".venv", "venv"} }

// asPython makes a command run its tool as the project does: from its virtual environment, with the
// program that manages its lock file, or from PATH.
func (f folder) asPython(tool, command string) string {
	program := f.lockProgram()
	for _, venv := range virtualEnvironments() {
		locked := program != "" && f.facts.Installed(program)
		if !locked && f.facts.Exists(f.path(path.Join(venv, "bin", tool))) {
			return venv + "/bin/" + command
		}
	}
	switch program {
	case "":
		return command
	case "uv":
		return "uv run " + f.uvGroup(tool) + command
	}
	return program + " run " + command
}

// lockProgram returns the program whose lock file the project or the repository has, or "".
func (f folder) lockProgram() string {
	for _, lock := range [][2]string{{"uv.lock", "uv"}, {"poetry.lock", "poetry"}, {"pdm.lock", "pdm"}, {"Pipfile.lock", "pipenv"}} {
		if f.has(lock[0]) != "" || f.facts.lists(lock[0]) {
			return lock[1]
		}
	}
	if strings.Contains(f.read("pyproject.toml"), "\n[tool.uv") {
		return "uv"
	}
	return ""
}

// uvGroup returns the option for the dependency group with the tool, unless uv installs that group
// by default.
func (f folder) uvGroup(tool string) string {
	text := withoutComments(f.read("pyproject.toml"))
	defaults := regexp.MustCompile(`(?ms)^default-groups\s*=\s*\[(.*?)\]`).FindString(text)
	if regexp.MustCompile(`(?m)^default-groups\s*=\s*"all"`).MatchString(text) {
		return ""
	}
	_, groups, found := strings.Cut("\n"+text, "\n[dependency-groups]\n")
	if !found {
		return ""
	}
	if end := strings.Index(groups, "\n["); end >= 0 {
		groups = groups[:end]
	}
	in := ""
	for _, group := range regexp.MustCompile(`(?ms)^([A-Za-z0-9._-]+)\s*=\s*\[(.*?)^?\]`).FindAllStringSubmatch(groups, -1) {
		if !regexp.MustCompile(`["']` + tool + `["'<>=~!;\[ ]`).MatchString(group[2]) {
			continue
		}
		if defaults == "" && group[1] == "dev" || strings.Contains(defaults, `"`+group[1]+`"`) {
			return ""
		}
		if in == "" {
			in = "--group " + group[1] + " "
		}
	}
	return in
}

// mypySelects reports whether the project's configuration selects the files that mypy checks.
func (f folder) mypySelects() bool {
	for _, place := range [][2]string{
		{"mypy.ini", "[mypy]"}, {".mypy.ini", "[mypy]"}, {"pyproject.toml", "[tool.mypy]"}, {"setup.cfg", "[mypy]"},
	} {
		_, section, found := strings.Cut("\n"+f.read(place[0]), "\n"+place[1])
		if !found {
			continue
		}
		section, _, _ = strings.Cut(section, "\n[")
		if regexp.MustCompile(`(?m)^(files|packages|modules)\s*=`).MatchString(section) {
			return true
		}
	}
	return false
}

// pythonTests returns a test file that unittest would find, or "".
func (f folder) pythonTests() string {
	for _, file := range f.facts.Files {
		inside := f.dir == "." || strings.HasPrefix(file, f.dir+"/")
		if matched, _ := path.Match("test*.py", path.Base(file)); matched && inside && isPlain(file) {
			return file
		}
	}
	return ""
}

// testFolder returns the folder where discovery starts, relative to the project: unittest does not
// search folders that are not packages.
func testFolder(dir, file string) string {
	folder := path.Dir(file)
	if dir != "." {
		folder = strings.TrimPrefix(strings.TrimPrefix(folder, dir), "/")
	}
	return cmp.Or(folder, ".")
}
