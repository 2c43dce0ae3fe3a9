package reviewtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	// usageLimit, rateLimit and auth print the CLI's errors; an empty message
	// means its own.
	usageLimit, rateLimit, auth func(message string) printed
	// status is the command that asks whether the user is signed in, and
	// signedIn what it then prints; nil where the CLI has none.
	status   []string
	signedIn func(yes bool) printed
	// away means that the CLI must not be started in a repository, whose
	// settings it would follow.
	away       bool
	endsCalmly bool
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
	if s.away && isRepository(".") {
		return &printed{stderr: "error: started in the repository, whose hooks and servers would run\n", code: 1}
	}
	if os.Getenv("REVIEWLEDGER_INSIDE") != "1" {
		return &printed{stderr: "error: REVIEWLEDGER_INSIDE is not 1\n", code: 1}
	}
	return s.demand(prompt)
}

// isRepository reports whether the folder holds what a client would look for.
func isRepository(dir string) bool {
	for _, name := range []string{".git", ".gauntlet", "AGENTS.md", ".env", ".codex", ".mcp.json", ".opencode"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// valueOf returns the value behind a flag, or "".
func valueOf(args []string, flag string) string {
	if at := slices.Index(args, flag); at >= 0 && at+1 < len(args) {
		return args[at+1]
	}
	return ""
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
