package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is how many columns the help takes.
const helpWidth = "80"

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

// arrangeHelp keeps the help within its width, and adds the flag --version.
func arrangeHelp(root *cobra.Command) {
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", "FlagUsagesWrapped "+helpWidth))
	root.SetHelpCommand(newHelpCommand())
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}\n")
}
