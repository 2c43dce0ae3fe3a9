package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newHookCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Keep agents from stopping, and commits from being pushed, before they have passed",
		Long: `Install a command that an agent's client runs when the agent wants to stop. If
the loop is open or there are unreviewed changes, the agent is told what is left
and continues. That hook only reads the ledger; it does not run gates. Git's hook
(--git) asks before each push whether the commits have passed.`,
		Example: `  reviewledger hook install --agent claude
  reviewledger hook install --git
  reviewledger hook snooze 30m`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHookStopCommand(global), newHookSnoozeCommand(global), newHookPrePushCommand(global),
		newHookInstallCommand(global), newHookRemoveCommand(global), newHookStatusCommand(global))
	return cmd
}

func newHookStopCommand(global *globalOptions) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Decide whether an agent may stop",
		Long: `Read what the agent's client sends on stdin, and answer on stdout: with one JSON
object that makes the agent continue, or with nothing. Clients call this after
"reviewledger hook install".

An agent may always stop if the loop is done or running, if it is at the retry
limit, snoozed or not configured, and after any error. It is told once about
each state of the loop, and at most ` + fmt.Sprint(agent.MaxBlocks) + ` times in a session.

Exit codes: 0 always.`,
		Example: "  reviewledger hook stop --agent claude",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				failOpen(global.stderr, usageError("unexpected argument %q", args[0]))
				return nil
			}
			runHookStop(cmd.Context(), global, name)
			return nil
		},
	}
	// Claude Code takes exit code 2 for a block.
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		failOpen(global.stderr, err)
		return exitStatus(exitPassed)
	})
	addAgent(global, cmd, &name)
	return cmd
}

func addAgent(global *globalOptions, cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "agent", "", "the agent's tool: "+strings.Join(agent.HostNames(), ", "))
	complete(global, cmd, "agent", completeWords(agent.HostNames()))
}

func hostNamed(name string) (agent.Host, error) {
	if h, ok := agent.HostNamed(name); ok {
		return h, nil
	}
	if name == "" {
		return agent.Host{}, usageError("missing --agent: use %s", strings.Join(agent.HostNames(), ", "))
	}
	return agent.Host{}, unknownAgent(name, agent.HostNames())
}

func unknownAgent(name string, known []string) error {
	if similar := ledger.Closest(name, known); len(similar) > 0 {
		return usageError("unknown agent %q%s", name, ledger.DidYouMean(similar, ""))
	}
	return usageError("unknown agent %q: use %s", name, strings.Join(known, ", "))
}

// failOpen prints why the hook failed, and that the agent may stop nevertheless.
func failOpen(stderr io.Writer, err error) {
	_, _ = fmt.Fprintf(stderr, "reviewledger: the stop hook lets the agent stop: %s\n", text.EscapeLine(err.Error()))
}

// runHookStop never fails: an error must not keep an agent from stopping.
func runHookStop(ctx context.Context, global *globalOptions, name string) {
	defer func() {
		if reason := recover(); reason != nil {
			failOpen(global.stderr, fmt.Errorf("%v", reason))
		}
	}()
	if global.getenv(clients.InsideVariable) != "" {
		return
	}
	host, err := hostNamed(name)
	if err == nil {
		var decision agent.Decision
		if decision, err = decideStop(ctx, global, host); err == nil {
			err = decision.Write(host, global.stdout)
		}
	}
	if err != nil {
		failOpen(global.stderr, err)
	}
}

func decideStop(ctx context.Context, global *globalOptions, host agent.Host) (decision agent.Decision, err error) {
	stop, err := agent.ReadStop(host, global.stdin)
	if err != nil || stop.Excused {
		return decision, err
	}
	quiet := *global
	quiet.stdout, quiet.stderr = io.Discard, io.Discard // warnings are for people
	w, err := openWhereAgentWorks(ctx, quiet, stop.Folder)
	if nothingToJudge(err) {
		return decision, nil
	}
	if err != nil {
		return decision, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	sessions := hookSessions(w.repo)
	if host.NeedsTrust {
		if err := sessions.NoteCall(host); err != nil {
			return decision, err
		}
	}
	if until, err := sessions.SnoozedUntil(w.hookPlace()); !until.IsZero() || err != nil {
		return decision, err
	}
	progress, err := w.progress(ctx)
	if err != nil {
		return decision, err
	}
	if progress.State == ledger.ProgressOtherBranch {
		return decision, errors.New(progress.Sentence())
	}
	session, err := sessions.Load(stop.Session)
	if err != nil {
		return decision, err
	}
	decision = agent.Decide(stop, progress, session)
	if !decision.Block {
		return decision, nil
	}
	// If the session cannot be saved, the agent would be blocked again and again.
	if err := sessions.Save(stop.Session, decision.Session); err != nil {
		return agent.Decision{}, err
	}
	return decision, nil
}

// openWhereAgentWorks opens the worktree of the folder that the client names, which may be another one
// than that of the process. If there is nothing to judge there, as when the agent has left the
// repository, it opens that of the process.
func openWhereAgentWorks(ctx context.Context, global globalOptions, folder string) (*workspace, error) {
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		there := global
		there.dir = folder
		if w, err := openWithBase(ctx, &there); !nothingToJudge(err) {
			return w, err
		}
	}
	return openWithBase(ctx, &global)
}

