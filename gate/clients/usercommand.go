package clients

import "slices"

// commandLimit is a bound of ours: a user's command states none.
const commandLimit = 10_000_000

// userCommand is a reviewer of the user's: all that it prints on stdout is its
// answer.
type userCommand struct{ args []string }

func (c userCommand) command(invocation) []string { return slices.Clone(c.args) }

func (userCommand) environment(invocation) environment { return environment{} }

// read knows nothing of the command's own errors. Where it failed, a usage
// limit may be named on stderr or, by a client whose stdout it passes on, there.
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
