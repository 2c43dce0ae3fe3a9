package clients

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/reviewledger/reviewledger/ledger"
)

// copilotLimit keeps a prompt within the 128,000 tokens of the client's usual model, at 2.5 bytes a
// token. The client refuses longer prompts.
const copilotLimit = 320_000

// copilot is GitHub Copilot CLI.
type copilot struct{}

// command does not pass -p: the client would then ignore its stdin, and with it the whole prompt.
func (copilot) command(in invocation) []string {
	args := []string{"copilot", "--output-format", "json", "--no-color", "--no-auto-update", "--no-ask-user",
		"--no-custom-instructions", "--no-remote", "--disable-builtin-mcps", "--available-tools=view,grep,glob",
		"--allow-all-paths", "--usage-output-file", copilotUsageFile(in.scratch)}
	if in.model != "" {
		args = append(args, "--model", in.model)
	}
	return args
}

func copilotUsageFile(scratch string) string { return filepath.Join(scratch, "usage.json") }

func (copilot) environment(invocation) environment { return environment{} }

// read uses the last message as the answer. The exit code in the last event is 0 even if the client
// was killed, so a 0 proves only that the events are complete.
func (copilot) read(out output) answer {
	var said answer
	var failed *fault
	var complete bool
	var exitCode int
	odd := eachEvent(out.stdout, func(kind string, line []byte) error {
		switch kind {
		case "assistant.message":
			return readCopilotMessage(line, &said)
		case "session.error":
			f, err := readCopilotError(line)
			if failed == nil || failed.kind == "" && failed.status == 0 { // the first that tells something
				failed = f
			}
			return err
		case "abort", "session.abort":
			failed = cmp.Or(failed, &fault{message: "the session was aborted"})
		case "result":
			var event struct{ ExitCode int }
			err := json.Unmarshal(line, &event)
			complete, exitCode = true, cmp.Or(exitCode, event.ExitCode)
			return err
		}
		return nil
	})
	reported := usageOf(copilotModels(out.scratch))
	if said.usage.Model != "" {
		reported.Model = said.usage.Model
	}
	said.usage = reported
	switch said.fault = cmp.Or(failed, odd); {
	case said.fault != nil:
	case exitCode != 0:
		said.fault = &fault{message: fmt.Sprintf("the result has the exit code %d", exitCode)}
	case !complete:
		said.fault = unfinished(out, "the events end without a result")
	}
	return said
}

func readCopilotMessage(line []byte, said *answer) error {
	var event struct {
		Data struct {
			Model   aside[string]
			Content string
		}
	}
	err := json.Unmarshal(line, &event)
	said.say(event.Data.Content)
	said.usage.Model = event.Data.Model.value
	return err
}

func readCopilotError(line []byte) (*fault, error) {
	var event struct {
		Data struct {
			ErrorType, Message string
			StatusCode         int
		}
	}
	err := json.Unmarshal(line, &event)
	f := &fault{status: event.Data.StatusCode, message: event.Data.Message}
	switch event.Data.ErrorType {
	case "rate_limit":
		f.status = http.StatusTooManyRequests // the message says which limit it is
	case "quota":
		f.kind = ledger.ErrorUsageLimit
	case "authentication", "authorization":
		f.kind = ledger.ErrorAuth
	case "context_limit":
		f.kind = ledger.ErrorInputLimit
	}
	return f, err
}

// copilotModels reads the file to which the client writes its token counts. A missing file is not
// an error: older clients do not write one.
func copilotModels(scratch string) map[string]tokens {
	data, err := os.ReadFile(copilotUsageFile(scratch))
	if err != nil {
		return nil
	}
	var file struct {
		ModelMetrics map[string]struct {
			Usage struct{ InputTokens, OutputTokens, CacheReadTokens int64 }
		}
	}
	if json.Unmarshal(data, &file) != nil {
		return nil
	}
	models := map[string]tokens{}
	for name, m := range file.ModelMetrics {
		models[name] = tokens{input: m.Usage.InputTokens, cached: m.Usage.CacheReadTokens, output: m.Usage.OutputTokens}
	}
	return models
}
