package setup

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// many returns the files and n packages.
func many(files map[string]string, n int, folder, manifest, text string) map[string]string {
	for i := range n {
		files[fmt.Sprintf("%s/p%03d/%s", folder, i, manifest)] = text
	}
	return files
}

// More packages than entry points are one entry point, whose checks cover all of them.
func TestLargeWorkspaces(t *testing.T) {
	t.Parallel()
	const pkg = `{"scripts":{"test":"x","lint":"y"}}`
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"npm", many(map[string]string{"package.json": `{"workspaces":["packages/*"],"scripts":{"lint":"eslint ."}}`}, 400, "packages", "package.json", pkg),
			[]string{".: node-lint = npm run lint", ".: node-test = npm run test --workspaces --if-present"}},
		{"pnpm", many(map[string]string{"package.json": "{}", "pnpm-lock.yaml": "", "pnpm-workspace.yaml": "packages: [p/**]"}, 13, "p", "package.json", pkg),
			[]string{".: node-lint = pnpm --recursive run lint", ".: node-test = pnpm --recursive run test"}},
		{"cargo", many(map[string]string{"Cargo.toml": "[workspace]\nmembers = ['c/*']\n", "clippy.toml": "", "rustfmt.toml": ""}, 13, "c", "Cargo.toml", "[package]"),
			[]string{".: cargo-test = cargo test --workspace", ".: cargo-clippy = cargo clippy --workspace -- -D warnings", ".: cargo-fmt = cargo fmt --all --check"}},
		{"go", many(map[string]string{"go.work": "use (\n" + strings.Join(slices.Collect(numbered("./m/p%03d\n", 13)), "") + ")\n", ".golangci.yml": ""}, 13, "m", "go.mod", "module m"),
			[]string{".: go-vet = go vet $(go list -m -f '{{.Dir}}/...')", ".: go-test = go test $(go list -m -f '{{.Dir}}/...')", ".: golangci-lint = golangci-lint run $(go list -m -f '{{.Dir}}/...')"}},
		{"Gradle", many(map[string]string{"settings.gradle": strings.Join(slices.Collect(numbered("include 'g:p%03d'\n", 13)), "")}, 13, "g", "build.gradle", ""),
			[]string{".: gradle-check = gradle check"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Propose(facts(test.files))
			if diff := cmp.Diff(test.want, checksOf(p)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(p.Notes) != 1 || !strings.HasSuffix(p.Notes[0], `packages; more than 12 are one entry point together, "."`) {
				t.Errorf("notes %q", p.Notes)
			}
		})
	}
}

func numbered(format string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range n {
			if !yield(fmt.Sprintf(format, i)) {
				return
			}
		}
	}
}

// Bad input costs a sentence, never more, and nothing outside of the repository is proposed.
func TestBadInput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		notes []string
	}{
		{"JSON that is broken", map[string]string{"package.json": `{"scripts": {"test": "x"},`, "api/composer.json": "[]x"}, []string{
			"package.json is not JSON (unexpected end of JSON input); nothing that it names is proposed",
			"api/composer.json is not JSON (invalid character 'x' after top-level value); nothing that it names is proposed"}},
		{"JSON of another form", map[string]string{"package.json": `{"workspaces": {"packages": {"a": 1}}, "scripts": ["test"]}`}, nil},
		{"YAML that is broken", map[string]string{"Taskfile.yml": "tasks: [", "pnpm-workspace.yaml": "\t["}, []string{
			"Taskfile.yml is not YAML (yaml: line 1: did not find expected node content); nothing that it names is proposed"}},
		{"patterns without a package", map[string]string{"package.json": `{"workspaces":["packages/*", "[", "libs/a"]}`, "libs/a/README.md": ""}, []string{
			`package.json names "packages/*", where no package is`, `package.json names "[", where no package is`, `package.json names "libs/a", where no package is`}},
		{"patterns that leave the repository", map[string]string{"web/package.json": `{"workspaces":["../../x", "/etc/*", "../other"]}`, "other/package.json": "{}", "go.work": "use ../lib\nuse /lib\n",
			"settings.gradle": "include '../x'\n", "Cargo.toml": "[workspace]\nmembers = ['../y']\n"}, []string{
			`Cargo.toml names "../y", which is outside of the repository; it is left out`,
			`go.work names "../lib", which is outside of the repository; it is left out`,
			`go.work names "/lib", which is outside of the repository; it is left out`,
			`settings.gradle names "../x", which is outside of the repository; it is left out`,
			`web/package.json names "../../x", which is outside of the repository; it is left out`,
			`web/package.json names "/etc/*", which is outside of the repository; it is left out`,
			`web/package.json names "../other", where no package is`}},
		{"patterns that take long", map[string]string{"package.json": `{"workspaces":["` + strings.Repeat("**/{a,b}/", 40) + `"]}`, "a/b/package.json": "{}"}, []string{
			`package.json names "` + strings.Repeat("**/{a,b}/", 40) + `", where no package is`}},
		{"a link where a folder is expected", map[string]string{"package.json": `{"workspaces":["packages/*"]}`, "packages/link": "../../outside"}, []string{
			`package.json names "packages/*", where no package is`}},
		{"entities in a pom.xml", map[string]string{"pom.xml": `<!DOCTYPE p [<!ENTITY a "x"><!ENTITY b "&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]><project>&b;&e;</project>`}, []string{
			"pom.xml declares entities, which are not resolved: what is in them is not seen"}},
		{"folders with names for a shell", map[string]string{"package.json": `{"workspaces":["**"]}`, "$(touch x)/package.json": `{"scripts":{"test":"x"}}`, "a b/package.json": `{"scripts":{"test":"x"}}`}, []string{
			`package.json names "**", where no package is`}},
		{"many projects without a workspace", many(map[string]string{}, 14, "m", "go.mod", ""), []string{"2 more folders have checks; only 12 became entry points, without m/p012, m/p013"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Propose(facts(test.files))
			if diff := cmp.Diff(test.notes, p.Notes); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, entry := range p.Entries {
				if strings.Contains(entry.Path, "..") || strings.HasPrefix(entry.Path, "/") || !isPlain(entry.Path) && entry.Path != "." {
					t.Errorf("entry point %q", entry.Path)
				}
			}
		})
	}
}

// FuzzDeclarations checks that no file that declares packages makes anything outside of the
// repository a project.
func FuzzDeclarations(f *testing.F) {
	f.Add(`{"workspaces":["packages/*","../x","[","**"]}`, "packages/a")
	f.Add("[workspace]\nmembers = ['a/*', \"../b\"]\nexclude = ['a/b']\n", "a/c")
	f.Add("use (\n\t./a // x\n)\nuse ../b\n", "a")
	f.Add("include ':a', \"b:c\"\ninclude(\n\"..:d\")", "b/c")
	f.Fuzz(func(t *testing.T, text, dir string) {
		files := map[string]string{}
		for _, name := range []string{"package.json", "pnpm-workspace.yaml", "Cargo.toml", "go.work", "settings.gradle"} {
			files[name] = text
		}
		for _, name := range []string{"package.json", "Cargo.toml", "go.mod", "x"} {
			files[dir+"/"+name] = "{}"
		}
		spaces, _ := workspacesOf(facts(files), []string{"."})
		for _, w := range spaces {
			for _, p := range w.packages {
				if !isPlain(p.dir) || strings.Contains("/"+p.dir+"/", "/../") {
					t.Errorf("package %q", p.dir)
				}
			}
		}
	})
}
