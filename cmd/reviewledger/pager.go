package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/internal/text"
)

// pagedCommands are the commands that show what they print on a terminal with a pager.
func pagedCommands() []string {
	return []string{"compare", "history", "list", "log", "report", "runs", "search", "show", "skips", "violations", "why"}
}

// printLong prints a text that may be long: byte for byte if stdout is not a terminal, otherwise
// escaped.
func (g *globalOptions) printLong(content string) error {
	if terminalOf(g.stdout) != nil {
		content = text.Escape(content)
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
	}
	_, err := io.WriteString(g.stdout, content)
	return err
}

// pagedOutput is a terminal on which a pager shows what is written. The pager starts with the first
// write. If it cannot be started, the terminal gets the text as it is.
type pagedOutput struct {
	io.Writer // the pager, or the terminal; nil before the first write
	terminal  *os.File
	cmd       *exec.Cmd
	pipe      io.WriteCloser
	left      bool // the pager was left before it had read everything
}

// Write implements [io.Writer].
func (p *pagedOutput) Write(data []byte) (int, error) {
	if p.Writer == nil {
		p.start()
	}
	n, err := p.Writer.Write(data)
	p.left = p.left || err != nil && p.pipe != nil
	return n, err
}

func (p *pagedOutput) start() {
	p.Writer = p.terminal
	pipe, err := p.cmd.StdinPipe()
	if err == nil && p.cmd.Start() == nil {
		p.Writer, p.pipe = pipe, pipe
	}
}

// end waits until the user leaves the pager.
func (p *pagedOutput) end() {
	if p.pipe != nil {
		_ = p.pipe.Close()
		_ = p.cmd.Wait() // a pager that the user leaves early is not an error
	}
}

// paged returns a command's function that prints to the user's pager, if there is one and stdout is
// a terminal.
func (g *globalOptions) paged(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		terminal, pager := terminalOf(g.stdout), g.pager()
		if terminal == nil || pager == nil {
			return run(cmd, args)
		}
		pager.Stdout, pager.Stderr = terminal, terminal
		out := &pagedOutput{terminal: terminal, cmd: pager}
		g.stdout = out
		defer func() { g.stdout = terminal }()
		err := run(cmd, args)
		out.end()
		if out.left {
			return nil
		}
		return err
	}
}

// shellCharacters are those because of which git has a shell run a pager.
const shellCharacters = "|&;<>()$`\\\"'*?[#~=%"

// pager returns the command of the user's pager: that of REVIEWLEDGER_PAGER, PAGER or less, as git
// chooses it, or nil if the user wants none.
func (g *globalOptions) pager() *exec.Cmd {
	command := "less"
	for _, name := range []string{"PAGER", "REVIEWLEDGER_PAGER"} {
		if value, given := g.lookupenv(name); given {
			command = value
		}
	}
	words := strings.Fields(command)
	if len(words) == 0 || slices.Equal(words, []string{"cat"}) || g.getenv("TERM") == "dumb" {
		return nil
	}
	if strings.ContainsAny(command, shellCharacters) {
		words = []string{"sh", "-c", command}
	}
	cmd := exec.Command(words[0], words[1:]...)
	if errors.Is(cmd.Err, exec.ErrDot) { // never one of the folder that is reviewed
		return nil
	}
	cmd.Dir, cmd.Env = g.dir, os.Environ()
	if _, given := g.lookupenv("LESS"); !given {
		cmd.Env = append(cmd.Env, "LESS=FRX") // as git does: a text that fits the screen is only printed
	}
	return cmd
}
