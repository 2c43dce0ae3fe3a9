// Package clients calls reviewer CLIs and takes the answer out of what they print.
//
// [New] gives a [Reviewer] that is sent prompts, and [Reviewer.Review] makes one call.
// Packages tool and builtin have the reviewers that read no prompt. What an answer means is
// decided in package answer: its text is returned as it is. The package starts processes
// and makes scratch folders, and writes nothing in the repository; it does not touch git or
// the ledger.
//
// The rules, in the order of their weight:
//
//   - Output that is cut, empty or of an unknown shape is an error, never an answer.
//   - A reviewer that exits non-zero, dies by a signal or runs past its timeout
//     is an error, whatever it printed.
//   - A prompt goes through stdin, never through an argument or a shell.
//   - Of several messages the last is the answer. Earlier ones are for the log.
//   - Nothing is cut in silence: a prompt above the reviewer's input limit is
//     refused, output above [maxOutput] is an error.
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
	"math"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// DefaultTimeout bounds a call that states no timeout of its own, because some
// clients retry a lost connection for ever.
const DefaultTimeout = 30 * time.Minute

// maxOutput is the most bytes that a reviewer may print on stdout in one call.
const maxOutput = 64 << 20

// A Reviewer answers prompts. It may be called by several goroutines at once.
type Reviewer interface {
	// InputLimit is the largest prompt of one call, in bytes, its preamble not
	// counted.
	InputLimit() int
	// Preamble is the text that Review puts before each prompt: where the
	// repository lies, for a reviewer that does not start in it. It ends with a
	// blank line, or is empty.
	Preamble(repo string) string
	// ReadsPrompts reports whether the reviewer is sent prompts. A tool is not.
	ReadsPrompts() bool
	// ByAbsence reports whether the reviewer lists everything that it finds each time,
	// so that a claim that it does not report again is confirmed. Of all others only a
	// word confirms.
	ByAbsence() bool
	// Review makes one call. Its errors are of type *[CallError]; the Reply
	// then holds what there is for the log.
	Review(ctx context.Context, call Call) (Reply, error)
}

// Unprompted is what reviewers have in common that ask no model: they have no use for a prompt,
// and list everything each time.
type Unprompted struct{}

// InputLimit implements [Reviewer]: nothing has to be split.
func (Unprompted) InputLimit() int { return math.MaxInt32 }

// Preamble implements [Reviewer].
func (Unprompted) Preamble(string) string { return "" }

// ByAbsence implements [Reviewer].
func (Unprompted) ByAbsence() bool { return true }

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
	// Schema is the JSON Schema of the answer, for a client that takes one and has the
	// model keep to it. Claude Code knows the keywords of draft 7, refuses any other and
	// "$schema" of another draft, and its server refuses allOf, anyOf and oneOf at the top.
	// Empty means none.
	Schema []byte
	// StrictSchema is the same for a client whose server allows only a subset: each key of
	// an object is required, and no others are allowed.
	StrictSchema []byte
	// Subject holds the files and claims that the prompt describes, for a reviewer that reads no prompt. It may be
	// nil.
	Subject *Subject
}

// Reply holds the answer of one call, and what there is for the log.
type Reply struct {
	// Text is the reviewer's answer, free of its client's envelope: its last message.
	Text string
	// Before are the client's earlier messages, for the log: the last maxBefore of them,
	// each cut to maxMessage bytes.
	Before []string
	Usage  ledger.Usage
	// Stdout is everything that the client printed there.
	Stdout []byte
	// Stderr is the last part, at most 1 MiB, of what the client printed there.
	Stderr []byte
	// Duration is how long the call took, with Waited, the time that was spent
	// on waiting for a rate limit to end.
	Duration, Waited time.Duration
	// Command is the command line, without the prompt.
	Command []string
	// Notes say what is not in the text, for the log and the console.
	Notes []string
	// Elsewhere counts the results of a tool in files that the change does not touch.
	Elsewhere int
	// Suppressed counts the results that are suppressed in the tool.
	Suppressed int
}

// Options configure an adapter.
type Options struct {
	// Command replaces the adapter by a command of the user's, as a list of
	// arguments: it reads the prompt on stdin and prints its answer on stdout.
	// A relative path with a slash in it is relative to [Call.Dir].
	Command []string
	// Output is what the command prints: "" or [OutputAnswer], or the format of a tool.
	Output Output
	// ExitCodes are the exit codes of a tool that wrote a complete report; nil means 0 and
	// 1.
	ExitCodes []int
	// File is the file to which a tool writes its report if it cannot write to stdout,
	// relative to [Call.Dir].
	File string
	// Model is the model to use; empty means that of the table of adapters, or
	// the client's own choice. A user's command has no use for it.
	Model string
	// ByAbsence means that the command lists everything each time, so that it is not asked about
	// claims: one that it does not report again is confirmed. Only a command may have it.
	ByAbsence bool
}

// New returns the reviewer called name that is sent prompts: a command of the user's
// if the options hold one, else the client of the table.
func New(name string, options Options) (Reviewer, error) {
	if len(options.Command) > 0 {
		return reviewer{name: name, limit: commandLimit, client: userCommand{options.Command}, byAbsence: options.ByAbsence}, nil
	}
	r, known := clientNamed(name)
	if !known {
		return nil, fmt.Errorf("unknown adapter %q: give it a command under cli.adapters, or use one of %s",
			name, strings.Join(slices.Sorted(slices.Values(Names())), ", "))
	}
	r.model = cmp.Or(options.Model, r.model)
	return r, nil
}
