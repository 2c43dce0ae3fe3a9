package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// queryExitCodes is shown in the help of every command that only asks.
const queryExitCodes = `Exit codes: 0 done, even if nothing was found; 2 error.`

// ledgerPath is where the ledger is: where --db or REVIEWLEDGER_DB say, else in
// the repository.
func ledgerPath(ctx context.Context, global *globalOptions) (string, error) {
	if path := namedDatabase(global); path != "" {
		return path, nil
	}
	common, err := diff.CommonDir(ctx, global.dir)
	if err != nil {
		return "", err
	}
	return databaseIn(common), nil
}

// rareGC is by how many percent the memory in use may grow before garbage is
// collected, where little memory is used and much is thrown away.
const rareGC = 400

// collectRarely lets garbage be collected less often: a long report is a sixth
// faster, an import a twentieth. The limit on memory stays.
func collectRarely(global *globalOptions) {
	if global.getenv("GOGC") == "" {
		debug.SetGCPercent(rareGC)
	}
}

// withLedgerIfAny is withLedger for listings: before the first run they are empty.
func withLedgerIfAny(ctx context.Context, global *globalOptions, empty func() error, ask func(*store.Store) error) error {
	err := withLedger(ctx, global, ask)
	if errors.Is(err, store.ErrMissing) {
		return empty()
	}
	return err
}

// withLedger opens the ledger for reading and asks it.
func withLedger(ctx context.Context, global *globalOptions, ask func(*store.Store) error) (err error) {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return err
	}
	l, err := store.OpenReadOnly(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	collectRarely(global)
	return ask(l)
}

// addFormat adds the flag for the format of a listing.
func addFormat(global *globalOptions, cmd *cobra.Command, f *format, more ...format) {
	addFormats(global, cmd, f, append([]format{formatTable, formatJSON, formatNDJSON}, more...)...)
}

// addFormats adds the flag with these formats, of which the first is the default.
func addFormats(global *globalOptions, cmd *cobra.Command, f *format, allowed ...format) {
	*f = allowed[0]
	cmd.Flags().Var(&formatFlag{f, allowed}, "format", "output format")
	complete(global, cmd, "format", func(context.Context, *store.Store, string) ([]string, error) {
		var words []string
		for _, f := range allowed {
			words = append(words, string(f))
		}
		return words, nil
	})
}

// formatFlag is a format out of those that a listing has.
type formatFlag struct {
	*format
	allowed []format
}

// Set and Type implement pflag.Value with [format.String].
func (f *formatFlag) Set(text string) error {
	if !slices.Contains(f.allowed, format(text)) {
		return fmt.Errorf("use %s", oneOf(f.allowed))
	}
	*f.format = format(text)
	return nil
}

func (f *formatFlag) Type() string {
	var words []string
	for _, word := range f.allowed {
		words = append(words, string(word))
	}
	return strings.Join(words, "|")
}

var errNoRuns = errors.New("no runs yet: start one with `reviewledger run`")

// runsBack reads last and last~1: how many runs before the latest one is meant.
func runsBack(name string) (n int, ok bool) {
	if name == "" || name == "last" {
		return 0, true
	}
	back, ok := strings.CutPrefix(name, "last~")
	n, err := strconv.Atoi(back)
	return n, ok && err == nil && n >= 0 && n < 1_000_000
}

// findRun finds the run that the user names: by its id, or a prefix of one, as last or
// last~1, or by a branch, whose newest run it is. Without a name it is the latest.
func findRun(ctx context.Context, l *store.Store, name string) (ledger.Run, error) {
	if before, ok := runsBack(name); ok {
		runs, err := l.Runs(ctx, ledger.RunFilter{Limit: before + 1})
		switch {
		case err != nil:
			return ledger.Run{}, err
		case len(runs) == 0:
			return ledger.Run{}, errNoRuns
		case len(runs) <= before:
			return ledger.Run{}, fmt.Errorf("no run %s: there are only %s (see: reviewledger runs)", name, ledger.Plural(len(runs), "run"))
		}
		return runs[before], nil
	}
	run, err := l.FindRunByPrefix(ctx, name)
	if !errors.Is(err, ledger.ErrNotFound) {
		return run, err
	}
	runs, branchErr := l.Runs(ctx, ledger.RunFilter{Branch: name, Limit: 1})
	if branchErr != nil || len(runs) == 0 {
		return run, errors.Join(branchErr, fmt.Errorf("%w (see: reviewledger runs)", err))
	}
	return runs[0], nil
}

// scopeFlags are the flags that violations, mark and report share.
type scopeFlags struct {
	global                                                              *globalOptions
	run, branch, worktree, gate, entryPoint, adapter, model, repository string
}

func (s *scopeFlags) add(global *globalOptions, cmd *cobra.Command) {
	s.global = global
	flags := cmd.Flags()
	flags.Var(textFlag{&s.run}, "run", "filter by run: run ID or prefix")
	flags.Var(textFlag{&s.branch}, "branch", "filter by branch")
	flags.Var(folderFlag{textFlag{&s.worktree}}, "worktree", "filter by worktree: its folder")
	flags.Var(textFlag{&s.gate}, "gate", "filter by review gate")
	flags.Var(textFlag{&s.entryPoint}, "entry-point", "filter by entry point")
	flags.Var(textFlag{&s.adapter}, "adapter", "filter by the adapter that first reported it")
	flags.Var(textFlag{&s.model}, "model", "filter by the model that first reported it, or \"unknown\"")
	flags.Var(textFlag{&s.repository}, "repository", "filter by repository: its key, or \"unknown\"")
	complete(global, cmd, "run", completeRuns)
	complete(global, cmd, "gate", completeGates)
	complete(global, cmd, "entry-point", completeEntryPoints)
	complete(global, cmd, "branch", completeBranches)
	complete(global, cmd, "adapter", completeAdapters)
}

