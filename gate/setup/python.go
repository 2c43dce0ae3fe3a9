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
	return []string{"pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "uv.lock", "poetry.lock"}
}

func (f folder) python() (checks []Check) {
	for _, tool := range tools() {
		why := ""
		if tool.python {
			why = f.pythonEvidence(tool)
		}
		if why == "" {
			continue
		}
		command := tool.check
		if tool.name == "mypy" && f.mypySelects() {
			command = "mypy"
		}
		checks = append(checks, f.pythonCheck(tool.name, tool.name, command, why))
	}
	tests := f.pythonTests()
	if tests != "" && !slices.ContainsFunc(checks, func(c Check) bool { return c.Name == "pytest" }) {
		checks = append(checks, f.pythonCheck("unittest", "python3", "python3 -m unittest discover -s "+testFolder(f.dir, tests), tests))
	}
	return checks
}

// pythonEvidence returns the file that shows that the project uses the tool, or "".
func (f folder) pythonEvidence(tool tool) string {
	if config := f.has(tool.files...); config != "" {
		return config
	}
	word := regexp.MustCompile(`(?m)(^|[\s"'\[,])` + tool.name + `($|[\s"'\],<>=~!;\[])`)
	for _, name := range pythonTexts() {
		text := f.read(name)
		if strings.HasSuffix(name, ".lock") {
			// Only if it is a package of its own, because other packages may name it as an extra.
			if strings.Contains(text, "\nname = \""+tool.name+"\"\n") {
				return f.path(name)
			}
			continue
		}
		configured := slices.ContainsFunc(tool.sections, func(section string) bool { return strings.Contains(text, section) })
		if configured || word.MatchString(withoutComments(text)) {
			return f.path(name)
		}
	}
	for _, venv := range virtualEnvironments() {
		if name := f.path(path.Join(venv, "bin", tool.name)); f.facts.Exists(name) {
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

// pythonCheck returns a check that runs the tool as the project does: with the program that manages
// its lock file, from its virtual environment, or from PATH.
func (f folder) pythonCheck(name, tool, command, why string) Check {
	for _, venv := range virtualEnvironments() {
		locked := f.lockProgram() != "" && f.facts.Installed(f.lockProgram())
		if !locked && f.facts.Exists(f.path(path.Join(venv, "bin", tool))) {
			return Check{Name: name, Command: venv + "/bin/" + command, Why: why}
		}
	}
	switch f.lockProgram() {
	case "uv":
		return f.check(name, "uv run "+f.uvGroup(tool)+command, why)
	case "poetry":
		return f.check(name, "poetry run "+command, why)
	}
	return f.check(name, command, why)
}

// lockProgram returns the program whose lock file the project or the repository has, or "".
func (f folder) lockProgram() string {
	for _, lock := range [][2]string{{"uv.lock", "uv"}, {"poetry.lock", "poetry"}} {
		if f.has(lock[0]) != "" || slices.Contains(f.facts.Files, lock[0]) {
			return lock[1]
		}
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
