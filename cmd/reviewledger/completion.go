package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

func newCompletionCommand(global *globalOptions) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion " + strings.Join(shells, "|"),
		Short: "Print a completion script for your shell",
		Long: `Print a completion script for one shell. Load it in your shell's startup file,
as in the examples.`,
		Example: `  source <(reviewledger completion bash)        # in ~/.bashrc
  source <(reviewledger completion zsh)         # in ~/.zshrc, after compinit
  reviewledger completion fish | source         # in config.fish
  reviewledger completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return usageError("missing or unknown shell: use %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(global.stdout, true)
			case "zsh":
				return root.GenZshCompletion(global.stdout)
			case "fish":
				return root.GenFishCompletion(global.stdout, true)
			}
			return root.GenPowerShellCompletionWithDesc(global.stdout)
		},
	}
}

// unknownCommand rejects arguments of a command that has only subcommands. They are mistyped
// commands, so it suggests the right one.
func unknownCommand(parent *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, cmd := range parent.Commands() {
		if !cmd.Hidden {
			names = append(names, cmd.Name())
		}
	}
	_, name, _ := strings.Cut(parent.CommandPath()+" "+args[0], " ")
	return usageError("unknown command %q%s", name, ledger.DidYouMean(ledger.Closest(args[0], names), ""))
}

// flagProblem returns the error for an invalid flag, with a suggestion if it is mistyped.
func flagProblem(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return filters.InvalidValue(invalid)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return usageError("%v", err)
	}
	return filters.UnknownFlag(cmd.Flags(), "flag", unknown.GetSpecifiedName())
}
