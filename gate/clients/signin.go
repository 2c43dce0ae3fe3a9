package clients

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
)

// SignInState says whether a client has credentials.
type SignInState string

// The states. None of them says that the credentials are good: only a request
// would.
const (
	SignedIn      SignInState = "signed in"
	SignedOut     SignInState = "not signed in"
	SignInUnknown SignInState = "unknown"
)

// SignIn is what can be found out about a client's credentials without a
// request to its server.
type SignIn struct {
	State SignInState
	// Detail says what was found, in a few words; it may come from outside.
	Detail string
	// Fix says how to sign in.
	Fix string
}

// signInPatience is how long a client may take to say whether it is signed in.
const signInPatience = 20 * time.Second

// CheckSignIn finds out whether the client of a built-in adapter has
// credentials, in the environment that the options leave it: in a variable or a
// file of the user's, or by the client's own word. The client starts outside of
// the repository at repo.
func CheckSignIn(ctx context.Context, name string, options Options, repo string) SignIn {
	r, err := New(name, options)
	client, ok := r.(reviewer)
	if err != nil || !ok || len(options.Command) > 0 {
		return SignIn{State: SignInUnknown, Detail: "no credentials are known of"}
	}
	e := variables(client.baseEnvironment(nil))
	switch name {
	case "claude":
		return e.either([]string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX"}, nil,
			"claude auth login", func() SignIn { return readClaudeStatus(client.status(ctx, repo, "auth", "status")) })
	case "codex":
		return e.either([]string{"CODEX_API_KEY"}, nil, "codex login", func() SignIn {
			return e.readCodexStatus(client.status(ctx, repo, "login", "status"))
		})
	case "gemini":
		return e.either([]string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_GCA"},
			[]string{".gemini/oauth_creds.json", ".gemini/gemini-credentials.json", ".gemini/.env", ".env"},
			"gemini, and sign in, or export GEMINI_API_KEY", nil)
	case "github-copilot":
		return e.either([]string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"},
			[]string{".copilot/config.json", ".config/gh/hosts.yml"}, "copilot login, or export GH_TOKEN", nil)
	case "cursor":
		return e.either([]string{"CURSOR_API_KEY"}, nil, "cursor-agent login", func() SignIn {
			return readStatusWords(client.status(ctx, repo, "status"))
		})
	case "opencode":
		return e.either(nil, nil, "opencode auth login", func() SignIn {
			return readOpencodeStatus(client.status(ctx, repo, "providers", "list"))
		})
	}
	return SignIn{State: SignInUnknown}
}

// variables is an environment.
type variables []string

func (e variables) get(name string) string {
	for _, variable := range slices.Backward(e) {
		if value, found := strings.CutPrefix(variable, name+"="); found {
			return value
		}
	}
	return ""
}

// either looks for credentials in variables, then in files below the home
// folder, and then asks the client, if it can be asked.
func (e variables) either(names, files []string, fix string, ask func() SignIn) SignIn {
	for _, name := range names {
		if e.get(name) != "" {
			return SignIn{State: SignedIn, Detail: name + " is set"}
		}
	}
	home := e.get("HOME")
	if home == "" {
		home = e.get("USERPROFILE")
	}
	for _, file := range files {
		if home != "" && e.hasCredentials(filepath.Join(home, filepath.FromSlash(file))) {
			return SignIn{State: SignedIn, Detail: "credentials in ~/" + file}
		}
	}
	found := SignIn{State: SignedOut}
	if ask != nil {
		found = ask()
	}
	if found.State != SignedIn {
		found.Fix = fix
	}
	return found
}

// hasCredentials reports whether a file holds a word that only a signed-in
// user's does.
func (e variables) hasCredentials(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return false
	}
	data, err := os.ReadFile(file)
	return err == nil && regexp.MustCompile(`(?im)refresh_token|access_token|oauth_token|loggedInUsers"\s*:\s*\[\s*[^\]\s]|`+
		`logged_in_users"\s*:\s*\[\s*[^\]\s]|^\s*(export\s+)?(GEMINI_API_KEY|GOOGLE_API_KEY)\s*=\s*\S|"encrypted|"token`).Match(data)
}

