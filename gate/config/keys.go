package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// form is the form of a key's value.
type form int

const (
	formText form = iota
	formBoolean
	formWhole     // a whole number
	formSeconds   // seconds, with fractions
	formAmount    // US dollars
	formDays      // 90d
	formWord      // one of words
	formTexts     // a list of texts
	formCommand   // a text, or a list of texts
	formExitCodes // a list of exit codes, or what each means
	formKeys      // keys of its own
	formNamed     // names, each with keys of its own
	formLists     // names, each with a list of texts
	formEntries   // a list of values with keys of their own
)

// Key describes a key of a configuration file. The table of them is what is allowed; JSON Schemas and
// the comments in the files that init writes are made of it.
type Key struct {
	Name string
	// Example is a value in YAML: the default, where there is one.
	Example string
	// Doc is what it means, in one line.
	Doc string

	form          form
	required      bool
	words         []string
	least, most   int // of a whole number; for lists, how many values at least
	keys          []Key
	withoutEffect bool
}

// names returns the keys that have an effect, and those of the tool that the format comes from.
func names(keys []Key) (known, foreign []string) {
	for _, k := range keys {
		if k.withoutEffect {
			foreign = append(foreign, k.Name)
		} else {
			known = append(known, k.Name)
		}
	}
	return known, foreign
}

// allow reports keys that are not in the table.
func (m mapping) allow(keys []Key) { m.only(names(keys)) }

// foreignKeys returns keys that have no effect.
func foreignKeys(names ...string) (keys []Key) {
	for _, name := range names {
		keys = append(keys, Key{Name: name, Doc: "No effect: a key of the tool that this format comes from.", withoutEffect: true})
	}
	return keys
}

// ProjectKeys returns the keys of config.yml.
func ProjectKeys() []Key {
	return append([]Key{
		{Name: "base_branch", Example: defaultBase, Doc: "The branch or revision that changes are compared with."},
		{Name: "log_dir", Example: "gauntlet_logs", Doc: "Folder inside the worktree for the files of the open loop."},
		{Name: "allow_parallel", form: formBoolean, Example: "true", Doc: "false: one gate and slot at a time."},
		{Name: "max_retries", form: formWhole, most: maxRetries, Example: "3", Doc: "How many iterations may follow a first one that failed."},
		{Name: "rerun_new_issue_threshold", form: formWord, words: thresholds(), Example: "high", Doc: "The lowest priority of new findings that a rerun accepts."},
		{Name: "after_pass", form: formWord, words: afterPassWords(), Example: afterPassEverything, Doc: "What reviewers are shown in a run after one that passed."},
		{Name: "include_secrets", form: formBoolean, Example: "false", Doc: "true: show reviewers untracked files that are named like a secret."},
		{Name: "keep_content", form: formDays, Example: "90d", Doc: "Days after which prompts, answers and logs are removed."},
		{Name: "max_previous_logs", form: formWhole, most: maxPreviousLogs, Example: "1", Doc: "For how many ended loops log_dir keeps files."},
		{Name: "budget", form: formKeys, keys: budgetKeys(), Example: "{cost_usd: 5.00}", Doc: "What a run, or a code review, may spend."},
		{Name: "require_distinct_adapters", form: formBoolean, Example: "false", Doc: "true: a review with fewer adapters than slots is an error."},
		{Name: "repository", Example: "our-service", Doc: "Name of the repository in a ledger that several share."},
		{Name: "cli", form: formKeys, keys: CLIKeys(), Doc: "Who reviews."},
		{Name: "entry_points", form: formEntries, required: true, keys: EntryKeys(), Doc: "Which gates run where."},
		{Name: "teams", form: formLists, Example: "{api: [src/api]}", Doc: "Paths that each team owns, for code-review --scope team."},
		{Name: "team", form: formKeys, keys: teamKeys(), Example: "{url: postgres://reviews@db.example.com/reviews}", Doc: "The team store to which runs are pushed."},
	}, foreignKeys("debug_log", "logging", "stop_hook")...)
}

func budgetKeys() []Key {
	return []Key{
		{Name: "cost_usd", form: formAmount, Doc: "US dollars, over all iterations."},
		{Name: "tokens", form: formWhole, least: 1, most: maxTokens, Doc: "Tokens of input and output, without cached ones."},
	}
}

// CLIKeys returns the keys of cli in config.yml.
func CLIKeys() []Key {
	return append([]Key{
		{Name: "default_preference", form: formTexts, least: 1, Doc: "Adapters in order of preference."},
		{Name: "adapters", form: formNamed, keys: AdapterKeys(), Doc: "Settings of adapters; any but the built-in ones need a command."},
		{Name: "repair", form: formBoolean, Example: "true", Doc: "false: do not ask again if an answer does not have the form."},
		{Name: "claims", form: formWord, words: []string{claimsRequired}, Example: claimsRequired, Doc: "A plain answer without words on claims is an error."},
	}, foreignKeys("check_usage_limit")...)
}

