package reviewtest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

func claude() shape {
	result := func(isError bool, status any, text string, code int, more ...any) printed {
		return printed{code: code, stdout: object(append([]any{
			"is_error", isError, "type", "result", "subtype", "success", "api_error_status", status, "duration_ms", 118,
			"num_turns", 1, "result", text, "stop_reason", "end_turn", "session_id", "s1", "total_cost_usd", 0.00762,
			"usage", map[string]int{"input_tokens": 0, "output_tokens": 0},
			"modelUsage", map[string]any{
				"claude-opus-4-8[1m]": map[string]any{"inputTokens": 1234, "outputTokens": 56, "cacheReadInputTokens": 100, "costUSD": 0.0076},
				"claude-haiku-4-5":    map[string]any{"inputTokens": 10, "outputTokens": 2, "cacheReadInputTokens": 0, "costUSD": 0.00002},
			},
			"permission_denials", []string{}, "terminal_reason", "completed"}, more...)...) + "\n"}
	}
	return shape{
		flags: strings.Fields("-p --output-format json --tools Read,Grep,Glob --permission-mode dontAsk " +
			"--strict-mcp-config --setting-sources user --no-session-persistence"),
		valued:   []string{"--model", "--json-schema"},
		noPrompt: printed{stderr: "Error: Input must be provided either through stdin or as a prompt argument when using --print\n", code: 1},
		demand: func(prompt []byte) *printed {
			schema, given := flagValue("--json-schema")
			switch {
			case !given && wantsSchema(prompt):
				return &printed{stderr: "error: missing --json-schema\n", code: 1}
			case given && !isObject(schema):
				return &printed{stderr: "Error: --json-schema is not a valid JSON Schema: it is not a JSON object\n", code: 1}
			case os.Getenv("CLAUDECODE") != "":
				return &printed{stderr: "Error: Claude Code cannot be launched inside another Claude Code session.\n", code: 1}
			case os.Getenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY") != "1", os.Getenv("CLAUDE_CODE_DISABLE_CLAUDE_MDS") != "1",
				os.Getenv("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS") != "1":
				return &printed{stderr: "Error: the repository's instructions would be sent\n", code: 1}
			case len(prompt) > 10_000_000:
				return &printed{stderr: "Error: piped stdin input exceeds 10MB\n", code: 1}
			}
			return nil
		},
		answer: func(text string) printed {
			if _, given := flagValue("--json-schema"); given && isObject(text) {
				return result(false, nil, text, 0, "structured_output", json.RawMessage(text))
			}
			return result(false, nil, text, 0)
		},
		fails: func(f failure, text string) printed { return result(true, f.status, text, 1) },
		failures: map[string]failure{
			usageLimit: {text: "You've hit your limit · resets 12:40" + farHalf(time.Now().UTC()) + " (UTC)", status: 429},
			rateLimit:  {text: "Number of requests has exceeded your rate limit", form: "API Error: Request rejected (429) · %s", status: 429},
			auth:       {text: "Invalid API key · Fix external API key", status: 401},
		},
		status: []string{"auth", "status"},
		signedIn: func(signedIn bool) printed {
			if signedIn {
				return printed{stdout: `{"loggedIn": true, "authMethod": "claude.ai"}` + "\n"}
			}
			return printed{stdout: `{"loggedIn": false}` + "\n", code: 1}
		},
	}
}

