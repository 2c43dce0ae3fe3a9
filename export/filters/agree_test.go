package filters_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// knowsAll finds everything that a filter names.
type knowsAll struct{ filters.Finder }

func (knowsAll) FindRunByPrefix(_ context.Context, prefix string) (ledger.Run, error) {
	return ledger.Run{ID: prefix}, nil
}

func (knowsAll) Files(_ context.Context, prefix string, _ int) ([]string, error) {
	return []string{prefix}, nil
}

// sample returns a valid value for the flag.
func sample(flag *pflag.Flag) string {
	f, _ := filters.FilterOf(flag)
	switch flag.Value.Type() {
	case "bool":
		return "true"
	case "int":
		return "2"
	case "time":
		return "2026-01-31T15:04:05Z"
	}
	switch {
	case len(f.Words) > 0:
		return f.Words[0]
	case flag.Name == "worktree":
		return "/nowhere"
	}
	return "01JJJJJJJJJJJJJJJJJJJJJJJJ"
}

// withFlags parses the flags as a command does.
func withFlags[F any](t *testing.T, add func(*pflag.FlagSet), resolve func() (F, error), list []filters.Param) F {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	add(flags)
	for _, f := range list {
		if flag := flags.Lookup(f.Name); flag == nil {
			t.Fatalf("there is no flag --%s", f.Name)
		} else if f.Value == "" {
			f.Value = flag.NoOptDefVal
		}
		if err := flags.Set(f.Name, f.Value); err != nil {
			t.Fatalf("--%s=%s: %v", f.Name, f.Value, err)
		}
	}
	filter, err := resolve()
	if err != nil {
		t.Fatalf("%v: %v", list, err)
	}
	return filter
}

// agree checks that each filter of a table is among the flags that its filter is written as, and
// that these flags are parsed as the same filter.
func agree[F any](t *testing.T, table func(*pflag.FlagSet), read func([]filters.Param) F, written func(F) []filters.Param, needs map[string]string) {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	table(flags)
	flags.VisitAll(func(flag *pflag.Flag) {
		if _, is := filters.FilterOf(flag); !is {
			return
		}
		given := []filters.Param{{Name: flag.Name, Value: sample(flag)}}
		if needed := needs[flag.Name]; needed != "" {
			given = append(given, filters.Param{Name: needed, Value: sample(flags.Lookup(needed))})
		}
		filter := read(given)
		list := written(filter)
		name := flag.Name
		if name == "open" {
			name = "status" // a shorter form
		}
		if !slices.ContainsFunc(list, func(f filters.Param) bool { return f.Name == name }) {
			t.Errorf("--%s is not among the flags of its filter: %v", name, list)
		}
		if d := cmp.Diff(filter, read(list)); d != "" {
			t.Errorf("--%s is read as another filter (-given +read):\n%s", name, d)
		}
	})
}

// The URL of a page, and the command that it shows, use the filters of the commands.
func TestFlagsOfFilters(t *testing.T) {
	t.Parallel()
	t.Run("violations", func(t *testing.T) {
		t.Parallel()
		agree(t, new(filters.Violations).Add, func(list []filters.Param) ledger.ViolationFilter {
			var v filters.Violations
			return withFlags(t, v.Add, func() (ledger.ViolationFilter, error) { return v.Resolve(t.Context(), knowsAll{}) }, list)
		}, filters.OfViolations, map[string]string{"event-since": "event", "event-until": "event", "event-iteration": "event"})
	})
	t.Run("runs", func(t *testing.T) {
		t.Parallel()
		agree(t, new(filters.Runs).Add, func(list []filters.Param) ledger.RunFilter {
			var r filters.Runs
			return withFlags(t, r.Add, func() (ledger.RunFilter, error) { return r.Resolve() }, list)
		}, filters.OfRuns, nil)
	})
	t.Run("statistics", func(t *testing.T) {
		t.Parallel()
		agree(t, new(filters.Statistics).Add, func(list []filters.Param) figures.Filter {
			var s filters.Statistics
			return withFlags(t, s.Add, func() (figures.Filter, error) { return s.Resolve(t.Context(), knowsAll{}) }, list)
		}, filters.OfStatistics, nil)
	})
}
