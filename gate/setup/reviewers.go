package setup

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// toolReviewer is an analysis tool that can fill a slot like a reviewer.
type toolReviewer struct {
	name, command string
	// configs are the files that configure it, and mention is what a pyproject.toml or a
	// package.json says of it otherwise.
	configs []string
	mention string
}

func knownToolReviewers() []toolReviewer {
	return []toolReviewer{
		{"golangci-lint", "golangci-lint run --output.sarif.path={output} --output.text.path=stderr",
			[]string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"}, ""},
		{"ruff", "ruff check --output-format=sarif --output-file={output} {files}", []string{"ruff.toml", ".ruff.toml"}, "[tool.ruff"},
		{"eslint", "npx --no-install eslint --format=@microsoft/eslint-formatter-sarif --output-file={output} {files}",
			[]string{"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml"}, `"eslintConfig"`},
		{"semgrep", "semgrep scan --sarif --output={output} {files}", []string{".semgrep.yml", ".semgrep.yaml"}, ""},
	}
}

// toolReviewers are the tools that the repository configures.
func toolReviewers(facts Facts) (found []toolReviewer) {
	for _, tool := range knownToolReviewers() {
		if slices.ContainsFunc(facts.Files, func(file string) bool {
			name := path.Base(file)
			switch {
			case isVendored(file) && !strings.HasPrefix(file, ".semgrep/"):
				return false
			case slices.Contains(tool.configs, name), tool.name == "semgrep" && strings.HasPrefix(file, ".semgrep/"):
				return true
			}
			return tool.mention != "" && (name == "pyproject.toml" || name == "package.json") && strings.Contains(facts.Read(file), tool.mention)
		}) {
			found = append(found, tool)
		}
	}
	return found
}

// writeToolReviewers writes the tools into the configuration as comments: a tool that is a
// check already would say everything twice.
func writeToolReviewers(b *strings.Builder, tools []toolReviewer, style Style) {
	if len(tools) == 0 {
		return
	}
	b.WriteString("  # These tools can review like the CLIs: what they find gets an identity, claims\n" +
		"  # and a history. List their names in the cli_preference of a review.\n  # adapters:\n")
	for _, tool := range tools {
		fmt.Fprintf(b, "  #   %s:\n  #     command: %s\n  #     output: sarif\n", tool.name, style.quoted(tool.command))
	}
}
