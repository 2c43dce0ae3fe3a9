package setup

import "testing"

func TestProgram(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./...":                  "go",
		"CI=1 GOFLAGS=-mod=mod go vet":   "go",
		"SKIP=ruff,black pre-commit run": "pre-commit",
		"./scripts/check.sh -x":          "./scripts/check.sh",
		"cd web && npm test":             "",
		"test -f x":                      "",
		"! grep -q x y":                  "",
		"$TOOL run":                      "",
		"(make)":                         "",
		`X="a b" make`:                   "",
		"":                               "",
		"make; true":                     "make",
		"[ -f x ]":                       "",
		"if true; then make; fi":         "",
		".venv/bin/pytest -q":            ".venv/bin/pytest",
	} {
		if got := Program(command); got != want {
			t.Errorf("Program(%q) = %q, want %q", command, got, want)
		}
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"git grep -lz '' | xargs -0 -r shellcheck --severity=warning": "shellcheck",
		"ls | xargs -0":    "ls",
		"make test":        "make",
		"x | xargs '$(y)'": "",
	} {
		if got := Needs(command); got != want {
			t.Errorf("Needs(%q) = %q, want %q", command, got, want)
		}
	}
}

func TestCollecting(t *testing.T) {
	t.Parallel()
	const options = " --collect-only -q -p no:cacheprovider"
	for _, test := range []struct {
		command     string
		environment bool
		want        string
	}{
		{"pytest", false, "PYTHONDONTWRITEBYTECODE=1 pytest" + options},
		{"PYTHONPATH=src pytest -x tests", false, "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src pytest -x tests" + options},
		{".venv/bin/pytest", true, "PYTHONDONTWRITEBYTECODE=1 .venv/bin/pytest" + options},
		{"python3 -m pytest", false, "PYTHONDONTWRITEBYTECODE=1 python3 -m pytest" + options},
		{"uv run --group tests pytest", true, "PYTHONDONTWRITEBYTECODE=1 uv run --no-sync --group tests pytest" + options},
		{"uv run pytest", false, ""},
		{"poetry run pytest", true, "PYTHONDONTWRITEBYTECODE=1 poetry run pytest" + options},
		{"make pytest", true, ""},
		{"pytest && make", true, ""},
		{"pytest; rm x", true, ""},
		{"go test ./...", true, ""},
	} {
		if got := Collecting(test.command, test.environment); got != test.want {
			t.Errorf("Collecting(%q) = %q, want %q", test.command, got, test.want)
		}
	}
}

func TestMissingFor(t *testing.T) {
	t.Parallel()
	const manifest = `{"devDependencies":{"xo":"1"},"scripts":{"test":"xo"}}`
	tests := []struct {
		name, dir, command string
		files              map[string]string
		want               Lack
	}{
		{name: "not installed", dir: ".", command: "npm run test", files: map[string]string{"package.json": manifest}, want: Lack{"node_modules", "`npm install`"}},
		{name: "with a lock file", dir: ".", command: "npx xo", files: map[string]string{"package.json": manifest, "package-lock.json": ""}, want: Lack{"node_modules", "`npm ci`"}},
		{name: "below", dir: "a b", command: "pnpm test", files: map[string]string{"a b/package.json": manifest, "pnpm-lock.yaml": ""}, want: Lack{"a b/node_modules", "`cd 'a b' && pnpm install`"}},
		{name: "installed", dir: ".", command: "npm test", files: map[string]string{"package.json": manifest, "node_modules": ""}},
		{name: "installed for the whole repository", dir: "web", command: "npm test", files: map[string]string{"web/package.json": manifest, "node_modules": ""}},
		{name: "without dependencies", dir: ".", command: "npm test", files: map[string]string{"package.json": `{"scripts":{"test":"x"}}`}},
		{name: "another program", dir: ".", command: "make test", files: map[string]string{"package.json": manifest}},
		{name: "virtual environment", dir: "py", command: ".venv/bin/pytest", want: Lack{"py/.venv", "`python3 -m venv py/.venv`, then install the project's dependencies in it"}},
		{name: "composer", dir: "api", command: "vendor/bin/phpunit", files: map[string]string{"api/composer.json": ""}, want: Lack{"api/vendor", "`cd api && composer install`"}},
		{name: "composer that has installed", dir: ".", command: "composer run test", files: map[string]string{"composer.json": "", "vendor": ""}},
		{name: "composer without dependencies", dir: ".", command: "composer run test", files: map[string]string{"composer.json": `{"require":{"php":">=8"}}`}},
		{name: "composer with some", dir: ".", command: "composer run test", files: map[string]string{"composer.json": `{"require-dev":{"a/b":"1"}}`}, want: Lack{"vendor", "`composer install`"}},
		{name: "composer that loads classes", dir: ".", command: "composer run test", files: map[string]string{"composer.json": `{"autoload":{"files":["a.php"]}}`}, want: Lack{"vendor", "`composer install`"}},
		{name: "mix without dependencies", dir: ".", command: "mix test"},
		{name: "terraform that needs nothing", dir: ".", command: "terraform fmt -check -recursive"},
		{name: "terraform", dir: ".", command: "terraform validate", want: Lack{".terraform", "`terraform init -backend=false`"}},
		{name: "virtual environment that is there", dir: ".", command: "venv/bin/pytest", files: map[string]string{"venv": ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, missing := MissingFor(facts(test.files), test.dir, test.command)
			if missing != (test.want != Lack{}) || missing && got != test.want {
				t.Errorf("got %v, %t, want %v", got, missing, test.want)
			}
		})
	}
}
