package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// playedRepository is the variable with the repository that this test binary reviews, under the name
// of the CLI that it plays. playedPause is how long it takes.
const (
	playedRepository = "PICTURES_REPOSITORY"
	playedPause      = "PICTURES_PAUSE"
)

// playReviewer reads a prompt and answers as a reviewer does who knows the findings of the table.
func playReviewer(in io.Reader, out io.Writer) error {
	prompt, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	pause, err := time.ParseDuration(os.Getenv(playedPause))
	if err != nil {
		return err
	}
	time.Sleep(pause * time.Duration(60+len(prompt)%40) / 100) // not all of them take as long
	name := filepath.Base(os.Args[0])
	said, err := json.Marshal(review(os.Getenv(playedRepository), name, string(prompt)))
	if err != nil {
		return err
	}
	// What reading a few files beside the prompt costs.
	read, wrote := 9000+len(prompt)/4, 700+len(said)/4
	if name == "codex" {
		err = printLines(out,
			map[string]any{"type": "turn.started"},
			map[string]any{"type": "item.completed", "item": map[string]any{"type": "agent_message", "text": string(said)}},
			map[string]any{"type": "turn.completed", "usage": map[string]any{"input_tokens": read, "cached_input_tokens": 0, "output_tokens": wrote}})
		return err
	}
	return printLines(out, map[string]any{
		"type": "result", "subtype": "success", "is_error": false, "result": string(said), "structured_output": json.RawMessage(said),
		"total_cost_usd": float64(3*read+15*wrote) / 1e6,
		"modelUsage":     map[string]any{"claude-sonnet": map[string]any{"inputTokens": read, "outputTokens": wrote}},
	})
}

func printLines(out io.Writer, objects ...map[string]any) error {
	encoder := json.NewEncoder(out)
	for _, object := range objects {
		if err := encoder.Encode(object); err != nil {
			return err
		}
	}
	return nil
}

// answer is the form of docs/answer.md.
type answer struct {
	Status      string     `json:"status"`
	Violations  []reported `json:"violations"`
	Claims      []word     `json:"claims"`
	Disputes    []word     `json:"disputes"`
	Known       []word     `json:"known"`
	NotReviewed []string   `json:"not_reviewed"`
	Notes       string     `json:"notes"`
}

type reported struct {
	File     string `json:"file"`
	Line     string `json:"line"`
	Issue    string `json:"issue"`
	Fix      string `json:"fix"`
	Priority string `json:"priority"`
	SameAs   string `json:"same_as,omitempty"`
}

type word struct {
	ID       string `json:"id"`
	Verdict  string `json:"verdict"`
	Evidence string `json:"evidence"`
}

// review is what a reviewer answers to a prompt about the repository.
func review(repository, reviewer, prompt string) answer {
	said := answer{Status: "pass", Violations: []reported{}, Claims: []word{}, Disputes: []word{}, Known: []word{}, NotReviewed: []string{}}
	gate := "code-quality"
	if strings.Contains(prompt, "You review for the gate security.") {
		gate = "security"
	}
	diff := section(prompt, "The diff")
	for _, f := range findings {
		if f.reviewer != reviewer || f.inGate() != gate {
			continue
		}
		code, line := f.find(repository)
		evidence := f.still
		if code == "" {
			evidence = f.gone
		}
		if id := listed(section(prompt, "Claims"), f.issue); id != "" {
			verdict := map[bool]string{true: "fixed", false: "not_fixed"}[code == ""]
			said.Claims = append(said.Claims, word{id, verdict, evidence})
		}
		if id := listed(section(prompt, "Disputed"), f.issue); id != "" {
			said.Disputes = append(said.Disputes, word{id, "withdrawn", f.withdrawn})
			continue
		}
		first, _, _ := strings.Cut(code, "\n")
		if code == "" || !strings.Contains(diff, first) {
			continue
		}
		said.Status = "fail"
		said.Violations = append(said.Violations, reported{
			File: f.path, Line: fmt.Sprintf("%d-%d", line, line+strings.Count(code, "\n")), Issue: f.issue, Fix: f.fix, Priority: f.priority,
			SameAs: listed(prompt, f.issue),
		})
	}
	return said
}

func (f finding) inGate() string {
	if f.gate == "" {
		return "code-quality"
	}
	return f.gate
}

// find returns the piece of code that the finding is about as it is now, and its line, or "" if it is
// gone.
func (f finding) find(repository string) (code string, line int) {
	text, err := os.ReadFile(filepath.Join(repository, f.path))
	if err != nil {
		return "", 0
	}
	for _, code := range f.code {
		if at := strings.Index(string(text), code); at >= 0 {
			trimmed := strings.TrimLeft(code, "\n")
			at += len(code) - len(trimmed)
			return strings.TrimRight(trimmed, "\n"), 1 + strings.Count(string(text[:at]), "\n")
		}
	}
	return "", 0
}

// section is the part of a prompt under a heading.
func section(prompt, heading string) string {
	_, part, _ := strings.Cut(prompt, "\n# "+heading+"\n")
	part, _, _ = strings.Cut(part, "\n# ")
	return part
}

var entry = regexp.MustCompile(`(?m)^- ([0-9a-z]{8}) [^\n]*\] ([^\n]*)$`)

// listed is the id under which a part of a prompt lists the issue, or "".
func listed(part, issue string) string {
	first, _, _ := strings.Cut(issue, "\n")
	for _, found := range entry.FindAllStringSubmatch(part, -1) {
		if strings.HasPrefix(found[2], first) {
			return found[1]
		}
	}
	return ""
}
