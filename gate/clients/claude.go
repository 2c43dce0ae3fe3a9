package clients

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// claudeLimit is below 10 MB, above which Claude Code refuses a prompt on stdin.
const claudeLimit = 10_000_000

// claude is Claude Code. It starts in the repository: with these flags and variables it uses
// neither settings nor instructions from there, and it does not read files elsewhere.
type claude struct{}

// command allows only tools that read, and neither hooks nor servers from the repository's
// configuration. (--bare would do that too, but does not work for users who are logged in with a
// subscription.)
//
// Rule: The repository does not control its reviewer.
func (claude) command(in invocation) []string {
	args := []string{"claude", "-p", "--output-format", "json", "--tools", "Read,Grep,Glob",
		"--permission-mode", "dontAsk", "--strict-mcp-config", "--setting-sources", "user",
		"--no-session-persistence"}
	if len(in.schema) > 0 && len(in.schema) <= maxArgument() {
		args = append(args, "--json-schema", string(in.schema))
	}
	if in.model != "" {
		args = append(args, "--model", in.model)
	}
	return args
}

// maxArgument is the largest schema, in bytes, that is passed as an argument. Linux allows 128 KiB
// for one argument, Windows 32 KiB for all, with each quote doubled. For a larger schema only the
// prompt asks for the form.
func maxArgument() int {
	if runtime.GOOS == "windows" {
		return 12 << 10
	}
	return 96 << 10
}

// environment hides an outer Claude Code, inside which it refuses to start, and shortens three
// minutes of retries to seconds. It excludes the memory that the agent under review may have
// written, the repository's instructions, and the messages of its latest commits.
func (claude) environment(invocation) environment {
	return environment{
		unset: []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"},
		set: map[string]string{
			"CLAUDE_CODE_MAX_RETRIES":              "2",
			"CLAUDE_CODE_DISABLE_AUTO_MEMORY":      "1",
			"CLAUDE_CODE_DISABLE_CLAUDE_MDS":       "1",
			"CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS": "1",
		},
	}
}

// claudeUnfit is the subtype of a result whose model called the schema's tool five times without an
// object that fits. Its answer is not printed.
const claudeUnfit = "error_max_structured_output_retries"

// claudeResult is the object that Claude Code prints in success and failure. In failures that the
// server reports, its subtype says "success" too.
type claudeResult struct {
	Type           string `json:"type"`
	Subtype        string `json:"subtype"`
	Message        struct{ Content json.RawMessage }
	IsError        bool   `json:"is_error"`
	APIErrorStatus *int   `json:"api_error_status"`
	Result         string `json:"result"`
	StopReason     string `json:"stop_reason"`
	TerminalReason string `json:"terminal_reason"`
	// Structured is the answer as an object, if a schema was given and the model used the tool that
	// the client makes of it. Else the answer is the text of Result.
	Structured   json.RawMessage               `json:"structured_output"`
	Error        json.RawMessage               `json:"error"`
	Errors       json.RawMessage               `json:"errors"`
	TotalCostUSD aside[*float64]               `json:"total_cost_usd"`
	ModelUsage   aside[map[string]claudeUsage] `json:"modelUsage"`
	// Denials are uses of tools that were not allowed.
	Denials aside[[]claudeDenial] `json:"permission_denials"`
}

type claudeUsage struct {
	InputTokens              int64 `json:"inputTokens"`
	OutputTokens             int64 `json:"outputTokens"`
	CacheReadInputTokens     int64 `json:"cacheReadInputTokens"`
	CacheCreationInputTokens int64 `json:"cacheCreationInputTokens"`
}

func (claude) read(out output) answer {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		return answer{fault: stderrFault(out)}
	}
	messages, err := decodeClaude(out.stdout)
	if err != nil {
		return answer{fault: badAnswer("stdout is not a result object: %v", err)}
	}
	result := messages[len(messages)-1]
	said := answer{usage: result.usage(), denied: result.denied()}
	for _, message := range messages {
		if words := message.words(); words != "" || message.Type == "result" {
			said.say(words)
		}
		if said.fault = message.fault(); said.fault != nil {
			return said // also if it is in an earlier message: a later one does not undo it
		}
	}
	switch {
	case result.Type != "result":
		said.fault = badAnswer("the object on stdout has the type %q, not \"result\"", result.Type)
	case result.StopReason == "max_tokens", result.StopReason == "model_context_window_exceeded":
		said.fault = badAnswer("the answer was cut at the model's output limit")
	}
	return said
}

// words returns the model's text in a message. The result repeats the last one.
func (r claudeResult) words() string {
	switch r.Type {
	case "result":
		if len(r.Structured) > 0 && r.Structured[0] == '{' {
			return string(r.Structured)
		}
		return r.Result
	case "assistant":
		var blocks []struct{ Type, Text string }
		if text, ok := stringValue(r.Message.Content); ok {
			return text
		}
		if json.Unmarshal(r.Message.Content, &blocks) != nil {
			return ""
		}
		var texts []string
		for _, block := range blocks {
			if block.Type == "text" {
				texts = append(texts, block.Text)
			}
		}
		return strings.Join(texts, "\n")
	}
	return ""
}

// fault returns the error that a message reports, or nil.
func (r claudeResult) fault() *fault {
	f := &fault{message: r.Result}
	if r.APIErrorStatus != nil {
		f.status = *r.APIErrorStatus
	}
	switch {
	case r.StopReason == "refusal":
		f.kind = ledger.ErrorRefused
	case r.Subtype == claudeUnfit:
		f.kind = ledger.ErrorCrashed // the message may hold text of the model, which says nothing about the kind
		f.message = r.Subtype + " " + anyText(r.Errors)
	case r.IsError, f.status >= http.StatusBadRequest:
	case strings.HasPrefix(strings.ToLower(r.Subtype), "error"):
		f.message = strings.TrimSpace(r.Subtype + " " + r.Result)
	case r.Type == "result" && (isError(r.Error) || isError(r.Errors)):
		f.message = strings.TrimSpace(anyText(r.Error) + " " + anyText(r.Errors) + " " + r.Result)
	case r.TerminalReason != "" && r.TerminalReason != "completed":
		f.message = strings.TrimSpace("ended by " + r.TerminalReason + " " + r.Result)
	default:
		return nil
	}
	return f
}

// decodeClaude decodes the result object, an array of all messages (if the user has set Claude Code
// to be verbose), or several objects in sequence. The last is the result.
func decodeClaude(stdout []byte) ([]claudeResult, error) {
	var messages []claudeResult
	decoder := json.NewDecoder(bytes.NewReader(stdout))
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if err == io.EOF && len(messages) > 0 {
			return messages, nil
		}
		if err != nil {
			return nil, err
		}
		some := []claudeResult{{}}
		target := any(&some[0])
		if raw[0] == '[' {
			target = &some
		}
		if err := json.Unmarshal(raw, target); err != nil {
			return nil, err
		}
		messages = append(messages, some...)
	}
}

// usage adds up the counts per model, because the object's other counts are all zero if Claude Code
// had to fall back to a request without streaming.
func (r claudeResult) usage() ledger.Usage {
	models := map[string]tokens{}
	for name, m := range r.ModelUsage.value {
		models[name] = tokens{
			input:  m.InputTokens + m.CacheReadInputTokens + m.CacheCreationInputTokens,
			cached: m.CacheReadInputTokens,
			output: m.OutputTokens,
		}
	}
	usage := usageOf(models)
	usage.CostUSD = r.TotalCostUSD.value
	return usage
}
