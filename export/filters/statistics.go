package filters

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// DefaultTop is how many rows each list of statistics has without --top.
const DefaultTop = 10

// Statistics is the filter of statistics.
type Statistics struct {
	Scope
	Period ledger.Period
	Top    int
}

// Add adds the flags: the filters and the maximum number of rows of each list.
func (s *Statistics) Add(flags *pflag.FlagSet) {
	add(flags, s.table())
	flags.IntVar(&s.Top, "top", DefaultTop, "maximum number of files, gates and recurring violations (0 = no limit)")
}

// Resolve returns the filter that the flags describe.
func (s *Statistics) Resolve(ctx context.Context, find Finder) (figures.Filter, error) {
	if err := Positive("top", s.Top); err != nil {
		return figures.Filter{}, err
	}
	if err := inOrder("", s.Period); err != nil {
		return figures.Filter{}, err
	}
	if err := s.resolve(ctx, find); err != nil {
		return figures.Filter{}, err
	}
	return figures.Filter{
		Period: s.Period, Run: s.Run, Branch: s.Branch, Worktree: s.Worktree,
		Gate: s.Gate, EntryPoint: s.EntryPoint, Adapter: s.Adapter, Model: s.Model, Repository: s.Repository, Top: s.Top,
	}, nil
}
