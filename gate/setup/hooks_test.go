package setup

import "testing"

func TestWrites(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"npx eslint {staged_files}":            false,
		"eslint --fix .":                       true,
		"npx prettier {staged_files}":          true,
		"npx prettier --check {staged_files}":  false,
		"go vet ./... && gofmt -l .":           false,
		"go vet ./... && gofmt -w .":           true,
		"cargo fmt":                            true,
		"cargo fmt --check":                    false,
		"mix format --check-formatted":         false,
		"vendor/bin/php-cs-fixer fix --diff":   true,
		"php-cs-fixer fix --dry-run --diff":    false,
		"vendor/bin/phpcbf src":                true,
		"black --check . || black .":           true,
		"ruff check":                           false,
		"terraform fmt -check -recursive":      false,
		"yarn test":                            false,
		"clang-format --dry-run --Werror src/": false,
	} {
		if got := writes(command); got != want {
			t.Errorf("writes(%q) = %t", command, got)
		}
	}
}

// A job that writes is left out by its name; one without a usable name, or what cannot be seen into,
// means that nothing is proposed, or that it is left out.
func TestLefthookJobs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"pre-commit: {jobs: [{name: a, run: x}, {name: b, run: 'x --fix'}, {name: c, script: s.sh}]}": "LEFTHOOK_EXCLUDE=b,c lefthook run pre-commit --all-files --no-auto-install",
		"pre-commit: {jobs: [{run: x}, {run: y}]}":                                                    "lefthook run pre-commit --all-files --no-auto-install",
		"pre-commit: {commands: {a: {run: x, stage_fixed: true}, b: {run: y}}}":                       "LEFTHOOK_EXCLUDE=a lefthook run pre-commit --all-files --no-auto-install",
		"pre-commit: {jobs: [{run: x}, {run: 'x --fix'}]}":                                            "",
		"pre-commit: {commands: {'$(x)': {run: x --fix}, b: {run: y}}}":                               "",
		"pre-commit: {stage_fixed: true, commands: {a: {run: x}}}":                                    "",
		"pre-push: {commands: {a: {run: x}}}":                                                         "",
		"pre-commit: [":                                                                               "",
	} {
		in := folder{facts: facts(map[string]string{"lefthook.yml": text}), dir: ".", manifest: "lefthook.yml"}
		got := ""
		for _, check := range in.lefthook(nil) {
			got = check.Command
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
