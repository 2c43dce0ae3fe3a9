package clients

import (
	"bytes"
	"encoding/json"
	"strings"
)

// cursorLimit is a cautious guess: the client's limit is not known.
const cursorLimit = 1_000_000

// cursor is Cursor's CLI. Its flags and output follow its documentation and have not been tried.
type cursor struct{}

// command uses the mode that explores without making changes: print mode alone has all tools,
// including those that write. --trust covers only the empty folder in which the client starts,
// because nobody is there to confirm it.
func (cursor) command(in invocation) []string {
	args := []string{"cursor-agent", "--print", "--output-format", "json", "--mode", "ask", "--trust"}
	if in.model != "" {
		args = append(args, "--model", in.model)
	}
	return args
}

func (cursor) environment(invocation) environment { return environment{} }

// read expects one object on success, and only a message on stderr on failure.
func (cursor) read(out output) answer {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		return answer{fault: stderrFault(out)}
	}
	var result struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		IsError bool   `json:"is_error"`
		Result  string `json:"result"`
	}
	if err := json.Unmarshal(out.stdout, &result); err != nil {
		return answer{fault: badAnswer("stdout is not a result object: %v", err)}
	}
	said := answer{text: result.Result}
	switch {
	case result.IsError:
		said.fault = &fault{message: result.Result}
	case strings.HasPrefix(strings.ToLower(result.Subtype), "error"):
		said.fault = &fault{message: strings.TrimSpace(result.Subtype + " " + result.Result)}
	case result.Type != "result":
		said.fault = badAnswer("the object on stdout has the type %q, not \"result\"", result.Type)
	}
	return said
}
