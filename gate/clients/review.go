// Package clients calls reviewer CLIs and extracts the answer from their output.
//
// [New] returns a [Reviewer] that is sent prompts, and [Reviewer.Review] makes one call. The
// reviewers that read no prompt are in packages tool and builtin. The answer is returned as text;
// package answer parses it. Package clients starts processes and makes scratch folders, and writes
// nothing in the repository; it does not touch git or the ledger.
//
// The rules, the most important first:
//
//   - Output that is cut, empty or of an unknown shape is an error, never an answer.
//   - A reviewer that exits non-zero, dies by a signal or runs past its timeout
//     is an error, whatever it printed.
//   - A prompt goes through stdin, never through an argument or a shell.
//   - Of several messages the last is the answer. Earlier ones are for the log.
//   - Nothing is cut in silence: a prompt above the reviewer's input limit is
//     refused, output above [maxOutput] is an error.
//   - A limit is recognized only where a client reports its own failure, for
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

	form "github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// DefaultTimeout applies to a call without a timeout, because some clients retry a lost connection
// forever.
const DefaultTimeout = 30 * time.Minute

// maxOutput is how many bytes a reviewer may print on stdout in one call.
const maxOutput = 64 << 20

// A Reviewer answers prompts. Several goroutines may call it at once.
type Reviewer interface {
	// InputLimit returns the largest prompt of one call, in bytes, without the preamble.
	InputLimit() int
	// Preamble returns the text that Review puts before each prompt. It tells a reviewer that does
	// not start in the repository where the repository is. It ends with a blank line, or is empty.
	Preamble(repo string) string
	// ReadsPrompts reports whether the reviewer is sent prompts. A tool is not.
	ReadsPrompts() bool
	// ByAbsence reports whether the reviewer lists everything that it finds each time, so that not
	// reporting a claim again confirms it. Any other reviewer confirms only by a word.
	ByAbsence() bool
	// Review makes one call. Its errors are of type *[CallError]; even then the Reply holds what
	// there is for the log.
	Review(ctx context.Context, call Call) (Reply, error)
}

// Unprompted has the methods that reviewers without a model share: they read no prompt, and list
// everything each time.
type Unprompted struct{}

// InputLimit implements [Reviewer]. Without a prompt nothing has to be split.
func (Unprompted) InputLimit() int { return math.MaxInt32 }

// Preamble implements [Reviewer].
func (Unprompted) Preamble(string) string { return "" }

// ByAbsence implements [Reviewer].
func (Unprompted) ByAbsence() bool { return true }

// Call is one prompt for a reviewer.
type Call struct {
	// Dir is the absolute path of the repository's root. A user's command runs in it; most clients
	// run in an empty folder, and read it.
	Dir    string
	Prompt []byte
	// Model overrides [Options.Model]; empty means no override.
	Model string
	// Timeout is the longest that the call may take; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Env is the environment to start from; nil means that of this process.
	Env []string
	// Schema is the JSON Schema of the answer, for a client that accepts one and makes the model
	// follow it; empty means none. Claude Code knows the keywords of draft 7 and refuses any other,
	// as well as the "$schema" of another draft. Its server refuses allOf, anyOf and oneOf at the
	// top level.
	Schema []byte
	// StrictSchema is the same for a client whose server accepts only a subset of JSON Schema: each
	// key of an object is required, and no others are allowed.
	StrictSchema []byte
	// Subject holds the files and claims that the prompt describes, for a reviewer that reads no
	// prompt. It may be nil.
	Subject *Subject
}

