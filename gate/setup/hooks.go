package setup

import (
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// preCommit proposes the hooks of pre-commit that only check and do not write.
func (f folder) preCommit([]Check) []Check {
	checking, writing := hooks(f.facts.Read(f.manifest))
	if len(checking) == 0 {
		return nil
	}
	return []Check{f.check("pre-commit", without("SKIP", writing)+f.asPython("pre-commit", "pre-commit run --all-files"), f.manifest)}
}

// without returns an assignment that makes a program leave out the names, or "".
func without(variable string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return variable + "=" + strings.Join(names, ",") + " "
}

// lefthook proposes the jobs before a commit that only check and do not write.
func (f folder) lefthook([]Check) []Check {
	checking, writing, ok := lefthookJobs(f.facts.Read(f.manifest))
	if len(checking) == 0 || !ok {
		return nil
	}
	// Otherwise it would write its hooks into git's folder.
	command := without("LEFTHOOK_EXCLUDE", writing) + "lefthook run pre-commit --all-files --no-auto-install"
	return []Check{f.check("lefthook", command, f.manifest)}
}

// lefthookJobs returns the names of the jobs before a commit that only check, and those of the
// others. It returns false if one of the others cannot be left out by its name.
func lefthookJobs(text string) (checking, writing []string, ok bool) {
	type job struct {
		Name  string `yaml:"name"`
		Run   string `yaml:"run"`
		Fixed bool   `yaml:"stage_fixed"`
	}
	var config struct {
		PreCommit struct {
			Commands map[string]job `yaml:"commands"`
			Jobs     []job          `yaml:"jobs"`
			Fixed    bool           `yaml:"stage_fixed"`
		} `yaml:"pre-commit"`
	}
	// A file that cannot be parsed has no jobs to propose.
	if yaml.Unmarshal([]byte(text), &config) != nil {
		return nil, nil, false
	}
	jobs := config.PreCommit.Jobs
	for _, name := range slices.Sorted(maps.Keys(config.PreCommit.Commands)) {
		command := config.PreCommit.Commands[name]
		command.Name = name
		jobs = append(jobs, command)
	}
	for _, j := range jobs {
		switch {
		case j.Run != "" && !j.Fixed && !config.PreCommit.Fixed && !writes(j.Run):
			checking = append(checking, j.Name)
		case !isPlain(j.Name):
			return nil, nil, false
		default: // also a script or a group, whose commands are elsewhere
			writing = append(writing, j.Name)
		}
	}
	return checking, writing, true
}

// writes reports whether a command is likely to change files.
func writes(text string) bool {
	return slices.ContainsFunc(commands(text), func(words []string) bool {
		return slices.ContainsFunc(words, isWriting) || formats(words)
	})
}

// formats reports whether a command is one of a formatter that is not told to check only.
func formats(words []string) bool {
	formatter := slices.ContainsFunc(words, func(word string) bool {
		name := path.Base(word)
		return slices.Contains([]string{"prettier", "black", "isort", "fmt", "format", "rustfmt", "shfmt", "gofmt", "clang-format", "php-cs-fixer", "phpcbf", "pint"}, name)
	})
	if slices.Contains(words, "fix") { // of php-cs-fixer, which writes with --diff, too
		return !slices.Contains(words, "--dry-run")
	}
	checks := slices.ContainsFunc(words, func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return slices.Contains([]string{"--check", "-c", "--list-different", "-l", "--dry-run", "--diff", "-d", "check", "ci", "--test", "--check-formatted", "-check"}, name)
	})
	return formatter && !checks
}

// hooks returns the ids of the hooks that only check, and those of the others. It returns none if
// an id cannot be used in a command.
func hooks(text string) (checking, writing []string) {
	var config struct {
		Repos []struct {
			Hooks []struct {
				ID     string   `yaml:"id"`
				Entry  string   `yaml:"entry"`
				Args   []string `yaml:"args"`
				Stages []string `yaml:"stages"`
			} `yaml:"hooks"`
		} `yaml:"repos"`
	}
	// A file that cannot be parsed has no hooks to propose.
	if yaml.Unmarshal([]byte(text), &config) != nil {
		return nil, nil
	}
	for _, repo := range config.Repos {
		for _, hook := range repo.Hooks {
			if !isPlain(hook.ID) || strings.HasPrefix(hook.ID, "-") {
				return nil, nil
			}
			if len(hook.Stages) > 0 && !slices.Contains(hook.Stages, "pre-commit") && !slices.Contains(hook.Stages, "commit") {
				continue // not run with the others
			}
			if hook.Entry == "" && onlyChecks(hook.ID, hook.Args) {
				checking = append(checking, hook.ID)
			} else {
				writing = append(writing, hook.ID)
			}
		}
	}
	// Two hooks may have the same name, and one of them may write.
	checking = slices.DeleteFunc(checking, func(id string) bool { return slices.Contains(writing, id) })
	return checking, writing
}

// onlyChecks reports whether a hook is known not to change files.
func onlyChecks(id string, args []string) bool {
	for _, arg := range args {
		if isWriting(arg) {
			return false
		}
	}
	known := []string{
		"actionlint", "bandit", "codespell", "debug-statements", "detect-aws-credentials", "detect-private-key",
		"detect-secrets", "eslint", "flake8", "forbid-new-submodules", "gitleaks", "golangci-lint", "hadolint",
		"mypy", "name-tests-test", "pylint", "pyright", "ruff", "ruff-check", "shellcheck", "typos", "uv-lock-check",
		"yamllint", "zizmor", "basedpyright", "destroyed-symlinks",
	}
	return slices.Contains(known, id) || strings.HasPrefix(id, "check-") && id != "check-hooks-apply"
}

// isWriting reports whether a word in a command makes a tool rewrite files.
func isWriting(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return slices.Contains([]string{"--fix", "--fix-only", "--unsafe-fixes", "--write", "--write-changes", "-w", "--in-place", "-i", "--autofix", "--auto-fix", "-u", "--update", "--updateSnapshot"}, name)
}
