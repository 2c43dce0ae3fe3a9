package review_test

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
	"github.com/reviewledger/reviewledger/gate/review"
)

// failing is an answer with all that an envelope has to quote.
const failing = `{"status":"fail","violations":[{"file":"a.go","line":3,"issue":"a \"quoted\" <word> \\ ’","priority":"high"}]}`

// client is one fake and what it reports.
type client struct {
	adapter, executable string
	usage               review.Usage
	usageLimit          string
}

func clients() []client {
	tokens := func(model string, input, cached, output int64, cost *float64) review.Usage {
		return review.Usage{Model: model, InputTokens: &input, CachedTokens: &cached, OutputTokens: &output, CostUSD: cost}
	}
	claudeCost, opencodeCost := 0.00762, 1.0
	return []client{
		{"claude", "claude", tokens("claude-opus-4-8[1m]", 1344, 100, 58, &claudeCost),
			"usage limit reached: You've hit your limit · resets 12:40pm (UTC)"},
		{"codex", "codex", tokens("", 1234, 100, 56, nil),
			"usage limit reached: You’ve hit your usage limit. Upgrade to Pro or try again at 12:05 PM."},
		{"cursor", "cursor-agent", review.Usage{}, "usage limit reached: Error: You've hit your usage limit"},
		{"gemini", "gemini", tokens("gemini-2.5-pro", 1234, 100, 56, nil),
			"usage limit reached: You have exhausted your daily quota on this model."},
		{"github-copilot", "copilot", tokens("gpt-5", 1234, 100, 56, nil),
			"usage limit reached: Failed to get response: retried 5 times. Last error: 429 quota"},
		{"opencode", "opencode", tokens("", 2468, 200, 112, &opencodeCost),
			`usage limit reached: Usage limit reached · {"error":"Usage limit reached"}`},
	}
}

// fakeDir holds what the fakes of one test do and have recorded.
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
	// A fake that the race detector watches would else rest for a second at its end.
	return append([]string{"PATH=" + os.Getenv("PATH"), "FAKE_DIR=" + string(d), "GORACE=atexit_sleep_ms=0"}, extra...)
}

func newReviewer(t *testing.T, name string, options review.Options) review.Reviewer {
	t.Helper()
	r, err := review.New(name, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wantCallError(t *testing.T, err error, kind review.ErrorKind, text string) {
	t.Helper()
	var callErr *review.CallError
	if !errors.As(err, &callErr) {
		t.Fatalf("error %v (%T), want a *CallError %q", err, err, text)
	}
	if callErr.Kind != kind || !strings.HasPrefix(err.Error(), text) {
		t.Errorf("error of kind %q: %q\nwant kind %q: %q", callErr.Kind, err, kind, text)
	}
}

func TestReviewAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range clients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{c.executable + ".1.answer": failing})
			dir := t.TempDir()
			var stderr bytes.Buffer
			prompt := "review this: 'quoted' $HOME\x00\n"
			reply, err := newReviewer(t, c.adapter, review.Options{}).Review(t.Context(), review.Call{
				Dir: dir, Prompt: []byte(prompt), Stderr: &stderr, Env: fakes.env(
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
			if got := fakes.read(t, c.executable+".1.prompt"); got != prompt {
				t.Errorf("the client read %q, want %q", got, prompt)
			}
			var args []string
			if err := json.Unmarshal([]byte(fakes.read(t, c.executable+".1.args")), &args); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(reply.Command, append([]string{c.executable}, args...)); diff != "" {
				t.Errorf("command line recorded (-reply +client):\n%s", diff)
			}
			checkEnvironment(t, c.adapter, fakes.read(t, c.executable+".1.env"), dir)
			if !bytes.Equal(reply.Stderr, stderr.Bytes()) || reply.Duration <= 0 || len(reply.Stdout) == 0 {
				t.Errorf("reply %+v, stderr written %q", reply, &stderr)
			}
		})
	}
}

func checkEnvironment(t *testing.T, adapter, env, dir string) {
	t.Helper()
	wanted := []string{"GIT_AUTHOR_NAME=kept", "GIT_OPTIONAL_LOCKS=0", "PWD=" + dir}
	unwanted := []string{"GIT_DIR=", "GIT_INDEX_FILE=", "PWD=/elsewhere"}
	switch adapter {
	case "claude":
		wanted = append(wanted, "CLAUDE_CODE_MAX_RETRIES=2")
		unwanted = append(unwanted, "CLAUDECODE=")
	case "gemini":
		wanted = append(wanted, "GEMINI_CLI_NO_RELAUNCH=true")
	case "opencode":
		wanted = append(wanted, "OPENCODE_DISABLE_PROJECT_CONFIG=1",
			`OPENCODE_PERMISSION={"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow"}`)
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

func TestReviewErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		kind  review.ErrorKind
		text  string
	}{
		{"auth", map[string]string{"any.auth": ""}, review.KindAuth, "not authenticated: "},
		{"exit with a good answer", map[string]string{"any.exit": "3"}, review.KindExit, "exited with code 3"},
		{"exit with stderr", map[string]string{"any.raw": "", "any.stderr": "first\nit broke\n", "any.exit": "9"},
			review.KindExit, "exited with code 9: first it broke"},
		{"killed after a good answer", map[string]string{"any.signal": "KILL"}, review.KindSignal, "ended by signal killed"},
		{"killed silently", map[string]string{"any.raw": "", "any.signal": "KILL"}, review.KindSignal, "ended by signal killed"},
		{"asked to end by another", map[string]string{"any.signal": "TERM"}, review.KindSignal, "ended by signal terminated"},
		{"nothing printed", map[string]string{"any.raw": ""}, review.KindEmpty, "empty answer"},
		{"no envelope", map[string]string{"any.raw": "{]\n"}, review.KindProtocol, "unexpected output: "},
		{"envelope cut", map[string]string{"any.raw": `{"type":"result","result":"{\"status\":\"pa`}, review.KindProtocol, "unexpected output: "},
		{"another object", map[string]string{"any.raw": `{"type":"unknown"}`}, "", ""},
		{"blank answer", map[string]string{"any.answer": " \n\t"}, review.KindEmpty, "empty answer"},
	}
	for _, c := range clients() {
		for _, test := range tests {
			t.Run(c.adapter+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				fakes := newFakeDir(t, test.files)
				reply, err := newReviewer(t, c.adapter, review.Options{}).Review(t.Context(),
					review.Call{Dir: t.TempDir(), Prompt: []byte("usage limit"), Env: fakes.env()})
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
			})
		}
		t.Run(c.adapter+"/usage limit", func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.usage-limit": ""})
			_, err := newReviewer(t, c.adapter, review.Options{}).Review(t.Context(),
				review.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
			wantCallError(t, err, review.KindUsageLimit, c.usageLimit)
		})
		t.Run(c.adapter+"/empty answer", func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.answer": ""})
			reply, err := newReviewer(t, c.adapter, review.Options{}).Review(t.Context(),
				review.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
			if err == nil {
				t.Errorf("reply %+v", reply)
			}
		})
	}
}

