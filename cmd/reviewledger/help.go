package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is how many columns the help takes.
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
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, word string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range cmd.Root().Commands() {
				if !sub.Hidden && strings.HasPrefix(sub.Name(), word) {
					names = append(names, sub.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// arrangeHelp keeps the help within its width, with the usage before the exit codes, and
// adds the flag --version.
func arrangeHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		about, codes := helpOf(cmd)
		// There is nobody to tell that help cannot be printed.
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s\n%s\n", about, folded(strings.TrimSuffix(cmd.UsageString(), "\n"))+"\n", codes)
	})
	root.SetHelpCommand(newHelpCommand())
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}\n")
}

// helpOf is what a command's help says of it, and its exit codes.
func helpOf(cmd *cobra.Command) (about, codes string) {
	about, codes, _ = strings.Cut(cmd.Long, "Exit codes:")
	return folded(joined(strings.TrimSpace(about))), folded(joined("Exit codes:" + codes))
}

// joined is a text whose paragraphs are one line each. Lines that are indented, or in
// columns, stay.
func joined(help string) string {
	var b strings.Builder
	plain := func(line string) bool {
		return strings.TrimLeft(line, " ") == line && line != "" && !strings.Contains(line, "  ")
	}
	before := ""
	for line := range strings.SplitSeq(help, "\n") {
		switch {
		case plain(before) && plain(line):
			b.WriteByte(' ')
		case b.Len() > 0 || before != "":
			b.WriteByte('\n')
		}
		b.WriteString(line)
		before = line
	}
	return b.String()
}

// folded breaks lines that are longer than the help is wide. What follows stands below
// the line's last column.
func folded(help string) string {
	var b strings.Builder
	columns := regexp.MustCompile(`^ *(\S.*?  +)?`)
	for line := range strings.Lines(help + "\n") {
		line = strings.TrimSuffix(line, "\n")
		indent := strings.Repeat(" ", len(columns.FindString(line)))
		for len(line) > helpWidth {
			at := strings.LastIndexByte(line[:helpWidth+1], ' ')
			if at <= len(indent) {
				break
			}
			b.WriteString(line[:at] + "\n")
			line = indent + line[at+1:]
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// commandGroups are the groups that the help lists commands in, in order.
func commandGroups() []commandGroup {
	return []commandGroup{
		{"The loop:", []string{"check", "clean", "code-review", "detect", "list", "review", "run", "status"}},
		{"Findings:", []string{"log", "mark", "search", "skips", "triage", "violations", "why"}},
		{"History:", []string{"compare", "dashboard", "history", "report", "runs", "show"}},
		{"Setup:", []string{"completion", "demo", "doctor", "help", "init", "man", "validate", "version"}},
		{"Integrations:", []string{"export", "import", "schema", "skill", "mcp", "hook"}},
		{"Database:", []string{"db", "team"}},
	}
}

type commandGroup struct {
	title    string
	commands []string
}

// arrangeCommands puts the commands into their groups.
func arrangeCommands(root *cobra.Command) {
	for _, group := range commandGroups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(group.commands, cmd.Name()) {
				cmd.GroupID = group.title
			}
		}
		if slices.Contains(group.commands, "help") {
			root.SetHelpCommandGroupID(group.title)
		}
	}
}
