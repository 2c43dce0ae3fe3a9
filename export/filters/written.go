package filters

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Param is a filter as it is given: a flag of a command, or a parameter of a page.
type Param struct {
	Name  string
	Value string // empty for a switch
}

// The orders in which the filters that are set are written.
const (
	violationOrder = "discarded run kind branch worktree status priority file entry-point gate adapter model repository disposition reason " +
		"iteration slot event event-iteration since until reported-since reported-until event-since event-until " +
		"fingerprint recurring alone in-fix-lines no-duplicates"
	runOrder        = "status kind branch worktree gate entry-point adapter repository since until"
	statisticsOrder = "run branch worktree entry-point gate adapter model repository since until"
)

// OfViolations returns the flags of `reviewledger violations` that list what the filter keeps.
func OfViolations(f ledger.ViolationFilter) []Param {
	list := ViolationList{Discarded: len(f.Discards) > 0, Dispositions: f.Discards}
	list.Filter = f
	list.Scope = Scope{f.Run, f.Branch, f.Worktree, f.Gate, f.EntryPoint, f.Adapter, f.Model, f.Repository}
	return written(list.table(), violationOrder)
}

// OfRuns returns the flags of `reviewledger runs` that list what the filter keeps.
func OfRuns(f ledger.RunFilter) []Param {
	runs := Runs{Filter: f, Scope: Scope{Branch: f.Branch, Worktree: f.Worktree, Gate: f.Gate, EntryPoint: f.EntryPoint, Adapter: f.Adapter, Repository: f.Repository}}
	return written(runs.table(), runOrder)
}

// OfStatistics returns the flags of `reviewledger report` that count what the filter keeps.
func OfStatistics(f figures.Filter) []Param {
	s := Statistics{Period: f.Period, Scope: Scope{f.Run, f.Branch, f.Worktree, f.Gate, f.EntryPoint, f.Adapter, f.Model, f.Repository}}
	return written(s.table(), statisticsOrder)
}

// written returns those filters of a table that are set. A word of several is a flag of its own.
func written(table []Filter, order string) (list []Param) {
	set := map[string][]string{}
	for _, f := range table {
		if values := valuesOf(f.Value); len(values) > 0 {
			set[f.Name] = values
		}
	}
	if len(set) == 0 {
		return nil
	}
	for name := range strings.FieldsSeq(order) {
		for _, value := range set[name] {
			list = append(list, Param{name, value})
		}
	}
	return list
}

// valuesOf returns what is set: nothing for the zero value, and an empty text for a switch that is on.
func valuesOf(value pflag.Value) []string {
	if when, is := value.(*When); is {
		if at := text.Timestamp(*when.At); at != nil {
			return []string{*at}
		}
		return nil
	}
	switch set := value.String(); {
	case value.Type() == "bool" && set == "true":
		return []string{""}
	case value.Type() == "bool", set == "":
		return nil
	case value.Type() == wordsType:
		return strings.Split(set, ",")
	default:
		return []string{set}
	}
}