// Rule: A stopped reviewer has not answered.
func TestReviewStopsAtTimeout(t *testing.T) {
	t.Parallel()
	for _, c := range clients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.hang": ""})
			_, err := newReviewer(t, c.adapter, review.Options{}).Review(t.Context(),
				review.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env(), Timeout: 300 * time.Millisecond})
			wantCallError(t, err, review.KindTimeout, "timed out after 0.3s")
		})
	}
}

func TestReviewInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fakes := newFakeDir(t, nil)
	_, err := newReviewer(t, "codex", review.Options{}).Review(ctx,
		review.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env()})
	wantCallError(t, err, review.KindInterrupted, "interrupted")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v does not wrap context.Canceled", err)
	}
}

// Rule: Nothing is cut without a word.
func TestReviewInputLimit(t *testing.T) {
	t.Parallel()
	for _, c := range clients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			r := newReviewer(t, c.adapter, review.Options{})
			fakes := newFakeDir(t, nil)
			call := review.Call{Dir: t.TempDir(), Prompt: bytes.Repeat([]byte("x"), r.InputLimit()), Env: fakes.env()}
			if _, err := r.Review(t.Context(), call); err != nil {
				t.Errorf("a prompt of %d bytes: %v", len(call.Prompt), err)
			}
			call.Prompt = append(call.Prompt, 'x')
			_, err := r.Review(t.Context(), call)
			wantCallError(t, err, review.KindInputLimit, "input limit exceeded: a prompt of ")
			if _, err := os.Stat(filepath.Join(string(fakes), c.executable+".2.args")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the client was asked all the same: %v", err)
			}
		})
	}
}

// Rule: An answer has a limit.
func TestReviewOutputLimit(t *testing.T) {
	t.Parallel()
	command := []string{"sh", "-c", "cat >/dev/null; trap '' PIPE; while :; do head -c 1000000 /dev/zero || :; done"}
	_, err := newReviewer(t, "endless", review.Options{Command: command}).Review(t.Context(),
		review.Call{Dir: t.TempDir(), Prompt: []byte("x")})
	wantCallError(t, err, review.KindOutputLimit, "printed more than 64 MiB")
}

func TestReviewModel(t *testing.T) {
	t.Parallel()
	for _, c := range clients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, nil)
			r := newReviewer(t, c.adapter, review.Options{Model: "configured"})
			for _, call := range []struct{ model, want string }{{"", "configured"}, {"of-the-call", "of-the-call"}} {
				reply, err := r.Review(t.Context(),
					review.Call{Dir: t.TempDir(), Prompt: []byte("x"), Env: fakes.env(), Model: call.model})
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
		_, err := newReviewer(t, adapter, review.Options{}).Review(t.Context(),
			review.Call{Dir: t.TempDir(), Prompt: []byte("a\xff\xfeb"), Env: fakes.env()})
		if err != nil {
			t.Fatal(err)
		}
		if got := fakes.read(t, adapter+".1.prompt"); got != want {
			t.Errorf("%s read %q, want %q", adapter, got, want)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options review.Options
		want    string
	}{
		{"claude", review.Options{Model: "--dangerously-skip-permissions"}, `adapter "claude": model "--dangerously-skip-permissions" looks like an option`},
		{"unheard-of", review.Options{}, `unknown adapter "unheard-of": give it a command under cli.adapters, or use one of ` +
			`builtin, claude, codex, cursor, gemini, github-copilot, opencode`},
		{"mine", review.Options{Command: []string{""}}, `adapter "mine": its command begins with an empty word`},
	}
	for _, test := range tests {
		if _, err := review.New(test.name, test.options); err == nil || err.Error() != test.want {
			t.Errorf("New(%q) error %v, want %s", test.name, err, test.want)
		}
	}
	want := map[string]string{"claude": "claude", "codex": "codex", "cursor": "cursor-agent", "gemini": "gemini",
		"github-copilot": "copilot", "opencode": "opencode", "builtin": "", "unheard-of": ""}
	for name, executable := range want {
		if got := review.Executable(name, nil); got != executable {
			t.Errorf("Executable(%q) = %q, want %q", name, got, executable)
		}
	}
	if got := review.Executable("claude", []string{"/opt/wrapper", "x"}); got != "/opt/wrapper" {
		t.Errorf("Executable of a command = %q", got)
	}
}
