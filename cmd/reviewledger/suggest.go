package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
)

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
