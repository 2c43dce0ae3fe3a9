package setup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"
)

// maxEntries is how many folders below the root become entry points at most. The packages of a
// workspace that has more are one entry point together.
const maxEntries = 12

// workspace is a set of packages that a file in the folder above them names.
type workspace struct {
	dir string
	// file is the file that names them.
	file      string
	ecosystem ecosystem
	packages  []project
}

// apart reports whether each package becomes an entry point.
func (w workspace) apart() bool { return len(w.packages) <= maxEntries }

// declaration is what a file says about the packages of its workspace.
type declaration struct {
	file, ecosystem string
	// patterns name the folders of packages, relative to that of the file; those that begin with "!"
	// exclude.
	patterns []string
	// manifests are the files that a package has, as in the table; without any, each folder is one.
	manifests string
}

// declarations returns what the files in a folder declare.
func declarations(facts Facts, dir string) (all []declaration) {
	in := folder{facts: facts, dir: dir}
	add := func(ecosystem, manifests, name string, patterns func(text string) []string) {
		if in.has(name) == "" {
			return
		}
		if found := patterns(in.read(name)); len(found) > 0 {
			all = append(all, declaration{in.path(name), ecosystem, found, manifests})
		}
	}
	add("Node", "package.json", "package.json", npmPackages)
	add("Node", "package.json", "pnpm-workspace.yaml", pnpmPackages)
	add("Rust", "Cargo.toml", "Cargo.toml", cargoPackages)
	add("Go", "go.mod", "go.work", goModules)
	add("Gradle", "", "settings.gradle", gradleProjects)
	add("Gradle", "", "settings.gradle.kts", gradleProjects)
	return all
}

func npmPackages(text string) []string {
	var manifest struct {
		Workspaces json.RawMessage `json:"workspaces"`
	}
	_ = json.Unmarshal([]byte(text), &manifest) // a file that is not JSON is noted elsewhere
	var list []string
	if json.Unmarshal(manifest.Workspaces, &list) == nil {
		return list
	}
	var object struct {
		Packages []string `json:"packages"`
	}
	_ = json.Unmarshal(manifest.Workspaces, &object) // another form declares nothing
	return object.Packages
}

func pnpmPackages(text string) []string {
	var file struct {
		Packages []string `yaml:"packages"`
	}
	_ = yaml.Unmarshal([]byte(text), &file) // a file that is not YAML declares nothing
	return file.Packages
}

func cargoPackages(text string) (patterns []string) {
	_, section, _ := strings.Cut("\n"+withoutComments(text), "\n[workspace]")
	section, _, _ = strings.Cut(section, "\n[")
	for _, key := range []string{"members", "exclude"} {
		list := regexp.MustCompile(`(?ms)^` + key + `\s*=\s*\[(.*?)\]`).FindStringSubmatch(section)
		if list == nil {
			continue
		}
		for _, name := range regexp.MustCompile(`["']([^"']+)["']`).FindAllStringSubmatch(list[1], -1) {
			patterns = append(patterns, map[string]string{"exclude": "!"}[key]+name[1])
		}
	}
	return patterns
}

func goModules(text string) (dirs []string) {
	text = regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(text, "")
	for _, block := range regexp.MustCompile(`(?m)^use\s*(?:\(([^)]*)\)|(\S+))`).FindAllStringSubmatch(text, -1) {
		for _, dir := range strings.Fields(block[1] + block[2]) {
			dirs = append(dirs, strings.Trim(dir, `"`))
		}
	}
	return dirs
}

func gradleProjects(text string) (dirs []string) {
	text = regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(text, "")
	for _, list := range regexp.MustCompile(`(?m)^\s*include\b[\s(]*((?:["'][^"']*["'][\s,]*)+)`).FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile(`["']([^"']+)["']`).FindAllStringSubmatch(list[1], -1) {
			dirs = append(dirs, strings.ReplaceAll(strings.TrimPrefix(name[1], ":"), ":", "/"))
		}
	}
	return dirs
}

