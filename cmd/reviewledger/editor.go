package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// openInEditor opens a place in the user's editor, and waits until it is closed. The
// editor's variable is split at blanks; neither it nor the name of the file reaches a
// shell.
func openInEditor(ctx context.Context, global *globalOptions, root string, place ledger.Place) error {
	command := strings.Fields(cmp.Or(global.getenv("VISUAL"), global.getenv("EDITOR")))
	if len(command) == 0 {
		return errors.New("no editor: set VISUAL or EDITOR, for example to vi")
	}
	path, err := fileInside(root, place.File)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], editorArgs(command[0], path, place.Start)...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = root, global.stdin, global.stdout, global.stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("edit %q with %q: %w", place.File, strings.Join(command, " "), err)
	}
	return nil
}

// fileInside is the path of a file of the worktree. A reviewer named it, so it may be
// anything: neither the name nor a link leads out of the worktree.
func fileInside(root, name string) (string, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	info, err := dir.Stat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%q is not a file of the working tree", name)
	}
	return filepath.Join(root, filepath.FromSlash(name)), nil
}

// editorArgs are the arguments with which an editor opens the file at the line. Most take
// what vi takes.
func editorArgs(editor, path string, line int) []string {
	if line < 1 {
		return []string{path}
	}
	at := fmt.Sprintf("%s:%d", path, line)
	switch strings.TrimSuffix(filepath.Base(editor), ".exe") {
	case "code", "code-insiders", "codium", "cursor", "windsurf":
		return []string{"--goto", at}
	case "subl", "zed", "hx", "helix":
		return []string{at}
	case "idea", "goland", "pycharm", "webstorm", "clion":
		return []string{"--line", fmt.Sprint(line), path}
	case "notepad":
		return []string{path}
	}
	return []string{fmt.Sprintf("+%d", line), path}
}