// Reply is the result of one call, and what there is for the log.
type Reply struct {
	// Text is the reviewer's answer, its last message, without the client's envelope.
	Text string
	// Before are the client's earlier messages, for the log: the last maxBefore of them, each cut
	// to maxMessage bytes.
	Before []string
	Usage  ledger.Usage
	// Stdout is everything that the client printed on stdout.
	Stdout []byte
	// Stderr is the end, at most 1 MiB, of what the client printed on stderr.
	Stderr []byte
	// Duration is how long the call took. It includes Waited, the time spent waiting for a rate
	// limit to end.
	Duration, Waited time.Duration
	// Command is the command line, without the prompt.
	Command []string
	// Notes are about what is not in the text, for the log and the console; Log is for the log
	// alone. Warnings are what a reader of the answer has to know.
	Notes, Log, Warnings []string
	// Unseen is what a tool says that it did not look at, of what is under review, in its words; Denied
	// is what a client was not allowed to do, or what failed.
	Unseen, Denied string
	// Elsewhere counts the results of a tool in files that the change does not touch.
	Elsewhere int
	// Suppressed counts the results that are suppressed in the tool.
	Suppressed int
}

// Options are the configuration of an adapter.
type Options struct {
	// Command replaces the adapter by a command of the user, as a list of arguments: it reads the
	// prompt on stdin and prints its answer on stdout. A relative path that contains a slash is
	// relative to [Call.Dir].
	Command []string
	// Output is what the command prints: "" or [OutputAnswer], or the format of a tool.
	Output Output
	// ExitCodes are the meanings of a tool's exit codes; nil means those of the list 0 and 1.
	ExitCodes ExitCodes
	// File is the file, relative to [Call.Dir], to which a tool writes its report if it cannot
	// write to stdout.
	File string
	// Model is the model to use; empty means that of the table of adapters, or the client's own
	// choice. Of a user's command it is only recorded.
	Model string
	// ByAbsence means that the command lists everything each time, so that it is not asked about
	// claims: not reporting a claim again confirms it. Only a command can have it.
	ByAbsence bool
}

// New returns a reviewer that is sent prompts: the user's command if the options have one, else the
// client of that name.
func New(name string, options Options) (Reviewer, error) {
	if len(options.Command) > 0 {
		return reviewer{name: name, limit: commandLimit, model: options.Model, client: userCommand{options.Command}, byAbsence: options.ByAbsence}, nil
	}
	r, known := clientNamed(name)
	if !known {
		return nil, fmt.Errorf("unknown adapter %q: give it a command under cli.adapters, or use one of %s",
			name, strings.Join(slices.Sorted(slices.Values(Names())), ", "))
	}
	r.model = cmp.Or(options.Model, r.model)
	return r, nil
}

// Subject is what a review is about, for a reviewer that reads no prompt: the built-in one and the
// analysis tools.
type Subject struct {
	// Files are the changed files.
	Files []diff.File
	// WholeFiles means that the files' texts are their content and not a diff.
	WholeFiles bool
	// EntryPoint is the folder under review, relative to the repository's root; "" and "." mean the
	// root.
	EntryPoint string
	// Claims are to be verified. Known are open violations: results in their files count, too.
	Claims, Known []ledger.Violation
}

// WholeChange is the file of a result without a place. No file has that name, so the result counts
// as about the change as a whole.
const WholeChange = "."

// Found writes the answer of a reviewer without a model: its findings without duplicates, because a
// claim and the diff may both lead to one, and its verdicts on claims that are not fixed. One of
// several equal findings has the further places of all.
func Found(entries []ledger.Entry, claims []ledger.ClaimWord) string {
	type same struct {
		place      ledger.Place
		issue, fix string
		priority   ledger.Priority
	}
	found := form.Form{Status: form.Pass, Claims: claims, Violations: make([]ledger.Entry, 0, len(entries))}
	seen := make(map[same]int, len(entries))
	for _, e := range entries {
		is := same{e.Place, e.Issue, e.Fix, e.Priority}
		if n, known := seen[is]; known {
			first := &found.Violations[n]
			first.Also, first.Flow = slices.Concat(first.Also, e.Also), slices.Concat(first.Flow, e.Flow)
			continue
		}
		seen[is], found.Violations = len(found.Violations), append(found.Violations, e)
	}
	if len(found.Violations)+len(claims) > 0 {
		found.Status = form.Fail
	}
	return form.Write(found)
}
