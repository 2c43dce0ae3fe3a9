package config

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/gate/clients"
)

func compare(t *testing.T, want, got *Config) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(EntryPoint{}), cmpopts.IgnoreFields(Config{}, "Root"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	compare(t, &Config{
		BaseBranch:        "origin/main",
		LogDir:            "gauntlet_logs",
		AllowParallel:     true,
		MaxRetries:        3,
		NewIssueThreshold: "high", MaxPreviousLogs: 1,
		DefaultPreference: []string{"claude"},
		EntryPoints:       []EntryPoint{{Path: ".", Checks: []string{"lint"}, Reviews: []string{"quality"}, Line: 4}},
		Checks:            map[string]Check{"lint": {Gate: Gate{RunInCI: true, RunLocally: true}, Command: "make lint"}},
		Reviews: map[string]Review{"quality": {
			Prompt: "Look for bugs.\n", CLIPreference: []string{"claude"},
			NumReviews: 1, Gate: Gate{Parallel: true, RunInCI: true, RunLocally: true},
		}},
	}, minimal().load(t))
}

func TestEveryKey(t *testing.T) {
	t.Parallel()
	got := files{
		".gauntlet/config.yml": `
base_branch: upstream/trunk # where we merge
log_dir: ./build/logs/
allow_parallel: false
max_retries: 0
rerun_new_issue_threshold: medium
debug_log: {enabled: true}
logging: {level: debug}
stop_hook:
  enabled: true
max_previous_logs: 4
cli:
  default_preference:
    - mine   # our own
    - codex
  check_usage_limit: true
  adapters:
    codex: {model: gpt-5, timeout: 90.5, allow_tool_use: false, thinking_budget: high}
    mine:
      command: [python3, review.py, "--fast"]
entry_points:
  - path: ./src/
    exclude: [src/gen, "**/*.pb.go"]
    checks: [lint]
    reviews: [quality]
  - path: "packages/*"
    checks:
      - lint
teams:
  core: [src/, ./lib]
include_secrets: true
`,
		".gauntlet/checks/lint.yaml": `
name: lint
command: true
working_directory: ./tools/
parallel: true
run_in_ci: false
run_locally: false
timeout: 2
fail_fast: false
fix_instructions: |
  Run the formatter.
rerun_command: x
fix_instructions_file: y.md
fix_with_skill: z
`,
		".gauntlet/reviews/quality.md": `---
cli_preference: [claude, mine]
num_reviews: 3
parallel: false
run_in_ci: false
run_locally: false
timeout: 300
model: opus
enabled: true
---
Look for bugs.
---
Really.
`,
	}.load(t)
	compare(t, &Config{
		BaseBranch: "upstream/trunk", LogDir: "build/logs", NewIssueThreshold: "medium", MaxPreviousLogs: 4, IncludeSecrets: true,
		DefaultPreference: []string{"mine", "codex"},
		Adapters: map[string]Adapter{
			"codex": {Options: clients.Options{Model: "gpt-5"}, Timeout: 90500 * time.Millisecond},
			"mine":  {Options: clients.Options{Command: []string{"python3", "review.py", "--fast"}}},
		},
		EntryPoints: []EntryPoint{
			{Path: "src", Exclude: []string{"src/gen", "**/*.pb.go"}, Checks: []string{"lint"}, Reviews: []string{"quality"}, Line: 22},
			{Path: "packages/*", Checks: []string{"lint"}, Line: 26},
		},
		Teams: map[string][]string{"core": {"src", "lib"}},
		Checks: map[string]Check{"lint": {
			Command: "true", WorkingDirectory: "tools", Gate: Gate{Parallel: true, Timeout: 2 * time.Second},
			FixInstructions: "Run the formatter.\n",
		}},
		Reviews: map[string]Review{"quality": {
			Prompt: "Look for bugs.\n---\nReally.\n", CLIPreference: []string{"claude", "mine"},
			NumReviews: 3, Gate: Gate{Timeout: 5 * time.Minute}, Model: "opus",
		}},
		Warnings: []string{
			`.gauntlet/checks/lint.yaml:2: key "name" has no effect here and is ignored`,
			`.gauntlet/checks/lint.yaml:12: key "rerun_command" has no effect here and is ignored`,
			`.gauntlet/checks/lint.yaml:13: key "fix_instructions_file" has no effect here and is ignored`,
			`.gauntlet/checks/lint.yaml:14: key "fix_with_skill" has no effect here and is ignored`,
			`.gauntlet/config.yml:7: key "debug_log" has no effect here and is ignored`,
			`.gauntlet/config.yml:8: key "logging" has no effect here and is ignored`,
			`.gauntlet/config.yml:9: key "stop_hook" has no effect here and is ignored`,
			".gauntlet/config.yml:9: to keep agents from stopping too early: `reviewledger hook install --agent NAME`",
			`.gauntlet/config.yml:16: key "check_usage_limit" has no effect here and is ignored`,
			`.gauntlet/config.yml:18: key "allow_tool_use" has no effect here and is ignored`,
			`.gauntlet/config.yml:18: key "thinking_budget" has no effect here and is ignored`,
			`.gauntlet/reviews/quality.md:9: key "enabled" has no effect here and is ignored`,
		},
	}, got)
}

