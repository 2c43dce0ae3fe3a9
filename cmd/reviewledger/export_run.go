package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/interop"
	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// runExport writes one run in one format.
type runExport struct {
	global      *globalOptions
	run, output string
}

// add adds the flags that all formats of a run have.
func (e *runExport) add(cmd *cobra.Command) {
	addOutput(cmd, &e.output)
	cmd.Flags().Var(filters.Text(&e.run), "run", "run ID or prefix (default: the latest run of this worktree)")
	complete(e.global, cmd, "run", completeRuns(e.global))
}

// exportExitCodes is part of the help of every format of a run.
const exportExitCodes = `Exit codes: 0 done, whatever the status of the run; 2 error.`

// write writes the run in the format that marshal produces.
func (e *runExport) write(ctx context.Context, marshal func(interop.Run) ([]byte, error)) error {
	return withLedger(ctx, e.global, func(l *store.Store) error {
		run, err := e.load(ctx, l)
		if err != nil {
			return err
		}
		data, err := marshal(run)
		if err != nil {
			return err
		}
		return e.global.writeTo(e.output, data)
	})
}

func (e *runExport) warn(text string) {
	_, _ = fmt.Fprintf(e.global.stderr, "warning: %s\n", text) // an error of stderr cannot be reported
}

// load reads the run, and adds facts from git, the configuration and the logs of its checks.
func (e *runExport) load(ctx context.Context, l *store.Store) (interop.Run, error) {
	repo, repoErr := diff.Open(ctx, e.global.dir)
	if repoErr == nil {
		defer func() { _ = repo.Close() }() // nothing was written
	}
	var run ledger.Run
	var err error
	switch {
	case e.run != "":
		run, err = filters.FindRun(ctx, l, e.run)
	case repoErr != nil:
		err = fmt.Errorf("find the latest run of this worktree: %w; use --run to name one", repoErr)
	default:
		run, err = latestRun(ctx, l, repo.Root)
	}
	if err != nil {
		return interop.Run{}, err
	}
	found, err := l.RunFindings(ctx, run.ID)
	if err != nil {
		return interop.Run{}, err
	}
	out := interop.Run{RunFindings: found, Version: releaseVersion()}
	if run.Repository.Kind == ledger.RepositoryOrigin {
		out.Remote = run.Repository.Key
	}
	if repoErr != nil || run.Worktree != repo.Root {
		return out, nil
	}
	if out.Remote == "" {
		if out.Remote, err = repo.OriginURL(ctx); err != nil {
			return out, err
		}
	}
	out.Security = e.securityJobs(repo.Root, found.State)
	out.Checks, err = checkPlaces(ctx, l, repo.Root, found.State)
	return out, err
}

func latestRun(ctx context.Context, l *store.Store, root string) (ledger.Run, error) {
	runs, err := l.Runs(ctx, ledger.RunFilter{Worktree: root, Limit: 1})
	if err == nil && len(runs) == 0 {
		return ledger.Run{}, errors.New("no run of this worktree is recorded: start one with `reviewledger run`, or use --run to export another (see: reviewledger runs)")
	}
	if err != nil {
		return ledger.Run{}, err
	}
	return runs[0], nil
}

// securityJobs returns the jobs of gates that are configured as security gates.
func (e *runExport) securityJobs(root string, state *ledger.State) map[string]bool {
	conf, err := config.Load(root)
	if err != nil {
		e.warn(fmt.Sprintf("no gate counts as a security gate, because the configuration cannot be read: %v", err))
		return nil
	}
	jobs := map[string]bool{}
	for _, g := range state.Gates {
		if g.Kind == ledger.KindReview && conf.Reviews[g.Name].Security {
			jobs[g.Job] = true
		}
	}
	return jobs
}

// checkPlaces returns the places of the first problems of failed checks, by job. Files outside of
// the worktree are ignored.
func checkPlaces(ctx context.Context, l *store.Store, root string, state *ledger.State) (map[string]ledger.Place, error) {
	places := map[string]ledger.Place{}
	for _, g := range state.FailingChecks() {
		log, err := l.CheckLog(ctx, state.Run.ID, g.Iteration, g.Job)
		if errors.Is(err, ledger.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if file, line, ok := check.FirstPlace(strings.NewReader(log)); ok {
			if name, inside := worktreeFile(root, g.EntryPoint, file); inside {
				places[g.Job] = ledger.Place{File: name, Start: line, End: line}
			}
		}
	}
	return places, nil
}

// worktreeFile returns the file of the worktree for the name that a check printed: relative to the
// check's folder or to the root, or absolute.
func worktreeFile(root, folder, name string) (string, bool) {
	name = filepath.ToSlash(name)
	candidates := []string{path.Join(folder, name), path.Clean(name)}
	if rest, ok := strings.CutPrefix(name, filepath.ToSlash(root)+"/"); ok {
		candidates = []string{path.Clean(rest)}
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return "", false
	}
	defer dir.Close()
	for _, candidate := range candidates {
		if info, err := dir.Stat(candidate); fs.ValidPath(candidate) && err == nil && info.Mode().IsRegular() {
			return candidate, true
		}
	}
	return "", false
}
