package setup

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// folder is one project while its checks are looked for.
type folder struct {
	facts         Facts
	dir, manifest string
}

func (f folder) path(name string) string { return path.Join(f.dir, name) }

// has returns the first of the files that is there, or "".
func (f folder) has(names ...string) string {
	for _, name := range names {
		if slices.Contains(f.facts.Files, f.path(name)) {
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

// check makes a check, and notes if its program is not installed.
func (f folder) check(name, command, why string) Check {
	c := Check{Name: name, Command: command, Why: why}
	program, _, _ := strings.Cut(command, " ")
	if !f.facts.Installed(program) {
		c.Missing = program
	}
	return c
}

func (f folder) checks() []Check {
	switch languageOf(f.manifest) {
	case "Go":
		return f.golang()
	case "Node":
		return f.node()
	case "Python":
		return f.python()
	case "Rust":
		return f.rust()
	}
	return nil
}

func (f folder) golang() []Check {
	why := f.path(f.manifest)
	checks := []Check{f.check("go-vet", "go vet ./...", why), f.check("go-test", "go test ./...", why)}
	if config := f.has(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"); config != "" {
		checks = append(checks, f.check("golangci-lint", "golangci-lint run", config))
	}
	return checks
}

// node proposes the scripts of package.json that check, run by the package
// manager whose lock file is there.
func (f folder) node() (checks []Check) {
	var manifest struct {
		Scripts map[string]string `json:"scripts"`
	}
	// One that cannot be read has no scripts to propose.
	_ = json.Unmarshal([]byte(f.read("package.json")), &manifest)
	manager := "npm"
	for _, lock := range [][2]string{
		{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
	} {
		if f.has(lock[0]) != "" || slices.Contains(f.facts.Files, lock[0]) {
			manager = lock[1]
		}
	}
	for _, script := range []string{"lint", "typecheck", "type-check", "test"} {
		command, ok := manifest.Scripts[script]
		if !ok || strings.Contains(command, "no test specified") {
			continue
		}
		checks = append(checks, f.check("node-"+script, manager+" run "+script, f.path("package.json")+`, script "`+script+`"`))
	}
	eslint := f.has("eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
		".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml", ".eslintrc")
	if _, ok := manifest.Scripts["lint"]; !ok && eslint != "" {
		checks = append(checks, f.check("eslint", "npx --no-install eslint .", eslint))
	}
	return checks
}

func (f folder) python() (checks []Check) {
	project := f.read("pyproject.toml") + f.read("setup.cfg") + f.read("requirements.txt") + f.read("requirements-dev.txt")
	mentions := func(word string) bool { return strings.Contains(project, word) }
	if config := f.has("ruff.toml", ".ruff.toml"); config != "" || mentions("[tool.ruff") {
		checks = append(checks, f.check("ruff", "ruff check .", firstOf(config, f.path(f.manifest))))
	}
	if config := f.has("mypy.ini", ".mypy.ini"); config != "" || mentions("[tool.mypy") {
		checks = append(checks, f.check("mypy", "mypy .", firstOf(config, f.path(f.manifest))))
	}
	tests := f.pythonTests()
	config := f.has("pytest.ini", "tox.ini", "conftest.py")
	switch {
	case config != "" || mentions("pytest"):
		checks = append(checks, f.check("pytest", "pytest", firstOf(config, f.path(f.manifest))))
	case tests != "":
		checks = append(checks, f.check("unittest", "python3 -m unittest discover -s "+testFolder(f.dir, tests), tests))
	}
	return checks
}

// pythonTests is a test file that unittest would find, or "".
func (f folder) pythonTests() string {
	for _, file := range f.facts.Files {
		inside := f.dir == "." || strings.HasPrefix(file, f.dir+"/")
		if matched, _ := path.Match("test*.py", path.Base(file)); matched && inside && isPlain(file) {
			return file
		}
	}
	return ""
}

// testFolder is where discovery starts, relative to the project: without packages,
// unittest does not look into folders by itself.
func testFolder(dir, file string) string {
	folder := path.Dir(file)
	if dir != "." {
		folder = strings.TrimPrefix(strings.TrimPrefix(folder, dir), "/")
	}
	return firstOf(folder, ".")
}

// isPlain reports whether a name can stand in a shell command as it is.
func isPlain(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`).MatchString(name)
}

func (f folder) rust() []Check {
	why := f.path(f.manifest)
	checks := []Check{f.check("cargo-test", "cargo test", why)}
	if f.has("clippy.toml", ".clippy.toml") != "" {
		checks = append(checks, f.check("cargo-clippy", "cargo clippy -- -D warnings", why))
	}
	return checks
}

// general proposes what no language owns: targets of a Makefile, as far as
// nothing else does their work, and pre-commit.
func (f folder) general(have []Check) (checks []Check) {
	targets := makeTargets(f.read("Makefile"))
	for _, target := range []string{"lint", "test", "check"} {
		covered := slices.ContainsFunc(append(have, checks...), func(c Check) bool {
			return target == "check" || strings.Contains(c.Name, target) || target == "test" && (c.Name == "pytest" || c.Name == "unittest")
		})
		if slices.Contains(targets, target) && !covered {
			checks = append(checks, f.check("make-"+target, "make "+target, "Makefile, target "+target))
		}
	}
	if config := f.has(".pre-commit-config.yaml", ".pre-commit-config.yml"); config != "" {
		checks = append(checks, f.check("pre-commit", "pre-commit run --all-files", config))
	}
	return checks
}

// makeTargets are the plain targets of a Makefile.
func makeTargets(text string) (targets []string) {
	for _, m := range regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z0-9_ -]*):(?:[^=]|$)`).FindAllStringSubmatch(text, -1) {
		targets = append(targets, strings.Fields(m[1])...)
	}
	return targets
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
