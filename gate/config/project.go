package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

const (
	defaultBase = "origin/main"
	maxRetries  = 1000
	maxArgument = 4096
)

// thresholds returns the values that rerun_new_issue_threshold may have.
func thresholds() []string { return []string{"critical", "high", "medium", "low"} }

// AsksModel reports whether the adapter calls a model. The built-in reviewer and tools do not.
func (c *Config) AsksModel(adapter string) bool {
	return adapter != clients.BuiltinName && !c.Adapters[adapter].Output.IsReport()
}

// preference is a list of adapters in the configuration.
type preference struct {
	file, key string
	adapters  []scalar
	line      int
	given     bool
}

// project reads config.yml.
func (l *loader) project() {
	r := &reader{file: File}
	defer func() { l.take(r) }()
	source, ok := l.read(r)
	if !ok {
		return
	}
	m, ok := r.top([]byte(source))
	if !ok {
		return
	}
	m.allow(ProjectKeys())
	m.hintAtStopHook()
	c := l.config
	c.BaseBranch = m.word("base_branch", defaultBase).value
	c.AllowParallel = m.boolean("allow_parallel", true)
	c.MaxRetries = m.whole("max_retries", 3, 0, maxRetries)
	c.NewIssueThreshold = m.oneOf("rerun_new_issue_threshold", "high", thresholds())
	c.AfterPassChanges = m.oneOf("after_pass", afterPassEverything, afterPassWords()) == afterPassChanges
	c.IncludeSecrets = m.boolean("include_secrets", false)
	c.Repository = m.text("repository", "").value
	c.KeepContent = m.days("keep_content")
	c.MaxPreviousLogs = m.whole("max_previous_logs", 1, 0, maxPreviousLogs)
	c.DistinctAdapters = m.boolean("require_distinct_adapters", false)
	c.Budget = m.child("budget").budget()
	l.cli(m.child("cli"))
	c.EntryPoints = m.entryPoints()
	c.Teams = m.teams("teams")
	c.Team = m.child("team").team()
	l.logDir(m)
	l.projectRead = true
}

// days reads a number of days, "90d". It returns 0 if the key is absent.
func (m mapping) days(name string) time.Duration {
	t := m.text(name, "")
	if t.value == "" {
		return 0
	}
	number, isDays := strings.CutSuffix(t.value, "d")
	n, err := strconv.Atoi(number)
	if !isDays || err != nil || n < 1 || n > maxDays || number[0] == '+' {
		m.refuse(t.line, name, "must be a number of days from 1d to %dd, such as 90d, not %q", maxDays, t.value)
		return 0
	}
	return time.Duration(n) * 24 * time.Hour
}

const maxPreviousLogs = 100

// maxTokens is the largest budget of tokens, and maxCost that of dollars.
const (
	maxTokens = 2_000_000_000
	maxCost   = 1_000_000
)

func (m mapping) budget() (b ledger.Budget) {
	m.allow(budgetKeys())
	if _, given := m.values["tokens"]; given {
		b.Tokens = int64(m.whole("tokens", 0, 1, maxTokens))
	}
	if t := m.text("cost_usd", ""); t.line > 0 {
		cost, err := strconv.ParseFloat(t.value, 64)
		if err != nil || !(cost > 0 && cost <= maxCost) {
			m.refuse(t.line, "cost_usd", "must be an amount in US dollars greater than 0, such as 5.00, not %q", t.value)
			return b
		}
		b.CostUSD = cost
	}
	return b
}

// maxDays is the largest keep_content, in days.
const maxDays = 36500

func (m mapping) oneOf(name, fallback string, words []string) string {
	t := m.text(name, fallback)
	if t.line > 0 && !slices.Contains(words, t.value) {
		m.refuse(t.line, name, "must be one of %s, not %q", strings.Join(words, ", "), t.value)
	}
	return t.value
}

// These are the choices of what reviewers are shown in a run after one that passed.
const (
	afterPassChanges    = "changes"
	afterPassEverything = "everything"
)

func afterPassWords() []string { return []string{afterPassChanges, afterPassEverything} }

func (l *loader) cli(m mapping) {
	m.allow(CLIKeys())
	l.config.AskOnce = !m.boolean("repair", true)
	l.config.WordsRequired = m.oneOf("claims", "", []string{claimsRequired}) == claimsRequired
	l.config.DefaultPreference = l.prefer(m, "default_preference")
	adapters := m.child("adapters")
	for _, name := range adapters.keys {
		l.adapter(adapters, name)
	}
}

