package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// geminiLimit stays well below the 4 MB at which Gemini CLI considers a prompt larger than the
// model's window: it then sends nothing, prints an empty response and exits with 0. The rest leaves
// room for text that has more tokens per byte than code.
const geminiLimit = 1_500_000

// gemini is Gemini CLI.
type gemini struct{}

// geminiModel is the model if none is configured. Without a model the client would, after an
// exhausted quota, try its models in turn without pause and without end.
const geminiModel = "gemini-2.5-pro"

const geminiPolicyFile = "policy.toml"

// command trusts the empty folder that the client starts in, because it would not start otherwise.
// The policy is needed because plan mode alone is not read-only: the model may leave it.
//
// The client sends the instructions of each folder that it may read, and nothing turns that off. So
// it may not read a repository that has any, nor one with a comma in its path, because a comma ends
// a folder's name. The model then has only the prompt.
func (gemini) command(in invocation) []string {
	args := []string{"gemini", "--output-format", "json", "--approval-mode", "plan", "--skip-trust",
		"--admin-policy", filepath.Join(in.scratch, geminiPolicyFile), "-m", cmp.Or(in.model, geminiModel)}
	if in.repo != "" && !strings.Contains(in.repo, ",") && !holdsFile(in.repo, geminiInstructions()) {
		args = append(args, "--include-directories", in.repo)
	}
	return args
}

// geminiInstructions returns the names of the files that the client reads as instructions: its own
// and those in the user's settings. If the settings cannot be read, it returns all usual names.
func geminiInstructions() []string {
	names := []string{"GEMINI.md"}
	home, err := os.UserHomeDir()
	if err != nil {
		return names
	}
	data, err := os.ReadFile(filepath.Join(home, ".gemini", "settings.json"))
	if err != nil {
		return names
	}
	var settings struct {
		Context struct{ FileName json.RawMessage }
	}
	var one string
	var some []string
	err = json.Unmarshal(data, &settings)
	raw := settings.Context.FileName
	switch {
	case err == nil && raw == nil:
		return names
	case err == nil && json.Unmarshal(raw, &one) == nil:
		return append(names, filepath.Base(one))
	case err == nil && json.Unmarshal(raw, &some) == nil:
		for _, name := range some {
			names = append(names, filepath.Base(name))
		}
		return names
	}
	return append(names, "AGENTS.md", "CLAUDE.md")
}

// holdsFile reports whether the folder, or one below it, has a file with one of the names, in any
// letter case. It also returns true if something cannot be read.
func holdsFile(folder string, names []string) bool {
	found := errors.New("found")
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if entry.Name() == ".git" {
				return fs.SkipDir
			}
		case slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, entry.Name()) }):
			return found
		}
		return nil
	})
	return err != nil
}

// environment keeps the client in one process, which starts faster and reacts to signals.
func (gemini) environment(invocation) environment {
	return environment{set: map[string]string{"GEMINI_CLI_NO_RELAUNCH": "true"}}
}

// geminiPolicy denies the tools with which the model could write, run something, or reach a server.
const geminiPolicy = `[[rule]]
toolName = ["exit_plan_mode", "write_file", "replace", "invoke_agent", "run_shell_command", "google_web_search", "web_fetch", "save_memory"]
decision = "deny"
priority = 999
`

// prepare implements [preparer].
func (gemini) prepare(in invocation) error {
	return os.WriteFile(filepath.Join(in.scratch, geminiPolicyFile), []byte(geminiPolicy), 0o600)
}

// geminiObject is printed on stdout on success and, with an error, at the end of stderr on failure.
// The exit code says nothing: it is the HTTP status modulo 256.
type geminiObject struct {
	Status   string // of another output format: "success" or "error"
	Response *string
	Error    *struct {
		Message string
		Code    json.RawMessage
	}
	Stats aside[struct {
		Models map[string]struct {
			Tokens struct{ Prompt, Candidates, Cached, Thoughts int64 }
		}
		Tools aside[geminiTools]
	}]
}

func (gemini) read(out output) answer {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		if object, found := lastObject(out.stderr); found && object.Error != nil {
			return answer{fault: object.fault()}
		}
		return answer{fault: stderrFault(out)}
	}
	var object geminiObject
	if err := json.Unmarshal(out.stdout, &object); err != nil {
		return answer{fault: badAnswer("stdout is not a result object: %v", err)}
	}
	said := answer{usage: object.usage(), denied: object.Stats.value.Tools.value.failed()}
	switch {
	case object.Error != nil:
		said.fault = object.fault()
	case strings.EqualFold(object.Status, "error"):
		said.fault = &fault{message: "the result has the status error"}
	case object.Response == nil:
		said.fault = badAnswer("the object on stdout has no response")
	}
	if object.Response != nil {
		said.text = *object.Response
	}
	return said
}

// lastObject decodes the pretty-printed object after the log lines on stderr.
func lastObject(stderr []byte) (object geminiObject, found bool) {
	start := bytes.LastIndex(stderr, []byte("\n{\n")) + 1
	err := json.NewDecoder(bytes.NewReader(stderr[start:])).Decode(&object)
	return object, err == nil
}

func (o geminiObject) fault() *fault {
	status, err := strconv.Atoi(string(bytes.Trim(o.Error.Code, `"`)))
	if err != nil {
		status = 0 // the client's own errors have codes such as INVALID_STREAM
	}
	return &fault{status: status, message: o.Error.Message}
}

func (o geminiObject) usage() ledger.Usage {
	models := map[string]tokens{}
	for name, m := range o.Stats.value.Models {
		models[name] = tokens{
			input:  m.Tokens.Prompt,
			cached: m.Tokens.Cached,
			output: m.Tokens.Candidates + m.Tokens.Thoughts,
		}
	}
	return usageOf(models)
}
