package setup

import (
	"maps"
	"path"
	"slices"
)

// ecosystems returns the table. Checks are proposed in its order.
func ecosystems() []ecosystem {
	return slices.Concat(scripted(), compiled(), runners())
}

// scripted are the ecosystems whose projects configure their own tools.
func scripted() []ecosystem {
	return []ecosystem{
		{name: "Node", files: "package.json", scripts: folder.nodeScripts, checks: nodeTools(), more: folder.typeChecks,
			also: "First the scripts of `package.json` that are named like checks and do not write, run by npm, pnpm, yarn or bun.\n" +
				"A tool that one of them runs is not proposed again. The projects of `tsc -p` are compiled with `--noEmit`"},
		{name: "Bun", files: "bun.lock | bun.lockb | bunfig.toml", checks: []candidate{
			{name: "bun-test", command: "bun test", when: "**/*.test.{ts,tsx,js,jsx} | **/*_test.{ts,js}", unless: `package.json: "test"\s*:`},
		}, also: "The scripts of `package.json` are proposed as for Node"},
		{name: "Deno", files: "deno.json | deno.jsonc", scripts: folder.denoTasks, checks: []candidate{
			{name: "deno-lint", command: "deno lint", purpose: "lint"},
			{name: "deno-test", command: "deno test", when: "**/*.test.{ts,tsx,js} | **/*_test.{ts,tsx,js}", purpose: "test"},
		}, also: "First the tasks `lint`, `test` and `check`"},
		{name: "Python", files: "pyproject.toml | setup.py | setup.cfg | requirements.txt", checks: pythonTools(),
			evidence: folder.pythonEvidence, command: folder.pythonCommand, more: folder.unittest,
			also: "Each tool is run by uv, poetry, pdm or pipenv, or from `.venv` or `venv`, if the project has them. Tests that nothing else runs\n" +
				"are run by `python3 -m unittest`. Where packages are in `src`, `mypy` checks that folder, and `PYTHONPATH=src` is set for tests\n" +
				"that run outside of an environment of the project. tox and nox are proposed instead of a pytest outside of it. Requirements\n" +
				"that name a tool show it, too"},
		{name: "Ruby", files: "Gemfile | Rakefile | *.gemspec", command: folder.bundled, checks: []candidate{
			{name: "rspec", command: "rspec", when: ".rspec | spec/**/*_spec.rb"},
			{name: "rails-test", command: "bin/rails test", when: "bin/rails", and: "test/**/*_test.rb"},
			{name: "rake-test", command: "rake test", when: `Rakefile: TestTask | Rakefile: task[ (]:test\b | Rakefile: task[ (]test:`},
			{name: "rubocop", command: "rubocop", when: ".rubocop.yml"},
		}, also: "With a `Gemfile`, by `bundle exec`"},
		{name: "PHP", files: "composer.json", scripts: folder.composerScripts, checks: []candidate{
			{name: "phpunit", command: "vendor/bin/phpunit", when: "phpunit.xml | phpunit.xml.dist | phpunit.dist.xml"},
			{name: "phpstan", command: "vendor/bin/phpstan analyse --no-progress", when: "phpstan.neon | phpstan.neon.dist | phpstan.dist.neon"},
		}, also: "First the scripts of `composer.json` that are named like checks and do not write"},
		{name: "Elixir", files: "mix.exs", scope: topFolders, checks: []candidate{
			{name: "mix-test", command: "mix test", when: "**/*_test.exs"},
			{name: "mix-format", command: "mix format --check-formatted", when: ".formatter.exs"},
			{name: "mix-credo", command: "mix credo", when: "mix.exs: :credo"},
		}},
	}
}

