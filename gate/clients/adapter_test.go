package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// failing is an answer with everything that an envelope must quote.
const failing = `{"status":"fail","violations":[{"file":"a.go","line":3,"issue":"a \"quoted\" <word> \\ ’","priority":"high"}]}`

// client is one fake, with the usage and the error that it reports.
type client struct {
	adapter, executable string
	usage               ledger.Usage
	usageLimit          string
}

func allClients() []client {
	tokens := func(model string, input, cached, output int64, cost *float64) ledger.Usage {
		return ledger.Usage{Model: model, InputTokens: &input, CachedTokens: &cached, OutputTokens: &output, CostUSD: cost}
	}
	claudeCost, opencodeCost := 0.00762, 1.0
	return []client{
		{"claude", "claude", tokens("claude-opus-4-8[1m]", 1344, 100, 58, &claudeCost),
			"usage limit reached: You've hit your limit · resets 12:40"},
		{"codex", "codex", tokens("", 1234, 100, 56, nil),
			"usage limit reached: You’ve hit your usage limit. Upgrade to Pro or try again at 12:05 "},
		{"cursor", "cursor-agent", ledger.Usage{}, "usage limit reached: Error: You've hit your usage limit"},
		{"gemini", "gemini", tokens("gemini-2.5-pro", 1234, 100, 56, nil),
			"usage limit reached: You have exhausted your daily quota on this model."},
		{"github-copilot", "copilot", tokens("gpt-5", 1234, 100, 56, nil),
			"usage limit reached: Failed to get response: retried 5 times. Last error: 429 quota"},
		{"opencode", "opencode", tokens("fake/m1", 2468, 200, 112, &opencodeCost),
			`usage limit reached: Usage limit reached · {"error":"Usage limit reached"}`},
	}
}

// fakeDir is the folder with the script and the records of the fakes of one test.
type fakeDir string

func newFakeDir(t *testing.T, files map[string]string) fakeDir {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return fakeDir(dir)
}

func (d fakeDir) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(string(d), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (d fakeDir) env(extra ...string) []string {
	// Without the last variable, a fake under the race detector would wait for a second at its end.
	return append([]string{"PATH=" + os.Getenv("PATH"), "FAKE_DIR=" + string(d), "GORACE=atexit_sleep_ms=0"}, extra...)
}

func newReviewer(t *testing.T, name string, options clients.Options) clients.Reviewer {
	t.Helper()
	r, err := clients.New(name, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wantCallError(t *testing.T, err error, kind ledger.ErrorKind, text string) {
	t.Helper()
	var callErr *clients.CallError
	if !errors.As(err, &callErr) {
		t.Fatalf("error %v (%T), want a *CallError %q", err, err, text)
	}
	if callErr.Kind != kind || !strings.HasPrefix(err.Error(), text) {
		t.Errorf("error of kind %q: %q\nwant kind %q: %q", callErr.Kind, err, kind, text)
	}
}

func TestReviewAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{c.executable + ".1.answer": failing})
			dir := t.TempDir()
			prompt := "review this: 'quoted' $HOME\x00\n"
			reviewer := newReviewer(t, c.adapter, clients.Options{})
			reply, err := reviewer.Review(t.Context(), clients.Call{
				Dir: dir, Prompt: []byte(prompt), Env: fakes.env(
					"CLAUDECODE=1", "GIT_DIR=/elsewhere", "GIT_INDEX_FILE=/elsewhere/index", "GIT_AUTHOR_NAME=kept",
					"OPENCODE_PERMISSION=all", "PWD=/elsewhere"),
			})
			if err != nil {
				t.Fatal(err)
			}
			if reply.Text != failing {
				t.Errorf("text %q, want %q", reply.Text, failing)
			}
			if diff := cmp.Diff(c.usage, reply.Usage); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
			if got, want := fakes.read(t, c.executable+".1.prompt"), reviewer.Preamble(dir)+prompt; got != want {
				t.Errorf("the client read %q, want %q", got, want)
			}
			var args []string
			if err := json.Unmarshal([]byte(fakes.read(t, c.executable+".1.args")), &args); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(reply.Command, append([]string{c.executable}, args...)); diff != "" {
				t.Errorf("command line recorded (-reply +client):\n%s", diff)
			}
			checkEnvironment(t, c.adapter, fakes.read(t, c.executable+".1.env"), dir)
			checkFolder(t, c.adapter, fakes.read(t, c.executable+".1.dir"), dir)
			if reply.Duration <= 0 || len(reply.Stdout) == 0 {
				t.Errorf("reply %+v", reply)
			}
		})
	}
}

