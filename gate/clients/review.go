// Package clients asks reviewer CLIs to review changes and reads what they
// answer.
//
// [BuildPrompts] writes the prompts of one slot, [New] gives the [Reviewer]
// that fills it, and [Ask] puts the prompts to it, one call each, and merges
// what [ParseAnswer] makes of the answers.
//
// The rules, in the order of their weight:
//
//   - An ambiguous answer is an error, never a pass: a truncated answer, one that is
//     not JSON, an empty one.
//   - A reviewer that exits non-zero, dies by a signal or runs past its timeout
//     is an error, whatever it printed.
//   - A prompt goes through stdin, never through an argument or a shell.
//   - Nothing is cut in silence: a prompt above the reviewer's input limit is
//     split by file or refused, output above [MaxOutput] is an error.
//   - A limit is recognised only where a client reports its own failure, for
//     prompts and answers may speak of usage limits.
//   - Nothing in the reviewed repository makes a reviewer run code, talk to
//     another server, see other instructions, write, or answer in its place,
//     also where the user has trusted the repository in that client.
//
// Prompts, answers, file names and everything that a client prints are
// hostile. All parsing here takes linear time.
package clients

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// DefaultTimeout bounds a call that states no timeout of its own, because some
// clients retry a lost connection for ever.
const DefaultTimeout = 30 * time.Minute

// MaxOutput is the most bytes that a reviewer may print on stdout in one call.
const MaxOutput = 64 << 20

// A Reviewer answers prompts. It may be called by several goroutines at once.
type Reviewer interface {
	// Name is the adapter's name in the configuration, as in "claude".
	Name() string
	// InputLimit is the largest prompt of one call, in bytes, its preamble not
	// counted.
	InputLimit() int
	// Preamble is the text that Review puts before each prompt: where the
	// repository lies, for a reviewer that does not start in it. It ends with a
	// blank line, or is empty.
	Preamble(repo string) string
	// Review makes one call. Its errors are of type *[CallError]; the Reply
	// then holds what there is for the log.
	Review(ctx context.Context, call Call) (Reply, error)
}

// Call is one prompt for a reviewer.
type Call struct {
	// Dir is the absolute path of the repository's root. A user's command runs
	// in it; most clients run in an empty folder, and read it.
	Dir    string
	Prompt []byte
	// Model overrides [Options.Model]; empty means no override.
	Model string
	// Timeout is the longest that the call may take; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Env is the environment to start from; nil means this process's own.
	Env []string
	// Stderr receives the reviewer's stderr as it comes; it may be nil.
	Stderr io.Writer
	// Before is called before each prompt with the replies so far; its error ends the
	// asking. It may be nil.
	Before func(sofar []Reply) error
	// input is what the prompt was made of, for a reviewer that needs no prompt.
	input *PromptInput
}

// Reply is what one call gave.
type Reply struct {
	// Text is the reviewer's answer, free of its client's envelope.
	Text  string
	Usage Usage
	// Stdout is everything that the client printed there.
	Stdout []byte
	// Stderr is the last part, at most 1 MiB, of what the client printed there.
	Stderr []byte
	// Duration is how long the call took, with Waited, the time that was spent
	// on waiting for a rate limit to end.
	Duration, Waited time.Duration
	// Command is the command line, without the prompt.
	Command []string
	// Notes say what is not in the text, for the log.
	Notes []string
	// Elsewhere counts the results of a tool in files that the change does not touch.
	Elsewhere int
}

// Options configure an adapter.
type Options struct {
	// Command replaces the adapter by a command of the user's, as a list of
	// arguments: it reads the prompt on stdin and prints its answer on stdout.
	// A relative path with a slash in it is relative to [Call.Dir].
	Command []string
	// Output is what the command prints: "" or [OutputAnswer], or the format of a tool.
	Output Output
	// ExitCodes are those with which a tool has reported; nil means 0 and 1.
	ExitCodes []int
	// File is where a tool insists on writing its report, relative to [Call.Dir].
	File string
	// Model is the model to use; empty means [DefaultModel]. A user's
	// command has no use for it.
	Model string
	// Env names the variables of the environment that a reviewer gets, beside
	// those that any program and the client itself need. A star at the end of a
	// name stands for any rest. Nil means all variables.
	Env []string
}

// New returns the reviewer called name: a command of the user's if the options
// hold one, else the adapter built in under that name.
func New(name string, options Options) (Reviewer, error) {
	if len(options.Command) > 0 {
		if options.Command[0] == "" {
			return nil, fmt.Errorf("adapter %q: its command begins with an empty word", name)
		}
		if options.Output != "" && options.Output != OutputAnswer {
			return newTool(name, options), nil
		}
		return reviewer{name: name, limit: commandLimit, client: userCommand{options.Command}, env: options.Env}, nil
	}
	if strings.HasPrefix(options.Model, "-") {
		return nil, fmt.Errorf("adapter %q: model %q looks like an option", name, options.Model)
	}
	if name == BuiltinName {
		return builtinReviewer{}, nil
	}
	for _, r := range clients() {
		if r.name == name {
			r.model = cmp.Or(options.Model, DefaultModel(name))
			r.env = options.Env
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown adapter %q: give it a command under cli.adapters, or use one of %s",
		name, strings.Join(Names(), ", "))
}

// Names returns the names of the built-in adapters, sorted.
func Names() []string {
	names := []string{BuiltinName}
	for _, r := range clients() {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return names
}

// Executable returns what must be on PATH for the adapter to be healthy: the
// first word of its command, else the client's executable, or "" where nothing
// is needed: for [BuiltinName], and for an unknown name.
func Executable(name string, command []string) string {
	if len(command) > 0 {
		return command[0]
	}
	for _, r := range clients() {
		if r.name == name {
			return r.client.command(invocation{})[0]
		}
	}
	return ""
}

// DefaultModel is the model that the adapter asks for where none is configured;
// empty means that the client chooses.
func DefaultModel(name string) string {
	if name == "gemini" {
		return geminiModel
	}
	return ""
}

func clients() []reviewer {
	return []reviewer{
		{name: "claude", limit: claudeLimit, client: claude{}, own: []string{"ANTHROPIC_*", "CLAUDE_*"}},
		{name: "codex", limit: codexLimit, client: codex{}, away: true, onlyUTF8: true, own: []string{"CODEX_*", "OPENAI_*"}},
		{name: "cursor", limit: cursorLimit, client: cursor{}, away: true, own: []string{"CURSOR_*"}},
		{name: "gemini", limit: geminiLimit, client: gemini{}, away: true, own: []string{"GEMINI_*", "GOOGLE_*"}},
		{name: "github-copilot", limit: copilotLimit, client: copilot{}, away: true,
			own: []string{"COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"}},
		{name: "opencode", limit: opencodeLimit, client: opencode{}, away: true, own: []string{"OPENCODE_*"}},
	}
}
