package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/githook"
	"github.com/reviewledger/reviewledger/internal/text"
)

// gitHook is git's pre-push hook.
type gitHook struct {
	// folder is where it is, and shown its path for people.
	folder, shown string
	// outside reports whether the folder is not in the repository, so that other repositories may use
	// it, too.
	outside bool
	// private reports whether it is in git's own folder.
	private bool
	data    []byte
	mode    fs.FileMode // 0 if there is no hook
}

// findGitHook reads git's pre-push hook.
func findGitHook(ctx context.Context, repo *diff.Repo) (h gitHook, err error) {
	folder, setting, err := repo.HooksFolder(ctx)
	if err != nil {
		return h, err
	}
	if filepath.Base(folder) == "_" && filepath.Base(filepath.Dir(folder)) == ".husky" {
		folder = filepath.Dir(folder) // husky writes that folder anew, and calls the hooks above it
	}
	h = gitHook{folder: folder, shown: filepath.ToSlash(filepath.Join(folder, githook.Name)), outside: setting != ""}
	real := realFolder(folder)
	for _, inside := range []string{repo.Root, repo.CommonDir, repo.GitDir} {
		if within := realFolder(inside); real == within || strings.HasPrefix(real, within+string(filepath.Separator)) {
			h.outside, h.private = false, inside != repo.Root || setting == ""
		}
	}
	if relative, err := filepath.Rel(repo.Root, filepath.Join(folder, githook.Name)); err == nil && filepath.IsLocal(relative) {
		h.shown = filepath.ToSlash(relative)
	}
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, fmt.Errorf("open %q: %w", folder, err)
	}
	defer root.Close()
	if _, err := root.Lstat(githook.Name); errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	h.data, h.mode, err = readSettings(root, githook.Name)
	return h, err
}

// realFolder returns the path of a folder, of which the last parts may not exist, without links.
func realFolder(folder string) string {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return real
	}
	if parent := filepath.Dir(folder); parent != folder {
		return filepath.Join(realFolder(parent), filepath.Base(folder))
	}
	return folder
}

// problem returns why the hook cannot be changed, or "".
func (h gitHook) problem() string {
	switch {
	case h.outside:
		return "core.hooksPath names a folder outside of the repository"
	case h.mode != 0 && h.mode&0o111 == 0 && runtime.GOOS != "windows":
		return "git does not run it, because it is not executable"
	}
	return ""
}

// install adds the call. In git's own folder, which belongs to this machine, it names this program: git
// may have another PATH.
func (h gitHook) install() ([]byte, bool, error) {
	program := ""
	if self, err := os.Executable(); err == nil && h.private {
		program = text.ShellWord(self)
	}
	return githook.Install(h.data, program)
}

func (h gitHook) remove() ([]byte, bool, error) { return githook.Remove(h.data) }

// changeGitHook installs or removes the call in git's pre-push hook. done and already are the words
// for a change and for no change.
func changeGitHook(ctx context.Context, global *globalOptions, f hookFlags, change func(gitHook) ([]byte, bool, error), done, already string) error {
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return err
	}
	defer repo.Close()
	h, err := findGitHook(ctx, repo)
	var out []byte
	changed := false
	why := h.problem()
	switch {
	case err != nil:
		why = err.Error()
	case why == "":
		if out, changed, err = change(h); err != nil {
			why = "it is not a shell script that can be changed, so " + err.Error()
		}
	}
	if why != "" {
		f.byHand(global, "Change %s by hand. This line has to run before anything else that reads stdin, and gets what git writes there:\n%s\n", text.EscapeLine(h.shown), githook.Command)
		return fmt.Errorf("change %q: %s", h.shown, why)
	}
	answer := changedHookJSON{File: h.shown, Changed: changed, Installed: githook.Installed(out), Notes: []string{}}
	if f.dryRun {
		return f.would(global, answer, out)
	}
	if !changed {
		done = already
	} else if err := h.write(out); err != nil {
		return fmt.Errorf("change %q: %w", h.shown, err)
	}
	return printOne(global, f.format, answer, func(p *text.Page) error {
		p.Line("%s: %s", text.EscapeLine(h.shown), done)
		return nil
	})
}

// write replaces the text of the hook, or deletes it if there is none.
func (h gitHook) write(data []byte) error {
	if err := os.MkdirAll(h.folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(h.folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if len(data) == 0 {
		return root.Remove(githook.Name)
	}
	mode := h.mode
	if mode == 0 {
		mode = 0o755
	}
	return writeSettings(root, githook.Name, data, mode)
}

// gitHookJSON says whether git asks before a push.
func gitHookJSON(ctx context.Context, global *globalOptions) (hookJSON, error) {
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return hookJSON{}, err
	}
	defer repo.Close()
	h, err := findGitHook(ctx, repo)
	return newHookJSON("git", h.shown, githook.Installed(h.data), err), nil
}

// gitHook examines git's pre-push hook.
func (d *doctor) gitHook(ctx context.Context, repo *diff.Repo) {
	const install = "`reviewledger hook install --git`"
	h, err := findGitHook(ctx, repo)
	switch {
	case err != nil:
		d.add("pre-push hook", healthWarning, "see "+install, "%v", err)
	case githook.RunsOnly(h.data):
		d.add("pre-push hook", healthWarning, "take `reviewledger run` out of it, then "+install,
			"%s calls `reviewledger run`, which lets a repeated push through, and commits that are not checked out", h.shown)
	case githook.Installed(h.data) && h.problem() != "":
		d.add("pre-push hook", healthWarning, "see "+install, "%s: %s", h.shown, h.problem())
	case githook.Installed(h.data):
		d.add("pre-push hook", healthOK, "", "%s", h.shown)
	}
}
