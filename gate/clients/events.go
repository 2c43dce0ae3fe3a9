package clients

import (
	"bytes"
	"encoding/json"
)

// eachEvent calls handle for each line of stdout that is a JSON object with a type. Other lines are
// notices. A line that begins like an object and is not valid is a fault: it could be the answer,
// cut off.
func eachEvent(stdout []byte, handle func(kind string, event []byte) error) *fault {
	for line := range bytes.Lines(stdout) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		var head struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return badAnswer("a line of stdout is not an event: %v", err)
		}
		if err := handle(head.Type, line); err != nil {
			return badAnswer("event %q: %v", head.Type, err)
		}
	}
	return nil
}

// stderrFault returns the last lines on stderr as the client's error, without lines that repeat the
// prompt. It returns nil if there are none.
func stderrFault(out output) *fault {
	if words := lastWords(out.stderr, out.prompt); words != "" {
		return &fault{message: words}
	}
	return nil
}

// unfinished returns the fault of events that end too early. If there are no events, it is what the
// client says on stderr.
func unfinished(out output, what string) *fault {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		return stderrFault(out)
	}
	return badAnswer("%s", what)
}