func codex() shape {
	failed := func(message string) printed {
		return printed{code: 1, stdout: lines(
			object("type", "thread.started", "thread_id", "t1"), object("type", "turn.started"),
			object("type", "error", "message", "Reconnecting... 1/5 (request failed)"), object("type", "error", "message", message),
			object("type", "turn.failed", "error", map[string]string{"message": message}))}
	}
	return shape{
		flags: strings.Fields("exec --json --sandbox read-only --skip-git-repo-check --ephemeral --ignore-rules " +
			"--color never -"),
		valued:   []string{"-m", "-c", "--output-schema"},
		away:     true,
		noPrompt: printed{stderr: "No prompt provided via stdin.\n", code: 1},
		demand: func(prompt []byte) *printed {
			if missing := codexLacks(); missing != "" {
				return &printed{stderr: "error: missing -c " + missing + "\n", code: 1}
			}
			file, given := flagValue("--output-schema")
			schema, err := os.ReadFile(file)
			switch {
			case !given && wantsSchema(prompt):
				return &printed{stderr: "error: missing --output-schema\n", code: 1}
			case given && err != nil:
				return &printed{stderr: fmt.Sprintf("Failed to read output schema file %s: %v\n", file, err), code: 1}
			case given && !isObject(string(schema)):
				return &printed{stderr: "Output schema file " + file + " is not valid JSON\n", code: 1}
			}
			switch {
			case utf8.RuneCount(prompt) > 1<<20:
				return &printed{stderr: "Error: input_too_large: the input exceeds 1048576 characters\n", code: 1}
			case !utf8.Valid(prompt):
				return &printed{stderr: "input is not valid UTF-8\n", code: 1}
			}
			return nil
		},
		answer: func(text string) printed {
			return printed{stderr: "warning: under-development features are enabled\n", stdout: lines(
				object("type", "thread.started", "thread_id", "t1"), object("type", "turn.started"),
				object("type", "error", "message", "Reconnecting... 1/5 (request failed)"),
				codexItem("item_0", "reasoning", "**Looking**"), codexItem("item_1", "agent_message", "I will look at the diff."),
				codexItem("item_2", "agent_message", text),
				object("type", "turn.completed", "usage", map[string]int{"input_tokens": 1234, "cached_input_tokens": 100,
					"cache_write_input_tokens": 0, "output_tokens": 56, "reasoning_output_tokens": 0}))}
		},
		fails: func(_ failure, text string) printed { return failed(text) },
		failures: map[string]failure{
			usageLimit: {text: "You’ve hit your usage limit. Upgrade to Pro or try again at 12:05 " + strings.ToUpper(farHalf(time.Now())) + "."},
			rateLimit:  {text: "exceeded retry limit, last status: 429 Too Many Requests"},
			auth:       {text: "unexpected status 401 Unauthorized: Incorrect API key provided"},
		},
		status: []string{"login", "status"},
		signedIn: func(signedIn bool) printed {
			if signedIn {
				return printed{stderr: "Logged in using ChatGPT\n"}
			}
			return printed{stderr: "Not logged in\n", code: 1}
		},
	}
}

// codexLacks returns a setting that keeps the repository out and is missing, or "".
func codexLacks() string {
	for _, setting := range []string{
		"features.unbounded_connection_retries=false", "project_doc_max_bytes=0", "skills.include_instructions=false", "web_search=disabled",
	} {
		if !slices.Contains(os.Args, setting) {
			return setting
		}
	}
	if !slices.ContainsFunc(os.Args, func(arg string) bool {
		return strings.HasPrefix(arg, "projects={") && strings.HasSuffix(arg, `={trust_level="untrusted"}}`)
	}) {
		return "projects"
	}
	return ""
}

func codexItem(id, kind, text string) string {
	return object("type", "item.completed", "item", map[string]string{"id": id, "type": kind, "text": text})
}

