package reviewtest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// shape is how one CLI looks from outside.
type shape struct {
	// flags are the arguments that must be there, in this order.
	flags []string
	// valued are the flags that may come with any value; those in required
	// must.
	valued, required []string
	// demand returns an objection to the environment or the prompt, or nil.
	demand func(prompt []byte) *printed
	answer func(text string) printed
	// usageLimit and auth print the CLI's errors; an empty message means its
	// own.
	usageLimit, auth func(message string) printed
	endsCalmly       bool
}

func shapes() map[string]shape {
	return map[string]shape{
		"claude": claude(), "codex": codex(), "copilot": copilot(),
		"cursor-agent": cursor(), "gemini": gemini(), "opencode": opencode(),
	}
}

// refuse returns what the CLI prints if it does not take the call, else nil.
func (s shape) refuse(args []string, prompt []byte) *printed {
	var rest, given []string
	for i := 0; i < len(args); i++ {
		if slices.Contains(s.valued, args[i]) && i+1 < len(args) {
			given = append(given, args[i])
			i++
			continue
		}
		rest = append(rest, args[i])
	}
	if !slices.Equal(rest, s.flags) {
		return &printed{stderr: fmt.Sprintf("error: unexpected arguments: %q\n", args), code: 1}
	}
	for _, flag := range s.required {
		if !slices.Contains(given, flag) {
			return &printed{stderr: "error: missing " + flag + "\n", code: 1}
		}
	}
	return s.demand(prompt)
}

func claude() shape {
	result := func(isError bool, status any, text string, code int) printed {
		return printed{code: code, stdout: object(
			"is_error", isError, "type", "result", "subtype", "success", "api_error_status", status, "duration_ms", 118,
			"num_turns", 1, "result", text, "stop_reason", "end_turn", "session_id", "s1", "total_cost_usd", 0.00762,
			"usage", map[string]int{"input_tokens": 0, "output_tokens": 0},
			"modelUsage", map[string]any{
				"claude-opus-4-8[1m]": map[string]any{"inputTokens": 1234, "outputTokens": 56, "cacheReadInputTokens": 100, "costUSD": 0.0076},
				"claude-haiku-4-5":    map[string]any{"inputTokens": 10, "outputTokens": 2, "cacheReadInputTokens": 0, "costUSD": 0.00002},
			},
			"permission_denials", []string{}, "terminal_reason", "completed") + "\n"}
	}
	return shape{
		flags: strings.Fields("-p --output-format json --tools Read,Grep,Glob --permission-mode dontAsk " +
			"--strict-mcp-config --setting-sources user --no-session-persistence"),
		valued: []string{"--model"},
		demand: func(prompt []byte) *printed {
			switch {
			case os.Getenv("CLAUDECODE") != "":
				return &printed{stderr: "Error: Claude Code cannot be launched inside another Claude Code session.\n", code: 1}
			case len(prompt) == 0:
				return &printed{stderr: "Error: Input must be provided either through stdin or as a prompt argument when using --print\n", code: 1}
			case len(prompt) > 10_000_000:
				return &printed{stderr: "Error: piped stdin input exceeds 10MB\n", code: 1}
			}
			return nil
		},
		answer: func(text string) printed { return result(false, nil, text, 0) },
		usageLimit: func(message string) printed {
			return result(true, 429, or(message, "You've hit your limit · resets 12:40pm (UTC)"), 1)
		},
		auth: func(message string) printed {
			return result(true, 401, or(message, "Invalid API key · Fix external API key"), 1)
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
			"--color never -c features.unbounded_connection_retries=false -"),
		valued: []string{"-m"},
		demand: func(prompt []byte) *printed {
			switch {
			case len(prompt) == 0:
				return &printed{stderr: "No prompt provided via stdin.\n", code: 1}
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
		usageLimit: func(message string) printed {
			return failed(or(message, "You’ve hit your usage limit. Upgrade to Pro or try again at 12:05 PM."))
		},
		auth: func(message string) printed {
			return failed(or(message, "unexpected status 401 Unauthorized: Incorrect API key provided"))
		},
	}
}

func codexItem(id, kind, text string) string {
	return object("type", "item.completed", "item", map[string]string{"id": id, "type": kind, "text": text})
}

// object writes a JSON object with its keys in the order given: the CLIs
// differ in it, and between their versions.
func object(keysAndValues ...any) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(marshal(keysAndValues[i]) + ":" + marshal(keysAndValues[i+1]))
	}
	b.WriteByte('}')
	return b.String()
}

func marshal(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "null" // only strings, numbers, booleans and maps of them come here
	}
	return string(data)
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}
