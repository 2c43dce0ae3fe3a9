package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// toolTimeout is the time limit for a tool run by the doctor.
const toolTimeout = 30 * time.Second

// tool runs an analysis tool on one file. That its program exists proves little, because the part
// that writes the report may be a separate package.
func (d *doctor) tool(ctx context.Context, w *workspace, name, found string) {
	label := "adapter " + name
	job := toolJob(w.config, name)
	file := d.trialFile(ctx, w, job)
	if file == "" {
		d.add(label, healthOK, "", "%s, not tried: no file of %q is there", found, job.Entry)
		return
	}
	reviewer, err := w.reviewer(name)
	if err != nil {
		d.add(label, healthProblem, "correct cli.adapters."+name+" in "+config.File, "%v", err)
		return
	}
	reply, err := reviewer.Review(ctx, clients.Call{
		Dir: w.repo.Root, Timeout: toolTimeout,
		Subject: &clients.Subject{EntryPoint: job.WorkingDirectory(), Files: []diff.File{{New: file}}},
	})
	if err == nil {
		d.add(label, healthOK, "", "%s, tried on %s in %.1fs", found, file, reply.Duration.Seconds())
		return
	}
	if failed := (*clients.CallError)(nil); errors.As(err, &failed) && failed.Kind == ledger.ErrorTimeout {
		d.add(label, healthWarning, "try its command by hand", "%s did not end within %s on %s", found, toolTimeout, file)
		return
	}
	d.add(label, d.severity(w, name), toolFix(name, string(reply.Stderr)+"\n"+err.Error()), "%s, tried on %s: %v", found, file, err)
}

// toolJob returns the first review that has the tool as an adapter. There is one, see
// [usedAdapters].
func toolJob(c *config.Config, name string) config.Job {
	jobs := c.AllJobs()
	return jobs[slices.IndexFunc(jobs, func(job config.Job) bool {
		return job.Review != nil && slices.Contains(job.Review.CLIPreference, name)
	})]
}

// trialFile returns the first changed file that the review looks at, or else the first such file of
// the repository.
func (d *doctor) trialFile(ctx context.Context, w *workspace, job config.Job) string {
	var files []string // other examinations report errors of the base or the files
	if base := w.repo.Ancestor(ctx, w.config.BaseBranch); base.Err == nil {
		if now, err := w.repo.Glance(ctx, w.worktree().SnapshotOptions()); err == nil {
			files, _, _ = w.repo.ChangedSince(ctx, base.Commit, now, w.worktree().Exclude())
		}
	}
	all, _ := w.repo.Files(ctx)
	for _, file := range append(files, all...) {
		info, err := os.Lstat(filepath.Join(w.repo.Root, filepath.FromSlash(file)))
		if err == nil && info.Mode().IsRegular() && w.config.Looks(job, file) && !strings.HasPrefix(file, config.Dir+"/") {
			return file
		}
	}
	return ""
}

// toolFix says what to install, as far as the tool's output tells.
func toolFix(name, said string) string {
	module := regexp.MustCompile(`(?i)(?:cannot find (?:module|package)|loading|install(?: --save-dev| -D)?) ["'` + "`" + `]?(@?[a-z0-9][a-z0-9._-]*/[a-z0-9._-]+)`).FindStringSubmatch(said)
	switch {
	case strings.Contains(said, "@microsoft/eslint-formatter-sarif"):
		return "`npm install --save-dev @microsoft/eslint-formatter-sarif`"
	case len(module) > 1:
		return "install " + module[1]
	case strings.Contains(said, "npx canceled"), strings.Contains(said, "could not determine executable to run"):
		return "install the tool in the project: `npm install --save-dev TOOL`"
	}
	return "install what it names, or correct cli.adapters." + name + ".command in " + config.File
}