func checkEnvironment(t *testing.T, adapter, env, dir string) {
	t.Helper()
	wanted := []string{"GIT_AUTHOR_NAME=kept", "GIT_OPTIONAL_LOCKS=0", "REVIEWLEDGER_INSIDE=1"}
	unwanted := []string{"GIT_DIR=", "GIT_INDEX_FILE=", "PWD=/elsewhere"}
	if adapter != "claude" {
		unwanted = append(unwanted, "PWD="+dir)
	}
	switch adapter {
	case "claude":
		wanted = append(wanted, "PWD="+dir, "CLAUDE_CODE_MAX_RETRIES=2", "CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "CLAUDE_CODE_DISABLE_CLAUDE_MDS=1",
			"CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS=1")
		unwanted = append(unwanted, "CLAUDECODE=")
	case "gemini":
		wanted = append(wanted, "GEMINI_CLI_NO_RELAUNCH=true")
	case "opencode":
		wanted = append(wanted, "OPENCODE_DISABLE_PROJECT_CONFIG=1", "OPENCODE_DISABLE_CLAUDE_CODE=1",
			`OPENCODE_PERMISSION={"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow",`+
				`"external_directory":{"*":"deny","`+dir+`":"allow","`+dir+`/*":"allow"}}`)
		unwanted = append(unwanted, "OPENCODE_PERMISSION=all")
	}
	for _, variable := range wanted {
		if !strings.Contains("\n"+env, "\n"+variable+"\n") {
			t.Errorf("environment lacks %s:\n%s", variable, env)
		}
	}
	for _, variable := range unwanted {
		if strings.Contains("\n"+env, "\n"+variable) {
			t.Errorf("environment holds %s:\n%s", variable, env)
		}
	}
}

