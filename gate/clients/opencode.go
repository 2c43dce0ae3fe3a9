package clients

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// opencodeLimit is an arbitrary limit in bytes: the client accepted 12 MB.
const opencodeLimit = 10_000_000

// opencode is OpenCode.
type opencode struct{}

// command gives the session a title, because otherwise the client has a model make one from the
// whole prompt. It needs the log, which alone says which model was asked.
func (opencode) command(in invocation) []string {
	args := []string{"opencode", "run", "--format", "json", "--pure", "--agent", "plan", "--title", "review",
		"--print-logs", "--log-level", "INFO"}
	if in.model != "" {
		args = append(args, "--model", in.model)
	}
	return args
}

// environment makes the client read-only: its plan agent alone may run any command, and the
// repository's configuration starts servers.
func (opencode) environment(in invocation) environment {
	return environment{set: map[string]string{
		"OPENCODE_PERMISSION":             opencodePermission(in.repo),
		"OPENCODE_DISABLE_PROJECT_CONFIG": "1",
		"OPENCODE_DISABLE_CLAUDE_CODE":    "1",
		"OPENCODE_DISABLE_AUTOUPDATE":     "1",
	}}
}

// opencodePermission allows only reading, and outside of the folder that the client starts in only
// in the repository. The client uses the last rule that matches.
func opencodePermission(repo string) string {
	return `{"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow","external_directory":{"*":"deny",` +
		jsonString(repo) + `:"allow",` + jsonString(filepath.Join(repo, "*")) + `:"allow"}}`
}

func jsonString(text string) string {
	quoted, _ := json.Marshal(text) // encoding a string never fails
	return string(quoted)
}

// read uses the text after the last step_start as the answer.
func (opencode) read(out output) answer {
	var said answer
	var text strings.Builder
	var failed *fault
	var stopped *fault
	var finish string
	odd := eachEvent(out.stdout, func(kind string, line []byte) error {
		switch kind {
		case "step_start":
			said.say(text.String())
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
			if finish == "error" || finish == "content-filter" {
				stopped = cmp.Or(stopped, stoppedBy(finish))
			}
			return err
		case "error":
			var err error
			failed, err = readOpencodeError(line)
			return err
		}
		return nil
	})
	said.say(text.String())
	said.usage.Model = opencodeModel(out.stderr)
	switch said.fault = cmp.Or(failed, stopped, odd); {
	case said.fault != nil, finish == "stop":
	case finish == "", finish == "tool-calls": // after tool calls comes another step
		said.fault = unfinished(out, "the events end before the last step_finish")
	case finish == "length":
		said.fault = badAnswer("the answer was cut at the model's output limit")
	default:
		said.fault = badAnswer("the last step ended with %q, not \"stop\"", finish)
	}
	return said
}

// opencodeModel returns the model of the last request in the log.
func opencodeModel(log []byte) string {
	requests := regexp.MustCompile(`(?m)^timestamp=\S+ .*\bmessage=stream providerID=(\S{1,100}) modelID=(\S{1,100}) `).FindAllSubmatch(log, -1)
	if len(requests) == 0 {
		return ""
	}
	last := requests[len(requests)-1]
	return string(last[1]) + "/" + string(last[2])
}

// stoppedBy returns the fault of a step that the model did not end by itself. A later step does not
// undo it.
func stoppedBy(finish string) *fault {
	f := &fault{message: "a step ended with " + finish}
	if finish == "content-filter" {
		f.kind = ledger.ErrorRefused
	}
	return f
}

// readOpencodeStep adds a step's tokens to the usage and returns the reason why the step ended.
func readOpencodeStep(line []byte, usage *ledger.Usage) (reason string, err error) {
	var event struct {
		Part struct {
			Reason string
			Tokens aside[*struct {
				Input, Output, Reasoning int64
				Cache                    struct{ Write, Read int64 }
			}]
			Cost aside[*float64]
		}
	}
	if err := json.Unmarshal(line, &event); err != nil {
		return "", err
	}
	step := ledger.Usage{CostUSD: event.Part.Cost.value}
	if t := event.Part.Tokens.value; t != nil {
		input, output := t.Input+t.Cache.Read+t.Cache.Write, t.Output+t.Reasoning
		step.InputTokens, step.CachedTokens, step.OutputTokens = &input, &t.Cache.Read, &output
	}
	*usage = usage.Add(step)
	return event.Part.Reason, nil
}

func readOpencodeError(line []byte) (*fault, error) {
	var event struct {
		Error struct {
			Name string
			Data struct {
				Message, ResponseBody string
				StatusCode            int
				ResponseHeaders       map[string]string
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
	f := &fault{status: data.StatusCode, message: message}
	for name, value := range data.ResponseHeaders {
		if strings.EqualFold(name, "retry-after") {
			f.hint = "retry-after: " + value
		}
	}
	return f, err
}
