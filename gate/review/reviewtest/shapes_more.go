package reviewtest

import (
	"os"
	"slices"
	"strings"
)

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
		valued:   []string{"-m"},
		required: []string{"-m"},
		demand: func(prompt []byte) *printed {
			switch {
			case len(prompt) == 0:
				return &printed{stderr: noise + "No input provided via stdin.\n", code: 42}
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
		usageLimit: func(message string) printed {
			return failed(or(message, "You have exhausted your daily quota on this model."), 429)
		},
		auth: func(message string) printed {
			return failed(or(message, `{"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}`), 401)
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
			"--no-remote --disable-builtin-mcps --available-tools=view,grep,glob"),
		valued: []string{"--model", "--usage-output-file"},
		demand: func(prompt []byte) *printed {
			if len(prompt) == 0 {
				return &printed{stderr: "Error: No prompt provided.\n", code: 1}
			}
			return nil
		},
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
		usageLimit: func(message string) printed {
			return failed("rate_limit", or(message, "Failed to get response: retried 5 times. Last error: 429 quota"), 429)
		},
		auth: func(message string) printed {
			return failed("authentication", or(message, "401 unauthorized"), 401)
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
		flags:  strings.Fields("--print --output-format json"),
		valued: []string{"--model"},
		demand: func(prompt []byte) *printed {
			if len(prompt) == 0 {
				return &printed{stderr: "Error: no prompt\n", code: 1}
			}
			return nil
		},
		answer: func(text string) printed {
			return printed{stdout: object("type", "result", "subtype", "success", "is_error", false, "duration_ms", 118,
				"result", text, "session_id", "s1", "request_id", "r1") + "\n"}
		},
		usageLimit: func(message string) printed {
			return printed{stderr: "Error: " + or(message, "You've hit your usage limit") + "\n", code: 1}
		},
		auth: func(message string) printed {
			return printed{stderr: "Error: " + or(message, "Not logged in") + "\n", code: 1}
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
		flags:  strings.Fields("run --format json --pure --agent plan"),
		valued: []string{"--model"},
		demand: func(prompt []byte) *printed {
			switch {
			case !strings.HasPrefix(os.Getenv("OPENCODE_PERMISSION"), `{"*":"deny",`), os.Getenv("OPENCODE_DISABLE_PROJECT_CONFIG") != "1":
				return &printed{stderr: "error: opencode would run what the repository says\n", code: 1}
			case len(prompt) == 0:
				return &printed{stderr: "You must provide a message or a command\n", code: 1}
			}
			return nil
		},
		answer: func(text string) printed {
			events := []string{object("type", "step_start"), opencodeText("I will look at the diff."),
				opencodeFinish("tool-calls"), object("type", "step_start")}
			if text != "" {
				events = append(events, opencodeText(text))
			}
			return printed{stdout: lines(append(events, opencodeFinish("stop"))...)}
		},
		usageLimit: func(message string) printed { return failed(or(message, "Usage limit reached"), 429) },
		auth:       func(message string) printed { return failed(or(message, "Unauthorized"), 401) },
	}
}

func opencodeText(text string) string {
	return object("type", "text", "part", map[string]string{"type": "text", "text": text})
}

func opencodeFinish(reason string) string {
	return object("type", "step_finish", "part", map[string]any{"reason": reason, "cost": 0.5, "tokens": map[string]any{
		"total": 1290, "input": 1134, "output": 56, "reasoning": 0, "cache": map[string]int{"write": 0, "read": 100}}})
}
