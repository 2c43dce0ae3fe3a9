package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/setup"
	"github.com/reviewledger/reviewledger/ledger"
)

// checks examines whether the programs of the checks exist, and what they need. It runs only pytest,
// which then lists the tests.
func (d *doctor) checks(ctx context.Context, w *workspace) {
	root, err := os.OpenRoot(w.repo.Root)
	if err != nil {
		d.add("checks", healthProblem, "make the repository's folder readable", "%v", err)
		return
	}
	defer root.Close()
	i := &initializer{global: d.global, repo: w.repo, root: root}
	facts := setup.Facts{Read: i.read, Exists: i.exists}
	jobs := slices.DeleteFunc(w.config.AllJobs(), func(job config.Job) bool { return job.Check == nil })
	d.onlyBuiltin(w, len(jobs))
	d.unlisted(w, jobs)
	found, fine := map[setup.Lack]bool{}, 0
	for _, job := range jobs {
		lack, missing := setup.MissingFor(facts, job.WorkingDirectory(), job.Check.Command)
		if missing {
			if !found[lack] { // the same for all checks of a project
				d.add(job.ID(), healthProblem, lack.Fix, "%s does not exist", lack.Path)
			}
			found[lack] = true
			continue
		}
		program := setup.Program(job.Check.Command)
		if program != "" { // else only a shell understands the command
			if why := clients.Missing(program, filepath.Join(w.repo.Root, filepath.FromSlash(job.WorkingDirectory()))); why != "" {
				d.add(job.ID(), healthProblem, "install "+program+", or correct the check's command", "%q %s", program, why)
				continue
			}
		}
		if d.collects(ctx, w, job) {
			fine++
		}
	}
	if fine > 0 && fine == len(jobs) {
		d.add("checks", healthOK, "", "their programs are there (%s)", ledger.Plural(fine, "job"))
	}
}

// unlisted warns of the checks that no entry point lists because their program was missing.
func (d *doctor) unlisted(w *workspace, jobs []config.Job) {
	for _, name := range slices.Sorted(maps.Keys(w.config.Checks)) {
		program := setup.Needs(w.config.Checks[name].Command)
		listed := slices.ContainsFunc(jobs, func(job config.Job) bool { return job.Name == name })
		if listed || program == "" || strings.Contains(program, "/") || installed(program) {
			continue
		}
		d.add("check "+name, healthWarning, "install "+program+", then add "+name+" to the checks of an entry point in "+config.File,
			"%q is not on PATH, and no entry point lists the check", program)
	}
}

// collects reports whether pytest finds tests, if the check runs it. Without one it fails each time.
func (d *doctor) collects(ctx context.Context, w *workspace, job config.Job) bool {
	dir := filepath.Join(w.repo.Root, filepath.FromSlash(job.WorkingDirectory()))
	_, err := os.Stat(filepath.Join(dir, ".venv"))
	command := setup.Collecting(job.Check.Command, err == nil)
	if command == "" {
		return true
	}
	folder, err := os.MkdirTemp("", "reviewledger-doctor-*")
	if err != nil {
		d.add(job.ID(), healthWarning, "make the folder for temporary files writable", "%v", err)
		return false
	}
	defer os.RemoveAll(folder)
	result, err := check.Run(ctx, check.Request{JobID: job.ID(), Command: command, Dir: dir, Timeout: toolTimeout, LogPath: filepath.Join(folder, "log")})
	switch {
	case err != nil:
		d.add(job.ID(), healthWarning, "", "%v", err)
	case result.Status == ledger.GatePassed:
		return true
	case result.ExitCode == pytestNoTests:
		d.add(job.ID(), healthProblem, "add a test, or remove the check from the entry point in "+config.File, "pytest finds no test in %q, which is a failure for it", job.WorkingDirectory())
	default:
		d.add(job.ID(), healthProblem, "see what it says: `"+command+"`", "pytest cannot collect the tests (%s): %s", result.Reason, errorOf(result.Excerpt))
	}
	return false
}

// errorOf returns the line of pytest's output that has the error, or else the first one.
func errorOf(said string) string {
	for line := range strings.SplitSeq(said, "\n") {
		if message, is := strings.CutPrefix(line, "E "); is {
			return strings.TrimSpace(message)
		}
	}
	first, _, _ := strings.Cut(said, "\n")
	return first
}

// pytestNoTests is the exit code of pytest if it collected no tests.
const pytestNoTests = 5

// onlyBuiltin warns if nothing would look at the code itself.
func (d *doctor) onlyBuiltin(w *workspace, checks int) {
	for _, adapter := range usedAdapters(w.config) {
		if clients.Executable(adapter, w.config.Adapters[adapter].Command) != "" {
			return
		}
	}
	if checks == 0 && len(w.config.AllJobs()) > 0 {
		d.add("gates", healthWarning, "add checks to "+config.File+", or a reviewer CLI to cli.default_preference",
			"there is no check, and no reviewer but the built-in one, which only finds conflict markers and whitespace errors")
	}
}
