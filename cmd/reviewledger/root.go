package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Exit codes are part of the interface.
const (
	exitPassed      = 0
	exitFailed      = 1
	exitError       = 2
	exitInterrupted = 130
)

// exitCodes is part of the help of every command that runs gates.
const exitCodes = `Exit codes:
  0    passed, passed with warnings, no changes, or no gate applies
  1    a gate failed, or the retry limit is exceeded
  2    error: usage, configuration, git, lock, or a gate in error while no
       gate failed
  130  interrupted`

// environment is what a command gets from its process: arguments, streams, folder and variables.
type environment struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	lookupenv      func(string) (string, bool)
	dir            string
}

// getenv returns the value of a variable, or "" if there is none.
func (e environment) getenv(name string) string {
	value, _ := e.lookupenv(name)
	return value
}

// exitStatus ends the process with a code but no message, because everything has been printed.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// globalOptions are the flags that every command has.
type globalOptions struct {
	environment
	database string
	team     string // the URL of --team, or configuredTeam
	noPull   bool
	// since returns when the period of the question begins, or nil.
	since func() *time.Time
}

// run executes the command line and returns the exit code.
func run(ctx context.Context, env environment) int {
	root := newRootCommand(env)
	root.SetArgs(joinTeamURL(env.args))
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitPassed
	case errors.As(err, &status):
		return int(status)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case nobodyReads(err):
		return exitError
	}
	printError(env.stderr, advised(err))
	usage, filter := (*worktree.UsageError)(nil), (*filters.Error)(nil)
	if errors.As(err, &usage) || errors.As(err, &filter) {
		_, _ = fmt.Fprintf(env.stderr, "See `%s --help`.\n", cmd.CommandPath())
	}
	return exitError
}

// advised adds the flag that helps to an error of the packages below, which do not know the flags.
func advised(err error) error {
	if help := remedy(err); help != "" {
		return fmt.Errorf("%w; %s", err, help)
	}
	return err
}

// remedy says what helps against an error of opening the ledger. It returns "" if the error itself
// says so.
func remedy(err error) string {
	cannotOpen := (*store.OpenError)(nil)
	switch {
	case errors.As(err, &cannotOpen):
		return "make it readable and writable, or name another place with --db or REVIEWLEDGER_DB"
	case errors.Is(err, store.ErrNewer):
		return "update reviewledger, or name another database with --db or REVIEWLEDGER_DB"
	case errors.Is(err, store.ErrUnusable):
		return "move it away, or name another database with --db or REVIEWLEDGER_DB"
	case errors.Is(err, store.ErrUnfinished):
		return "--db names the copy"
	}
	return ""
}

// nobodyReads reports whether the reader of stdout, such as head, has closed it. It has what it
// needs, so this is not shown as an error.
func nobodyReads(err error) bool {
	var failed *fs.PathError
	return errors.Is(err, syscall.EPIPE) && errors.As(err, &failed) && failed.Path == os.Stdout.Name()
}

// printError prints an error line by line, with control characters escaped.
func printError(w io.Writer, err error) {
	for _, line := range strings.Split(text.Escape(err.Error()), "\n") {
		_, _ = fmt.Fprintf(w, "error: %s\n", line)
	}
}

func newRootCommand(env environment) *cobra.Command {
	global := &globalOptions{environment: env}
	root := &cobra.Command{
		Use:   "reviewledger",
		Short: "The gate and the memory of a coding agent's review loop",
		Long: `Run check gates (shell commands) and review gates (reviewer CLIs) on the changes
in a git repository, and keep every run, iteration, report, violation and status
change in a SQLite ledger. Run it, read the review files that it names, fix or
skip what they list, and run it again until it passes.

` + exitCodes,
		Example: `  reviewledger demo            # see a whole loop in a scratch repository
  reviewledger init            # write a configuration for this repository
  reviewledger run             # run all gates on the changes
  reviewledger clean           # archive the loop and start over`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVar(&global.database, "db", "", "database file of the ledger (default: $REVIEWLEDGER_DB, or <git common dir>/reviewledger/ledger.db)")
	root.SetFlagErrorFunc(flagProblem)
	root.CompletionOptions.DisableDefaultCmd = true
	arrangeHelp(root, global.width())
	root.AddCommand(makeCommands(global)...)
	arrangeCommands(root)
	return root
}

// makeCommands creates only the given command, or all if the help or an unknown command needs them:
// creating all takes a tenth of the time of a short command.
func makeCommands(global *globalOptions) (all []*cobra.Command) {
	makers := map[string]func(*globalOptions) *cobra.Command{}
	for _, group := range commandGroups() {
		maps.Copy(makers, group.commands)
	}
	for _, name := range pagedCommands() {
		newCommand := makers[name]
		makers[name] = func(global *globalOptions) *cobra.Command {
			cmd := newCommand(global)
			cmd.RunE = global.paged(cmd.RunE)
			return cmd
		}
	}
	if len(global.args) > 0 && !slices.Contains([]string{"completion", "man"}, global.args[0]) {
		if newCommand, known := makers[global.args[0]]; known {
			return []*cobra.Command{newCommand(global)}
		}
	}
	for _, newCommand := range makers {
		all = append(all, newCommand(global))
	}
	return all
}
