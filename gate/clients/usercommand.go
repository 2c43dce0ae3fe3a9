package clients

import "slices"

// Output is what a user's command prints.
type Output string

// The outputs. The empty one is [OutputAnswer].
const (
	// OutputAnswer is the answer to a prompt.
	OutputAnswer Output = "answer"
	// OutputSARIF and OutputRDJSON are reports of tools that read no prompt.
	OutputSARIF  Output = "sarif"
	OutputRDJSON Output = "rdjson"
)

// Outputs lists what a user's command can print.
func Outputs() []string {
	return []string{string(OutputSARIF), string(OutputRDJSON), string(OutputAnswer)}
}

// IsReport reports whether the output is the report of a tool, which reads no prompt.
func (o Output) IsReport() bool { return o != "" && o != OutputAnswer }

// Placeholders in a tool's command: the changed files, one argument each, and a path that
// is read instead of stdout.
const (
	FilesWord  = "{files}"
	OutputWord = "{output}"
)

// commandLimit, in bytes, is our own bound: a user's command does not state one.
const commandLimit = 10_000_000

// userCommand is a reviewer of the user's: all that it prints on stdout is its
// answer.
type userCommand struct{ args []string }

func (c userCommand) command(invocation) []string { return slices.Clone(c.args) }

func (userCommand) environment(invocation) environment { return environment{} }

// read does not know the command's own errors. If the command failed, a usage limit may be
// named on stderr, or on stdout if the command passes a client's output on.
func (userCommand) read(out output) answer {
	said := answer{text: string(out.stdout)}
	if !out.failed {
		return said
	}
	if words := limitIn(said.text, out.stderr, out.prompt); words != "" {
		said.fault = &fault{message: words}
	}
	return said
}