func gemini() shape {
	const noise = "Warning: Basic terminal detected (TERM=dumb).\nRipgrep is not available. Falling back to GrepTool.\n"
	failed := func(message string, status int) printed {
		return printed{code: status % 256, stderr: noise +
			"Error when talking to Gemini API Full report available at: /tmp/report.json ApiError: {}\n    at stack (file.js:1:1) {\n  status: 1\n}\n" +
			"{\n  \"session_id\": \"s1\",\n  \"error\": {\n    \"type\": \"Error\",\n    \"message\": " + marshal(message) +
			",\n    \"code\": " + marshal(status) + "\n  }\n}\n"}
	}
	answered := func(text, rest string) printed {
		return printed{stderr: noise, stdout: "{\n  \"session_id\": \"s1\",\n  \"response\": " + marshal(text) +
			",\n  \"stats\": {\"models\": {\"gemini-2.5-pro\": {\"api\": {\"totalRequests\": 1, \"totalErrors\": 0}, " +
			"\"tokens\": {\"input\": 1134, \"prompt\": 1234, \"candidates\": 56, \"total\": 1290, \"cached\": 100, \"thoughts\": 0, \"tool\": 0}}}, " +
			"\"tools\": {}, \"files\": {}}" + rest + "\n}\n"}
	}
	return shape{
		flags:    strings.Fields("--output-format json --approval-mode plan --skip-trust"),
		valued:   []string{"-m", "--include-directories", "--admin-policy"},
		required: []string{"-m", "--admin-policy"},
		away:     true,
		noPrompt: printed{stderr: noise + "No input provided via stdin.\n", code: 42},
		demand: func(prompt []byte) *printed {
			policy, err := os.ReadFile(valueOf("--admin-policy"))
			switch {
			case err != nil, !strings.Contains(string(policy), "exit_plan_mode"), !strings.Contains(string(policy), `"deny"`):
				return &printed{stderr: "error: the model could leave the plan mode\n", code: 1}
			case len(prompt) >= 4_000_000:
				overflow := answered("", "")
				return &overflow
			}
			return nil
		},
		answer: func(text string) printed {
			if text == "" {
				return answered("", `, "error": {"type": "INVALID_STREAM", "message": "Model stream ended with empty response text."}`)
			}
			return answered(text, "")
		},
		fails: func(f failure, text string) printed { return failed(text, f.status) },
		failures: map[string]failure{
			usageLimit: {text: "You have exhausted your daily quota on this model.", status: 429},
			rateLimit: {text: "You exceeded your current quota, please check your plan and billing details.",
				form: "%s Please retry in 0.05s.", status: 429},
			auth: {text: `{"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}`, status: 401},
		},
		endsCalmly: true,
	}
}

func copilot() shape {
	result := func(code int) string {
		return object("type", "result", "sessionId", "s1", "exitCode", code, "usage", map[string]int{"premiumRequests": 0})
	}
	failed := func(kind, message string, status int) printed {
		return printed{code: 1, stdout: lines(
			object("type", "session.error", "data", map[string]any{"errorType": kind, "message": message, "statusCode": status}),
			result(1))}
	}
	return shape{
		flags: strings.Fields("--output-format json --no-color --no-auto-update --no-ask-user --no-custom-instructions " +
			"--no-remote --disable-builtin-mcps --available-tools=view,grep,glob --allow-all-paths"),
		valued:   []string{"--model", "--usage-output-file"},
		away:     true,
		noPrompt: printed{stderr: "Error: No prompt provided.\n", code: 1},
		answer: func(text string) printed {
			if text == "" {
				return failed("query", "The model returned no answer", 0)
			}
			if err := writeCopilotUsage(); err != nil {
				return printed{stderr: err.Error() + "\n", code: 1}
			}
			return printed{stdout: lines(
				object("type", "user.message", "data", map[string]string{"content": "the prompt is repeated here: usage limit"}),
				object("type", "assistant.message", "data", map[string]any{"model": "gpt-5", "content": text, "toolRequests": []string{}}),
				result(0))}
		},
		fails: func(f failure, text string) printed { return failed(f.kind, text, f.status) },
		failures: map[string]failure{
			usageLimit: {text: "Failed to get response: retried 5 times. Last error: 429 quota", kind: "rate_limit", status: 429},
			rateLimit:  {text: "slow down", form: "Failed to get response: retried 5 times. Last error: 429 %s", kind: "rate_limit", status: 429},
			auth:       {text: "401 unauthorized", kind: "authentication", status: 401},
		},
	}
}

func writeCopilotUsage() error {
	at := slices.Index(os.Args, "--usage-output-file")
	if at < 0 {
		return nil
	}
	return os.WriteFile(os.Args[at+1], []byte(`{"modelMetrics":{"gpt-5":{"usage":`+
		`{"inputTokens":1234,"outputTokens":56,"cacheReadTokens":100}}}}`), 0o600)
}

