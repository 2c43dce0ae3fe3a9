package setup

import "slices"

// language is a kind of project.
type language struct {
	name string
	// manifests are the files that make a folder a project of this language.
	manifests []string
	checks    func(folder) []Check
}

func languages() []language {
	return []language{
		{"Go", []string{"go.mod"}, folder.golang},
		{"Node", []string{"package.json"}, folder.node},
		{"Python", []string{"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"}, folder.python},
		{"Rust", []string{"Cargo.toml"}, folder.rust},
	}
}

func languageOf(manifest string) (language, bool) {
	for _, l := range languages() {
		if slices.Contains(l.manifests, manifest) {
			return l, true
		}
	}
	return language{}, false
}

// tool is a program with which a project may check its own code.
type tool struct {
	name string
	// check is its command as a check gate, and review its command as a reviewer that fills a slot;
	// one of them may be empty.
	check, review string
	// python means that it is run as the project runs Python.
	python bool
	// files are the files that configure only this tool, and sections the headings of its
	// configuration in shared files.
	files, sections []string
	// folder is a folder whose files configure it.
	folder string
}

// tools returns the table of tools: what init looks for, and what it then proposes.
func tools() []tool {
	return []tool{
		{name: "golangci-lint", check: "golangci-lint run", review: "golangci-lint run --output.sarif.path={output} --output.text.path=stderr",
			files: []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"}},
		{name: "ruff", check: "ruff check --no-fix", review: "ruff check --output-format=sarif --output-file={output} {files}", python: true,
			files: []string{"ruff.toml", ".ruff.toml"}, sections: []string{"[tool.ruff"}},
		{name: "flake8", check: "flake8", python: true, files: []string{".flake8"}, sections: []string{"[flake8]"}},
		{name: "mypy", check: "mypy .", python: true, files: []string{"mypy.ini", ".mypy.ini"}, sections: []string{"[tool.mypy", "[mypy]"}},
		{name: "pytest", check: "pytest", python: true, files: []string{"pytest.ini", "conftest.py"}, sections: []string{"[tool.pytest", "[pytest]", "[tool:pytest]"}},
		{name: "eslint", check: "npx --no-install eslint .",
			review: "npx --no-install eslint --format=@microsoft/eslint-formatter-sarif --output-file={output} {files}",
			files: []string{"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
				".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml", ".eslintrc"},
			sections: []string{`"eslintConfig"`}},
		{name: "prettier", check: "npx --no-install prettier --check .", files: []string{
			".prettierrc", ".prettierrc.json", ".prettierrc.yaml", ".prettierrc.yml", ".prettierrc.json5", ".prettierrc.toml", ".prettierrc.js", ".prettierrc.cjs",
			".prettierrc.mjs", ".prettierrc.ts", "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs", "prettier.config.ts"}},
		{name: "cargo-clippy", check: "cargo clippy -- -D warnings", files: []string{"clippy.toml", ".clippy.toml"}},
		{name: "semgrep", review: "semgrep scan --sarif --output={output} {files}", files: []string{".semgrep.yml", ".semgrep.yaml"}, folder: ".semgrep/"},
	}
}

func toolNamed(name string) tool {
	all := tools()
	return all[slices.IndexFunc(all, func(t tool) bool { return t.name == name })]
}
