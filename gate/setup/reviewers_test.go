package setup_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/setup"
)

// Tools that the repository configures are proposed as reviewers, in comments.
func TestToolReviewers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"none", map[string]string{"go.mod": "", "pyproject.toml": "[tool.mypy]", "vendor/x/.golangci.yml": ""}, ""},
		{"Go", map[string]string{"go.mod": "", ".golangci.yml": ""}, "golangci-lint"},
		{"Python", map[string]string{"pyproject.toml": "[tool.ruff.lint]"}, "ruff"},
		{"several", map[string]string{"web/package.json": `{"eslintConfig": {}}`, "ruff.toml": "", ".semgrep/rules.yml": ""}, "eslint ruff semgrep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			facts := setup.Facts{
				Read:      func(name string) string { return tt.files[name] },
				Exists:    func(string) bool { return false },
				Installed: func(string) bool { return true }, BaseBranch: "main",
			}
			for name := range tt.files {
				facts.Files = append(facts.Files, name)
			}
			config := setup.Propose(facts).Files[0].Text
			var names []string
			for _, found := range regexp.MustCompile(`(?m)^  #   ([a-z-]+):\n  #     command: ".*"\n  #     output: sarif$`).FindAllStringSubmatch(config, -1) {
				names = append(names, found[1])
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("%q, want %q:\n%s", got, tt.want, config)
			}
		})
	}
}