func nothingToJudge(err error) bool {
	return errors.Is(err, config.ErrNoConfig) || errors.Is(err, diff.ErrNotRepository)
}

// hookSessions returns the store of sessions, which is in git's folder even if the ledger is
// elsewhere: in the working tree, the files would be changes that the hook looks at.
func hookSessions(repo *diff.Repo) agent.Sessions {
	return agent.Sessions{Folder: filepath.Join(repo.CommonDir, "reviewledger", "hooks"), Now: time.Now()}
}

// hookPlace identifies a worktree and log directory, as their locks do.
func (w *workspace) hookPlace() string { return w.repo.WorktreeName + "\x00" + w.logs.Name() }

func newHookSnoozeCommand(global *globalOptions) *cobra.Command {
	var f format
	cmd := &cobra.Command{
		Use:   "snooze DURATION",
		Short: "Let agents stop for a while",
		Long: `Let every agent in this worktree stop for a while, whatever is left to do. The
duration is a number with s, m or h, such as 30m; 0s ends it.`,
		Example: "  reviewledger hook snooze 30m",
		Args:    oneArg("a duration"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runHookSnooze(cmd.Context(), global, f, args[0])
		},
	}
	addAnswer(global, cmd, &f)
	return cmd
}

// snoozeJSON says until when agents may stop; null: they are told again.
type snoozeJSON struct {
	SnoozedUntil *string `json:"snoozed_until"`
}

// maxSnooze is longer than any task.
const maxSnooze = 7 * 24 * time.Hour

func runHookSnooze(ctx context.Context, global *globalOptions, f format, duration string) error {
	d, err := time.ParseDuration(duration)
	if err != nil || d < 0 || d > maxSnooze {
		return usageError("invalid duration %q: use a number with s, m or h, such as 30m, up to %.0fh", duration, maxSnooze.Hours())
	}
	return withWorkspace(ctx, global, openWorkspace, withoutLedger, func(w *workspace) error {
		sessions := hookSessions(w.repo)
		until := sessions.Now.Add(d)
		if err := sessions.Snooze(w.hookPlace(), until); err != nil {
			return err
		}
		var answer snoozeJSON
		message := "Agents are told again what is left when they want to stop."
		if d > 0 {
			answer.SnoozedUntil = text.Timestamp(until)
			message = "Agents in this worktree may stop until " + text.LocalTime(until) + "."
		}
		return printOne(global, f, answer, func(p *text.Page) error {
			p.Line("%s", message)
			return nil
		})
	})
}

// hookFlags are the flags of install and remove.
type hookFlags struct {
	agent  string
	git    bool
	dryRun bool
	format format
}

func (f *hookFlags) add(global *globalOptions, cmd *cobra.Command) {
	addAgent(global, cmd, &f.agent)
	cmd.Flags().BoolVar(&f.git, "git", false, "git's pre-push hook instead of an agent's stop hook")
	cmd.MarkFlagsMutuallyExclusive("agent", "git")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the file as it would be, and write nothing")
	addAnswer(global, cmd, &f.format)
}

// changedHookJSON says what became of the file of a hook. Text is null unless it is a dry run.
type changedHookJSON struct {
	File      string  `json:"file"`
	Changed   bool    `json:"changed"`
	Installed bool    `json:"installed"`
	DryRun    bool    `json:"dry_run"`
	Text      *string `json:"text"`
	// Notes are what the user needs to know about a hook that was just installed.
	Notes []string `json:"notes"`
}

// would shows the file as it would be. For people its name is on stderr, so that stdout has only the file.
func (f hookFlags) would(global *globalOptions, answer changedHookJSON, data []byte) error {
	answer.DryRun, answer.Text = true, new(string(data))
	if f.format == formatJSON {
		return printJSON(global.stdout, answer)
	}
	_, _ = fmt.Fprintf(global.stderr, "%s would be:\n", text.EscapeLine(answer.File))
	_, err := global.stdout.Write(data)
	return err
}

// byHand shows people what to write into a file that is not changed.
func (f hookFlags) byHand(global *globalOptions, format string, args ...any) {
	if f.format != formatJSON {
		_, _ = fmt.Fprintf(global.stdout, format, args...)
	}
}

