package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unknownCommand refuses arguments of the root command, which are mistyped
// commands, and suggests the right one.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, cmd := range root.Commands() {
		if !cmd.Hidden {
			names = append(names, cmd.Name())
		}
	}
	return usageError("unknown command %q%s", args[0], didYouMean(closest(args[0], names), ""))
}

// flagProblem is the error of a flag that cannot be used, with the right one where
// it is only mistyped.
func flagProblem(cmd *cobra.Command, err error) error {
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

func didYouMean(names []string, prefix string) string {
	if len(names) == 0 {
		return ""
	}
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", prefix+name))
	}
	return ": did you mean " + strings.Join(quoted, " or ") + "?"
}

// closest returns the names that the word may have been meant for, the nearest
// first, at most three.
func closest(word string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range names {
		d := editDistance(strings.ToLower(word), name)
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

// editDistance counts how many letters have to be added, taken away, replaced or
// swapped with the next one to make b of a.
func editDistance(a, b string) int {
	const longest = 100 // no name is as long
	if len(a) > longest {
		return len(a)
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, above, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			replace := above[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{above, row, before}
	}
	return rows[1][len(b)]
}
