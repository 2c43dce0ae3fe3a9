package listings

import (
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
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