// checkFolder checks the folder in which a client was started: the repository for Claude Code, for
// all others an empty folder elsewhere that is removed afterwards.
func checkFolder(t *testing.T, adapter, listing, repo string) {
	t.Helper()
	folder, files, _ := strings.Cut(listing, "\n")
	if adapter == "claude" {
		if folder != repo {
			t.Errorf("started in %q, want %q", folder, repo)
		}
		return
	}
	if strings.HasPrefix(folder+"/", repo+"/") || files != "" {
		t.Errorf("started in %q with the files %q", folder, files)
	}
	if _, err := os.Stat(filepath.Dir(folder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%q is still there: %v", folder, err)
	}
}

// TestCommandLines compares the whole command line of each client.
func TestCommandLines(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a \"repo\", with \\ comma")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	plain := t.TempDir()
	want := map[string][]string{
		"claude": {"claude -p --output-format json --tools Read,Grep,Glob --permission-mode dontAsk --strict-mcp-config " +
			"--setting-sources user --no-session-persistence"},
		"codex": {"codex exec --json --sandbox read-only --skip-git-repo-check --ephemeral --ignore-rules --color never " +
			"-c features.unbounded_connection_retries=false -c project_doc_max_bytes=0 -c skills.include_instructions=false " +
			"-c web_search=disabled -c", "projects={REPO={trust_level=\"untrusted\"}}", "-"},
		"cursor": {"cursor-agent --print --output-format json --mode ask --trust"},
		"gemini": {"gemini --output-format json --approval-mode plan --skip-trust --admin-policy", "SCRATCH/policy.toml",
			"-m gemini-2.5-pro"},
		"github-copilot": {"copilot --output-format json --no-color --no-auto-update --no-ask-user --no-custom-instructions " +
			"--no-remote --disable-builtin-mcps --available-tools=view,grep,glob --allow-all-paths --usage-output-file", "SCRATCH/usage.json"},
		"opencode": {"opencode run --format json --pure --agent plan --title review --print-logs --log-level INFO"},
	}
	for _, c := range allClients() {
		for _, repo := range []string{plain, dir} {
			fakes := newFakeDir(t, nil)
			reply, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
				clients.Call{Dir: repo, Prompt: []byte("x"), Env: fakes.env()})
			if err != nil {
				t.Fatal(err)
			}
			folder, _, _ := strings.Cut(fakes.read(t, c.executable+".1.dir"), "\n")
			scratch := filepath.Dir(folder)
			quoted := `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(repo) + `"`
			var args []string
			for _, part := range want[c.adapter] {
				if strings.ContainsAny(part, "RS") && !strings.Contains(part, " ") {
					args = append(args, strings.NewReplacer("REPO", quoted, "SCRATCH", scratch).Replace(part))
				} else {
					args = append(args, strings.Fields(part)...)
				}
			}
			if c.adapter == "gemini" && repo == plain { // a comma would end the name of a folder
				args = append(args, "--include-directories", plain)
			}
			if diff := cmp.Diff(args, reply.Command); diff != "" {
				t.Errorf("%s in %q (-want +got):\n%s", c.adapter, repo, diff)
			}
		}
	}
}

// TestScratchIsRemoved stops a client in every possible way.
func TestScratchIsRemoved(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"timeout": {"any.hang": ""}, "crash": {"any.exit": "1"}, "kill": {"any.signal": "KILL"},
	} {
		fakes := newFakeDir(t, files)
		_, err := newReviewer(t, "gemini", clients.Options{}).Review(t.Context(),
			clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env(), Timeout: time.Second})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		checkFolder(t, "gemini", fakes.read(t, "gemini.1.dir"), "/nowhere")
	}
}

func TestReviewWaitsForARateLimit(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{
				c.executable + ".1.rate-limit": "Rate limit reached, 429 Too Many Requests. Please try again in 0.05s.",
				c.executable + ".2.answer":     failing,
			})
			reply, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
				clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
			if err != nil || reply.Text != failing {
				t.Errorf("text %q, error %v", reply.Text, err)
			}
			if reply.Waited <= 0 || reply.Waited > time.Second || reply.Duration < reply.Waited {
				t.Errorf("waited %s of %s", reply.Waited, reply.Duration)
			}
			if cost := reply.Usage.CostUSD; c.adapter == "claude" && (cost == nil || *cost != 2*0.00762) {
				t.Errorf("both attempts cost %v", cost)
			}
		})
	}
}

func TestReviewDoesNotOutwaitItsTimeout(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.rate-limit": ""})
			if c.adapter == "gemini" { // its message always names a time
				fakes = newFakeDir(t, map[string]string{"any.rate-limit": "Please retry in 40s."})
			}
			_, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
				clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env(), Timeout: 15 * time.Second})
			wantCallError(t, err, ledger.ErrorRateLimit, "rate limit reached: ")
			if _, err := os.Stat(filepath.Join(string(fakes), c.executable+".2.args")); err == nil {
				t.Error("asked again")
			}
		})
	}
}

func TestReviewErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		kind  ledger.ErrorKind
		text  string
	}{
		{"auth", map[string]string{"any.auth": ""}, ledger.ErrorAuth, "not authenticated: "},
		{"exit with a good answer", map[string]string{"any.exit": "3"}, ledger.ErrorCrashed, "exited with code 3"},
		{"exit with stderr", map[string]string{"any.raw": "", "any.stderr": "first\nit broke\n", "any.exit": "9"},
			ledger.ErrorCrashed, "exited with code 9: first it broke"},
		{"killed after a good answer", map[string]string{"any.signal": "KILL"}, ledger.ErrorCrashed, "ended by signal killed"},
		{"killed silently", map[string]string{"any.raw": "", "any.signal": "KILL"}, ledger.ErrorCrashed, "ended by signal killed"},
		{"asked to end by another", map[string]string{"any.signal": "TERM"}, ledger.ErrorCrashed, "ended by signal terminated"},
		{"nothing printed", map[string]string{"any.raw": ""}, ledger.ErrorBadAnswer, "empty answer"},
		{"no envelope", map[string]string{"any.raw": "{]\n"}, ledger.ErrorBadAnswer, "unexpected output: "},
		{"envelope cut", map[string]string{"any.raw": `{"type":"result","result":"{\"status\":\"pa`}, ledger.ErrorBadAnswer, "unexpected output: "},
		{"another object", map[string]string{"any.raw": `{"type":"unknown"}`}, "", ""},
		{"blank answer", map[string]string{"any.answer": " \n\t"}, ledger.ErrorBadAnswer, "empty answer"},
	}
	for _, c := range allClients() {
		for _, test := range tests {
			t.Run(c.adapter+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				fakes := newFakeDir(t, test.files)
				reply, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
					clients.Call{Dir: t.TempDir(), Prompt: []byte("usage limit"), Env: fakes.env()})
				if reply.Text != "" {
					t.Errorf("text %q with error %v", reply.Text, err)
				}
				if test.text == "" {
					if err == nil {
						t.Error("no error")
					}
					return
				}
				wantCallError(t, err, test.kind, test.text)
				if !bytes.HasSuffix(reply.Stderr, []byte(test.files["any.stderr"])) {
					t.Errorf("stderr %q", reply.Stderr)
				}
			})
		}
		t.Run(c.adapter+"/usage limit", func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.usage-limit": ""})
			_, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
				clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
			wantCallError(t, err, ledger.ErrorUsageLimit, c.usageLimit)
		})
		t.Run(c.adapter+"/empty answer", func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.answer": ""})
			reply, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
				clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
			if err == nil {
				t.Errorf("reply %+v", reply)
			}
		})
	}
}

// Rule: What is not an answer is an error.
func TestReviewStopsAtTimeout(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.hang": ""})
			_, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(),
				clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env(), Timeout: 300 * time.Millisecond})
			wantCallError(t, err, ledger.ErrorTimeout, "timed out after 0.3s")
		})
	}
}

func TestReviewInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fakes := newFakeDir(t, nil)
	_, err := newReviewer(t, "codex", clients.Options{}).Review(ctx,
		clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
	wantCallError(t, err, ledger.ErrorInterrupted, "interrupted")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v does not wrap context.Canceled", err)
	}
}

// Rule: Nothing is left out without a word.
func TestReviewInputLimit(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			r := newReviewer(t, c.adapter, clients.Options{})
			fakes := newFakeDir(t, nil)
			call := clients.Call{Dir: t.TempDir(), Prompt: bytes.Repeat([]byte("x"), r.InputLimit()), Env: fakes.env()}
			if _, err := r.Review(t.Context(), call); err != nil {
				t.Errorf("a prompt of %d bytes: %v", len(call.Prompt), err)
			}
			if n := len(r.Preamble(strings.Repeat("x", 4096))); n > 6<<10 {
				t.Errorf("a preamble of %d bytes has no room", n)
			}
			call.Prompt = append(call.Prompt, 'x')
			_, err := r.Review(t.Context(), call)
			wantCallError(t, err, ledger.ErrorInputLimit, "input limit exceeded: a prompt of ")
			if _, err := os.Stat(filepath.Join(string(fakes), c.executable+".2.args")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the client was asked all the same: %v", err)
			}
		})
	}
}

