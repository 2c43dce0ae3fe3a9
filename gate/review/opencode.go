package review

import (
	"bytes"
	"encoding/json"
	"strings"
)

// opencodeLimit is a bound of ours: the client took 12 MB.
const opencodeLimit = 10_000_000

// opencode is OpenCode.
type opencode struct{}

func (opencode) command(model, _ string) []string {
	args := []string{"opencode", "run", "--format", "json", "--pure", "--agent", "plan"}
	if model != "" {
		args = append(args, "--model", model)
	}
	return args
}

// environment holds what makes the client read-only: its plan agent alone may
// run any command, and the repository's configuration starts servers.
func (opencode) environment() environment {
	return environment{set: map[string]string{
		"OPENCODE_PERMISSION":             `{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow"}`,
		"OPENCODE_DISABLE_PROJECT_CONFIG": "1",
	}}
}

// read takes the text after the last step_start for the answer.
func (opencode) read(out output) answer {
	var said answer
	var text strings.Builder
	var failed *fault
	var finish string
	odd := eachEvent(out.stdout, func(kind string, line []byte) error {
		switch kind {
		case "step_start":
			text.Reset()
			finish = ""
		case "text":
			var event struct{ Part struct{ Text string } }
			err := json.Unmarshal(line, &event)
			text.WriteString(event.Part.Text)
			return err
		case "step_finish":
			var err error
			finish, err = readOpencodeStep(line, &said.usage)
			return err
		case "error":
			var err error
			failed, err = readOpencodeError(line)
			return err
		}
		return nil
	})
	said.text = text.String()
	switch {
	case failed != nil:
		said.fault = failed
	case odd != nil:
		said.fault = odd
	case len(bytes.TrimSpace(out.stdout)) == 0:
		said.fault = stderrFault(out)
	case finish == "", finish == "tool-calls": // after tools comes another step
		said.fault = protocolFault("the events end before the last step_finish")
	case finish == "length":
		said.fault = protocolFault("the answer was cut at the model's output limit")
	}
	return said
}

// readOpencodeStep adds a step's tokens to the usage and returns why the step
// ended.
func readOpencodeStep(line []byte, usage *Usage) (reason string, err error) {
	var event struct {
		Part struct {
			Reason string
			Tokens *struct {
				Input, Output, Reasoning int64
				Cache                    struct{ Write, Read int64 }
			}
			Cost *float64
		}
	}
	if err := json.Unmarshal(line, &event); err != nil {
		return "", err
	}
	step := Usage{CostUSD: event.Part.Cost}
	if t := event.Part.Tokens; t != nil {
		input, output := t.Input+t.Cache.Read+t.Cache.Write, t.Output+t.Reasoning
		step.InputTokens, step.CachedTokens, step.OutputTokens = &input, &t.Cache.Read, &output
	}
	*usage = usage.Add(step)
	if event.Part.Reason == "" {
		return "unknown", nil
	}
	return event.Part.Reason, nil
}

func readOpencodeError(line []byte) (*fault, error) {
	var event struct {
		Error struct {
			Name string
			Data struct {
				Message, ResponseBody string
				StatusCode            int
			}
		}
	}
	err := json.Unmarshal(line, &event)
	data := event.Error.Data
	message := data.Message
	if message == "" {
		message = event.Error.Name
	}
	if data.ResponseBody != "" && !strings.Contains(message, data.ResponseBody) {
		message += " · " + data.ResponseBody
	}
	return &fault{status: data.StatusCode, message: message}, err
}
