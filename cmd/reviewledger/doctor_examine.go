package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// doctor examines everything that a loop needs and changes nothing.
type doctor struct {
	global   *globalOptions
	ask      bool
	findings []finding
}

func (d *doctor) add(name string, h health, fix, format string, args ...any) {
	d.findings = append(d.findings, finding{Name: name, Health: h, Detail: fmt.Sprintf(format, args...), Fix: fix})
}

// examine goes from what everything needs to what only a part needs.
func (d *doctor) examine(ctx context.Context) {
	d.program(ctx)
	repo, err := diff.Open(ctx, d.global.dir)
	if err != nil {
		fix := "see the message from git"
		if errors.Is(err, diff.ErrNotRepository) {
			fix = "run it in a repository, or create one: `git init`"
		}
		d.add("repository", healthProblem, fix, "%v", err)
		return
	}
	defer func() { _ = repo.Close() }() // a later run sweeps what remains
	d.repository(ctx, repo)
	d.stopHooks(repo)
	d.gitHook(ctx, repo)
	w := &workspace{global: d.global, repo: repo}
	cooling := d.database(ctx, w.databasePath())
	w.config, err = config.Load(repo.Root)
	if sparse := repo.NotCheckedOut(ctx, config.Dir); sparse != nil {
		d.add("configuration", healthProblem, "git sparse-checkout add "+config.Dir, "%v", sparse)
		return
	}
	if err != nil {
		d.badConfiguration(err)
		return
	}
	d.configuration(ctx, w)
	d.reviewFiles(w)
	d.base(ctx, repo, w.config.BaseBranch)
	d.checks(ctx, w)
	d.lock(w)
	for _, adapter := range usedAdapters(w.config) {
		d.adapter(ctx, w, adapter, cooling)
	}
}

func (d *doctor) program(ctx context.Context) {
	d.add("reviewledger", healthOK, "", "%s", strings.TrimPrefix(programVersion().String(), "reviewledger "))
	version, err := diff.Version(ctx)
	switch {
	case err != nil:
		d.add("git", healthProblem, "install git and put it on PATH", "%v", err)
	case !diff.IsSupported(version):
		d.add("git", healthProblem, "install git 2.25 or newer", "version %s is too old", version)
	default:
		d.add("git", healthOK, "", "version %s", version)
	}
}

func (d *doctor) repository(ctx context.Context, repo *diff.Repo) {
	state := "on branch " + repo.Branch
	if repo.Branch == "" {
		state = "no branch is checked out"
	}
	shallow, err := repo.Shallow(ctx)
	switch {
	case err != nil:
		d.add("repository", healthProblem, "", "%s: %v", repo.Root, err)
	case repo.Head == "":
		d.add("repository", healthOK, "", "%s, %s, no commits yet: every file is a change", repo.Root, state)
	case shallow:
		d.add("repository", healthWarning, "`git fetch --unshallow`", "%s, %s: the clone is shallow; the base may be missing", repo.Root, state)
	default:
		d.add("repository", healthOK, "", "%s, %s", repo.Root, state)
	}
}

func (d *doctor) badConfiguration(err error) {
	if errors.Is(err, config.ErrNoConfig) {
		d.add("configuration", healthProblem, "`reviewledger init`", "%s does not exist", config.File)
		return
	}
	for line := range strings.Lines(err.Error()) {
		d.add("configuration", healthProblem, "edit the file, then run `reviewledger validate`", "%s", strings.TrimSpace(line))
	}
}

func (d *doctor) configuration(ctx context.Context, w *workspace) {
	c := w.config
	jobs := len(c.AllJobs())
	if jobs == 0 {
		d.add("configuration", healthProblem, "list checks or reviews under entry_points in "+config.File, "no entry point has a gate, so nothing would run")
	} else {
		d.add("configuration", healthOK, "", "jobs: %d, entry points: %d, checks: %s, reviews: %s", jobs, len(c.EntryPoints),
			gateCount(c, config.KindCheck, len(c.Checks)), gateCount(c, config.KindReview, len(c.Reviews)))
	}
	for _, warning := range c.Warnings {
		d.add("configuration", healthWarning, "", "%s", warning)
	}
	ignored, err := w.repo.Ignores(ctx, c.LogDir)
	switch {
	case err != nil:
		d.add("log directory", healthWarning, "", "%v", err)
	case !ignored:
		d.add("log directory", healthWarning, "`echo '/"+c.LogDir+"/' >> .gitignore`", "git does not ignore %s", c.LogDir)
	default:
		d.add("log directory", healthOK, "", "%s, ignored by git", c.LogDir)
	}
}