// workspacesOf returns the workspaces whose files are in one of the folders, and what is odd about
// them.
func workspacesOf(facts Facts, dirs []string) (found []workspace, notes []string) {
	for _, dir := range dirs {
		for _, d := range declarations(facts, dir) {
			w, odd := d.resolve(facts, dir)
			notes = append(notes, odd...)
			if len(w.packages) == 0 {
				continue
			}
			if !w.apart() {
				notes = append(notes, fmt.Sprintf("%s has %d packages; more than %d are one entry point together, %q", d.file, len(w.packages), maxEntries, dir))
			}
			found = append(found, w)
		}
	}
	return found, notes
}

// resolve finds the packages of a declaration.
func (d declaration) resolve(facts Facts, dir string) (w workspace, notes []string) {
	w = workspace{dir: dir, file: d.file, ecosystem: ecosystemNamed(d.ecosystem)}
	taken, folders := map[string]bool{dir: true}, d.folders(facts, dir)
	if len(d.patterns) > maxPatterns {
		notes = append(notes, fmt.Sprintf("%s names %d packages; only the first %d are looked for", d.file, len(d.patterns), maxPatterns))
	}
	for _, pattern := range d.patterns[:min(len(d.patterns), maxPatterns)] {
		wanted, negated := strings.CutPrefix(pattern, "!")
		full := path.Join(dir, wanted)
		switch {
		case path.IsAbs(wanted) || full == ".." || strings.HasPrefix(full, "../"):
			notes = append(notes, fmt.Sprintf("%s names %q, which is outside of the repository; it is left out", d.file, pattern))
			continue
		case negated:
			w.packages = slices.DeleteFunc(w.packages, func(p project) bool { return fitsFolder(full, p.dir) })
			continue
		}
		matched := full == dir
		for at, manifest := range folders {
			if !fitsFolder(full, at) {
				continue
			}
			if matched = true; !taken[at] {
				taken[at] = true
				w.packages = append(w.packages, project{at, manifest, w.ecosystem})
			}
		}
		if !matched {
			notes = append(notes, fmt.Sprintf("%s names %q, where no package is", d.file, pattern))
		}
	}
	slices.SortFunc(w.packages, func(a, b project) int { return strings.Compare(a.dir, b.dir) })
	return w, notes
}

// maxPatterns is how many patterns of a workspace are looked at.
const maxPatterns = 500

// fitsFolder reports whether a folder matches a pattern or is equal to it. A pattern that takes long to
// match does not match.
func fitsFolder(pattern, dir string) bool {
	if len(pattern) > 200 || strings.Count(pattern, "*") > 8 || strings.Count(pattern, "{") > 3 {
		return pattern == dir
	}
	fits, _ := doublestar.Match(pattern, dir) // a malformed pattern does not match
	return fits || pattern == dir
}

// folders returns the folders below one that may be packages, each with the file that shows it.
// Names that would have to be escaped are left out. A symbolic link is not a folder for git.
func (d declaration) folders(facts Facts, dir string) map[string]string {
	found := map[string]string{}
	for _, file := range (folder{facts: facts, dir: dir}).inside() {
		at := path.Dir(file)
		if at == "." || !isPlain(at) || strings.Contains("/"+at+"/", "/node_modules/") {
			continue
		}
		if slices.Contains(alternatives(d.manifests), path.Base(file)) {
			found[at] = file
		}
		for d.manifests == "" && at != dir && at != "." {
			found[at] = d.file
			at = path.Dir(at)
		}
	}
	return found
}

// withPackages replaces the projects that are packages of a workspace: each is a project, however
// deep it is, or the workspace as a whole is one.
func withPackages(found []project, spaces []workspace) []project {
	for _, w := range spaces {
		isPackage := func(p project) bool {
			return p.ecosystem.name == w.ecosystem.name && slices.ContainsFunc(w.packages, func(o project) bool { return o.dir == p.dir })
		}
		found = slices.DeleteFunc(found, isPackage)
		if w.apart() {
			found = append(found, w.packages...)
		}
		root := project{w.dir, w.file, w.ecosystem}
		if !slices.ContainsFunc(found, func(p project) bool { return p.dir == w.dir && p.ecosystem.name == w.ecosystem.name }) {
			found = append(found, root)
		}
	}
	return found
}

