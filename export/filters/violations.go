package filters

import (
	"context"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// Finder finds the things that a filter names.
type Finder interface {
	// Here returns the folder of the current worktree, or "".
	Here(ctx context.Context) string
	// FindRunByPrefix returns the run whose ULID begins with the prefix.
	FindRunByPrefix(ctx context.Context, prefix string) (ledger.Run, error)
	// Runs lists runs, newest first.
	Runs(ctx context.Context, f ledger.RunFilter) ([]ledger.Run, error)
	// Files lists files that begin with the prefix and have had violations.
	Files(ctx context.Context, prefix string, limit int) ([]string, error)
}

// Scope has the filters that violations and statistics have in common.
type Scope struct {
	Run, Branch, Worktree, Gate, EntryPoint, Adapter, Model, Repository string
}

// resolve replaces the name of a run by its ID, and "all" worktrees by no filter.
func (s *Scope) resolve(ctx context.Context, find Finder) error {
	if s.Worktree == AllWorktrees {
		s.Worktree = ""
	}
	if s.Run == "" {
		return nil
	}
	run, err := FindRun(ctx, find, s.Run)
	s.Run = run.ID
	return err
}

// Violations is the filter of violations.
type Violations struct {
	Scope
	Filter ledger.ViolationFilter
	Open   bool
}

// Add adds the flags.
func (v *Violations) Add(flags *pflag.FlagSet) { add(flags, v.table()) }

// Resolve returns the filter that the flags describe.
func (v *Violations) Resolve(ctx context.Context, find Finder) (ledger.ViolationFilter, error) {
	f := v.Filter
	for _, period := range []struct {
		prefix string
		ledger.Period
	}{{"", f.Changed}, {"reported-", f.Reported}, {"event-", f.Events.At}} {
		if err := inOrder(period.prefix, period.Period); err != nil {
			return f, err
		}
	}
	if e := f.Events; len(e.Statuses) == 0 && (e.At != (ledger.Period{}) || e.Iteration > 0) {
		return f, Errorf("%s, %s and %s need %s", Flag("event-since"), Flag("event-until"), Flag("event-iteration"), Flag("event"))
	}
	if err := v.resolve(ctx, find); err != nil {
		return f, err
	}
	f.Run, f.Branch, f.Worktree, f.Gate, f.EntryPoint, f.Adapter = v.Run, v.Branch, v.Worktree, v.Gate, v.EntryPoint, v.Adapter
	if f.NoDuplicates && len(f.Statuses) == 1 && f.Statuses[0] == ledger.StatusDuplicate {
		return f, Errorf("%s and %s %s cannot be used together", Flag("no-duplicates"), Flag("status"), ledger.StatusDuplicate)
	}
	f.Model, f.Repository = v.Model, v.Repository
	if v.Open {
		if len(f.Statuses) > 0 {
			return f, Errorf("%s and %s cannot be used together", Flag("open"), Flag("status"))
		}
		f.Statuses = ledger.OpenStatuses()
	}
	if f.File == "" {
		return f, nil
	}
	var err error
	f.File, err = filePattern(ctx, find, f.File)
	return f, err
}

// filePattern returns the pattern for what the user names: a file, a pattern, or a folder, which
// stands for everything below it.
func filePattern(ctx context.Context, find Finder, name string) (string, error) {
	clean := path.Clean(name)
	if clean == "." {
		return "**", nil
	}
	switch known, err := KnownFile(ctx, find, clean); {
	case err != nil || known != "":
		return known, err
	case IsPattern(name):
		return strings.TrimPrefix(name, "./"), CheckPattern(name)
	}
	return ledger.EscapePattern(clean) + "/**", nil // also matches the name itself
}

// KnownFile returns the pattern for a file of the ledger, or for everything in a folder of it, or ""
// if there is none with the name. Characters of the name are not wildcards: many projects have files
// like app/[id]/page.tsx.
func KnownFile(ctx context.Context, find Finder, name string) (pattern string, err error) {
	known, err := find.Files(ctx, name, 1)
	if err != nil || len(known) > 0 && known[0] == name {
		return ledger.EscapePattern(name), err
	}
	if below, err := find.Files(ctx, name+"/", 1); err != nil || len(below) > 0 {
		return ledger.EscapePattern(name) + "/**", err
	}
	return "", nil
}

// IsPattern reports whether a name has wildcards, so that it may stand for several files.
func IsPattern(name string) bool { return strings.ContainsAny(name, `*?[{\`) }

// CheckPattern rejects an invalid pattern of files.
func CheckPattern(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return Errorf("%s: %q is not a valid pattern", Flag("file"), pattern)
	}
	return nil
}

// ViolationList is the filter and order of a list of violations, or of discarded reports.
type ViolationList struct {
	Violations
	// Discarded lists discarded reports instead of violations.
	Discarded    bool
	Dispositions []ledger.Disposition
	Sort         ledger.Sort
}

// Discards returns the dispositions of discarded reports.
func Discards() []ledger.Disposition {
	var discards []ledger.Disposition
	for _, d := range ledger.Dispositions() {
		if d != ledger.Accepted {
			discards = append(discards, d)
		}
	}
	return discards
}

// Add adds the flags: the filters, the order and the maximum number of rows.
func (v *ViolationList) Add(flags *pflag.FlagSet) {
	v.Sort = ledger.SortNewest
	add(flags, v.table())
	flags.Var(Word(&v.Sort, ledger.Sorts()), "sort", "sort by "+ledger.OneOf(ledger.Sorts()))
	AddLimit(flags, &v.Filter.Limit, 0)
}

// Resolve returns the filter that the flags describe. For reports, the period is that of the
// report: they do not have a status that changes.
func (v *ViolationList) Resolve(ctx context.Context, find Finder) (ledger.ViolationFilter, error) {
	if err := v.check(); err != nil {
		return v.Filter, err
	}
	f, err := v.Violations.Resolve(ctx, find)
	f.Sort = v.Sort
	if v.Discarded && f.Reported == (ledger.Period{}) {
		f.Reported = f.Changed
	}
	return f, err
}

// check rejects flags that cannot be used together.
func (v *ViolationList) check() error {
	f := v.Filter
	switch {
	case len(v.Dispositions) > 0 && !v.Discarded:
		return Errorf("%s needs %s", Flag("disposition"), Flag("discarded"))
	case v.Discarded && (v.Open || f.OnlyViolations()):
		return Errorf("%s lists reports, which have no status, events, reason or fingerprint: omit those filters", Flag("discarded"))
	case v.Discarded && v.Sort != "" && v.Sort != ledger.SortNewest:
		return Errorf("%s and %s cannot be used together: reports are listed newest first", Flag("discarded"), Flag("sort"))
	}
	return Positive("limit", f.Limit)
}

// inOrder rejects a period that ends before it starts.
func inOrder(prefix string, p ledger.Period) error {
	if p.Since.IsZero() || p.Until.IsZero() || p.Since.Before(p.Until) {
		return nil
	}
	return Errorf("%s must be later than %s", Flag(prefix+"until"), Flag(prefix+"since"))
}

// Positive rejects a negative number.
func Positive(flag Flag, n int) error {
	if n < 0 {
		return Errorf("invalid %s %d: use 0 or greater", flag, n)
	}
	return nil
}