// Rule: What is not an answer is an error.
func TestReviewOutputLimit(t *testing.T) {
	t.Parallel()
	command := []string{"sh", "-c", "cat >/dev/null; trap '' PIPE; while :; do head -c 1000000 /dev/zero || :; done"}
	_, err := newReviewer(t, "endless", clients.Options{Command: command}).Review(t.Context(),
		clients.Call{Dir: t.TempDir(), Prompt: []byte("x")})
	wantCallError(t, err, ledger.ErrorBadAnswer, "printed more than 64 MiB")
}

func TestReviewModel(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, nil)
			r := newReviewer(t, c.adapter, clients.Options{Model: "configured"})
			for _, call := range []struct{ model, want string }{{"", "configured"}, {"of-the-call", "of-the-call"}} {
				reply, err := r.Review(t.Context(),
					clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env(), Model: call.model})
				if err != nil {
					t.Fatal(err)
				}
				if at := slices.Index(reply.Command, call.want); at < 1 || !slices.Contains([]string{"-m", "--model"}, reply.Command[at-1]) {
					t.Errorf("command %q does not ask for the model %q", reply.Command, call.want)
				}
				if c.usage.Model == "" && reply.Usage.Model != call.want {
					t.Errorf("model %q, want %q", reply.Usage.Model, call.want)
				}
			}
		})
	}
}

func TestReviewReplacesInvalidUTF8ForCodexOnly(t *testing.T) {
	t.Parallel()
	for adapter, want := range map[string]string{"codex": "a\uFFFDb", "claude": "a\xff\xfeb"} {
		fakes := newFakeDir(t, nil)
		_, err := newReviewer(t, adapter, clients.Options{}).Review(t.Context(),
			clients.Call{Dir: t.TempDir(), Prompt: []byte("a\xff\xfeb"), Env: fakes.env()})
		if err != nil {
			t.Fatal(err)
		}
		if got := fakes.read(t, adapter+".1.prompt"); !strings.HasSuffix(got, want) {
			t.Errorf("%s read %q, want %q", adapter, got, want)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options clients.Options
		want    string
	}{
		{"unheard-of", clients.Options{}, `unknown adapter "unheard-of": give it a command under cli.adapters, or use one of ` +
			`builtin, claude, codex, cursor, gemini, github-copilot, opencode`},
	}
	for _, test := range tests {
		if _, err := clients.New(test.name, test.options); err == nil || err.Error() != test.want {
			t.Errorf("New(%q) error %v, want %s", test.name, err, test.want)
		}
	}
	want := map[string]string{"claude": "claude", "codex": "codex", "cursor": "cursor-agent", "gemini": "gemini",
		"github-copilot": "copilot", "opencode": "opencode", "builtin": "", "unheard-of": ""}
	for name, executable := range want {
		if got := clients.Executable(name, nil); got != executable {
			t.Errorf("Executable(%q) = %q, want %q", name, got, executable)
		}
	}
	if got := clients.Executable("claude", []string{"/opt/wrapper", "x"}); got != "/opt/wrapper" {
		t.Errorf("Executable of a command = %q", got)
	}
}

// Not parallel, because it sets the variables that locate the client's settings.
func TestModelOf(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CODEX_HOME", home)
	config := filepath.Join(home, "config.toml")
	for text, want := range map[string]string{
		"# mine\nmodel = \"gpt-9\"\n[x]\nmodel = \"no\"\n":  "gpt-9",
		"[x]\nmodel = \"no\"\n":                             "",
		"model = \"gpt-9\"\nprofile = \"fast\"\n":           "",
		"model_provider = \"other\"\nmodel = 'gpt-8' # x\n": "gpt-8",
	} {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := clients.ModelOf("codex", ""); got != want {
			t.Errorf("with %q the model is %q, want %q", text, got, want)
		}
	}
	if err := os.WriteFile(config, []byte(`model = "gpt-9"`), 0o600); err != nil {
		t.Fatal(err)
	}
	fakes := newFakeDir(t, nil)
	reply, err := newReviewer(t, "codex", clients.Options{}).Review(t.Context(),
		clients.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env("CODEX_HOME=" + home)})
	if err != nil || reply.Usage.Model != "gpt-9" {
		t.Errorf("model %q, error %v", reply.Usage.Model, err)
	}
	for name, want := range map[string]string{"gemini": "gemini-2.5-pro", "claude": "", "builtin": ""} {
		if got := clients.ModelOf(name, ""); got != want {
			t.Errorf("the model of %s is %q, want %q", name, got, want)
		}
	}
}

