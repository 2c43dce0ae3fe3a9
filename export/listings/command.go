package listings

import (
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// RunArgs are the arguments of `reviewledger runs` that list what the filter keeps.
func RunArgs(f ledger.RunFilter) []string {
	args := []string{"runs"}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, "--"+flag, value)
		}
	}
	for _, status := range f.Statuses {
		add("status", string(status))
	}
	add("kind", string(f.Kind))
	add("branch", f.Branch)
	add("worktree", f.Worktree)
	add("gate", f.Gate)
	add("entry-point", f.EntryPoint)
	add("adapter", f.Adapter)
	add("repository", f.Repository)
	if at := text.Timestamp(f.Started.Since); at != nil {
		add("since", *at)
	}
	if at := text.Timestamp(f.Started.Until); at != nil {
		add("until", *at)
	}
	if f.Team {
		args = append(args, "--team")
	}
	return args
}

// Command is the command line, for a POSIX shell, that runs reviewledger with the
// arguments.
func Command(args ...string) string { return shellLine(append([]string{"reviewledger"}, args...)) }

// CommandIn is [Command] in a folder.
func CommandIn(folder string, args ...string) string {
	return shellLine([]string{"cd", folder}) + " && " + Command(args...)
}

func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}