func TestForms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		f    files
		want func(c *Config) string
		text string
	}{
		{"BOM and CRLF", minimal().with(".gauntlet/checks/lint.yml", "\uFEFFcommand: make\r\ntimeout: 3\r\n"), func(c *Config) string { return c.Checks["lint"].Command }, "make"},
		{"number as text", minimal().with(".gauntlet/checks/lint.yml", "command: 1.10\n"), func(c *Config) string { return c.Checks["lint"].Command }, "1.10"},
		{"quoted text", minimal().with(".gauntlet/checks/lint.yml", `command: "a: b # c"`), func(c *Config) string { return c.Checks["lint"].Command }, "a: b # c"},
		{"alias", minimal().with(".gauntlet/checks/lint.yml", "command: &c make\nfix_instructions: *c\n"), func(c *Config) string { return c.Checks["lint"].FixInstructions }, "make"},
		{
			"frontmatter with CRLF", minimal().with(".gauntlet/reviews/quality.md", "\uFEFF---\r\nmodel: m\r\n---\r\nLook.\r\n"),
			func(c *Config) string { return c.Reviews["quality"].Model + c.Reviews["quality"].Prompt }, "mLook.\r\n",
		},
		{
			"empty frontmatter", minimal().with(".gauntlet/reviews/quality.md", "---\n---\nLook."),
			func(c *Config) string { return c.Reviews["quality"].Prompt }, "Look.",
		},
		{
			"a prompt with rules", minimal().with(".gauntlet/reviews/quality.md", "# Look\n---\nAt all: of it.\n---\n"),
			func(c *Config) string { return c.Reviews["quality"].Prompt }, "# Look\n---\nAt all: of it.\n---\n",
		},
		{
			"a prompt with an example", minimal().with(".gauntlet/reviews/quality.md", "Look at\n---\nmodel: x\n---\n"),
			func(c *Config) string { return c.Reviews["quality"].Prompt }, "Look at\n---\nmodel: x\n---\n",
		},
		{"model that looks like a number", minimal().with(".gauntlet/reviews/quality.md", "---\nmodel: 4\n---\nLook."), func(c *Config) string { return c.Reviews["quality"].Model }, "4"},
		{
			"instructions in a file", minimal().with(".gauntlet/checks/lint.yml", "command: x\nfix_instructions: ../docs/fix.md\n").with("docs/fix.md", "Do this.\n"),
			func(c *Config) string { return c.Checks["lint"].FixInstructions }, "Do this.\n",
		},
		{
			"instructions that end like a file", minimal().with(".gauntlet/checks/lint.yml", "command: x\nfix_instructions: See docs/fix.md\n"),
			func(c *Config) string { return c.Checks["lint"].FixInstructions + strings.Join(c.Warnings, "") }, "See docs/fix.md",
		},
		{
			"instructions in a missing file", minimal().with(".gauntlet/checks/lint.yml", "command: x\nfix_instructions: fix.md\n"),
			func(c *Config) string { return c.Checks["lint"].FixInstructions + "|" + strings.Join(c.Warnings, "") },
			`fix.md|.gauntlet/checks/lint.yml:2: fix_instructions: file "fix.md" not found in .gauntlet; using "fix.md" as the text`,
		},
		{
			"another name", minimal().with(".gauntlet/checks/lint.yml", "name: linter\ncommand: x\n"),
			func(c *Config) string { return c.Checks["lint"].Command + "|" + strings.Join(c.Warnings, "") },
			`x|.gauntlet/checks/lint.yml:1: key "name" has no effect here and is ignored`,
		},
		{"other files", minimal().with(".gauntlet/checks/.lint.yml.swp", "\x00").with(".gauntlet/checks/README", "{").with(".gauntlet/ci.yml", "{"), func(c *Config) string { return c.Checks["lint"].Command }, "make lint"},
		{
			"entry point without gates", entries("  - path: src\n"), func(c *Config) string { return strings.Join(c.Warnings, "") },
			`.gauntlet/config.yml:3: entry_points[0]: the entry point "src" has no checks and no reviews`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.text, test.want(test.f.load(t))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoConfig(t *testing.T) {
	t.Parallel()
	_, err := Load(files{".gauntlet/checks/lint.yml": "command: x"}.write(t))
	if !errors.Is(err, ErrNoConfig) || !strings.Contains(err.Error(), "reviewledger init") {
		t.Errorf("got %v", err)
	}
	if _, err := Load("/nowhere/at/all"); err == nil || errors.Is(err, ErrNoConfig) {
		t.Errorf("a missing root: got %v", err)
	}
}

func TestApplies(t *testing.T) {
	t.Parallel()
	c := minimal().with(".gauntlet/checks/lint.yml", "command: x\nrun_in_ci: false\n").
		with(".gauntlet/reviews/quality.md", "---\nrun_locally: false\n---\nLook.\n").load(t)
	got := map[string]bool{}
	for _, j := range c.AllJobs() {
		for name, ci := range map[string]bool{" in CI": true, " locally": false} {
			got[j.ID()+name] = c.Applies(j, ci)
		}
	}
	want := map[string]bool{
		"check:.:lint in CI": false, "check:.:lint locally": true,
		"review:.:quality in CI": true, "review:.:quality locally": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Applies(Job{}, true) {
		t.Error("a job without a gate applies")
	}
}
