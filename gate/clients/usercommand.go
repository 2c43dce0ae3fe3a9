package clients

import "slices"

// Output is the format of what a user's command prints.
type Output string

// The outputs. An empty Output means [OutputAnswer].
const (
	// OutputAnswer is the answer to a prompt.
	OutputAnswer Output = "answer"
	// OutputSARIF and OutputRDJSON are reports of tools, which read no prompt.
	OutputSARIF  Output = "sarif"
	OutputRDJSON Output = "rdjson"
)

// Outputs returns the names of the outputs.
func Outputs() []string {
	return []string{string(OutputSARIF), string(OutputRDJSON), string(OutputAnswer)}
}

// IsReport reports whether the output is the report of a tool, which reads no prompt.
func (o Output) IsReport() bool { return o != "" && o != OutputAnswer }

// These are the placeholders in a tool's command: the changed files, one argument each, and a path
// that is read instead of stdout.
const (
	FilesWord  = "{files}"
	OutputWord = "{output}"
)

// commandLimit is an arbitrary limit in bytes: a user's command does not state one.
const commandLimit = 10_000_000

// userCommand is a command of the user that is a reviewer: everything that it prints on stdout is
// its answer.
type userCommand struct{ args []string }

func (c userCommand) command(invocation) []string { return slices.Clone(c.args) }

func (userCommand) environment(invocation) environment { return environment{} }

// read does not know the command's own errors. If the command failed, stderr may mention a usage
// limit, and so may stdout if the command passes on a client's output.
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
