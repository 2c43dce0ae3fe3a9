package clients_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// These schemas are accepted by the clients and the fakes.
const (
	schema = `{"type":"object","properties":{"status":{"type":"string"},"n":{"type":"integer"}},"required":["status"]}`
	strict = `{"type":"object","properties":{"status":{"type":"string"}},"required":["status"],"additionalProperties":false}`
)

// asks is a prompt that asks for the form.
const asks = "Review.\n\n# Answer\n\nIn the form.\n"

// TestSchemaFlags checks that each client that accepts a schema gets its own, outside of the
// repository.
func TestSchemaFlags(t *testing.T) {
	t.Parallel()
	for _, c := range allClients() {
		t.Run(c.adapter, func(t *testing.T) {
			t.Parallel()
			dir, fakes := t.TempDir(), newFakeDir(t, map[string]string{"any.answer": failing})
			call := clients.Call{Dir: dir, Prompt: []byte(asks), Env: fakes.env(), Schema: []byte(schema), StrictSchema: []byte(strict)}
			reply, err := newReviewer(t, c.adapter, clients.Options{}).Review(t.Context(), call)
			if err != nil || reply.Text != failing {
				t.Fatalf("text %q, error %v", reply.Text, err)
			}
			folder, _, _ := strings.Cut(fakes.read(t, c.executable+".1.dir"), "\n")
			file := filepath.Join(filepath.Dir(folder), "schema.json")
			want := map[string][]string{"claude": {"--json-schema", schema}, "codex": {"--output-schema", file}}[c.adapter]
			if got := schemaFlags(reply.Command); !slices.Equal(got, want) {
				t.Errorf("command line has %q, want %q", got, want)
			}
			structured := strings.Contains(string(reply.Stdout), `"structured_output":{"status"`)
			if structured != (c.adapter == "claude") {
				t.Errorf("stdout %q", reply.Stdout)
			}
			checkFolder(t, c.adapter, fakes.read(t, c.executable+".1.dir"), dir)
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("in the repository: %v, error %v", left, err)
			}
		})
	}
}

// schemaFlags returns the arguments in a command line that concern a schema.
func schemaFlags(command []string) (found []string) {
	for i, word := range command {
		if strings.Contains(word, "-schema") && i+1 < len(command) {
			found = append(found, word, command[i+1])
		}
	}
	return found
}

// TestSchemaEnds checks that a schema and an answer that do not fit together give an error that
// says so, or the answer as text.
func TestSchemaEnds(t *testing.T) {
	t.Parallel()
	long := strings.TrimSuffix(schema, "}") + `,"title":"` + strings.Repeat("x", 128<<10) + `"}`
	tests := []struct {
		name, adapter, schema, prompt, answer string
		kind                                  ledger.ErrorKind // empty: the text is want
		want                                  string
	}{
		{name: "an answer in words", adapter: "claude", schema: schema, answer: "All is well.", want: "All is well."},
		{name: "in a fence", adapter: "claude", schema: schema, answer: "```json\n{}\n```", want: "```json\n{}\n```"},
		{name: "in words", adapter: "codex", schema: strict, answer: "All is well.", want: "All is well."},
		{name: "none", adapter: "claude", answer: failing, want: failing},
		{name: "none", adapter: "codex", answer: failing, want: failing},
		{name: "too long for an argument", adapter: "claude", schema: long, answer: failing, want: failing},
		{name: "refused", adapter: "claude", schema: "[]",
			kind: ledger.ErrorCrashed, want: "exited with code 1: Error: --json-schema is not a valid JSON Schema"},
		{name: "refused", adapter: "codex", schema: "[]",
			kind: ledger.ErrorCrashed, want: "exited with code 1: Output schema file"},
		{name: "forgotten", adapter: "claude", prompt: asks, kind: ledger.ErrorCrashed, want: "exited with code 1: error: missing --json-schema"},
		{name: "forgotten", adapter: "codex", prompt: asks, kind: ledger.ErrorCrashed, want: "exited with code 1: error: missing --output-schema"},
	}
	for _, test := range tests {
		t.Run(test.adapter+"/"+test.name, func(t *testing.T) {
			t.Parallel()
			fakes := newFakeDir(t, map[string]string{"any.answer": test.answer})
			call := clients.Call{Dir: t.TempDir(), Prompt: []byte("x" + test.prompt), Env: fakes.env()}
			if test.adapter == "codex" {
				call.StrictSchema = []byte(test.schema)
			} else {
				call.Schema = []byte(test.schema)
			}
			reply, err := newReviewer(t, test.adapter, clients.Options{}).Review(t.Context(), call)
			if test.kind != "" {
				wantCallError(t, err, test.kind, test.want)
			} else if err != nil || reply.Text != test.want {
				t.Errorf("text %q, error %v, want %q", reply.Text, err, test.want)
			}
		})
	}
}

func TestByAbsence(t *testing.T) {
	t.Parallel()
	command := []string{"lint"}
	type kinds struct{ ByAbsence, ReadsPrompts bool }
	for name, test := range map[string]struct {
		options clients.Options
		want    kinds
	}{
		"claude":  {clients.Options{}, kinds{false, true}},
		"command": {clients.Options{Command: command}, kinds{false, true}},
		"lists":   {clients.Options{Command: command, ByAbsence: true}, kinds{true, true}},
		"form":    {clients.Options{Command: command, Output: clients.OutputAnswer}, kinds{false, true}},
	} {
		r := newReviewer(t, name, test.options)
		if diff := cmp.Diff(test.want, kinds{r.ByAbsence(), r.ReadsPrompts()}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, c := range allClients() {
		if newReviewer(t, c.adapter, clients.Options{ByAbsence: true}).ByAbsence() {
			t.Errorf("%s confirms claims by absence", c.adapter)
		}
	}
}

func TestFound(t *testing.T) {
	t.Parallel()
	entry := ledger.Entry{Place: ledger.Place{File: "a<b>.go", Start: 3, End: 4}, Issue: "i", Fix: "f", Priority: "low"}
	got := clients.Found([]ledger.Entry{entry, entry}, []ledger.ClaimWord{{ID: "c", Verdict: ledger.ClaimNotFixed, Evidence: "e"}})
	want := `{
  "status": "fail",
  "violations": [
    {
      "file": "a<b>.go",
      "line": "3-4",
      "issue": "i",
      "fix": "f",
      "priority": "low"
    }
  ],
  "claims": [
    {
      "id": "c",
      "verdict": "not_fixed",
      "evidence": "e"
    }
  ]
}
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
