package diff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/process"
)

// gitError describes a git command that failed. Get it with [errors.As].
type gitError struct {
	// Args are git's arguments without the options that every call gets.
	Args []string
	// ExitCode is git's exit code, or -1 if a signal ended it.
	ExitCode int
	// Signal names the signal that ended it, or is empty.
	Signal string
	// Stderr is what git wrote to stderr, at most the first 16 KB.
	Stderr string
}

// Error names the git command and quotes git's message.
func (e *gitError) Error() string {
	text := fmt.Sprintf("git %s exited with code %d", e.Args[0], e.ExitCode)
	if e.Signal != "" {
		text = fmt.Sprintf("git %s was ended by the signal %q", e.Args[0], e.Signal)
	}
	if said := strings.TrimSpace(e.Stderr); said != "" {
		text += ": " + said
	}
	return text
}

// maxStderr is how many bytes of git's stderr are kept.
const maxStderr = 16 << 10

// git runs git commands in one folder.
type git struct {
	dir    string
	env    []string
	config []string // settings of every call, as in call.config
}

// call is one git command.
type call struct {
	args   []string
	config []string // settings, such as "core.quotePath=false"
	env    []string // added to the usual environment
	stdin  string
	stdout io.Writer // nil: into reply.stdout
}

// reply is the output of a git command that succeeded.
type reply struct {
	stdout []byte
	stderr string
}

// line returns the one line of the output.
func (r reply) line() string { return strings.TrimSuffix(string(r.stdout), "\n") }

// list returns the parts of the output, each of which ends with a NUL byte.
func (r reply) list() []string {
	return strings.FieldsFunc(string(r.stdout), func(c rune) bool { return c == 0 })
}

// run runs c. An exit code other than 0 is a *gitError.
func (g git) run(ctx context.Context, c call) (reply, error) {
	var stdout bytes.Buffer
	var stderr head
	command := process.Command{
		Args:   slices.Concat([]string{"git", "--no-pager"}, settings(slices.Concat(g.config, c.config)), c.args),
		Dir:    g.dir,
		Env:    slices.Concat(g.env, c.env),
		Stdout: c.stdout,
		Stderr: &stderr,
	}
	if c.stdout == nil {
		command.Stdout = &stdout
	}
	if c.stdin != "" {
		command.Stdin = strings.NewReader(c.stdin)
	}
	result, err := process.Run(ctx, command)
	switch {
	case errors.Is(err, process.ErrNotFound):
		return reply{}, fmt.Errorf("git %s: install git and put it on PATH: %w", c.args[0], err)
	case err != nil:
		return reply{}, fmt.Errorf("git %s: %w", c.args[0], err)
	case result.Interrupted:
		return reply{}, fmt.Errorf("git %s: %w", c.args[0], ctx.Err())
	case !result.OK():
		return reply{}, &gitError{Args: c.args, ExitCode: result.ExitCode, Signal: result.Signal, Stderr: string(stderr.kept)}
	}
	return reply{stdout: stdout.Bytes(), stderr: string(stderr.kept)}, nil
}

// list runs a command that writes paths with a NUL byte after each, and returns them sorted and
// without duplicates. An error begins with what, which names the purpose.
func (g git) list(ctx context.Context, what string, args ...string) ([]string, error) {
	out, err := g.run(ctx, call{args: args})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return slices.Compact(slices.Sorted(slices.Values(out.list()))), nil
}

// settings returns the options for every git command. With them the user's configuration neither
// changes what git finds nor makes it run a program.
func settings(more []string) []string {
	fixed := []string{
		"core.quotePath=false",
		"core.fsmonitor=false",      // may name a program, and may miss changes
		"core.untrackedCache=false", // may miss files
		"core.splitIndex=false",     // would write next to the user's index
		"core.hooksPath=" + os.DevNull,
		"core.trustctime=true",   // a change may have the old time and size
		"core.checkStat=default", // and another file may have replaced it
		"core.ignoreStat=false",  // would mark what is staged as unchanged
		"core.preloadIndex=true",
		"index.sparse=false",           // would write folders instead of files
		"safe.bareRepository=explicit", // a folder of the clone may pretend to be a repository
		"core.safecrlf=false",          // only checks, and stops "git add"
		"core.bigFileThreshold=512m",   // git's default: no lines are shown of larger files
		"core.logAllRefUpdates=false",
		"diff.suppressBlankEmpty=false",
		"color.ui=false",
		"gc.auto=0",
		"maintenance.auto=false",
	}
	var options []string
	for _, setting := range slices.Concat(fixed, more) {
		options = append(options, "-c", setting)
	}
	return options
}

// gitEnvironment returns environ for git: without variables that a git hook or the user may have
// set for other commands, and with a fixed language.
//
// Rule: Nothing is left out without a word.
func gitEnvironment(environ []string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "GIT_") && !isPassedOn(name)
	})
	return append(env,
		"LC_ALL=C", "LANGUAGE=",
		"GIT_OPTIONAL_LOCKS=0",       // never wait for, or rewrite, the user's index
		"GIT_TERMINAL_PROMPT=0",      // a partial clone may have to fetch
		"GIT_NO_REPLACE_OBJECTS=1",   // a replacement of a commit would hide changes
		"GIT_GRAFT_FILE="+os.DevNull, // and so would other parents
	)
}

// isPassedOn reports whether git gets the variable unchanged: it tells where the configuration and
// git's programs are, or how to reach a remote. All others (GIT_DIR, GIT_INDEX_FILE,
// GIT_EXTERNAL_DIFF, GIT_DIFF_OPTS, …) would change what git finds.
func isPassedOn(name string) bool {
	switch name {
	case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
		"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
		"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS":
		return true
	}
	return strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

// head keeps the first maxStderr bytes that are written to it.
type head struct{ kept []byte }

// Write keeps what fits and discards the rest.
func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), maxStderr-len(h.kept))]...)
	return len(p), nil
}

// gitFailed reports whether git itself ran, and failed.
func gitFailed(err error) bool {
	var failed *gitError
	return errors.As(err, &failed)
}

// exitedWith1 reports whether git ended with exit code 1, by which many of its commands say
// "no" or "nothing found".
func exitedWith1(err error) bool {
	var failed *gitError
	return errors.As(err, &failed) && failed.ExitCode == 1
}