// compiled are the ecosystems with one tool that builds and tests.
func compiled() []ecosystem {
	const (
		ctest = `CMakeLists.txt: (?i)enable_testing\s*\( | CMakeLists.txt: (?i)include\s*\(\s*CTest\b`
		cmake = "cmake -S . -B build && cmake --build build"
		tests = "**/*Test*.{cs,fs,vb}proj | **/*.{cs,fs,vb}proj: Microsoft\\.NET\\.Test\\.Sdk"
	)
	return []ecosystem{
		{name: "Go", files: "go.mod", evidence: folder.goEvidence, command: folder.goCommand, checks: []candidate{
			{name: "go-vet", command: "go vet ./..."},
			{name: "go-test", command: "go test ./..."},
			{name: "golangci-lint", command: "golangci-lint run", review: "golangci-lint run --output.sarif.path={output} --output.text.path=stderr",
				when: ".golangci.yml | .golangci.yaml | .golangci.toml | .golangci.json"},
		}},
		{name: "Rust", files: "Cargo.toml", evidence: folder.cargoEvidence, command: folder.cargoCommand, checks: []candidate{
			{name: "cargo-test", command: "cargo test"},
			{name: "cargo-clippy", command: "cargo clippy -- -D warnings", when: "clippy.toml | .clippy.toml"},
			{name: "cargo-fmt", command: "cargo fmt --check", when: "rustfmt.toml | .rustfmt.toml"},
		}},
		{name: "Maven", files: "pom.xml", scope: topFolders, command: wrapper("mvnw"), checks: []candidate{
			{name: "maven-test", command: "mvn -B -ntp test"},
			{name: "maven-checkstyle", command: "mvn -B -ntp checkstyle:check", when: "pom.xml: maven-checkstyle-plugin"},
			{name: "maven-spotless", command: "mvn -B -ntp spotless:check", when: "pom.xml: spotless-maven-plugin"},
		}, also: "By the wrapper `mvnw` where there is one"},
		{name: "Gradle", files: "settings.gradle | settings.gradle.kts | build.gradle | build.gradle.kts", scope: topFolders,
			evidence: folder.gradleEvidence, command: folder.gradleCommand, checks: []candidate{
				{name: "gradle-check", command: "gradle check"},
			}, also: "By the wrapper `gradlew` where there is one"},
		{name: ".NET", files: "*.sln | *.slnx | *.csproj | *.fsproj | *.vbproj", scope: topFolders, command: folder.solution, checks: []candidate{
			{name: "dotnet-test", command: "dotnet test --nologo", when: tests},
			{name: "dotnet-build", command: "dotnet build --nologo", unless: tests},
			{name: "dotnet-format", command: "dotnet format --verify-no-changes", when: `.editorconfig: (?m)^\s*(csharp|dotnet)_`},
		}},
		{name: "CMake", files: "CMakeLists.txt", scope: topFolders, checks: []candidate{
			{name: "ctest", command: cmake + " && ctest --test-dir build --output-on-failure", when: ctest, writes: "build"},
			{name: "cmake-build", command: cmake, unless: ctest, writes: "build"},
		}},
		{name: "Swift", files: "Package.swift", checks: []candidate{
			{name: "swift-test", command: "swift test", when: "Tests/**/*.swift"},
			{name: "swift-build", command: "swift build", unless: "Tests/**/*.swift"},
			{name: "swiftlint", command: "swiftlint lint --strict", when: ".swiftlint.yml"},
		}},
		{name: "Dart", files: "pubspec.yaml", checks: []candidate{
			{name: "flutter-analyze", command: "flutter analyze", when: `pubspec.yaml: sdk:\s*flutter`},
			{name: "flutter-test", command: "flutter test", when: `pubspec.yaml: sdk:\s*flutter`, and: "test/**/*_test.dart"},
			{name: "dart-analyze", command: "dart analyze", unless: `pubspec.yaml: sdk:\s*flutter`},
			{name: "dart-test", command: "dart test", when: "test/**/*_test.dart", unless: `pubspec.yaml: sdk:\s*flutter`},
		}},
		{name: "Zig", files: "build.zig", checks: []candidate{
			{name: "zig-test", command: "zig build test", when: `build.zig: "test"`},
			{name: "zig-build", command: "zig build", unless: `build.zig: "test"`},
			{name: "zig-fmt", command: "zig fmt --check ."},
		}},
	}
}

