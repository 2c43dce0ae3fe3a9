package setup

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// folder is a project for which checks are looked for.
type folder struct {
	facts         Facts
	dir, manifest string
}

func (f folder) path(name string) string { return path.Join(f.dir, name) }

// has returns the first of the files that exists, or "".
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

// check returns a check. If its program is not installed, Missing names it.
func (f folder) check(name, command, why string) Check {
	c := Check{Name: name, Command: command, Why: why}
	if program := Program(command); !f.facts.Installed(program) {
		c.Missing = program
	}
	return c
}

func (f folder) golang() []Check {
	why := f.path(f.manifest)
	checks := []Check{f.check("go-vet", "go vet ./...", why), f.check("go-test", "go test ./...", why)}
	return append(checks, f.configured("golangci-lint")...)
}

// isPlain reports whether a name can be used in a shell command without quotes.
func isPlain(name string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`).MatchString(name)
}

func (f folder) rust() []Check {
	return append([]Check{f.check("cargo-test", "cargo test", f.path(f.manifest))}, f.configured("cargo-clippy")...)
}

// configured proposes the check of a tool if the project configures the tool.
func (f folder) configured(name string) []Check {
	t := toolNamed(name)
	if config := f.has(t.files...); config != "" {
		return []Check{f.check(name, t.check, config)}
	}
	return nil
}

// general proposes checks that do not belong to a language: targets of a Makefile, unless another
// check does the same, and pre-commit.
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
	return append(checks, f.preCommit()...)
}

// makeTargets returns the plain targets of a Makefile.
func makeTargets(text string) (targets []string) {
	for _, m := range regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z0-9_ -]*):(?:[^=]|$)`).FindAllStringSubmatch(text, -1) {
		targets = append(targets, strings.Fields(m[1])...)
	}
	return targets
}