// violationFlags are the flags that choose violations.
type violationFlags struct {
	scopeFlags
	filter ledger.ViolationFilter
	open   bool
}

func (v *violationFlags) add(global *globalOptions, cmd *cobra.Command) {
	v.scopeFlags.add(global, cmd)
	flags, f := cmd.Flags(), &v.filter
	statuses := &wordsFlag[ledger.Status]{&f.Statuses, ledger.ShownStatuses()}
	priorities := &wordsFlag[ledger.Priority]{&f.Priorities, ledger.Priorities()}
	reasons := &wordsFlag[ledger.SkipReason]{&f.Reasons, append(ledger.SkipReasons(), ledger.NoReason)}
	flags.Var(statuses, "status", "filter by status: "+statuses.list())
	flags.Var(priorities, "priority", "filter by priority: "+priorities.list())
	actors := &wordsFlag[ledger.Actor]{&f.Actors, ledger.Actors()}
	flags.Var(actors, "status-by", "filter by who set the status: "+actors.list())
	flags.Var(reasons, "reason", "filter by reason for skipping: "+reasons.list())
	flags.BoolVar(&v.open, "open", false, "only new or reopened violations, without those of abandoned runs")
	flags.Var(textFlag{&f.File}, "file", "filter by file: a file, a folder, or a pattern with *, **, ?, [] or {}")
	flags.Var(numberFlag{&f.Iteration}, "iteration", "filter by the iteration that first reported it")
	flags.Var(numberFlag{&f.Slot}, "slot", "filter by the review index of the slot that first reported it")
	events := &wordsFlag[ledger.Status]{&f.Events.Statuses, ledger.Statuses()}
	flags.Var(events, "event", "only violations with an event in their history: "+events.list())
	addPeriod(flags, &f.Events.At, "event-", "with an --event")
	flags.Var(numberFlag{&f.Events.Iteration}, "event-iteration", "only violations with an --event that answers a report of this iteration")
	flags.BoolVar(&f.Recurring, "recurring", false, "only violations whose line has violations in other runs")
	flags.Var(textFlag{&f.Fingerprint}, "fingerprint", "filter by fingerprint")
	flags.BoolVar(&f.Alone, "alone", false, "only violations that no other adapter reported")
	flags.BoolVar(&f.InFixLines, "in-fix-lines", false, "only violations first reported in lines that the previous fix changed")
	addPeriod(flags, &f.Changed, "", "status last changed")
	addPeriod(flags, &f.Reported, "reported-", "first reported")
	complete(global, cmd, "status", completeWords(ledger.ShownStatuses()))
	complete(global, cmd, "priority", completeWords(ledger.Priorities()))
	complete(global, cmd, "event", completeWords(ledger.Statuses()))
	complete(global, cmd, "reason", completeWords(append(ledger.SkipReasons(), ledger.NoReason)))
	complete(global, cmd, "status-by", completeWords(ledger.Actors()))
	complete(global, cmd, "file", completeFiles)
}

// resolved is the filter that the flags describe.
func (v *violationFlags) resolved(ctx context.Context, l *store.Store) (ledger.ViolationFilter, error) {
	f := v.filter
	if err := inOrder("", f.Changed); err != nil {
		return f, err
	}
	if err := inOrder("reported-", f.Reported); err != nil {
		return f, err
	}
	if err := inOrder("event-", f.Events.At); err != nil {
		return f, err
	}
	if e := f.Events; len(e.Statuses) == 0 && (e.At != (ledger.Period{}) || e.Iteration > 0) {
		return f, usageError("--event-since, --event-until and --event-iteration need --event")
	}
	if err := v.resolve(ctx, l); err != nil {
		return f, err
	}
	f.Run, f.Branch, f.Worktree, f.Gate, f.EntryPoint, f.Adapter = v.run, v.branch, v.worktree, v.gate, v.entryPoint, v.adapter
	f.Model, f.Repository = v.model, v.repository
	if v.open {
		if len(f.Statuses) > 0 {
			return f, usageError("--open and --status cannot be used together")
		}
		f.Statuses = []ledger.Status{ledger.StatusNew, ledger.StatusReopened}
	}
	if f.File == "" {
		return f, nil
	}
	if err := store.CheckPattern(f.File); err != nil {
		return f, usageError("--file: %v", err)
	}
	var err error
	f.File, err = filePattern(ctx, v.global, l, f.File)
	return f, err
}

// inOrder refuses a period that ends before it begins.
func inOrder(prefix string, p ledger.Period) error {
	if p.Since.IsZero() || p.Until.IsZero() || p.Since.Before(p.Until) {
		return nil
	}
	return usageError("--%suntil must be later than --%ssince", prefix, prefix)
}

// positive refuses a negative number.
func positive(flag string, n int) error {
	if n < 0 {
		return usageError("invalid --%s %d: use 0 or greater", flag, n)
	}
	return nil
}
