package setup

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// preCommit proposes the hooks of pre-commit that only check and do not write.
func (f folder) preCommit() []Check {
	config := f.has(".pre-commit-config.yaml", ".pre-commit-config.yml")
	if config == "" {
		return nil
	}
	checking, writing := hooks(f.facts.Read(config))
	if len(checking) == 0 {
		return nil
	}
	skip := ""
	if len(writing) > 0 {
		skip = "SKIP=" + strings.Join(writing, ",") + " "
	}
	check := f.pythonCheck("pre-commit", "pre-commit", "pre-commit run --all-files", config)
	check.Command = skip + check.Command
	return []Check{check}
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
