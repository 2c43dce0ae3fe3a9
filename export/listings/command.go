package listings

import (
	"strings"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Command returns the command line, for a POSIX shell, that runs reviewledger with the arguments.
func Command(args ...string) string { return shellLine(append([]string{"reviewledger"}, args...)) }

// CommandIn is [Command] run in a folder.
func CommandIn(folder string, args ...string) string {
	return shellLine([]string{"cd", folder}) + " && " + Command(args...)
}

func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = text.ShellWord(word)
	}
	return strings.Join(quoted, " ")
}

// FilterArgs returns the arguments of `reviewledger violations` that list what the filter keeps.
func FilterArgs(f ledger.ViolationFilter) []string {
	return arguments("violations", filters.OfViolations(f))
}

// FilterCommand returns the command line, for a POSIX shell, that lists what the filter keeps.
func FilterCommand(f ledger.ViolationFilter) string { return Command(FilterArgs(f)...) }

// RunsCommand returns the command line, for a POSIX shell, that lists the runs that the filter
// keeps.
func RunsCommand(f ledger.RunFilter) string {
	return Command(arguments("runs", filters.OfRuns(f))...)
}

// arguments returns the arguments of a command with the filters as flags.
func arguments(command string, given []filters.Param) []string {
	args := []string{command}
	for _, param := range given {
		if args = append(args, "--"+param.Name); param.Value != "" {
			args = append(args, param.Value)
		}
	}
	return args
}
