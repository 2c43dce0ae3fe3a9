package review

import (
	"bytes"
	"encoding/json"
)

// cursorLimit is a cautious guess: no limit of the client is known.
const cursorLimit = 1_000_000

// cursor is Cursor's CLI. Its shape is taken from its documentation.
type cursor struct{}

func (cursor) command(model, _ string) []string {
	args := []string{"cursor-agent", "--print", "--output-format", "json"}
	if model != "" {
		args = append(args, "--model", model)
	}
	return args
}

func (cursor) environment() environment { return environment{} }

// read expects one object in success, and in failure a message on stderr alone.
func (cursor) read(out output) answer {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		return answer{fault: stderrFault(out)}
	}
	var result struct {
		Type    string `json:"type"`
		IsError bool   `json:"is_error"`
		Result  string `json:"result"`
	}
	if err := json.Unmarshal(out.stdout, &result); err != nil {
		return answer{fault: protocolFault("stdout is no result object: %v", err)}
	}
	said := answer{text: result.Result}
	switch {
	case result.IsError:
		said.fault = &fault{message: result.Result}
	case result.Type != "result":
		said.fault = protocolFault("the object on stdout has the type %q, not \"result\"", result.Type)
	}
	return said
}