func newHookInstallCommand(global *globalOptions) *cobra.Command {
	var f hookFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the stop hook for an agent, or the pre-push hook for git",
		Long: `Add the stop hook to the settings of the agent's client in this project. With
--git, add the call of "reviewledger hook pre-push" to git's pre-push hook, in the
folder that core.hooksPath names, before what the hook does already. Every other
byte of the file stays. Where that is not possible (settings that cannot be parsed,
a hook that is not a shell script, a folder outside of the repository), nothing is
changed, and what to add by hand is printed.

Exit codes: 0 installed, now or before; 2 error.`,
		Example: `  reviewledger hook install --agent claude
  reviewledger hook install --agent codex --dry-run
  reviewledger hook install --git`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.git {
				return changeGitHook(cmd.Context(), global, f, gitHook.install, "installed", "already installed")
			}
			return changeHook(cmd.Context(), global, f, agent.Host.Install, "installed", "already installed")
		},
	}
	f.add(global, cmd)
	return cmd
}

func newHookRemoveCommand(global *globalOptions) *cobra.Command {
	var f hookFlags
	cmd := &cobra.Command{
		Use:   "remove",
		Short: "Remove the stop hook of an agent, or the pre-push hook of git",
		Long: `Remove the stop hook, and nothing else, from the settings of the agent's client in
this project, or with --git from git's pre-push hook. A file that has only the hook
is deleted.

Exit codes: 0 removed, or not installed; 2 error.`,
		Example: `  reviewledger hook remove --agent claude
  reviewledger hook remove --git`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.git {
				return changeGitHook(cmd.Context(), global, f, gitHook.remove, "removed", "not installed")
			}
			return changeHook(cmd.Context(), global, f, agent.Host.Remove, "removed", "not installed")
		},
	}
	f.add(global, cmd)
	return cmd
}

func newHookStatusCommand(global *globalOptions) *cobra.Command {
	var name string
	var f format
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show where the hooks are installed",
		Long: `Show whether the stop hook is in the settings of each agent's client in this
project, or of one of them, whether git calls the pre-push hook, and until when the
stop hook is snoozed.

` + queryExitCodes,
		Example: `  reviewledger hook status
  reviewledger hook status --agent claude`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHookStatus(cmd.Context(), global, f, name)
		},
	}
	addAgent(global, cmd, &name)
	addAnswer(global, cmd, &f)
	return cmd
}

// hookStatusJSON says which hooks are installed, and until when the stop hook is snoozed, or null.
type hookStatusJSON struct {
	Hooks []hookJSON `json:"hooks"`
	snoozeJSON
}

// hookJSON is the hook of an agent, or of git. Error says why its file cannot be read, or is null.
type hookJSON struct {
	Name      string  `json:"name"`
	File      string  `json:"file"`
	Installed bool    `json:"installed"`
	Error     *string `json:"error"`
}

func newHookJSON(name, file string, installed bool, err error) hookJSON {
	h := hookJSON{Name: name, File: file, Installed: installed && err == nil}
	if err != nil {
		h.Error = new(err.Error())
	}
	return h
}

func (h hookJSON) state() string {
	switch {
	case h.Error != nil:
		return *h.Error
	case h.Installed:
		return "installed"
	}
	return "not installed"
}

func runHookStatus(ctx context.Context, global *globalOptions, f format, name string) error {
	hosts := agent.Hosts()
	if name != "" {
		host, err := hostNamed(name)
		if err != nil {
			return err
		}
		hosts = slices.DeleteFunc(hosts, func(h agent.Host) bool { return h.Name != host.Name })
	}
	root, err := diff.Root(ctx, global.dir)
	if err != nil {
		return err
	}
	answer := hookStatusJSON{Hooks: []hookJSON{}}
	for _, h := range hosts {
		installed, err := hookInstalled(root, h)
		answer.Hooks = append(answer.Hooks, newHookJSON(h.Name, h.File, installed, err))
	}
	if name == "" {
		h, err := gitHookJSON(ctx, global)
		if err != nil {
			return err
		}
		answer.Hooks = append(answer.Hooks, h)
	}
	until, err := snoozedUntil(ctx, global)
	if err != nil {
		return err
	}
	answer.SnoozedUntil = text.Timestamp(until)
	return printOne(global, f, answer, func(p *text.Page) error {
		for _, h := range answer.Hooks {
			p.Line("%-8s %s: %s", h.Name, text.EscapeLine(h.File), text.EscapeLine(h.state()))
		}
		if !until.IsZero() {
			p.Line("Snoozed: agents in this worktree may stop until %s", text.LocalTime(until))
		}
		return nil
	})
}

// snoozedUntil returns until when agents may stop here, or the zero time. Without a configuration there is
// no loop that could hold them back.
func snoozedUntil(ctx context.Context, global *globalOptions) (until time.Time, err error) {
	w, err := openWithBase(ctx, global)
	if err != nil {
		return until, nil //nolint:nilerr // "validate" says what is wrong with it
	}
	defer func() { err = errors.Join(err, w.close()) }()
	return hookSessions(w.repo).SnoozedUntil(w.hookPlace())
}
