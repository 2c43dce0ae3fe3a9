package review

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
)

// geminiLimit stays well below the 4 MB at which Gemini CLI takes a prompt for
// larger than the model's window: it then sends nothing, prints an empty
// response and exits with 0. The rest is room for text that takes more tokens a
// byte than code does.
const geminiLimit = 1_500_000

// gemini is Gemini CLI.
type gemini struct{}

// command always names a model: without one, an exhausted quota makes the
// client try its models in turn without pause and without end.
func (gemini) command(model, _ string) []string {
	return []string{"gemini", "--output-format", "json", "--approval-mode", "plan", "--skip-trust",
		"-m", cmp.Or(model, "gemini-2.5-pro")}
}

// environment keeps the client one process, which starts faster and heeds
// signals.
func (gemini) environment() environment {
	return environment{set: map[string]string{"GEMINI_CLI_NO_RELAUNCH": "true"}}
}

// geminiObject is printed on stdout in success and, with an error, at the end
// of stderr in failure. The exit code is the HTTP status modulo 256: it says
// nothing.
type geminiObject struct {
	Response *string
	Error    *struct {
		Message string
		Code    json.RawMessage
	}
	Stats struct {
		Models map[string]struct {
			Tokens struct{ Prompt, Candidates, Cached, Thoughts int64 }
		}
	}
}

func (gemini) read(out output) answer {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		if object, found := lastObject(out.stderr); found && object.Error != nil {
			return answer{fault: object.fault()}
		}
		return answer{fault: stderrFault(out)}
	}
	var object geminiObject
	if err := json.Unmarshal(out.stdout, &object); err != nil {
		return answer{fault: protocolFault("stdout is no result object: %v", err)}
	}
	said := answer{usage: object.usage()}
	switch {
	case object.Error != nil:
		said.fault = object.fault()
	case object.Response == nil:
		said.fault = protocolFault("the object on stdout has no response")
	}
	if object.Response != nil {
		said.text = *object.Response
	}
	return said
}

// lastObject decodes the pretty-printed object that follows the log lines on
// stderr.
func lastObject(stderr []byte) (object geminiObject, found bool) {
	start := bytes.LastIndex(stderr, []byte("\n{\n")) + 1
	err := json.NewDecoder(bytes.NewReader(stderr[start:])).Decode(&object)
	return object, err == nil
}

func (o geminiObject) fault() *fault {
	status, err := strconv.Atoi(string(bytes.Trim(o.Error.Code, `"`)))
	if err != nil {
		status = 0 // the client's own errors have codes such as INVALID_STREAM
	}
	return &fault{status: status, message: o.Error.Message}
}

func (o geminiObject) usage() Usage {
	models := map[string]tokens{}
	for name, m := range o.Stats.Models {
		models[name] = tokens{
			input:  m.Tokens.Prompt,
			cached: m.Tokens.Cached,
			output: m.Tokens.Candidates + m.Tokens.Thoughts,
		}
	}
	return usageOf(models)
}
