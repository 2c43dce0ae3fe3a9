package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/gate/config"
)

// unknownCommand refuses arguments of a command that only has others, which are
// mistyped commands, and suggests the right one.
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
	return usageError("unknown command %q%s", name, didYouMean(closest(args[0], names), ""))
}

// flagProblem is the error of a flag that cannot be used, with the right one where
// it is only mistyped.
func flagProblem(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalidValue(invalid)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return usageError("%v", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	name := unknown.GetSpecifiedName()
	return usageError("unknown flag \"--%s\"%s", name, didYouMean(closest(name, names), "--"))
}

// invalidValue is the error of a flag whose value cannot be used.
func invalidValue(invalid *pflag.InvalidValueError) error {
	flag, use := invalid.GetFlag(), invalid.Unwrap().Error()
	if errors.Is(invalid, errEmpty) {
		return usageError("--%s %s", flag.Name, use)
	}
	if errors.Is(invalid, strconv.ErrSyntax) || errors.Is(invalid, strconv.ErrRange) {
		use = "use a number"
		if flag.Value.Type() == "bool" {
			use = "use true or false"
		}
	}
	return usageError("invalid --%s %q: %s", flag.Name, invalid.GetValue(), use)
}

func didYouMean(names []string, prefix string) string {
	if len(names) == 0 {
		return ""
	}
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", prefix+name))
	}
	return " (did you mean " + strings.Join(quoted, " or ") + "?)"
}

// closest returns the names that the word may have been meant for, the nearest
// first, at most three.
func closest(word string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	const longest = 100 // no name is this long, so the word is not a typo
	if len(word) > longest {
		return nil
	}
	var found []candidate
	for _, name := range names {
		d := config.EditDistance(strings.ToLower(word), name)
		near := d <= max(1, len(name)/3)
		if near || len(word) > 1 && strings.HasPrefix(name, strings.ToLower(word)) {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var nearest []string
	for _, c := range found[:min(len(found), 3)] {
		nearest = append(nearest, c.name)
	}
	return nearest
}
