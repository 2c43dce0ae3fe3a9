package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// projectOf returns minimal with further keys before the required ones.
func projectOf(keys string) files {
	return minimal().with(File, keys+"\ncli: {default_preference: [claude]}\nentry_points: [{path: ., checks: [lint], reviews: [quality]}]\n")
}

// adaptersOf returns minimal with adapters of the user, one a line.
func adaptersOf(lines ...string) files {
	return minimal().with(File, "entry_points: [{path: ., checks: [lint], reviews: [quality]}]\ncli:\n  default_preference: [claude]\n  adapters:\n    "+strings.Join(lines, "\n    ")+"\n")
}

// valid fails the test if the files have a problem, and returns the configuration.
func (f files) valid(t *testing.T, name string) *Config {
	t.Helper()
	c, err := Load(f.write(t))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return &Config{}
	}
	return c
}

func (f files) invalid(t *testing.T, name, want string) {
	t.Helper()
	_, err := Load(f.write(t))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"1d": 24 * time.Hour, "90d": 90 * 24 * time.Hour, "36500d": 36500 * 24 * time.Hour} {
		if got := projectOf("keep_content: "+text).valid(t, text).KeepContent; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, text := range []string{"0d", "36501d", "+5d", "-1d", "5", "5h", "d", "1.5d", "99999999999999999999d"} {
		projectOf("keep_content: "+text).invalid(t, text, `keep_content: must be a number of days from 1d to 36500d, such as 90d, not "`+text+`"`)
	}
	for text, want := range map[string]ledger.Budget{
		"{cost_usd: 5.5}": {CostUSD: 5.5}, "{cost_usd: 1000000}": {CostUSD: 1e6}, "{cost_usd: 0.01, tokens: 1}": {CostUSD: 0.01, Tokens: 1}, "{}": {},
	} {
		if got := projectOf("budget: "+text).valid(t, text).Budget; got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for _, cost := range []string{"0", "-1", "1000000.5", ".inf", ".nan", "much"} {
		projectOf("budget: {cost_usd: "+cost+"}").invalid(t, cost, "budget.cost_usd: must be an amount in US dollars greater than 0, such as 5.00")
	}
	projectOf("budget: {tokens: 0}").invalid(t, "no tokens", "budget.tokens: must be a whole number from 1")
}

func TestTeamNames(t *testing.T) {
	t.Parallel()
	got := projectOf("teams: {core: [src/], 'team é': [a, b]}").valid(t, "teams").Teams
	if d := cmp.Diff(map[string][]string{"core": {"src"}, "team é": {"a", "b"}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	projectOf("teams: {' ': [src]}").invalid(t, "blank", `teams: the team name " " is empty or contains control characters`)
	projectOf(`teams: {"a\eb": [src]}`).invalid(t, "control", `teams: the team name "a\x1bb" is empty or contains control characters`)
}

func TestNamesOfAdapters(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", 40)
	for _, name := range []string{"a", "z9", "A-Z.0", "Z", "azAZ09", longest} {
		if _, ok := adaptersOf(name+": {command: a}").valid(t, name).Adapters[name]; !ok {
			t.Errorf("%q is not there", name)
		}
	}
	for _, name := range []string{"''", "a_b", "a b", "a@b", ".a", "'-a'", longest + "x", "é", "'{a'", "'a:'", "'[a'", "'`a'", "a/b"} {
		adaptersOf(name+": {command: a}").invalid(t, name, "must have at most 40 characters")
	}
}

// Rule: A mistake is found before anything runs.
func TestTools(t *testing.T) {
	t.Parallel()
	ours := adaptersOf("ours: {command: [a, '{files}', '--to={output}'], output: sarif, exit_codes: [0, 255]}", "other: {command: b, output: rdjson, file: out/b.json}", "third: {command: c, output: answer}", "mapped: {command: d, output: sarif, exit_codes: {0: ok, 1: findings, 3: error}}").valid(t, "tools").Adapters
	want := map[string]Adapter{
		"ours":   {Options: clients.Options{Command: []string{"a", "{files}", "--to={output}"}, Output: "sarif", ExitCodes: clients.ExitCodes{0: clients.ExitOK, 255: clients.ExitFindings}}},
		"other":  {Options: clients.Options{Command: []string{"b"}, Output: "rdjson", File: "out/b.json"}},
		"third":  {Options: clients.Options{Command: []string{"c"}, Output: "answer"}},
		"mapped": {Options: clients.Options{Command: []string{"d"}, Output: "sarif", ExitCodes: clients.ExitCodes{0: clients.ExitOK, 1: clients.ExitFindings, 3: clients.ExitError}}},
	}
	if d := cmp.Diff(want, ours); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for name, test := range map[string]struct{ lines, want string }{
		"no command":          {"claude: {output: sarif}", "cli.adapters.claude.output: needs a command"},
		"codes without it":    {"claude: {exit_codes: [0]}", "cli.adapters.claude.exit_codes: needs a command"},
		"the model of a tool": {"ours: {command: a, output: sarif, model: b}", "cli.adapters.ours.model: a tool has no model"},
		"codes of an answer":  {"ours: {command: a, output: answer, exit_codes: [0]}", "cli.adapters.ours.exit_codes: needs output: sarif or rdjson"},
		"no codes":            {"ours: {command: a, output: sarif, exit_codes: []}", "must be a list of exit codes from 0 to 255"},
		"one code":            {"ours: {command: a, output: sarif, exit_codes: 1}", "must be a list of exit codes from 0 to 255"},
		"a code too large":    {"ours: {command: a, output: sarif, exit_codes: [256]}", "must be a list of exit codes from 0 to 255"},
		"a negative code":     {"ours: {command: a, output: sarif, exit_codes: [-1]}", "must be a list of exit codes from 0 to 255"},
		"a code in words":     {"ours: {command: a, output: sarif, exit_codes: ['1']}", "must be a list of exit codes from 0 to 255"},
		"a list of codes":     {"ours: {command: a, output: sarif, exit_codes: [[1]]}", "must be a list of exit codes from 0 to 255"},
		"a code twice":        {"ours: {command: a, output: sarif, exit_codes: {0: ok, 0x0: error}}", "as in {0: ok, 1: findings, 3: error}"},
		"a meaning of none":   {"ours: {command: a, output: sarif, exit_codes: {0: fine}}", `as in {0: ok, 1: findings, 3: error}, not "fine"`},
		"a mapped word":       {"ours: {command: a, output: sarif, exit_codes: {ok: 0}}", "must be a list of exit codes from 0 to 255"},
		"only errors":         {"ours: {command: a, output: sarif, exit_codes: {1: error}}", "calls every exit code an error: one has to be ok or findings"},
		"files first":         {"ours: {command: ['{files}'], output: sarif}", `{files} must be an argument of its own, not a part of "{files}"`},
		"files in a word":     {"ours: {command: [a, '-f={files}'], output: rdjson}", `{files} must be an argument of its own, not a part of "-f={files}"`},
		"one file of two":     {"ours: {command: a, output: sarif, file: x.sarif}\n    mine: {command: b, output: rdjson, file: X.sarif}", "is the file of the adapter"},
		"the worktree":        {"ours: {command: a, output: sarif, file: ./}", "cli.adapters.ours.file: must be a file inside the worktree"},
		"the git directory":   {"ours: {command: a, output: sarif, file: .GIT/x}", `cli.adapters.ours.file: ".GIT/x" lies in ".git", where no tool may write`},
		"a long argument":     {"ours: {command: [a, " + strings.Repeat("x", maxArgument+1) + "]}", "cli.adapters.ours.command: an argument is longer than"},
	} {
		adaptersOf(test.lines).invalid(t, name, test.want)
	}
	adaptersOf("ours: {command: [a, "+strings.Repeat("x", maxArgument)+"]}").valid(t, "the longest argument")
	adaptersOf("ours: {command: a, output: sarif}", "mine: {command: b, output: sarif}").valid(t, "two tools without files")
}

func TestPaths(t *testing.T) {
	t.Parallel()
	long := strings.TrimSuffix(strings.Repeat("abcdefgh/", maxPath/9+1), "/")[:maxPath]
	long = strings.TrimSuffix(long, "/") + strings.Repeat("x", maxPath-len(strings.TrimSuffix(long, "/")))
	entries("  - {path: "+long+", checks: [lint]}\n").valid(t, "the longest path")
	entries("  - {path: "+long+"x, checks: [lint]}\n").invalid(t, "a path too long", "the path is longer than")
	entries("  - {path: .., checks: [lint]}\n").invalid(t, "the folder above", `the path ".." is outside the repository`)
	entries("  - {path: ..a, checks: [lint]}\n").valid(t, "a name that begins so")
	entries("  - {path: src, checks: [lint], exclude: ['**/*']}\n").invalid(t, "all files", `"**/*" excludes everything in the entry point "src"`)
	entries("  - {path: src, checks: [lint], exclude: ['', ../x]}\n").invalid(t, "an exclude outside", `the path "../x" is outside the repository`)
	for _, pattern := range []string{"a,b}{x", "}{a,b}", "{a,b},,}"} {
		if n := alternatives(pattern); n > 2 {
			t.Errorf("%q stands for %d patterns", pattern, n)
		}
	}
	for keys, want := range map[string]string{
		"log_dir: .GIT":        `".GIT" conflicts with ".git", which is not for logs`,
		"log_dir: docs":        `"docs" conflicts with "docs/code-reviews", which is not for logs`,
		"log_dir: .gauntlet/x": `".gauntlet/x" conflicts with ".gauntlet", which is not for logs`,
		"log_dir: .":           "must be a folder inside the worktree, not the worktree itself",
	} {
		projectOf(keys).invalid(t, keys, want)
	}
	projectOf("log_dir: docs-x/logs").valid(t, "a folder beside")
}

// A file that is not text is one problem, and the rest of the configuration is checked
// nevertheless.
func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	root := minimal().write(t)
	if err := os.Mkdir(filepath.Join(root, ".gauntlet/checks/folder.yml"), 0o755); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(root); err != nil || len(c.Checks) != 1 {
		t.Errorf("a folder beside the checks: %v", err)
	}
	if err := os.WriteFile(filepath.Join(root, ".gauntlet/checks/\xff.yml"), []byte("command: x"), 0o600); err == nil {
		if _, err := Load(root); err == nil || !strings.Contains(err.Error(), `\xff`) {
			t.Errorf("a name that is not UTF-8: %v", err)
		}
	}
	minimal().with(".gauntlet/reviews/quality.md", strings.Repeat("x", maxFile)).valid(t, "the largest file")
	minimal().with(".gauntlet/reviews/quality.md", strings.Repeat("x", maxFile+1)).invalid(t, "a file too large", "larger than")
}

// A text that names a file is replaced by the file's content.
func TestInstructionsInAFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"fix.md": "from a file", "fix.txt": "from a text", "fix.yml": "fix.yml", "see gone.md": "see gone.md", "gone.md": "gone.md", "Look.\\nfix.md": "Look.\nfix.md",
	} {
		f := minimal().with(".gauntlet/fix.md", "from a file").with(".gauntlet/fix.txt", "from a text").
			with(".gauntlet/checks/lint.yml", "command: make\nfix_instructions: \""+text+"\"\n")
		c := f.valid(t, text)
		if got := c.Checks["lint"].FixInstructions; got != want {
			t.Errorf("%q stands for %q", text, got)
		}
		if warned := len(c.Warnings) > 0; warned != (text == "gone.md") {
			t.Errorf("%q: warnings %v", text, c.Warnings)
		}
	}
}