// gateCount counts the configured gates of a kind, and those of them that no entry point has.
func gateCount(c *config.Config, kind config.Kind, configured int) string {
	used := map[string]bool{}
	for _, job := range c.AllJobs() {
		if job.Kind == kind {
			used[job.Name] = true
		}
	}
	if len(used) < configured {
		return fmt.Sprintf("%d (%d in no entry point)", configured, configured-len(used))
	}
	return strconv.Itoa(configured)
}

// reviewFiles reports the newest review file of each slot if its marks cannot be read. Nothing runs
// before it can.
//
// Rule: The ledger is the only truth.
func (d *doctor) reviewFiles(w *workspace) {
	broken, err := brokenFiles(w.repo.Root, w.config)
	if err != nil {
		d.add("review files", healthProblem, "", "%v", err)
	}
	for _, file := range broken {
		d.add("review files", healthProblem, "correct the file; `reviewledger run` names the command that writes it as it was before it was edited",
			"%s cannot be read, and nothing runs before it can: %v", file.Path, file.Err)
	}
}

// brokenFiles returns the newest review file of each slot if its marks cannot be read. A log
// without a review file has no marks.
func brokenFiles(root string, conf *config.Config) (broken []ledger.SlotFile, err error) {
	var jobs []string
	for _, job := range conf.AllJobs() {
		jobs = append(jobs, job.ID())
	}
	found, _, err := slotfiles.NewDir(root, conf.LogDir, check.ParseResult).ReadAll(jobs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(file ledger.SlotFile) bool { return file.Legacy })
	for _, file := range found {
		newer := func(other ledger.SlotFile) bool {
			return other.FileID == file.FileID && other.Slot == file.Slot && other.Iteration > file.Iteration
		}
		if file.Err != nil && !slices.ContainsFunc(found, newer) {
			broken = append(broken, file)
		}
	}
	return broken, nil
}

func (d *doctor) base(ctx context.Context, repo *diff.Repo, base string) {
	if repo.Head == "" {
		return // everything is a change
	}
	commit, err := repo.MergeBase(ctx, base, repo.Head)
	if err == nil {
		d.add("base branch", healthOK, "", "%s, merge base %.12s", base, commit)
		return
	}
	fix := "set base_branch in " + config.File
	if errors.Is(err, diff.ErrCutOff) {
		fix = "`git fetch --unshallow`"
	} else if found, findErr := repo.FindBase(ctx); findErr == nil && found != "" && found != base {
		fix += fmt.Sprintf(": %s", found)
	} else if strings.HasPrefix(base, "origin/") {
		fix = "`git fetch origin`, or " + fix
	}
	d.add("base branch", healthProblem, fix, "%v", err)
}

// lock reports whether a run is in progress.
func (d *doctor) lock(w *workspace) {
	w.logs = w.folder(w.config.LogDir)
	switch running, err := w.isRunning(); {
	case err != nil:
		d.add("lock", healthProblem, "make the file readable and writable", "%v", err)
	case running:
		d.add("lock", healthWarning, "wait for it to end", "a run is in progress (lock %s)", w.logs.Shown(slotfiles.LockName))
	default:
		d.add("lock", healthOK, "", "no run is in progress")
	}
}

// usedAdapters returns the adapters of the reviews on all entry points, sorted.
func usedAdapters(c *config.Config) []string {
	used := map[string]bool{}
	for _, job := range c.AllJobs() {
		if job.Review != nil {
			for _, adapter := range job.Review.CLIPreference {
				used[adapter] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(used))
}
