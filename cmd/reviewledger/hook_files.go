package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
)

// maxSettings is the largest size, in bytes, of a settings file that is changed.
const maxSettings = 1 << 20

// readSettings reads the settings file of a host. A missing file is empty.
func readSettings(root *os.Root, name string) ([]byte, fs.FileMode, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o644, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("look for %q: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%q is not a regular file, so %w", name, agent.ErrLeaveAlone)
	}
	data, err := files.ReadRegular(root, name, maxSettings)
	if err != nil {
		return nil, 0, fmt.Errorf("read %q: %w", name, err)
	}
	return data, info.Mode().Perm(), nil
}

// hookInstalled reports whether the host's settings below the folder have the hook.
func hookInstalled(folder string, h agent.Host) (bool, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return false, fmt.Errorf("open %q: %w", folder, err)
	}
	defer root.Close()
	data, _, err := readSettings(root, h.File)
	if err != nil {
		return false, err
	}
	installed, err := h.Installed(data)
	if err != nil {
		return false, fmt.Errorf("%q: %w", h.File, err)
	}
	return installed, nil
}

// changeHook installs or removes the hook. done and already are the words for a change and for no
// change.
func changeHook(ctx context.Context, global *globalOptions, f hookFlags, change func(agent.Host, []byte) ([]byte, bool, error), done, already string) error {
	host, err := hostNamed(f.agent)
	if err != nil {
		return err
	}
	folder, err := diff.Root(ctx, global.dir)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open %q: %w", folder, err)
	}
	defer root.Close()
	data, mode, err := readSettings(root, host.File)
	var changed bool
	var out []byte
	if err == nil {
		out, changed, err = change(host, data)
	}
	if errors.Is(err, agent.ErrLeaveAlone) {
		f.byHand(global, "Change %s by hand. This is the hook:\n%s", host.File, host.Snippet())
		return fmt.Errorf("change %q: %w", host.File, err)
	}
	if len(data) == 0 && len(out) > 0 {
		read := func(name string) string {
			settings, _, _ := readSettings(root, name) // the style does not depend on a file that cannot be read
			return string(settings)
		}
		out = []byte(styled(read, host.File, string(out)))
	}
	if err != nil {
		return err
	}
	answer := changedHookJSON{File: host.File, Changed: changed, Notes: []string{}}
	answer.Installed, _ = host.Installed(out) // out can be parsed: it was written by this program, or read by it
	switch {
	case f.dryRun:
		return f.would(global, answer, out)
	case !changed:
		done = already
	case len(out) == 0:
		err = root.Remove(host.File)
	default:
		err = writeSettings(root, host.File, out, mode)
	}
	if err != nil {
		return fmt.Errorf("change %q: %w", host.File, err)
	}
	if changed && answer.Installed {
		for _, note := range []string{host.Note, hookTwice(folder, host)} {
			if note != "" {
				answer.Notes = append(answer.Notes, note)
			}
		}
	}
	return printOne(global, f.format, answer, func(p *text.Page) error {
		p.Line("%s: %s", host.File, done)
		for _, note := range answer.Notes {
			p.Line("%s", note)
		}
		return nil
	})
}

func writeSettings(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	inside, err := root.OpenRoot(path.Dir(name))
	if err != nil {
		return err
	}
	defer inside.Close()
	files.SweepDead(inside, ".")
	return files.WriteAtomicMode(inside, path.Base(name), data, mode)
}

// hookTwice says that a host also runs the installed hook of another host. It returns "" if it does
// not.
func hookTwice(folder string, host agent.Host) string {
	other, ok := agent.HostNamed(host.AlsoRuns)
	if !ok {
		return ""
	}
	if installed, err := hookInstalled(folder, other); err != nil || !installed {
		return ""
	}
	return fmt.Sprintf("%s also runs the hook in %s. No message appears twice, but one of the two hooks is enough.", host.Title, other.File)
}

// stopHooks examines where the stop hook is installed.
func (d *doctor) stopHooks(repo *diff.Repo) {
	root := repo.Root
	for _, h := range agent.Hosts() {
		installed, err := hookInstalled(root, h)
		switch {
		case err != nil:
			d.add("stop hook", healthWarning, "see `reviewledger hook install --agent "+h.Name+"`", "%v", err)
		case !installed:
		case hookTwice(root, h) != "":
			d.add("stop hook", healthWarning, "`reviewledger hook remove --agent "+h.Name+"`", "%s", hookTwice(root, h))
		case h.NeedsTrust && !hookSessions(repo).Called(h):
			d.add("stop hook", healthWarning, "open /hooks in "+h.Title+" and trust it", "%s, %s: not called yet. It waits for your trust, or the agent has not stopped since", h.Title, h.File)
		default:
			d.add("stop hook", healthOK, "", "%s, %s", h.Title, h.File)
		}
	}
}
