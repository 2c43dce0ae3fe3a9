package listings

import (
	"strconv"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Flag is a flag of a command, which is also a parameter of a page.
type Flag struct {
	Name  string
	Value string // empty for a switch
}

// flags are the flags of a filter. Zero values of the filter are omitted.
type flags []Flag

func (f *flags) add(name, value string) {
	if value != "" {
		*f = append(*f, Flag{name, value})
	}
}

func (f *flags) number(name string, n int) {
	if n > 0 {
		f.add(name, strconv.Itoa(n))
	}
}

func (f *flags) turnOn(name string, on bool) {
	if on {
		*f = append(*f, Flag{Name: name})
	}
}

func (f *flags) period(prefix string, p ledger.Period) {
	for _, bound := range []struct {
		name string
		at   time.Time
	}{{"since", p.Since}, {"until", p.Until}} {
		if at := text.Timestamp(bound.at); at != nil {
			f.add(prefix+bound.name, *at)
		}
	}
}

func addEach[T ~string](f *flags, name string, values []T) {
	for _, value := range values {
		f.add(name, string(value))
	}
}

// args returns the arguments of a command with the flags.
func (f flags) args(command string) []string {
	args := []string{command}
	for _, flag := range f {
		if args = append(args, "--"+flag.Name); flag.Value != "" {
			args = append(args, flag.Value)
		}
	}
	return args
}

// FilterFlags returns the flags of `reviewledger violations` that list what the filter keeps.
func FilterFlags(f ledger.ViolationFilter) []Flag {
	var list flags
	list.turnOn("discarded", len(f.Discards) > 0)
	list.add("run", f.Run)
	list.add("kind", string(f.Kind))
	list.add("branch", f.Branch)
	list.add("worktree", f.Worktree)
	addEach(&list, "status", f.Statuses)
	addEach(&list, "priority", f.Priorities)
	list.add("file", f.File)
	list.add("entry-point", f.EntryPoint)
	list.add("gate", f.Gate)
	list.add("adapter", f.Adapter)
	list.add("model", f.Model)
	list.add("repository", f.Repository)
	addEach(&list, "disposition", f.Discards)
	addEach(&list, "reason", f.Reasons)
	list.number("iteration", f.Iteration)
	list.number("slot", f.Slot)
	addEach(&list, "event", f.Events.Statuses)
	list.number("event-iteration", f.Events.Iteration)
	list.period("", f.Changed)
	list.period("reported-", f.Reported)
	list.period("event-", f.Events.At)
	list.add("fingerprint", f.Fingerprint)
	list.turnOn("recurring", f.Recurring)
	list.turnOn("alone", f.Alone)
	list.turnOn("in-fix-lines", f.InFixLines)
	list.turnOn("no-duplicates", f.NoDuplicates)
	return list
}

// FilterArgs returns the arguments of `reviewledger violations` with the flags of [FilterFlags].
func FilterArgs(f ledger.ViolationFilter) []string {
	return flags(FilterFlags(f)).args("violations")
}

// RunFlags returns the flags of `reviewledger runs` that list what the filter keeps.
func RunFlags(f ledger.RunFilter) []Flag {
	var list flags
	addEach(&list, "status", f.Statuses)
	list.add("kind", string(f.Kind))
	list.add("branch", f.Branch)
	list.add("worktree", f.Worktree)
	list.add("gate", f.Gate)
	list.add("entry-point", f.EntryPoint)
	list.add("adapter", f.Adapter)
	list.add("repository", f.Repository)
	list.period("", f.Started)
	return list
}

// RunsCommand returns the command line, for a POSIX shell, that lists the runs that the filter
// keeps.
func RunsCommand(f ledger.RunFilter) string { return Command(flags(RunFlags(f)).args("runs")...) }

// StatisticsFlags returns the flags of `reviewledger report` that count what the filter keeps.
func StatisticsFlags(f figures.Filter) []Flag {
	var list flags
	list.add("run", f.Run)
	list.add("branch", f.Branch)
	list.add("worktree", f.Worktree)
	list.add("entry-point", f.EntryPoint)
	list.add("gate", f.Gate)
	list.add("adapter", f.Adapter)
	list.add("model", f.Model)
	list.add("repository", f.Repository)
	list.period("", f.Period)
	return list
}

// FilterCommand returns the command line, for a POSIX shell, that lists what the filter keeps.
func FilterCommand(f ledger.ViolationFilter) string {
	return Command(FilterArgs(f)...)
}
