package main

import (
	"cmp"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
)

// printLong prints a text that may be long: byte for byte if stdout is not a terminal, otherwise
// escaped and through $PAGER.
func (g *globalOptions) printLong(content string) error {
	if !isTerminal(g.stdout) {
		_, err := io.WriteString(g.stdout, content)
		return err
	}
	content = text.Escape(content)
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	if g.getenv("TERM") != "dumb" && g.page(content) {
		return nil
	}
	_, err := io.WriteString(g.stdout, content)
	return err
}

// page shows a text with the user's pager, and reports whether it could be started. The command is
// split at blanks, and not run by a shell.
func (g *globalOptions) page(content string) bool {
	words := strings.Fields(cmp.Or(g.getenv("PAGER"), "less"))
	if len(words) == 0 || words[0] == "cat" {
		return false
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(content), g.stdout, g.stderr
	cmd.Env = os.Environ()
	if g.getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // as git does: a text that fits the screen is only printed
	}
	if cmd.Start() != nil {
		return false
	}
	// A pager that the user quits early does not read the rest.
	_ = cmd.Wait()
	return true
}
