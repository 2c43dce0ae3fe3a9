package reviewtest

import (
	"encoding/json"
	"fmt"
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
