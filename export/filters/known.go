package filters

import (
	"context"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Namer finds the names that occur in the rows of a ledger.
type Namer interface {
	Runs(ctx context.Context, f ledger.RunFilter) ([]ledger.Run, error)
	Branches(ctx context.Context) ([]string, error)
	Names(ctx context.Context) (ledger.Names, error)
}

// Elsewhere has names that are known although no row has them yet, such as those of a
// configuration. Its functions are only called if the ledger lacks a name.
type Elsewhere struct {
	// Here returns the current branch and worktree.
	Here  func() (branch, worktree string)
	Names func() ledger.Names
}

// CheckKnown rejects an unknown branch, worktree, gate, entry point, adapter, model or repository:
// a list that is empty because of a typo looks like good news.
func (s *Scope) CheckKnown(ctx context.Context, find Namer, more Elsewhere) error {
	if err := s.checkBranch(ctx, find, more); err != nil {
		return err
	}
	if err := s.checkWorktree(ctx, find, more); err != nil {
		return err
	}
	if s.Gate == "" && s.EntryPoint == "" && s.Adapter == "" && s.Model == "" && s.Repository == "" {
		return nil
	}
	names, err := find.Names(ctx)
	if err != nil {
		return err
	}
	if more.Names != nil && !(isKnown(s.Gate, names.Gates) && isKnown(s.EntryPoint, names.EntryPoints) && isKnown(s.Adapter, names.Adapters)) {
		others := more.Names()
		names.Gates, names.EntryPoints = slices.Concat(names.Gates, others.Gates), slices.Concat(names.EntryPoints, others.EntryPoints)
		names.Adapters = slices.Concat(names.Adapters, others.Adapters)
	}
	for _, filter := range []struct {
		what, name string
		known      []string
	}{
		{"gate", s.Gate, names.Gates}, {"entry point", s.EntryPoint, names.EntryPoints}, {"adapter", s.Adapter, names.Adapters},
		{"model", s.Model, append(names.Models, ledger.UnknownModel)},
		{"repository", s.Repository, names.Repositories},
	} {
		if err := CheckName(filter.what, filter.name, filter.known); err != nil {
			return err
		}
	}
	return nil
}

func isKnown(name string, known []string) bool { return name == "" || slices.Contains(known, name) }

// checkBranch rejects a branch that no run was on. There may be thousands of branches, so all of
// them are read only to suggest one.
func (s *Scope) checkBranch(ctx context.Context, find Namer, more Elsewhere) error {
	if s.Branch == "" {
		return nil
	}
	runs, err := find.Runs(ctx, ledger.RunFilter{Branch: s.Branch, Limit: 1})
	if err != nil || len(runs) > 0 {
		return err
	}
	branches, err := find.Branches(ctx)
	if err != nil {
		return err
	}
	if more.Here != nil {
		branch, _ := more.Here()
		branches = append(branches, branch)
	}
	return CheckName("branch", s.Branch, branches)
}

// checkWorktree rejects a worktree that no run was in, except for the current one.
func (s *Scope) checkWorktree(ctx context.Context, find Namer, more Elsewhere) error {
	if s.Worktree == "" || s.Worktree == AllWorktrees {
		return nil
	}
	runs, err := find.Runs(ctx, ledger.RunFilter{Worktree: s.Worktree, Limit: 1})
	if err != nil || len(runs) > 0 {
		return err
	}
	if runs, err = find.Runs(ctx, ledger.RunFilter{}); err != nil {
		return err
	}
	var worktrees []string
	for _, run := range runs {
		worktrees = append(worktrees, run.Worktree)
	}
	if more.Here != nil {
		_, worktree := more.Here()
		worktrees = append(worktrees, worktree)
	}
	return CheckName("worktree", s.Worktree, worktrees)
}

// namesShown is how many known names an error lists.
const namesShown = 8

// CheckName rejects an unknown name and suggests names that may be meant.
func CheckName(what, name string, known []string) error {
	if isKnown(name, known) {
		return nil
	}
	known = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(known))), func(name string) bool { return name == "" })
	hint := ledger.DidYouMean(ledger.Closest(name, known), "")
	switch {
	case hint != "":
	case len(known) == 0:
		hint = " (there is none yet)"
	default:
		hint = " (known: " + strings.Join(known[:min(len(known), namesShown)], ", ")
		if len(known) > namesShown {
			hint += ", …"
		}
		hint += ")"
	}
	return Errorf("unknown %s %q %s", what, name, text.EscapeLine(hint))
}
