package clients_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

func TestUserCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		kind         ledger.ErrorKind // empty: the text is want
		want         string
	}{
		{name: "answers", script: `cat; printf ' %s' "$1" "$(pwd -P)"; echo "usage limit" >&2`,
			want: "the prompt hits a usage limit two  words $HOME "},
		{name: "exits non-zero", script: `echo '{"status":"pass"}'; echo boom >&2; exit 4`,
			kind: ledger.ErrorCrashed, want: "exited with code 4: boom"},
		{name: "repeats the prompt and fails", script: `cat >&2; exit 1`, kind: ledger.ErrorCrashed, want: "exited with code 1"},
		{name: "usage limit on stderr", script: `echo "Error: You’ve hit your usage limit." >&2; exit 1`,
			kind: ledger.ErrorUsageLimit, want: "usage limit reached: Error: You’ve hit your usage limit."},
		{name: "usage limit on stdout", script: `echo "You've hit your limit · see your plan"; exit 1`,
			kind: ledger.ErrorUsageLimit, want: "usage limit reached: You've hit your limit · see your plan"},
		{name: "another's limit", script: `echo "limiting requests (not your usage limit)" >&2; exit 1`,
			kind: ledger.ErrorRateLimit, want: "rate limit reached: limiting requests"},
		{name: "is killed", script: `echo '{"status":"pass"}'; kill -9 $$`, kind: ledger.ErrorCrashed, want: "ended by signal killed"},
		{name: "says nothing", script: `cat >/dev/null; echo; echo`, kind: ledger.ErrorBadAnswer, want: "empty answer"},
		{name: "reads nothing", script: `echo '{"status":"pass"}'`, want: `{"status":"pass"}` + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			command := []string{"sh", "-c", test.script, "sh", "two  words $HOME"}
			r := newReviewer(t, "claude", clients.Options{Command: command, Model: "only recorded"})
			reply, err := r.Review(t.Context(), clients.Call{Dir: dir, Prompt: []byte("the prompt hits a usage limit"), Timeout: 15 * time.Second})
			if test.kind != "" {
				wantCallError(t, err, test.kind, test.want)
				return
			}
			if reply.Usage.Model != "only recorded" {
				t.Errorf("model %q", reply.Usage.Model)
			}
			if text := strings.TrimSuffix(reply.Text, dir); err != nil || text != test.want {
				t.Errorf("text %q, error %v, want %q", text, err, test.want)
			}
		})
	}
}

func TestUserCommandIsMissing(t *testing.T) {
	t.Parallel()
	r := newReviewer(t, "mine", clients.Options{Command: []string{"no-such-reviewer"}})
	_, err := r.Review(t.Context(), clients.Call{Dir: t.TempDir(), Prompt: []byte("x")})
	wantCallError(t, err, ledger.ErrorCrashed, `could not run: start "no-such-reviewer": `)
	var callErr *clients.CallError
	if errors.As(err, &callErr); !strings.HasSuffix(callErr.Message, "(is it installed and on PATH?)") {
		t.Errorf("message %q", callErr.Message)
	}
}

func TestUserCommandInTheRepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cat, err := exec.LookPath("cat")
	if err == nil {
		err = os.Symlink(cat, filepath.Join(dir, "reviewer"))
	}
	if err != nil {
		t.Fatal(err)
	}
	r := newReviewer(t, "mine", clients.Options{Command: []string{"./reviewer"}})
	reply, err := r.Review(t.Context(), clients.Call{Dir: dir, Prompt: []byte("x")})
	if err != nil || reply.Text != "x" {
		t.Errorf("text %q, error %v", reply.Text, err)
	}
}

// A program is looked up on PATH, and one with a path is looked for there.
func TestMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"runs": 0o755, "reads": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for program, want := range map[string]string{
		"sh": "", "no-such-program": "is not on PATH", "runs": "is not on PATH",
		"./runs": "", filepath.Join(dir, "runs"): "", "./reads": "is not executable", "./none": "does not exist", "./none/none": "does not exist", ".//": "is not executable",
	} {
		if got := clients.Missing(program, dir); got != want {
			t.Errorf("%q %s, want %q", program, got, want)
		}
	}
}
