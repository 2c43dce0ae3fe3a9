package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rule: A mistake is found before anything runs.
func TestProblems(t *testing.T) {
	t.Parallel()
	const (
		project = ".gauntlet/config.yml"
		lint    = ".gauntlet/checks/lint.yml"
		quality = ".gauntlet/reviews/quality.md"
		late    = "the frontmatter has to begin in the first line, or its keys are text of the prompt; remove the empty lines and comments before it"
		rest    = "\ncli: {default_preference: [claude]}\nentry_points: [{path: ., checks: [lint], reviews: [quality]}]\n"
	)
	tests := []struct {
		name, file, content string
		// want has the problems' texts without the file's name.
		want []string
	}{
		{"mistyped key", project, "max_retires: 3" + rest, []string{
			`1: unknown key "max_retires" (did you mean "max_retries"?); allowed: base_branch, log_dir, allow_parallel, max_retries, rerun_new_issue_threshold, after_pass, include_secrets, keep_content, max_previous_logs, budget, require_distinct_adapters, repository, cli, entry_points, teams, team`,
		}},
		{"mistyped nested key", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: .\n    chekcs: [lint]\n", []string{
			`4: unknown key "chekcs" (did you mean "checks"?); allowed: path, exclude, checks, reviews`,
		}},
		{"unrelated key", lint, "command: x\nshell: bash\n", []string{
			`2: unknown key "shell"; allowed: command, timeout, working_directory, fail_fast, fix_instructions, parallel, run_in_ci, run_locally, files`,
		}},
		{"key given twice", lint, "command: x\ntimeout: 1\ncommand: y\n", []string{`3: key "command" appears twice`}},
		{"merge key", lint, "<<: {command: x}\ncommand: y\n", []string{`1: merge keys ("<<") are not supported; write out the keys`}},
		{"key that is a list", lint, "command: x\n? [a]\n: b\n", []string{"2: a key must be a plain string, not a list"}},
		{"hostile key", lint, "command: x\n\"\\e[2J\": 1\n", []string{
			`2: unknown key "\x1b[2J"; allowed: command, timeout, working_directory, fail_fast, fix_instructions, parallel, run_in_ci, run_locally, files`,
		}},
		{"all at once, in order", lint, "timeout: -1\nparallel: maybe\nfail_fast: 1\nrun_in_ci:\ncommand: [make]\n", []string{
			`1: timeout: must be a number of seconds, greater than 0 and at most 604800, not "-1"`,
			`2: parallel: must be true or false, not "maybe"`,
			`3: fail_fast: must be true or false, not "1"`,
			`4: run_in_ci: must be true or false, not an empty value`,
			`5: command: must be a string, not a list`,
		}},
		{"true in quotes", lint, "command: x\nparallel: \"true\"\n", []string{`2: parallel: must be true or false, not "true"`}},
		{"old booleans", lint, "command: x\nparallel: yes\n", []string{`2: parallel: must be true or false, not "yes"`}},
		{"no number", lint, "command: x\ntimeout: .nan\n", []string{`2: timeout: must be a number of seconds, greater than 0 and at most 604800, not ".nan"`}},
		{"number too small to count", lint, "command: x\ntimeout: 1e-12\n", []string{`2: timeout: must be a number of seconds, greater than 0 and at most 604800, not "1e-12"`}},
		{"endless", lint, "command: x\ntimeout: .inf\n", []string{`2: timeout: must be a number of seconds, greater than 0 and at most 604800, not ".inf"`}},
		{"missing command", lint, "timeout: 1\n", []string{`1: key "command" is missing: the shell command that the check runs`}},
		{"empty file", lint, "", []string{`1: key "command" is missing: the shell command that the check runs`}},
		{"empty command", lint, "command:\n", []string{`1: command: must be a string, not an empty value`}},
		{"blank command", lint, "command: ' '\n", []string{`1: command: must be a string, not " "`}},
		{"NUL in the command", lint, `command: "a\0b"`, []string{`1: command: must be a string, not "a\x00b"`}},
		{"fail fast in parallel", lint, "command: x\nparallel: true\nfail_fast: true\n", []string{`3: fail_fast: true and parallel: true cannot be used together; remove one of them`}},
		{"working directory outside", lint, "command: x\nworking_directory: ../other\n", []string{`2: working_directory: the path "../other" is outside the repository`}},
		{"instructions outside", lint, "command: x\nfix_instructions: ../../../etc/fix.md\n", []string{`2: fix_instructions: read "../../../etc/fix.md": path escapes from parent`}},
		{"a list for a file", lint, "- command: x\n", []string{`1: must be keys and values, not a list`}},
		{"a text for a file", lint, "make lint\n", []string{`1: must be keys and values, not "make lint"`}},
		{"two documents", lint, "command: x\n---\ncommand: y\n", []string{`2: the file contains a second YAML document; only one is allowed`}},
		{"not YAML", lint, "command: [x\n", []string{`1: not valid YAML: did not find expected ',' or ']'`}},
		{"a project that is not YAML", project, "base_branch: [\n", []string{`1: not valid YAML: did not find expected node content`}},
		{"a review that is not YAML", quality, "---\n- a\n---\nLook.\n", []string{`2: must be keys and values, not a list`}},
		{"values for values", lint, "command: x\ntimeout: {a: b}\nrun_in_ci: " + strings.Repeat("y", 61) + "\n", []string{
			`2: timeout: must be a number of seconds, greater than 0 and at most 604800, not keys and values`,
			`3: run_in_ci: must be true or false, not "` + strings.Repeat("y", 60) + `"…`,
		}},
		{"claims", project, "cli: {default_preference: [claude], adapters: {own: {command: x, claims: by_words}}}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`1: cli.adapters.own.claims: must be "by_absence", for a command that lists everything each time, or "required", for a reviewer that has to answer about each claim, not "by_words"`,
		}},
		{"tab", lint, "command: x\nfix_instructions:\n\ta: b\n", []string{
			`3: not valid YAML: found character that cannot start any token; a tab is used for indentation, where YAML requires spaces`,
		}},
		{"unknown alias", lint, "command: *x\n", []string{` not valid YAML: unknown anchor 'x' referenced`}},
		{"not UTF-8", lint, "command: \xff\n", []string{` the file is not UTF-8 text`}},
		{"too large", lint, "command: x\n#" + strings.Repeat("x", maxYAML), []string{" more than 256 KiB of YAML"}},

		{"negative retries", project, "max_retries: -1" + rest, []string{`1: max_retries: must be a whole number from 0 to 1000, not "-1"`}},
		{"fraction of a retry", project, "max_retries: 1.5" + rest, []string{`1: max_retries: must be a whole number from 0 to 1000, not "1.5"`}},
		{"retries in words", project, "max_retries: many" + rest, []string{`1: max_retries: must be a whole number from 0 to 1000, not "many"`}},
		{"threshold", project, "rerun_new_issue_threshold: hihg" + rest, []string{`1: rerun_new_issue_threshold: must be one of critical, high, medium, low, not "hihg"`}},
		{"base branch like an option", project, "base_branch: --output=x" + rest, []string{
			`1: base_branch: must be a string without control characters that does not start with "-" or a space, not "--output=x"`,
		}},
		{"no entry points", project, "cli: {default_preference: [claude]}\n", []string{`1: key "entry_points" is missing: a list of entries with path, checks and reviews`}},
		{"empty project", project, "# nothing\n", []string{
			`1: key "entry_points" is missing: a list of entries with path, checks and reviews`,
			`../reviews/quality.md:1: no adapter to review with: set cli_preference here or cli.default_preference in .gauntlet/config.yml`,
		}},
		{"no entry", project, "cli: {default_preference: [claude]}\nentry_points: []\n", []string{`2: entry_points: must be a list of at least one entry with path, checks and reviews, not an empty list`}},
		{"entry that is a text", project, "cli: {default_preference: [claude]}\nentry_points:\n  - src\n", []string{`3: entry_points[0]: must be keys and values, not "src"`}},
		{"entry without a path", project, "cli: {default_preference: [claude]}\nentry_points:\n  - checks: [lint]\n", []string{
			`3: key "path" is missing in entry_points[0]: "." for the whole repository, a folder, or a pattern such as "packages/*"`,
		}},
		{"checks that are a text", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: .\n    checks: lint\n", []string{`4: entry_points[0].checks: must be a list of strings, as in [a, b], not "lint"`}},
		{"undefined gates", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: .\n    checks: [lnt]\n    reviews:\n      - quality\n      - security\n", []string{
			`4: undefined check "lnt" (did you mean "lint"?); defined: lint`,
			`7: undefined review "security"; defined: quality`,
		}},
		{"absolute path", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: /src\n    checks: [lint]\n", []string{`3: entry_points[0].path: must be a path relative to the repository, not "/src"`}},
		{"path outside", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: src/../../x\n    checks: [lint]\n", []string{`3: entry_points[0].path: the path "src/../../x" is outside the repository`}},
		{"path with control characters", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: \"a\\nb\"\n    checks: [lint]\n", []string{`3: entry_points[0].path: the path "a\nb" contains control characters`}},
		{"malformed pattern", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: \"a[b\"\n    checks: [lint]\n", []string{
			`3: entry_points[0].path: the pattern "a[b" is malformed; put "\" before a *, ?, [ or { that stands for itself`,
		}},
		{"braces that multiply", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: \"" + strings.Repeat("{a,b}", 9) + "\"\n    checks: [lint]\n", []string{
			`3: entry_points[0].path: the braces in the pattern "` + strings.Repeat("{a,b}", 9) + `" expand to more than 256 patterns`,
		}},
		{"excludes that leave nothing", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: src/a\n    checks: [lint]\n    exclude:\n      - src\n      - .\n      - \"**\"\n      - src/**\n", []string{
			`6: entry_points[0].exclude: "src" excludes everything in the entry point "src/a"`,
			`7: entry_points[0].exclude: "." excludes everything in the entry point "src/a"`,
			`8: entry_points[0].exclude: "**" excludes everything in the entry point "src/a"`,
			`9: entry_points[0].exclude: "src/**" excludes everything in the entry point "src/a"`,
		}},
		{"negated exclude", project, "cli: {default_preference: [claude]}\nentry_points:\n  - path: src\n    checks: [lint]\n    exclude: [\"!src/a\"]\n", []string{`5: entry_points[0].exclude: "!src/a": an exclude cannot be negated`}},
		{"jobs that share logs", project, "cli: {default_preference: [claude]}\nentry_points:\n  - {path: src/a, checks: [lint]}\n  - {path: src_a, checks: [lint]}\n", []string{
			`4: the jobs "check:src/a:lint" and "check:src_a:lint" would both write logs called "check_src_a_lint"; rename the gate or the folder of one of them`,
		}},

		{"unknown adapter", project, "cli: {default_preference: [claud, ours]}\nentry_points: [{path: ., checks: [lint], reviews: [quality]}]\n", []string{
			`1: cli.default_preference: unknown adapter "claud" (did you mean "claude"?); allowed: claude, codex, gemini, github-copilot, cursor, opencode, builtin; any other needs cli.adapters.<name>.command in .gauntlet/config.yml`,
			`1: cli.default_preference: unknown adapter "ours"; allowed: claude, codex, gemini, github-copilot, cursor, opencode, builtin; any other needs cli.adapters.<name>.command in .gauntlet/config.yml`,
		}},
		{"no preference", project, "entry_points: [{path: ., checks: [lint], reviews: [quality]}]\n", []string{
			`../reviews/quality.md:1: no adapter to review with: set cli_preference here or cli.default_preference in .gauntlet/config.yml`,
		}},
		{"empty preference", project, "cli: {default_preference: []}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`1: cli.default_preference: must list at least one adapter; otherwise remove the key`,
			`../reviews/quality.md:1: no adapter to review with: set cli_preference here or cli.default_preference in .gauntlet/config.yml`,
		}},
		{"adapter without a command", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {model: m}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: unknown adapter "ours": set its command (a list of arguments) in cli.adapters.ours.command, or use one of claude, codex, gemini, github-copilot, cursor, opencode, builtin`,
		}},
		{"command with an open quote", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: \"a 'b\"}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.command: a quote (') is not closed`,
		}},
		{"command without a program", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: \"'' b\"}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.command: it begins with an empty word`,
		}},
		{"output", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: a, output: xml}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.output: must be one of sarif, rdjson, answer, not "xml"`,
		}},
		{"exit codes", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: a, output: sarif, exit_codes: [0, 300]}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.exit_codes: must be a list of exit codes from 0 to 255, as in [0, 1], or what each means, as in {0: ok, 1: findings, 3: error}, not "300"`,
		}},
		{"keys of tools", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: a, exit_codes: [0], file: x.sarif}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.exit_codes: needs output: sarif or rdjson`,
			`4: cli.adapters.ours.file: needs output: sarif or rdjson`,
		}},
		{"files in a word", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: 'a --in={files} {output}', output: sarif, file: x}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.command: {files} must be an argument of its own, not a part of "--in={files}"`,
			`4: cli.adapters.ours.file: cannot be used with {output} in the command`,
		}},
		{"file outside", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: a, output: sarif, file: ../x}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.file: the path "../x" is outside the repository`,
		}},
		{"file in .git", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: a, output: sarif, file: .git/x}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.file: ".git/x" lies in ".git", where no tool may write`,
		}},
		{"empty command list", project, "cli:\n  default_preference: [claude]\n  adapters:\n    ours: {command: []}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: cli.adapters.ours.command: must be a list with at least one argument`,
		}},
		{"adapter name", project, "cli:\n  default_preference: [claude]\n  adapters:\n    our_own/x: {command: [a]}\nentry_points: [{path: ., checks: [lint]}]\n", []string{
			`4: adapter name "our_own/x": must have at most 40 characters: letters, digits, "-" and "."`,
		}},
		{"team outside", project, "teams: {core: [../x]}" + rest, []string{`1: teams.core: the path "../x" is outside the repository`}},
		{"teams as a list", project, "teams: [core]" + rest, []string{`1: teams: must be keys and values, not a list`}},

		{"log directory outside", project, "log_dir: ../logs" + rest, []string{`1: log_dir: the path "../logs" is outside the repository`}},
		{"absolute log directory", project, "log_dir: /tmp/logs" + rest, []string{`1: log_dir: must be a path relative to the repository, not "/tmp/logs"`}},
		{"log directory is the worktree", project, "log_dir: ./" + rest, []string{`1: log_dir: must be a folder inside the worktree, not the worktree itself`}},
		{"log directory in .git", project, "log_dir: .git/logs" + rest, []string{`1: log_dir: ".git/logs" conflicts with ".git", which is not for logs`}},
		{"log directory is the configuration", project, "log_dir: .gauntlet" + rest, []string{`1: log_dir: ".gauntlet" conflicts with ".gauntlet", which is not for logs`}},
		{"log directory is a file", project, "log_dir: LICENSE/x" + rest, []string{`1: log_dir: "LICENSE" exists and is not a folder`}},
		{"log directory is a link", project, "log_dir: link" + rest, []string{`1: log_dir: "link" exists and is not a folder`}},
		{"log directory holds an entry point", project, "log_dir: src\ncli: {default_preference: [claude]}\nentry_points: [{path: src/a, checks: [lint]}]\n", []string{
			`1: log_dir: "src" contains the entry point "src/a", whose changes would never be seen`,
		}},

		{"no reviews", quality, "---\nnum_reviews: 0\n---\nLook.\n", []string{`2: num_reviews: must be a whole number from 1 to 32, not "0"`}},
		{"late frontmatter", quality, "\n \n---\nnum_reviews: 2\n---\nLook.\n", []string{`3: ` + late}},
		{"frontmatter after a heading", quality, "# Quality\n\n---\n# how many\nnum_reviews: 2\n---\nLook.\n", []string{`3: ` + late}},
		{"frontmatter after a comment", quality, "<!-- of\nthe team -->\r\n---\r\n{enabled: true}\r\n---\r\nLook.\n", []string{`3: ` + late}},
		{"broken frontmatter after a comment", quality, "// x\n---\nfiles: [\n---\nLook.\n", []string{`2: ` + late}},
		{"open frontmatter", quality, "---\nnum_reviews: 1\nLook.\n", []string{`1: the frontmatter that starts here is not closed; add a line "---" after it`}},
		{"frontmatter key", quality, "---\n\nnum_review: 2\n---\nLook.\n", []string{
			`3: unknown key "num_review" (did you mean "num_reviews"?); allowed: num_reviews, cli_preference, timeout, model, require_distinct_adapters, security, parallel, run_in_ci, run_locally, files`,
		}},
		{"no prompt", quality, "---\nnum_reviews: 2\n---\n\n", []string{` the prompt is missing; describe after the frontmatter what to look for`}},
		{"no files", quality, "---\nfiles: []\n---\nLook.\n", []string{`2: files: must list at least one pattern; otherwise remove the key`}},
		{"files of all", quality, "---\nfiles: [., '!a', ../b]\n---\nLook.\n", []string{
			`2: files: "!a": a pattern cannot be negated; use exclude of an entry point`, `2: files: "." names every file: remove the key`,
			`2: files: the path "../b" is outside the repository`,
		}},
		{"model like an option", quality, "---\nmodel: -x\n---\nLook.\n", []string{
			`2: model: must be a string without control characters that does not start with "-" or a space, not "-x"`,
		}},
		{"adapter of a review", quality, "---\ncli_preference: [gemni]\n---\nLook.\n", []string{
			`2: cli_preference: unknown adapter "gemni" (did you mean "gemini"?); allowed: claude, codex, gemini, github-copilot, cursor, opencode, builtin; any other needs cli.adapters.<name>.command in .gauntlet/config.yml`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root := minimal().with(test.file, test.content).write(t)
			if err := os.WriteFile(filepath.Join(root, "LICENSE"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("elsewhere", filepath.Join(root, "link")); err != nil {
				t.Fatal(err)
			}
			_, err := Load(root)
			if err == nil {
				t.Fatal("no error")
			}
			var want []string
			for _, text := range test.want {
				if other, ok := strings.CutPrefix(text, "../"); ok {
					want = append(want, ".gauntlet/"+other)
				} else {
					want = append(want, test.file+":"+text)
				}
			}
			if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProblemsOfSeveralFiles(t *testing.T) {
	t.Parallel()
	got := files{
		".gauntlet/config.yml":      "cli: {default_preference: [claude]}\nentry_points:\n  - path: .\n    checks: [lint, build]\n",
		".gauntlet/checks/lint.yml": "comand: x\n",
		".gauntlet/checks/b.yml":    "name: build\ncommand: x\n",
		".gauntlet/checks/b.yaml":   "command: x\n",
		".gauntlet/reviews/a.md":    "",
	}.problems(t)
	want := []string{
		`.gauntlet/checks/b.yml: the gate "b" is also defined in ".gauntlet/checks/b.yaml"; remove one of the files`,
		`.gauntlet/checks/lint.yml:1: key "command" is missing: the shell command that the check runs`,
		`.gauntlet/checks/lint.yml:1: unknown key "comand" (did you mean "command"?); allowed: command, timeout, working_directory, fail_fast, fix_instructions, parallel, run_in_ci, run_locally, files`,
		`.gauntlet/config.yml:4: undefined check "build"; defined: b, lint`,
		`.gauntlet/reviews/a.md: the prompt is missing; describe after the frontmatter what to look for`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestOddFiles(t *testing.T) {
	t.Parallel()
	root := minimal().with(".gauntlet/checks/a\x1bb.yml", "command: x").write(t)
	outside := filepath.Join(t.TempDir(), "outside.yml")
	if err := os.WriteFile(outside, []byte("command: secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"c.yml": outside, "d.yml": "nowhere", "e.yml": "."} {
		if err := os.Symlink(target, filepath.Join(root, ".gauntlet/checks", link)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Load(root)
	want := `.gauntlet/checks/a\x1bb.yml: a gate's file name contains control characters; rename the file
.gauntlet/checks/c.yml: path escapes from parent
.gauntlet/checks/d.yml: no such file or directory
.gauntlet/checks/e.yml: not a regular file`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestAliasesAreBounded(t *testing.T) {
	t.Parallel()
	list := "[" + strings.Repeat("lint,", 5000) + "]"
	config := "cli: {default_preference: [claude]}\nentry_points:\n  - &e {path: src, checks: " + list + "}\n" + strings.Repeat("  - *e\n", 20_000)
	got := minimal().with(".gauntlet/config.yml", config).problems(t)
	if len(got) != 1 || !strings.HasSuffix(got[0], "more than 50000 values, including those from aliases") {
		t.Errorf("got %.200q", got)
	}
}
