package setup

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
)

// packageJSON has the keys of a package.json that are used.
type packageJSON struct {
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]any    `json:"dependencies"`
	DevDependencies map[string]any    `json:"devDependencies"`
	PackageManager  string            `json:"packageManager"`
	Prettier        any               `json:"prettier"`
}

func readPackage(facts Facts, dir string) (p packageJSON) {
	// A file that cannot be parsed has no scripts to propose.
	_ = json.Unmarshal([]byte(facts.Read(path.Join(dir, "package.json"))), &p)
	return p
}

// node proposes those scripts of package.json that check, run by the package manager whose lock
// file exists, and those of the project's tools that none of these scripts runs.
func (f folder) node() (checks []Check) {
	manifest := packageJSON{}
	if f.has("package.json") != "" {
		manifest = readPackage(f.facts, f.dir)
	}
	manager := nodeManager(f.facts, f.dir)
	proposed := f.checkingScripts(manifest.Scripts)
	for _, script := range proposed {
		name := "node-" + strings.ReplaceAll(script, ":", "-")
		checks = append(checks, f.check(name, manager+" run "+script, f.path("package.json")+`, script "`+script+`"`))
	}
	return addChecks(checks, f.nodeTools(manifest, proposed))
}

// nodeTools returns checks for the project's tools that no proposed script runs.
func (f folder) nodeTools(manifest packageJSON, proposed []string) (checks []Check) {
	scripts := scriptTools{manifest.Scripts, proposed}
	linted := slices.ContainsFunc(proposed, func(script string) bool { return strings.HasPrefix(script, "lint") })
	if !linted && !scripts.run("eslint") {
		checks = append(checks, f.configured("eslint")...)
	}
	prettier := f.configured("prettier")
	if len(prettier) == 0 && manifest.Prettier != nil {
		prettier = []Check{f.check("prettier", toolNamed("prettier").check, f.path("package.json"))}
	}
	if manifest.has("prettier") && !scripts.run("prettier") {
		checks = append(checks, prettier...)
	}
	if manifest.has("tsd") && !scripts.run("tsd") {
		checks = append(checks, f.check("tsd", "npx --no-install tsd", f.path("package.json")))
	}
	for _, project := range f.typeProjects(manifest.Scripts) {
		if !scripts.runs(func(words []string) bool { return compiles(words, project) }) {
			name := "tsc-" + strings.Trim(strings.Map(nameCharacter, strings.TrimSuffix(project, ".json")), ".-")
			checks = append(checks, f.check(name, "npx --no-install tsc -p "+project+" --noEmit", f.path("package.json")+`, a script with "tsc -p"`))
		}
	}
	return checks
}

// has reports whether the project depends on a package.
func (p packageJSON) has(name string) bool {
	return p.Dependencies[name] != nil || p.DevDependencies[name] != nil
}

// nodeManager returns the package manager of the project, or of the repository around it.
func nodeManager(facts Facts, dir string) string {
	for _, in := range upwards(dir) {
		named, _, _ := strings.Cut(readPackage(facts, in).PackageManager, "@")
		for _, lock := range [][2]string{
			{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}, {"package-lock.json", "npm"},
		} {
			if named == lock[1] || slices.Contains(facts.Files, path.Join(in, lock[0])) {
				return lock[1]
			}
		}
	}
	return "npm"
}

// upwards returns a folder of the repository and those above it, up to the root.
func upwards(dir string) (dirs []string) {
	for ; dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return append(dirs, ".")
}

// Lack is something that a project's checks need and that is not installed.
type Lack struct {
	// Path is the folder that is missing.
	Path string
	// Fix says how to install it from the repository's root, with commands in backticks.
	Fix string
}

// missingModules reports whether the Node project in the folder has dependencies that are not
// installed, and returns what is missing.
func missingModules(facts Facts, dir string) (Lack, bool) {
	manifest := readPackage(facts, dir)
	if len(manifest.Dependencies)+len(manifest.DevDependencies) == 0 {
		return Lack{}, false
	}
	for _, in := range upwards(dir) {
		if facts.Exists(path.Join(in, "node_modules")) || facts.Exists(path.Join(in, ".pnp.cjs")) {
			return Lack{}, false
		}
	}
	fix := nodeManager(facts, dir) + " install"
	if facts.Exists(path.Join(dir, "package-lock.json")) && fix == "npm install" {
		fix = "npm ci"
	}
	if dir != "." {
		fix = fmt.Sprintf("cd %s && %s", text.ShellWord(dir), fix)
	}
	return Lack{path.Join(dir, "node_modules"), "`" + fix + "`"}, true
}

// MissingFor returns what a check's command needs in its working directory and what is missing
// there: the dependencies of a Node project, or a virtual environment.
func MissingFor(facts Facts, dir, command string) (Lack, bool) {
	program := Program(command)
	switch {
	case slices.Contains([]string{"npm", "npx", "yarn", "pnpm", "bun"}, program):
		return missingModules(facts, dir)
	case regexp.MustCompile(`^\.?venv/bin/`).MatchString(program):
		venv, _, _ := strings.Cut(program, "/")
		folder := path.Join(dir, venv)
		return Lack{folder, "`python3 -m venv " + text.ShellWord(folder) + "`, then install the project's dependencies in it"}, !facts.Exists(folder)
	}
	return Lack{}, false
}

// Program returns the program that a shell command begins with, or "" if it begins with something
// that only a shell understands.
func Program(command string) string {
	for word := range strings.FieldsSeq(command) {
		if regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=[A-Za-z0-9_./,:@%+=-]*$`).MatchString(word) {
			continue
		}
		word = strings.TrimRight(word, ";")
		if !regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$`).MatchString(word) || slices.Contains(shellWords(), word) {
			return ""
		}
		return word
	}
	return ""
}

// shellWords returns the words that a shell handles without starting a program.
func shellWords() []string {
	return []string{
		".", ":", "alias", "bg", "break", "case", "cd", "command", "continue", "do", "done", "echo", "elif", "else", "esac", "eval",
		"exec", "exit", "export", "false", "fi", "for", "function", "if", "in", "kill", "local", "printf", "pwd", "read", "readonly",
		"return", "set", "shift", "source", "test", "then", "time", "times", "trap", "true", "type", "ulimit", "umask", "unset", "until",
		"wait", "while",
	}
}
