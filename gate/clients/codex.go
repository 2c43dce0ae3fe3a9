package clients

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

// codexLimit is the number of characters above which Codex refuses a prompt. There are never fewer
// bytes than characters.
const codexLimit = 1 << 20

// codex is Codex CLI.
type codex struct{}

// command sandboxes what the model runs, and bounds the retries of a lost connection, which would
// otherwise never end. It marks the repository as untrusted even if the user trusts it, so that its
// servers are not started and its instructions and skills are not read. Web search is off: a page
// could contain instructions, and a query could leak code.
func (codex) command(in invocation) []string {
	args := []string{"codex", "exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral",
		"--ignore-rules", "--color", "never", "-c", "features.unbounded_connection_retries=false",
		"-c", "project_doc_max_bytes=0", "-c", "skills.include_instructions=false", "-c", "web_search=disabled"}
	if in.repo != "" && utf8.ValidString(in.repo) { // a JSON string is one of TOML too, but TOML allows only valid UTF-8
		args = append(args, "-c", "projects={"+jsonString(in.repo)+`={trust_level="untrusted"}}`)
	}
	if len(in.strict) > 0 {
		args = append(args, "--output-schema", codexSchemaFile(in.scratch))
	}
	if in.model != "" {
		args = append(args, "-m", in.model)
	}
	return append(args, "-")
}

func codexSchemaFile(scratch string) string { return filepath.Join(scratch, "schema.json") }

// prepare implements [preparer].
func (codex) prepare(in invocation) error {
	if len(in.strict) == 0 {
		return nil
	}
	return os.WriteFile(codexSchemaFile(in.scratch), in.strict, 0o600)
}

func (codex) environment(invocation) environment { return environment{} }

// read uses the last message as the answer. Only turn.failed, and an error after the last turn, are
// fatal: runs that succeed after reconnecting have lines of the type "error", too.
func (codex) read(out output) answer {
	var said answer
	var failed, lastError *fault
	var completed bool
	odd := eachEvent(out.stdout, func(kind string, line []byte) error {
		switch kind {
		case "item.completed":
			return readCodexItem(line, &said)
		case "turn.started":
			said.say("")
			completed = false
		case "turn.completed":
			completed, lastError = true, nil
			return readCodexUsage(line, &said)
		case "turn.failed":
			var event struct{ Error struct{ Message string } }
			err := json.Unmarshal(line, &event)
			failed = &fault{message: event.Error.Message}
			return err
		case "error":
			var event struct{ Message string }
			err := json.Unmarshal(line, &event)
			lastError = &fault{message: event.Message}
			return err
		}
		return nil
	})
	if said.fault = cmp.Or(failed, odd, lastError); said.fault == nil && !completed {
		said.fault = unfinished(out, "the events end without turn.completed")
	}
	return said
}

func readCodexItem(line []byte, said *answer) error {
	var event struct {
		Item struct {
			Type string
			Text json.RawMessage
		}
	}
	if err := json.Unmarshal(line, &event); err != nil || event.Item.Type != "agent_message" {
		return err
	}
	var text string
	err := json.Unmarshal(event.Item.Text, &text)
	said.say(text)
	return err
}

func readCodexUsage(line []byte, said *answer) error {
	var event struct {
		Usage aside[*struct {
			Input  int64 `json:"input_tokens"`
			Cached int64 `json:"cached_input_tokens"`
			Output int64 `json:"output_tokens"`
		}]
	}
	err := json.Unmarshal(line, &event)
	if used := event.Usage.value; err == nil && used != nil {
		said.usage = said.usage.Add(ledger.Usage{InputTokens: &used.Input, CachedTokens: &used.Cached, OutputTokens: &used.Output})
	}
	return err
}
