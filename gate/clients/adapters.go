package clients

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"

	"github.com/reviewledger/reviewledger/ledger"
)

// BuiltinName is the name of the adapter that needs no program: it reviews as `git diff --check`
// does.
const BuiltinName = ledger.BuiltinAdapter

// clients returns the table of adapters: everything that configuration, init, doctor and sign-in
// know about a client, in the order in which init prefers them.
func clients() []reviewer {
	return []reviewer{
		{
			name: "claude", limit: claudeLimit, client: claude{},
			credentials: credentials{
				variables: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"},
				ask:       []string{"auth", "status"}, read: readClaudeStatus,
				fix: "claude auth login",
			},
		},
		{
			name: "codex", limit: codexLimit, client: codex{}, away: true, onlyUTF8: true,
			credentials: credentials{
				variables: []string{"CODEX_API_KEY"},
				ask:       []string{"login", "status"}, read: readCodexStatus,
				fix: "codex login",
			},
		},
		{
			name: "gemini", limit: geminiLimit, client: gemini{}, away: true, model: geminiModel,
			credentials: credentials{
				variables: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_GCA"},
				files:     []string{".gemini/oauth_creds.json", ".gemini/gemini-credentials.json", ".gemini/.env", ".env"},
				fix:       "gemini, and sign in, or export GEMINI_API_KEY",
			},
		},
		{
			name: "github-copilot", limit: copilotLimit, client: copilot{}, away: true,
			credentials: credentials{
				variables: []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"},
				files:     []string{".copilot/config.json", ".config/gh/hosts.yml"},
				fix:       "copilot login, or export GH_TOKEN",
			},
		},
		{
			name: "cursor", limit: cursorLimit, client: cursor{}, away: true,
			credentials: credentials{
				variables: []string{"CURSOR_API_KEY"},
				ask:       []string{"status"}, read: readStatusWords,
				fix: "cursor-agent login",
			},
		},
		{
			name: "opencode", limit: opencodeLimit, client: opencode{}, away: true,
			credentials: credentials{
				ask: []string{"providers", "list"}, read: readOpencodeStatus,
				fix: "opencode auth login",
			},
		},
	}
}

func clientNamed(name string) (reviewer, bool) {
	for _, r := range clients() {
		if r.name == name {
			return r, true
		}
	}
	return reviewer{}, false
}

// Names returns the adapters that need no configured command, in the order in which init prefers
// them.
func Names() (names []string) {
	for _, r := range clients() {
		names = append(names, r.name)
	}
	return append(names, BuiltinName)
}

// Executable returns what must be on PATH for the adapter to be healthy: the first word of its
// command, else the client's executable. It returns "" if nothing is needed, for [BuiltinName], and
// for an unknown name.
func Executable(name string, command []string) string {
	if len(command) > 0 {
		return command[0]
	}
	if r, known := clientNamed(name); known {
		return r.client.command(invocation{})[0]
	}
	return ""
}

// Missing says why a program cannot be started in the folder, or returns "". A name is looked up on PATH,
// and a path is taken as it is.
func Missing(program, dir string) (why string) {
	isPath := filepath.Base(program) != program
	if isPath && !filepath.IsAbs(program) {
		program = filepath.Join(dir, program)
	}
	_, err := exec.LookPath(program)
	switch {
	case err == nil:
		return ""
	case !isPath:
		return "is not on PATH"
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	}
	return "is not executable"
}
