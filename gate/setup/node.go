package setup

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// packageJSON has the keys of a package.json that are used.
type packageJSON struct {
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]any    `json:"dependencies"`
	DevDependencies map[string]any    `json:"devDependencies"`
	PackageManager  string            `json:"packageManager"`
}

func readPackage(facts Facts, dir string) (p packageJSON) {
	// A file that cannot be parsed has no scripts to propose.
	_ = json.Unmarshal([]byte(facts.Read(path.Join(dir, "package.json"))), &p)
	return p
}

// nodeScripts proposes those scripts of package.json that check, run by the package manager whose
// lock file exists.
func (f folder) nodeScripts([]Check) (checks []Check) {
	scripts := readPackage(f.facts, f.dir).Scripts
	manager := nodeManager(f.facts, f.dir)
	for _, script := range f.checkingScripts(scripts) {
		check := f.check("node-"+strings.ReplaceAll(script, ":", "-"), manager+" run "+script, f.manifest+`, script "`+script+`"`)
		check.runs = allWords(scripts, script)
		checks = append(checks, check)
	}
	return append(checks, f.packageScripts(checks, manager)...)
}

// typeChecks proposes to compile the TypeScript projects that no proposed script compiles.
func (f folder) typeChecks([]Check) (checks []Check) {
	scripts := readPackage(f.facts, f.dir).Scripts
	proposed := f.checkingScripts(scripts)
	for _, project := range f.typeProjects(scripts) {
		compiled := slices.ContainsFunc(proposed, func(script string) (found bool) {
			eachCommand(scripts, script, func(words []string) { found = found || compiles(words, project) })
			return found
		})
		if !compiled {
			name := "tsc-" + strings.Trim(strings.Map(nameCharacter, strings.TrimSuffix(project, ".json")), ".-")
			checks = append(checks, f.check(name, "npx --no-install tsc -p "+project+" --noEmit", f.manifest+`, a script with "tsc -p"`))
		}
	}
	return checks
}

// nodeManager returns the package manager of the project, or of the repository around it.
func nodeManager(facts Facts, dir string) string {
	for _, in := range upwards(dir) {
		named, _, _ := strings.Cut(readPackage(facts, in).PackageManager, "@")
		for _, lock := range [][2]string{
			{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}, {"package-lock.json", "npm"},
		} {
			if named == lock[1] || facts.Exists(path.Join(in, lock[0])) {
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