// status runs a client's own command and returns what it prints.
func (r reviewer) status(ctx context.Context, repo string, args ...string) (printed string, exitCode int) {
	folder, err := newScratch(repo)
	if err != nil {
		return err.Error(), -1
	}
	defer func() { _ = folder.Remove() }()
	work := filepath.Join(folder.Path, workFolder)
	out := &boundedBuffer{limit: 1 << 16, overflow: func() {}}
	in := invocation{repo: repo, scratch: folder.Path}
	result, err := process.Run(ctx, process.Command{
		Args: append(r.client.command(in)[:1:1], args...), Dir: work,
		Env:   childEnvironment(r.baseEnvironment(nil), work, r.client.environment(in)),
		Stdin: bytes.NewReader(nil), Stdout: out, Stderr: out, Timeout: signInPatience, Guarded: true,
	})
	if err != nil || result.TimedOut || result.Interrupted {
		return result.Describe(), -1
	}
	return out.buf.String(), result.ExitCode
}

func readClaudeStatus(printed string, exitCode int) SignIn {
	var status struct {
		LoggedIn   *bool  `json:"loggedIn"`
		AuthMethod string `json:"authMethod"`
	}
	if err := json.Unmarshal([]byte(printed), &status); err != nil || status.LoggedIn == nil {
		return unknownStatus(printed, exitCode)
	}
	if *status.LoggedIn {
		return SignIn{State: SignedIn, Detail: oneLine(status.AuthMethod)}
	}
	return SignIn{State: SignedOut}
}

// readCodexStatus believes a no only where the client uses its own provider:
// others have keys of their own.
func (e variables) readCodexStatus(printed string, exitCode int) SignIn {
	switch {
	case exitCode == 0:
		return SignIn{State: SignedIn, Detail: oneLine(printed)}
	case !strings.Contains(strings.ToLower(printed), "not logged in"):
		return unknownStatus(printed, exitCode)
	case codexSetting(e, "model_provider") != "":
		return SignIn{State: SignInUnknown, Detail: "it uses a provider of its own"}
	}
	return SignIn{State: SignedOut}
}

func readStatusWords(printed string, exitCode int) SignIn {
	words := strings.ToLower(printed)
	switch {
	case strings.Contains(words, "not logged in"), strings.Contains(words, "not authenticated"):
		return SignIn{State: SignedOut}
	case exitCode == 0 && strings.Contains(words, "logged in"):
		return SignIn{State: SignedIn}
	}
	return unknownStatus(printed, exitCode)
}

// readOpencodeStatus adds up the credentials and the variables that the client
// counts. Without any it may still have a model that needs none.
func readOpencodeStatus(printed string, exitCode int) SignIn {
	counts := regexp.MustCompile(`\b([0-9]+) (?:credential|environment variable)`).FindAllStringSubmatch(printed, -1)
	if exitCode != 0 || len(counts) == 0 {
		return unknownStatus(printed, exitCode)
	}
	for _, count := range counts {
		if strings.Trim(count[1], "0") != "" {
			return SignIn{State: SignedIn, Detail: count[0] + "s"}
		}
	}
	return SignIn{State: SignedOut, Detail: "0 credentials"}
}

func unknownStatus(printed string, exitCode int) SignIn {
	if words := oneLine(printed); exitCode < 0 && words != "" {
		return SignIn{State: SignInUnknown, Detail: words}
	}
	return SignIn{State: SignInUnknown, Detail: fmt.Sprintf("exit code %d", exitCode)}
}

// ModelOf returns the model that an adapter with the options asks for, as far as
// it can be known before: the one in the options or of [DefaultModel], else the
// one that the client's own settings name, else "".
func ModelOf(name string, options Options) string {
	r, err := New(name, options)
	client, ok := r.(reviewer)
	if err != nil || !ok {
		return ""
	}
	return cmp.Or(client.model, client.defaultModel(client.baseEnvironment(nil)))
}

// defaultModel is the model that the client's own settings name, or "".
func (r reviewer) defaultModel(env []string) string {
	if _, ok := r.client.(codex); !ok || codexSetting(env, "profile") != "" {
		return "" // a profile may name another one
	}
	return codexSetting(env, "model")
}

// codexSetting reads a setting at the top of Codex's configuration, or "".
func codexSetting(e variables, key string) string {
	home := e.get("CODEX_HOME")
	if home == "" {
		home = filepath.Join(e.get("HOME"), ".codex")
	}
	data, err := os.ReadFile(filepath.Join(home, "config.toml"))
	if err != nil {
		return ""
	}
	assignment := regexp.MustCompile(`^` + key + `\s*=\s*["']([^"']+)["']`)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			return "" // of a table
		}
		if m := assignment.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}
