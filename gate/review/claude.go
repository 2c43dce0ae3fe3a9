package review

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// claudeLimit: Claude Code refuses more than 10 MB on stdin.
const claudeLimit = 10_000_000

// claude is Claude Code.
type claude struct{}

// command offers only the tools that read, and neither the hooks nor the
// servers that the repository configures. (--bare would do that too, but shuts
// out those who are logged in with a subscription.)
func (claude) command(model, _ string) []string {
	args := []string{"claude", "-p", "--output-format", "json", "--tools", "Read,Grep,Glob",
		"--permission-mode", "dontAsk", "--strict-mcp-config", "--setting-sources", "user",
		"--no-session-persistence"}
	if model != "" {
		args = append(args, "--model", model)
	}
	return args
}

// environment hides an outer Claude Code, inside which it refuses to start,
// and shortens three minutes of retries to seconds.
func (claude) environment() environment {
	return environment{
		unset:  []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"},
		preset: map[string]string{"CLAUDE_CODE_MAX_RETRIES": "2"},
	}
}

// claudeResult is the object that Claude Code prints, in success and failure.
// Its subtype says "success" in both.
type claudeResult struct {
	Type           string   `json:"type"`
	IsError        bool     `json:"is_error"`
	APIErrorStatus *int     `json:"api_error_status"`
	Result         string   `json:"result"`
	StopReason     string   `json:"stop_reason"`
	TotalCostUSD   *float64 `json:"total_cost_usd"`
	ModelUsage     map[string]struct {
		InputTokens              int64 `json:"inputTokens"`
		OutputTokens             int64 `json:"outputTokens"`
		CacheReadInputTokens     int64 `json:"cacheReadInputTokens"`
		CacheCreationInputTokens int64 `json:"cacheCreationInputTokens"`
	} `json:"modelUsage"`
}

func (claude) read(out output) answer {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		return answer{fault: stderrFault(out)}
	}
	result, err := decodeClaude(out.stdout)
	if err != nil {
		return answer{fault: protocolFault("stdout is no result object: %v", err)}
	}
	said := answer{text: result.Result, usage: result.usage()}
	switch {
	case result.IsError:
		said.fault = &fault{message: result.Result}
		if result.APIErrorStatus != nil {
			said.fault.status = *result.APIErrorStatus
		}
	case result.APIErrorStatus != nil && *result.APIErrorStatus >= http.StatusBadRequest:
		said.fault = &fault{status: *result.APIErrorStatus, message: result.Result}
	case result.Type != "result":
		said.fault = protocolFault("the object on stdout has the type %q, not \"result\"", result.Type)
	case result.StopReason == "max_tokens":
		said.fault = protocolFault("the answer was cut at the model's output limit")
	}
	return said
}

// decodeClaude decodes the result object. A user who has set Claude Code to be
// verbose gets an array of all messages, the result last.
func decodeClaude(stdout []byte) (result claudeResult, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(stdout), []byte("[")) {
		var messages []json.RawMessage
		if err := json.Unmarshal(stdout, &messages); err != nil || len(messages) == 0 {
			return result, err
		}
		stdout = messages[len(messages)-1]
	}
	err = json.Unmarshal(stdout, &result)
	return result, err
}

// usage takes the counts per model, for the object's other counts are all zero
// when Claude Code had to fall back to a request without streaming.
func (r claudeResult) usage() Usage {
	models := map[string]tokens{}
	for name, m := range r.ModelUsage {
		models[name] = tokens{
			input:  m.InputTokens + m.CacheReadInputTokens + m.CacheCreationInputTokens,
			cached: m.CacheReadInputTokens,
			output: m.OutputTokens,
		}
	}
	usage := usageOf(models)
	usage.CostUSD = r.TotalCostUSD
	return usage
}