func (l *loader) adapter(adapters mapping, name scalar) {
	m := adapters.child(name.value)
	if problem := checkAdapterName(name.value); problem != "" {
		m.r.problem(name.line, "%s", problem)
	}
	m.allow(AdapterKeys())
	a := Adapter{Timeout: m.seconds("timeout"), AskOnce: !m.boolean("repair", true)}
	a.Model, a.Command = m.word("model", "").value, m.command("command")
	a.ByAbsence, a.WordsRequired = m.claims(len(a.Command) > 0)
	l.tool(m, &a)
	if _, given := m.values["command"]; !given && !slices.Contains(clients.Names(), name.value) {
		m.r.problem(name.line, "unknown adapter %q: set its command (a list of arguments) in cli.adapters.%s.command, or use one of %s",
			name.value, name.value, strings.Join(clients.Names(), ", "))
	} else if m.isEmptyList("command") {
		m.refuse(name.line, "command", "must be a list with at least one argument")
	}
	if l.config.Adapters == nil {
		l.config.Adapters = map[string]Adapter{}
	}
	l.config.Adapters[name.value] = a
}

// These are the choices of what an adapter must say about claims. The default is an answer about
// each, or a plain one, which is then decided as a whole.
const (
	claimsByAbsence = "by_absence"
	claimsRequired  = "required"
)

// claims reads what an adapter must say about claims. A model is always asked.
//
// Rule: Only an answer confirms.
func (m mapping) claims(isCommand bool) (byAbsence, required bool) {
	const name = "claims"
	t := m.text(name, "")
	switch {
	case t.line == 0:
	case t.value != claimsByAbsence && t.value != claimsRequired:
		m.refuse(t.line, name, "must be %q, for a command that lists everything each time, or %q, for a reviewer that has to answer about each claim, not %q", claimsByAbsence, claimsRequired, t.value)
	case t.value == claimsByAbsence && !isCommand:
		m.refuse(t.line, name, "only a command can confirm by absence; a model is asked about each claim")
	}
	return t.value == claimsByAbsence, t.value == claimsRequired
}

// checkAdapterName returns the reason why a name cannot be part of a log file's name, where it is
// between the last underscore and an at sign; "" if it can.
func checkAdapterName(name string) string {
	const longest = 40
	bad := strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.')
	})
	if name == "" || bad || len(name) > longest || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") {
		return fmt.Sprintf("adapter name %q: must have at most %d characters: letters, digits, \"-\" and \".\"", name, longest)
	}
	return ""
}

// prefer reads a list of adapters. Their names are checked when the whole configuration has been
// read.
func (l *loader) prefer(m mapping, name string) []string {
	list := m.texts(name)
	_, given := m.values[name]
	if m.isEmptyList(name) {
		m.refuse(m.lineOf(name), name, "must list at least one adapter; otherwise remove the key")
	}
	l.preferences = append(l.preferences, preference{m.r.file, m.key(name), list, m.lineOf(name), given})
	return values(list)
}

func (m mapping) teams(name string) map[string][]string {
	teams := map[string][]string{}
	owned := m.child(name)
	for _, team := range owned.keys {
		if hasControl(team.value) || strings.TrimSpace(team.value) == "" {
			owned.r.problem(team.line, "%s: the team name %q is empty or contains control characters", owned.path, team.value)
			continue
		}
		teams[team.value] = owned.paths(team.value)
	}
	return teams
}

// paths returns the list of paths under a key, cleaned.
func (m mapping) paths(name string) []string {
	var paths []string
	for _, t := range m.texts(name) {
		cleaned, problem := cleanPath(t.value)
		if problem != "" {
			m.refuse(t.line, name, "%s", problem)
			continue
		}
		paths = append(paths, cleaned)
	}
	return paths
}

// logDir reads the log directory. Logs are left out of every diff, so it must not contain anything
// that is to be checked.
func (l *loader) logDir(m mapping) {
	const key = "log_dir"
	t := m.text(key, "gauntlet_logs")
	cleaned, problem := cleanPath(t.value)
	l.config.LogDir = cleaned
	if problem == "" {
		problem = l.checkLogDir(cleaned)
	}
	if problem != "" {
		line := t.line
		if line == 0 {
			line = m.line
		}
		m.r.problem(line, "%s: %s", key, problem)
	}
}

func (l *loader) checkLogDir(dir string) string {
	if dir == "." {
		return "must be a folder inside the worktree, not the worktree itself"
	}
	for _, reserved := range []string{".git", Dir, ".code-review", "docs/code-reviews"} {
		if under(strings.ToLower(dir), reserved) || under(reserved, strings.ToLower(dir)) {
			return fmt.Sprintf("%q conflicts with %q, which is not for logs", dir, reserved)
		}
	}
	for _, e := range l.config.EntryPoints {
		if under(e.fixedFolder(), dir) {
			return fmt.Sprintf("%q contains the entry point %q, whose changes would never be seen", dir, e.Path)
		}
	}
	at := ""
	for segment := range strings.SplitSeq(dir, "/") {
		at = path.Join(at, segment)
		info, err := l.root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return ""
		case err != nil:
			return fmt.Sprintf("%q: %s", at, reason(err))
		case !info.IsDir():
			return fmt.Sprintf("%q exists and is not a folder", at)
		}
	}
	return ""
}
