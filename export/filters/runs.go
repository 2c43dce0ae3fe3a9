package filters

import (
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// Runs is the filter of a list of runs.
type Runs struct {
	Scope
	Filter ledger.RunFilter
}

// Add adds the flags: the filters and the maximum number of rows.
func (r *Runs) Add(flags *pflag.FlagSet) {
	add(flags, r.table())
	AddLimit(flags, &r.Filter.Limit, 0)
}

// Resolve returns the filter that the flags describe.
func (r *Runs) Resolve() (ledger.RunFilter, error) {
	f := r.Filter
	if err := Positive("limit", f.Limit); err != nil {
		return f, err
	}
	f.Branch, f.Gate, f.EntryPoint, f.Adapter, f.Repository = r.Branch, r.Gate, r.EntryPoint, r.Adapter, r.Repository
	if r.Worktree != AllWorktrees {
		f.Worktree = r.Worktree
	}
	return f, inOrder("", f.Started)
}