// Not parallel, because it sets the home folder.
func TestGeminiReadsNoInstructions(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	tests := []struct {
		settings, file string
		read           bool
	}{
		{"", "deep/er/README.md", true},
		{"", "deep/er/GEMINI.md", false},
		{"", "gemini.MD", false},
		{"", "AGENTS.md", true},
		{`{"context": {"fileName": "AGENTS.md"}}`, "deep/AGENTS.md", false},
		{`{"context": {"fileName": ["X.md", "Y.md"]}}`, "Y.md", false},
		{`{"context": {}}`, "AGENTS.md", true},
		{`{"context": {"fileName": 1}}`, "AGENTS.md", false},
		{`// broken`, "CLAUDE.md", false},
	}
	for _, test := range tests {
		repo := t.TempDir()
		for name, text := range map[string]string{
			filepath.Join(home, ".gemini", "settings.json"): test.settings, filepath.Join(repo, filepath.FromSlash(test.file)): "x",
		} {
			err := os.MkdirAll(filepath.Dir(name), 0o700)
			if err == nil && text != "" {
				err = os.WriteFile(name, []byte(text), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		fakes := newFakeDir(t, nil)
		reply, err := newReviewer(t, "gemini", clients.Options{}).Review(t.Context(),
			clients.Call{Dir: repo, Prompt: []byte("x"), Env: fakes.env()})
		if err != nil {
			t.Fatal(err)
		}
		if read := slices.Contains(reply.Command, "--include-directories"); read != test.read {
			t.Errorf("with %s and the settings %q the repository is read: %t", test.file, test.settings, read)
		}
	}
}

// Not parallel, because it sets the variables that may hold credentials.
func TestCheckSignIn(t *testing.T) {
	fakes := newFakeDir(t, nil)
	home := t.TempDir()
	t.Setenv("FAKE_DIR", string(fakes))
	t.Setenv("HOME", home)
	for _, name := range []string{"ANTHROPIC_API_KEY", "CODEX_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GH_TOKEN", "GITHUB_TOKEN", "CURSOR_API_KEY"} {
		t.Setenv(name, "")
	}
	state := func(adapter string) clients.SignInState {
		return clients.CheckSignIn(t.Context(), adapter, t.TempDir()).State
	}
	for _, adapter := range []string{"claude", "codex", "cursor", "opencode"} {
		if got := state(adapter); got != clients.SignedIn {
			t.Errorf("%s is %s", adapter, got)
		}
	}
	if err := os.WriteFile(filepath.Join(string(fakes), "any.signed-out"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range allClients() {
		if got := state(c.adapter); got != clients.SignedOut {
			t.Errorf("%s without credentials is %s", c.adapter, got)
		}
	}
	for name, adapter := range map[string]string{"ANTHROPIC_API_KEY": "claude", "CODEX_API_KEY": "codex", "GEMINI_API_KEY": "gemini",
		"GH_TOKEN": "github-copilot", "CURSOR_API_KEY": "cursor"} {
		t.Setenv(name, "key")
		if got := state(adapter); got != clients.SignedIn {
			t.Errorf("%s with %s is %s", adapter, name, got)
		}
		t.Setenv(name, "")
	}
	if err := os.Mkdir(filepath.Join(home, ".gemini"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".gemini", ".env"), []byte("GEMINI_API_KEY=k\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := state("gemini"); got != clients.SignedIn {
		t.Errorf("gemini with a key in ~/.gemini/.env is %s", got)
	}
}