// withoutRepeats removes the checks of a workspace's root that only run those of its packages, if
// each package has them.
func (w workspace) withoutRepeats(checks []Check, byDir map[string][]Check) []Check {
	if !w.apart() {
		return checks
	}
	spanning := []string{"--workspaces", "-ws", "--recursive", "-r", "turbo", "nx", "lerna", "foreach"}
	return slices.DeleteFunc(checks, func(c Check) bool {
		spans := slices.ContainsFunc(c.runs, func(word string) bool { return slices.Contains(spanning, word) })
		return spans && !slices.ContainsFunc(w.packages, func(p project) bool {
			return !slices.ContainsFunc(byDir[p.dir], func(o Check) bool { return o.Name == c.Name })
		})
	})
}

// spansWorkspace returns the workspace of the ecosystem whose root the folder is, if any.
func (f folder) spansWorkspace(name string) (workspace, bool) {
	for _, w := range f.workspaces {
		if w.dir == f.dir && w.ecosystem.name == name {
			return w, true
		}
	}
	return workspace{}, false
}

// goEvidence leaves out the root of a workspace that is not a module, unless its modules are one entry
// point.
func (f folder) goEvidence(c candidate) string {
	if w, is := f.spansWorkspace("Go"); is && w.apart() && f.has("go.mod") == "" {
		return ""
	}
	return f.evidence(c)
}

// goCommand makes a command cover all modules of a workspace.
func (f folder) goCommand(c candidate) string {
	if w, is := f.spansWorkspace("Go"); is && !w.apart() {
		return strings.TrimSuffix(c.command, " ./...") + " $(go list -m -f '{{.Dir}}/...')"
	}
	return c.command
}

// cargoEvidence leaves out the root of a workspace that is not a package, unless its packages are one
// entry point.
func (f folder) cargoEvidence(c candidate) string {
	if w, is := f.spansWorkspace("Rust"); is && w.apart() && f.shown(`Cargo.toml: (?m)^\[package\]`) == "" {
		return ""
	}
	return f.evidence(c)
}

// cargoCommand makes a command cover all packages of a workspace.
func (f folder) cargoCommand(c candidate) string {
	w, is := f.spansWorkspace("Rust")
	if !is || w.apart() {
		return c.command
	}
	if c.name == "cargo-fmt" {
		return strings.Replace(c.command, "fmt", "fmt --all", 1)
	}
	words := strings.SplitN(c.command, " ", 3)
	return strings.Join(slices.Insert(words, 2, "--workspace"), " ")
}

// gradleEvidence leaves out the root of a build whose projects are entry points, unless it has code
// of its own.
func (f folder) gradleEvidence(c candidate) string {
	if w, is := f.spansWorkspace("Gradle"); is && w.apart() && f.shown("src/**") == "" {
		return ""
	}
	return f.evidence(c)
}

// gradleCommand runs only the tasks of the root where the other projects are entry points.
func (f folder) gradleCommand(c candidate) string {
	if w, is := f.spansWorkspace("Gradle"); is && w.apart() {
		c.command = "gradle :check"
	}
	return wrapper("gradlew")(f, c)
}

// packageScripts proposes to run the scripts of all packages of a workspace that is one entry point,
// if the root has no script for it.
func (f folder) packageScripts(have []Check, manager string) (checks []Check) {
	w, is := f.spansWorkspace("Node")
	run := map[string]string{"npm": "npm run %s --workspaces --if-present", "pnpm": "pnpm --recursive run %s", "bun": "bun run --filter '*' %s"}[manager]
	if !is || w.apart() || run == "" {
		return nil
	}
	with := map[string]string{}
	for _, p := range w.packages {
		in := folder{facts: f.facts, dir: p.dir}
		for _, script := range in.checkingScripts(readPackage(f.facts, p.dir).Scripts) {
			with[script] = cmp.Or(with[script], p.manifest)
		}
	}
	for _, names := range scriptNames() {
		for _, script := range names {
			name := "node-" + strings.ReplaceAll(script, ":", "-")
			has := slices.ContainsFunc(have, func(c Check) bool { return c.Name == name })
			if has {
				break
			}
			if with[script] != "" {
				checks = append(checks, f.check(name, fmt.Sprintf(run, script), with[script]+`, script "`+script+`"`))
				break
			}
		}
	}
	return checks
}
