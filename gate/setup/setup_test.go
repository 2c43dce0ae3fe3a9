package setup

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// facts returns the facts about a repository with these files, on a machine without the missing
// programs.
func facts(files map[string]string, missing ...string) Facts {
	return Facts{
		Files:      slices.Sorted(maps.Keys(files)),
		Read:       func(name string) string { return files[name] },
		Exists:     func(name string) bool { _, ok := files[name]; return ok },
		Installed:  func(program string) bool { return !slices.Contains(missing, program) },
		BaseBranch: "origin/main",
	}
}

// checksOf returns lines "folder: name = command", with what is missing.
func checksOf(p Proposal) []string {
	found := []string{}
	for _, entry := range p.Entries {
		for _, c := range entry.Checks {
			line := entry.Path + ": " + c.Name + " = " + c.Command
			if c.Missing != "" {
				line += " (no " + c.Missing + ")"
			}
			found = append(found, line)
		}
	}
	return found
}

func TestProposeChecks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		files   map[string]string
		missing []string
		want    []string
	}{
		{name: "nothing", files: map[string]string{"README.md": "x"}, want: []string{}},
		{name: "Go", files: map[string]string{"go.mod": "module x"},
			want: []string{".: go-vet = go vet ./...", ".: go-test = go test ./..."}},
		{name: "golangci-lint that is not installed", files: map[string]string{"go.mod": "", ".golangci.yml": ""}, missing: []string{"golangci-lint"},
			want: []string{".: go-vet = go vet ./...", ".: go-test = go test ./...", ".: golangci-lint = golangci-lint run (no golangci-lint)"}},
		{name: "Node scripts", files: map[string]string{"package.json": `{"scripts":{"test":"jest","lint":"eslint .","start":"x"}}`, "pnpm-lock.yaml": ""},
			want: []string{".: node-lint = pnpm run lint", ".: node-test = pnpm run test"}},
		{name: "Node without tests", files: map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`, "eslint.config.js": ""},
			want: []string{".: eslint = npx --no-install eslint ."}},
		{name: "Node scripts of checks, and none that write", files: map[string]string{"package.json": `{"scripts":{
			"check":"npm run check:type && npm run check:lint && npm run check:format","check:format":"prettier --check .","check:lint":"eslint .",
			"check:type":"npm run check:type:js && npm run check:type:ts","check:type:ts":"tsd && tsc -p tsconfig.ts.json","check:type:js":"tsc -p tsconfig.js.json",
			"fix":"npm run fix:lint","fix:lint":"eslint --fix .","format":"prettier .","format:write":"prettier --write .","lint-staged":"lint-staged","test":"jest && npm run check:type:ts",
			"checkout":"x","check:$(touch x)":"x"}, "devDependencies":{"tsd":"1","prettier":"3"}}`,
			".prettierrc": "{}", "tsconfig.ts.json": `{"compilerOptions":{"noEmit": true}}`, "tsconfig.js.json": `{"compilerOptions":{"noEmit":true}}`, "eslint.config.js": ""},
			want: []string{".: node-test = npm run test", ".: node-check-format = npm run check:format", ".: node-check-lint = npm run check:lint",
				".: node-check-type-js = npm run check:type:js", ".: node-check-type-ts = npm run check:type:ts"}},
		{name: "Node tools without scripts", files: map[string]string{"package.json": `{"devDependencies":{"tsd":"1","prettier":"3"}, "prettier": {"semi": false}}`},
			want: []string{".: prettier = npx --no-install prettier --check .", ".: tsd = npx --no-install tsd"}},
		{name: "Prettier that is not installed", files: map[string]string{"package.json": `{}`, ".prettierrc": ""}, want: []string{}},
		{name: "the compiler of scripts that write", files: map[string]string{
			"package.json":  `{"scripts":{"build":"tsc -p . && tsc -p tsconfig.build.json","types":"tsc --project tsconfig.types.json --emitDeclarationOnly","all":"tsc -b -p x","odd":"tsc -p '$(x)'","decl":"tsc -p d.json","typecheck":"tsc -p .","check:all":"tsc -b packages/a","lint:types":"tsc --build"}}`,
			"tsconfig.json": `{}`, "tsconfig.build.json": "{}", "d.json": `{"compilerOptions":{"emitDeclarationOnly":true}}`},
			want: []string{".: tsc-tsconfig.build = npx --no-install tsc -p tsconfig.build.json --noEmit", ".: tsc-tsconfig = npx --no-install tsc -p tsconfig.json --noEmit"}},
		{name: "scripts that run each other", files: map[string]string{"package.json": `{"scripts":{"check":"npm run check:a","check:a":"npm run a","a":"npm run b","b":"npm run a","lint:a":"x","lint:b":"run-s lint:a"}}`},
			want: []string{".: node-check-a = npm run check:a", ".: node-lint-a = npm run lint:a"}},
		{name: "broken package.json", files: map[string]string{"package.json": `{"scripts": [`}, want: []string{}},
		{name: "Python tools", files: map[string]string{"pyproject.toml": "[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n", "test_a.py": ""},
			want: []string{".: ruff = ruff check --no-fix", ".: mypy = mypy .", ".: pytest = pytest"}},
		{name: "unittest", files: map[string]string{"setup.py": "", "tests/test_a.py": ""},
			want: []string{".: unittest = python3 -m unittest discover -s tests"}},
		{name: "unittest in a project below", files: map[string]string{"py/setup.py": "", "py/test_a.py": "", "b/c/setup.py": "", "b/c/d/test_x.py": ""},
			want: []string{"b/c: unittest = python3 -m unittest discover -s d", "py: unittest-py = python3 -m unittest discover -s ."}},
		{name: "hostile folder", files: map[string]string{"setup.py": "", "$(touch x)/test_a.py": ""}, want: []string{}},
		{name: "Rust", files: map[string]string{"Cargo.toml": "", "clippy.toml": ""},
			want: []string{".: cargo-test = cargo test", ".: cargo-clippy = cargo clippy -- -D warnings"}},
		{name: "Makefile", files: map[string]string{"Makefile": "lint test: x\n\ttrue\nCC := gcc\ncheck:\n\ttrue\n"},
			want: []string{".: make-lint = make lint", ".: make-test = make test"}},
		{name: "Makefile beside go test", files: map[string]string{"Makefile": "test:\n\tgo test\n", "go.mod": ""},
			want: []string{".: go-vet = go vet ./...", ".: go-test = go test ./..."}},
		{name: "pre-commit", files: map[string]string{".pre-commit-config.yaml": "repos: [{hooks: [{id: check-yaml}, {id: mypy}]}]"},
			want: []string{".: pre-commit = pre-commit run --all-files"}},
		{name: "pre-commit with hooks that write", files: map[string]string{".pre-commit-config.yaml": "repos: [{hooks: [{id: ruff, args: [--fix]}, {id: black}, {id: check-yaml}]}]"},
			want: []string{".: pre-commit = SKIP=ruff,black pre-commit run --all-files"}},
		{name: "pre-commit with nothing but hooks that write", files: map[string]string{".pre-commit-config.yaml": "repos: [{hooks: [{id: black}]}]"}, want: []string{}},
		{name: "pre-commit with a hook that checks and one of the same name that writes",
			files: map[string]string{".pre-commit-config.yaml": "repos: [{hooks: [{id: ruff}, {id: ruff, args: [--fix]}]}]"}, want: []string{}},
		{name: "pre-commit with a hostile name", files: map[string]string{".pre-commit-config.yaml": "repos: [{hooks: [{id: '$(touch x)'}, {id: check-yaml}]}]"}, want: []string{}},
		{name: "pre-commit with a command of its own", files: map[string]string{".pre-commit-config.yaml": "repos: [{hooks: [{id: mypy, entry: sh -c x}]}]"}, want: []string{}},
		{name: "uv, tools in groups", files: map[string]string{"uv.lock": "", "pyproject.toml": "[dependency-groups]\ndev = [\"ruff\"]\ntests = [\n    \"pytest>=8\",\n]\n\n[tool.ruff.lint]\n[tool.pytest.ini_options]\n", "tests/test_a.py": ""},
			want: []string{".: ruff = uv run ruff check --no-fix", ".: pytest = uv run --group tests pytest"}},
		{name: "uv, groups that it installs", files: map[string]string{"uv.lock": "", "pyproject.toml": "[dependency-groups]\ntests = [\"pytest\"]\n[tool.uv]\ndefault-groups = [\n  \"tests\",\n]\n", "a_test.py": ""},
			want: []string{".: pytest = uv run pytest"}},
		{name: "uv that is not installed", files: map[string]string{"uv.lock": "\nname = \"pytest\"\n", "pyproject.toml": "", "test_a.py": ""}, missing: []string{"uv"},
			want: []string{".: pytest = uv run pytest (no uv)"}},
		{name: "uv that is not installed, and a virtual environment", files: map[string]string{"uv.lock": "\nname = \"pytest\"\n", "pyproject.toml": "", "test_a.py": "", ".venv/bin/pytest": ""}, missing: []string{"uv"},
			want: []string{".: pytest = .venv/bin/pytest"}},
		{name: "poetry", files: map[string]string{"poetry.lock": "[[package]]\nname = \"mypy\"\n", "pyproject.toml": "[tool.mypy]\nfiles = [\"src\"]\n"},
			want: []string{".: mypy = poetry run mypy"}},
		{name: "tox", files: map[string]string{"setup.py": "", "tox.ini": "[testenv]\ncommands = pytest {posargs}\n[flake8]\n", "test_a.py": ""},
			want: []string{".: flake8 = flake8", ".: tox = tox --skip-missing-interpreters=true"}},
		{name: "tox beside a virtual environment with pytest", files: map[string]string{"setup.py": "", "tox.ini": "[testenv]\ncommands = pytest\n", "test_a.py": "", "venv/bin/pytest": ""},
			want: []string{".: pytest = venv/bin/pytest"}},
		{name: "nox", files: map[string]string{"setup.py": "", "noxfile.py": "", "conftest.py": "", "test_a.py": ""}, want: []string{".: nox = nox"}},
		{name: "pytest without a test", files: map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\n", "tests/conftest.py": ""}, want: []string{}},
		{name: "src layout", files: map[string]string{"pyproject.toml": "[tool.mypy]\n[tool.pytest.ini_options]\n", "src/app/__init__.py": "", "tests/test_a.py": ""},
			want: []string{".: mypy = mypy src", ".: pytest = PYTHONPATH=src pytest"}},
		{name: "src layout that pytest knows", files: map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\npythonpath = 'src'\n", "src/app.py": "", "tests/test_a.py": ""},
			want: []string{".: pytest = pytest"}},
		{name: "src layout with a lock file, and with unittest", files: map[string]string{"pyproject.toml": "", "pdm.lock": "\nname = \"pytest\"\n", "src/app.py": "", "tests/test_a.py": "",
			"b/setup.py": "", "b/src/b.py": "", "b/tests/test_b.py": ""},
			want: []string{".: pytest = pdm run pytest", "b: unittest = pdm run python3 -m unittest discover -s tests"}},
		{name: "words in comments", files: map[string]string{"setup.py": "", "setup.cfg": "# pytest is for later\n"}, want: []string{}},
		{name: "virtual environment", files: map[string]string{"py/pyproject.toml": "[tool.ruff]\n", "py/.venv/bin/ruff": "", "py/.venv/bin/python3": "", "py/test_a.py": ""},
			want: []string{"py: ruff = .venv/bin/ruff check --no-fix", "py: unittest = .venv/bin/python3 -m unittest discover -s ."}},
		{name: "mypy in mypy.ini", files: map[string]string{"setup.py": "", "mypy.ini": "[mypy]\nfiles = a\n"}, want: []string{".: mypy = mypy"}},
		{name: "Node scripts that write", files: map[string]string{"package.json": `{"scripts":{"lint":"eslint --fix .","lint:check":"eslint .","test":"npm run fmt && jest","fmt":"prettier --write ."}}`},
			want: []string{".: node-lint-check = npm run lint:check"}},
		{name: "Node scripts that wait", files: map[string]string{"package.json": `{"scripts":{"test":"jest --watch","test:ci":"jest --ci"}}`, "bun.lock": ""},
			want: []string{".: node-test-ci = bun run test:ci"}},
		{name: "package manager that package.json names", files: map[string]string{"package.json": `{"packageManager":"yarn@4.1.0","scripts":{"test":"jest"}}`},
			want: []string{".: node-test = yarn run test"}},
		{name: "several projects", files: map[string]string{"go.mod": "", "web/package.json": `{"scripts":{"test":"x"}}`,
			"node_modules/a/package.json": `{"scripts":{"test":"x"}}`, "vendor/go.mod": "", "a/b/c/go.mod": "", ".x/go.mod": ""},
			want: []string{".: go-vet = go vet ./...", ".: go-test = go test ./...", "web: node-test = npm run test"}},
		{name: "same check, other command", files: map[string]string{"a/package.json": `{"scripts":{"test":"x"}}`,
			"b/package.json": `{"scripts":{"test":"x"}}`, "b/yarn.lock": "", "c/package.json": `{"scripts":{"test":"x"}}`},
			want: []string{"a: node-test = npm run test", "b: node-test-b = yarn run test", "c: node-test = npm run test"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := checksOf(Propose(facts(test.files, test.missing...)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func fileOf(t *testing.T, p Proposal, name string) string {
	t.Helper()
	for _, f := range p.Files {
		if f.Name == name {
			return f.Text
		}
	}
	t.Fatalf("%s is not among the files", name)
	return ""
}

func TestProposeReviews(t *testing.T) {
	t.Parallel()
	bare := Propose(facts(map[string]string{"a": ""}))
	if diff := cmp.Diff([]string{builtinReview}, bare.Reviews); diff != "" {
		t.Errorf("without a CLI (-want +got):\n%s", diff)
	}
	if text := fileOf(t, bare, ".gauntlet/config.yml"); !strings.Contains(text, "default_preference: [builtin]") {
		t.Errorf("without a CLI:\n%s", text)
	}
	f := facts(map[string]string{"a": ""})
	f.Reviewers = []string{"claude", "codex"}
	full := Propose(f)
	if diff := cmp.Diff([]string{"code-quality"}, full.Reviews); diff != "" {
		t.Errorf("with CLIs (-want +got):\n%s", diff)
	}
	f.Reviews = FurtherReviews()
	if text := fileOf(t, Propose(f), ".gauntlet/config.yml"); !strings.Contains(text, "reviews: [code-quality, security, error-handling, tests]") {
		t.Errorf("with all reviews:\n%s", text)
	}
	for _, name := range FurtherReviews() {
		fileOf(t, Propose(f), ".gauntlet/reviews/"+name+".md")
	}
	if text := fileOf(t, full, ".gauntlet/reviews/code-quality.md"); !strings.Contains(text, "num_reviews: 2\n") {
		t.Errorf("two CLIs should give two slots:\n%s", text)
	}
	for _, file := range full.Files {
		if strings.Contains(file.Name, builtinReview) {
			t.Error("the built-in reviewer is proposed beside others")
		}
	}
}

// FuzzMakeTargets checks that any Makefile or justfile gives only targets that are safe in a command.
func FuzzMakeTargets(f *testing.F) {
	f.Add("all: x\n\ttrue\nCC := gcc\n.PHONY: all\na b: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, target := range append(targetsOf(text), recipesOf(text)...) {
			if target == "" || strings.ContainsAny(target, " \t\n$;&|`\"'") {
				t.Errorf("target %q", target)
			}
		}
	})
}
