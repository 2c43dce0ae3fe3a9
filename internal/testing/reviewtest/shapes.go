package reviewtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shape is the observable behavior of one CLI.
type shape struct {
	// flags are the arguments that must be given, in this order.
	flags []string
	// valued are the flags that may be given with any value; those in required must be given.
	valued, required []string
	// noPrompt is printed if there is no prompt. demand returns another objection to the
	// environment or the prompt, or nil.
	noPrompt printed
	demand   func(prompt []byte) *printed
	answer   func(text string) printed
	// fails returns an error of the CLI, with the given text or, if that is empty, its own.
	fails    func(f failure, text string) printed
	failures map[string]failure
	// status is the command that asks whether the user is signed in, and signedIn its output; nil
	// if the CLI has no such command.
	status   []string
	signedIn func(signedIn bool) printed
	// away means that the CLI must not be started in a repository, because it would follow its
	// settings.
	away       bool
	endsCalmly bool
}

// The kinds of failures, as file names have them.
const (
	usageLimit = "usage-limit"
	rateLimit  = "rate-limit"
	auth       = "auth"
)

// failure is an error that a CLI prints: its usual text, and a format for that text or another.
type failure struct {
	text, form string
	kind       string
	status     int
}

// fail returns the output of a failure; an empty message means the CLI's own.
func (s shape) fail(kind, message string) printed {
	f := s.failures[kind]
	return s.fails(f, fmt.Sprintf(cmp.Or(f.form, "%s"), cmp.Or(message, f.text)))
}

func shapes() map[string]shape {
	return map[string]shape{
		"claude": claude(), "codex": codex(), "copilot": copilot(),
		"cursor-agent": cursor(), "gemini": gemini(), "opencode": opencode(),
	}
}

// refuse returns what the CLI prints if it refuses the call, else nil.
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
	var objection *printed
	if s.demand != nil {
		objection = s.demand(prompt)
	}
	if objection == nil && len(prompt) == 0 {
		objection = &s.noPrompt
	}
	return objection
}

// isRepository reports whether the folder has a file that a client would look for.
func isRepository(dir string) bool {
	for _, name := range []string{".git", ".gauntlet", "AGENTS.md", ".env", ".codex", ".mcp.json", ".opencode"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// flagValue returns the value after a flag in the arguments of this process.
func flagValue(flag string) (value string, given bool) {
	if at := slices.Index(os.Args, flag); at >= 0 && at+1 < len(os.Args) {
		return os.Args[at+1], true
	}
	return "", false
}

// valueOf returns the value after a flag in the arguments of this process, or "".
func valueOf(flag string) string {
	value, _ := flagValue(flag)
	return value
}

// object returns a JSON object with its keys in the given order, which differs between the CLIs and
// between their versions.
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
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // as in the CLIs
	if encoder.Encode(value) != nil {
		return "null" // cannot happen: only strings, numbers, booleans, maps of them and valid JSON are passed
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }
