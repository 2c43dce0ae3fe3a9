package clients_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// TestFakesNumberConcurrentCalls checks what tests of other packages rely on.
func TestFakesNumberConcurrentCalls(t *testing.T) {
	t.Parallel()
	const calls = 8
	fakes := newFakeDir(t, map[string]string{"codex.answer": failing})
	var group sync.WaitGroup
	for i := range calls {
		group.Go(func() {
			_, err := newReviewer(t, "codex", clients.Options{}).Review(t.Context(),
				clients.Call{Dir: string(fakes), Prompt: fmt.Appendf(nil, "prompt %d", i), Env: fakes.env()})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	seen := map[string]bool{}
	for k := range calls {
		seen[fakes.read(t, fmt.Sprintf("codex.%d.prompt", k+1))] = true
	}
	if _, err := os.Stat(filepath.Join(string(fakes), fmt.Sprintf("codex.%d.prompt", calls+1))); len(seen) != calls || err == nil {
		t.Errorf("recorded %v", seen)
	}
}

func TestFakesChooseByPrompt(t *testing.T) {
	t.Parallel()
	fakes := newFakeDir(t, map[string]string{
		"any.answer":          "by default",
		"codex.2.answer":      "second",
		"codex.rerun.when":    "Claims\n!first line",
		"codex.rerun.answer":  "rerun",
		"any.security.when":   "security",
		"any.security.answer": "security",
		"gemini.rerun.when":   "prompt",
		"gemini.rerun.answer": "gemini's",
	})
	for _, test := range []struct{ prompt, want string }{
		{"prompt", "by default"},
		{"prompt", "second"},
		{"Claims to verify", "rerun"},
		{"Claims, first line", "by default"},
		{"Claims, security", "security"},
	} {
		reply, err := newReviewer(t, "codex", clients.Options{}).Review(t.Context(),
			clients.Call{Dir: string(fakes), Prompt: []byte(test.prompt), Env: fakes.env()})
		if err != nil || reply.Text != test.want {
			t.Errorf("%q is answered with %q, error %v, want %q", test.prompt, reply.Text, err, test.want)
		}
	}
}

// TestFakesRefuseOtherFlags shows that a fake notices an adapter that has changed its command line.
func TestFakesRefuseOtherFlags(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, nil)
			call := clients.Call{Dir: string(fakes), Prompt: []byte("x"), Env: fakes.env("OPENCODE_PERMISSION=none")}
			reply, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			command := append(reply.Command[:1:1], append([]string{"--yolo"}, reply.Command[1:]...)...)
			_, err = newReviewer(t, c.adapter, clients.Options{Command: command}).Review(t.Context(), call)
			if err == nil || !strings.Contains(err.Error(), "exited with code 1: error: unexpected arguments: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}
