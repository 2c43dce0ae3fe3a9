package listings

import (
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// FilterArgs are the arguments of `reviewledger violations` that list what the
// filter keeps.
func FilterArgs(f ledger.ViolationFilter) []string {
	args := []string{"violations"}
	if len(f.Discards) > 0 {
		args = append(args, "--discarded")
	}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, "--"+flag, value)
		}
	}
	add("run", f.Run)
	add("branch", f.Branch)
	add("worktree", f.Worktree)
	for _, status := range f.Statuses {
		add("status", string(status))
	}
	for _, priority := range f.Priorities {
		add("priority", string(priority))
	}
	add("file", f.File)
	add("entry-point", f.EntryPoint)
	add("gate", f.Gate)
	add("adapter", f.Adapter)
	add("model", f.Model)
	add("repository", f.Repository)
	for _, disposition := range f.Discards {
		add("disposition", string(disposition))
	}
	for _, reason := range f.Reasons {
		add("reason", string(reason))
	}
	for _, actor := range f.Actors {
		add("status-by", string(actor))
	}
	if f.Iteration > 0 {
		add("iteration", fmt.Sprint(f.Iteration))
	}
	if f.Slot > 0 {
		add("slot", fmt.Sprint(f.Slot))
	}
	for _, status := range f.Events.Statuses {
		add("event", string(status))
	}
	if f.Events.Iteration > 0 {
		add("event-iteration", fmt.Sprint(f.Events.Iteration))
	}
	for _, bound := range periodFlags(f) {
		add(bound.flag, bound.value)
	}
	add("fingerprint", f.Fingerprint)
	for _, is := range []struct {
		flag string
		set  bool
	}{{"recurring", f.Recurring}, {"alone", f.Alone}, {"in-fix-lines", f.InFixLines}, {"team", f.Team}} {
		if is.set {
			args = append(args, "--"+is.flag)
		}
	}
	return args
}

type flagValue struct{ flag, value string }

func periodFlags(f ledger.ViolationFilter) []flagValue {
	var list []flagValue
	add := func(flag string, at *string) {
		if at != nil {
			list = append(list, flagValue{flag, *at})
		}
	}
	add("since", text.Timestamp(f.Changed.Since))
	add("until", text.Timestamp(f.Changed.Until))
	add("reported-since", text.Timestamp(f.Reported.Since))
	add("reported-until", text.Timestamp(f.Reported.Until))
	add("event-since", text.Timestamp(f.Events.At.Since))
	add("event-until", text.Timestamp(f.Events.At.Until))
	return list
}

// FilterCommand is the command line, for a POSIX shell, that lists what the
// filter keeps.
func FilterCommand(f ledger.ViolationFilter) string {
	return Command(FilterArgs(f)...)
}

func shellWord(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-/:@,+=", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
