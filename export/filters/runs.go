package filters

import (
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// Runs chooses runs.
type Runs struct {
	Filter ledger.RunFilter
	kind   string
}

// Add adds the flags.
func (r *Runs) Add(flags *pflag.FlagSet) {
	f := &r.Filter
	statuses := &Words[ledger.RunStatus]{&f.Statuses, ledger.RunStatuses()}
	flags.Var(statuses, "status", "filter by status: "+statuses.List())
	flags.Var(Text{&f.Branch}, "branch", "filter by branch")
	flags.Var(Folder{Text{&f.Worktree}}, "worktree", "filter by worktree: its folder, or all")
	flags.Var(Text{&f.Gate}, "gate", "only runs in which this gate had its turn")
	flags.Var(Text{&f.EntryPoint}, "entry-point", "only runs in which a gate of this entry point had its turn")
	flags.Var(Text{&f.Adapter}, "adapter", "only runs in which this adapter had its turn")
	flags.Var(Text{&f.Repository}, "repository", "filter by repository: its key, or \"unknown\"")
	flags.Var(Text{&r.kind}, "kind", "filter by kind: gates or code_review")
	flags.IntVar(&f.Limit, "limit", 0, "maximum number (0 = no limit)")
	AddPeriod(flags, &f.Started, "", "started")
}

// Resolve is the filter that the flags describe, for a ledger or the store of a team.
func (r *Runs) Resolve(team bool) (ledger.RunFilter, error) {
	f := r.Filter
	f.Team = team
	if f.Worktree == AllWorktrees {
		f.Worktree = ""
	}
	f.Kind = ledger.RunKind(r.kind)
	if kinds := (&Words[ledger.RunKind]{Allowed: []ledger.RunKind{ledger.KindGates, ledger.KindCodeReview}}); f.Kind != "" && !kinds.allows(f.Kind) {
		return f, Errorf("invalid %s %q: use %s", Flag("kind"), r.kind, kinds.List())
	}
	if err := Positive("limit", f.Limit); err != nil {
		return f, err
	}
	if err := checkWorktree(team, f.Worktree); err != nil {
		return f, err
	}
	return f, InOrder("", f.Started)
}
