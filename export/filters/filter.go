package filters

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// Filter is one way to choose the rows of a list: a flag of a command, and the parameter of a page
// with the same name. Help, completion and pages are generated from it.
type Filter struct {
	Name  string
	Value pflag.Value
	Help  string
	// Words are the allowed values, which the help names. It is empty if any text is allowed.
	Words []string
	// Names is the kind of thing in the ledger that the value names, if it names one.
	Names Names
}

// Names is a kind of thing in the ledger that a filter can name.
type Names string

// Kinds of things that filters name.
const (
	RunNames        Names = "runs"
	BranchNames     Names = "branches"
	GateNames       Names = "gates"
	EntryPointNames Names = "entry points"
	AdapterNames    Names = "adapters"
	ModelNames      Names = "models"
	RepositoryNames Names = "repositories"
	FileNames       Names = "files"
)

// Annotations of a flag that is a filter. They hold the fields of [Filter] that pflag has no field
// for.
const (
	filterMark = "filter"
	filterName = "filter-names"
	filterWord = "filter-words"
)

// FilterOf returns the filter that a flag was made from, if any.
func FilterOf(flag *pflag.Flag) (f Filter, ok bool) {
	if _, ok = flag.Annotations[filterMark]; !ok {
		return f, false
	}
	f = Filter{Name: flag.Name, Value: flag.Value, Help: flag.Usage, Words: flag.Annotations[filterWord]}
	if names := flag.Annotations[filterName]; len(names) > 0 {
		f.Names = Names(names[0])
	}
	return f, true
}

// add adds the filters as flags.
func add(flags *pflag.FlagSet, list []Filter) {
	for _, f := range list {
		help := f.Help
		if len(f.Words) > 0 {
			help = strings.TrimPrefix(help+": "+ledger.OneOf(f.Words), ": ")
		}
		flag := flags.VarPF(f.Value, f.Name, "", help)
		if f.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
		flag.Annotations = map[string][]string{filterMark: {}, filterWord: f.Words}
		if f.Names != "" {
			flag.Annotations[filterName] = []string{string(f.Names)}
		}
	}
}

// named returns the filter for the name of something in the ledger.
func named(name string, value *string, names Names, help string) Filter {
	return Filter{Name: name, Value: Text(value), Help: help, Names: names}
}

// anyOf returns the filter for any number of words of a list.
func anyOf[T ~string](name string, values *[]T, allowed []T, help string) Filter {
	return Filter{Name: name, Value: Words(values, allowed), Help: help, Words: texts(allowed)}
}

func period(prefix string, p *ledger.Period, what string) []Filter {
	return []Filter{
		{Name: prefix + "since", Value: &When{At: &p.Since, All: true}, Help: what + " since this time, or all"},
		{Name: prefix + "until", Value: &When{At: &p.Until}, Help: what + " before this time"},
	}
}

// kind returns the filter for a kind of runs.
func kind(value *ledger.RunKind, help string) Filter {
	kinds := []ledger.RunKind{ledger.KindGates, ledger.KindCodeReview}
	return Filter{Name: "kind", Value: Word(value, kinds), Help: help, Words: texts(kinds)}
}

// toggle returns a filter that is true or false. Without a value it is true.
func toggle(name string, value *bool, help string) Filter {
	return Filter{Name: name, Value: Value{"bool", func() string { return strconv.FormatBool(*value) }, func(text string) (err error) {
		*value, err = strconv.ParseBool(text)
		return err
	}}, Help: help}
}

// table returns the filters that violations and statistics have in common.
func (s *Scope) table() []Filter {
	return []Filter{
		named("run", &s.Run, RunNames, "in this run: its ID, or a prefix of it"),
		named("branch", &s.Branch, BranchNames, "in runs of this branch"),
		named("gate", &s.Gate, GateNames, "of this review gate"),
		named("entry-point", &s.EntryPoint, EntryPointNames, "of this entry point"),
		named("adapter", &s.Adapter, AdapterNames, "first reported by this adapter"),
		named("model", &s.Model, ModelNames, "first reported by this model, or \"unknown\""),
		named("repository", &s.Repository, RepositoryNames, "in this repository: its key, or \"unknown\""),
		{Name: "worktree", Value: folder(&s.Worktree), Help: "in this worktree: its folder, or all"},
	}
}

// table returns the filters of violations, the most used first.
func (v *Violations) table() []Filter {
	f := &v.Filter
	return slices.Concat(
		[]Filter{
			toggle("open", &v.Open, "new, reopened or disputed, without those of abandoned runs"),
			anyOf("status", &f.Statuses, ledger.ShownStatuses(), ""),
			anyOf("priority", &f.Priorities, ledger.Priorities(), ""),
			{Name: "file", Value: Text(&f.File), Help: "in this file or folder, or where a pattern with *, **, ?, [] or {} matches", Names: FileNames},
		},
		period("", &f.Changed, "status last changed"),
		v.Scope.table(),
		[]Filter{
			kind(&f.Kind, "in runs of this kind"),
			anyOf("reason", &f.Reasons, append(ledger.SkipReasons(), ledger.NoReason), "skipped for this reason"),
			toggle("recurring", &f.Recurring, "whose line has violations in other runs"),
			toggle("alone", &f.Alone, "that no other adapter reported"),
			toggle("no-duplicates", &f.NoDuplicates, "without duplicates: each problem once"),
			toggle("in-fix-lines", &f.InFixLines, "first reported in lines that the previous fix changed"),
			{Name: "iteration", Value: Number(&f.Iteration), Help: "first reported in this iteration"},
			{Name: "slot", Value: Number(&f.Slot), Help: "first reported by the slot with this review index"},
		},
		period("reported-", &f.Reported, "first reported"),
		[]Filter{anyOf("event", &f.Events.Statuses, ledger.Statuses(), "with an event in their history; a skip that was taken back is not one")},
		period("event-", &f.Events.At, "with an --event"),
		[]Filter{
			{Name: "event-iteration", Value: Number(&f.Events.Iteration), Help: "with an --event that answers a report of this iteration"},
			{Name: "fingerprint", Value: Text(&f.Fingerprint), Help: "with this fingerprint"},
		},
	)
}

// table returns the filters of a list of violations, or of discarded reports.
func (v *ViolationList) table() []Filter {
	return append(v.Violations.table(),
		toggle("discarded", &v.Discarded, "list filtered reports instead"),
		anyOf("disposition", &v.Dispositions, Discards(), "with --discarded, filtered as"),
	)
}

// table returns the filters of runs, the most used first.
func (r *Runs) table() []Filter {
	f := &r.Filter
	return slices.Concat(
		[]Filter{
			anyOf("status", &f.Statuses, ledger.RunStatuses(), ""),
			named("branch", &r.Branch, BranchNames, "of this branch"),
		},
		period("", &f.Started, "started"),
		[]Filter{
			kind(&f.Kind, ""),
			named("gate", &r.Gate, GateNames, "in which this gate was executed"),
			named("entry-point", &r.EntryPoint, EntryPointNames, "in which a gate of this entry point was executed"),
			named("adapter", &r.Adapter, AdapterNames, "in which this adapter was asked"),
			named("repository", &r.Repository, RepositoryNames, "of this repository: its key, or \"unknown\""),
			{Name: "worktree", Value: folder(&r.Worktree), Help: "of this worktree: its folder, or all"},
		},
	)
}

// table returns the filters of statistics, the most used first.
func (s *Statistics) table() []Filter {
	return append(period("", &s.Period, "happened"), s.Scope.table()...)
}