// AdapterKeys returns the keys of an adapter in config.yml.
func AdapterKeys() []Key {
	return append([]Key{
		{Name: "model", Doc: "Model to use."},
		{Name: "command", form: formCommand, least: 1, Doc: "Your own reviewer: prompt on stdin, answer on stdout."},
		{Name: "timeout", form: formSeconds, Example: "1800", Doc: "Seconds that a call may take."},
		{Name: "output", form: formWord, words: clients.Outputs(), Doc: "What the command writes: an answer, or the report of a tool."},
		{Name: "exit_codes", form: formExitCodes, Doc: "Exit codes after which a tool's report counts, or what each means."},
		{Name: "file", Doc: "Path of the report of a tool that writes only to a fixed file."},
		{Name: "repair", form: formBoolean, Doc: "false: do not ask again if an answer does not have the form."},
		{Name: "claims", form: formWord, words: []string{claimsByAbsence, claimsRequired}, Doc: "How claims are confirmed."},
	}, foreignKeys("allow_tool_use", "thinking_budget")...)
}

// EntryKeys returns the keys of an entry point in config.yml.
func EntryKeys() []Key {
	return []Key{
		{Name: "path", required: true, Doc: `A file, a folder, "." or a pattern such as packages/*.`},
		{Name: "exclude", form: formTexts, Example: "[docs]", Doc: "Paths, with everything below, or patterns for whole paths."},
		{Name: "checks", form: formTexts, Doc: "Names of files in checks/, without the extension."},
		{Name: "reviews", form: formTexts, Doc: "Names of files in reviews/, without the extension."},
	}
}

func teamKeys() []Key {
	return []Key{
		{Name: "url", Doc: "postgres://USER@HOST/DATABASE, without a password."},
		{Name: "ledger", Doc: "Name of this ledger in the team store."},
		{Name: "push", form: formWord, words: teamPushes(), Doc: "always: push at the end of each run."},
		{Name: "content", form: formWord, words: teamContents(), Doc: "How much of a run leaves this machine."},
	}
}

// gateKeys returns the keys that checks and reviews share.
func gateKeys(parallel string) []Key {
	return []Key{
		{Name: "parallel", form: formBoolean, Example: parallel, Doc: "Whether it may run beside others."},
		{Name: "run_in_ci", form: formBoolean, Example: "true", Doc: "Whether it runs in continuous integration."},
		{Name: "run_locally", form: formBoolean, Example: "true", Doc: "Whether it runs elsewhere."},
		{Name: "files", form: formTexts, least: 1, Example: `["*.go", go.mod]`, Doc: "Only for changes of files that match."},
	}
}

// CheckKeys returns the keys of a file in checks/.
func CheckKeys() []Key {
	return slices.Concat([]Key{
		{Name: "command", required: true, Doc: "Shell command; an exit code of 0 is a pass."},
		{Name: "timeout", form: formSeconds, Example: "600", Doc: "Seconds until it is stopped, which is a failure."},
		{Name: "working_directory", Example: ".", Doc: "Default: the folder of the entry point."},
		{Name: "fail_fast", form: formBoolean, Example: "false", Doc: "true: after a failure, the checks after it do not run."},
		{Name: "fix_instructions", Example: "Run the failing test alone.", Doc: "For the agent, after a failure."},
	}, gateKeys("false"), foreignKeys("name", "rerun_command", "fix_instructions_file", "fix_with_skill"))
}

// ReviewKeys returns the keys of the frontmatter of a file in reviews/.
func ReviewKeys() []Key {
	return slices.Concat([]Key{
		{Name: "num_reviews", form: formWhole, least: 1, most: maxReviews, Example: "1", Doc: "How many slots review it."},
		{Name: "cli_preference", form: formTexts, least: 1, Example: "[claude, codex]", Doc: "Default: cli.default_preference."},
		{Name: "timeout", form: formSeconds, Example: "1800", Doc: "Seconds that a call of a reviewer may take."},
		{Name: "model", Example: "sonnet", Doc: "Default: that of the adapter."},
		{Name: "require_distinct_adapters", form: formBoolean, Example: "false", Doc: "true: fewer adapters than slots are an error."},
		{Name: "security", form: formBoolean, Example: "false", Doc: "true: findings are security alerts in exports."},
	}, gateKeys("true"), foreignKeys("enabled"))
}

// Optional returns, as lines of YAML in comments, the keys with an example that are not in use.
func Optional(keys []Key, used ...string) []string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(k Key) bool {
		return k.Example == "" || k.withoutEffect || slices.Contains(used, k.Name)
	})
	const widest = 32
	width := 0
	for _, k := range keys {
		if n := len(k.Name + ": " + k.Example); n <= widest {
			width = max(width, n)
		}
	}
	var lines []string
	for _, k := range keys {
		lines = append(lines, fmt.Sprintf("# %-*s  # %s", width, k.Name+": "+k.Example, strings.TrimSuffix(k.Doc, ".")))
	}
	return lines
}
