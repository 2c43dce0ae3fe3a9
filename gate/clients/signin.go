package clients

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// SignInState says whether a client has credentials.
type SignInState string

// The states. None means that the credentials are accepted: only a request could show that.
const (
	SignedIn      SignInState = "signed in"
	SignedOut     SignInState = "not signed in"
	SignInUnknown SignInState = "unknown"
)

// SignIn is what is known about a client's credentials without a request to its server.
type SignIn struct {
	State SignInState
	// Detail says in a few words what was found; it may come from outside.
	Detail string
	// Fix says how to sign in.
	Fix string
}

// CheckSignIn finds out whether the client of a built-in adapter has credentials: in a variable, in
// a file of the user, or according to the client itself, which starts outside of the repository at
// repo.
func CheckSignIn(ctx context.Context, name, repo string) SignIn {
	r, _ := clientNamed(name)
	return r.signIn(ctx, repo)
}

// credentials says where a client keeps its credentials, and which of its commands tells about
// them.
type credentials struct {
	// variables are names of environment variables that hold a key. files are paths below the home
	// folder of files that a sign-in writes.
	variables, files []string
	// ask is the client's own command, and read parses its output. Both are nil if the client has
	// no such command.
	ask  []string
	read func(e variables, printed string, exitCode int) SignIn
	fix  string
}

// signIn looks at the variables, then at the files, and asks the client last.
func (r reviewer) signIn(ctx context.Context, repo string) SignIn {
	e := variables(os.Environ())
	for _, name := range r.credentials.variables {
		if e.get(name) != "" {
			return SignIn{State: SignedIn, Detail: name + " is set"}
		}
	}
	home := cmp.Or(e.get("HOME"), e.get("USERPROFILE"))
	for _, file := range r.credentials.files {
		if home != "" && hasCredentials(filepath.Join(home, filepath.FromSlash(file))) {
			return SignIn{State: SignedIn, Detail: "credentials in ~/" + file}
		}
	}
	found := SignIn{State: SignedOut}
	if len(r.credentials.ask) > 0 {
		printed, exitCode := r.status(ctx, repo)
		found = r.credentials.read(e, printed, exitCode)
	}
	if found.State != SignedIn {
		found.Fix = r.credentials.fix
	}
	return found
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

// hasCredentials reports whether a file holds a key that exists only while somebody is signed in.
func hasCredentials(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return false
	}
	data, err := os.ReadFile(file)
	return err == nil && regexp.MustCompile(`(?im)refresh_token|access_token|oauth_token|loggedInUsers"\s*:\s*\[\s*[^\]\s]|`+
		`logged_in_users"\s*:\s*\[\s*[^\]\s]|^\s*(export\s+)?(GEMINI_API_KEY|GOOGLE_API_KEY)\s*=\s*\S|"encrypted|"token`).Match(data)
}

// status asks the client whether it is signed in, and returns everything that it prints. The exit
// code is -1 if it did not end by itself.
func (r reviewer) status(ctx context.Context, repo string) (printed string, exitCode int) {
	stdout, stderr, result, err := r.ask(ctx, repo, r.credentials.ask...)
	if err != nil {
		return err.Error(), -1
	}
	if result.TimedOut || result.Interrupted {
		return result.Describe(), -1
	}
	return stdout + stderr, result.ExitCode
}

func readClaudeStatus(_ variables, printed string, exitCode int) SignIn {
	var status struct {
		LoggedIn   *bool  `json:"loggedIn"`
		AuthMethod string `json:"authMethod"`
	}
	if err := json.Unmarshal([]byte(printed), &status); err != nil || status.LoggedIn == nil {
		return unknownStatus(printed, exitCode)
	}
	if *status.LoggedIn {
		return SignIn{State: SignedIn, Detail: OneLine(status.AuthMethod)}
	}
	return SignIn{State: SignedOut}
}

// readCodexStatus concludes that nobody is signed in only if the client uses its default provider:
// other providers have their own keys.
func readCodexStatus(e variables, printed string, exitCode int) SignIn {
	switch {
	case exitCode == 0:
		return SignIn{State: SignedIn, Detail: OneLine(printed)}
	case !strings.Contains(strings.ToLower(printed), "not logged in"):
		return unknownStatus(printed, exitCode)
	case codexSetting(e, "model_provider") != "":
		return SignIn{State: SignInUnknown, Detail: "it uses a provider of its own"}
	}
	return SignIn{State: SignedOut}
}

func readStatusWords(_ variables, printed string, exitCode int) SignIn {
	words := strings.ToLower(printed)
	switch {
	case strings.Contains(words, "not logged in"), strings.Contains(words, "not authenticated"):
		return SignIn{State: SignedOut}
	case exitCode == 0 && strings.Contains(words, "logged in"):
		return SignIn{State: SignedIn}
	}
	return unknownStatus(printed, exitCode)
}

// readOpencodeStatus looks for a count of credentials or variables that is not 0. Without any, the
// client may still have a model that needs none.
func readOpencodeStatus(_ variables, printed string, exitCode int) SignIn {
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
	if words := OneLine(printed); exitCode < 0 && words != "" {
		return SignIn{State: SignInUnknown, Detail: words}
	}
	return SignIn{State: SignInUnknown, Detail: fmt.Sprintf("exit code %d", exitCode)}
}

// ModelOf returns the model that the client of a built-in adapter will ask, as far as that is
// known: the configured one, else that of the table of adapters, else the one in the client's own
// settings, else "".
func ModelOf(name, configured string) string {
	r, _ := clientNamed(name)
	return cmp.Or(configured, r.model, r.defaultModel(os.Environ()))
}

// defaultModel returns the model in the client's own settings, or "".
func (r reviewer) defaultModel(env []string) string {
	if _, ok := r.client.(codex); !ok || codexSetting(env, "profile") != "" {
		return "" // a profile may name another model
	}
	return codexSetting(env, "model")
}

// codexSetting returns a top-level setting of Codex's configuration, or "".
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
			return "" // the rest belongs to tables
		}
		if m := assignment.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}
