package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
)

// helpWidth is the width of the help in columns, in man pages and on a terminal of unknown width.
const helpWidth = 80

func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		Long: `Explain a command: what it does, its flags, examples and exit codes.

Exit codes: 0 done, 2 unknown command.`,
		Example: "  reviewledger help\n  reviewledger help run",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError("%v", err)
			}
			if len(rest) > 0 {
				return unknownCommand(cmd.Root(), rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// arrangeHelp fits the help of all commands to the width of the terminal, and adds the flag
// --version.
func arrangeHelp(root *cobra.Command, width int) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		about, codes := helpOf(cmd, cmp.Or(width, helpWidth))
		// If help cannot be printed, there is nowhere to report that.
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s\n%s\n", about, usageOf(cmd, cmp.Or(width, helpWidth)), codes)
	})
	root.SetHelpCommand(newHelpCommand())
	root.Version = programVersion().String()
	root.SetVersionTemplate("{{.Version}}\n")
}

// helpOf returns the description and the exit codes of a command's help. A command that does not name
// its exit codes has the usual ones.
func helpOf(cmd *cobra.Command, width int) (about, codes string) {
	about, codes, _ = strings.Cut(cmd.Long, "Exit codes:")
	codes = cmp.Or(codes, " 0 done, 2 error.")
	return text.Wrap(strings.TrimSpace(about), width), text.Wrap("Exit codes:"+codes, width)
}

// aboutFilters is printed once, above the filters of a command.
const aboutFilters = `Rows must match every filter. A filter with several values (separated by commas,
or repeated) matches any of them. A time is how long ago (30m, 12h, 7d, 2w),
a local day (2026-01-31), or RFC 3339:`

// usageOf returns the usage part of a command's help: examples, subcommands and flags.
func usageOf(cmd *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	b.WriteString(text.Wrap(commandsBelow(cmd), width))
	own, chosen := splitFlags(cmd)
	for _, group := range []struct {
		title string
		flags *pflag.FlagSet
	}{{"Flags:", own}, {aboutFilters, chosen}, {"Global Flags:", cmd.InheritedFlags()}} {
		if group.flags.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s\n%s", text.Wrap(group.title, width), text.Wrap(group.flags.FlagUsages(), width))
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
	return b.String()
}

// commandsBelow lists the subcommands of a command by group.
func commandsBelow(cmd *cobra.Command) string {
	if !cmd.HasAvailableSubCommands() {
		return ""
	}
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Available Commands:"}}
	}
	var b strings.Builder
	for _, group := range groups {
		fmt.Fprintf(&b, "\n%s\n", group.Title)
		for _, below := range cmd.Commands() {
			if below.GroupID == group.ID && (below.IsAvailableCommand() || below.Name() == "help") {
				fmt.Fprintf(&b, "  %-*s %s\n", below.NamePadding(), below.Name(), below.Short)
			}
		}
	}
	return b.String()
}

// splitFlags separates the filters from the other flags of a command. Filters keep the order in
// which they were added, most used first.
func splitFlags(cmd *cobra.Command) (own, chosen *pflag.FlagSet) {
	own, chosen = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	chosen.SortFlags, cmd.Flags().SortFlags = false, false
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if _, is := filters.FilterOf(flag); is {
			chosen.AddFlag(flag)
			return
		}
		own.AddFlag(flag)
	})
	return own, chosen
}

// commandGroup is a group of commands, as constructors by name.
type commandGroup struct {
	title    string // title in the help; empty if the commands are not listed
	commands map[string]func(*globalOptions) *cobra.Command
}

// commandGroups returns all commands, with the groups in the order of the help.
func commandGroups() []commandGroup {
	type makers = map[string]func(*globalOptions) *cobra.Command
	return []commandGroup{
		{"The loop:", makers{
			"check": newCheckCommand, "clean": newCleanCommand, "code-review": newCodeReviewCommand, "detect": newDetectCommand,
			"list": newListCommand, "review": newReviewCommand, "run": newRunCommand, "status": newStatusCommand,
		}},
		{"Findings:", makers{
			"log": newLogCommand, "mark": newMarkCommand, "search": newSearchCommand, "skips": newSkipsCommand,
			"triage": newTriageCommand, "violations": newViolationsCommand, "why": newWhyCommand,
		}},
		{"History:", makers{
			"compare": newCompareCommand, "dashboard": newDashboardCommand, "history": newHistoryCommand, "report": newReportCommand,
			"runs": newRunsCommand, "show": newShowCommand,
		}},
		{setupTitle, makers{
			"completion": newCompletionCommand, "demo": newDemoCommand, "doctor": newDoctorCommand, "init": newInitCommand,
			"man": newManCommand, "validate": newValidateCommand, "version": newVersionCommand,
		}},
		{"Integrations:", makers{
			"export": newExportCommand, "import": newImportCommand, "schema": newSchemaCommand, "skill": newSkillCommand,
			"mcp": newMCPCommand, "hook": newHookCommand,
		}},
		{"Database:", makers{"db": newDBCommand, "team": newTeamCommand}},
		{"", makers{"demo-reviewer": newDemoReviewerCommand}},
	}
}

// setupTitle is the title of the group that also lists help.
const setupTitle = "Setup:"

// arrangeCommands puts the commands into their groups.
func arrangeCommands(root *cobra.Command) {
	for _, group := range commandGroups() {
		if group.title == "" {
			continue
		}
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range root.Commands() {
			if group.commands[cmd.Name()] != nil {
				cmd.GroupID = group.title
			}
		}
	}
	root.SetHelpCommandGroupID(setupTitle)
}
