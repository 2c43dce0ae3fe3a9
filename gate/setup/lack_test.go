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