func cursor() shape {
	return shape{
		flags:    strings.Fields("--print --output-format json --mode ask --trust"),
		valued:   []string{"--model"},
		away:     true,
		noPrompt: printed{stderr: "Error: no prompt\n", code: 1},
		answer: func(text string) printed {
			return printed{stdout: object("type", "result", "subtype", "success", "is_error", false, "duration_ms", 118,
				"result", text, "session_id", "s1", "request_id", "r1") + "\n"}
		},
		fails: func(_ failure, text string) printed { return printed{stderr: "Error: " + text + "\n", code: 1} },
		failures: map[string]failure{
			usageLimit: {text: "You've hit your usage limit"},
			rateLimit:  {text: "slow down", form: "rate limit exceeded, %s"},
			auth:       {text: "Not logged in"},
		},
		status: []string{"status"},
		signedIn: func(signedIn bool) printed {
			if signedIn {
				return printed{stdout: "Logged in as user@example.com\n"}
			}
			return printed{stdout: "Not logged in\n"}
		},
	}
}

func opencode() shape {
	failed := func(message string, status int) printed {
		return printed{code: 1, stdout: lines(object("type", "error", "sessionID", "s1", "error", map[string]any{
			"name": "APIError", "data": map[string]any{"message": message, "statusCode": status, "isRetryable": true,
				"responseHeaders": map[string]string{}, "responseBody": `{"error":"` + message + `"}`}}))}
	}
	return shape{
		flags:    strings.Fields("run --format json --pure --agent plan --title review --print-logs --log-level INFO"),
		valued:   []string{"--model"},
		away:     true,
		noPrompt: printed{stderr: "You must provide a message or a command\n", code: 1},
		demand: func(prompt []byte) *printed {
			if !strings.HasPrefix(os.Getenv("OPENCODE_PERMISSION"), `{"*":"deny",`) || os.Getenv("OPENCODE_DISABLE_PROJECT_CONFIG") != "1" {
				return &printed{stderr: "error: opencode would run what the repository says\n", code: 1}
			}
			return nil
		},
		answer: func(text string) printed {
			events := []string{object("type", "step_start"), opencodeText("I will look at the diff."),
				opencodeFinish("tool-calls"), object("type", "step_start")}
			if text != "" {
				events = append(events, opencodeText(text))
			}
			return printed{stdout: lines(append(events, opencodeFinish("stop"))...),
				stderr: "timestamp=2026-01-02T03:04:05.678Z level=INFO run=1 message=stream providerID=fake modelID=m1 session.id=s1 small=false\n"}
		},
		fails: func(f failure, text string) printed { return failed(text, f.status) },
		failures: map[string]failure{
			usageLimit: {text: "Usage limit reached", status: 429}, rateLimit: {text: "Too Many Requests", status: 429}, auth: {text: "Unauthorized", status: 401},
		},
		status: []string{"providers", "list"},
		signedIn: func(signedIn bool) printed {
			if signedIn {
				return printed{stdout: "┌  Credentials ~/.local/share/opencode/auth.json\n│\n●  OpenAI api\n│\n└  1 credentials\n"}
			}
			return printed{stdout: "┌  Credentials ~/.local/share/opencode/auth.json\n│\n└  0 credentials\n"}
		},
	}
}

func opencodeText(text string) string {
	return object("type", "text", "part", map[string]string{"type": "text", "text": text})
}

func opencodeFinish(reason string) string {
	return object("type", "step_finish", "part", map[string]any{"reason": reason, "cost": 0.5, "tokens": map[string]any{
		"total": 1290, "input": 1134, "output": 56, "reasoning": 0, "cache": map[string]int{"write": 0, "read": 100}}})
}

// farHalf returns the half of the day, am or pm, whose twelve o'clock is at least five hours away,
// because a limit that ends within minutes is of another kind.
func farHalf(now time.Time) string {
	if hour := now.Hour(); hour >= 6 && hour < 18 {
		return "am"
	}
	return "pm"
}
