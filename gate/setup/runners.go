package setup

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// purposes returns the names of targets that check, in the order in which they are proposed. What
// "check" does is unknown, so it is proposed only where nothing else is.
func purposes() []string { return []string{"lint", "test", "check"} }

// isCovered reports whether one of the checks does what a target with this name usually does.
func isCovered(have []Check, target string) bool {
	tests := []string{"pytest", "unittest", "tox", "nox", "rspec", "phpunit", "gradle-check"}
	return slices.ContainsFunc(have, func(c Check) bool {
		return target == "check" || strings.Contains(c.Name, target) || target == "test" && slices.Contains(tests, c.Name)
	})
}

// run proposes the targets that check and that no other check covers.
func (f folder) run(program, kind string, targets []string, have []Check) (checks []Check) {
	name, _, _ := strings.Cut(program, " ")
	for _, target := range purposes() {
		if slices.Contains(targets, target) && !isCovered(slices.Concat(have, checks), target) {
			checks = append(checks, f.check(name+"-"+target, program+" "+target, f.manifest+", "+kind+" "+target))
		}
	}
	return checks
}

func (f folder) makeTargets(have []Check) []Check {
	return f.run("make", "target", targetsOf(f.facts.Read(f.manifest)), have)
}

// targetsOf returns the plain targets of a Makefile.
func targetsOf(text string) (targets []string) {
	for _, m := range regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z0-9_ -]*):(?:[^=]|$)`).FindAllStringSubmatch(text, -1) {
		targets = append(targets, strings.Fields(m[1])...)
	}
	return targets
}

func (f folder) justRecipes(have []Check) []Check {
	return f.run("just", "recipe", recipesOf(f.facts.Read(f.manifest)), have)
}

// recipesOf returns the recipes of a justfile that can be run without an argument.
func recipesOf(text string) (recipes []string) {
	for _, m := range regexp.MustCompile(`(?m)^@?([A-Za-z][A-Za-z0-9_-]*)((?:[ \t]+[*]?[A-Za-z_$][^ \t:]*)*)[ \t]*:(?:[^=]|$)`).FindAllStringSubmatch(text, -1) {
		needed := slices.ContainsFunc(strings.Fields(m[2]), func(parameter string) bool {
			return !strings.Contains(parameter, "=") && !strings.HasPrefix(parameter, "*")
		})
		if !needed {
			recipes = append(recipes, m[1])
		}
	}
	return recipes
}

func (f folder) taskTasks(have []Check) []Check {
	var file struct {
		Tasks map[string]any `yaml:"tasks"`
	}
	// A file that cannot be parsed has no tasks to propose.
	_ = yaml.Unmarshal([]byte(f.facts.Read(f.manifest)), &file)
	return f.run("task", "task", slices.Sorted(maps.Keys(file.Tasks)), have)
}

// denoTasks proposes the tasks that check. They have the permissions that the project's tests need.
func (f folder) denoTasks([]Check) (checks []Check) {
	var file struct {
		Tasks map[string]any `yaml:"tasks"`
	}
	text := regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAllString(f.facts.Read(f.manifest), "")
	// JSON is YAML, but for tabs between its parts.
	if yaml.Unmarshal([]byte(strings.ReplaceAll(text, "\t", " ")), &file) != nil {
		return nil
	}
	for _, task := range purposes() {
		command, _ := file.Tasks[task].(string)
		if command != "" && !writes(command) {
			checks = append(checks, f.check("deno-"+task, "deno task "+task, f.manifest+`, task "`+task+`"`))
		}
	}
	return checks
}