// runners are files of single kinds, what runs tasks, and what runs before a commit.
func runners() []ecosystem {
	const (
		// git grep lists the files that are there, tracked or new. git ls-files lists deleted ones, too.
		scripts     = "git grep -lz --untracked '' -- '*.sh' | xargs -0 -r shellcheck --severity=warning"
		dockerfiles = "git grep -lz --untracked '' -- ':(glob)**/Dockerfile' ':(glob)**/Containerfile' | xargs -0 -r hadolint"
	)
	return []ecosystem{
		{name: "Terraform", files: "*.tf", scope: topFolders, checks: []candidate{
			{name: "terraform-fmt", command: "terraform fmt -check -recursive", files: []string{"*.tf", "*.tfvars"}},
			{name: "terraform-validate", command: "terraform validate", files: []string{"*.tf"}},
			{name: "tflint", command: "tflint --recursive", when: ".tflint.hcl", files: []string{"*.tf", ".tflint.hcl"}},
		}},
		{name: "shell", files: "*.sh", scope: anywhere, checks: []candidate{
			{name: "shellcheck", command: scripts, files: []string{"*.sh"}},
		}},
		{name: "Dockerfile", files: "Dockerfile | Containerfile", scope: anywhere, checks: []candidate{
			{name: "hadolint", command: dockerfiles, files: []string{"Dockerfile", "Containerfile", ".hadolint.yaml"}},
		}},
		{name: "Semgrep", files: ".semgrep.yml | .semgrep.yaml", scope: onlyRoot, checks: []candidate{
			{name: "semgrep", review: "semgrep scan --sarif --output={output} {files}", when: ".semgrep.yml | .semgrep.yaml | .semgrep/**"},
		}, also: "It is proposed as a reviewer, in comments"},
		{name: "Make", files: "Makefile | makefile | GNUmakefile", scope: onlyRoot, more: folder.makeTargets,
			also: "`make lint` and `make test`, unless another check does the same, and `make check` where there is no other check"},
		{name: "just", files: "justfile | Justfile | .justfile", scope: onlyRoot, more: folder.justRecipes, also: "The same recipes: `just lint`"},
		{name: "task", files: "Taskfile.yml | Taskfile.yaml | taskfile.yml | taskfile.yaml | Taskfile.dist.yml | Taskfile.dist.yaml", scope: onlyRoot,
			more: folder.taskTasks, also: "The same tasks: `task lint`"},
		{name: "pre-commit", files: ".pre-commit-config.yaml | .pre-commit-config.yml", scope: onlyRoot, more: folder.preCommit,
			also: "`pre-commit run --all-files`, without the hooks that write or are not known"},
		{name: "lefthook", files: "lefthook.yml | lefthook.yaml | .lefthook.yml | .lefthook.yaml", scope: onlyRoot, more: folder.lefthook,
			also: "`lefthook run pre-commit --all-files`, without the jobs that write"},
	}
}

func nodeTools() []candidate {
	return []candidate{
		{name: "eslint", command: "npx --no-install eslint .", purpose: "node-lint",
			review: "npx --no-install eslint --format=@microsoft/eslint-formatter-sarif --output-file={output} {files}",
			when:   `eslint.config.{js,mjs,cjs,ts} | .eslintrc | .eslintrc.{js,cjs,json,yml,yaml} | package.json: "eslintConfig"`},
		{name: "prettier", command: "npx --no-install prettier --check .", and: `package.json: "prettier"\s*:\s*"`,
			when: `.prettierrc | .prettierrc.{json,yaml,yml,json5,toml,js,cjs,mjs,ts} | prettier.config.{js,cjs,mjs,ts} | package.json: "prettier"\s*:\s*(\{|"[^0-9^~*])`},
		{name: "tsd", command: "npx --no-install tsd", when: `package.json: "tsd"\s*:\s*"`},
	}
}

func pythonTools() []candidate {
	return []candidate{
		{name: "ruff", command: "ruff check --no-fix", review: "ruff check --output-format=sarif --output-file={output} {files}",
			when: `ruff.toml | .ruff.toml | pyproject.toml: \[tool\.ruff`},
		{name: "flake8", command: "flake8", when: `.flake8 | setup.cfg: \[flake8 | tox.ini: \[flake8`},
		{name: "mypy", command: "mypy .", when: `mypy.ini | .mypy.ini | pyproject.toml: \[tool\.mypy | setup.cfg: \[mypy\]`},
		{name: "tox", command: "tox --skip-missing-interpreters=true", when: `tox.ini: (?m)^\[(tox|testenv)\b | tox.toml | pyproject.toml: \[tool\.tox | setup.cfg: \[tox:tox\]`},
		{name: "nox", command: "nox", when: "noxfile.py"},
		{name: "pytest", command: "pytest", when: `pytest.ini | conftest.py | pyproject.toml: \[tool\.pytest | setup.cfg: \[tool:pytest\] | tox.ini: \[pytest\]`,
			and: `**/test_*.py | **/*_test.py | pyproject.toml: python_files | pytest.ini: python_files | setup.cfg: python_files | tox.ini: python_files`},
	}
}

// toolReviewers returns the tools that can fill a slot like a reviewer and that the repository
// configures. The configuration has them in comments, because a tool that is a check already would
// report everything twice.
func toolReviewers(facts Facts) (found []Command) {
	with := map[string]bool{".": true}
	for _, file := range facts.Files {
		if !isVendored(file) {
			with[path.Dir(file)] = true
		}
	}
	dirs := slices.Sorted(maps.Keys(with))
	for _, e := range ecosystems() {
		for _, c := range e.checks {
			if c.review != "" && slices.ContainsFunc(dirs, func(dir string) bool { return folder{facts: facts, dir: dir}.shown(c.when) != "" }) {
				found = append(found, Command{c.name, c.review})
			}
		}
	}
	return found
}
